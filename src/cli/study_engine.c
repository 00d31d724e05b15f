/*
 * Studies of kind `engine`: what a block of the chip saves over software. One algorithm; boards,
 * modes and message sizes; the software also by other compiler flags; every set of currents that
 * the device files have of those the study names. A board without the block runs the software
 * alone.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/folder.h"
#include "cli/study_engine.h"
#include "sim/board.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Reading study.yaml */

static enum uj_err read_names(struct engine *e, struct engine_names *out, const char *key)
{
    const struct yaml_node *list;
    enum uj_err err = yaml_need(e->ctx, &list, e->study->map, key);
    if (!err && (list->kind != YAML_LIST || list->count == 0 || list->count > ENGINE_NAMES_MAX))
        err = yaml_fail(e->ctx, list, "must be a list of 1 to %d", ENGINE_NAMES_MAX);
    for (size_t i = 0; !err && i < list->count; i++)
        err = yaml_text(e->ctx, &out->items[out->count++], &list->items[i]);
    return err;
}

static enum uj_err read_sizes(struct engine *e)
{
    const struct yaml_node *list;
    enum uj_err err = yaml_need(e->ctx, &list, e->study->map, "message_bytes");
    if (!err && (list->kind != YAML_LIST || list->count == 0 || list->count > ENGINE_NAMES_MAX))
        err = yaml_fail(e->ctx, list, "must be a list of 1 to %d", ENGINE_NAMES_MAX);
    for (size_t i = 0; !err && i < list->count; i++) {
        err = yaml_integer(e->ctx, &e->sizes[i], &list->items[i], 1, 1 << 20);
        if (!err && i > 0 && e->sizes[i] <= e->sizes[i - 1])
            err = yaml_fail(e->ctx, &list->items[i], "sizes must rise");
        e->size_count++;
    }
    return err;
}

/* A row names its note, which stands once for all that share it. */
static enum uj_err read_note(struct engine *e, const char **out, const struct yaml_node *item)
{
    const char *name = NULL;
    const struct yaml_node *notes = yaml_get(e->study->map, "notes"), *note = NULL;
    enum uj_err err = yaml_get_text(e->ctx, &name, item, "note");
    if (err || !name)
        return err;
    if (notes)
        note = yaml_get(notes, name);
    return note ? yaml_text(e->ctx, out, note)
                : yaml_fail(e->ctx, yaml_get(item, "note"), "no \"%s\" among the notes", name);
}

static enum uj_err read_compared(struct engine *e)
{
    static const char *const keys[] = {"metric", "board", "of",   "over",
                                       "flags",  "unit",  "note", "bytes"};
    const struct yaml_node *list;
    enum uj_err err = yaml_need(e->ctx, &list, e->study->map, "compare");
    if (!err && (list->kind != YAML_LIST || list->count > ENGINE_COMPARED_MAX))
        err = yaml_fail(e->ctx, list, "must be a list of at most %d", ENGINE_COMPARED_MAX);
    for (size_t i = 0; !err && i < list->count; i++) {
        struct engine_compared *c = &e->compared[e->compared_count++];
        const struct yaml_node *item = &list->items[i];
        if ((err = yaml_only(e->ctx, item, keys, COUNT(keys))) ||
            (err = yaml_need_text(e->ctx, &c->metric, item, "metric")) ||
            (err = yaml_need_text(e->ctx, &c->board, item, "board")) ||
            (err = yaml_need_text(e->ctx, &c->of, item, "of")) ||
            (err = yaml_get_text(e->ctx, &c->over, item, "over")) ||
            (err = yaml_get_text(e->ctx, &c->flags, item, "flags")) ||
            (err = yaml_need_text(e->ctx, &c->unit, item, "unit")) ||
            (err = read_note(e, &c->note, item)) ||
            (err = yaml_need_integer(e->ctx, &c->bytes, item, "bytes", 1, 1 << 20)))
            return err;
    }
    return err;
}

static enum uj_err read_study(struct engine *e)
{
    static const char *const keys[] = {
        "study",          "kind",          "title",    "paper",  "algorithm", "block_bytes",
        "boards",         "message_bytes", "software", "engine", "polled",    "baseline",
        "software_flags", "currents",      "compare",  "notes",  "note"};
    const struct yaml_node *map = e->study->map;
    enum uj_err err;
    if ((err = yaml_only(e->ctx, map, keys, COUNT(keys))) ||
        (err = yaml_need_text(e->ctx, &e->algorithm, map, "algorithm")) ||
        (err = yaml_need_integer(e->ctx, &e->block_bytes, map, "block_bytes", 1, 1 << 16)) ||
        (err = yaml_need_text(e->ctx, &e->baseline, map, "baseline")) ||
        (err = yaml_need_text(e->ctx, &e->polled, map, "polled")) ||
        (err = read_names(e, &e->boards, "boards")) ||
        (err = read_names(e, &e->software, "software")) ||
        (err = read_names(e, &e->engines, "engine")) ||
        (err = read_names(e, &e->flags, "software_flags")) ||
        (err = read_names(e, &e->currents, "currents")) || (err = read_sizes(e)) ||
        (err = read_compared(e)))
        return err;
    if (e->boards.count > ENGINE_BOARDS_MAX)
        return yaml_fail(e->ctx, yaml_get(map, "boards"), "more than %d", ENGINE_BOARDS_MAX);
    /* What the user asks for stands alone. */
    if (e->request->flags)
        e->flags.count = 0;
    if (e->request->currents) {
        e->currents.items[0] = e->request->currents;
        e->currents.count = 1;
    }
    return UJ_OK;
}

/* Planning */

