/*
 * The rows of rv32.isa as data, and the operations of decoded records.
 *
 * Laws: rows keep the order of rv32.isa; an operation's number is RV32_FIRST_LONG plus the row for
 * an instruction of 32 bits (and for those of Zcmp), RV32_FIRST_SHORT plus the base row for a
 * 16-bit form of it.
 */
#ifndef UJ_ISA_RV32_TABLE_H
#define UJ_ISA_RV32_TABLE_H

#include <stdbool.h>
#include <stdint.h>

/* What the loop does around a row's semantics. */
enum rv32_class {
    RV32_ALU,        /* writes the semantics' value */
    RV32_NOP,        /* does nothing */
    RV32_LOAD,       /* ALU; the next instruction waits for the value */
    RV32_STORE,      /* the semantics alone; waits for its address, not for its data */
    RV32_BRANCH,     /* relative, if the condition holds */
    RV32_JAL,        /* relative, with link */
    RV32_JALR,       /* to the address that the semantics give, with link */
    RV32_SDIV,       /* ALU; one cycle more for a negative dividend */
    RV32_UDIV,       /* ALU, of many cycles */
    RV32_LR,         /* LOAD; keeps the next exclusive access waiting */
    RV32_SC,         /* the same */
    RV32_AMO,        /* LOAD and STORE, complete before the next instruction */
    RV32_CSR,        /* ALU, outside the loop */
    RV32_FENCE_I,    /* fetches the next instruction anew */
    RV32_TRAP,       /* the semantics, outside the loop; they may move the program counter */
    RV32_PUSH,       /* Zcmp: the stores, then sp */
    RV32_POP,        /* the loads, then sp */
    RV32_POPRET,     /* POP and return */
    RV32_POPRETZ,    /* the same with a0 = 0 */
    RV32_TO_SAVED,   /* a0 and a1 into two of s0 to s7 */
    RV32_FROM_SAVED, /* the reverse */
    RV32_CLASSES
};

/* Field values that a row does not take; and immediates that are not in the encoding. */
enum {
    RV32_ALL = 0,
    RV32_NO_D0 = 1,
    RV32_NO_D2 = 2,
    RV32_NO_S0 = 4,
    RV32_NO_T0 = 8,
    RV32_NO_K0 = 16,
    RV32_K_FF = 32,
    RV32_K_ONES = 64,
};

enum rv32_row_id {
#define INSN(name, syntax, encoding, class, hazard3, semantics)        RV32_ROW_##name,
#define VARIANT(name, of, syntax, encoding, class, hazard3, semantics) RV32_ROW_##name,
#define SHORT(name, syntax, encoding, where, base, d, s, t)
#include "isa/rv32/rv32.isa"
#undef INSN
#undef VARIANT
#undef SHORT
    RV32_ROWS
};

enum rv32_short_id {
#define INSN(name, syntax, encoding, class, hazard3, semantics)
#define VARIANT(name, of, syntax, encoding, class, hazard3, semantics)
#define SHORT(name, syntax, encoding, where, base, d, s, t) RV32_SHORT_##name,
#include "isa/rv32/rv32.isa"
#undef INSN
#undef VARIANT
#undef SHORT
    RV32_SHORTS
};

enum rv32_op {
    RV32_OP_DECODE,  /* nothing is decoded here yet */
    RV32_OP_WATCH,   /* somebody watches this address */
    RV32_OP_OUTSIDE, /* behind the last halfword of a region */
    RV32_OP_FAR,     /* a branch or jump out of the region */
    RV32_OP_ILLEGAL, /* no instruction */
    RV32_OP_STACK,   /* one that may lower the stack pointer: notes it, then is executed */
    RV32_FIRST_LONG,
    RV32_FIRST_SHORT = RV32_FIRST_LONG + RV32_ROWS,
    RV32_OPS = RV32_FIRST_SHORT + RV32_ROWS
};

struct rv32_row {
    const char *name, *syntax, *encoding;
    enum rv32_class class;
    uint8_t cycles; /* on hazard3 */
    int variant_of; /* the row it is a special case of, or -1 */
};

/* In place of a register's number: the field of that letter. */
enum { RV32_FIELD_D = -1, RV32_FIELD_S = -2, RV32_FIELD_T = -3 };

struct rv32_short {
    const char *name, *syntax, *encoding;
    unsigned where;
    enum rv32_row_id base;
    int8_t d, s, t;
};

#ifdef UJ_TIMING_TABLE_MUTABLE
extern struct rv32_row rv32_rows[RV32_ROWS]; /* for the test that changes each time and must fail */
#else
extern const struct rv32_row rv32_rows[RV32_ROWS];
#endif
extern const struct rv32_short rv32_shorts[RV32_SHORTS];

/* An encoding as numbers. */
struct rv32_form {
    uint32_t mask, match;
    uint8_t bytes; /* 2 or 4 */
};
void rv32_form_of(struct rv32_form *out, const char *encoding);

/* An instruction, resolved: register numbers, the immediate with its sign. */
struct rv32_operands {
    uint8_t d, s, t; /* as the encoding has them; 0 where it has none */
    uint8_t list;    /* of Zcmp */
    uint32_t k;
};
void rv32_operands_of(struct rv32_operands *out, const char *encoding, const char *syntax,
                      uint32_t code);

/* What an instruction is. */
struct rv32_found {
    int row;    /* -1: no instruction */
    int short_; /* the 16-bit form, or -1 */
    unsigned bytes;
    struct rv32_operands operands; /* of the row */
};
void rv32_find(struct rv32_found *out, uint32_t code);

/* Does this form, its mask matched, take the instruction's field values? */
bool rv32_short_takes(const struct rv32_short *form, uint32_t code);
bool rv32_row_takes(enum rv32_row_id row, uint32_t code);

/* Registers of a list of Zcmp, ra first; how many. */
unsigned rv32_list(uint8_t out[13], unsigned list);
/* Bytes by which a list and its immediate move sp. */
uint32_t rv32_list_bytes(unsigned list, uint32_t k);
/* One of s0 to s7, as cm.mvsa01 numbers them. */
static inline uint8_t rv32_saved(unsigned number)
{
    return (uint8_t)(number < 2 ? 8 + number : 16 + number);
}

#endif
