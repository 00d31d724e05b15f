#include "energy/energy_probe.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/quantity.h"
#include "base/str.h"
#include "energy/energy_figure.h"

void energy_probe_init(struct energy_probe *p)
{
    *p = (struct energy_probe){.shunt_ohm = NAN,
                               .gain = NAN,
                               .vref_v = NAN,
                               .sample_hz = NAN,
                               .noise_v = NAN,
                               .hamming_c = NAN,
                               .corner_hz = NAN,
                               .spread = NAN,
                               .read_gain = NAN,
                               .read_shunt_ohm = NAN};
}

bool energy_gain_parse(double *out, const char *text)
{
    double decibels;
    if (quantity_parse(out, text, ""))
        return *out > 0 && strchr(text, '%') == NULL;
    if (!quantity_parse(&decibels, text, "dB") || !(fabs(decibels) <= 200))
        return false;
    *out = pow(10, decibels / 20);
    return true;
}

/* The numbers of the map: where they go, and what they must be. */
static const struct {
    const char *key;
    size_t offset;
    struct energy_bounds bounds;
} numbers[] = {
    {"shunt", offsetof(struct energy_probe, shunt_ohm), {"ohm", 0, 1e6, true}},
    {"read_shunt", offsetof(struct energy_probe, read_shunt_ohm), {"ohm", 0, 1e6, true}},
    {"reference", offsetof(struct energy_probe, vref_v), {"V", 0, 1000, true}},
    {"sample_rate", offsetof(struct energy_probe, sample_hz), {"Hz", 0, 1e12, true}},
    {"noise", offsetof(struct energy_probe, noise_v), {"V", 0, 1000, false}},
    {"hamming", offsetof(struct energy_probe, hamming_c), {"C", 0, 1e-6, false}},
    {"corner", offsetof(struct energy_probe, corner_hz), {"Hz", 0, 1e12, true}},
    {"spread", offsetof(struct energy_probe, spread), {"", 0, 1, false}},
};

static enum uj_err read_choice(struct uj_ctx *ctx, int *out, const struct yaml_node *value,
                               const char *first, const char *second)
{
    const char *text;
    enum uj_err err = yaml_text(ctx, &text, value);
    if (err)
        return err;
    *out = strcmp(text, second) == 0;
    if (*out == 0 && strcmp(text, first) != 0)
        return yaml_fail(ctx, value, "\"%s\" is neither %s nor %s", text, first, second);
    return UJ_OK;
}

/* The keys that are no plain numbers. */
static enum uj_err read_other(struct uj_ctx *ctx, struct energy_probe *p, const char *key,
                              const struct yaml_node *value)
{
    enum uj_err err;
    int64_t integer = 0;
    int choice = 0;
    if (strcmp(key, "gain") == 0 || strcmp(key, "read_gain") == 0) {
        const char *text;
        double *gain = key[0] == 'g' ? &p->gain : &p->read_gain;
        err = yaml_text(ctx, &text, value);
        if (!err && !energy_gain_parse(gain, text))
            err = yaml_fail(ctx, value, "\"%s\" is no gain; write \"22 dB\", or \"5\" for a factor",
                            text);
        return err;
    }
    if (strcmp(key, "bits") == 0) {
        err = yaml_integer(ctx, &integer, value, 1, 24);
        p->bits = (unsigned)integer;
        return err;
    }
    if (strcmp(key, "samples") == 0) {
        err = yaml_integer(ctx, &integer, value, 1, INT64_C(1) << 40);
        p->samples = (uint64_t)integer;
        return err;
    }
    if (strcmp(key, "coupling") == 0) {
        err = read_choice(ctx, &choice, value, "dc", "ac");
        p->coupling = choice ? ENERGY_AC : ENERGY_DC;
        return err;
    }
    err = read_choice(ctx, &choice, value, "mean", "rms");
    p->average = choice ? ENERGY_RMS : ENERGY_MEAN;
    return err;
}

static const char *const probe_keys[] = {
    "read_gain", "read_shunt", "shunt",  "gain",    "reference", "bits",   "sample_rate", "noise",
    "hamming",   "coupling",   "corner", "samples", "average",   "spread", "source",      "note",
};

