/*
 * Battery life: how many days a cell lasts at an average power. The cells are data
 * (devices/batteries.yaml).
 *
 * Law: a cell loses charge to the load and to itself; self-discharge takes a constant fraction a
 * year of what is left, so a charge Q under a current I lasts t = ln(1 + Q k / I) / k with k =
 * -ln(1 - fraction) / year, which becomes Q / I for k = 0. I = power / (volts x cells x
 * efficiency), efficiency being that of what lies between the cells and the board; what a board
 * that stops at a higher voltage than the cell's figure was taken to leaves in the cell is not
 * counted off.
 */
#ifndef UJ_ENERGY_ENERGY_BATTERY_H
#define UJ_ENERGY_ENERGY_BATTERY_H

#include <stddef.h>

#include "base/err.h"
#include "base/yaml.h"

struct energy_battery {
    const char *name, *description; /* belong to the file they were read from */
    double capacity_c;              /* ampere seconds */
    double volts;                   /* average over the discharge */
    double self_per_year;           /* fraction of the charge */
    double spread;                  /* relative, of the capacity */
    double max_a;                   /* continuous; NaN: not known */
};

/* Reads the cell `name` from a file of batteries; UJ_ERR_USAGE with the names if there is none. */
enum uj_err energy_battery_read(struct uj_ctx *ctx, struct energy_battery *out,
                                const struct yaml *batteries, const char *name) UJ_CHECK;
/*
 * Days at an average power, with `cells` in series. For no power at all: until 1 % of the charge is
 * left, infinite without self-discharge. NaN for a negative power, no cell, or an efficiency
 * outside 0..1.
 */
double energy_battery_days(const struct energy_battery *b, unsigned cells, double average_w,
                           double efficiency);

#endif
