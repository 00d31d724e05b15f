/*
 * The counter of an MSP430 timer: stopped, up to `top`, continuous to `max`, or up and down between
 * 0 and `top`, one count each `divider` ticks of its clock. Nothing ticks: value and next moments
 * are computed.
 *
 * Laws
 * - A match comes at the count that reaches the value, a wrap at the count that reaches 0: from the
 *   top, or (up and down) from 1.
 * - Up mode with the counter above its top: the next count is 0. With top 0 it stands.
 * - The divider begins anew with the base, which msp430_counter_set() sets.
 */
#ifndef UJ_PERIPH_MSP430_COUNTER_H
#define UJ_PERIPH_MSP430_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

#define COUNTER_NEVER UINT64_MAX

enum counter_mode { COUNTER_STOP, COUNTER_UP, COUNTER_CONTINUOUS, COUNTER_UP_DOWN };

struct msp430_counter {
    enum counter_mode mode;
    uint32_t divider, top, max;
    uint32_t value; /* at base_tick */
    bool down;
    uint64_t base_tick;
};

uint32_t msp430_counter_value(const struct msp430_counter *c, uint64_t tick);
/* Makes the last count at or before `tick` the new base. */
void msp430_counter_advance(struct msp430_counter *c, uint64_t tick);
void msp430_counter_set(struct msp430_counter *c, uint64_t tick, uint32_t value);
/* The tick of the first match with `value` behind the base, and of the first wrap. */
uint64_t msp430_counter_match(const struct msp430_counter *c, uint32_t value);
uint64_t msp430_counter_wrap(const struct msp430_counter *c);

#endif
