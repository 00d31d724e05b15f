/*
 * What `ujoule run` tells about a program that goes wrong without a fault: resets, and accesses to
 * addresses where nothing is.
 *
 * Laws: run_watch_begin() comes behind the machine's own reset and before it runs; the image and
 * the machine outlive the watch.
 */
#ifndef UJ_CLI_RUN_WATCH_H
#define UJ_CLI_RUN_WATCH_H

#include <stdbool.h>

#include "image/image.h"
#include "sim/machine.h"

enum { RUN_WATCH_PLACES = 64, RUN_WATCH_RESETS = 8 };

struct run_unmapped {
    uint32_t address, pc;
    bool is_write;
    uint64_t count;
};

struct run_watch {
    struct machine *machine;
    const struct image *image;
    bool is_strict;
    struct machine_watch start; /* where the reset vector points */
    uint64_t starts, resets;
    struct run_unmapped places[RUN_WATCH_PLACES];
    size_t place_count;
    uint64_t other_count; /* accesses at further places */
};

void run_watch_begin(struct run_watch *w, struct machine *m, const struct image *image,
                     bool is_strict);
void run_watch_end(struct run_watch *w);
/* The accesses, one line a place. */
void run_watch_print(const struct run_watch *w);

#endif
