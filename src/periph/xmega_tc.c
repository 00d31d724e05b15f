/*
 * XMEGA Timer/Counter type 0 (four compare channels) and type 1 (two): option `channels`. Counts up
 * in normal, frequency and single-slope mode, up and down in dual-slope mode with the overflow at
 * the bottom. Waveforms do not reach the pins; events, capture, byte mode and counting down end the
 * run.
 */
#include "periph/avr_block.h"
#include "periph/ramp_counter.h"

enum {
    CTRLA,
    CTRLB,
    CTRLC,
    CTRLD,
    CTRLE,
    INTCTRLA = 0x06,
    INTCTRLB,
    CTRLFCLR,
    CTRLFSET,
    CTRLGCLR,
    CTRLGSET,
    INTFLAGS,
    TEMP = 0x0F,
    CNT = 0x20,
    PER = 0x26,
    CC = 0x28,
    PERBUF = 0x36,
    CCBUF = 0x38,
    TC_SIZE = 0x40
};
enum { CHANNELS_MAX = 4 };
enum { OVFIF = 0x01, CCIF = 0x10 }; /* INTFLAGS; CCIF of channel A, the others above it */
enum { DIR = 0x01, LUPD = 0x02, CMD_SHIFT = 2 }; /* CTRLF */
enum { CMD_NONE, CMD_UPDATE, CMD_RESTART, CMD_RESET };
enum { PERBV = 0x01, CCBV = 0x02 }; /* CTRLG; CCBV of channel A, the others above it */
enum { IRQ_OVF, IRQ_ERR, IRQ_CC };

struct xmega_tc {
    struct periph periph;
    struct ramp_counter ramp;
    struct sim_event event;
    unsigned channels;
    uint8_t ctrl[5]; /* CTRLA to CTRLE */
    uint8_t intctrla, intctrlb, ctrlf, ctrlg, flags, temp;
    uint16_t per, perbuf, cc[CHANNELS_MAX], ccbuf[CHANNELS_MAX];
};

static void update_irqs(struct xmega_tc *tc)
{
    xmega_irq(&tc->periph, IRQ_OVF, tc->flags & OVFIF, tc->intctrla & 3);
    for (unsigned i = 0; i < tc->channels; i++)
        xmega_irq(&tc->periph, IRQ_CC + i, tc->flags >> i & CCIF, tc->intctrlb >> (2 * i) & 3);
}

/* Mode and top from the registers. */
static void configure(struct xmega_tc *tc)
{
    static const uint16_t dividers[8] = {0, 1, 2, 4, 8, 64, 256, 1024};
    unsigned mode = tc->ctrl[CTRLB] & 7;
    tc->ramp.divider = dividers[tc->ctrl[CTRLA] & 7];
    tc->ramp.dual = mode == 7;
    tc->ramp.top = mode == 1 ? tc->cc[0] : tc->per;
}

/* Takes what waits in the buffers. */
static void load_buffers(struct xmega_tc *tc)
{
    if (tc->ctrlg & PERBV)
        tc->per = tc->perbuf;
    for (unsigned i = 0; i < tc->channels; i++)
        if (tc->ctrlg >> i & CCBV)
            tc->cc[i] = tc->ccbuf[i];
    tc->ctrlg = 0;
    configure(tc);
}

static bool buffers_wait(const struct xmega_tc *tc)
{
    return tc->ctrlg && !(tc->ctrlf & LUPD);
}

/* Counts up to now; sets the flags of what has happened since the last time. */
static void advance(struct xmega_tc *tc)
{
    uint64_t now = avr_ticks(&tc->periph), to;
    do {
        uint64_t wrap = ramp_wrap_tick(&tc->ramp);
        bool update = buffers_wait(tc) && wrap <= now;
        to = update ? wrap : now;
        if (wrap <= to)
            tc->flags |= OVFIF;
        for (unsigned i = 0; i < tc->channels; i++)
            if (ramp_match_tick(&tc->ramp, tc->cc[i]) <= to)
                tc->flags |= (uint8_t)(CCIF << i);
        ramp_advance(&tc->ramp, to);
        if (update)
            load_buffers(tc);
    } while (to < now);
}

