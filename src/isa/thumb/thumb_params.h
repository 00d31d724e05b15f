/*
 * Figures of the cores' timing that are not in the class table: where a public source states them
 * the source is named, where none does the choice is marked "chosen" with the range that it may
 * have. Everything here can be set in a chip's `core:` map under the same name.
 *
 * THUMB_PARAM(name, M0+, M3, M33, low, high, standing)
 */
#ifndef THUMB_PARAM
#ifndef UJ_ISA_THUMB_PARAMS_H
#define UJ_ISA_THUMB_PARAMS_H
struct thumb_params {
#define THUMB_PARAM(name, m0plus, m3, m33, low, high, standing) int name;
#include "isa/thumb/thumb_params.h"
#undef THUMB_PARAM
};
#endif
#else
/* The chip's choices */
THUMB_PARAM(priority_bits, 2, 3, 4, 2, 8, "chip: CC2538 3, RP2350 4; ARMv6-M has 2")
THUMB_PARAM(irqs, 32, 64, 52, 1, 480, "chip: external interrupts")
THUMB_PARAM(multiply_cycles, 1, 1, 1, 1, 32, "M0+: 1 fast (RP2040, measured on SAM D20), 32 small")
THUMB_PARAM(bit_band, 0, 1, 0, 0, 1, "M3: aliases of the first MiB of SRAM and peripherals")
THUMB_PARAM(stack_alignment, 1, 1, 1, 0, 1, "reset value of CCR.STKALIGN; M3 before r2p0 has 0")
THUMB_PARAM(vector_table, 0, 0, 0, 0, 0x7fffffff, "chip: address of the vector table at reset")
/* Exceptions: no measurement found; the manuals' figures for zero-wait memory */
THUMB_PARAM(exception_entry, 15, 12, 12, 6, 32, "manual; M33 by analogy with M3")
THUMB_PARAM(exception_return, 13, 12, 12, 6, 32, "chosen; M3 manual, others by analogy, +-3")
THUMB_PARAM(tail_chain, 9, 6, 6, 2, 32, "M3 manual; others chosen, +-3")
/* Branches */
THUMB_PARAM(wide_target, 0, 1, 0, 0, 2, "32-bit instruction at an odd halfword; measured on M4")
THUMB_PARAM(wide_run, 0, 1, 0, 0, 2,
            "M3: three 32-bit instructions at odd halfwords, the first of "
            "several cycles; exact rule unknown")
THUMB_PARAM(starved_branch, 0, 1, 0, 0, 2,
            "M3: not taken with fewer than two 16-bit instructions "
            "near it; measured once")
/* Loads and stores */
THUMB_PARAM(literal_extra, 0, 0, 0, 0, 1, "M3 manual: a literal may take 1 more; chosen")
THUMB_PARAM(same_base_store, 0, 1, 0, 0, 2,
            "M3: a store whose base the store before it moved; "
            "measured to exist, size chosen")
THUMB_PARAM(misaligned_word_half, 0, 1, 1, 0, 3, "M3 manual; M33 by analogy")
THUMB_PARAM(misaligned_word_byte, 0, 2, 1, 0, 3, "M3 manual; M33 chosen, 1-2")
THUMB_PARAM(misaligned_half, 0, 1, 1, 0, 3, "M3 manual; M33 by analogy")
THUMB_PARAM(misaligned_store, 0, 0, 1, 0, 1, "1: stores pay too; M3 manual: hidden; M33 chosen")
/* Multiplication and division */
THUMB_PARAM(long_multiply_range, 0, 2, 0, 0, 4,
            "M3: cycles above the least when an operand is "
            "65536 or more; manual's ends, rule doubtful")
THUMB_PARAM(long_accumulate_range, 0, 3, 0, 0, 4, "the same of UMLAL and SMLAL")
THUMB_PARAM(divide_bits_per_cycle, 0, 4, 4, 1, 32,
            "quotient bits a cycle; ends 2-12 (M3 manual), "
            "2-11 (M33, chosen); rule doubtful")
THUMB_PARAM(divide_least, 0, 2, 2, 1, 12, "M3 manual; M33 chosen")
THUMB_PARAM(divide_most, 0, 12, 11, 2, 35, "M3 manual; M33 chosen")
#endif
