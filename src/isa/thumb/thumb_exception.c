/*
 * Exceptions: choice by priority, entry and return with tail-chaining and late arrival, sleep.
 *
 * Entry has two steps. The first stacks the frame and counts the time of the whole entry; the
 * second, when every event within that time has happened, chooses the most urgent exception: so one
 * that arrives late is served first, and the first one is chained behind it.
 */
#include <string.h>

#include "isa/thumb/thumb.h"

enum { FRAME_BYTES = 32 };

bool thumb_privileged(const struct thumb_core *c)
{
    return c->ipsr != 0 || !(c->control & 1);
}

/* Priorities: lower is more urgent. */

int thumb_group_priority(const struct thumb_core *c, int priority)
{
    unsigned group = c->aircr >> 8 & 7;
    return priority & ~((2 << group) - 1);
}

static int priority_of(const struct thumb_core *c, int exception)
{
    switch (exception) {
    case EXC_RESET: return -3;
    case EXC_NMI: return -2;
    case EXC_HARDFAULT: return -1;
    default: return c->exceptions[exception].priority;
    }
}

int thumb_group_of(const struct thumb_core *c, int exception)
{
    int priority = priority_of(c, exception);
    return priority < 0 ? priority : thumb_group_priority(c, priority);
}

int thumb_execution_priority(const struct thumb_core *c, bool masks)
{
    int priority = 256;
    if (c->ipsr)
        for (int i = 2; i < EXC_IRQ0 + c->params.irqs; i++)
            if (c->exceptions[i].active && thumb_group_of(c, i) < priority)
                priority = thumb_group_of(c, i);
    if (c->basepri && thumb_group_priority(c, c->basepri) < priority)
        priority = thumb_group_priority(c, c->basepri);
    if (masks && c->primask && priority > 0)
        priority = 0;
    if (masks && c->faultmask && priority > -1)
        priority = -1;
    return priority;
}

static bool is_wanted(const struct thumb_core *c)
{
    return c->pending_best &&
           thumb_group_of(c, c->pending_best) < thumb_execution_priority(c, true);
}

/* Would the pending exception end WFI? PRIMASK does not count. */
static bool wakes(const struct thumb_core *c)
{
    return c->pending_best &&
           thumb_group_of(c, c->pending_best) < thumb_execution_priority(c, false);
}

void thumb_repend(struct thumb_core *c)
{
    int best = 0, best_priority = 256;
    for (int i = 2; i < EXC_IRQ0 + c->params.irqs; i++) {
        const struct thumb_exception *e = &c->exceptions[i];
        if (e->pending && e->enabled && !e->active && priority_of(c, i) < best_priority) {
            best = i;
            best_priority = priority_of(c, i);
        }
    }
    c->pending_best = best;
    c->pending_priority = best_priority;
    c->core.irq_pending = c->core.asleep ? wakes(c) || (c->wait_event && c->event) : is_wanted(c);
    if (c->core.irq_pending)
        core_attention(&c->core);
}

void thumb_set_pending(struct thumb_core *c, int exception, bool pending)
{
    struct thumb_exception *e = &c->exceptions[exception];
    if (pending && !e->pending && (c->scr & 1u << 4))
        c->event = true;
    e->pending = pending;
    thumb_repend(c);
}

void thumb_irq_set(struct core *core, int number, bool level)
{
    struct thumb_core *c = (struct thumb_core *)core;
    if (number < 0 || number >= c->params.irqs)
        return;
    struct thumb_exception *e = &c->exceptions[EXC_IRQ0 + number];
    bool rises = level && !e->level;
    e->level = level;
    if (rises)
        thumb_set_pending(c, EXC_IRQ0 + number, true);
}

uint32_t thumb_xpsr(const struct thumb_core *c)
{
    uint32_t value = th_apsr(&c->flags) | (uint32_t)c->q << 27 | 1u << 24 | c->ipsr;
    if (c->kind == THUMB_M33)
        value |= (uint32_t)c->ge << 16;
    return value | (uint32_t)(c->it & 3) << 25 | (uint32_t)(c->it >> 2) << 10;
}

