#include "energy/energy_trace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/str.h"
#include "energy/energy_noise.h"

struct energy_trace {
    struct energy_probe probe;
    double base_a, bit_a; /* without changes; of one changed bit during one cycle */
    double cycles_per_sample;
    double position;       /* cycles so far */
    double sample_end;     /* of the open sample */
    double filled, charge; /* of the open sample: cycles, and amperes x cycles */
    uint64_t carried;      /* bits that changed before the first cycle */
    uint64_t taken;        /* samples */

    double last_volts, filtered; /* the high-pass: x = (x' - x) */
    double pole, drive;

    double to_raw;           /* gain / reference */
    double steps, low, high; /* of the converter */
    unsigned runs;
    struct energy_sums sums[ENERGY_RUNS_MAX];
    struct energy_noise noise[ENERGY_RUNS_MAX];
    uint64_t clipped[ENERGY_RUNS_MAX];
    double *kept;
    size_t room;
};

bool energy_drive_of(struct energy_drive *drive, struct energy_result *out,
                     const struct energy_model *model, const char *component, const char *state,
                     double hz)
{
    struct energy_current current;
    energy_current(model, &current, component, state, hz);
    *drive =
        (struct energy_drive){current.amps, current.spread_amps, energy_model_supply_v(model), hz};
    *out = (struct energy_result){.nj = NAN, .spread_nj = NAN, .method = "trace"};
    (void)snprintf(out->reason, sizeof out->reason, "%s", current.reason);
    return !isnan(current.amps);
}

/*
 * The coupling: a first-order high-pass by the bilinear transform, its corner warped to lie where
 * it belongs. Its gain is 0 at dc, 1 / sqrt(2) at the corner and 1 at half the sample rate.
 */
static void design_coupling(struct energy_trace *t, const struct energy_probe *p)
{
    double warped = tan(3.14159265358979323846 * p->corner_hz / p->sample_hz);
    t->pole = (1 - warped) / (1 + warped);
    t->drive = (1 + t->pole) / 2;
}

enum uj_err energy_trace_begin(struct uj_ctx *ctx, struct energy_trace **out,
                               const struct energy_probe *probe, const struct energy_drive *drive,
                               const struct activity_sum *sum, uint64_t seed, unsigned runs)
{
    struct str missing;
    str_init(&missing);
    size_t count = energy_probe_missing(&missing, probe, true);
    enum uj_err err = UJ_OK;
    double bit_a = probe->hamming_c * drive->clock_hz;
    double bits_per_cycle = sum->cycles ? (double)sum->distance / (double)sum->cycles : 0;
    if (count > 0)
        err = uj_fail(ctx, UJ_ERR_INPUT, "trace: missing %s; add to the board's \"trace\" map",
                      missing.text + 2);
    else if (sum->cycles == 0)
        err = uj_fail(ctx, UJ_ERR_INPUT, "trace: the operation took no cycle");
    else if (runs == 0 || runs > ENERGY_RUNS_MAX)
        err = uj_fail(ctx, UJ_ERR_USAGE, "trace: %u runs are outside 1..%d", runs, ENERGY_RUNS_MAX);
    else if (probe->coupling == ENERGY_AC && probe->corner_hz >= probe->sample_hz / 2)
        err = uj_fail(ctx, UJ_ERR_INPUT,
                      "trace: the corner of %g Hz is not below half the sample rate",
                      probe->corner_hz);
    else if (bit_a * bits_per_cycle > drive->current_a)
        err =
            uj_fail(ctx, UJ_ERR_INPUT,
                    "trace: hamming: %g C a bit makes more current than the state's %g A; lower it",
                    probe->hamming_c, drive->current_a);
    str_free(&missing);
    if (err)
        return err;

    struct energy_trace *t = uj_calloc(1, sizeof *t);
    t->probe = *probe;
    t->bit_a = bit_a;
    t->base_a = drive->current_a - bit_a * bits_per_cycle;
    t->cycles_per_sample = drive->clock_hz / probe->sample_hz;
    t->sample_end = t->cycles_per_sample;
    if (probe->coupling == ENERGY_AC)
        design_coupling(t, probe);
    t->last_volts = drive->current_a * probe->shunt_ohm;
    t->to_raw = probe->gain / probe->vref_v;
    t->steps = probe->bits ? ldexp(1, (int)probe->bits) : 0;
    t->low = -0.5;
    t->high = energy_raw_high(probe->bits);
    t->runs = runs;
    for (unsigned i = 0; i < runs; i++)
        energy_noise_init(&t->noise[i], seed, i);
    *out = t;
    return UJ_OK;
}

