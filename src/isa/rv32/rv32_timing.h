/*
 * Costs of hazard3 that depend on more than an instruction's row in rv32.isa: named here, each with
 * its rule.
 *
 * The pipeline has three stages: fetch with a queue of two words and a window of three halfwords,
 * execute (X), and memory (M). Execute takes one instruction a cycle; what keeps it waiting is
 * counted here.
 */
#ifndef UJ_ISA_RV32_TIMING_H
#define UJ_ISA_RV32_TIMING_H

#include "isa/rv32/rv32_core.h"

/* COST(name, cycles, rule) */
#define RV32_CONTEXT_COSTS(COST)                                                                   \
    COST(TAKEN, 1, "a jump, a taken branch that was not predicted, or a predicted one not taken")  \
    COST(MISALIGNED, 1, "the fetch lands on a 32-bit instruction that is not word-aligned")        \
    COST(STARVED, 1,                                                                               \
         "a predicted branch to such an instruction, when its first half was not fetched early")   \
    COST(LOAD_USE, 1,                                                                              \
         "the next instruction needs a loaded register (lr.w, sc.w too) for more than store data") \
    COST(EXCLUSIVE, 1, "lr.w, sc.w or an AMO directly behind lr.w or sc.w")                        \
    COST(NEGATIVE_DIVIDEND, 1, "div or rem of a negative dividend")                                \
    COST(LISTED, 1, "each register of cm.push, cm.pop, cm.popret and cm.popretz")                  \
    COST(CLEARED, 1, "cm.popretz clears a0")                                                       \
    COST(RETURN_USE, 1, "cm.popret of ra alone waits for ra")                                      \
    COST(TRAPPED, 2, "an exception or mret, up to the first instruction at its target")            \
    COST(BUS_FAULT, 1, "an exception that the bus reports, in the second cycle of its answer")     \
    COST(INTERRUPTED, 2, "an interrupt, up to the first instruction at its vector")
/*
 * Sources: readings on the RTL at the tape-out revision of RP2350
 * (tests/cycles/hazard3_kernels.tsv) and the RTL's own stall conditions; RP2350 data sheet, 3.8.7,
 * where they agree with it.
 *
 * A bus access that waits holds memory, and with it execute: the next instruction is kept there as
 * many cycles. What that one does meanwhile overlaps: the refill of a jump, and a division.
 */

enum rv32_context {
#define COST(name, cycles, rule) RV32_CONTEXT_##name,
    RV32_CONTEXT_COSTS(COST)
#undef COST
        RV32_CONTEXTS
};

#ifdef UJ_TIMING_TABLE_MUTABLE
extern unsigned rv32_context_cycles[RV32_CONTEXTS];
#define RV32_COST(name) rv32_context_cycles[RV32_CONTEXT_##name]
#else
enum {
#define COST(name, cycles, rule) RV32_CYCLES_##name = (cycles),
    RV32_CONTEXT_COSTS(COST)
#undef COST
};
#define RV32_COST(name) ((unsigned)RV32_CYCLES_##name)
#endif

/* An instruction's own time, without what it lays on the next. */
unsigned rv32_own_cycles(const struct rv32_found *found);
/* The stall that an instruction lays on the one behind it. */
unsigned rv32_after_cycles(const struct rv32_found *found, const struct rv32_found *next);
/* What a jump that lands on it costs more. */
static inline unsigned rv32_entry_cycles(uint32_t address, unsigned bytes)
{
    return bytes == 4 && (address & 2) ? RV32_COST(MISALIGNED) : 0;
}

/* The instruction behind the one in execution was kept waiting by the bus. */
void rv32_waited(struct rv32_core *c, const struct rv32_record *rec, unsigned cycles);
/* Has a predicted branch, just executed, to wait for the second half of a misaligned target? On
 * c->live. */
unsigned rv32_starved(struct rv32_core *c, const struct rv32_record *branch,
                      const struct rv32_record *target);

#endif
