/*
 * State of a Thumb core: registers, decoded records, exceptions and the system control space.
 *
 * Laws
 * - A record belongs to one (address, IT mode). It is made when first executed, from its own bytes
 *   and those of up to two instructions behind it; a store to any of them drops it.
 * - `cost` is cycles + after; `after` is the stall laid on the next instruction in sequence, given
 *   back where an exception comes between.
 * - While run() is in its loop, cycle, instruction count, flags and pairing live in locals; they
 *   are written back before anything outside the loop is called.
 */
#ifndef UJ_ISA_THUMB_H
#define UJ_ISA_THUMB_H

#include "isa/thumb/thumb_params.h"
#include "isa/thumb/thumb_rows.h"
#include "isa/thumb/thumb_semantics.h"
#include "sim/core.h"

enum {
    THUMB_PAGE_BITS = 10,
    THUMB_PAGE_RECORDS = 1 << (THUMB_PAGE_BITS - 1),
    THUMB_IRQS_MAX = 480,
    THUMB_EXCEPTIONS = 16 + THUMB_IRQS_MAX,
};

/* Exceptions by number. */
enum {
    EXC_NONE = 0,
    EXC_RESET = 1,
    EXC_NMI = 2,
    EXC_HARDFAULT = 3,
    EXC_MEMMANAGE = 4,
    EXC_BUSFAULT = 5,
    EXC_USAGEFAULT = 6,
    EXC_SVCALL = 11,
    EXC_DEBUG = 12,
    EXC_PENDSV = 14,
    EXC_SYSTICK = 15,
    EXC_IRQ0 = 16,
};

/* Record flags. */
enum {
    REC_WIDE = 1,
    REC_READS_PC = 2,     /* an operand is the program counter: r[15] is to be set */
    REC_WRITES_SP = 4,    /* the stack pointer changes by a general write */
    REC_WIDE_RUN = 8,     /* M3: starts three wide instructions at odd halfwords */
    REC_NEXT_NARROW = 16, /* M3: the next instruction has 16 bits */
};

/* Pairing on the M33: what the instruction just issued offers the next one. */
enum {
    SLOT_OPEN = 1,   /* a rider may issue beside it */
    SLOT_TAKEN = 2,  /* a conditional branch may even be taken beside it */
    SLOT_ALWAYS = 4, /* an unconditional branch may */
    SLOT_STALL = 8,  /* its result is late for the instruction behind a rider */
};

struct thumb_record {
    uint16_t op, real_op; /* real_op: behind OP_GUARD, OP_PREFIX or OP_WATCHED */
    uint8_t cost, after;
    uint8_t rd, rn, rm, ra;
    uint8_t flags, slot;
    uint32_t imm;
};

struct thumb_page {
    uint32_t base;
    uint8_t mode;
    struct thumb_record records[THUMB_PAGE_RECORDS + 2];
};

struct thumb_exception {
    uint8_t priority; /* as written, in the high bits */
    bool enabled, pending, active, level, isr;
};

struct thumb_systick {
    uint32_t control, reload;
    uint64_t start; /* cycle at which the counter held `value` */
    uint32_t value;
    bool counted; /* COUNTFLAG, settled up to `start` */
};

struct thumb_core {
    struct core core;
    uint32_t r[16]; /* r[13]: the stack pointer in force; r[15]: only while an operand */
    struct thumb_flags flags;
    uint8_t q, ge;
    uint8_t it, it_before; /* ITSTATE; and what it was before the instruction being executed */
    uint8_t slot;          /* M33 pairing */
    uint32_t narrow;       /* M3: a bit for each instruction executed, the last lowest */
    uint32_t pc;
    uint32_t last_after; /* `after` of the instruction before pc, if it came in sequence */
    enum thumb_core_kind kind;
    struct thumb_params params;

    uint32_t other_sp; /* the stack pointer not in force */
    uint32_t msplim, psplim;
    bool primask, faultmask;
    uint8_t basepri, control;
    uint16_t ipsr; /* exception being handled, 0: thread */
    bool exclusive, event;
    uint32_t exclusive_address;

    /* An access or instruction failed; the loop takes the fault. */
    bool abort;
    uint8_t abort_exception; /* fault wanted */
    uint32_t abort_status;   /* bits for CFSR */
    uint32_t abort_address;
    const char *abort_reason;

    uint64_t own_next; /* the cycle at which a timer of the core's own wants attention */
    struct thumb_exception exceptions[THUMB_EXCEPTIONS];
    int pending_best, pending_priority; /* most urgent exception that is pending, enabled */
    struct thumb_systick systick;
    uint32_t vtor, aircr, scr, ccr, shcsr, cfsr, hfsr, dfsr, mmfar, bfar, demcr, dwt_control;
    uint32_t cyccnt_base; /* CYCCNT is the cycle less this, while it counts */
    bool cyccnt_runs;
    uint32_t mpu[16], sau[8], cpacr, actlr;
    struct mem_region system_region, band_regions[2];

    struct thumb_page **pages[2]; /* by mode, then address >> THUMB_PAGE_BITS */
    struct thumb_page **page_list;
    size_t page_count, page_capacity;
    uint32_t *watches;
    size_t watch_count, watch_capacity;
    uint64_t watch_passes; /* the instruction count + 1 at which a watched address is executed */
    int semihost_errno;
    bool exit_requested, reset_requested;

    int entering;           /* exception whose frame is stacked, before its handler is chosen */
    uint16_t entering_from; /* IPSR before it */
    bool entry_is_isr, wait_event, no_thumb;
    /* The last fault, for the report. */
    const char *fault_reason;
    uint32_t fault_pc, fault_address, fault_sp, fault_lr, fault_r[5];
};

