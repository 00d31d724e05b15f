/*
 * What study_timed.c measures and study_timed_tables.c shows: an operation on one board, candidates
 * side by side. Nobody else includes this.
 */
#ifndef UJ_CLI_STUDY_TIMED_H
#define UJ_CLI_STUDY_TIMED_H

#include "base/measurement.h"
#include "cli/study.h"
#include "energy/energy_trace.h"

enum { CANDIDATES_MAX = 16, SIZES_MAX = 8, IMPLEMENTATIONS_MAX = 8 };

/* How the paper took its figures. */
struct method {
    int64_t timer_bits;
    bool integer_cycles_per_byte;
    bool stack_is_su; /* RAM with the sum of the compiler's stack figures */
    const char *trace_set;
};

struct candidate {
    const char *algorithm, *published;
    int64_t wraps;
    const struct measurement *measured; /* NULL until then */
    /* By the observer, from the run's activity: */
    double method_nj;
    struct energy_study_row traces[ENERGY_STUDY_ROWS];
};

struct timed {
    struct uj_ctx *ctx;
    const struct study *study;
    const char *board, *implementation;
    int64_t bytes;
    struct method method;
    struct candidate candidates[CANDIDATES_MAX];
    size_t count;
    const char *also_implementations[IMPLEMENTATIONS_MAX];
    int64_t also_bytes[SIZES_MAX];
    size_t also_implementation_count, also_bytes_count;
    uint32_t seed;
    struct uj_ctx failure; /* of an observer; the first */
};

/* Cycles as the paper's timer shows them, and cycles per byte in its arithmetic. */
double timed_wrapped(const struct timed *t, double cycles);
double timed_per_byte(const struct timed *t, double cycles);

/* Every metric of every candidate: published, by the paper's method, true, published unwrapped. */
struct table *timed_comparison(const struct timed *t);
/* What coupling and average do to the energy of a trace. */
struct table *timed_traces(const struct timed *t);
/* True values at other sizes. */
struct table *timed_sizes(const struct measurement *const *rows, size_t count);

#endif