static enum uj_err read_parameter(struct uj_ctx *ctx, struct energy_probe *p,
                                  const struct yaml_node *node)
{
    const struct yaml_node *value;
    enum uj_err err = energy_figure_read(ctx, &value, node);
    if (err)
        return err;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (strcmp(node->key, numbers[i].key) == 0)
            return energy_bounded(ctx, (double *)(void *)((char *)p + numbers[i].offset), value,
                                  &numbers[i].bounds);
    return read_other(ctx, p, node->key, value);
}

static enum uj_err read_map(struct uj_ctx *ctx, struct energy_probe *p, const struct yaml_node *map)
{
    enum uj_err err = yaml_only(ctx, map, probe_keys, sizeof probe_keys / sizeof probe_keys[0]);
    for (size_t i = 0; i < map->count && !err; i++)
        if (strcmp(map->items[i].key, "source") != 0 && strcmp(map->items[i].key, "note") != 0)
            err = read_parameter(ctx, p, &map->items[i]);
    return err;
}

enum uj_err energy_probe_read(struct uj_ctx *ctx, struct energy_probe *out,
                              const struct yaml_node *board, const char *set)
{
    energy_probe_init(out);
    const struct yaml_node *map = yaml_get(board, "trace");
    enum uj_err err = map ? read_map(ctx, out, map) : UJ_OK;
    if (err || !set || strcmp(set, "default") == 0)
        return err;

    const struct yaml_node *sets = yaml_get(board, "trace_sets");
    if (sets && sets->kind != YAML_MAP)
        return yaml_fail(ctx, sets, "must be a map of sets");
    map = sets ? yaml_get(sets, set) : NULL;
    if (map)
        return read_map(ctx, out, map);
    struct str names;
    str_init(&names);
    for (size_t i = 0; sets && i < sets->count; i++)
        str_addf(&names, ", %s", sets->items[i].key);
    err = uj_fail(ctx, UJ_ERR_USAGE, "%s has no trace set \"%s\"; it has: default%s",
                  yaml_path(board->file), set, names.text);
    str_free(&names);
    return err;
}

size_t energy_probe_missing(struct str *out, const struct energy_probe *p, bool recording)
{
    const struct {
        const char *name;
        bool absent, recording_only;
    } needs[] = {
        {"shunt", isnan(p->shunt_ohm), false},
        {"gain", isnan(p->gain), false},
        {"reference", isnan(p->vref_v), false},
        {"sample_rate", isnan(p->sample_hz), true},
        {"noise", isnan(p->noise_v), true},
        {"hamming", isnan(p->hamming_c), true},
        {"corner", p->coupling == ENERGY_AC && isnan(p->corner_hz), true},
    };
    size_t count = 0;
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++) {
        if (!needs[i].absent || (needs[i].recording_only && !recording))
            continue;
        str_addf(out, ", %s", needs[i].name);
        count++;
    }
    return count;
}

double energy_raw_high(unsigned bits)
{
    return bits == 0 ? 0.5 : 0.5 - ldexp(1, -(int)bits);
}

void energy_reading_of(struct energy_reading *out, const double *raw, size_t count, unsigned bits)
{
    double high = energy_raw_high(bits);
    struct energy_sums sums = {0};
    for (size_t i = 0; i < count; i++)
        energy_sums_add(&sums, raw[i]);
    energy_sums_reading(out, &sums);
    for (size_t i = 0; i < count; i++)
        out->clipped += raw[i] <= -0.5 || raw[i] >= high;
}

void energy_sums_reading(struct energy_reading *out, const struct energy_sums *sums)
{
    *out = (struct energy_reading){.mean = NAN, .rms = NAN, .samples = sums->count};
    if (sums->count == 0)
        return;
    double shift = sums->sum / (double)sums->count;
    double variance = sums->squares / (double)sums->count - shift * shift;
    out->mean = sums->first + shift;
    out->rms = sqrt(out->mean * out->mean + (variance > 0 ? variance : 0));
}

double energy_power_w(const struct energy_probe *p, const struct energy_reading *reading,
                      enum energy_average average, double supply_v)
{
    double raw = average == ENERGY_RMS ? reading->rms : reading->mean;
    double gain = isnan(p->read_gain) ? p->gain : p->read_gain;
    double shunt_ohm = isnan(p->read_shunt_ohm) ? p->shunt_ohm : p->read_shunt_ohm;
    return raw * p->vref_v / gain / shunt_ohm * supply_v;
}

double energy_of_power_nj(double power_w, double cycles, double clock_hz)
{
    return power_w * (cycles / clock_hz) * 1e9;
}
