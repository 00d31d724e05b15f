#include "cli/energy_table.h"

#include <math.h>
#include <stdio.h>

#include "base/str.h"

enum column_index {
    COLUMN_TRACE,
    COLUMN_SAMPLES,
    COLUMN_CLIPPED,
    COLUMN_MEAN,
    COLUMN_RMS,
    COLUMN_SECONDS,
    COLUMN_POWER,
    COLUMN_POWER_SD,
    COLUMN_ENERGY,
    COLUMN_ENERGY_SD,
    COLUMN_SPREAD,
    COLUMN_METHOD,
    COLUMN_AVERAGE,
    COLUMN_COUPLING,
};

static const struct column columns[] = {
    [COLUMN_TRACE] = {.name = "trace", .shown = true},
    [COLUMN_SAMPLES] = {.name = "samples", .shown = true},
    [COLUMN_CLIPPED] = {.name = "clipped", .shown = true},
    [COLUMN_MEAN] = {.name = "mean", .shown = true},
    [COLUMN_RMS] = {.name = "rms", .shown = true},
    [COLUMN_SECONDS] =
        {.name = "seconds", .heading = "time", .unit = "s", .scale = 1, .shown = true},
    [COLUMN_POWER] = {.name = "power_w", .heading = "P", .unit = "W", .scale = 1, .shown = true},
    [COLUMN_POWER_SD] = {.name = "power_sd_w",
                         .heading = "SD of P",
                         .unit = "W",
                         .scale = 1,
                         .digits = 2,
                         .shown = true},
    [COLUMN_ENERGY] =
        {.name = "energy_nj", .heading = "E", .unit = "J", .scale = 1e-9, .shown = true},
    [COLUMN_ENERGY_SD] = {.name = "energy_sd_nj",
                          .heading = "SD of E",
                          .unit = "J",
                          .scale = 1e-9,
                          .digits = 2,
                          .shown = true},
    [COLUMN_SPREAD] = {.name = "energy_spread_nj",
                       .heading = "+-",
                       .unit = "J",
                       .scale = 1e-9,
                       .digits = 2,
                       .shown = true},
    [COLUMN_METHOD] = {.name = "energy_method", .heading = "by", .shown = true},
    [COLUMN_AVERAGE] = {.name = "average", .shown = true},
    [COLUMN_COUPLING] = {.name = "coupling", .shown = true},
};

static const char *average_name(const struct energy_recorded *r)
{
    return r->probe.average == ENERGY_RMS ? "rms" : "mean";
}

static const char *coupling_name(const struct energy_recorded *r)
{
    return r->probe.coupling == ENERGY_AC ? "ac" : "dc";
}

static void add_way(struct table *t, const struct energy_recorded *r)
{
    table_text(t, COLUMN_METHOD, "trace");
    table_text(t, COLUMN_AVERAGE, average_name(r));
    table_text(t, COLUMN_COUPLING, coupling_name(r));
}

/* Running mean and squares about it. */
struct moments {
    double mean, squares;
    size_t count;
};

static void moments_add(struct moments *m, double value)
{
    double delta = value - m->mean;
    m->mean += delta / (double)++m->count;
    m->squares += delta * (value - m->mean);
}

static double moments_sd(const struct moments *m)
{
    return m->count > 1 ? sqrt(m->squares / (double)(m->count - 1)) : NAN;
}

