/*
 * The rows of msp430.isa and msp430_cost.isa as data.
 *
 * Laws: rows keep the order of their files.
 */
#ifndef UJ_ISA_MSP430_TABLE_H
#define UJ_ISA_MSP430_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/msp430/msp430_params.h"

enum msp430_core_kind { MSP430_CORE_MSP430, MSP430_CORE_MSP430X, MSP430_CORE_MSP430XV2 };
enum { MSP430_CORES = 3 };

/* What the machine does with the operands. */
enum msp430_class {
    MSP430_MOVE,      /* the destination becomes the result and is not read */
    MSP430_RMW,       /* the destination is read and becomes the result */
    MSP430_TEST,      /* the destination is read and stays */
    MSP430_SHIFT,     /* the only operand is read and becomes the result */
    MSP430_PUSH,      /* the operand goes on the stack */
    MSP430_CALL,      /* a return address of 16 bits goes on the stack */
    MSP430_CALLA,     /* a return address of 20 bits goes on the stack */
    MSP430_RETI,      /* back from an interrupt */
    MSP430_JUMP,      /* to a relative address if the condition holds */
    MSP430_EXTENSION, /* no instruction: the first word of one */
    MSP430_ADDR_MOVE, /* MOVE, RMW, TEST of 20 bits, with the operands that the syntax gives */
    MSP430_ADDR_RMW,
    MSP430_ADDR_TEST,
    MSP430_ROTATE, /* a register is shifted n times */
    MSP430_PUSHM,  /* n registers go on the stack */
    MSP430_POPM,   /* n registers come from the stack */
};

enum msp430_cores { MSP430_ALL, MSP430_X };

/* Tables of costs. _X and _XA follow their plain one. */
enum msp430_costs {
    MSP430_COSTS_NONE,
    MSP430_COSTS_DOUBLE,
    MSP430_COSTS_DOUBLE_X,
    MSP430_COSTS_DOUBLE_XA,
    MSP430_COSTS_SHIFT,
    MSP430_COSTS_SHIFT_X,
    MSP430_COSTS_SHIFT_XA,
    MSP430_COSTS_PUSH,
    MSP430_COSTS_PUSH_X,
    MSP430_COSTS_PUSH_XA,
    MSP430_COSTS_CALL,
    MSP430_COSTS_CALLA,
    MSP430_COSTS_JUMP,
    MSP430_COSTS_RETI,
    MSP430_COSTS_INTERRUPT,
    MSP430_COSTS_RESET,
    MSP430_COSTS_MOVA,
    MSP430_COSTS_ADDRESS,
    MSP430_COSTS_ROTATE,
    MSP430_COSTS_PUSHM,
    MSP430_COSTS_PUSHM_A,
    MSP430_COSTS_REPEAT,
    MSP430_COSTS_TABLES
};

/* Operand modes as the costs tell them apart. */
enum msp430_mode {
    MSP430_MODE_NONE,
    MSP430_MODE_RN, /* a register or a constant of the generator */
    MSP430_MODE_IND,
    MSP430_MODE_INC,
    MSP430_MODE_IMM,
    MSP430_MODE_IDX,
    MSP430_MODE_IDX_SP,
    MSP430_MODE_SYM,
    MSP430_MODE_ABS,
    MSP430_MODES
};

enum msp430_row_id {
#define INSN(name, syntax, encoding, class, cores, costs, semantics) MSP430_ROW_##name,
#include "isa/msp430/msp430.isa"
#undef INSN
    MSP430_ROWS
};

struct msp430_row {
    const char *name, *syntax, *encoding;
    enum msp430_class class;
    enum msp430_cores cores;
    enum msp430_costs costs;
};
extern const struct msp430_row msp430_rows[MSP430_ROWS];

enum msp430_cost_column {
    MSP430_TO_REGISTER,
    MSP430_TO_PC,
    MSP430_TO_PC_SHORT,
    MSP430_TO_MEMORY,
    MSP430_TO_MEMORY_SHORT,
    MSP430_COST_COLUMNS
};

struct msp430_cost {
    enum msp430_core_kind core;
    enum msp430_costs table;
    enum msp430_mode source;
    uint8_t cycles[MSP430_COST_COLUMNS]; /* 0: no such instruction */
    bool is_each;                        /* cycles[0] + n * cycles[1] */
};

#ifdef UJ_TIMING_TABLE_MUTABLE
extern struct msp430_cost msp430_costs[]; /* for the test that changes each and must fail */
#else
extern const struct msp430_cost msp430_costs[];
#endif
extern const unsigned msp430_cost_count;

/* The row for a core, a table and a source; NULL: none. */
const struct msp430_cost *msp430_cost_find(enum msp430_core_kind core, enum msp430_costs table,
                                           enum msp430_mode source);

const char *msp430_core_name(enum msp430_core_kind core);
const char *msp430_costs_name(enum msp430_costs table);
const char *msp430_mode_name(enum msp430_mode mode);

/* A row's encoding as numbers. */
struct msp430_form {
    uint16_t mask, match;
};
struct msp430_form msp430_form_of(const char *encoding);
/* The bits of the word where the encoding has `letter`; *width is how many they are. */
unsigned msp430_field(const char *encoding, char letter, uint16_t word, unsigned *width);
/* The row of a first word; -1: none. */
int msp430_row_find(uint16_t word, bool is_cpux);

#endif
