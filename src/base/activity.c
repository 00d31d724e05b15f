#include "base/activity.h"

#include <stdlib.h>

#include "base/str.h"

void activity_add(struct activity_log *log, uint64_t cycles, uint64_t distance)
{
    do {
        if (log->count == log->capacity) {
            log->capacity = log->capacity ? log->capacity * 2 : 4096;
            log->items = uj_realloc(log->items, log->capacity * sizeof *log->items);
        }
        uint16_t some_cycles = (uint16_t)(cycles > UINT16_MAX ? UINT16_MAX : cycles);
        uint16_t some_distance = (uint16_t)(distance > UINT16_MAX ? UINT16_MAX : distance);
        log->items[log->count++] = (struct activity){some_cycles, some_distance};
        cycles -= some_cycles;
        distance -= some_distance;
    } while (cycles > 0 || distance > 0);
}

void activity_free(struct activity_log *log)
{
    free(log->items);
    *log = (struct activity_log){0};
}

void activity_sum_add(struct activity_sum *sum, const struct activity *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        sum->cycles += items[i].cycles;
        sum->distance += items[i].distance;
    }
}
