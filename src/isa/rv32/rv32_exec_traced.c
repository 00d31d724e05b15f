/*
 * The execution loop that calls core->trace after each instruction.
 *
 * The model of what switches: the Hamming distance of the 31 registers before and after the
 * instruction, plus that of each word on the data bus (loaded or stored, narrow ones with zeros
 * above) from the word before it. Control and status registers, the program counter and the
 * instruction fetches are not modelled.
 */
#include <string.h>

#include "isa/rv32/rv32_core.h"
#include "isa/rv32/rv32_timing.h"

struct rv32_trace_mark {
    uint64_t x[16];
};

static inline void rv32_trace_begin(struct rv32_trace_mark *mark, struct rv32_core *c)
{
    memcpy(mark->x, c->x, sizeof mark->x);
    c->bus_distance = 0;
}

static inline void rv32_trace_end(const struct rv32_trace_mark *mark, struct rv32_core *c,
                                  unsigned cycles)
{
    uint64_t now[16];
    unsigned distance = c->bus_distance;
    memcpy(now, c->x, sizeof now);
    for (int i = 0; i < 16; i++)
        distance += (unsigned)__builtin_popcountll(now[i] ^ mark->x[i]);
    if (c->core.trace)
        c->core.trace(c->core.trace_owner, &c->core, cycles, distance);
}

#define RV32_TRACED 1
#define RV32_RUN    rv32_exec_run_traced
#include "isa/rv32/rv32_exec_body.h"
