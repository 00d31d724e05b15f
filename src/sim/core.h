/*
 * A core: an instruction set with a timing. `isa/<name>/` implements struct core_class; everything
 * else sees only this header. A core asks its chip through struct core_port and the memory spaces,
 * and never names a chip.
 *
 * Laws
 * - `cycle` counts ticks of the core's clock. Before any access that can reach a device
 * (mem_*_slow) the core has stored the exact cycle of that access in `cycle`; after it, it reloads
 * `deadline`.
 * - run() executes whole instructions while cycle < deadline. `deadline` is `limit`, or 0 while
 * somebody wants attention (core_attention()); the core then looks at irq_pending, stop_requested
 * and fault, and sets deadline = limit when nothing is left to do.
 * - An instruction that can unmask an interrupt, sleep or change a clock also goes through
 * attention, with the delay the architecture gives.
 * - A watched address stops run() before its instruction is executed, with CORE_WATCH; calling
 * run() again executes it. Watching replaces a decoded record's operation, so it costs nothing
 * elsewhere.
 * - sp_low is the lowest stack pointer in force outside interrupt handlers since it was last set by
 * its reader. A stack pointer written in halves counts when both are written.
 * - core_isr_enter() is called when an interrupt is accepted, before its entry cycles are counted,
 * and core_isr_leave() after its return has been counted, so isr_cycles includes both.
 */
#ifndef UJ_SIM_CORE_H
#define UJ_SIM_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/yaml.h"
#include "sim/mem.h"

struct core;

enum core_stop {
    CORE_DEADLINE, /* cycle >= limit */
    CORE_WATCH,    /* a watched address comes next */
    CORE_SLEEP,    /* core->asleep was set; only an interrupt or an event goes on */
    CORE_STOPPED,  /* core->stop_requested was set by a handler */
    CORE_FAULT,    /* core->fault says what; the machine is over */
    CORE_EXIT,     /* the program asked to end (semihosting); core->exit_code */
};

/* What went wrong in the guest: a result of the run, not an error of the host program. */
struct core_fault {
    const char *reason; /* a constant, for instance "illegal instruction"; NULL: none */
    uint32_t pc;        /* of the instruction */
    uint32_t address;   /* that was accessed or the opcode, as the reason has it */
    uint64_t cycle;
    char detail[160]; /* more, in words; may be empty */
};

/* What a core asks of its chip. Functions may be NULL where the chip has no such thing. */
struct core_port {
    void *chip;
    /* The interrupt to take now, as the core's own number or vector address; -1: none after all. */
    int (*irq_take)(void *chip);
    /* The handler has returned (RETI and the like). */
    void (*irq_return)(void *chip);
    /* The core goes to sleep in `mode`: the chip stops what that mode stops and gives the state's
     * name for the energy model, a constant; NULL: sleeping is not allowed now, and the core goes
     * on. Without this function the state is "idle". */
    const char *(*sleep)(void *chip, unsigned mode);
    /* Bits of the core's own status register that stop clocks of the chip have changed while it is
     * awake; falling asleep and waking are told by sleep() and wake() alone. */
    void (*clock_bits)(void *chip, unsigned bits);
    /* The core wakes: the chip starts its clocks and gives the time to the first cycle, ps. */
    uint64_t (*wake)(void *chip);
    /* Semihosting, for images that print through the debugger: where the bytes go, and the core's
     * clock, Hz. Set by the loader of boards. */
    void *semihost_owner;
    void (*semihost_write)(void *owner, const uint8_t *bytes, size_t count);
    uint64_t (*frequency)(void *owner);
};

struct core_class {
    const char *name;       /* "avrxm" */
    const char *isa;        /* "avr" */
    unsigned elf_machine;   /* EM_AVR, ... */
    size_t bytes;           /* of the derived structure that begins with struct core */
    const char *code_space; /* "code" or "data": where instructions are fetched */
    unsigned data_address_bits, code_address_bits, page_bits;

    /* Reads the core's own options from the chip's `core:` map; spaces are set before. */
    enum uj_err (*create)(struct uj_ctx *ctx, struct core *c,
                          const struct yaml_node *options) UJ_CHECK;
    void (*destroy)(struct core *c);
    void (*reset)(struct core *c);
    enum core_stop (*run)(struct core *c);
    /* Executes like run() but calls c->trace after each instruction; see core_trace_fn. */
    enum core_stop (*run_traced)(struct core *c);

