/*
 * The AVR core: its state, its decoded records, and what its files share. Others use struct
 * core_class.
 *
 * Laws
 * - `live` is the truth while the core does not run. The loop works on a copy of it in registers
 * and writes it back before anything outside the loop is called (AVR_OUTSIDE in avr_semantics.h).
 * - The cycle now is horizon - live.left; live.left was already lowered by the whole time of the
 *   instruction that is being executed.
 * - Instructions retired = live.count + (live.ip - records): a jump changes count by as much as it
 *   moves ip, an instruction of two words lowers it by one.
 * - The flags are kept as what they are computed from; avr_sreg() puts them together.
 */
#ifndef UJ_ISA_AVR_CORE_H
#define UJ_ISA_AVR_CORE_H

#include "isa/avr/avr_table.h"
#include "sim/core.h"

enum { AVR_PAGE_BITS = 8, AVR_PAGE_MASK = 255 };

/* A decoded instruction, one a word of flash; all zero: not decoded yet. */
struct avr_record {
    uint8_t op;     /* enum avr_op */
    uint8_t d, r;   /* first register; second register, or bit */
    uint8_t cycles; /* base time on this core */
    int32_t k;      /* constant, address, or relative address in records */
};

enum {
    AVR_CF = 0x100,       /* in live.cf: C */
    AVR_NOT_ZERO = 0x1ff, /* in live.nz: any of these means Z is clear */
    AVR_XF_H = 0x10,      /* in live.xf: H */
    AVR_XF_V = 0x80,      /* in live.xf: V when this bit differs from the next one up */
};
#define AVR_NZ_FLIP_N 0x20000000u /* in live.nz: N is the opposite of bit 7 */
#define AVR_NZ_FLIP_S 0x80000000u /* in live.nz: S is the opposite of N xor V */

/* State that the loop keeps in registers. */
struct avr_live {
    uint32_t cf; /* bit 8 is C: a sum or difference of nine bits */
    uint32_t
        nz; /* the last result; bit 7 is N; 0x100 stands for an earlier part that was not zero */
    uint32_t xf;  /* carries into each bit: bit 4 is H, bits 7 and 8 differ for V */
    int64_t left; /* cycles to the deadline */
    int64_t count;
    struct avr_record *ip; /* the next instruction */
};

struct avr_watch {
    uint32_t index; /* word address */
    uint8_t op;     /* the operation that was replaced, AVR_OP_DECODE while there was none */
};

struct avr_core {
    struct core core;
    uint8_t r[32]; /* words of it are little-endian pairs */
    uint32_t sp;
    uint8_t t, i; /* SREG's T and I, 0 or 1 */
    uint8_t bus;  /* the data byte moved last, in the traced variant */
    uint8_t bus_distance;
    struct avr_live live;
    uint64_t horizon;
    const struct mem_page *data_pages, *code_pages;
    struct avr_record *records; /* of all words, and two behind them */
    uint32_t code_words, pc_mask;
    uint8_t op_words[AVR_OPS];
    struct avr_form forms[AVR_ROWS];

    enum avr_column column;
    unsigned pc_bytes;     /* on the stack: 2 or 3 */
    unsigned vector_words; /* between two interrupt vectors */
    uint32_t io_base;      /* data address of I/O register 0 */
    uint32_t io_end; /* data address behind the I/O registers that loads reach a cycle earlier */
    bool wide_data;  /* data addresses of 24 bits, with RAMPX, RAMPY, RAMPZ and RAMPD */
    bool has_rampz, has_des, has_rmw;
    uint8_t ramp[4]; /* RAMPD, RAMPX, RAMPY, RAMPZ */
    uint8_t eind;

    uint8_t sp_halves; /* halves of SP written since both were: 1 SPL, 2 SPH */
    uint8_t hold;      /* instructions before an interrupt may be accepted */
    uint8_t hold_io;   /* the same, ended by the next write to I/O (XMEGA, behind a write to SPL) */
    uint64_t des_end;  /* the cycle behind the last DES instruction */

