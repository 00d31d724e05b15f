#include "measure/window.h"

#include <string.h>

static void leave(void *owner, struct machine *m);

static void log_instruction(void *owner, const struct core *c, unsigned cycles, unsigned distance)
{
    const struct window_set *w = owner;
    if (w->log_inside && c->isr_depth == 0)
        activity_add(w->log, cycles, distance);
}

static void enter(void *owner, struct machine *m)
{
    struct window_set *w = owner;
    struct core *c = m->core;
    if (w->open)
        return;
    w->open = true;
    w->function = c->class->pc(c);
    w->entry_sp = c->class->sp(c);
    w->entry_cycle = c->cycle;
    w->entry_isr_cycles = c->isr_cycles;
    state_shadow(&m->cpu_state, &w->states, m->now_ps);
    c->sp_low = w->entry_sp;
    w->log_inside = w->log != NULL;
    w->exit =
        (struct machine_watch){.address = c->class->return_address(c), .hit = leave, .owner = w};
    machine_add_watch(m, &w->exit);
}

/* Adds the times of states; where there is no place any more, to the last. */
static void add_states(struct window_counts *counts, const struct state_total *totals, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < counts->state_count && (counts->states[k].hz != totals[i].hz ||
                                           strcmp(counts->states[k].state, totals[i].state) != 0))
            k++;
        if (totals[i].ps == 0)
            continue;
        if (k == STATE_TOTALS_MAX) {
            counts->states[--k].state = "other";
        } else if (k == counts->state_count) {
            counts->states[counts->state_count++] = totals[i];
            counts->states[k].ps = 0;
        }
        counts->states[k].ps += totals[i].ps;
    }
}

/* Interrupts were executed in the state and at the clock that the core is in now. */
static void take_out_interrupts(struct window_counts *call, const struct machine *m)
{
    double hz = clock_hz(m->cpu_clock);
    for (size_t k = 0; k < call->state_count; k++) {
        struct state_total *total = &call->states[k];
        if (total->hz != hz || strcmp(total->state, m->cpu_state.state) != 0)
            continue;
        uint64_t ps = (uint64_t)((double)call->isr_cycles / hz * 1e12 + 0.5);
        total->ps -= ps < total->ps ? ps : total->ps;
    }
}

static void add_counts(struct window_counts *sum, const struct window_counts *call)
{
    sum->calls += call->calls;
    sum->cycles += call->cycles;
    sum->isr_cycles += call->isr_cycles;
    if (call->stack_bytes > sum->stack_bytes)
        sum->stack_bytes = call->stack_bytes;
    add_states(sum, call->states, call->state_count);
}

static void leave(void *owner, struct machine *m)
{
    struct window_set *w = owner;
    struct core *c = m->core;
    /* A recursive call returns to the same address with its caller's frame still on the stack. */
    if (!w->open || c->isr_depth > 0 || !c->class->returned(c, w->entry_sp))
        return;
    struct window_counts call = {.calls = 1};
    call.isr_cycles = c->isr_cycles - w->entry_isr_cycles;
    call.cycles = c->cycle - w->entry_cycle - call.isr_cycles;
    call.stack_bytes = c->class->sp(c) - c->sp_low;
    state_settle(&m->cpu_state, m->now_ps);
    state_unshadow(&m->cpu_state, &w->states);
    add_states(&call, w->states.totals, w->states.count);
    if (call.isr_cycles > 0)
        take_out_interrupts(&call, m);
    add_counts(&w->counts, &call);
    w->open = false;
    w->log_inside = false;
    machine_remove_watch(m, &w->exit);
    if (w->returned)
        w->returned(w->owner, w->function, &call);
}

void window_set_open(struct window_set *w, struct machine *m, const uint32_t *addresses,
                     unsigned count, struct activity_log *log)
{
    *w = (struct window_set){.machine = m, .log = log};
    for (unsigned i = 0; i < count; i++) {
        w->entries[i] = (struct machine_watch){.address = addresses[i], .hit = enter, .owner = w};
        machine_add_watch(m, &w->entries[i]);
    }
    w->entry_count = count;
    m->traced = log != NULL;
    m->core->trace = log ? log_instruction : NULL;
    m->core->trace_owner = w;
}

void window_set_close(struct window_set *w)
{
    for (unsigned i = 0; i < w->entry_count; i++)
        machine_remove_watch(w->machine, &w->entries[i]);
    machine_remove_watch(w->machine, &w->exit);
    w->entry_count = 0;
    if (w->open)
        state_unshadow(&w->machine->cpu_state, &w->states);
    w->open = false;
    w->machine->traced = false;
    w->machine->core->trace = NULL;
}