void thumb_set_apsr(struct thumb_core *c, uint32_t value)
{
    th_set_apsr(&c->flags, value);
    c->q = value >> 27 & 1;
    c->ge = value >> 16 & 15;
}

static void swap_stacks(struct thumb_core *c)
{
    uint32_t sp = c->r[13];
    c->r[13] = c->other_sp;
    c->other_sp = sp;
}

/* In thread mode: which stack pointer is r13? */
void thumb_set_sp_select(struct thumb_core *c, bool process)
{
    if (process != !!(c->control & 2)) {
        c->control ^= 2;
        swap_stacks(c);
    }
}

static bool push_frame(struct thumb_core *c, uint32_t xpsr)
{
    uint32_t sp = c->r[13], aligned = 0;
    if ((c->ccr & 1u << 9 || c->kind == THUMB_M33) && (sp & 4))
        aligned = 1;
    uint32_t frame = sp - FRAME_BYTES - 4 * aligned;
    const uint32_t words[8] = {c->r[0],  c->r[1],  c->r[2], c->r[3],
                               c->r[12], c->r[14], c->pc,   xpsr | aligned << 9};
    for (unsigned i = 0; i < 8; i++) {
        mem_write32(c->core.data, frame + 4 * i, words[i]);
        if (c->abort) {
            c->abort = false;
            return false;
        }
    }
    c->r[13] = frame;
    if (frame < c->core.sp_low)
        c->core.sp_low = frame;
    return true;
}

static bool is_interrupt(int exception)
{
    return exception == EXC_NMI || exception >= EXC_PENDSV;
}

/* First step: the frame. `exception` is what asks for it. */
static void begin_entry(struct thumb_core *c, int exception, uint32_t xpsr)
{
    if (is_interrupt(exception))
        core_isr_enter(&c->core);
    c->entry_is_isr = is_interrupt(exception);
    uint32_t kind = c->ipsr ? 0x1 : (c->control & 2) ? 0xd : 0x9;
    if (!push_frame(c, xpsr)) {
        c->cfsr |= 1u << 12;
        if (!c->fault_reason)
            thumb_note_fault(c, "exception entry with no memory at the stack pointer", c->r[13]);
        thumb_give_up(c, "lockup: stacking failed");
        return;
    }
    if (!c->ipsr && (c->control & 2))
        swap_stacks(c);
    if (!c->ipsr)
        c->control &= (uint8_t)~2u;
    c->r[14] = 0xfffffff0 | kind;
    c->it = 0;
    c->exclusive = false;
    c->slot = 0;
    c->narrow = 0;
    c->core.asleep = false;
    c->core.cycle += (unsigned)c->params.exception_entry;
    c->entering = exception;
    c->ipsr = (uint16_t)exception; /* handler mode from here */
}

static bool is_endless_loop(struct thumb_core *c, uint32_t handler)
{
    uint16_t half = 0;
    return !(handler & 1) || !mem_peek(c->core.data, handler & ~1u, &half, sizeof half) ||
           half == 0xe7fe;
}

/* Second step: the handler of the most urgent exception. */
static void finish_entry(struct thumb_core *c)
{
    int exception = c->entering;
    c->entering = 0;
    c->exceptions[exception].pending |= true;
    c->ipsr = c->entering_from;
    thumb_repend(c);
    if (is_wanted(c) && c->pending_best &&
        priority_of(c, c->pending_best) <= priority_of(c, exception))
        exception = c->pending_best;
    if (is_interrupt(exception) && !c->entry_is_isr)
        core_isr_enter(&c->core);
    c->exceptions[exception].isr = is_interrupt(exception) || c->entry_is_isr;
    c->exceptions[exception].pending = false;
    c->exceptions[exception].active = true;
    c->ipsr = (uint16_t)exception;
    uint32_t handler = mem_read32(c->core.data, c->vtor + 4 * (uint32_t)exception);
    if (c->abort) {
        c->abort = false;
        c->hfsr |= 2;
        handler = 0;
    }
    bool fault = exception >= EXC_HARDFAULT && exception <= EXC_USAGEFAULT;
    if (fault && is_endless_loop(c, handler)) {
        thumb_give_up(c, exception == EXC_HARDFAULT ? "unhandled HardFault" : "unhandled fault");
        return;
    }
    if (!(handler & 1)) {
        c->pc = handler;
        thumb_note_fault(c, "exception without a handler in the vector table", (uint32_t)exception);
        c->cfsr |= 1u << 17;
        thumb_give_up(c, "lockup");
        return;
    }
    c->pc = handler & ~1u;
    thumb_repend(c);
}

