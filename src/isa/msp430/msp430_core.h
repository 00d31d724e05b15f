/*
 * The MSP430 cores: their state, their decoded records, and what their files share. Others use
 * struct core_class.
 *
 * The classes: msp430 (1xx), msp430x (CPUX: 2xx, 4xx) and msp430xv2 (CPUXv2: 5xx, 6xx).
 *
 * What they ask of the chip
 * - core_port.irq_take() gives the address of the vector's word (0xfffe: reset is none of them);
 *   core.nmi_pending asks for it even where GIE is clear.
 * - core.sleep_mode, and core_port.clock_bits(): the bits of SR that stop things, CPUOFF 0x10,
 * OSCOFF 0x20, SCG0 0x40, SCG1 0x80.
 * - The program counter is fetched from 0xfffe when a core that was reset runs first.
 *
 * When in an instruction a device is accessed
 * - A source in memory is read in cycle 2 if a register points at it, in cycle 3 if a word with an
 *   index or address comes first, and one cycle later behind an extension word; cycle 1 is the
 *   first. 20 bits take two cycles, the lower word first.
 * - A result is written in the last cycle (of 20 bits the lower word in the one before), and its
 *   destination was read in the one before that. BIT and CMP read their destination in the last
 *   cycle, but on the 1xx, where they last as long as others, in the last but one.
 * - What goes on the stack is written in the last cycles, one word a cycle; what comes from it is
 *   read from cycle 2 on.
 *
 * Options in a chip's `core:` map: cpu4 (false): the chip has erratum CPU4, so that PUSH #4 and
 * PUSH #8 by the constant generator are faults and PUSH #N takes a cycle more.
 *
 * Laws
 * - `live` is the truth while the loop does not run. The loop works on a copy of it in registers
 * and writes it back before anything outside the loop is called (MSP430_OUTSIDE).
 * - The cycle now is horizon - live.left; live.left was already lowered by the whole time of the
 *   instruction that is being executed.
 * - The loop itself knows the frequent forms of operands in plain memory; every other instruction
 * goes, untouched, to msp430_execute(), which knows all.
 * - Flags are kept as what they are computed from; msp430_sr() puts them together.
 */
#ifndef UJ_ISA_MSP430_CORE_H
#define UJ_ISA_MSP430_CORE_H

#include "isa/msp430/msp430_insn.h"
#include "sim/core.h"

enum { MSP430_PAGE_BITS = 8, MSP430_PAGE_MASK = 255 };
enum { MSP430_PC, MSP430_SP, MSP430_SR, MSP430_CG };
enum {
    MSP430_SR_C = 0x1,
    MSP430_SR_Z = 0x2,
    MSP430_SR_N = 0x4,
    MSP430_SR_GIE = 0x8,
    MSP430_SR_CPUOFF = 0x10,
    MSP430_SR_SCG0 = 0x40,
    MSP430_SR_CLOCKS = 0xe0, /* OSCOFF, SCG0, SCG1 */
    MSP430_SR_SLEEP = 0xf0,
    MSP430_SR_KEPT = 0xf8, /* kept in core.sr; the others are flags */
    MSP430_SR_V = 0x100,
};
enum { MSP430_RESET_VECTOR = 0xfffe };

/* Where a record's operand is. */
enum msp430_place {
    MSP430_AT_REGISTER,
    MSP430_AT_CONSTANT,
    MSP430_AT_INDEX,
    MSP430_AT_ADDRESS,
    MSP430_AT_POINTER,
    MSP430_AT_POINTER_INC,
    MSP430_AT_NOTHING,
};

/* A decoded instruction, one a word of the address space; all zero: not decoded yet. */
struct msp430_record {
    uint16_t op;    /* enum msp430_op */
    uint8_t cycles; /* without repetitions that a register counts */
    uint8_t words;
    uint8_t s, d; /* registers; d of PUSHM, POPM and rotations; s of an only operand */
    uint8_t row;
    uint8_t source : 3, is_wide : 1, destination : 3; /* places; is_wide: indices of 20 bits */
    uint32_t k; /* source: constant, address, index; jump: distance in records; n of a list */
    uint32_t x : 20, bits : 5, is_extended : 1; /* destination: address, index; or the repetition */
};

/* State that the loop keeps in registers. */
struct msp430_live {
    uint32_t cf;  /* 0 or 1 */
    uint32_t z;   /* 0: Z is set */
    uint32_t n;   /* bit 31 is N */
    uint32_t v;   /* bit 31 is V */
    int64_t left; /* cycles to the deadline */
    uint64_t count;
    struct msp430_record *ip; /* the next instruction */
};

struct msp430_watch {
    uint32_t index; /* word address */
    uint16_t op;    /* the operation that was replaced, MSP430_OP_DECODE while there was none */
};

struct msp430_core {
    struct core core;
    uint32_t r[16]; /* PC, SR and CG are kept elsewhere and 0 here */
    uint32_t sr;    /* GIE and the bits for sleeping */
    struct msp430_live live;
    uint64_t horizon;
    const struct mem_page *pages;
    struct msp430_record *records;
    uint32_t register_mask; /* 0xffff, or 0xfffff on CPUX */
    enum msp430_core_kind kind;
    bool is_cpux;
    bool cpu4;
    bool is_reset;           /* the program counter has yet to be fetched */
    uint8_t hold;            /* instructions before an interrupt may be accepted */
    uint8_t last_call_bytes; /* 2 after CALL, 4 after CALLA */
    uint16_t bus;            /* the word or byte moved last by msp430_execute() */
    uint8_t bus_distance;