/* thumb_core.c */
extern const struct core_class thumb_cortex_m0plus, thumb_cortex_m3, thumb_cortex_m33;

/* thumb_decode.c */
/* Operands and flags of an encoding at an address, without its timing; false: unpredictable. */
bool thumb_decode_row(struct thumb_record *r, const struct thumb_row *row, uint32_t code,
                      uint32_t address);
struct thumb_page *thumb_page_at(struct thumb_core *c, unsigned mode, uint32_t address);
/* Makes the record at `address`; false: the fetch failed and c->abort is set. */
bool thumb_decode(struct thumb_core *c, struct thumb_page *page, struct thumb_record *r);
void thumb_forget(struct thumb_core *c, uint32_t address, size_t bytes);
void thumb_free_pages(struct thumb_core *c);
void thumb_watch(struct core *core, uint32_t address, bool on);

/* thumb_memory.c: accesses that are not aligned plain memory; add their waits to the cycle. */
uint32_t thumb_load_slow(struct thumb_core *c, uint32_t address, unsigned bytes);
void thumb_store_slow(struct thumb_core *c, uint32_t address, uint32_t value, unsigned bytes);
bool thumb_aligned(struct thumb_core *c, uint32_t address, unsigned bytes);
void thumb_bit_band(struct thumb_core *c);
void thumb_unmapped(void *owner, uint32_t address, unsigned bytes, enum mem_access access);
void thumb_code_written(void *owner, uint32_t address, unsigned bytes);

/* thumb_exception.c */
enum thumb_next { THUMB_GO, THUMB_STOP };
/* Between two instructions, where something wants attention: c->pc is the next one. */
enum thumb_next thumb_attend(struct thumb_core *c, enum core_stop *stop);
/* thumb_fault.c. A fault that nothing can handle: the run ends with a report. */
void thumb_give_up(struct thumb_core *c, const char *what);
/* Keeps the state at c->pc for the report. */
void thumb_note_fault(struct thumb_core *c, const char *reason, uint32_t address);
/* The instruction at c->pc failed as c->abort says; takes the fault. */
void thumb_take_fault(struct thumb_core *c);
void thumb_fault(struct thumb_core *c, int exception, uint32_t status, const char *reason);
void thumb_undefined(struct thumb_core *c, uint32_t imm);
void thumb_supervisor_call(struct thumb_core *c);
void thumb_breakpoint(struct thumb_core *c, uint32_t number);
/* BX, POP and the like with a value that is no plain address: exception return or fault. */
void thumb_branch_special(struct thumb_core *c, uint32_t value);
void thumb_wait(struct thumb_core *c, bool for_event);
void thumb_event(struct thumb_core *c);
/* Looks again for the most urgent pending exception. */
void thumb_repend(struct thumb_core *c);
void thumb_set_pending(struct thumb_core *c, int exception, bool pending);
void thumb_irq_set(struct core *core, int number, bool level);
int thumb_group_of(const struct thumb_core *c, int exception);
/* Stacks the frame and begins the exception's entry. */
void thumb_enter(struct thumb_core *c, int exception, uint32_t xpsr);
int thumb_group_priority(const struct thumb_core *c, int priority);
int thumb_execution_priority(const struct thumb_core *c, bool masks);
uint32_t thumb_xpsr(const struct thumb_core *c);
void thumb_set_apsr(struct thumb_core *c, uint32_t value);
void thumb_set_sp_select(struct thumb_core *c, bool process);
bool thumb_privileged(const struct thumb_core *c);

/* thumb_core.c: registers and program counter as after reset, from the vector table. */
void thumb_start(struct thumb_core *c);

/* thumb_system.c */
void thumb_system_reset(struct thumb_core *c);
void thumb_system_map(struct thumb_core *c);
/* thumb_systick.c; `at` is the offset in the system space */
void thumb_systick_settle(struct thumb_core *c);
uint32_t thumb_systick_read(struct thumb_core *c, uint32_t at);
void thumb_systick_write(struct thumb_core *c, uint32_t at, uint32_t value);

/* thumb_special.c: registers by their number in MRS and MSR */
uint8_t thumb_priority_mask(const struct thumb_core *c);
uint32_t thumb_read_special(struct thumb_core *c, unsigned number);
void thumb_write_special(struct thumb_core *c, unsigned number, unsigned mask, uint32_t value);
void thumb_change_mask(struct thumb_core *c, unsigned imm);

/* thumb_semihost.c */
void thumb_semihost(struct thumb_core *c);

/* thumb_timing.c */
/* Fills cost, after, slot and the M3's flags of a record. */
void thumb_time(struct thumb_core *c, struct thumb_record *r, const struct thumb_row *row,
                uint32_t code, uint32_t address, unsigned mode);

/* thumb_disasm.c */
unsigned thumb_disassemble(const struct core_class *class, char *out, size_t size,
                           const uint8_t *code, size_t code_bytes, uint32_t address);

/* thumb_exec_*.c */
enum core_stop thumb_run_m0plus(struct core *core);
enum core_stop thumb_run_m3(struct core *core);
enum core_stop thumb_run_m33(struct core *core);
enum core_stop thumb_run_m0plus_traced(struct core *core);
enum core_stop thumb_run_m3_traced(struct core *core);
enum core_stop thumb_run_m33_traced(struct core *core);

/* Is the instruction at the address a 32-bit one? */
static inline bool thumb_wide_at(struct mem_space *s, uint32_t address)
{
    const uint8_t *host = s->pages[address >> THUMB_PAGE_BITS].read;
    uint16_t half = 0;
    if (host)
        memcpy(&half, host + (address & s->page_mask), sizeof half);
    else if (!mem_peek(s, address, &half, sizeof half))
        return false;
    return thumb_is_wide(half);
}

#endif