/* The next moment at which something is seen outside: an interrupt that is enabled. */
static void schedule(struct xmega_tc *tc)
{
    uint64_t next = RAMP_NEVER, tick;
    bool any = false;
    if (tc->intctrla & 3 && !(tc->flags & OVFIF)) {
        any = true;
        next = ramp_wrap_tick(&tc->ramp);
    }
    for (unsigned i = 0; i < tc->channels; i++) {
        if (!(tc->intctrlb >> (2 * i) & 3) || tc->flags >> i & CCIF)
            continue;
        any = true;
        tick = ramp_match_tick(&tc->ramp, tc->cc[i]);
        next = tick < next ? tick : next;
    }
    if (any && buffers_wait(tc)) { /* they change what comes after the wrap */
        tick = ramp_wrap_tick(&tc->ramp);
        next = tick < next ? tick : next;
    }
    machine_at(tc->periph.machine, &tc->event,
               next == RAMP_NEVER ? SIM_NEVER : clock_time(tc->periph.clock, next));
}

static void tc_fire(void *owner, uint64_t when_ps)
{
    struct xmega_tc *tc = owner;
    (void)when_ps;
    advance(tc);
    update_irqs(tc);
    schedule(tc);
}

static void tc_clock_changed(struct periph *p, uint64_t now_ps)
{
    (void)now_ps;
    schedule((struct xmega_tc *)p);
}

static enum uj_err tc_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {PERIPH_LOADER_KEYS, "channels"};
    struct xmega_tc *tc = (struct xmega_tc *)p;
    int64_t channels = CHANNELS_MAX;
    enum uj_err err = yaml_only(ctx, p->options, keys, sizeof keys / sizeof keys[0]);
    if (err || (err = yaml_get_integer(ctx, &channels, p->options, "channels", 1, CHANNELS_MAX)))
        return err;
    if (!p->clock)
        return yaml_fail(ctx, p->options, "needs a clock");
    tc->channels = (unsigned)channels;
    tc->event = (struct sim_event){.fire = tc_fire, .owner = tc};
    return UJ_OK;
}

static void clear_registers(struct xmega_tc *tc)
{
    for (unsigned i = 0; i < sizeof tc->ctrl; i++)
        tc->ctrl[i] = 0;
    tc->intctrla = tc->intctrlb = tc->ctrlf = tc->ctrlg = tc->flags = tc->temp = 0;
    tc->per = tc->perbuf = 0xFFFF;
    for (unsigned i = 0; i < CHANNELS_MAX; i++)
        tc->cc[i] = tc->ccbuf[i] = 0;
    tc->ramp = (struct ramp_counter){.max = 0xFFFF, .base_tick = avr_ticks(&tc->periph)};
    configure(tc);
}

static void tc_reset(struct periph *p)
{
    struct xmega_tc *tc = (struct xmega_tc *)p;
    clear_registers(tc);
    update_irqs(tc);
    schedule(tc);
}

static void command(struct xmega_tc *tc, unsigned number)
{
    switch (number) {
    case CMD_UPDATE: load_buffers(tc); break;
    case CMD_RESTART:
        ramp_set(&tc->ramp, tc->ramp.base_tick, 0);
        tc->ramp.held = tc->ramp.down = false;
        break;
    case CMD_RESET:
        if (tc->ramp.divider == 0)
            clear_registers(tc);
        break;
    default: break;
    }
}

/* The 16-bit register at an even offset, or NULL: CNT, or none. */
static uint16_t *word_at(struct xmega_tc *tc, uint32_t offset)
{
    if (offset == PER)
        return &tc->per;
    if (offset == PERBUF)
        return &tc->perbuf;
    if (offset >= CC && offset < CC + 2 * tc->channels)
        return &tc->cc[(offset - CC) / 2];
    if (offset >= CCBUF && offset < CCBUF + 2 * tc->channels)
        return &tc->ccbuf[(offset - CCBUF) / 2];
    return NULL;
}

/* Low byte first: it takes the high byte along, to TEMP. */
static uint8_t read_word(struct xmega_tc *tc, uint32_t offset)
{
    if (offset & 1)
        return tc->temp;
    const uint16_t *word = word_at(tc, offset);
    unsigned value = word ? *word : 0;
    if (offset == CNT) {
        advance(tc);
        value = tc->ramp.value;
    }
    tc->temp = (uint8_t)(value >> 8);
    return (uint8_t)value;
}

