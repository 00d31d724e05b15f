/*
 * One instruction taken apart: what the records of the execution loop and the disassembler are made
 * from.
 *
 * Laws: addresses and constants are final (relative ones added to where their word lies, constants
 * cut to the size); an index is signed.
 */
#ifndef UJ_ISA_MSP430_INSN_H
#define UJ_ISA_MSP430_INSN_H

#include "isa/msp430/msp430_table.h"

enum { MSP430_WORDS_MAX = 4, MSP430_BYTES_MAX = 8 };

struct msp430_operand {
    enum msp430_mode mode;
    uint8_t reg;
    bool is_constant; /* MODE_RN: `value` from the constant generator or of PC, not a register */
    uint32_t value;   /* constant, address (SYM, ABS) or index */
};

struct msp430_insn {
    int row;       /* enum msp430_row_id; -1: no instruction of this core */
    uint16_t word; /* the first word, behind an extension word */
    uint8_t words; /* in all */
    uint8_t bits;  /* 8, 16, 20 */
    bool is_extended;
    struct msp430_operand src, dst; /* an only operand is src */
    uint8_t count;                  /* n of rotations and register lists */
    uint16_t repeat;                /* the extension word's low 9 bits, in register mode; else 0 */
    uint32_t target;                /* of a jump */
};

enum {
    MSP430_REPEAT_COUNT = 0xf,     /* count less one, or the register that holds it */
    MSP430_REPEAT_REGISTER = 0x80, /* that is a register */
    MSP430_REPEAT_ZC = 0x100,      /* carry is taken as 0 */
};

/* Takes the instruction at `address` apart; `words` has MSP430_WORDS_MAX words. */
void msp430_insn_decode(struct msp430_insn *out, const uint16_t *words, uint32_t address,
                        bool is_cpux);

/* Its cycles; without repetitions that a register counts. `cpu4`: the erratum, see msp430_core.h.
 */
unsigned msp430_insn_cycles(const struct msp430_insn *insn, enum msp430_core_kind core, bool cpu4);

#endif
