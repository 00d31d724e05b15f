/*
 * The probe: the measuring chain from a supply current to the numbers of a power trace, and back.
 * Shunt, amplifier, coupling, converter; the `trace:` map of a board (devices/README.md).
 *
 *   volts at the shunt = amps x shunt;   raw = volts x gain / vref, limited to -0.5 .. 0.5
 *   power = raw x vref / gain / shunt x supply;   energy = power x cycles / clock
 *
 * Laws: an absent number is NaN and an absent count 0, and energy_probe_missing() names it; the
 * gain is a factor here, whatever the file says it in; the two averages of a trace obey rms >=
 * |mean|.
 */
#ifndef UJ_ENERGY_ENERGY_PROBE_H
#define UJ_ENERGY_ENERGY_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/yaml.h"

enum energy_coupling { ENERGY_DC, ENERGY_AC };
enum energy_average { ENERGY_MEAN, ENERGY_RMS };

struct str;

struct energy_probe {
    double shunt_ohm;
    double gain;   /* a factor */
    double vref_v; /* full scale: raw -0.5 .. 0.5 */
    double sample_hz;
    double noise_v;   /* RMS, at the shunt */
    double hamming_c; /* charge for one bit that changes */
    double corner_hz; /* of the coupling */
    double spread;    /* relative, of shunt x gain x vref */
    /* what a way back takes them for, right or wrong; NaN: as they are */
    double read_gain, read_shunt_ohm;
    uint64_t samples; /* recorded at most, from the trigger on; 0: the whole operation */
    unsigned bits;    /* of the converter; 0: ideal */
    enum energy_coupling coupling;
    enum energy_average average; /* how samples become one power */
};

/* Everything absent; dc, mean. */
void energy_probe_init(struct energy_probe *p);
/*
 * From the `trace:` map of a board's file; `set` names one of `trace_sets:`, whose keys stand over
 * those of `trace:`. A board without the map leaves everything absent; an unknown set is refused.
 */
enum uj_err energy_probe_read(struct uj_ctx *ctx, struct energy_probe *out,
                              const struct yaml_node *board, const char *set) UJ_CHECK;

/*
 * Adds ", NAME" to `out` for every number that is needed and absent: to turn a trace back into
 * watts, and, for `recording`, also to simulate one. Returns how many.
 */
size_t energy_probe_missing(struct str *out, const struct energy_probe *p, bool recording);

/* Statistics of one trace, in the converter's units. */
struct energy_reading {
    double mean, rms;
    uint64_t samples;
    uint64_t clipped; /* samples at the limits */
};
/* The limits of raw: -0.5, and 0.5 less one step of the converter. */
double energy_raw_high(unsigned bits);
/* Of a whole trace; a sample at the limits or beyond counts as clipped. */
void energy_reading_of(struct energy_reading *out, const double *raw, size_t count, unsigned bits);

/* Running sums of a trace that is not kept, about its first sample, so that nothing cancels. */
struct energy_sums {
    double first, sum, squares;
    uint64_t count;
};
static inline void energy_sums_add(struct energy_sums *s, double raw)
{
    if (s->count++ == 0)
        s->first = raw;
    double above = raw - s->first;
    s->sum += above;
    s->squares += above * above;
}
void energy_sums_reading(struct energy_reading *out, const struct energy_sums *sums);

/* Watts from a reading, the way `average`; and joules for so many cycles, in nJ. */
double energy_power_w(const struct energy_probe *p, const struct energy_reading *reading,
                      enum energy_average average, double supply_v);
double energy_of_power_nj(double power_w, double cycles, double clock_hz);

/* "22dB" or "22 dB" or "5": a gain as a factor; false where it is none. */
bool energy_gain_parse(double *out, const char *text);

#endif
