/*
 * Studies of kind `timed`: one operation on one board, candidates side by side. Each figure stands
 * three times: as published, as the paper's method gives it here, and true; and the published one
 * with the timer's wraps undone.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "cli/bench_matrix.h"
#include "cli/study_timed.h"
#include "sim/board.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Reading study.yaml */

static enum uj_err read_candidates(struct timed *t)
{
    static const char *const keys[] = {"algorithm", "published", "wraps"};
    const struct yaml_node *list;
    enum uj_err err = yaml_need(t->ctx, &list, t->study->map, "candidates");
    if (!err && list->count > CANDIDATES_MAX)
        err = yaml_fail(t->ctx, list, "more than %d", CANDIDATES_MAX);
    for (size_t i = 0; !err && i < list->count; i++) {
        struct candidate *c = &t->candidates[t->count++];
        const struct yaml_node *item = &list->items[i];
        if ((err = yaml_only(t->ctx, item, keys, COUNT(keys))) ||
            (err = yaml_need_text(t->ctx, &c->algorithm, item, "algorithm")) ||
            (err = yaml_need_text(t->ctx, &c->published, item, "published")) ||
            (err = yaml_get_integer(t->ctx, &c->wraps, item, "wraps", 0, 1 << 20)))
            return err;
        c->method_nj = NAN;
    }
    return err;
}

static enum uj_err read_method(struct timed *t)
{
    static const char *const keys[] = {"timer_bits", "integer_cycles_per_byte", "stack",
                                       "trace_set"};
    const struct yaml_node *map;
    const char *stack = "measured";
    enum uj_err err = yaml_need(t->ctx, &map, t->study->map, "method");
    t->method.timer_bits = 32;
    if (err || (err = yaml_only(t->ctx, map, keys, COUNT(keys))) ||
        (err = yaml_get_integer(t->ctx, &t->method.timer_bits, map, "timer_bits", 8, 32)) ||
        (err = yaml_get_bool(t->ctx, &t->method.integer_cycles_per_byte, map,
                             "integer_cycles_per_byte")) ||
        (err = yaml_get_text(t->ctx, &stack, map, "stack")) ||
        (err = yaml_get_text(t->ctx, &t->method.trace_set, map, "trace_set")))
        return err;
    t->method.stack_is_su = strcmp(stack, "su") == 0;
    return UJ_OK;
}

static enum uj_err read_also(struct timed *t)
{
    const struct yaml_node *map = yaml_get(t->study->map, "also"), *list;
    enum uj_err err = UJ_OK;
    if (!map)
        return UJ_OK;
    if ((err = yaml_need(t->ctx, &list, map, "implementations")))
        return err;
    for (size_t i = 0; !err && i < list->count && i < IMPLEMENTATIONS_MAX; i++)
        err = yaml_text(t->ctx, &t->also_implementations[t->also_implementation_count++],
                        &list->items[i]);
    if (err || (err = yaml_need(t->ctx, &list, map, "message_bytes")))
        return err;
    for (size_t i = 0; !err && i < list->count && i < SIZES_MAX; i++)
        err = yaml_integer(t->ctx, &t->also_bytes[t->also_bytes_count++], &list->items[i], 0,
                           1 << 20);
    return err;
}

static enum uj_err read_study(struct timed *t)
{
    static const char *const keys[] = {
        "study",          "kind",       "title",  "paper", "board", "message_bytes",
        "implementation", "candidates", "method", "also",  "note"};
    const struct yaml_node *map = t->study->map;
    enum uj_err err;
    if ((err = yaml_only(t->ctx, map, keys, COUNT(keys))) ||
        (err = yaml_need_text(t->ctx, &t->board, map, "board")) ||
        (err = yaml_need_text(t->ctx, &t->implementation, map, "implementation")) ||
        (err = yaml_need_integer(t->ctx, &t->bytes, map, "message_bytes", 1, 1 << 20)) ||
        (err = read_candidates(t)) || (err = read_method(t)))
        return err;
    return read_also(t);
}

/* What the power trace adds */

static void observe(void *owner, size_t k, const struct measurement *m, double clock_hz,
                    const struct activity_log *log, const struct board *board,
                    const struct energy_model *model)
{
    struct timed *t = owner;
    struct candidate *c = &t->candidates[k];
    struct uj_ctx ctx = {0};
    struct energy_probe probe, paper;
    struct energy_drive drive;
    struct energy_result absent;
    double counted = timed_per_byte(t, timed_wrapped(t, (double)m->cycles)) * (double)t->bytes;
    if (energy_probe_read(&ctx, &probe, board->board_map, NULL) == UJ_OK &&
        energy_probe_read(&ctx, &paper, board->board_map, t->method.trace_set) == UJ_OK &&
        energy_drive_of(&drive, &absent, model, "cpu", "active", clock_hz) &&
        energy_trace_study(&ctx, c->traces, &probe, NULL, &drive, log, (double)m->cycles,
                           t->seed) == UJ_OK) {
        struct activity_sum sum = {0};
        activity_sum_add(&sum, log->items, log->count);
        struct energy_trace *trace;
        struct energy_reading readings[ENERGY_RUNS];
        struct energy_trace_result result;
        if (energy_trace_begin(&ctx, &trace, &paper, &drive, &sum, t->seed, ENERGY_RUNS) == UJ_OK) {
            energy_trace_step(trace, log->items, log->count);
            (void)energy_trace_end(trace, readings);
            energy_trace_convert(&result, readings, ENERGY_RUNS, &paper, paper.average,
                                 drive.supply_v, clock_hz, counted);
            c->method_nj = result.mean_nj;
        }
    }
    if (ctx.code)
        (void)uj_fail(&t->failure, ctx.code, "%s", ctx.message);
}

