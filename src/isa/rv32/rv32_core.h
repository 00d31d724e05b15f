/*
 * The RV32 core: its state, its decoded records, and what its files share. Others use struct
 * core_class.
 *
 * Laws
 * - `live` is the truth while the core does not run. The loop works on a copy of it in registers
 * and writes it back before anything outside the loop is called (RV32_OUTSIDE in rv32_semantics.h).
 * - The cycle now is horizon - live.left; live.left was already lowered by the whole time of the
 * instruction that is being executed, live.count raised, and live.ip moved to the next one.
 * - A record holds one halfword's instruction; x[32] takes what is written to x0.
 * - The branch target entry (live.predicted) changes only when the fetch stream is flushed;
 * live.landing is the record at which the last flush landed, or NULL where the stream since began
 * with a predicted branch. The word that a flush lands in is fetched without a look at the entry: a
 * branch that ends there is not predicted.
 */
#ifndef UJ_ISA_RV32_CORE_H
#define UJ_ISA_RV32_CORE_H

#include "isa/rv32/rv32_table.h"
#include "sim/core.h"
#include "sim/semihost.h"

enum { RV32_PAGE_BITS = 8, RV32_PAGE_MASK = 255, RV32_SINK = 32 };

struct rv32_record {
    uint16_t op; /* enum rv32_op */
    uint8_t rd, rs1, rs2;
    uint8_t cycles; /* its own and `after` */
    uint8_t after;  /* the stall it lays on the next instruction */
    uint8_t entry;  /* what it costs more where a jump lands on it */
    uint32_t k;     /* immediate; records to go for a branch or jal */
    uint8_t halves; /* its length in halfwords */
    uint8_t list;   /* Zcmp */
    uint16_t row;
};

/* Decoded memory: one region that instructions were fetched from. */
struct rv32_code {
    struct mem_region *region;
    struct rv32_record *records; /* one a halfword, and two behind them; a pair shares a word */
    void *block;                 /* what was allocated for them */
    uint32_t base, bytes;
    uint32_t low, high; /* offsets between which something is decoded */
    struct rv32_code *next;
};

struct rv32_live {
    int64_t left;  /* cycles to the deadline */
    int64_t count; /* instructions retired */
    struct rv32_record *ip;
    const struct rv32_record *predicted; /* the branch in the target entry, or NULL */
    const struct rv32_record *landing;
};

struct rv32_watch {
    uint32_t address;
    uint16_t op; /* the operation that was replaced */
};

enum rv32_sleep { RV32_SLEEP_WFI, RV32_SLEEP_BLOCK };
enum rv32_csr_kind { RV32_CSR_WRITE, RV32_CSR_SET, RV32_CSR_CLEAR };
enum rv32_amo_kind {
    RV32_AMO_SWAP,
    RV32_AMO_ADD,
    RV32_AMO_XOR,
    RV32_AMO_AND,
    RV32_AMO_OR,
    RV32_AMO_MIN,
    RV32_AMO_MAX,
    RV32_AMO_MINU,
    RV32_AMO_MAXU,
};

enum rv32_cause {
    RV32_FETCH_FAULT = 1,
    RV32_ILLEGAL = 2,
    RV32_BREAKPOINT = 3,
    RV32_LOAD_MISALIGNED = 4,
    RV32_LOAD_FAULT = 5,
    RV32_STORE_MISALIGNED = 6,
    RV32_STORE_FAULT = 7,
    RV32_ECALL_M = 11,
    RV32_IRQ_SOFTWARE = 3,
    RV32_IRQ_TIMER = 7,
    RV32_IRQ_EXTERNAL = 11,
};
/* Inputs of irq_set() above the external ones. */
enum { RV32_IRQS = 64, RV32_INPUT_TIMER = 64, RV32_INPUT_SOFTWARE = 65 };

struct rv32_csrs {
    bool mie, mpie; /* of mstatus */
    uint32_t mtvec, mscratch, mepc, mcause, enabled /* mie */, pending /* mip */;
    uint32_t mcountinhibit, msleep;
    uint64_t cycle_from, instret_from; /* what the counters count from, or hold while inhibited */
    uint32_t pmpcfg[4], pmpaddr[16], pmpcfgm0;
    /* Hazard3's external interrupts */
    uint64_t irq_level, irq_enabled, irq_forced;
    uint8_t irq_priority[RV32_IRQS];
    uint32_t meicontext;
};

enum { RV32_WAITS = 4, RV32_STARVE_CACHE = 16 };

/* A cycle spent waiting for the bus: where, and for how long. */
struct rv32_wait {
    int64_t count; /* live.count of the instruction that was kept waiting */
    unsigned cycles;
};

struct rv32_starve {
    const struct rv32_record *branch, *from;
    bool starves;
};

struct rv32_core {
    struct core core;
    uint32_t x[33];
    struct rv32_live live;
    uint64_t horizon;
    const struct mem_page *pages;
    struct rv32_code *code;  /* where ip is */
    struct rv32_code *codes; /* all of them */
    int64_t overlap_at;      /* live.count of an instruction that overlaps with a wait */
    unsigned overlap;        /* that long */
    struct rv32_csrs csr;
    bool reserved;    /* lr.w's reservation */
    uint32_t lost_pc; /* where no record is: the program counter while ip is at no code */
    bool unblocked;   /* h3.unblock came before h3.block */
    bool exit_requested;
    uint32_t reset_pc, reset_sp;
    uint32_t trap_target; /* of the last trap that has not returned; UINT32_MAX: none */
    uint64_t
        trap_kinds; /* one bit a trap that has not returned, the last one lowest: an interrupt? */
    uint32_t bus;   /* the data word moved last, in the traced variant */
    unsigned bus_distance;
    struct semihost semihost;

