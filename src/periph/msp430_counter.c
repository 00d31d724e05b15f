#include "periph/msp430_counter.h"

static bool stands(const struct msp430_counter *c)
{
    return c->mode == COUNTER_STOP || (c->mode != COUNTER_CONTINUOUS && c->top == 0);
}

/* Counts after which the counter is where it was. */
static uint64_t period(const struct msp430_counter *c)
{
    switch (c->mode) {
    case COUNTER_UP: return (uint64_t)c->top + 1;
    case COUNTER_UP_DOWN: return 2 * (uint64_t)c->top;
    default: return (uint64_t)c->max + 1;
    }
}

/* Where in its period the counter is at the base; above the top counts as the last place before 0.
 */
static uint64_t base_phase(const struct msp430_counter *c)
{
    if (c->mode == COUNTER_CONTINUOUS)
        return c->value & c->max;
    if (c->value > c->top)
        return period(c) - 1;
    return c->mode == COUNTER_UP_DOWN && c->down && c->value ? period(c) - c->value : c->value;
}

static uint64_t steps_to(const struct msp430_counter *c, uint64_t tick)
{
    return tick <= c->base_tick ? 0 : (tick - c->base_tick) / c->divider;
}

/* Value and direction after so many counts. */
static uint32_t at_step(const struct msp430_counter *c, uint64_t steps, bool *down)
{
    *down = c->down;
    if (steps == 0 || stands(c))
        return c->value;
    uint64_t phase = (base_phase(c) + steps) % period(c);
    *down = c->mode == COUNTER_UP_DOWN && phase >= c->top;
    return (uint32_t)(c->mode == COUNTER_UP_DOWN && phase > c->top ? period(c) - phase : phase);
}

uint32_t msp430_counter_value(const struct msp430_counter *c, uint64_t tick)
{
    bool down;
    return at_step(c, steps_to(c, tick), &down);
}

void msp430_counter_advance(struct msp430_counter *c, uint64_t tick)
{
    uint64_t steps = steps_to(c, tick);
    bool down;
    c->value = at_step(c, steps, &down);
    c->down = down;
    c->base_tick += steps * c->divider;
    if (stands(c) && tick > c->base_tick)
        c->base_tick = tick;
}

void msp430_counter_set(struct msp430_counter *c, uint64_t tick, uint32_t value)
{
    c->value = value;
    c->down = false;
    c->base_tick = tick;
}

/* The tick of the first count behind the base that comes to this phase. */
static uint64_t tick_of_phase(const struct msp430_counter *c, uint64_t phase)
{
    uint64_t length = period(c), from = base_phase(c);
    uint64_t steps = (phase + length - from) % length;
    return c->base_tick + (steps ? steps : length) * c->divider;
}

uint64_t msp430_counter_match(const struct msp430_counter *c, uint32_t value)
{
    if (stands(c) || value > (c->mode == COUNTER_CONTINUOUS ? c->max : c->top))
        return COUNTER_NEVER;
    uint64_t up = tick_of_phase(c, value);
    if (c->mode != COUNTER_UP_DOWN || value == 0 || value == c->top)
        return up;
    uint64_t down = tick_of_phase(c, period(c) - value);
    return up < down ? up : down;
}

uint64_t msp430_counter_wrap(const struct msp430_counter *c)
{
    return stands(c) ? COUNTER_NEVER : tick_of_phase(c, 0);
}
