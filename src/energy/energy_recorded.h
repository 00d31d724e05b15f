/*
 * From a recorded trace to joules: what the numbers of the file are, how long they last, and what
 * of all that is still missing.
 *
 * Laws: nothing is assumed; energy_recorded_missing() names every figure that no one gave. Where
 * the cycles are given, the energy is that of so many cycles at the clock, at the trace's power;
 * else it is that of the trace's own length.
 */
#ifndef UJ_ENERGY_ENERGY_RECORDED_H
#define UJ_ENERGY_ENERGY_RECORDED_H

#include "energy/energy_probe.h"
#include "energy/trace_file.h"

/* What the numbers of a file are. */
enum energy_values {
    ENERGY_RAW,   /* -0.5 .. 0.5 of the converter's range */
    ENERGY_CODES, /* the converter's codes, of probe.bits bits about `zero` */
    ENERGY_VOLTS, /* volts at the shunt: neither gain nor reference is needed */
    ENERGY_AMPS,  /* amperes: nor is a shunt */
};

struct energy_recorded {
    struct energy_probe probe; /* spread, samples and average among them */
    enum energy_values values;
    double zero;     /* the code that stands for 0 V */
    double supply_v; /* NaN: not given, as for all below */
    double clock_hz, cycles, cycles_per_sample;
};

/* Everything absent; raw values. */
void energy_recorded_init(struct energy_recorded *r);
/* Adds ", NAME" to `out` for each figure that is needed and missing, as an option. Returns how
 * many. */
size_t energy_recorded_missing(struct str *out, const struct energy_recorded *r);

/* Of one trace. */
struct energy_recorded_result {
    struct energy_reading reading; /* in raw units, in volts or in amperes */
    double power_w, seconds, nj;
    double spread_nj; /* of the chain; NaN: not known */
};
/*
 * Prices trace `trace` of the file, of whose samples probe.samples are taken if that is set.
 * Refuses a code beyond the converter's bits.
 */
enum uj_err energy_of_recorded(struct uj_ctx *ctx, struct energy_recorded_result *out,
                               const struct energy_recorded *r, const struct trace_file *f,
                               size_t trace, const char *name) UJ_CHECK;

#endif
