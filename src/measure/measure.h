/*
 * One measurement of one operation: boots the image on a machine of the board, gives the harness
 * its message, watches the implementation's own functions, and reads back what the device computed.
 *
 * Laws
 * - `verified` only where the output, read from the device's memory and equal to what it sent,
 * equals `expected`. Without that there are no figures.
 * - What the guest does wrong is `error` ("what, at which place in its source"), with UJ_OK; an
 * error code is the host's failure.
 * - timer_cycles is the chip's own timer less the overhead of the timed path, which is measured in
 * the same run around a function that does nothing. It must equal cycles + isr_cycles within
 *   MEASURE_TIMER_TOLERANCE; otherwise the run is an error.
 * - A message that is longer than the device's buffer goes through init, update and final piece by
 *   piece; the figures are the sums over these calls.
 */
#ifndef UJ_MEASURE_MEASURE_H
#define UJ_MEASURE_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/activity.h"
#include "base/err.h"
#include "image/image.h"
#include "measure/message.h"
#include "measure/window.h"
#include "sim/board.h"

/* Cycles by which a timer's two reads may differ from call to call: a pending overflow's branch. */
enum { MEASURE_TIMER_TOLERANCE = 16 };
/* The same where code runs from flash behind a cache: the timed path itself may miss up to 16 lines
 * of 64. */
enum { MEASURE_TIMER_TOLERANCE_CACHED = 1024 };

struct measure_job {
    const struct board *board;
    const struct image *image;
    const char *function;              /* the one-shot function's symbol */
    const char *init, *update, *final; /* NULL: there are none */
    const struct message *message;
    const uint8_t *key; /* of a mac */
    size_t key_bytes;
    size_t output_bytes;
    const uint8_t *expected;  /* output_bytes of them; NULL: nothing to compare with */
    bool cached;              /* code runs from memory behind a cache */
    uint64_t cycle_limit;     /* 0: measure_cycle_limit() */
    struct activity_log *log; /* NULL, or where to note the activity inside */
};

struct measure_result {
    char *error;     /* NULL: the run went well (it may still be unverified) */
    uint8_t *output; /* as read back; NULL where there is none */
    bool verified;
    bool streamed; /* by init, update and final */
    struct window_counts counts;
    int64_t timer_cycles, timer_overhead_cycles;
    double clock_hz; /* of the core, at the end */
};

/* Enough for the slowest known implementation, and the bound of a hang: 2 * 10^9 + 2 * 10^6 a byte.
 */
uint64_t measure_cycle_limit(size_t message_bytes);

enum uj_err measure_run(struct uj_ctx *ctx, struct measure_result *out,
                        const struct measure_job *job) UJ_CHECK;
void measure_result_free(struct measure_result *r);

#endif
