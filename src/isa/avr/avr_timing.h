/*
 * Costs that depend on more than an instruction's row in avr.isa: named here, each with its rule.
 *
 * The access to data of an instruction happens in the last cycle of its own time (what skipping or
 * a taken branch adds does not count); on AVRe, SBI and CBI read in their first cycle of two and
 * write in the second; a read-modify-write of one cycle does both in it. Bytes of a return address
 * are moved in the last cycles too.
 */
#ifndef UJ_ISA_AVR_TIMING_H
#define UJ_ISA_AVR_TIMING_H

#include "isa/avr/avr_core.h"

/* COST(name, cycles, rule) */
#define AVR_CONTEXT_COSTS(COST)                                                               \
    COST(TAKEN, 1, "a branch that is taken takes one cycle more")                             \
    COST(SKIPPED_WORD, 1, "each word that is skipped takes one cycle more")                   \
    COST(WIDE_PC, 1, "a call or return with a 22-bit program counter takes one cycle more")   \
    COST(IO_LOAD_SAVES, 1,                                                                    \
         "avrxm: LD, LDD and LDS of an address below 0x1000 (I/O) take one cycle less")       \
    COST(DES_FIRST, 1, "avrxm: DES behind another instruction takes one cycle more")          \
    COST(IRQ_AVRE, 4, "avre: an interrupt takes four cycles up to the first at its vector")   \
    COST(IRQ_X, 2, "avrxm, avrxt: an interrupt takes two cycles, the storing of its address") \
    COST(IRQ_WIDE_PC, 1, "an interrupt with a 22-bit program counter takes one cycle more")   \
    COST(IRQ_WAKES_AVRE, 4, "avre: an interrupt that ends sleep takes four cycles more")      \
    COST(IRQ_WAKES_X, 5, "avrxm, avrxt: an interrupt that ends sleep takes five cycles more")
/*
 * Sources of the last five: ATmega48-328 data sheet 8271, "Interrupt Response Time" (four cycles,
 * PC of two bytes pushed meanwhile; four more from sleep); ATmega2560 data sheet 2549 (five); XMEGA
 * AU manual 8331, 12.4.2, and megaAVR 0-series manual, 12.3.2.3 (the running instruction ends, two
 * cycles store the program counter; five more from sleep). For a 22-bit program counter these two
 * give no figure: taken is one byte a cycle, as CALL does it. The clock's start-up time comes on
 * top, from the chip.
 */

enum avr_context {
#define COST(name, cycles, rule) AVR_CONTEXT_##name,
    AVR_CONTEXT_COSTS(COST)
#undef COST
        AVR_CONTEXTS
};

#ifdef UJ_TIMING_TABLE_MUTABLE
extern unsigned avr_context_cycles[AVR_CONTEXTS];
#define AVR_COST(name) avr_context_cycles[AVR_CONTEXT_##name]
#else
enum {
#define COST(name, cycles, rule) AVR_CYCLES_##name = (cycles),
    AVR_CONTEXT_COSTS(COST)
#undef COST
};
#define AVR_COST(name) ((unsigned)AVR_CYCLES_##name)
#endif

/* What an instruction of the row costs on this core, not knowing more. */
static inline unsigned avr_row_cycles(const struct avr_core *c, const struct avr_row *row)
{
    bool moves_pc = row->class == AVR_RCALL || row->class == AVR_CALL || row->class == AVR_ECALL ||
                    row->class == AVR_RET || row->class == AVR_RETI;
    return row->cycles[c->column] + (moves_pc && c->pc_bytes == 3 ? AVR_COST(WIDE_PC) : 0u);
}

/* From the end of the instruction that an interrupt lets finish to the first one at its vector. */
static inline unsigned avr_interrupt_cycles(const struct avr_core *c)
{
    unsigned cycles = c->column == AVR_E ? AVR_COST(IRQ_AVRE) : AVR_COST(IRQ_X);
    if (c->pc_bytes == 3)
        cycles += AVR_COST(IRQ_WIDE_PC);
    if (c->core.woken)
        cycles += c->column == AVR_E ? AVR_COST(IRQ_WAKES_AVRE) : AVR_COST(IRQ_WAKES_X);
    return cycles;
}

#endif
