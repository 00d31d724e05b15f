/* From operands to cycles. */
#include "isa/msp430/msp430_insn.h"

#include <stddef.h>

static unsigned each(enum msp430_core_kind core, enum msp430_costs table, unsigned n)
{
    const struct msp430_cost *cost = msp430_cost_find(core, table, MSP430_MODE_NONE);
    return cost ? cost->cycles[0] + n * cost->cycles[1] : 0;
}

/* The column by the destination. */
static enum msp430_cost_column column(const struct msp430_insn *insn)
{
    int row = insn->row;
    bool is_mov = row == MSP430_ROW_mov;
    switch (insn->dst.mode) {
    case MSP430_MODE_NONE: return MSP430_TO_REGISTER;
    case MSP430_MODE_RN:
        if (insn->dst.reg != 0)
            return MSP430_TO_REGISTER;
        return is_mov || row == MSP430_ROW_add || row == MSP430_ROW_sub ? MSP430_TO_PC_SHORT
                                                                        : MSP430_TO_PC;
    default:
        return is_mov || row == MSP430_ROW_bit || row == MSP430_ROW_cmp ? MSP430_TO_MEMORY_SHORT
                                                                        : MSP430_TO_MEMORY;
    }
}

unsigned msp430_insn_cycles(const struct msp430_insn *insn, enum msp430_core_kind core, bool cpu4)
{
    const struct msp430_row *row = &msp430_rows[insn->row];
    enum msp430_costs table = row->costs;
    if (row->class == MSP430_ROTATE)
        return each(core, table, insn->count);
    if (row->class == MSP430_PUSHM || row->class == MSP430_POPM)
        return each(core, insn->bits == 20 ? MSP430_COSTS_PUSHM_A : table, insn->count);
    if (insn->is_extended)
        table += insn->bits == 20 ? 2 : 1;
    if (cpu4 && insn->row == MSP430_ROW_push && insn->src.mode == MSP430_MODE_IMM)
        return MSP430_PUSH_IMMEDIATE_CPU4_CYCLES;
    const struct msp430_cost *cost = msp430_cost_find(core, table, insn->src.mode);
    unsigned cycles = cost ? cost->cycles[column(insn)] : 0;
    unsigned again = insn->repeat & MSP430_REPEAT_COUNT;
    if (again && !(insn->repeat & MSP430_REPEAT_REGISTER))
        cycles += each(core, MSP430_COSTS_REPEAT, again);
    return cycles;
}