void thumb_enter(struct thumb_core *c, int exception, uint32_t xpsr)
{
    c->entering_from = c->ipsr;
    begin_entry(c, exception, xpsr);
}

static bool return_is_legal(const struct thumb_core *c, uint32_t value)
{
    uint32_t kind = value & 0xf;
    if (!c->exceptions[c->ipsr].active || (kind != 1 && kind != 9 && kind != 0xd))
        return false;
    unsigned active = 0;
    for (int i = 2; i < EXC_IRQ0 + c->params.irqs; i++)
        active += c->exceptions[i].active;
    if (kind == 1)
        return active > 1;
    return active == 1 || (c->ccr & 1) || c->kind == THUMB_M33;
}

/* Takes the frame off; false: it cannot be. */
static bool pop_frame(struct thumb_core *c, uint32_t value)
{
    bool process = (value & 0xf) == 0xd, thread = value & 8;
    uint32_t frame = process ? c->other_sp : c->r[13], words[8];
    for (unsigned i = 0; i < 8; i++)
        words[i] = mem_read32(c->core.data, frame + 4 * i);
    if (c->abort) {
        c->abort = false;
        return false;
    }
    memcpy(c->r, words, 4 * sizeof words[0]);
    c->r[12] = words[4];
    c->r[14] = words[5];
    c->pc = words[6] & ~1u;
    uint32_t xpsr = words[7];
    uint32_t sp = frame + FRAME_BYTES;
    if ((c->ccr & 1u << 9 || c->kind == THUMB_M33) && (xpsr & 1u << 9))
        sp |= 4;
    c->ipsr = thread ? 0 : (uint16_t)(xpsr & 0x1ff);
    if (process) {
        c->other_sp = c->r[13];
        c->control |= 2;
    } else if (thread) {
        c->control &= (uint8_t)~2u;
    }
    c->r[13] = sp;
    th_set_apsr(&c->flags, xpsr);
    c->q = xpsr >> 27 & 1;
    c->ge = xpsr >> 16 & 15;
    c->it = c->kind == THUMB_M0PLUS ? 0 : (uint8_t)((xpsr >> 25 & 3) | (xpsr >> 10 & 0x3f) << 2);
    c->no_thumb = !(xpsr & 1u << 24);
    return true;
}

static void exception_return(struct thumb_core *c, uint32_t value)
{
    struct thumb_exception *e = &c->exceptions[c->ipsr];
    bool legal = return_is_legal(c, value), isr = e->isr;
    int number = c->ipsr;
    e->active = false;
    e->isr = false;
    if (e->level && number >= EXC_IRQ0)
        e->pending = true;
    if (number != EXC_NMI)
        c->faultmask = false;
    c->exclusive = false;
    c->event = true;
    if (number >= EXC_HARDFAULT && number <= EXC_USAGEFAULT)
        c->fault_reason = NULL;
    if (!legal) {
        /* The fault is taken as if the return had been left out: its frame stays. */
        thumb_fault(c, EXC_USAGEFAULT, 1u << 18, "illegal exception return");
        c->r[14] = 0xf0000000 | (value & 0x0fffffff);
        thumb_take_fault(c);
        return;
    }
    /* Whoever comes next without unstacking: tail-chaining. */
    int background = 256;
    for (int i = 2; i < EXC_IRQ0 + c->params.irqs; i++)
        if (c->exceptions[i].active && thumb_group_of(c, i) < background)
            background = thumb_group_of(c, i);
    uint16_t handler = c->ipsr;
    c->ipsr = background < 256 ? handler : 0;
    thumb_repend(c);
    if (is_wanted(c)) {
        c->entering_from = c->ipsr;
        c->ipsr = handler;
        c->entering = c->pending_best;
        c->entry_is_isr = isr;
        c->r[14] = 0xfffffff0 | (value & 0xf);
        c->core.cycle += (unsigned)c->params.tail_chain;
        return;
    }
    c->ipsr = handler;
    if (!pop_frame(c, value)) {
        thumb_note_fault(c, "exception return with no memory at the stack pointer", c->r[13]);
        thumb_give_up(c, "lockup: unstacking failed");
        return;
    }
    c->core.cycle += (unsigned)c->params.exception_return;
    if (isr)
        core_isr_leave(&c->core);
    if (c->no_thumb) {
        c->no_thumb = false;
        thumb_fault(c, EXC_USAGEFAULT, 1u << 17, "execution without the Thumb bit");
        thumb_take_fault(c);
        return;
    }
    thumb_repend(c);
    if ((value & 8) && (c->scr & 2)) { /* sleep on exit */
        c->wait_event = false;
        c->core.asleep = true;
        c->core.sleep_mode = c->scr >> 2 & 1;
        thumb_repend(c);
    }
}

