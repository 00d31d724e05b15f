/*
 * ATmega interrupts and sleep: the lowest vector goes first. SMCR at the base, MCUCR where the
 * option `control` says; `boot` is the address of the boot section, where IVSEL moves the vectors;
 * the block's clock is the one that the deep sleep modes stop. `startup` is the cycles that its
 * source takes to start again, by the clock fuses.
 */
#include "periph/avr_block.h"
#include "periph/periph_window.h"

enum { SMCR, INTC_SIZE, MCUCR = 0x10 };
enum { VECTORS = 64, VECTOR_BYTES = 4 };
enum { SE = 1, IVSEL = 2, IVCE = 1, BODS_PUD = 0x70 };
enum { OPEN_CYCLES = 4 };

struct mega_intc {
    struct periph periph;
    struct periph_window control_window;
    uint64_t requests;
    uint8_t smcr, mcucr;
    uint32_t boot, startup_cycles;
    uint64_t open_until_tick; /* for IVSEL; interrupts wait so long */
    struct sim_event close;
    bool stopped;
};

static bool is_open(const struct mega_intc *intc)
{
    return intc->open_until_tick &&
           clock_ticks(intc->periph.machine->cpu_clock, machine_now(intc->periph.machine)) <
               intc->open_until_tick;
}

static void update(struct mega_intc *intc)
{
    bool pending = intc->requests && !is_open(intc);
    if (pending != intc->periph.machine->core->irq_pending)
        machine_irq_request(intc->periph.machine, pending);
}

static void intc_set(void *owner, int number, bool on)
{
    struct mega_intc *intc = owner;
    uint64_t bit = UINT64_C(1) << ((unsigned)number % VECTORS);
    intc->requests = on ? intc->requests | bit : intc->requests & ~bit;
    update(intc);
}

static int intc_take(void *chip)
{
    struct mega_intc *intc = chip;
    if (!intc->requests || is_open(intc))
        return -1;
    int vector = __builtin_ctzll(intc->requests);
    periph_irq_taken(intc->periph.machine, vector);
    update(intc);
    return intc->mcucr & IVSEL ? vector + (int)(intc->boot / VECTOR_BYTES) : vector;
}

static const char *intc_sleep(void *chip, unsigned mode)
{
    static const char *const states[8] = {
        "idle",    "adc-noise-reduction", "power-down", "power-save", "idle", "idle",
        "standby", "extended-standby"};
    struct mega_intc *intc = chip;
    (void)mode;
    if (!(intc->smcr & SE))
        return NULL;
    const char *state = states[intc->smcr >> 1 & 7];
    if (state != states[0]) {
        intc->stopped = true;
        clock_set_gate(intc->periph.clock, true, machine_now(intc->periph.machine));
    }
    return state;
}

static uint64_t intc_wake(void *chip)
{
    struct mega_intc *intc = chip;
    if (!intc->stopped)
        return 0;
    intc->stopped = false;
    return avr_restart_clock(&intc->periph, intc->startup_cycles);
}

static void close_window(void *owner, uint64_t when_ps)
{
    struct mega_intc *intc = owner;
    (void)when_ps;
    intc->open_until_tick = 0;
    update(intc);
}

static enum uj_err intc_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {PERIPH_LOADER_KEYS, "control", "boot", "startup"};
    struct mega_intc *intc = (struct mega_intc *)p;
    struct machine *m = p->machine;
    int64_t boot = 0, startup = 0;
    enum uj_err err = yaml_only(ctx, p->options, keys, sizeof keys / sizeof keys[0]);
    if (err || (err = yaml_get_integer(ctx, &boot, p->options, "boot", 0, 1 << 23)) ||
        (err = yaml_get_integer(ctx, &startup, p->options, "startup", 0, 1 << 20)))
        return err;
    if (!p->clock || !p->clock->parent)
        return yaml_fail(ctx, p->options, "needs a derived clock: the one that deep sleep stops");
    intc->boot = (uint32_t)boot;
    intc->startup_cycles = (uint32_t)startup;
    intc->close = (struct sim_event){.fire = close_window, .owner = intc};
    m->irq = (struct irq_controller){.owner = intc, .set = intc_set};
    m->core->port = (struct core_port){
        .chip = intc, .irq_take = intc_take, .sleep = intc_sleep, .wake = intc_wake};
    return periph_window_option(ctx, &intc->control_window, p, "control", 1, MCUCR);
}

static void intc_reset(struct periph *p)
{
    struct mega_intc *intc = (struct mega_intc *)p;
    intc->smcr = intc->mcucr = 0;
    intc->open_until_tick = 0;
    intc->stopped = false;
    event_cancel(&p->machine->events, &intc->close);
    clock_set_gate(p->clock, false, machine_now(p->machine));
    update(intc);
}

static uint32_t intc_read(struct periph *p, uint32_t offset, unsigned bytes)
{
    const struct mega_intc *intc = (const struct mega_intc *)p;
    (void)bytes;
    return offset == SMCR ? intc->smcr : intc->mcucr;
}

/* IVSEL changes within four cycles after IVCE was set, and IVCE goes with that. */
static void write_control(struct mega_intc *intc, uint8_t byte)
{
    struct machine *m = intc->periph.machine;
    uint8_t ivsel = intc->mcucr & IVSEL;
    if (byte & IVCE) {
        uint64_t now = clock_ticks(m->cpu_clock, machine_now(m));
        intc->open_until_tick = now + OPEN_CYCLES + 1;
        machine_at(m, &intc->close, clock_time(m->cpu_clock, intc->open_until_tick));
    } else if (is_open(intc)) {
        ivsel = byte & IVSEL;
        intc->open_until_tick = 0;
        event_cancel(&m->events, &intc->close);
    }
    intc->mcucr = (byte & BODS_PUD) | ivsel;
}

static void intc_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes)
{
    struct mega_intc *intc = (struct mega_intc *)p;
    (void)bytes;
    if (offset == SMCR)
        intc->smcr = value & 0x0F;
    else
        write_control(intc, (uint8_t)value);
    update(intc);
}

const struct periph_class mega_intc_class = {
    .name = "mega_intc",
    .bytes = sizeof(struct mega_intc),
    .window = INTC_SIZE,
    .create = intc_create,
    .reset = intc_reset,
    .read = intc_read,
    .write = intc_write,
};