    uint32_t (*pc)(const struct core *c); /* byte address of the next instruction */
    void (*set_pc)(struct core *c, uint32_t address);
    uint32_t (*sp)(const struct core *c);
    /* The address to which a function that was just entered will return. */
    uint32_t (*return_address)(const struct core *c);
    /* Is the stack back where the call that stored return_address at entry_sp found it? */
    bool (*returned)(const struct core *c, uint32_t entry_sp);
    /* Registers by the architecture's own numbering, for reports and tests; `count` of them. */
    unsigned registers;
    const char *(*register_name)(unsigned number);
    uint32_t (*get_register)(const struct core *c, unsigned number);
    void (*set_register)(struct core *c, unsigned number, uint32_t value);

    void (*watch)(struct core *c, uint32_t address, bool on);
    /* Code bytes changed: forget what was decoded from them. */
    void (*code_changed)(struct core *c, uint32_t address, size_t bytes);
    /* A core with an interrupt controller of its own: input `number` has this level. NULL where the
     * controller is a block of the chip. */
    void (*irq_set)(struct core *c, int number, bool level);
    /* Writes the instruction at `code` (which lies at `address`) as text; returns its bytes, 0:
     * none. */
    unsigned (*disassemble)(const struct core_class *class, char *out, size_t size,
                            const uint8_t *code, size_t code_bytes, uint32_t address);
};

/* Called after each instruction of run_traced(): cycles it took, and the Hamming distance between
 * the register file (and data bus, where modelled) before and after it. */
typedef void core_trace_fn(void *owner, const struct core *c, unsigned cycles, unsigned distance);

struct core {
    const struct core_class *class;
    struct mem_space *data, *code; /* the same space on a von Neumann machine */
    struct core_port port;

    uint64_t cycle;
    uint64_t deadline, limit;
    uint64_t instructions; /* retired */
    bool irq_pending;      /* set by the chip: an interrupt is requested and enabled there */
    bool nmi_pending;      /* set by the chip: one that the core cannot mask is requested */
    bool irq_masked;       /* asleep with the core's own mask closed: only nmi_pending wakes */
    bool stop_requested;
    uint64_t stall; /* cycles for which a device holds the core behind the instruction under way */
    bool asleep;
    bool woken; /* set when sleep ends; the core clears it once it has counted what that costs */
    unsigned sleep_mode; /* the architecture's own number */
    uint64_t wake_cycle; /* asleep: when a timer of the core's own wakes it; UINT64_MAX: never */

    uint32_t entry; /* where the image begins, for a core without a vector of its own; 0: unknown */
    uint32_t vectors; /* where the image has its vector table, for a core that starts by one;
                         UINT32_MAX or 0: the chip's own place */
    uint32_t sp_low;
    unsigned isr_depth;
    uint64_t isr_cycles, isr_since;
    uint32_t isr_saved_sp_low;

    struct core_fault fault;
    int exit_code;
    /* Cycles that the fetch of the instruction at an address waits, where code lies behind a cache;
     * NULL: none. Asking twice in a row gives 0. run_traced() asks before each instruction. */
    unsigned (*fetch_wait)(void *owner, uint32_t address);
    void *fetch_owner;
    uint32_t
        write_mask; /* bits that the write under way can change: all, but for bit instructions */
    core_trace_fn *trace;
    void *trace_owner;
};

/* The next loop turn looks at the flags above. */
static inline void core_attention(struct core *c)
{
    c->deadline = 0;
}

static inline void core_isr_enter(struct core *c)
{
    if (c->isr_depth++ == 0) {
        c->isr_since = c->cycle;
        c->isr_saved_sp_low = c->sp_low;
    }
}

static inline void core_isr_leave(struct core *c)
{
    if (c->isr_depth > 0 && --c->isr_depth == 0) {
        c->isr_cycles += c->cycle - c->isr_since;
        c->sp_low = c->isr_saved_sp_low;
    }
}

/* Records a fault; the first stands. run() then returns CORE_FAULT. */
void core_fault(struct core *c, const char *reason, uint32_t pc, uint32_t address,
                const char *format, ...) UJ_PRINTF(5, 6);

/* Every core there is; NULL-terminated. One line a core, in sim/core_registry.c. */
extern const struct core_class *const core_classes[];
const struct core_class *core_class_named(const char *name);

#endif
