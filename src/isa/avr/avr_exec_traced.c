/*
 * The execution loop that calls core->trace after each instruction.
 *
 * The model of what switches: the Hamming distance of the 32 registers before and after the
 * instruction, plus that of each byte on the data bus (loaded from or stored to data memory,
 * program memory or I/O, pushed or popped) from the byte before it. SREG, the program counter and
 * the instruction fetches are not modelled.
 */
#include <string.h>

#include "isa/avr/avr_core.h"
#include "isa/avr/avr_timing.h"

struct avr_trace_mark {
    uint64_t r[4];
};

static inline void avr_trace_begin(struct avr_trace_mark *mark, struct avr_core *c)
{
    memcpy(mark->r, c->r, sizeof mark->r);
    c->bus_distance = 0;
}

static inline void avr_trace_end(const struct avr_trace_mark *mark, struct avr_core *c,
                                 unsigned cycles)
{
    uint64_t now[4];
    unsigned distance = c->bus_distance;
    memcpy(now, c->r, sizeof now);
    for (int i = 0; i < 4; i++)
        distance += (unsigned)__builtin_popcountll(now[i] ^ mark->r[i]);
    if (c->core.trace)
        c->core.trace(c->core.trace_owner, &c->core, cycles, distance);
}

#define AVR_TRACED 1
#define AVR_RUN    avr_exec_run_traced
#include "isa/avr/avr_exec_body.h"