/* The way, in words, below the table. */
static void add_notes(struct table *t, const struct energy_recorded *r, const struct trace_file *f,
                      const struct energy_recorded_result *last, uint64_t clipped)
{
    static const char *const kinds[] = {"raw -0.5 to 0.5", "converter codes", "volts", "amperes"};
    double gain = isnan(r->probe.read_gain) ? r->probe.gain : r->probe.read_gain;
    double shunt = isnan(r->probe.read_shunt_ohm) ? r->probe.shunt_ohm : r->probe.read_shunt_ohm;
    struct str way;
    str_init(&way);
    str_addf(&way, "P = %s of the samples (%s)", average_name(r), kinds[r->values]);
    if (r->values == ENERGY_CODES)
        str_addf(&way, ", %u bits about %g", r->probe.bits, r->zero);
    if (r->values == ENERGY_RAW || r->values == ENERGY_CODES)
        str_addf(&way, " x %g V / gain %.4g", r->probe.vref_v, gain);
    if (r->values != ENERGY_AMPS)
        str_addf(&way, " / %g ohm", shunt);
    str_addf(&way, " x %g V; E = P x ", r->supply_v);
    if (!isnan(r->cycles))
        str_addf(&way, "%.0f cycles / %.10g Hz", r->cycles, r->clock_hz);
    else if (!isnan(r->cycles_per_sample))
        str_addf(&way, "samples x %g cycles / %.10g Hz", r->cycles_per_sample, r->clock_hz);
    else
        str_addf(&way, "samples / %.10g Hz", r->probe.sample_hz);
    table_note(t, "%s", way.text);
    str_free(&way);

    double step_s;
    size_t time = trace_file_time(f, &step_s);
    if (time > 0)
        table_note(t, "column %zu is the time", time);
    double recorded_s = (double)last->reading.samples / r->probe.sample_hz;
    if (!isnan(r->cycles) && fabs(recorded_s / last->seconds - 1) > 0.01)
        table_note(
            t,
            "the samples last %.4g s, the cycles %.4g s: the power of the one is taken for the "
            "other",
            recorded_s, last->seconds);
    if (r->probe.coupling == ENERGY_AC)
        table_note(
            t, "behind an ac coupling only changes of the power are seen: this is not the energy "
               "of the operation");
    if (last->power_w < 0)
        table_note(t, "the power is negative: the trace is upside down, or ac coupled");
    if (clipped > 0)
        table_note(t,
                   "samples at or beyond the converter's limits: lower the gain, or say what the "
                   "numbers are by --values");
    if (isnan(r->probe.spread))
        table_note(t, "the uncertainty of shunt, gain and reference is not known; give --spread");
}

enum uj_err energy_table(struct uj_ctx *ctx, struct table **out, const struct energy_recorded *r,
                         const struct trace_file *f, const char *name)
{
    struct table *t = table_new(columns, sizeof columns / sizeof columns[0]);
    struct moments power = {0}, energy = {0};
    struct energy_recorded_result result = {0};
    uint64_t clipped = 0;
    size_t traces = trace_file_traces(f);
    for (size_t i = 0; i < traces; i++) {
        enum uj_err err = energy_of_recorded(ctx, &result, r, f, i, name);
        if (err) {
            table_free(t);
            return err;
        }
        char number[24];
        (void)snprintf(number, sizeof number, "%zu", i + 1);
        const char *heading = trace_file_heading(f, i);
        table_row(t);
        table_text(t, COLUMN_TRACE, heading && *heading ? heading : number);
        table_integer(t, COLUMN_SAMPLES, (int64_t)result.reading.samples);
        table_integer(t, COLUMN_CLIPPED, (int64_t)result.reading.clipped);
        table_real(t, COLUMN_MEAN, result.reading.mean);
        table_real(t, COLUMN_RMS, result.reading.rms);
        table_real(t, COLUMN_SECONDS, result.seconds);
        table_real(t, COLUMN_POWER, result.power_w);
        table_real(t, COLUMN_ENERGY, result.nj);
        table_real(t, COLUMN_SPREAD, result.spread_nj);
        add_way(t, r);
        moments_add(&power, result.power_w);
        moments_add(&energy, result.nj);
        clipped += result.reading.clipped;
    }
    if (traces > 1) {
        table_row(t);
        table_text(t, COLUMN_TRACE, "all");
        table_integer(t, COLUMN_CLIPPED, (int64_t)clipped);
        table_real(t, COLUMN_SECONDS, result.seconds);
        table_real(t, COLUMN_POWER, power.mean);
        table_real(t, COLUMN_POWER_SD, moments_sd(&power));
        table_real(t, COLUMN_ENERGY, energy.mean);
        table_real(t, COLUMN_ENERGY_SD, moments_sd(&energy));
        table_real(t, COLUMN_SPREAD,
                   hypot(moments_sd(&energy), fabs(energy.mean) * r->probe.spread));
        add_way(t, r);
    }
    add_notes(t, r, f, &result, clipped);
    *out = t;
    return UJ_OK;
}
