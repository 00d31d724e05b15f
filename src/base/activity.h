/*
 * Activity: what every instruction of an operation did, as far as a power trace can see it.
 * measure/ records it, energy/ makes a trace of it.
 *
 * Laws: one item an instruction, in the order of execution; `distance` is the Hamming distance that
 * core_trace_fn (sim/core.h) reports; a figure that does not fit its 16 bits is carried on in
 * further items of activity_add(), so the sums of a log are always exact.
 */
#ifndef UJ_BASE_ACTIVITY_H
#define UJ_BASE_ACTIVITY_H

#include <stddef.h>
#include <stdint.h>

struct activity {
    uint16_t cycles;
    uint16_t distance; /* bits that changed, in the instruction's last cycle */
};

/* A growing list; zero-initialised is empty. */
struct activity_log {
    struct activity *items;
    size_t count, capacity;
};

void activity_add(struct activity_log *log, uint64_t cycles, uint64_t distance);
void activity_free(struct activity_log *log);

/* What a trace must know of an operation before its first sample. */
struct activity_sum {
    uint64_t cycles, distance;
};
void activity_sum_add(struct activity_sum *sum, const struct activity *items, size_t count);

#endif
