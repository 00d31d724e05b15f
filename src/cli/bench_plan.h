/* What bench_plan.c resolves and bench_matrix.c runs; nobody else includes this. */
#ifndef UJ_CLI_BENCH_PLAN_H
#define UJ_CLI_BENCH_PLAN_H

#include <pthread.h>

#include "build/build.h"
#include "cli/bench_baseline.h"
#include "cli/bench_matrix.h"
#include "energy/energy_state.h"
#include "image/image.h"
#include "measure/kat_file.h"
#include "measure/message.h"

struct bench_board {
    struct board *board;
    struct energy_model *energy;
};

/* One image of the matrix: built once, by whoever needs it first. */
struct bench_image {
    const struct bench_board *board;
    const struct implementation *implementation;
    const struct algorithm *algorithm; /* NULL: a user's folder that computes nobody knows what */
    pthread_mutex_t lock;
    bool tried;
    struct uj_ctx failure; /* of the build; code UJ_OK: none */
    struct build_result build;
    struct image *image;
    struct bench_baseline baseline; /* if it is asked for */
};

struct bench_case {
    struct bench_image *image;
    size_t message_bytes;
    uint32_t seed;
    const struct kat
        *kat; /* the message and its answer, or NULL: seeded, checked by the reference */
    struct measurement result;
};

struct bench_matrix {
    struct bench_request request;
    struct catalog *catalog;
    struct implementation *user;
    struct kat_file kat;
    struct bench_board *boards;
    size_t board_count;
    struct bench_image *images;
    size_t image_count;
    struct bench_case *cases;
    size_t case_count;
};

#endif
