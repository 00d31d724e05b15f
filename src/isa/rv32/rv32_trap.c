/* Traps, interrupts, waiting, and what happens between two instructions when somebody wants
 * attention. */
#include "isa/rv32/rv32_core.h"
#include "isa/rv32/rv32_timing.h"

/* The largest distance to a deadline that is worth telling apart from never. */
#define FAR_CYCLES ((uint64_t)1 << 62)

void rv32_reload(struct rv32_core *c, uint64_t now)
{
    uint64_t deadline = c->core.deadline;
    if (deadline < now)
        deadline = now;
    uint64_t left = deadline - now;
    if (left > FAR_CYCLES)
        left = FAR_CYCLES;
    c->live.left = (int64_t)left;
    c->horizon = now + left;
}

void rv32_want_attention(struct rv32_core *c)
{
    core_attention(&c->core);
    rv32_reload(c, rv32_now(c));
}

static void give_up(struct rv32_core *c, const char *reason, uint32_t pc, uint32_t cause,
                    uint32_t value)
{
    static const char *const names[] = {
        "instruction address misaligned",
        "instruction access fault",
        "illegal instruction",
        "breakpoint",
        "load address misaligned",
        "load access fault",
        "store address misaligned",
        "store access fault",
    };
    const char *name = cause < sizeof names / sizeof *names ? names[cause]
                       : cause == RV32_ECALL_M              ? "environment call"
                       : cause >> 31                        ? "interrupt"
                                                            : "?";
    c->core.cycle = rv32_now(c);
    core_fault(&c->core, reason, pc, value,
               "%s: mcause 0x%x, mepc 0x%08x, mtval 0x%08x, mtvec 0x%08x", name, (unsigned)cause,
               (unsigned)pc, (unsigned)value, (unsigned)c->csr.mtvec);
    rv32_reload(c, c->core.cycle);
}

/* The fetch stream begins anew at an address; false: nothing can be executed there. */
static bool flush_to(struct rv32_core *c, uint32_t pc)
{
    c->live.predicted = NULL;
    if (!rv32_go(c, pc))
        return false;
    c->live.landing = c->live.ip;
    c->live.left -= c->live.ip->entry;
    return true;
}

/* Saves what a trap saves, and goes to its handler. */
static void enter(struct rv32_core *c, uint32_t pc, uint32_t cause, uint32_t value)
{
    struct rv32_csrs *csr = &c->csr;
    bool interrupt = cause >> 31, vectored = csr->mtvec & 1;
    uint32_t target = csr->mtvec & ~3u;
    if (target == 0) {
        give_up(c, "trap without a handler", pc, cause, value);
        return;
    }
    if (!interrupt && pc == c->trap_target) {
        give_up(c, "trap in the first instruction of the trap handler", pc, cause, value);
        return;
    }
    csr->mepc = pc;
    csr->mcause = cause;
    csr->mpie = csr->mie;
    csr->mie = false;
    c->trap_target = target;
    c->trap_kinds = c->trap_kinds << 1 | interrupt;
    rv32_irq_enter(c, cause == (1u << 31 | RV32_IRQ_EXTERNAL));
    if (interrupt && vectored)
        target += 4 * (cause & 0xf);
    if (!flush_to(c, target))
        give_up(c, "trap handler outside memory", pc, cause, value);
}

void rv32_trap(struct rv32_core *c, const struct rv32_record *rec, enum rv32_cause cause,
               uint32_t value)
{
    bool retires = cause == RV32_ECALL_M || cause == RV32_BREAKPOINT;
    /* Its own cycle, and the way to the handler; what else it would have taken does not come. */
    if (rv32_rows[rec->row].class != RV32_TRAP)
        c->live.left += rec->cycles - 1;
    c->live.left -= RV32_COST(TRAPPED);
    if (!retires)
        c->live.count--;
    /* The counter takes the instruction behind it, which is flushed, for a retired one. */
    c->csr.instret_from--;
    enter(c, rv32_pc_of(c, rec), cause, value);
}

void rv32_trap_fetch(struct rv32_core *c, uint32_t pc)
{
    c->live.left -= 1 + RV32_COST(TRAPPED);
    enter(c, pc, RV32_FETCH_FAULT, pc);
}

void rv32_trap_ecall(struct rv32_core *c, const struct rv32_record *rec)
{
    rv32_trap(c, rec, RV32_ECALL_M, 0);
}