    struct rv32_wait waits[RV32_WAITS];
    unsigned next_wait;
    struct rv32_starve starves[RV32_STARVE_CACHE];

    struct rv32_watch *watches;
    size_t watch_count, watch_capacity;
    const struct rv32_record *watch_pass; /* whose watch has been reported */
};

static inline uint32_t rv32_pc_of(const struct rv32_core *c, const struct rv32_record *r)
{
    return c->code->base + 2 * (uint32_t)(r - c->code->records);
}

static inline uint64_t rv32_now(const struct rv32_core *c)
{
    return c->horizon - (uint64_t)c->live.left;
}

/* rv32_decode.c */

/* Moves live.ip to the address; false: nothing can be executed there. */
bool rv32_go(struct rv32_core *c, uint32_t pc);
void rv32_decode(struct rv32_core *c, struct rv32_record *record);
/* RV32_OP_STACK: where the instruction will leave sp, and the operation behind it. */
uint32_t rv32_lowered_stack(const struct rv32_core *c, const struct rv32_record *record);
uint16_t rv32_stack_op(const struct rv32_record *record);
/* The operation behind RV32_OP_WATCH. */
uint16_t rv32_watched_op(const struct rv32_core *c, const struct rv32_record *record);
void rv32_watch(struct core *core, uint32_t address, bool on);
void rv32_code_changed(struct core *core, uint32_t address, size_t bytes);
void rv32_code_free(struct rv32_core *c);

/* rv32_memory.c: the slow ways, on c->live. On a trap, a load gives what its destination holds. */
uint32_t rv32_load_slow(struct rv32_core *c, const struct rv32_record *rec, uint32_t address,
                        unsigned bytes);
void rv32_store_slow(struct rv32_core *c, const struct rv32_record *rec, uint32_t address,
                     uint32_t value, unsigned bytes);
uint32_t rv32_load_reserved_slow(struct rv32_core *c, const struct rv32_record *rec,
                                 uint32_t address);
uint32_t rv32_store_conditional_slow(struct rv32_core *c, const struct rv32_record *rec,
                                     uint32_t address, uint32_t value);
uint32_t rv32_amo_slow(struct rv32_core *c, const struct rv32_record *rec, uint32_t address,
                       uint32_t value, enum rv32_amo_kind kind);
/* Stores and loads of Zcmp; pop gives the address to return to. */
void rv32_push_slow(struct rv32_core *c, const struct rv32_record *rec);
uint32_t rv32_pop_slow(struct rv32_core *c, const struct rv32_record *rec);

/* rv32_trap.c, all on c->live */

/* The instruction of the record traps: the program counter goes to the handler. */
void rv32_trap(struct rv32_core *c, const struct rv32_record *rec, enum rv32_cause cause,
               uint32_t value);
/* The same where there is no record: fetching at the address failed. */
void rv32_trap_fetch(struct rv32_core *c, uint32_t pc);
void rv32_trap_ecall(struct rv32_core *c, const struct rv32_record *rec);
void rv32_trap_ebreak(struct rv32_core *c, const struct rv32_record *rec);
void rv32_trap_return(struct rv32_core *c, const struct rv32_record *rec);
void rv32_wait(struct rv32_core *c, enum rv32_sleep mode);
void rv32_unblock(struct rv32_core *c);
/* Looks at what somebody wants; -1: go on, else why run() returns. `last` was executed last, or
 * NULL. */
int rv32_attend(struct rv32_core *c, const struct rv32_record *last, bool traced);
void rv32_want_attention(struct rv32_core *c);
/* Sets live.left and horizon anew from core.deadline; `now` is the cycle that left stands for. */
void rv32_reload(struct rv32_core *c, uint64_t now);

/* rv32_csr.c */
uint32_t rv32_csr(struct rv32_core *c, const struct rv32_record *rec, uint32_t operand,
                  enum rv32_csr_kind kind);
uint32_t rv32_csr_peek(const struct rv32_core *c, unsigned number);
void rv32_csr_reset(struct rv32_core *c);

/* rv32_irq.c: Hazard3's external interrupts, and mip */
void rv32_irq_set(struct core *core, int number, bool level);
/* Works out mip and core.irq_pending. */
void rv32_irq_update(struct rv32_core *c);
/* Bits of the interrupts that would be taken were mstatus.mie set. */
uint32_t rv32_irq_pending(const struct rv32_core *c);
bool rv32_irq_csr(struct rv32_core *c, unsigned number, uint32_t operand, enum rv32_csr_kind kind,
                  bool writes, uint32_t *out);
/* An external interrupt's handler is entered; left. */
void rv32_irq_enter(struct rv32_core *c, bool external);
void rv32_irq_leave(struct rv32_core *c);

/* rv32_exec.c, rv32_exec_traced.c */
enum core_stop rv32_exec_run(struct core *core);
enum core_stop rv32_exec_run_traced(struct core *core);

/* rv32_disasm.c */
unsigned rv32_disassemble(const struct core_class *class, char *out, size_t size,
                          const uint8_t *code, size_t code_bytes, uint32_t address);

extern const struct core_class rv32_core_hazard3;

#endif
