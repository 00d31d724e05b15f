/*
 * Costs that depend on more than an instruction's row in avr.isa: named here, each with its rule.
 *
 * The access to data of an instruction happens in the last cycle of its own time (what skipping or
 * a taken branch adds does not count); SBI and CBI read in their first cycle and write in their
 * last.
 */
#ifndef UJ_ISA_AVR_TIMING_H
#define UJ_ISA_AVR_TIMING_H

#include "isa/avr/avr_core.h"

/* A taken branch costs one cycle more, in every core. */
enum { AVR_TAKEN_CYCLES = 1 };

/* Each skipped word costs one cycle more, in every core. */
enum { AVR_SKIPPED_WORD_CYCLES = 1 };

/* XMEGA: a load whose address is an I/O register takes one cycle less. */
enum { AVR_IO_LOAD_SAVES_CYCLES = 1 };

/* The first DES instruction behind another one takes one cycle more. */
enum { AVR_DES_FIRST_CYCLES = 1 };

/* Calls and returns move one byte more, in one cycle more, where the program counter has 22 bits.
 */
static inline unsigned avr_row_cycles(const struct avr_core *c, const struct avr_row *row)
{
    bool moves_pc = row->class == AVR_RCALL || row->class == AVR_CALL || row->class == AVR_ECALL ||
                    row->class == AVR_RET || row->class == AVR_RETI;
    return row->cycles[c->column] + (moves_pc && c->pc_bytes == 3 ? 1u : 0u);
}

/*
 * From the end of the instruction that an interrupt lets finish to the first instruction at its
 * vector. ATmega data sheets, "Interrupt Response Time": four cycles (five with a 22-bit program
 * counter). XMEGA AU manual 8331, 12.4.2, and the mega-0 family's manual: the running instruction
 * ends, then the program counter is stored, two cycles (three with a 22-bit one, a byte a cycle as
 * in CALL).
 */
static inline unsigned avr_interrupt_cycles(const struct avr_core *c)
{
    return c->column == AVR_E ? 2u + c->pc_bytes : c->pc_bytes;
}

/* The same sections: what the response takes longer out of sleep, the clock's start-up time aside.
 */
static inline unsigned avr_wake_cycles(const struct avr_core *c)
{
    return c->column == AVR_E ? 4u : 5u;
}

#endif
