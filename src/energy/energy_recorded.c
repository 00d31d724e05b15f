#include "energy/energy_recorded.h"

#include <math.h>
#include <stdlib.h>

#include "base/str.h"

void energy_recorded_init(struct energy_recorded *r)
{
    *r = (struct energy_recorded){
        .zero = NAN, .supply_v = NAN, .clock_hz = NAN, .cycles = NAN, .cycles_per_sample = NAN};
    energy_probe_init(&r->probe);
}

size_t energy_recorded_missing(struct str *out, const struct energy_recorded *r)
{
    bool needs_chain = r->values == ENERGY_RAW || r->values == ENERGY_CODES;
    bool by_cycles = !isnan(r->cycles) || !isnan(r->cycles_per_sample);
    const struct {
        const char *name;
        bool missing;
    } needs[] = {
        {"--shunt", r->values != ENERGY_AMPS && isnan(r->probe.shunt_ohm)},
        {"--gain", needs_chain && isnan(r->probe.gain)},
        {"--vref", needs_chain && isnan(r->probe.vref_v)},
        {"--bits", r->values == ENERGY_CODES && r->probe.bits == 0},
        {"--zero", r->values == ENERGY_CODES && isnan(r->zero)},
        {"--supply", isnan(r->supply_v)},
        {"--clock", by_cycles && isnan(r->clock_hz)},
        {"--sample-rate (or --cycles or --samples-per-cycle, with --clock)",
         !by_cycles && isnan(r->probe.sample_hz)},
    };
    size_t count = 0;
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++) {
        if (!needs[i].missing)
            continue;
        str_addf(out, ", %s", needs[i].name);
        count++;
    }
    return count;
}

/* Codes become raw values, about 0. */
static enum uj_err scale_codes(struct uj_ctx *ctx, double *samples, size_t count,
                               const struct energy_recorded *r, size_t trace, const char *name)
{
    double steps = ldexp(1, (int)r->probe.bits);
    for (size_t i = 0; i < count; i++) {
        double raw = (samples[i] - r->zero) / steps;
        if (raw < -0.5 || raw > 0.5)
            return uj_fail(
                ctx, UJ_ERR_INPUT,
                "%s: trace %zu, sample %zu: %g is no code of %u bits about %g; give --bits "
                "and --zero, or --values",
                name, trace + 1, i + 1, samples[i], r->probe.bits, r->zero);
        samples[i] = raw;
    }
    return UJ_OK;
}

static double seconds_of(const struct energy_recorded *r, size_t samples)
{
    if (!isnan(r->cycles))
        return r->cycles / r->clock_hz;
    if (!isnan(r->cycles_per_sample))
        return (double)samples * r->cycles_per_sample / r->clock_hz;
    return (double)samples / r->probe.sample_hz;
}

enum uj_err energy_of_recorded(struct uj_ctx *ctx, struct energy_recorded_result *out,
                               const struct energy_recorded *r, const struct trace_file *f,
                               size_t trace, const char *name)
{
    size_t count = trace_file_samples(f);
    double *samples = uj_malloc(count * sizeof *samples);
    trace_file_copy(f, trace, samples);
    if (r->probe.samples > 0 && r->probe.samples < count)
        count = (size_t)r->probe.samples;

    struct energy_probe probe = r->probe;
    enum uj_err err = UJ_OK;
    if (r->values == ENERGY_CODES)
        err = scale_codes(ctx, samples, count, r, trace, name);
    if (r->values == ENERGY_VOLTS || r->values == ENERGY_AMPS) {
        probe.gain = probe.vref_v = 1;
        probe.read_gain = NAN;
    }
    if (r->values == ENERGY_AMPS) {
        probe.shunt_ohm = 1;
        probe.read_shunt_ohm = NAN;
    }
    if (!err) {
        *out = (struct energy_recorded_result){0};
        energy_reading_of(&out->reading, samples, count, probe.bits);
        if (r->values == ENERGY_VOLTS || r->values == ENERGY_AMPS)
            out->reading.clipped = 0; /* its limits are not known */
        out->power_w = energy_power_w(&probe, &out->reading, probe.average, r->supply_v);
        out->seconds = seconds_of(r, count);
        out->nj = out->power_w * out->seconds * 1e9;
        out->spread_nj = fabs(out->nj) * probe.spread;
    }
    free(samples);
    return err;
}