static bool has_set(const struct board *b, const char *set)
{
    const struct yaml_node *chip = yaml_get(b->mcu_map, "currents_sets");
    const struct yaml_node *board = yaml_get(b->board_map, "currents_sets");
    return strcmp(set, "default") == 0 || (chip && yaml_get(chip, set)) ||
           (board && yaml_get(board, set));
}

static void add_runs(struct engine *e, const struct board *b, const char *name,
                     const char *currents)
{
    for (size_t f = 0; f <= e->flags.count; f++)
        e->runs[e->run_count++] = (struct engine_run){.board = name,
                                                      .currents = currents,
                                                      .flags = f ? e->flags.items[f - 1] : NULL,
                                                      .supply_v = b->supply_v};
}

/* A board without the set that the user asks for keeps its own currents, unless all are without. */
static enum uj_err plan_runs(struct engine *e)
{
    struct board *boards[ENGINE_BOARDS_MAX] = {0};
    char *devices = NULL;
    bool known = false;
    enum uj_err err = uj_folder(e->ctx, &devices, "devices");
    for (size_t b = 0; !err && b < e->boards.count; b++) {
        err = board_load(e->ctx, &boards[b], devices, e->boards.items[b]);
        known = known || (!err && has_set(boards[b], e->currents.items[0]));
    }
    for (size_t b = 0; !err && b < e->boards.count; b++) {
        const char *name = e->boards.items[b];
        size_t before = e->run_count;
        for (size_t c = 0; c < e->currents.count; c++)
            if (!known || has_set(boards[b], e->currents.items[c]))
                add_runs(e, boards[b], name, e->currents.items[c]);
        if (e->run_count == before)
            add_runs(e, boards[b], name, "default");
    }
    for (size_t b = 0; b < e->boards.count; b++)
        board_free(boards[b]);
    free(devices);
    return err;
}

static enum uj_err plan_matrix(struct engine *e, struct engine_run *r)
{
    const char *implementations[2 * ENGINE_NAMES_MAX];
    size_t count = 0;
    for (size_t i = 0; i < e->software.count; i++)
        implementations[count++] = e->software.items[i];
    for (size_t i = 0; !r->flags && i < e->engines.count; i++)
        implementations[count++] = e->engines.items[i];
    struct bench_request b = {
        .boards = (char *const *)&r->board,
        .board_count = 1,
        .algorithms = (char *const *)&e->algorithm,
        .algorithm_count = 1,
        .implementations = (char *const *)implementations,
        .implementation_count = count,
        .sizes = e->sizes,
        .size_count = e->size_count,
        .seed = e->request->seed,
        .jobs = e->request->jobs,
        .cc = e->request->cc,
        .flags = r->flags ? r->flags : e->request->flags,
        .currents = strcmp(r->currents, "default") == 0 ? NULL : r->currents,
    };
    return bench_matrix_plan(e->ctx, &r->matrix, &b);
}

/* Results */

const struct measurement *engine_find(const struct engine *e, const char *board,
                                      const char *currents, const char *flags,
                                      const char *implementation, int64_t bytes)
{
    for (size_t r = 0; r < e->run_count; r++) {
        const struct engine_run *run = &e->runs[r];
        bool same_flags = flags ? run->flags && strcmp(flags, run->flags) == 0 : !run->flags;
        if (!same_flags || strcmp(run->board, board) != 0 ||
            (currents && strcmp(run->currents, currents) != 0))
            continue;
        for (size_t k = 0; k < bench_matrix_count(run->matrix); k++) {
            const struct measurement *m = bench_matrix_result(run->matrix, k);
            if (!m->error && m->message_bytes == bytes &&
                strcmp(m->implementation, implementation) == 0)
                return m;
        }
    }
    return NULL;
}

double engine_ratio(const struct measurement *a, const struct measurement *b)
{
    return a && b && a->time_ns > 0 && b->time_ns > 0 ? (double)a->time_ns / (double)b->time_ns
                                                      : NAN;
}

static void add_part(struct study_result *out, const char *name, const char *title,
                     struct table *table)
{
    out->parts[out->count++] = (struct study_part){.name = name, .title = title, .table = table};
}

static enum uj_err run_engine(struct uj_ctx *ctx, struct study_result *out,
                              const struct study *study, const struct study_request *request,
                              struct study_store *store)
{
    if (request->sources)
        return uj_fail(ctx, UJ_ERR_USAGE,
                       "--sources: study %s has no packages of its own; leave it out", study->name);
    struct engine *e = uj_calloc(1, sizeof *e);
    *e = (struct engine){.ctx = ctx, .study = study, .request = request};
    enum uj_err err = read_study(e);
    if (!err)
        err = plan_runs(e);
    for (size_t r = 0; !err && r < e->run_count; r++)
        err = plan_matrix(e, &e->runs[r]);
    if (!err)
        err = study_store_open(ctx, store);
    for (size_t r = 0; !err && r < e->run_count; r++) {
        err = bench_matrix_run(ctx, e->runs[r].matrix, store->store);
        for (size_t k = 0; !err && k < bench_matrix_count(e->runs[r].matrix); k++)
            out->failed = out->failed || bench_matrix_result(e->runs[r].matrix, k)->error;
    }
    if (!err) {
        add_part(out, "comparison", "Published, and here", engine_comparison(e));
        add_part(out, "modes", "Software and the modes of the block", engine_modes(e));
        add_part(out, "software", "How far compiler and code narrow the gap", engine_software(e));
        add_part(out, "blocks", "Cycles of one block more", engine_blocks(e));
    }
    for (size_t r = 0; r < e->run_count; r++)
        bench_matrix_free(e->runs[r].matrix);
    free(e);
    return err;
}

static const char *const parts[] = {"comparison", "modes", "software", "blocks", NULL};

const struct study_kind study_kind_engine = {"engine", parts, run_engine};
