/*
 * A simulated power trace of an operation, as a probe would record it, and its energy.
 *
 * The current is that of the state (energy_state.h) plus a Hamming term: in the last cycle of an
 * instruction, hamming_c x clock for each bit that changed, less the operation's average of that
 * term, so that what the data does moves current about but adds none. A sample is the average of
 * the current over its interval; then come noise, coupling, gain, limits and quantisation.
 *
 * Laws
 * - The arithmetic mean of a dc trace without noise, clipping or rounding (`bits` 0) gives the
 * state's energy, but for the part of a sample that the operation's end cuts off: within 0.1 %,
 * tested. Rounding adds half a step at most, and nothing where noise of half a step or more lies
 * before it.
 * - Behind an ac coupling the mean says nothing of the energy: it is zero but for the coupling's
 * settling, which starts from the state's current.
 * - Same activity, probe and seed: same samples. Run k of a trace has its own stream of noise.
 */
#ifndef UJ_ENERGY_ENERGY_TRACE_H
#define UJ_ENERGY_ENERGY_TRACE_H

#include "base/activity.h"
#include "energy/energy_probe.h"
#include "energy/energy_state.h"

enum { ENERGY_RUNS_MAX = 64, ENERGY_RUNS = 10 };

/* What drives the trace: the device under the probe. */
struct energy_drive {
    double current_a, spread_a; /* of the state */
    double supply_v;
    double clock_hz;
};
/* The drive of a component's state; false with the reason in *out where its current is absent. */
bool energy_drive_of(struct energy_drive *drive, struct energy_result *out,
                     const struct energy_model *model, const char *component, const char *state,
                     double hz);

struct energy_trace;

/* Begins `runs` recordings at once. `sum` is the operation's, known from an earlier pass. */
enum uj_err energy_trace_begin(struct uj_ctx *ctx, struct energy_trace **out,
                               const struct energy_probe *probe, const struct energy_drive *drive,
                               const struct activity_sum *sum, uint64_t seed,
                               unsigned runs) UJ_CHECK;
/* Keeps the raw samples of run 0 too, as many as fit. */
void energy_trace_keep(struct energy_trace *t, double *samples, size_t room);
/* The next instructions. */
void energy_trace_step(struct energy_trace *t, const struct activity *items, size_t count);
/* Ends: fills readings[runs] and frees the trace. Returns the samples of a run. */
uint64_t energy_trace_end(struct energy_trace *t, struct energy_reading *readings);

/* Mean and standard deviation over the runs. */
struct energy_trace_result {
    double mean_nj, sd_nj; /* SD is NaN for one run */
    double mean_w;
    uint64_t samples, clipped; /* of a run; of all runs */
    unsigned runs;
};
/* Turns readings to joules through `probe`, which may differ from the one that recorded them. */
void energy_trace_convert(struct energy_trace_result *out, const struct energy_reading *readings,
                          unsigned runs, const struct energy_probe *probe,
                          enum energy_average average, double supply_v, double clock_hz,
                          double cycles);

/*
 * The whole way, for one figure: records `log` in ENERGY_RUNS seeded runs and converts them by the
 * probe's own average. The spread holds the runs' SD, the state current's and the probe's. Absent,
 * with the reason, where the probe or the current is.
 */
enum uj_err energy_of_activity(struct uj_ctx *ctx, struct energy_result *out,
                               const struct energy_model *model, const struct energy_probe *probe,
                               const char *component, const char *state, double hz,
                               const struct activity_log *log, uint64_t seed) UJ_CHECK;

/* A study of what coupling and average do: every pair of them, against the state's energy. */
struct energy_study_row {
    enum energy_coupling coupling;
    enum energy_average average;
    struct energy_trace_result trace;
    double state_nj;
    double ratio; /* trace / state */
};
enum { ENERGY_STUDY_ROWS = 4 };
/*
 * `record_with` is what recorded, but for its coupling, `convert_with` what its numbers are turned
 * back with (NULL: the same); `cycles` are priced, which a study may take as somebody else counted
 * them.
 */
enum uj_err energy_trace_study(struct uj_ctx *ctx, struct energy_study_row rows[ENERGY_STUDY_ROWS],
                               const struct energy_probe *record_with,
                               const struct energy_probe *convert_with,
                               const struct energy_drive *drive, const struct activity_log *log,
                               double cycles, uint64_t seed) UJ_CHECK;

#endif
