/* What happens between two instructions when somebody wants attention. */
#include "isa/avr/avr_core.h"
#include "isa/avr/avr_timing.h"
#define AVR_TRACED 1
/* The bus is counted here for both loops: it costs nothing in so rare a place. */
#include "isa/avr/avr_semantics.h"

/* Stores the program counter and goes to the vector; false: no interrupt after all. */
static bool take_interrupt(struct avr_core *c, bool traced)
{
    struct core *core = &c->core;
    int number = core->port.irq_take ? core->port.irq_take(core->port.chip) : -1;
    if (number < 0)
        return false;
    core_isr_enter(core);
    unsigned cycles = avr_interrupt_cycles(c);
    core->cycle += cycles;
    /* The pushes below end in the last of these cycles. */
    avr_reload(c, core->cycle);
    uint32_t index = avr_index(c);
    c->bus_distance = 0;
    avr_push_pc(c, &c->live, index);
    if (c->column == AVR_E)
        c->i = 0;
    uint32_t vector = (uint32_t)number * c->vector_words;
    if (vector > c->code_words)
        vector = c->code_words;
    c->live.ip = c->records + vector;
    c->live.count += (int64_t)index - (int64_t)vector;
    core->cycle = c->horizon - (uint64_t)c->live.left;
    if (traced && core->trace)
        core->trace(core->trace_owner, core, cycles, c->bus_distance);
    c->bus_distance = 0;
    return true;
}

int avr_attend(struct avr_core *c, bool traced)
{
    struct core *core = &c->core;
    core->cycle = c->horizon - (uint64_t)c->live.left;
    core->instructions = (uint64_t)(c->live.count + avr_index(c));
    if (core->fault.reason)
        return CORE_FAULT;
    if (core->asleep)
        return CORE_SLEEP;
    if (core->stop_requested)
        return CORE_STOPPED;
    if (core->cycle >= core->limit)
        return CORE_DEADLINE;
    bool held = c->hold > 0 || c->hold_io > 0;
    if (core->irq_pending && c->i && !held && take_interrupt(c, traced)) {
        core->woken = false;
        core->instructions = (uint64_t)(c->live.count + avr_index(c));
        if (core->cycle >= core->limit)
            return CORE_DEADLINE;
    }
    core->woken = false;
    if (held) {
        /* One instruction, then here again; each takes a cycle at least. */
        if (c->hold > 0)
            c->hold--;
        if (c->hold_io > 0)
            c->hold_io--;
        core->deadline = 0;
        c->live.left = 1;
        c->horizon = core->cycle + 1;
        return -1;
    }
    core->deadline = core->limit;
    avr_reload(c, core->cycle);
    return -1;
}

void avr_want_attention(struct avr_core *c)
{
    core_attention(&c->core);
    avr_reload(c, c->horizon - (uint64_t)c->live.left);
}

void avr_end_interrupt(struct avr_core *c)
{
    struct core *core = &c->core;
    core->cycle = c->horizon - (uint64_t)c->live.left;
    /* On XMEGA and its successors I was never cleared: the controller keeps the level. */
    if (c->column == AVR_E)
        c->i = 1;
    if (core->port.irq_return)
        core->port.irq_return(core->port.chip);
    core_isr_leave(core);
    /* One more instruction is executed before a pending interrupt is accepted. */
    avr_hold(c, 1);
    avr_want_attention(c);
}