void thumb_branch_special(struct thumb_core *c, uint32_t value)
{
    uint32_t first = c->kind == THUMB_M33 ? 0xff000000 : 0xf0000000;
    c->core.instructions++;
    c->slot = 0;
    c->narrow = 0;
    c->last_after = 0;
    c->it = 0;
    core_attention(&c->core);
    if (value >= first && c->ipsr) {
        exception_return(c, value);
        return;
    }
    c->pc = value & ~1u;
    if (value & 1)
        return;
    thumb_fault(c, EXC_USAGEFAULT, 1u << 17, "branch to an address without the Thumb bit");
    thumb_take_fault(c);
}

/* Sleep */

void thumb_event(struct thumb_core *c)
{
    c->event = true;
    thumb_repend(c);
}

void thumb_wait(struct thumb_core *c, bool for_event)
{
    core_attention(&c->core);
    if (for_event && c->event) {
        c->event = false;
        return;
    }
    thumb_systick_settle(c);
    if (wakes(c))
        return;
    c->wait_event = for_event;
    c->core.asleep = true;
    c->core.sleep_mode = c->scr >> 2 & 1;
    /* Would SysTick wake the core? */
    c->core.wake_cycle = UINT64_MAX;
    if ((c->systick.control & 3) == 3 &&
        thumb_group_of(c, EXC_SYSTICK) < thumb_execution_priority(c, false))
        c->core.wake_cycle = c->own_next;
}

static bool wants_to_stop(struct thumb_core *c, enum core_stop *stop)
{
    if (c->core.fault.reason)
        *stop = CORE_FAULT;
    else if (c->exit_requested)
        *stop = CORE_EXIT;
    else if (c->core.stop_requested)
        *stop = CORE_STOPPED;
    else if (c->core.cycle >= c->core.limit)
        *stop = CORE_DEADLINE;
    else
        return false;
    c->exit_requested = false;
    return true;
}

enum thumb_next thumb_attend(struct thumb_core *c, enum core_stop *stop)
{
    for (;;) {
        c->r[13] &= ~3u;
        if (c->r[13] < c->core.sp_low)
            c->core.sp_low = c->r[13];
        if (c->reset_requested) {
            c->reset_requested = false;
            thumb_system_reset(c);
            thumb_start(c);
        }
        c->core.cycle += c->core.stall;
        c->core.stall = 0;
        if (c->core.cycle >= c->own_next)
            thumb_systick_settle(c);
        if (wants_to_stop(c, stop))
            return THUMB_STOP;
        if (c->entering) {
            finish_entry(c);
            continue;
        }
        bool held = c->watch_passes == c->core.instructions + 1; /* stopped before it: executes */
        if (!held && is_wanted(c)) {
            c->core.cycle -= c->last_after;
            c->last_after = 0;
            thumb_enter(c, c->pending_best, thumb_xpsr(c));
            continue;
        }
        c->last_after = 0;
        if (c->core.asleep) {
            *stop = CORE_SLEEP;
            return THUMB_STOP;
        }
        c->core.deadline = held ? 0 : c->core.limit;
        return THUMB_GO;
    }
}