void energy_trace_keep(struct energy_trace *t, double *samples, size_t room)
{
    t->kept = samples;
    t->room = room;
}

/* Amplifies and converts one sample of one run. */
static void convert(struct energy_trace *t, unsigned run, double volts)
{
    if (t->probe.noise_v > 0)
        volts += t->probe.noise_v * energy_noise_next(&t->noise[run]);
    double raw = volts * t->to_raw;
    if (t->steps > 0)
        raw = floor(raw * t->steps + 0.5) / t->steps;
    if (raw < t->low || raw > t->high) {
        t->clipped[run]++;
        raw = raw < t->low ? t->low : t->high;
    }
    if (run == 0 && t->taken < t->room)
        t->kept[t->taken] = raw;
    energy_sums_add(&t->sums[run], raw);
}

static void take_sample(struct energy_trace *t)
{
    double volts = t->charge / t->filled * t->probe.shunt_ohm;
    if (t->probe.coupling == ENERGY_AC) {
        t->filtered = t->pole * t->filtered + t->drive * (volts - t->last_volts);
        t->last_volts = volts;
        volts = t->filtered;
    }
    for (unsigned i = 0; i < t->runs; i++)
        convert(t, i, volts);
    t->taken++;
    t->sample_end = (double)(t->taken + 1) * t->cycles_per_sample;
    t->filled = t->charge = 0;
}

static bool is_full(const struct energy_trace *t)
{
    return t->probe.samples > 0 && t->taken >= t->probe.samples;
}

/* A stretch of constant current. A full sample stays open until more comes: see step(). */
static void add_stretch(struct energy_trace *t, double cycles, double amps)
{
    double end = t->position + cycles;
    while (t->position < end && !is_full(t)) {
        if (t->position >= t->sample_end) {
            take_sample(t);
            continue;
        }
        double to = end < t->sample_end ? end : t->sample_end;
        t->charge += (to - t->position) * amps;
        t->filled += to - t->position;
        t->position = to;
    }
}

void energy_trace_step(struct energy_trace *t, const struct activity *items, size_t count)
{
    for (size_t i = 0; i < count && !is_full(t); i++) {
        uint64_t bits = items[i].distance;
        if (items[i].cycles == 0) {
            /* No cycle of its own: what changed belongs to the cycle before it, or to the first. */
            if (t->filled > 0)
                t->charge += (double)bits * t->bit_a;
            else
                t->carried += bits;
            continue;
        }
        bits += t->carried;
        t->carried = 0;
        if (items[i].cycles > 1)
            add_stretch(t, items[i].cycles - 1, t->base_a);
        add_stretch(t, 1, t->base_a + (double)bits * t->bit_a);
    }
}

uint64_t energy_trace_end(struct energy_trace *t, struct energy_reading *readings)
{
    /* The last sample counts if most of its interval was seen, or if there is no other. */
    if (!is_full(t) && t->filled > 0 && (t->taken == 0 || t->filled > t->cycles_per_sample / 2))
        take_sample(t);
    for (unsigned i = 0; i < t->runs; i++) {
        energy_sums_reading(&readings[i], &t->sums[i]);
        readings[i].clipped = t->clipped[i];
    }
    uint64_t taken = t->taken;
    free(t);
    return taken;
}

