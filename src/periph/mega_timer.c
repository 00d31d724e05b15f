#include "periph/mega_timer.h"

enum { TOV = 0x01, OCFA = 0x02, OCFB = 0x04, ICF = 0x20 };
enum { CS = 0x07 };

const char *const mega_timer_irqs[] = {"ovf", "compa", "compb", "capt", NULL};
static const uint8_t irq_flags[] = {TOV, OCFA, OCFB, ICF};
enum { IRQS = sizeof irq_flags };

static bool is_buffered(const struct mega_timer *t)
{
    return t->mode.shape >= SHAPE_FAST;
}

static void configure(struct mega_timer *t)
{
    const uint16_t tops[] = {t->max, 0xFF, 0x1FF, 0x3FF, t->ocr[0], t->icr};
    t->ramp.top = tops[t->mode.top];
    t->ramp.dual = t->mode.shape >= SHAPE_PHASE;
    t->ramp.divider = t->dividers[t->tccrb & CS];
}

/* When the flag TOV is set: on the way through MAX, or at the wrap of the PWM modes. */
static uint64_t overflow_tick(const struct mega_timer *t)
{
    if (is_buffered(t) || t->ramp.top == t->ramp.max)
        return ramp_wrap_tick(&t->ramp);
    struct ramp_counter free = t->ramp;
    free.held = false;
    return ramp_match_tick(&free, t->ramp.max);
}

static uint64_t flag_tick(const struct mega_timer *t, unsigned irq)
{
    switch (irq_flags[irq]) {
    case TOV: return overflow_tick(t);
    case OCFA: return ramp_match_tick(&t->ramp, t->ocr[0]);
    case OCFB: return ramp_match_tick(&t->ramp, t->ocr[1]);
    default: return t->mode.top == TOP_ICR ? ramp_match_tick(&t->ramp, t->icr) : RAMP_NEVER;
    }
}

/* When OCR takes its buffer: at the top in phase-correct mode, else at the bottom; if it differs.
 */
static uint64_t load_tick(const struct mega_timer *t)
{
    if (!is_buffered(t) || (t->ocr[0] == t->ocr_buffer[0] && t->ocr[1] == t->ocr_buffer[1]))
        return RAMP_NEVER;
    return t->mode.shape == SHAPE_PHASE ? ramp_match_tick(&t->ramp, t->ramp.top)
                                        : ramp_wrap_tick(&t->ramp);
}

void mega_timer_advance(struct mega_timer *t)
{
    uint64_t now = avr_ticks(&t->periph), to;
    do {
        uint64_t load = load_tick(t);
        to = load < now ? load : now;
        for (unsigned i = 0; i < IRQS; i++)
            if (flag_tick(t, i) <= to)
                t->flags |= irq_flags[i];
        ramp_advance(&t->ramp, to);
        if (load == to) {
            t->ocr[0] = t->ocr_buffer[0];
            t->ocr[1] = t->ocr_buffer[1];
            configure(t);
        }
    } while (to < now);
}

void mega_timer_update(struct mega_timer *t)
{
    uint64_t next = RAMP_NEVER, tick;
    for (unsigned i = 0; i < IRQS; i++) {
        bool enabled = t->masks & irq_flags[i], set = t->flags & irq_flags[i];
        periph_irq(&t->periph, i, enabled && set);
        if (enabled && !set && (tick = flag_tick(t, i)) < next)
            next = tick;
    }
    if (t->masks && (tick = load_tick(t)) < next)
        next = tick;
    machine_at(t->periph.machine, &t->event,
               next == RAMP_NEVER ? SIM_NEVER : clock_time(t->periph.clock, next));
}

void mega_timer_fire(void *owner, uint64_t when_ps)
{
    (void)when_ps;
    mega_timer_advance(owner);
    mega_timer_update(owner);
}

void mega_timer_clock_changed(struct periph *p, uint64_t now_ps)
{
    (void)now_ps;
    mega_timer_update((struct mega_timer *)p);
}

void mega_timer_irq_taken(struct periph *p, unsigned output)
{
    struct mega_timer *t = (struct mega_timer *)p;
    mega_timer_advance(t);
    t->flags &= (uint8_t)~irq_flags[output];
    mega_timer_update(t);
}

enum uj_err mega_timer_create(struct uj_ctx *ctx, struct mega_timer *t, uint16_t max)
{
    static const char *const keys[] = {PERIPH_LOADER_KEYS, "flags", "masks", "dividers"};
    struct periph *p = &t->periph;
    const struct yaml_node *list;
    enum uj_err err = yaml_only(ctx, p->options, keys, sizeof keys / sizeof keys[0]);
    if (err || (err = yaml_need(ctx, &list, p->options, "dividers")))
        return err;
    if (!p->clock)
        return yaml_fail(ctx, p->options, "needs a clock");
    if (list->kind != YAML_LIST || list->count != 7)
        return yaml_fail(ctx, list, "needs seven dividers, for the clock selections 1 to 7");
    for (size_t i = 0; i < list->count; i++) {
        int64_t divider;
        if ((err = yaml_integer(ctx, &divider, &list->items[i], 0, 1024)))
            return err;
        t->dividers[i + 1] = (uint16_t)divider;
    }
    t->max = max;
    t->event = (struct sim_event){.fire = mega_timer_fire, .owner = t};
    if ((err = periph_window_option(ctx, &t->flags_window, p, "flags", 1, MEGA_TIFR)))
        return err;
    return periph_window_option(ctx, &t->masks_window, p, "masks", 1, MEGA_TIMSK);
}

void mega_timer_reset(struct mega_timer *t, struct mega_mode mode)
{
    t->tccra = t->tccrb = t->flags = t->masks = t->temp = 0;
    t->ocr[0] = t->ocr[1] = t->ocr_buffer[0] = t->ocr_buffer[1] = t->icr = 0;
    t->ramp = (struct ramp_counter){.max = t->max, .base_tick = avr_ticks(&t->periph)};
    t->mode = mode;
    configure(t);
    mega_timer_update(t);
}

void mega_timer_set_control(struct mega_timer *t, uint8_t tccra, uint8_t tccrb,
                            struct mega_mode mode)
{
    struct periph *p = &t->periph;
    if (tccrb & CS && t->dividers[tccrb & CS] == 0)
        periph_unmodelled(p, "%s: clocked by a pin", p->name);
    t->tccra = tccra;
    t->tccrb = tccrb;
    t->mode = mode;
    if (!is_buffered(t)) {
        t->ocr[0] = t->ocr_buffer[0];
        t->ocr[1] = t->ocr_buffer[1];
    }
    configure(t);
}

void mega_timer_set_count(struct mega_timer *t, uint16_t value)
{
    ramp_set(&t->ramp, t->ramp.base_tick, value);
}

void mega_timer_set_ocr(struct mega_timer *t, unsigned channel, uint16_t value)
{
    t->ocr_buffer[channel] = value;
    if (!is_buffered(t))
        t->ocr[channel] = value;
    configure(t);
}

void mega_timer_set_icr(struct mega_timer *t, uint16_t value)
{
    if (t->mode.top != TOP_ICR)
        return; /* as the chip: ICR can be written only while it is the top */
    t->icr = value;
    configure(t);
}

void mega_timer_write_shared(struct mega_timer *t, uint32_t offset, uint32_t value)
{
    uint8_t all = 0;
    for (unsigned i = 0; i < IRQS; i++)
        all |= irq_flags[i];
    if (offset == MEGA_TIFR)
        t->flags &= (uint8_t)~avr_ones(&t->periph, value);
    else
        t->masks = (uint8_t)value & all;
}