/* slli x0, x0, 31; ebreak; srai x0, x0, 7, all of 32 bits */
static bool is_semihosting(const struct rv32_core *c, uint32_t pc)
{
    uint32_t code[3];
    return mem_peek(c->core.data, pc - 4, code, sizeof code) && code[0] == 0x01f01013 &&
           code[1] == 0x00100073 && code[2] == 0x40705013;
}

void rv32_trap_ebreak(struct rv32_core *c, const struct rv32_record *rec)
{
    uint32_t pc = rv32_pc_of(c, rec);
    if (!is_semihosting(c, pc)) {
        rv32_trap(c, rec, RV32_BREAKPOINT, pc);
        return;
    }
    uint64_t now = rv32_now(c);
    c->core.cycle = now;
    c->x[10] = semihost_call(&c->semihost, &c->core, c->x[10], c->x[11]);
    if (c->semihost.exited)
        core_attention(&c->core);
    rv32_reload(c, now);
}

void rv32_trap_return(struct rv32_core *c, const struct rv32_record *rec)
{
    struct rv32_csrs *csr = &c->csr;
    (void)rec;
    csr->mie = csr->mpie;
    csr->mpie = true;
    csr->instret_from--;
    c->trap_target = UINT32_MAX;
    c->live.left -= RV32_COST(TRAPPED);
    bool interrupt = c->trap_kinds & 1;
    c->trap_kinds >>= 1;
    if (!flush_to(c, csr->mepc))
        rv32_trap_fetch(c, csr->mepc);
    rv32_irq_leave(c);
    if (interrupt) {
        c->core.cycle = rv32_now(c);
        core_isr_leave(&c->core);
        if (c->core.port.irq_return)
            c->core.port.irq_return(c->core.port.chip);
    }
    rv32_want_attention(c);
}

void rv32_wait(struct rv32_core *c, enum rv32_sleep mode)
{
    bool block = mode == RV32_SLEEP_BLOCK, go_on = c->core.irq_pending;
    if (block && c->unblocked) {
        c->unblocked = false;
        go_on = true;
    }
    if (go_on)
        return;
    c->core.asleep = true;
    c->core.sleep_mode = mode;
    c->core.wake_cycle = UINT64_MAX;
    rv32_want_attention(c);
}

void rv32_unblock(struct rv32_core *c)
{
    c->unblocked = true;
}

static void take_interrupt(struct rv32_core *c, uint32_t pending, const struct rv32_record *last,
                           bool traced)
{
    struct core *core = &c->core;
    unsigned number = pending & 1u << RV32_IRQ_EXTERNAL   ? RV32_IRQ_EXTERNAL
                      : pending & 1u << RV32_IRQ_SOFTWARE ? RV32_IRQ_SOFTWARE
                                                          : RV32_IRQ_TIMER;
    /* The instruction that would have waited does not come. */
    if (last && last->halves)
        core->cycle -= last->after;
    uint64_t before = core->cycle;
    core_isr_enter(core);
    core->cycle += RV32_COST(INTERRUPTED);
    rv32_reload(c, core->cycle);
    enter(c, rv32_pc_of(c, c->live.ip), 1u << 31 | number, 0);
    core->cycle = rv32_now(c);
    if (traced && core->trace)
        core->trace(core->trace_owner, core, (unsigned)(core->cycle - before), 0);
}

int rv32_attend(struct rv32_core *c, const struct rv32_record *last, bool traced)
{
    struct core *core = &c->core;
    core->cycle = rv32_now(c);
    core->instructions = (uint64_t)c->live.count;
    if (core->fault.reason)
        return CORE_FAULT;
    if (c->semihost.exited)
        return CORE_EXIT;
    if (core->asleep)
        return CORE_SLEEP;
    if (core->stop_requested)
        return CORE_STOPPED;
    if (core->cycle >= core->limit)
        return CORE_DEADLINE;
    uint32_t pending = core->irq_pending ? rv32_irq_pending(c) : 0;
    if (pending && c->csr.mie) {
        take_interrupt(c, pending, last, traced);
        if (core->fault.reason)
            return CORE_FAULT;
        if (core->cycle >= core->limit)
            return CORE_DEADLINE;
    }
    core->woken = false;
    core->deadline = core->limit;
    rv32_reload(c, core->cycle);
    return -1;
}
