#include "energy/energy_battery.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/str.h"
#include "energy/energy_figure.h"

static const double seconds_per_day = 86400, seconds_per_year = 365.25 * 86400;

static const struct {
    const char *key;
    size_t offset;
    struct energy_bounds bounds;
    bool optional;
} figures[] = {
    {"capacity", offsetof(struct energy_battery, capacity_c), {"Ah", 0, 1e4, true}, false},
    {"volts", offsetof(struct energy_battery, volts), {"V", 0, 1000, true}, false},
    {"self_discharge", offsetof(struct energy_battery, self_per_year), {"", 0, 0.99, false}, false},
    {"spread", offsetof(struct energy_battery, spread), {"", 0, 1, false}, false},
    {"max_current", offsetof(struct energy_battery, max_a), {"A", 0, 1000, true}, true},
};

static enum uj_err read_cell(struct uj_ctx *ctx, struct energy_battery *out,
                             const struct yaml_node *cell)
{
    static const char *const keys[] = {"description", "capacity",    "volts", "self_discharge",
                                       "spread",      "max_current", "note"};
    enum uj_err err = yaml_only(ctx, cell, keys, sizeof keys / sizeof keys[0]);
    if (err)
        return err;
    *out = (struct energy_battery){.name = cell->key, .max_a = NAN};
    err = yaml_need_text(ctx, &out->description, cell, "description");
    for (size_t i = 0; i < sizeof figures / sizeof figures[0] && !err; i++) {
        const struct yaml_node *node = yaml_get(cell, figures[i].key), *value;
        if (!node && figures[i].optional)
            continue;
        double *to = (double *)(void *)((char *)out + figures[i].offset);
        if ((err = yaml_need(ctx, &node, cell, figures[i].key)) ||
            (err = energy_figure_read(ctx, &value, node)))
            return err;
        err = energy_bounded(ctx, to, value, &figures[i].bounds);
    }
    out->capacity_c *= 3600;
    return err;
}

enum uj_err energy_battery_read(struct uj_ctx *ctx, struct energy_battery *out,
                                const struct yaml *batteries, const char *name)
{
    static const char *const keys[] = {"batteries"};
    const struct yaml_node *map;
    enum uj_err err = yaml_only(ctx, yaml_root(batteries), keys, 1);
    if (!err)
        err = yaml_need(ctx, &map, yaml_root(batteries), "batteries");
    if (err)
        return err;
    if (map->kind != YAML_MAP)
        return yaml_fail(ctx, map, "must be a map of cells");
    const struct yaml_node *cell = yaml_get(map, name);
    if (cell)
        return read_cell(ctx, out, cell);
    struct str names;
    str_init(&names);
    for (size_t i = 0; i < map->count; i++)
        str_addf(&names, "%s%s", i ? ", " : "", map->items[i].key);
    err = uj_fail(ctx, UJ_ERR_USAGE, "no battery '%s'; there are: %s", name, names.text);
    str_free(&names);
    return err;
}

double energy_battery_days(const struct energy_battery *b, unsigned cells, double average_w,
                           double efficiency)
{
    if (!(average_w >= 0) || cells == 0 || !(efficiency > 0 && efficiency <= 1))
        return NAN;
    double amps = average_w / (b->volts * cells * efficiency);
    double rate = -log1p(-b->self_per_year) / seconds_per_year;
    double seconds;
    if (rate == 0)
        seconds = amps > 0 ? b->capacity_c / amps : INFINITY;
    else if (amps == 0)
        seconds = log(100) / rate;
    else
        seconds = log1p(b->capacity_c * rate / amps) / rate;
    return seconds / seconds_per_day;
}
