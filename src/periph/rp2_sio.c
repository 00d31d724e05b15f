/*
 * SIO of RP2040 and RP2350, as core 0 sees it: GPIO (pins 0-31 on the nets "gpio.N"), the FIFO to
 * core 1, spinlocks, RP2040's divider (the result 8 cycles after the operands), and RP2350's
 * machine timer as a count. Core 1 is not modelled: it stays asleep, but answers the words of its
 * start-up handshake as the boot ROM does. Interpolators, doorbells and TMDS are stored. Options:
 * `layout` (rp2040, rp2350); `clock`: RP2350's tick of the machine timer; interrupts `fifo`,
 * `mtimer`, `soft`.
 */
#include <string.h>

#include "periph/rp2_block.h"

enum {
    CPUID = 0x00,
    GPIO_IN = 0x04,
    GPIO = 0x10,
    FIFO_ST = 0x50,
    FIFO_WR = 0x54,
    FIFO_RD = 0x58,
    SPINLOCK_ST = 0x5C,
    DIVIDER = 0x60,
    SPINLOCK0 = 0x100,
    SPINLOCKS_END = 0x180,
    SOFTIRQ = 0x1A0,
    MTIME_CTRL = 0x1A4,
    MTIME = 0x1B0,
    MTIMEH = 0x1B4,
    MTIMECMP = 0x1B8,
    MTIMECMPH = 0x1BC,
    WORDS = 0x200 / 4,
};
enum { UDIVIDEND = 0x60, UDIVISOR = 0x64, SDIVIDEND = 0x68, SDIVISOR = 0x6C, QUOTIENT = 0x70 };
enum { REMAINDER = 0x74, DIV_CSR = 0x78, DIVIDER_CYCLES = 8, PINS = 32, FIFO_WORDS = 8 };
enum { IRQ_FIFO, IRQ_MTIMER, IRQ_SOFT };

struct rp2_sio {
    struct rp2_block block;
    bool rp2350;
    struct sim_net *pins[PINS];
    uint32_t out, oe;
    uint32_t stored[WORDS];
    uint32_t spinlocks;
    uint32_t fifo[FIFO_WORDS];   /* to core 0 */
    unsigned fifo_count, launch; /* words of the handshake so far */
    uint32_t fifo_flags;         /* WOF, ROE */
    uint32_t dividend, divisor, quotient, remainder;
    bool is_signed, dirty;
    uint64_t divided; /* tick at which the result stands */
    uint32_t mtime_ctrl;
    uint64_t mtime_offset, mtimecmp;
    struct sim_event mtime_event;
};

static void drive(struct rp2_sio *s, uint32_t changed)
{
    while (changed & s->oe) {
        unsigned pin = (unsigned)__builtin_ctz(changed & s->oe);
        net_drive(s->block.periph.machine, s->pins[pin], s->out >> pin & 1);
        changed &= ~(1u << pin);
    }
}

static uint32_t levels(const struct rp2_sio *s)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < PINS; i++)
        value |= (uint32_t)net_level(s->pins[i]) << i;
    return value;
}

/* Which register of the pins is at this offset? 0-3 out and its aliases, 4-7 enable; -1: none. */
static int gpio_register(const struct rp2_sio *s, uint32_t at)
{
    if (!s->rp2350)
        return at >= GPIO && at < GPIO + 0x20 ? (int)(at - GPIO) / 4 : -1;
    return at >= GPIO && at < GPIO + 0x40 && !(at & 4) ? (int)(at - GPIO) / 8 : -1;
}

static void write_gpio(struct rp2_sio *s, int index, uint32_t value)
{
    static const enum rp2_alias rp2040[4] = {RP2_PLAIN, RP2_SET, RP2_CLEAR, RP2_XOR};
    uint32_t *target = index < 4 ? &s->out : &s->oe, before = *target;
    *target = rp2_alias(before, value, rp2040[index & 3]);
    drive(s, index < 4 ? before ^ *target : *target & ~before);
}

/* The divider: 32 bits, quotient all ones (or the sign's) where the divisor is 0. */
static void divide(struct rp2_sio *s)
{
    uint32_t a = s->dividend, b = s->divisor;
    if (b == 0) {
        s->quotient = s->is_signed && (int32_t)a < 0 ? 1 : UINT32_MAX;
        s->remainder = a;
    } else if (!s->is_signed) {
        s->quotient = a / b;
        s->remainder = a % b;
    } else if (b == UINT32_MAX) {
        s->quotient = 0u - a;
        s->remainder = 0;
    } else {
        s->quotient = (uint32_t)((int32_t)a / (int32_t)b);
        s->remainder = (uint32_t)((int32_t)a % (int32_t)b);
    }
    s->divided = rp2_tick(s->block.periph.machine) + DIVIDER_CYCLES;
    s->dirty = true;
}

