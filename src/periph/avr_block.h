/* What the blocks of AVR chips share. Their registers are bytes. */
#ifndef UJ_PERIPH_AVR_BLOCK_H
#define UJ_PERIPH_AVR_BLOCK_H

#include "periph/unmodelled.h"
#include "sim/periph.h"

/* The ones that a write means: all of them, or the bit of SBI and CBI. */
static inline uint8_t avr_ones(const struct periph *p, uint32_t value)
{
    return (uint8_t)(value & p->machine->core->write_mask);
}

/* Ticks of the block's clock that have passed now. */
static inline uint64_t avr_ticks(const struct periph *p)
{
    return clock_ticks(p->clock, machine_now(p->machine));
}

/* Out of deep sleep: the block's clock goes on once its source has counted `cycles`; returns that
 * time. */
static inline uint64_t avr_restart_clock(struct periph *p, uint64_t cycles)
{
    const struct sim_clock *source = p->clock->parent;
    uint64_t now = machine_now(p->machine);
    uint64_t then = clock_time(source, clock_ticks(source, now) + cycles);
    clock_set_gate(p->clock, false, then);
    return then - now;
}

/* An interrupt of an XMEGA: the level (0 off, 1 low to 3 high) rides above the vector number. */
enum { XMEGA_LEVEL_SHIFT = 10 };
static inline void xmega_irq(struct periph *p, unsigned output, bool flag, unsigned level)
{
    struct irq_controller *irq = &p->machine->irq;
    if (p->irq[output] >= 0 && irq->set)
        irq->set(irq->owner, p->irq[output] | (int)(level << XMEGA_LEVEL_SHIFT), flag && level);
}

/* High while the key written to CCP allows a write to protected registers. */
#define XMEGA_CCP_NET "ccp.open"

#endif
