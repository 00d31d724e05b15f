/*
 * The energy of states over time: E = sum of V x I(state, f) x t, the way of Energest. The currents
 * come from the `currents:` maps of the device files (devices/README.md).
 *
 * Laws
 * - I(f) = base + slope x f at the supply the figure was given for; at another supply it is
 * multiplied by 1 + volt_slope x (V - supply). Without a volt_slope the current is taken as
 * proportional to the supply (volt_slope = 1 / supply), the law of CMOS switching current.
 * - The relative spread of a current is sqrt(spread^2 + (volt_slope x (V - supply) x
 * volt_spread)^2); volt_spread is 100 % where the file gives none: from no dependence on the supply
 * to twice the law's. The spreads of several states add up without cancelling, since they are those
 * of one specimen.
 * - No figure is guessed: a state that is unknown, missing, or outside the range of frequencies of
 * its figure makes the energy absent (NaN), with the reason. Time spent for no state is no energy.
 * - Components are priced by name: "cpu" from the chip's file, others from a device file of their
 * own.
 */
#ifndef UJ_ENERGY_ENERGY_STATE_H
#define UJ_ENERGY_ENERGY_STATE_H

#include "base/err.h"
#include "base/yaml.h"
#include "sim/state.h"

struct board;

/* An amount of energy, and how it was got. */
struct energy_result {
    double nj;          /* NaN: absent */
    double spread_nj;   /* half width of the uncertainty; NaN: not known */
    const char *method; /* a constant: "state", "trace", "measured" */
    char reason[256];   /* why it is absent; else empty */
};

/* The currents of one board, read and checked. */
struct energy_model;

/*
 * The model of a board, from the chip's and the board's own `currents:`, the board's states
 * standing over the chip's. `set` names one of `currents_sets:`, NULL or "default" the currents at
 * top level. The model must not outlive the board.
 */
enum uj_err energy_model_load(struct uj_ctx *ctx, struct energy_model **out,
                              const struct board *board, const char *set) UJ_CHECK;
/* An empty model at a supply, for boards that are put together by hand. */
struct energy_model *energy_model_new(double supply_v);
/* Adds or replaces the states of `component` from a device file's map; a map without currents adds
 * none. */
enum uj_err energy_model_add(struct uj_ctx *ctx, struct energy_model *model, const char *component,
                             const struct yaml_node *device, const char *set) UJ_CHECK;
void energy_model_free(struct energy_model *model);
double energy_model_supply_v(const struct energy_model *model);

/* The current of one state at one frequency. */
struct energy_current {
    double amps; /* at the model's supply; NaN: absent */
    double spread_amps;
    const char *source; /* of the figure; belongs to the device file */
    char reason[256];
};
void energy_current(const struct energy_model *model, struct energy_current *out,
                    const char *component, const char *state, double hz);

/* The energy of a component's time in `count` (state, frequency) segments. */
void energy_of_states(const struct energy_model *model, struct energy_result *out,
                      const char *component, const struct state_total *totals, size_t count);
/* The same over every component of a machine: its list of settled tracks. */
void energy_of_tracks(const struct energy_model *model, struct energy_result *out,
                      const struct state_track *first);

#endif
