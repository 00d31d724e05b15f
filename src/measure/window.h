/*
 * A window over functions: what the machine did between a function's entry and its return, added up
 * over its calls. The program counter is watched, so nothing of the caller is counted and the
 * program is not disturbed.
 *
 * Laws
 * - The count begins before the function's first instruction and ends when the instruction behind
 * the call comes next: the return is inside, the call outside. A call from within an open window
 * belongs to that window.
 * - Interrupts accepted inside are not in `cycles` or the states' time but in `isr_cycles`.
 * - `stack_bytes` is the deepest stack of any call below the caller's stack pointer, the return
 *   address included.
 * - The windows of one set open one at a time; window_set_close() removes every watch.
 */
#ifndef UJ_MEASURE_WINDOW_H
#define UJ_MEASURE_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/activity.h"
#include "sim/machine.h"

enum { WINDOW_FUNCTIONS_MAX = 8 };

struct window_counts {
    uint64_t calls;
    uint64_t cycles;
    uint64_t isr_cycles;
    uint64_t stack_bytes;
    struct state_total states[STATE_TOTALS_MAX]; /* of the cpu, inside */
    size_t state_count;
};

struct window_set {
    struct machine *machine;
    struct machine_watch entries[WINDOW_FUNCTIONS_MAX];
    unsigned entry_count;
    struct machine_watch exit;
    bool open;
    uint32_t entry_sp;
    uint64_t entry_cycle, entry_isr_cycles;
    struct state_track states; /* of the cpu since the entry, while open */
    struct window_counts counts;
    struct activity_log *log; /* NULL, or where every instruction inside is noted */
    bool log_inside;
    /* Called at each return with the counts of that call alone; may be NULL. */
    void (*returned)(void *owner, uint32_t function, const struct window_counts *call);
    void *owner;
    uint32_t function; /* whose call is open */
};

/* Watches the functions at `addresses`. The set must stay where it is until it is closed. */
void window_set_open(struct window_set *w, struct machine *m, const uint32_t *addresses,
                     unsigned count, struct activity_log *log);
void window_set_close(struct window_set *w);

#endif
