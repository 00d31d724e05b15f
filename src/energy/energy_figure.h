/*
 * A figure of a device file that says where it comes from: `{value: 51 ohm, source: "..."}`, or
 * `assumption` in place of the source; `note` may stand beside.
 */
#ifndef UJ_ENERGY_ENERGY_FIGURE_H
#define UJ_ENERGY_ENERGY_FIGURE_H

#include <stdbool.h>

#include "base/err.h"
#include "base/yaml.h"

/* Checks the map and gives its value. */
enum uj_err energy_figure_read(struct uj_ctx *ctx, const struct yaml_node **value,
                               const struct yaml_node *node) UJ_CHECK;

/* A number of a figure or of a map: what it must be. `above` excludes the low end itself. */
struct energy_bounds {
    const char *unit;
    double low, high;
    bool above;
};
enum uj_err energy_bounded(struct uj_ctx *ctx, double *out, const struct yaml_node *value,
                           const struct energy_bounds *bounds) UJ_CHECK;

#endif