    struct avr_watch *watches;
    size_t watch_count, watch_capacity;
    uint32_t watch_pass; /* word address whose watch has been reported; UINT32_MAX: none */
};

enum { AVR_RAMPD, AVR_RAMPX, AVR_RAMPY, AVR_RAMPZ };

/* I/O addresses of the CPU's own registers, the same in all families. */
enum {
    AVR_IO_CCP = 0x34,
    AVR_IO_RAMPD = 0x38,
    AVR_IO_RAMPX = 0x39,
    AVR_IO_RAMPY = 0x3a,
    AVR_IO_RAMPZ = 0x3b,
    AVR_IO_EIND = 0x3c,
    AVR_IO_SPL = 0x3d,
    AVR_IO_SPH = 0x3e,
    AVR_IO_SREG = 0x3f,
};

enum { SREG_C, SREG_Z, SREG_N, SREG_V, SREG_S, SREG_H, SREG_T, SREG_I };

/* No interrupt is accepted for so many instructions more. */
static inline void avr_hold(struct avr_core *c, uint8_t instructions)
{
    if (c->hold < instructions)
        c->hold = instructions;
}

static inline uint32_t avr_index(const struct avr_core *c)
{
    return (uint32_t)(c->live.ip - c->records);
}

/* avr_decode.c */

/* Allocates the records once the code space is known; false: there is no flash. */
bool avr_attach(struct avr_core *c);
/* Decodes the word at the index into its record, which gets AVR_OP_WATCH where it is watched. */
void avr_decode(struct avr_core *c, uint32_t index);
/* Words of the instruction at the index, decoding it if need be. */
unsigned avr_words_at(struct avr_core *c, uint32_t index);
/* The operation behind AVR_OP_WATCH. */
uint8_t avr_watched_op(const struct avr_core *c, uint32_t index);
void avr_watch(struct core *core, uint32_t address, bool on);
void avr_code_changed(struct core *core, uint32_t address, size_t bytes);

/* avr_io.c: the slow ways, on c->live. `back` is how many cycles before the end of the instruction
 * the access happens, 1 for its last cycle. */

uint32_t avr_data_read(struct avr_core *c, uint32_t address, unsigned back, bool is_load);
void avr_data_write(struct avr_core *c, uint32_t address, uint32_t value, unsigned back);
uint32_t avr_code_read(struct avr_core *c, uint32_t address);
void avr_code_write(struct avr_core *c, uint32_t address, uint32_t value);
/* A half of SP is written; bit is 0 or 8. */
void avr_write_sp(struct avr_core *c, unsigned bit, uint32_t value);

/* avr_des.c: one round on the registers, key in r8..r15; decrypts where `decrypt`. */
void avr_des_round(uint8_t *registers, unsigned round, bool decrypt);

/* avr_exec.c, avr_exec_traced.c */
enum core_stop avr_exec_run(struct core *core);
enum core_stop avr_exec_run_traced(struct core *core);

/* avr_attention.c: looks at what somebody wants; -1: go on, else why run() returns. */
int avr_attend(struct avr_core *c, bool traced);
/* The instruction that was executed may have unmasked an interrupt or sent the core to sleep. */
void avr_want_attention(struct avr_core *c);
/* RETI, its time counted. */
void avr_end_interrupt(struct avr_core *c);
/* Sets live.left and horizon anew from core.deadline; `now` is the cycle that left stands for. */
void avr_reload(struct avr_core *c, uint64_t now);

/* avr_disasm.c */
unsigned avr_disassemble(const struct core_class *class, char *out, size_t size,
                         const uint8_t *code, size_t code_bytes, uint32_t address);

extern const struct core_class avr_core_avre, avr_core_avrxm, avr_core_avrxt;

#endif
