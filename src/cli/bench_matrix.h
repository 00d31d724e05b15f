/*
 * The matrix of a bench: boards x implementations x message sizes x runs, resolved by name, and its
 * execution: build, measure, price, store, in parallel.
 *
 * Laws: every name is resolved before anything is built, so a misspelt one costs nothing; a
 * measurement that is stored already with the same image, device files and version is not made
 * again unless asked; each measurement is stored in its own transaction the moment it is done; the
 * results stand in the order of the matrix, whatever the number of jobs.
 */
#ifndef UJ_CLI_BENCH_MATRIX_H
#define UJ_CLI_BENCH_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/measurement.h"
#include "store/store.h"

struct activity_log;
struct energy_model;
struct board;

/* Called for each verified measurement of a run that asks for it, from the thread that made it: its
 * index, the measurement, what every instruction did, and what prices it. */
typedef void bench_observer(void *owner, size_t k, const struct measurement *m, double clock_hz,
                            const struct activity_log *log, const struct board *board,
                            const struct energy_model *model);

struct bench_request {
    char *const *boards, *const *algorithms,
                             *const *implementations; /* empty: all (boards: the default) */
    size_t board_count, algorithm_count, implementation_count;
    const int64_t *sizes; /* message bytes; empty: 16, 64, 1024 */
    size_t size_count;
    int64_t output_bytes; /* of every extendable output; 0: the usual */
    const char *from;     /* "sram" or "flash"; NULL: where the chip's images usually lie */
    unsigned runs;        /* 0: one; run k has the seed seed + k */
    unsigned jobs;        /* 0: as many as there are processors */
    uint32_t seed;
    const char *as;  /* what a user's folder must compute */
    const char *kat; /* its known answers */
    bool unverified; /* it may go unchecked */
    bool again;      /* measure also what is stored */
    const char *cc, *flags;
    bool baseline;           /* build the firmware without the implementation too, and compare */
    double period_s;         /* of a duty cycle to be priced; 0: none */
    const char *currents;    /* a set of the device file's currents; NULL: the default */
    uint64_t cycle_limit;    /* 0: measure_cycle_limit() */
    bench_observer *observe; /* NULL, or told of each; then everything is measured again */
    void *observer;
};

struct bench_matrix;

/* Resolves all names and reads the devices. */
enum uj_err bench_matrix_plan(struct uj_ctx *ctx, struct bench_matrix **out,
                              const struct bench_request *request) UJ_CHECK;
size_t bench_matrix_count(const struct bench_matrix *m);
/* Runs it; `store` may be NULL. UJ_ERR_TOOL and UJ_ERR_IO end it early; a failed measurement does
 * not. */
enum uj_err bench_matrix_run(struct uj_ctx *ctx, struct bench_matrix *m,
                             struct store *store) UJ_CHECK;
/* Result k of bench_matrix_count(), after the run. */
const struct measurement *bench_matrix_result(const struct bench_matrix *m, size_t k);
void bench_matrix_free(struct bench_matrix *m);

#endif
