#include "energy/energy_state.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quantity.h"
#include "base/str.h"
#include "energy/energy_figure.h"
#include "sim/board.h"

/* One figure of a `currents:` map. */
struct figure {
    char *component;
    const char *state;
    double base_a, slope_a_per_hz;
    double spread;
    double supply_v;
    double volt_slope, volt_spread; /* relative a volt; relative */
    double from_hz, to_hz;          /* where the figure holds */
    const char *source;
    const char *unknown; /* the reason why there is no figure, or NULL */
};

struct energy_model {
    double supply_v;
    struct figure *figures;
    size_t count;
};

double energy_model_supply_v(const struct energy_model *model)
{
    return model->supply_v;
}

struct energy_model *energy_model_new(double supply_v)
{
    struct energy_model *model = uj_calloc(1, sizeof *model);
    model->supply_v = supply_v;
    return model;
}

void energy_model_free(struct energy_model *model)
{
    if (!model)
        return;
    for (size_t i = 0; i < model->count; i++)
        free(model->figures[i].component);
    free(model->figures);
    free(model);
}

static struct figure *find(const struct energy_model *model, const char *component,
                           const char *state)
{
    for (size_t i = 0; i < model->count; i++)
        if (strcmp(model->figures[i].component, component) == 0 &&
            strcmp(model->figures[i].state, state) == 0)
            return &model->figures[i];
    return NULL;
}

/* The numbers of a state's map. */
static const struct {
    const char *key;
    size_t offset;
    struct energy_bounds bounds;
} numbers[] = {
    {"base", offsetof(struct figure, base_a), {"A", 0, 100, false}},
    {"slope", offsetof(struct figure, slope_a_per_hz), {"A/Hz", 0, 1, false}},
    {"spread", offsetof(struct figure, spread), {"", 0, 100, false}},
    {"supply", offsetof(struct figure, supply_v), {"V", 0, 1000, true}},
    {"volt_slope", offsetof(struct figure, volt_slope), {"", -10, 10, false}},
    {"volt_spread", offsetof(struct figure, volt_spread), {"", 0, 10, false}},
    {"from", offsetof(struct figure, from_hz), {"Hz", 0, 1e12, false}},
    {"to", offsetof(struct figure, to_hz), {"Hz", 0, 1e12, false}},
};

static enum uj_err read_unknown(struct uj_ctx *ctx, struct figure *f, const struct yaml_node *map)
{
    static const char *const keys[] = {"unknown", "source", "note"};
    const struct yaml_node *node = yaml_get(map, "unknown");
    enum uj_err err = yaml_only(ctx, map, keys, sizeof keys / sizeof keys[0]);
    if (!err)
        err = yaml_text(ctx, &f->unknown, node);
    if (!err && *f->unknown == '\0')
        err = yaml_fail(ctx, node, "must say why there is no figure");
    return err;
}

static enum uj_err read_figure(struct uj_ctx *ctx, struct figure *f, const struct yaml_node *map)
{
    static const char *const keys[] = {"base", "slope",       "spread", "supply", "volt_slope",
                                       "note", "volt_spread", "from",   "to",     "source"};
    static const char *const needed[] = {"spread", "supply", "source"};
    enum uj_err err = yaml_only(ctx, map, keys, sizeof keys / sizeof keys[0]);
    if (err)
        return err;
    if (!yaml_get(map, "base") && !yaml_get(map, "slope"))
        return yaml_fail(ctx, map,
                         "has neither \"base\" nor \"slope\"; add one, or \"unknown: REASON\"");
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        const struct yaml_node *node;
        err = yaml_need(ctx, &node, map, needed[i]);
        if (err)
            return err;
    }
    f->to_hz = INFINITY;
    f->volt_spread = 1;
    f->volt_slope = NAN;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0] && !err; i++) {
        const struct yaml_node *value = yaml_get(map, numbers[i].key);
        if (value)
            err = energy_bounded(ctx, (double *)(void *)((char *)f + numbers[i].offset), value,
                                 &numbers[i].bounds);
    }
    if (!err)
        err = yaml_get_text(ctx, &f->source, map, "source");
    if (err)
        return err;
    if (isnan(f->volt_slope))
        f->volt_slope = 1 / f->supply_v;
    if (*f->source == '\0')
        return yaml_fail(ctx, yaml_get(map, "source"), "must name where the figure comes from");
    if (f->from_hz > f->to_hz)
        return yaml_fail(ctx, yaml_get(map, "from"), "is above \"to\"");
    return UJ_OK;
}

/* The states of one map over those that the model has. */
static enum uj_err add_states(struct uj_ctx *ctx, struct energy_model *model, const char *component,
                              const struct yaml_node *map)
{
    if (map->kind != YAML_MAP)
        return yaml_fail(ctx, map, "must be a map of states");
    for (size_t i = 0; i < map->count; i++) {
        const struct yaml_node *node = &map->items[i];
        struct figure f = {.state = node->key};
        enum uj_err err = node->kind == YAML_MAP && yaml_get(node, "unknown")
                              ? read_unknown(ctx, &f, node)
                              : read_figure(ctx, &f, node);
        if (err)
            return err;
        struct figure *place = find(model, component, node->key);
        if (place) {
            f.component = place->component;
        } else {
            model->figures =
                uj_realloc(model->figures, (model->count + 1) * sizeof *model->figures);
            place = &model->figures[model->count++];
            f.component = uj_strdup(component);
        }
        *place = f;
    }
    return UJ_OK;
}

