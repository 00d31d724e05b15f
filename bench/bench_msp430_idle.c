/* Host time of an hour of LPM3 with a 128 Hz tick on each MSP430 mote, twelve times each. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "image/image.h"
#include "sim/board.h"

enum { TIMES = 12, HOUR_S = 3600 };

static double now_s(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static enum uj_err measure(struct uj_ctx *ctx, const char *board_name)
{
    struct board *board = NULL;
    struct image *image = NULL;
    double took[TIMES];
    char path[512];
    (void)snprintf(path, sizeof path, "%s/bench_tick_%s.elf", BENCH_FOLDER, board_name);
    enum uj_err err = board_load(ctx, &board, BENCH_DEVICES, board_name);
    if (!err)
        err = image_load(ctx, &image, path, board->core_class->elf_machine, board->core_class->isa);
    for (unsigned i = 0; i < TIMES && !err; i++) {
        struct machine *m = NULL;
        if ((err = board_machine(ctx, &m, board)) || (err = image_into_machine(ctx, image, m)))
            break;
        machine_reset(m);
        double start = now_s();
        if (machine_run(m, (uint64_t)HOUR_S * PS_PER_SECOND) != MACHINE_TIME)
            err = uj_fail(ctx, UJ_ERR_RESULT, "%s: the program did not sleep for an hour", path);
        took[i] = now_s() - start;
        machine_free(m);
    }
    if (!err) {
        qsort(took, TIMES, sizeof *took, by_value);
        (void)printf("%-8s an hour of LPM3 at 128 Hz: median %.3f s, least %.3f, greatest %.3f\n",
                     board_name, took[TIMES / 2], took[0], took[TIMES - 1]);
    }
    image_free(image);
    board_free(board);
    return err;
}

int main(void)
{
    static const char *const boards[] = {"sky", "z1", "wismote"};
    struct uj_ctx ctx = {0};
    for (unsigned i = 0; i < 3; i++)
        if (measure(&ctx, boards[i])) {
            (void)fprintf(stderr, "%s\n", ctx.message);
            return 1;
        }
    return 0;
}
