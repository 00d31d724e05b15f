#include "periph/ramp_counter.h"

/* The counter's course: `lead` counts above the top until it wraps, then phases 0..period-1 for
 * ever. */

static uint64_t period(const struct ramp_counter *c)
{
    if (!c->dual)
        return (uint64_t)c->top + 1;
    return c->top ? 2 * (uint64_t)c->top : 1;
}

/* Counts until the first phase 0, where the base lies above the top, or on it with its match held;
 * else 0.
 */
static uint64_t lead(const struct ramp_counter *c)
{
    bool missed = c->held && c->value == c->top && c->top < c->max && !c->dual;
    return missed || c->value > c->top ? (uint64_t)c->max - c->value + 1 : 0;
}

static uint64_t base_phase(const struct ramp_counter *c)
{
    return c->dual && c->down && c->value > 0 ? period(c) - c->value : c->value;
}

static uint64_t phase_after(const struct ramp_counter *c, uint64_t counts)
{
    uint64_t before = lead(c);
    return before ? (counts - before) % period(c) : (base_phase(c) + counts) % period(c);
}

static uint64_t counts_at(const struct ramp_counter *c, uint64_t tick)
{
    return c->divider && tick > c->base_tick ? tick / c->divider - c->base_tick / c->divider : 0;
}

static uint64_t tick_of(const struct ramp_counter *c, uint64_t counts)
{
    return c->divider && counts != RAMP_NEVER ? (c->base_tick / c->divider + counts) * c->divider
                                              : RAMP_NEVER;
}

/* Counts, at least `least`, until the phase is reached, after the lead if there is one. */
static uint64_t counts_to_phase(const struct ramp_counter *c, uint64_t phase, uint64_t least)
{
    uint64_t before = lead(c), length = period(c);
    if (before)
        return before + phase;
    uint64_t counts = (phase % length + length - base_phase(c)) % length;
    return counts < least ? counts + (least - counts + length - 1) / length * length : counts;
}

uint32_t ramp_value(const struct ramp_counter *c, uint64_t tick)
{
    uint64_t counts = counts_at(c, tick);
    if (counts < lead(c))
        return c->value + (uint32_t)counts;
    uint64_t phase = phase_after(c, counts);
    return (uint32_t)(c->dual && phase > c->top ? period(c) - phase : phase);
}

void ramp_advance(struct ramp_counter *c, uint64_t tick)
{
    uint64_t counts = counts_at(c, tick);
    if (counts > 0) {
        uint32_t value = ramp_value(c, tick);
        if (counts >= lead(c)) {
            uint64_t phase = phase_after(c, counts);
            c->down = c->dual && phase >= c->top;
        }
        c->value = value;
        c->held = false;
    }
    c->base_tick = tick;
}

void ramp_set(struct ramp_counter *c, uint64_t tick, uint32_t value)
{
    ramp_advance(c, tick);
    c->value = value;
    c->held = true;
}

uint64_t ramp_wrap_tick(const struct ramp_counter *c)
{
    return tick_of(c, counts_to_phase(c, 0, 1));
}

uint64_t ramp_match_tick(const struct ramp_counter *c, uint32_t value)
{
    uint64_t least = c->held && value == c->value ? 2 : 1;
    if (lead(c) && value >= c->value && least == 1)
        return tick_of(c, value - c->value + 1);
    if (value > c->top)
        return RAMP_NEVER;
    uint64_t counts = counts_to_phase(c, value + (uint64_t)1, least);
    if (c->dual && value > 0 && value < c->top) {
        uint64_t falling = counts_to_phase(c, period(c) - value + 1, least);
        counts = falling < counts ? falling : counts;
    }
    return tick_of(c, counts);
}