/* The map of the named set in a device file; NULL where it has none. */
static enum uj_err find_set(struct uj_ctx *ctx, const struct yaml_node **out,
                            const struct yaml_node *device, const char *set)
{
    *out = NULL;
    const struct yaml_node *sets = yaml_get(device, "currents_sets");
    if (!sets)
        return UJ_OK;
    if (sets->kind != YAML_MAP)
        return yaml_fail(ctx, sets, "must be a map of sets");
    if (yaml_get(sets, "default"))
        return yaml_fail(ctx, yaml_get(sets, "default"), "names the currents at top level already");
    if (set && strcmp(set, "default") != 0)
        *out = yaml_get(sets, set);
    return UJ_OK;
}

enum uj_err energy_model_add(struct uj_ctx *ctx, struct energy_model *model, const char *component,
                             const struct yaml_node *device, const char *set)
{
    const struct yaml_node *maps[2] = {yaml_get(device, "currents"), NULL};
    enum uj_err err = find_set(ctx, &maps[1], device, set);
    for (size_t i = 0; i < 2 && !err; i++)
        if (maps[i])
            err = add_states(ctx, model, component, maps[i]);
    return err;
}

/* Adds the names of a file's sets to `names`, and tells whether `set` is one of them. */
static bool list_sets(struct str *names, const struct yaml_node *device, const char *set)
{
    const struct yaml_node *sets = yaml_get(device, "currents_sets");
    bool found = false;
    for (size_t i = 0; sets && i < sets->count; i++) {
        str_addf(names, ", %s", sets->items[i].key);
        found = found || strcmp(sets->items[i].key, set) == 0;
    }
    return found;
}

enum uj_err energy_model_load(struct uj_ctx *ctx, struct energy_model **out,
                              const struct board *board, const char *set)
{
    const struct yaml_node *files[] = {board->mcu_map, board->board_map};
    struct energy_model *model = energy_model_new(board->supply_v);
    enum uj_err err = UJ_OK;
    for (size_t i = 0; i < 2 && !err; i++)
        err = energy_model_add(ctx, model, "cpu", files[i], set);
    if (!err && set && strcmp(set, "default") != 0) {
        struct str names;
        str_init(&names);
        bool in_chip = list_sets(&names, files[0], set);
        bool in_board = list_sets(&names, files[1], set);
        if (!in_chip && !in_board)
            err = uj_fail(ctx, UJ_ERR_USAGE,
                          "board %s has no set of currents \"%s\"; it has: default%s", board->name,
                          set, names.text);
        str_free(&names);
    }
    if (err)
        energy_model_free(model);
    else
        *out = model;
    return err;
}

void energy_current(const struct energy_model *model, struct energy_current *out,
                    const char *component, const char *state, double hz)
{
    *out = (struct energy_current){.amps = NAN, .spread_amps = NAN};
    const struct figure *f = find(model, component, state);
    char at[32], from[32], to[32];
    (void)quantity_format(at, sizeof at, hz, "Hz");
    if (!f) {
        (void)snprintf(out->reason, sizeof out->reason, "the device file has no current for %s %s",
                       component, state);
        return;
    }
    if (f->unknown) {
        (void)snprintf(out->reason, sizeof out->reason, "%s %s: %s", component, state, f->unknown);
        return;
    }
    if (!(hz >= f->from_hz && hz <= f->to_hz)) {
        (void)snprintf(
            out->reason, sizeof out->reason, "%s %s at %s: the figure holds from %s to %s",
            component, state, at, quantity_format(from, sizeof from, f->from_hz, "Hz"),
            isinf(f->to_hz) ? "any frequency" : quantity_format(to, sizeof to, f->to_hz, "Hz"));
        return;
    }
    double change = f->volt_slope * (model->supply_v - f->supply_v);
    if (!(1 + change > 0)) {
        (void)snprintf(out->reason, sizeof out->reason,
                       "%s %s: the figure given at %g V does not reach to %g V", component, state,
                       f->supply_v, model->supply_v);
        return;
    }
    double given = f->base_a + f->slope_a_per_hz * hz;
    out->amps = given * (1 + change);
    out->spread_amps = given * hypot(f->spread * (1 + change), change * f->volt_spread);
    out->source = f->source;
}

void energy_of_states(const struct energy_model *model, struct energy_result *out,
                      const char *component, const struct state_total *totals, size_t count)
{
    *out = (struct energy_result){.method = "state"};
    for (size_t i = 0; i < count; i++) {
        if (totals[i].ps == 0)
            continue;
        struct energy_current current;
        energy_current(model, &current, component, totals[i].state, totals[i].hz);
        if (isnan(current.amps)) {
            out->nj = out->spread_nj = NAN;
            memcpy(out->reason, current.reason, sizeof out->reason);
            return;
        }
        double volt_ns = model->supply_v * ((double)totals[i].ps / 1000);
        out->nj += volt_ns * current.amps;
        out->spread_nj += volt_ns * current.spread_amps;
    }
}

void energy_of_tracks(const struct energy_model *model, struct energy_result *out,
                      const struct state_track *first)
{
    *out = (struct energy_result){.method = "state"};
    for (const struct state_track *t = first; t; t = t->next) {
        struct energy_result one;
        energy_of_states(model, &one, t->component, t->totals, t->count);
        if (isnan(one.nj)) {
            *out = one;
            return;
        }
        out->nj += one.nj;
        out->spread_nj += one.spread_nj;
    }
}