static uint32_t read_divider(struct rp2_sio *s, uint32_t at)
{
    bool ready = rp2_tick(s->block.periph.machine) >= s->divided;
    switch (at) {
    case UDIVIDEND:
    case SDIVIDEND: return s->dividend;
    case UDIVISOR:
    case SDIVISOR: return s->divisor;
    case QUOTIENT: s->dirty = false; return ready ? s->quotient : 0;
    case REMAINDER: return ready ? s->remainder : 0;
    default: return (ready ? 1 : 0) | (s->dirty ? 2 : 0);
    }
}

static void write_divider(struct rp2_sio *s, uint32_t at, uint32_t value)
{
    uint64_t now = rp2_tick(s->block.periph.machine);
    switch (at) {
    case UDIVIDEND:
    case SDIVIDEND: s->dividend = value; break;
    case UDIVISOR:
    case SDIVISOR: s->divisor = value; break;
    case QUOTIENT:
        s->quotient = value;
        s->divided = now;
        s->dirty = true;
        return;
    case REMAINDER:
        s->remainder = value;
        s->divided = now;
        s->dirty = true;
        return;
    default: return;
    }
    s->is_signed = at == SDIVIDEND || at == SDIVISOR;
    divide(s);
}

static void fifo_irq(struct rp2_sio *s)
{
    periph_irq(&s->block.periph, IRQ_FIFO, s->fifo_count > 0 || s->fifo_flags);
}

static void answer(struct rp2_sio *s, uint32_t word)
{
    if (s->fifo_count < (s->rp2350 ? 4u : 8u))
        s->fifo[s->fifo_count++] = word;
}

/* Core 1 waits for 0, 0, 1, vector table, stack, entry, and echoes each; a word out of turn begins
 * again. Started, it sleeps: what is written then stays in the FIFO, and is lost here. */
static void fifo_write(struct rp2_sio *s, uint32_t word)
{
    static const uint32_t expected[3] = {0, 0, 1};
    if (s->launch == 6)
        return;
    if (s->launch < 3 && word != expected[s->launch])
        s->launch = word == 0;
    else
        s->launch++;
    answer(s, word);
    fifo_irq(s);
}

static uint32_t fifo_read(struct rp2_sio *s)
{
    if (s->fifo_count == 0) {
        s->fifo_flags |= 8;
        fifo_irq(s);
        return 0;
    }
    uint32_t word = s->fifo[0];
    memmove(s->fifo, s->fifo + 1, --s->fifo_count * sizeof s->fifo[0]);
    fifo_irq(s);
    return word;
}

static uint64_t mtime(const struct rp2_sio *s)
{
    const struct periph *p = &s->block.periph;
    return p->clock ? clock_ticks(p->clock, machine_now(p->machine)) + s->mtime_offset : 0;
}

static void mtime_changed(struct rp2_sio *s)
{
    struct periph *p = &s->block.periph;
    if (!p->clock)
        return;
    uint64_t now = mtime(s);
    bool due = now >= s->mtimecmp;
    periph_irq(p, IRQ_MTIMER, due);
    uint64_t ticks = s->mtimecmp - s->mtime_offset;
    bool never = due || s->mtimecmp - now > UINT64_C(1) << 40;
    machine_at(p->machine, &s->mtime_event, never ? SIM_NEVER : clock_time(p->clock, ticks));
}

static void mtime_due(void *owner, uint64_t when_ps)
{
    (void)when_ps;
    mtime_changed(owner);
}

static uint32_t read_word(struct rp2_sio *s, uint32_t at)
{
    int gpio = gpio_register(s, at);
    if (gpio >= 0)
        return gpio < 4 ? s->out : s->oe;
    if (!s->rp2350 && at >= DIVIDER && at <= DIV_CSR)
        return read_divider(s, at);
    if (at >= SPINLOCK0 && at < SPINLOCKS_END) {
        uint32_t lock = 1u << (at - SPINLOCK0) / 4;
        bool taken = s->spinlocks & lock;
        s->spinlocks |= lock;
        return taken ? 0 : lock;
    }
    switch (at) {
    case CPUID: return 0;
    case GPIO_IN: return levels(s);
    case FIFO_ST: return (s->fifo_count > 0) | 2 | s->fifo_flags;
    case FIFO_RD: return fifo_read(s);
    case SPINLOCK_ST: return s->spinlocks;
    case MTIME_CTRL: return s->rp2350 ? s->mtime_ctrl : 0;
    case MTIME: return (uint32_t)mtime(s);
    case MTIMEH: return (uint32_t)(mtime(s) >> 32);
    case MTIMECMP: return (uint32_t)s->mtimecmp;
    case MTIMECMPH: return (uint32_t)(s->mtimecmp >> 32);
    default: return at / 4 < WORDS ? s->stored[at / 4] : 0;
    }
}

