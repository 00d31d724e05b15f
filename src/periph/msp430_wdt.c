/*
 * Watchdog of all families. Options: aclk, smclk, vlo (clocks; vlo may be absent), ie and ifg
 * (offsets of the special function registers; its bit is 0), wide (true: the 5xx's register with
 * its longer intervals). As a watchdog, and where the register is written without its password, it
 * resets the chip.
 */
#include "periph/msp430_sfr.h"

enum { HOLD = 0x80, TMSEL = 0x10, CNTCL = 0x08, SSEL = 0x04, SSEL_SHIFT_WIDE = 5 };
enum { PASSWORD = 0x5a, READ_AS = 0x69, WDTIFG = 0x01, RESET_WIDE = 0x04 };
enum { IRQ_WDT };

struct msp430_wdt {
    struct periph periph;
    struct sim_clock *aclk, *smclk, *vlo;
    struct clock_user users[3];
    struct sfr_listener listener;
    struct msp430_line line;
    struct sim_event event;
    unsigned ie, ifg;
    bool is_wide;
    uint8_t ctl;
    uint64_t start_tick; /* of its source, where the counter was 0 */
    uint64_t held_ticks; /* the count while it is held */
};

static struct sim_clock *source_of(const struct msp430_wdt *w, uint8_t ctl)
{
    if (!w->is_wide)
        return ctl & SSEL ? w->aclk : w->smclk;
    switch (ctl >> SSEL_SHIFT_WIDE & 3) {
    case 0: return w->smclk;
    case 1: return w->aclk;
    default: return w->vlo ? w->vlo : w->aclk;
    }
}

static uint64_t interval(const struct msp430_wdt *w)
{
    static const uint8_t narrow[4] = {15, 13, 9, 6}, wide[8] = {31, 27, 23, 19, 15, 13, 9, 6};
    return UINT64_C(1) << (w->is_wide ? wide[w->ctl & 7] : narrow[w->ctl & 3]);
}

static void update(void *owner)
{
    struct msp430_wdt *w = owner;
    struct machine *m = w->periph.machine;
    bool asks = sfr_get(m, w->ie) & sfr_get(m, w->ifg) & WDTIFG && w->ctl & TMSEL;
    msp430_irq(&w->periph, IRQ_WDT, &w->line, asks);
}

static void schedule(struct msp430_wdt *w)
{
    const struct sim_clock *c = source_of(w, w->ctl);
    machine_at(w->periph.machine, &w->event,
               w->ctl & HOLD ? SIM_NEVER : clock_time(c, w->start_tick + interval(w)));
}

static void expired(void *owner, uint64_t when_ps)
{
    struct msp430_wdt *w = owner;
    (void)when_ps;
    w->start_tick += interval(w);
    if (w->ctl & TMSEL) {
        sfr_set(w->periph.machine, w->ifg, WDTIFG);
        schedule(w);
    } else {
        machine_request_reset(w->periph.machine, "watchdog reset");
    }
}

static void clock_changed(void *owner, uint64_t now_ps)
{
    struct msp430_wdt *w = owner;
    (void)now_ps;
    if (w->event.queued || !(w->ctl & HOLD))
        schedule(w);
}

static enum uj_err wdt_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {
        PERIPH_LOADER_KEYS, "aclk", "smclk", "vlo", "ie", "ifg", "wide", "note"};
    struct msp430_wdt *w = (struct msp430_wdt *)p;
    int64_t ie = 0, ifg = 0;
    enum uj_err err = yaml_only(ctx, p->options, keys, sizeof keys / sizeof *keys);
    if (err || (err = msp430_clock_option(ctx, &w->aclk, p, "aclk")) ||
        (err = msp430_clock_option(ctx, &w->smclk, p, "smclk")) ||
        (err = yaml_need_integer(ctx, &ie, p->options, "ie", 0, 15)) ||
        (err = yaml_need_integer(ctx, &ifg, p->options, "ifg", 0, 15)) ||
        (err = yaml_get_bool(ctx, &w->is_wide, p->options, "wide")))
        return err;
    if (yaml_get(p->options, "vlo") && (err = msp430_clock_option(ctx, &w->vlo, p, "vlo")))
        return err;
    w->ie = (unsigned)ie;
    w->ifg = (unsigned)ifg;
    w->event = (struct sim_event){.fire = expired, .owner = w};
    w->listener = (struct sfr_listener){.changed = update, .owner = w};
    sfr_listen(p->machine, &w->listener);
    struct sim_clock *const clocks[3] = {w->aclk, w->smclk, w->vlo};
    for (unsigned i = 0; i < 3; i++) {
        w->users[i] = (struct clock_user){.changed = clock_changed, .owner = w};
        if (clocks[i])
            clock_use(clocks[i], &w->users[i]);
    }
    return UJ_OK;
}

static void wdt_reset(struct periph *p)
{
    struct msp430_wdt *w = (struct msp430_wdt *)p;
    w->ctl = w->is_wide ? RESET_WIDE : 0;
    w->start_tick = clock_ticks(source_of(w, w->ctl), machine_now(p->machine));
    w->held_ticks = 0;
    schedule(w);
    update(w);
}

static uint32_t wdt_read(struct periph *p, uint32_t offset, unsigned bytes)
{
    const struct msp430_wdt *w = (const struct msp430_wdt *)p;
    uint32_t value = READ_AS << 8 | (w->ctl & ~CNTCL);
    (void)bytes;
    return value >> (8 * offset);
}

static void wdt_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes)
{
    struct msp430_wdt *w = (struct msp430_wdt *)p;
    if (bytes == 1 || offset != 0 || value >> 8 != PASSWORD) {
        machine_request_reset(p->machine, "watchdog reset: the register was written without its "
                                          "password");
        return;
    }
    uint64_t now = machine_now(p->machine);
    uint8_t before = w->ctl;
    uint64_t count =
        before & HOLD ? w->held_ticks : clock_ticks(source_of(w, before), now) - w->start_tick;
    if (value & CNTCL)
        count = 0;
    w->ctl = (uint8_t)value;
    w->held_ticks = count;
    /* A shorter interval can lie behind the count: then the next bit that rises is as far away as
     * a whole interval. */
    w->start_tick = clock_ticks(source_of(w, w->ctl), now) - count % interval(w);
    schedule(w);
    update(w);
}

static void wdt_irq_taken(struct periph *p, unsigned output)
{
    struct msp430_wdt *w = (struct msp430_wdt *)p;
    (void)output;
    sfr_clear(p->machine, w->ifg, WDTIFG);
}

static const char *const wdt_irqs[] = {"wdt", NULL};

const struct periph_class msp430_wdt_class = {
    .name = "msp430_wdt",
    .bytes = sizeof(struct msp430_wdt),
    .window = 2,
    .irqs = wdt_irqs,
    .create = wdt_create,
    .reset = wdt_reset,
    .read = wdt_read,
    .write = wdt_write,
    .irq_taken = wdt_irq_taken,
};
