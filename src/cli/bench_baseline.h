/*
 * `ujoule bench --baseline`: the same firmware without the implementation, and how much larger the
 * whole image is.
 *
 * Laws: the baseline has the board, flags, compiler, kind and length of output of its image, hence
 * the same buffers and the same harness; it is built and cached like every image.
 */
#ifndef UJ_CLI_BENCH_BASELINE_H
#define UJ_CLI_BENCH_BASELINE_H

#include "base/err.h"
#include "base/measurement.h"
#include "build/build.h"

struct bench_baseline {
    int64_t rom_bytes, data_bytes, bss_bytes; /* of the whole image */
};

/* `image` asked for the image itself, which gives `output_bytes`. */
enum uj_err bench_baseline_build(struct uj_ctx *ctx, struct bench_baseline *out,
                                 const struct build_request *image, int64_t output_bytes) UJ_CHECK;
/* Fills the increases of a measurement whose image sizes stand. */
void bench_baseline_compare(struct measurement *m, const struct bench_baseline *baseline);

#endif