static void write_mtime(struct rp2_sio *s, uint32_t at, uint32_t value)
{
    uint64_t now = mtime(s), low = UINT32_MAX, high = (uint64_t)value << 32;
    switch (at) {
    case MTIME: s->mtime_offset += (now & ~low) + value - now; break;
    case MTIMEH: s->mtime_offset += (high | (now & low)) - now; break;
    case MTIMECMP: s->mtimecmp = (s->mtimecmp & ~low) | value; break;
    default: s->mtimecmp = (s->mtimecmp & low) | high; break;
    }
    mtime_changed(s);
}

static void write_word(struct rp2_sio *s, uint32_t at, uint32_t value)
{
    int gpio = gpio_register(s, at);
    if (gpio >= 0) {
        write_gpio(s, gpio, value);
    } else if (!s->rp2350 && at >= DIVIDER && at <= DIV_CSR) {
        write_divider(s, at, value);
    } else if (at >= SPINLOCK0 && at < SPINLOCKS_END) {
        s->spinlocks &= ~(1u << (at - SPINLOCK0) / 4);
    } else if (at == FIFO_ST) {
        s->fifo_flags &= ~value;
        fifo_irq(s);
    } else if (at == FIFO_WR) {
        fifo_write(s, value);
    } else if (s->rp2350 && at == SOFTIRQ) {
        s->stored[at / 4] = (s->stored[at / 4] | (value & 3)) & ~(value >> 8 & 3);
        periph_irq(&s->block.periph, IRQ_SOFT, s->stored[at / 4] & 1);
    } else if (s->rp2350 && at == MTIME_CTRL) {
        s->mtime_ctrl = value;
    } else if (s->rp2350 && at >= MTIME && at <= MTIMECMPH) {
        write_mtime(s, at, value);
    } else if (at / 4 < WORDS) {
        s->stored[at / 4] = value;
    }
}

static enum uj_err sio_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {RP2_BLOCK_KEYS, "layout"};
    struct rp2_sio *s = (struct rp2_sio *)p;
    const char *layout = NULL;
    enum uj_err err = yaml_only(ctx, p->options, keys, sizeof keys / sizeof keys[0]);
    if (err || (err = yaml_need_text(ctx, &layout, p->options, "layout")))
        return err;
    s->rp2350 = strcmp(layout, "rp2350") == 0;
    if (!s->rp2350 && strcmp(layout, "rp2040") != 0)
        return yaml_fail(ctx, yaml_get(p->options, "layout"), "is neither rp2040 nor rp2350");
    for (unsigned i = 0; i < PINS; i++)
        s->pins[i] = rp2_net(p->machine, "gpio", i);
    s->mtime_event = (struct sim_event){.fire = mtime_due, .owner = s};
    p->region.single_cycle = true;
    return rp2_block_create(ctx, p);
}

static void sio_reset(struct periph *p)
{
    struct rp2_sio *s = (struct rp2_sio *)p;
    memset(s->stored, 0, sizeof s->stored);
    s->out = s->oe = s->spinlocks = s->fifo_flags = 0;
    s->fifo_count = s->launch = 0;
    s->dividend = s->divisor = s->quotient = s->remainder = 0;
    s->is_signed = s->dirty = false;
    s->divided = 0;
    s->mtime_ctrl = 0xD;
    s->mtimecmp = UINT64_MAX;
    s->mtime_offset = p->clock ? 0 - clock_ticks(p->clock, machine_now(p->machine)) : 0;
    mtime_changed(s);
    fifo_irq(s);
}

static uint32_t sio_read(struct periph *p, uint32_t offset, unsigned bytes)
{
    return rp2_lane(read_word((struct rp2_sio *)p, offset & ~3u), offset, bytes);
}

static void sio_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes)
{
    write_word((struct rp2_sio *)p, offset & ~3u, rp2_widen(value, bytes));
}

static void sio_clock_changed(struct periph *p, uint64_t now_ps)
{
    (void)now_ps;
    mtime_changed((struct rp2_sio *)p);
}

static const char *const sio_irqs[] = {"fifo", "mtimer", "soft", NULL};

const struct periph_class rp2_sio_class = {
    .name = "rp2_sio",
    .bytes = sizeof(struct rp2_sio),
    .window = 0x1000,
    .irqs = sio_irqs,
    .create = sio_create,
    .reset = sio_reset,
    .read = sio_read,
    .write = sio_write,
    .clock_changed = sio_clock_changed,
};