/* Low byte first: it waits in TEMP for the high byte. */
static void write_word(struct xmega_tc *tc, uint32_t offset, uint8_t byte)
{
    if (!(offset & 1)) {
        tc->temp = byte;
        return;
    }
    uint16_t value = (uint16_t)(byte << 8 | tc->temp);
    offset--;
    if (offset == CNT) {
        ramp_set(&tc->ramp, tc->ramp.base_tick, value);
        tc->ramp.held = false;
        return;
    }
    uint16_t *word = word_at(tc, offset);
    if (!word)
        return;
    *word = value;
    if (offset == PERBUF)
        tc->ctrlg |= PERBV;
    else if (offset >= CCBUF)
        tc->ctrlg |= (uint8_t)(CCBV << (offset - CCBUF) / 2);
    configure(tc);
}

static uint32_t tc_read(struct periph *p, uint32_t offset, unsigned bytes)
{
    struct xmega_tc *tc = (struct xmega_tc *)p;
    (void)bytes;
    if (offset >= CNT)
        return read_word(tc, offset);
    switch (offset) {
    case CTRLA:
    case CTRLB:
    case CTRLC:
    case CTRLD:
    case CTRLE: return tc->ctrl[offset];
    case INTCTRLA: return tc->intctrla;
    case INTCTRLB: return tc->intctrlb;
    case CTRLFCLR:
    case CTRLFSET: return tc->ctrlf;
    case CTRLGCLR:
    case CTRLGSET: return tc->ctrlg;
    case INTFLAGS: advance(tc); return tc->flags;
    case TEMP: return tc->temp;
    default: return 0;
    }
}

static void write_ctrl(struct xmega_tc *tc, uint32_t offset, uint8_t byte)
{
    struct periph *p = &tc->periph;
    tc->ctrl[offset] = byte;
    if (offset == CTRLA && byte & 8)
        periph_unmodelled(p, "%s: clocked by an event channel", p->name);
    if (offset == CTRLB && ((byte & 7) == 5 || (byte & 7) == 6))
        periph_unmodelled(p, "%s: dual slope with an overflow at the top", p->name);
    if (offset == CTRLD && byte & 0x0F)
        periph_unmodelled(p, "%s: event action", p->name);
    if (offset == CTRLE && byte & 3)
        periph_unmodelled(p, "%s: byte mode", p->name);
    configure(tc);
}

static void tc_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes)
{
    struct xmega_tc *tc = (struct xmega_tc *)p;
    uint8_t byte = (uint8_t)value, ones = avr_ones(p, value);
    (void)bytes;
    advance(tc);
    if (offset >= CNT)
        write_word(tc, offset, byte);
    switch (offset) {
    case CTRLA:
    case CTRLB:
    case CTRLC:
    case CTRLD:
    case CTRLE: write_ctrl(tc, offset, byte); break;
    case INTCTRLA: tc->intctrla = byte & 0x0F; break;
    case INTCTRLB: tc->intctrlb = byte; break;
    case CTRLFCLR: tc->ctrlf &= (uint8_t)~ones; break;
    case CTRLFSET:
        tc->ctrlf |= ones & (DIR | LUPD);
        if (tc->ctrlf & DIR)
            periph_unmodelled(p, "%s: counting down", p->name);
        command(tc, ones >> CMD_SHIFT & 3);
        break;
    case CTRLGCLR: tc->ctrlg &= (uint8_t)~ones; break;
    case CTRLGSET: tc->ctrlg = (uint8_t)(tc->ctrlg | (ones & ((CCBV << tc->channels) - 1))); break;
    case INTFLAGS: tc->flags &= (uint8_t)~ones; break;
    case TEMP: tc->temp = byte; break;
    default: break;
    }
    update_irqs(tc);
    schedule(tc);
}

static void tc_irq_taken(struct periph *p, unsigned output)
{
    struct xmega_tc *tc = (struct xmega_tc *)p;
    advance(tc);
    if (output == IRQ_OVF)
        tc->flags &= (uint8_t)~OVFIF;
    else if (output >= IRQ_CC)
        tc->flags &= (uint8_t) ~(CCIF << (output - IRQ_CC));
    update_irqs(tc);
    schedule(tc);
}

static const char *const tc_irqs[] = {"ovf", "err", "cca", "ccb", "ccc", "ccd", NULL};

const struct periph_class xmega_tc_class = {
    .name = "xmega_tc",
    .bytes = sizeof(struct xmega_tc),
    .window = TC_SIZE,
    .irqs = tc_irqs,
    .create = tc_create,
    .reset = tc_reset,
    .read = tc_read,
    .write = tc_write,
    .clock_changed = tc_clock_changed,
    .irq_taken = tc_irq_taken,
};
