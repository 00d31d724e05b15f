/*
 * Battery life: how many days a cell lasts at an average power. The cells are data
 * (devices/batteries.yaml).
 *
 * Law: a cell loses charge to the load and to itself; self-discharge is a constant fraction a year
 * of what is left, so a cell of charge Q0 under a current I lasts t = ln(1 + Q0 k / I) / k with k =
 * -ln(1 - fraction) / year, which becomes Q0 / I for k = 0. I = power / (cell voltage x cells x
 * efficiency of what lies between).
 */
#ifndef UJ_ENERGY_ENERGY_BATTERY_H
#define UJ_ENERGY_ENERGY_BATTERY_H

#include <stddef.h>

#include "base/err.h"
#include "base/yaml.h"

struct energy_battery {
    const char *name; /* the strings belong to the file they were read from */
    const char *description;
    double capacity_c;    /* ampere seconds */
    double volts;         /* average over the discharge */
    double self_per_year; /* fraction of the charge */
    double spread;        /* relative, of the life */
    double max_a;         /* continuous; NaN: not known */
    const char *source;
};

/* Reads the cell `name` from a file of batteries. */
enum uj_err energy_battery_read(struct uj_ctx *ctx, struct energy_battery *out,
                                const struct yaml *batteries, const char *name) UJ_CHECK;
/* Days at an average power with `cells` in series; infinite for no power and no self-discharge. */
double energy_battery_days(const struct energy_battery *b, unsigned cells, double average_w,
                           double efficiency);

#endif
