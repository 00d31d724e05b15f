/*
 * A counter that runs up from 0 to `top` and starts again, or runs up and down (dual slope), at its
 * clock divided by a prescaler. Nothing ticks: value and next moments are computed.
 *
 * Laws
 * - The prescaler runs free from tick 0 of the clock, shared by all counters on it, as on AVR
 * chips.
 * - A match with `value` happens at the count that leaves it, a wrap at the count that reaches
 * phase 0: where the counter starts again from 0, or (dual slope) where it has come down to 0.
 * - A counter found above its top, or held on it, counts on to `max` before it wraps.
 * - Times are ticks of the clock; RAMP_NEVER: not before something is changed.
 */
#ifndef UJ_PERIPH_RAMP_COUNTER_H
#define UJ_PERIPH_RAMP_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

#define RAMP_NEVER UINT64_MAX

struct ramp_counter {
    uint32_t divider; /* 0: stopped */
    uint32_t top, max;
    bool dual;
    bool down;      /* dual: on the way down */
    uint32_t value; /* at base_tick */
    uint64_t base_tick;
    bool held; /* the value was written: its own match does not come at the next count */
};

/* The value at `tick`. */
uint32_t ramp_value(const struct ramp_counter *c, uint64_t tick);
/* Makes `tick` the new base. */
void ramp_advance(struct ramp_counter *c, uint64_t tick);
/* Writes the value at `tick`. */
void ramp_set(struct ramp_counter *c, uint64_t tick, uint32_t value);
/* The tick of the first wrap behind the base; of the first match with `value`. */
uint64_t ramp_wrap_tick(const struct ramp_counter *c);
uint64_t ramp_match_tick(const struct ramp_counter *c, uint32_t value);

#endif
