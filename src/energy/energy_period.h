/*
 * The average power of a duty cycle that only computes, by state, as Energest accounts for it: one
 * operation each period, the rest asleep.
 *
 * Laws: power of a state = V x I(state) x (its time / period); entering and leaving the sleep cost
 * nothing here, since no device file has their times; a current that is absent makes that power and
 * the sum absent (NaN).
 */
#ifndef UJ_ENERGY_ENERGY_PERIOD_H
#define UJ_ENERGY_ENERGY_PERIOD_H

#include "energy/energy_state.h"

/* The state in which operations run, in every chip's `currents:`. */
#define ENERGY_ACTIVE_STATE "active"

struct energy_period {
    double cpu_share; /* active_s / period_s */
    double cpu_mw, lpm_mw;
    double mw; /* their sum */
};

/* `active_s` of each `period_s`, which is not shorter, are spent active at `hz`, the rest in
 * `sleep`. */
void energy_of_period(const struct energy_model *model, struct energy_period *out, double hz,
                      const char *sleep, double active_s, double period_s);

#endif