void energy_trace_convert(struct energy_trace_result *out, const struct energy_reading *readings,
                          unsigned runs, const struct energy_probe *probe,
                          enum energy_average average, double supply_v, double clock_hz,
                          double cycles)
{
    *out = (struct energy_trace_result){.runs = runs, .sd_nj = NAN, .samples = readings[0].samples};
    double squares = 0;
    for (unsigned i = 0; i < runs; i++) {
        double power_w = energy_power_w(probe, &readings[i], average, supply_v);
        double nj = energy_of_power_nj(power_w, cycles, clock_hz);
        double delta = nj - out->mean_nj;
        out->mean_nj += delta / (i + 1);
        squares += delta * (nj - out->mean_nj);
        out->mean_w += (power_w - out->mean_w) / (i + 1);
        out->clipped += readings[i].clipped;
    }
    if (runs > 1)
        out->sd_nj = sqrt(squares / (runs - 1));
}

/* Records a whole log. */
static enum uj_err record(struct uj_ctx *ctx, struct energy_reading *readings,
                          const struct energy_probe *probe, const struct energy_drive *drive,
                          const struct activity_log *log, uint64_t seed, unsigned runs)
{
    struct activity_sum sum = {0};
    activity_sum_add(&sum, log->items, log->count);
    struct energy_trace *t;
    enum uj_err err = energy_trace_begin(ctx, &t, probe, drive, &sum, seed, runs);
    if (err)
        return err;
    energy_trace_step(t, log->items, log->count);
    (void)energy_trace_end(t, readings);
    return UJ_OK;
}

enum uj_err energy_of_activity(struct uj_ctx *ctx, struct energy_result *out,
                               const struct energy_model *model, const struct energy_probe *probe,
                               const char *component, const char *state, double hz,
                               const struct activity_log *log, uint64_t seed)
{
    struct energy_drive drive;
    if (!energy_drive_of(&drive, out, model, component, state, hz))
        return UJ_OK;
    struct str missing;
    str_init(&missing);
    size_t count = energy_probe_missing(&missing, probe, true);
    if (count > 0)
        (void)snprintf(out->reason, sizeof out->reason, "the board's trace map lacks %s",
                       missing.text + 2);
    str_free(&missing);
    if (count > 0)
        return UJ_OK;

    struct energy_reading readings[ENERGY_RUNS] = {{.samples = 0}};
    enum uj_err err = record(ctx, readings, probe, &drive, log, seed, ENERGY_RUNS);
    if (err)
        return err;
    struct activity_sum sum = {0};
    activity_sum_add(&sum, log->items, log->count);
    struct energy_trace_result trace;
    energy_trace_convert(&trace, readings, ENERGY_RUNS, probe, probe->average, drive.supply_v, hz,
                         (double)sum.cycles);
    double chain = isnan(probe->spread) ? 0 : probe->spread;
    out->nj = trace.mean_nj;
    out->spread_nj =
        hypot(trace.sd_nj, trace.mean_nj * hypot(drive.spread_a / drive.current_a, chain));
    out->reason[0] = '\0';
    return UJ_OK;
}

enum uj_err energy_trace_study(struct uj_ctx *ctx, struct energy_study_row rows[ENERGY_STUDY_ROWS],
                               const struct energy_probe *record_with,
                               const struct energy_probe *convert_with,
                               const struct energy_drive *drive, const struct activity_log *log,
                               double cycles, uint64_t seed)
{
    static const enum energy_coupling couplings[] = {ENERGY_DC, ENERGY_AC};
    static const enum energy_average averages[] = {ENERGY_MEAN, ENERGY_RMS};
    double state_w = drive->supply_v * drive->current_a;
    struct energy_study_row *row = rows;
    for (size_t i = 0; i < 2; i++) {
        struct energy_probe probe = *record_with;
        struct energy_reading readings[ENERGY_RUNS] = {{.samples = 0}};
        probe.coupling = couplings[i];
        enum uj_err err = record(ctx, readings, &probe, drive, log, seed, ENERGY_RUNS);
        if (err)
            return err;
        for (size_t j = 0; j < 2; j++, row++) {
            *row = (struct energy_study_row){.coupling = couplings[i], .average = averages[j]};
            energy_trace_convert(&row->trace, readings, ENERGY_RUNS,
                                 convert_with ? convert_with : record_with, averages[j],
                                 drive->supply_v, drive->clock_hz, cycles);
            row->state_nj = energy_of_power_nj(state_w, cycles, drive->clock_hz);
            row->ratio = row->trace.mean_nj / row->state_nj;
        }
    }
    return UJ_OK;
}
