/*
 * The digitally controlled oscillator of the 1xx and 2xx: frequency from RSEL, DCO and MOD.
 *
 *   f(RSEL, DCO, 0) = range[RSEL] x step^(DCO - 3)
 *
 * With MOD the oscillator mixes f(DCO) and f(DCO + 1) over 32 cycles; the model takes their mean,
 * and nothing at DCO = 7, where no modulation is possible.
 *
 * A chip is one of a kind: a seed other than 0 draws its ranges and its step from the spread that
 * the options give. No oscillator is steady either: every new setting draws a deviation of at most
 * `wander`, which then stays until the next. Without it a loop that waits for an exact count never
 * ends where the count lies between two settings; on the desk it ends. All is drawn from the seed,
 * so equal runs are equal.
 */
#ifndef UJ_PERIPH_MSP430_DCO_H
#define UJ_PERIPH_MSP430_DCO_H

#include "sim/periph.h"

enum { MSP430_DCO_RANGES = 16, MSP430_DCO_SETTINGS = 256 };

struct msp430_dco {
    unsigned ranges;
    double range_hz[MSP430_DCO_RANGES];
    double step;
    double wander;
    uint64_t random;
};

/* Reads the options ranges, range_spread, step, step_spread, wander, seed. */
enum uj_err msp430_dco_create(struct uj_ctx *ctx, struct msp430_dco *dco,
                              struct periph *p) UJ_CHECK;
/* Without deviation. */
double msp430_dco_hz(const struct msp430_dco *dco, unsigned rsel, unsigned dcoctl);
/* As it is now, with a deviation drawn. */
double msp430_dco_draw(struct msp430_dco *dco, unsigned rsel, unsigned dcoctl);
/* The setting whose frequency is nearest in the lowest range that reaches it. */
void msp430_dco_find(const struct msp430_dco *dco, unsigned *rsel, unsigned *dcoctl, double hz);

#define MSP430_DCO_KEYS "ranges", "range_spread", "step", "step_spread", "wander", "seed"

#endif