    struct msp430_watch *watches;
    size_t watch_count, watch_capacity;
    uint32_t watch_pass; /* index whose watch has been reported; UINT32_MAX: none */
};

/* The fast forms of an instruction with two operands: 2 sizes x 6 sources x 3 destinations. */
#define MSP430_FORMS_TO(F, name, size, source) \
    F(name, size, source, R) F(name, size, source, X) F(name, size, source, A)
#define MSP430_FORMS_OF(F, name, size) \
    MSP430_FORMS_TO(F, name, size, R)  \
    MSP430_FORMS_TO(F, name, size, N)  \
    MSP430_FORMS_TO(F, name, size, X)  \
    MSP430_FORMS_TO(F, name, size, A)  \
    MSP430_FORMS_TO(F, name, size, I)  \
    MSP430_FORMS_TO(F, name, size, P)
#define MSP430_FORMS(F, name) MSP430_FORMS_OF(F, name, B) MSP430_FORMS_OF(F, name, W)
enum { MSP430_FORMS_SIZE = 18, MSP430_FORMS_SOURCE = 3 };

/* Operations of records: some of the machine's own, fast forms, and MSP430_OP_GENERAL for the rest.
 */
enum msp430_op {
    MSP430_OP_DECODE,  /* nothing is decoded here yet */
    MSP430_OP_WATCH,   /* somebody watches this address */
    MSP430_OP_OUTSIDE, /* no memory to execute here */
    MSP430_OP_ILLEGAL, /* no instruction of this core */
    MSP430_OP_GENERAL, /* by msp430_execute() */
    MSP430_OP_NOP,
    MSP430_OP_RET,
    MSP430_OP_BR,
    MSP430_OP_CALL,
    MSP430_OP_CLRC,
    MSP430_OP_SETC,
    MSP430_OP_ADD_SP,
    MSP430_OP_SUB_SP,
    MSP430_OP_PUSH_R,
    MSP430_OP_PUSH_N,
#define MSP430_FORM_ID(name, size, source, destination) \
    MSP430_OP_##name##_##size##_##source##destination,
#define MSP430_IDS_MOVE(name)  MSP430_FORMS(MSP430_FORM_ID, name)
#define MSP430_IDS_RMW(name)   MSP430_IDS_MOVE(name)
#define MSP430_IDS_TEST(name)  MSP430_IDS_MOVE(name)
#define MSP430_IDS_SHIFT(name) MSP430_OP_##name##_B, MSP430_OP_##name##_W,
#define MSP430_IDS_JUMP(name)  MSP430_OP_##name,
#define MSP430_IDS_PUSH(name)
#define MSP430_IDS_CALL(name)
#define MSP430_IDS_CALLA(name)
#define MSP430_IDS_RETI(name)
#define MSP430_IDS_EXTENSION(name)
#define MSP430_IDS_ADDR_MOVE(name)
#define MSP430_IDS_ADDR_RMW(name)
#define MSP430_IDS_ADDR_TEST(name)
#define MSP430_IDS_ROTATE(name)
#define MSP430_IDS_PUSHM(name)
#define MSP430_IDS_POPM(name)
#define INSN(name, syntax, encoding, class, cores, costs, semantics) MSP430_IDS_##class(name)
#include "isa/msp430/msp430.isa"
#undef INSN
    MSP430_OPS
};

static inline uint32_t msp430_index(const struct msp430_core *c)
{
    return (uint32_t)(c->live.ip - c->records);
}

/* msp430_decode.c */

/* Allocates the records of the whole address space. */
void msp430_attach(struct msp430_core *c);
/* Decodes the word at the index into its record, which gets MSP430_OP_WATCH where it is watched. */
void msp430_decode(struct msp430_core *c, uint32_t index);
/* The operation behind MSP430_OP_WATCH. */
uint16_t msp430_watched_op(const struct msp430_core *c, uint32_t index);
void msp430_watch(struct core *core, uint32_t address, bool on);
void msp430_code_changed(struct core *core, uint32_t address, size_t bytes);

/* msp430_execute.c: any instruction, on c->live, of which the record is no longer the next and
 * whose cycles were subtracted. */
void msp430_execute(struct msp430_core *c, const struct msp430_record *record);
/* A memory access `back` cycles before the end of the instruction; 1: in its last cycle. */
uint32_t msp430_read_word(struct msp430_core *c, uint32_t address, unsigned back);
void msp430_push_word(struct msp430_core *c, uint32_t value, unsigned back);
/* SR, whole; tells the chip and the loop what follows from it. */
void msp430_write_sr(struct msp430_core *c, uint32_t value);
/* Goes to `target`, from the instruction at `from`; a fault if it is odd. */
void msp430_go(struct msp430_core *c, uint32_t target, uint32_t from);

/* msp430_exec.c, msp430_exec_traced.c */
enum core_stop msp430_run(struct core *core);
enum core_stop msp430_run_traced(struct core *core);

/* msp430_attention.c: looks at what somebody wants; -1: go on, else why run() returns. */
int msp430_attend(struct msp430_core *c, bool traced);
/* Ends with a fault at the next instruction: OP_OUTSIDE or OP_ILLEGAL. */
void msp430_no_instruction(struct msp430_core *c);
/* Sets live.left and horizon anew from core.deadline; `now` is the cycle that left stands for. */
void msp430_reload(struct msp430_core *c, uint64_t now);

/* msp430_disasm.c */
unsigned msp430_disassemble(const struct core_class *class, char *out, size_t size,
                            const uint8_t *code, size_t code_bytes, uint32_t address);

extern const struct core_class msp430_core_msp430, msp430_core_msp430x, msp430_core_msp430xv2;

#endif
