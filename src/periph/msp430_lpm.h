/*
 * The low-power modes of MSP430 chips, for the block that makes the clocks: what the bits of the
 * status register stop, and how long the oscillator takes to start again.
 *
 * Laws: `smclk` and `aclk` are the clocks that the modes stop; blocks that start the source
 * themselves when they need it use the clocks before these. The CPU's own clock is not stopped,
 * since a core that sleeps does not count; its cycles go on as if it did.
 */
#ifndef UJ_PERIPH_MSP430_LPM_H
#define UJ_PERIPH_MSP430_LPM_H

#include "sim/periph.h"

enum { LPM_CPUOFF = 0x10, LPM_OSCOFF = 0x20, LPM_SCG0 = 0x40, LPM_SCG1 = 0x80 };

struct msp430_lpm {
    struct periph *periph;
    struct sim_clock *aclk, *smclk, *mclk, *dco;
    double wake_s;        /* from a mode in which the DCO stands: start of the DCO */
    double wake_cycles;   /* and cycles of MCLK behind it */
    double wake_slow_s;   /* the same where the net is high; 0: never */
    struct sim_net *slow; /* or NULL */
    unsigned bits;
};

/* Reads the options aclk, smclk, mclk, dco, wake, wake_cycles, wake_slow and serves the core. */
enum uj_err msp430_lpm_create(struct uj_ctx *ctx, struct msp430_lpm *lpm,
                              struct periph *p) UJ_CHECK;
void msp430_lpm_reset(struct msp430_lpm *lpm);

#define MSP430_LPM_KEYS "aclk", "smclk", "mclk", "dco", "wake", "wake_cycles", "wake_slow"

#endif