/* Running */

static void add_part(struct study_result *out, const char *name, const char *title,
                     struct table *table)
{
    out->parts[out->count++] = (struct study_part){.name = name, .title = title, .table = table};
}

static void request_common(struct bench_request *b, const struct timed *t,
                           const struct study_request *request)
{
    *b = (struct bench_request){
        .boards = (char *const *)&t->board,
        .board_count = 1,
        .seed = request->seed,
        .jobs = request->jobs,
        .cc = request->cc,
        .flags = request->flags,
        .currents = request->currents,
    };
}

/* The observer sees indices of one matrix; of a candidate's own matrix, only index 0. */
struct one_candidate {
    struct timed *timed;
    size_t index;
};

static void observe_one(void *owner, size_t k, const struct measurement *m, double clock_hz,
                        const struct activity_log *log, const struct board *board,
                        const struct energy_model *model)
{
    const struct one_candidate *one = owner;
    (void)k;
    observe(one->timed, one->index, m, clock_hz, log, board, model);
}

/* Each candidate is a matrix of one, since a package of the user's own stands alone. */
static enum uj_err measure_candidate(struct timed *t, struct bench_matrix **matrix, size_t index,
                                     const struct study_request *request, struct study_store *store)
{
    struct candidate *c = &t->candidates[index];
    struct one_candidate one = {.timed = t, .index = index};
    struct bench_request b;
    request_common(&b, t, request);
    char *folder = request->sources ? uj_format("%s/%s", request->sources, c->published) : NULL;
    const char *implementation = folder ? folder : t->implementation;
    b.implementations = (char *const *)&implementation;
    b.implementation_count = 1;
    b.sizes = &t->bytes;
    b.size_count = 1;
    b.observe = observe_one;
    b.observer = &one;
    if (folder) {
        b.as = c->algorithm;
    } else {
        b.algorithms = (char *const *)&c->algorithm;
        b.algorithm_count = 1;
    }
    enum uj_err err = bench_matrix_plan(t->ctx, matrix, &b);
    if (!err)
        err = study_store_open(t->ctx, store);
    if (!err)
        err = bench_matrix_run(t->ctx, *matrix, store->store);
    if (!err)
        c->measured = bench_matrix_result(*matrix, 0);
    if (!err && t->failure.code)
        err = uj_fail(t->ctx, t->failure.code, "%s", t->failure.message);
    free(folder);
    return err;
}

static enum uj_err measure_also(struct timed *t, struct study_result *out,
                                const struct study_request *request, struct study_store *store)
{
    struct bench_request b;
    struct bench_matrix *matrix = NULL;
    const char *algorithms[CANDIDATES_MAX];
    for (size_t i = 0; i < t->count; i++)
        algorithms[i] = t->candidates[i].algorithm;
    request_common(&b, t, request);
    b.algorithms = (char *const *)algorithms;
    b.algorithm_count = t->count;
    b.implementations = (char *const *)t->also_implementations;
    b.implementation_count = t->also_implementation_count;
    b.sizes = t->also_bytes;
    b.size_count = t->also_bytes_count;
    enum uj_err err = bench_matrix_plan(t->ctx, &matrix, &b);
    if (!err)
        err = bench_matrix_run(t->ctx, matrix, store->store);
    if (!err) {
        size_t count = bench_matrix_count(matrix);
        const struct measurement **rows = uj_calloc(count, sizeof *rows);
        for (size_t k = 0; k < count; k++) {
            rows[k] = bench_matrix_result(matrix, k);
            out->failed = out->failed || rows[k]->error;
        }
        add_part(out, "sizes", "Other message sizes, plain and fast C: true values",
                 timed_sizes(rows, count));
        free(rows);
    }
    bench_matrix_free(matrix);
    return err;
}

static enum uj_err run_timed(struct uj_ctx *ctx, struct study_result *out,
                             const struct study *study, const struct study_request *request,
                             struct study_store *store)
{
    struct timed t = {.ctx = ctx, .study = study, .seed = request->seed};
    struct bench_matrix *matrices[CANDIDATES_MAX] = {0};
    enum uj_err err = read_study(&t);
    for (size_t i = 0; !err && i < t.count; i++) {
        err = measure_candidate(&t, &matrices[i], i, request, store);
        out->failed = out->failed || (!err && t.candidates[i].measured->error);
    }
    if (!err) {
        add_part(out, "comparison", "Published, as the published method gives it here, and true",
                 timed_comparison(&t));
        add_part(out, "traces",
                 "What coupling and average of a power trace make of the same energy",
                 timed_traces(&t));
        if (t.also_bytes_count)
            err = measure_also(&t, out, request, store);
    }
    for (size_t i = 0; i < t.count; i++)
        bench_matrix_free(matrices[i]);
    return err;
}

static const char *const parts[] = {"comparison", "traces", "sizes", NULL};

const struct study_kind study_kind_timed = {"timed", parts, run_timed};
