/*
 * The rows of avr.isa as data, and the operations of decoded records.
 *
 * Laws: an operation's number is AVR_ROWS_FIRST plus its row; the rows keep the order of avr.isa.
 */
#ifndef UJ_ISA_AVR_TABLE_H
#define UJ_ISA_AVR_TABLE_H

#include <stdbool.h>
#include <stdint.h>

enum avr_column { AVR_E, AVR_XM, AVR_XT, AVR_COLUMNS };

/* What the loop does around a row's semantics, and on which chips the row exists. */
enum avr_row_class {
    AVR_PLAIN,  /* the semantics alone */
    AVR_ATTEND, /* afterwards somebody may want attention: interrupts, sleep */
    AVR_LOAD,   /* PLAIN; costs less on XMEGA where the address is an I/O register */
    AVR_STORE,  /* PLAIN */
    AVR_DES,    /* PLAIN; costs more behind another instruction; option `des` */
    AVR_RMW,    /* PLAIN; option `rmw` */
    AVR_ELPM,   /* PLAIN; only with RAMPZ */
    AVR_BRANCH, /* to a relative address if the condition holds */
    AVR_SKIP,   /* of the next instruction if the condition holds */
    AVR_RJMP,   /* to a relative address */
    AVR_JUMP,   /* to the word address that the semantics give */
    AVR_EJUMP,  /* JUMP; only with a 22-bit program counter */
    AVR_RCALL,  /* pushes the return address, then RJMP */
    AVR_CALL,   /* pushes the return address, then JUMP */
    AVR_ECALL,  /* CALL; only with a 22-bit program counter */
    AVR_RET,    /* JUMP */
    AVR_RETI,   /* JUMP; ends an interrupt handler */
};

enum avr_row_id {
#define INSN(name, syntax, encoding, class, avre, xm, xt, semantics)        AVR_ROW_##name,
#define VARIANT(name, of, syntax, encoding, class, avre, xm, xt, semantics) AVR_ROW_##name,
#include "isa/avr/avr.isa"
#undef INSN
#undef VARIANT
    AVR_ROWS
};

enum avr_op {
    AVR_OP_DECODE,  /* nothing is decoded here yet */
    AVR_OP_WATCH,   /* somebody watches this address */
    AVR_OP_OUTSIDE, /* behind the last word of flash */
    AVR_OP_ILLEGAL, /* no instruction of this core */
    AVR_ROWS_FIRST,
    AVR_OPS = AVR_ROWS_FIRST + AVR_ROWS
};

struct avr_row {
    const char *name, *syntax, *encoding;
    enum avr_row_class class;
    uint8_t cycles[AVR_COLUMNS]; /* 0: not in this core */
    int variant_of;              /* the row it is a special case of, or -1 */
};

#ifdef UJ_TIMING_TABLE_MUTABLE
extern struct avr_row avr_rows[AVR_ROWS]; /* for the test that changes each time and must fail */
#else
extern const struct avr_row avr_rows[AVR_ROWS];
#endif

/* A row's encoding as numbers. */
struct avr_form {
    uint16_t mask, match; /* of the first word */
    uint8_t words;
};
void avr_form_of(struct avr_form *out, const char *encoding);

/* The operands of an instruction, resolved: register numbers, constants, relative addresses signed.
 */
struct avr_operands {
    uint8_t d; /* the only or the first register */
    uint8_t r; /* the second register, or the bit */
    int32_t k; /* constant, address, displacement */
};
void avr_operands_of(struct avr_operands *out, const struct avr_row *row, uint16_t first,
                     uint16_t second);

/* The row of an instruction's first word, variants first; -1: none. */
int avr_row_find(uint16_t first);

#endif
