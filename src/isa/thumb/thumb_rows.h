/*
 * The rows of thumb.isa as data, and the fields of an encoding.
 *
 * Laws: at most one row matches an encoding; an encoding that no row matches is undefined on every
 * core, one whose row has another architecture is undefined on this core.
 */
#ifndef UJ_ISA_THUMB_ROWS_H
#define UJ_ISA_THUMB_ROWS_H

#include <stdbool.h>
#include <stdint.h>

enum thumb_arch { V6M, V7M, V8M, DSP };
enum thumb_core_kind { THUMB_M0PLUS, THUMB_M3, THUMB_M33, THUMB_CORES };

enum thumb_class {
#define THUMB_CLASS(name, m0plus, m3, m33, what) CLASS_##name,
#include "isa/thumb/thumb_classes.h"
#undef THUMB_CLASS
    THUMB_CLASSES
};

/* What the decoder makes of the immediate field. */
enum thumb_kind {
    K_NONE,
    K_IMM,      /* as it is */
    K_IMM2,     /* halfwords */
    K_IMM4,     /* words */
    K_IMM16,    /* j : i */
    K_SHIFT32,  /* 0 means 32 */
    K_ROTATE,   /* bytes of rotation */
    K_EXPAND,   /* constant: byte, pattern or rotated */
    K_SP4,      /* words above the stack pointer, which is operand n */
    K_SPSP4,    /* the same, and it is the result */
    K_LITERAL,  /* words ahead of the aligned program counter; the address */
    K_LITERAL1, /* bytes, sign g */
    K_LITERAL4, /* words, sign g */
    K_ADRADD,
    K_ADRSUB,
    K_OFF,  /* bytes, sign g */
    K_OFF4, /* words, sign g */
    K_NEG,  /* bytes, subtracted */
    K_PUSH,
    K_POP,
    K_POPPC,
    K_LIST,
    K_LISTPC,
    K_CB, /* branch targets */
    K_B8,
    K_B11,
    K_B20,
    K_B24,
    K_IT,
    K_EXTRACT, /* i: lowest bit, w: width - 1 */
    K_INSERT,  /* i: lowest bit, w: highest bit */
    K_SAT,     /* w: width - 1, i: shift */
    K_USAT,    /* w: width */
    K_SYS,     /* i: special register, x: mask */
    K_TT,
};

/* Operations: one a row; a 16-bit row that sets flags outside IT blocks has a second one. */
enum thumb_op {
#define INSN(name, ...)   OP_##name,
#define INSN_S(name, ...) OP_##name, OP_##name##_it,
#include "isa/thumb/thumb.isa"
#undef INSN
#undef INSN_S
    THUMB_ROW_OPS,
    OP_UNDECODED = THUMB_ROW_OPS, /* nothing known of this address yet */
    OP_NEXT_PAGE,                 /* behind the last record of a page */
    OP_GUARD,                     /* in an IT block: is the condition met? */
    OP_PREFIX,                    /* reads the program counter, writes the stack pointer ... */
    OP_WATCHED,
    OP_NO_INSTRUCTION, /* undefined */
    THUMB_OPS
};

struct thumb_row {
    const char *name, *pattern, *limits, *attributes, *text;
    uint16_t op;
    uint8_t arch, class, kind;
    bool sets_flags_outside_it; /* INSN_S */
};

extern const struct thumb_row thumb_rows[];
extern const unsigned thumb_row_count;
extern const char *const thumb_class_names[THUMB_CLASSES], *const thumb_class_texts[THUMB_CLASSES];
/* A test links a copy whose times it can change. */
#ifdef UJ_TIMING_TABLE_MUTABLE
#define THUMB_TABLE
#else
#define THUMB_TABLE const
#endif
extern THUMB_TABLE uint8_t thumb_class_cycles[THUMB_CLASSES][THUMB_CORES];

/* The encoding's halfwords as the manual prints them: the first in bits 31:16 of a wide one. */
static inline bool thumb_is_wide(uint16_t first_half)
{
    return first_half >= 0xe800;
}
/* The row of an encoding, or NULL. */
const struct thumb_row *thumb_row_of(uint32_t code, bool wide);
/* Does this row's pattern, and do its limits, admit the encoding? */
bool thumb_row_matches(const struct thumb_row *row, uint32_t code, bool wide);
bool thumb_row_is_wide(const struct thumb_row *row);
/* The bits of a letter, the highest first; *has (may be NULL) says whether the pattern has it. */
uint32_t thumb_field(const struct thumb_row *row, uint32_t code, char letter, bool *has);
bool thumb_core_has(enum thumb_core_kind core, enum thumb_arch arch);

#endif
