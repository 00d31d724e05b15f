/*
 * What study_engine.c measures and study_engine_tables.c shows: one algorithm on several boards, in
 * software and by a block of the chip, in several modes and sizes. Nobody else includes this.
 */
#ifndef UJ_CLI_STUDY_ENGINE_H
#define UJ_CLI_STUDY_ENGINE_H

#include "base/measurement.h"
#include "cli/bench_matrix.h"
#include "cli/study.h"

enum {
    ENGINE_BOARDS_MAX = 6,
    ENGINE_NAMES_MAX = 8, /* of implementations, sizes, flags, sets of currents */
    ENGINE_RUNS_MAX = ENGINE_BOARDS_MAX * (ENGINE_NAMES_MAX + 1) * ENGINE_NAMES_MAX,
    ENGINE_COMPARED_MAX = 64,
};

struct engine_names {
    const char *items[ENGINE_NAMES_MAX];
    size_t count;
};

/* One matrix: a board under one set of currents, compiled with one set of flags. */
struct engine_run {
    const char *board, *currents;
    const char *flags; /* NULL: the default, or what the user gave */
    double supply_v;
    struct bench_matrix *matrix;
};

/* A figure to compare: of one implementation, or its time over another's. */
struct engine_compared {
    const char *metric, *board, *of, *over, *flags, *unit, *note;
    int64_t bytes;
};

struct engine {
    struct uj_ctx *ctx;
    const struct study *study;
    const struct study_request *request;
    const char *algorithm, *baseline, *polled;
    int64_t block_bytes;
    struct engine_names boards, software, engines, flags, currents;
    int64_t sizes[ENGINE_NAMES_MAX];
    size_t size_count;
    struct engine_compared compared[ENGINE_COMPARED_MAX];
    size_t compared_count;
    struct engine_run runs[ENGINE_RUNS_MAX];
    size_t run_count;
};

/* The measurement, NULL where there is none or it failed; flags NULL: the default. */
const struct measurement *engine_find(const struct engine *e, const char *board,
                                      const char *currents, const char *flags,
                                      const char *implementation, int64_t bytes);
/* Time of a over time of b; NaN where one is missing. */
double engine_ratio(const struct measurement *a, const struct measurement *b);

/* Each figure that is published, or that the study adds: published and ours. */
struct table *engine_comparison(const struct engine *e);
/* Every board, mode and size. */
struct table *engine_modes(const struct engine *e);
/* The software by flags, at the largest size. */
struct table *engine_software(const struct engine *e);
/* Cycles of one block more, between sizes. */
struct table *engine_blocks(const struct engine *e);

#endif
