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
    state_settle(&m->cpu_state, m->now_ps);
    w->entry_states = m->cpu_state;
    c->sp_low = w->entry_sp;
    w->log_inside = w->log != NULL;
    w->exit =
        (struct machine_watch){.address = c->class->return_address(c), .hit = leave, .owner = w};
    machine_add_watch(m, &w->exit);
}

/* Adds what a state's time has grown since the entry. */
static void add_states(struct window_counts *counts, const struct state_track *now,
                       const struct state_track *before)
{
    for (size_t i = 0; i < now->count; i++) {
        uint64_t ps = now->totals[i].ps - (i < before->count ? before->totals[i].ps : 0);
        if (ps == 0)
            continue;
        size_t k = 0;
        while (k < counts->state_count &&
               (counts->states[k].hz != now->totals[i].hz ||
                strcmp(counts->states[k].state, now->totals[i].state) != 0))
            k++;
        if (k == counts->state_count) {
            counts->states[counts->state_count++] = now->totals[i];
            counts->states[k].ps = 0;
        }
        counts->states[k].ps += ps;
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
    struct state_track track = {.count = call->state_count};
    memcpy(track.totals, call->states, sizeof track.totals);
    add_states(sum, &track, &(struct state_track){0});
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
    add_states(&call, &m->cpu_state, &w->entry_states);
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
    w->open = false;
    w->machine->traced = false;
    w->machine->core->trace = NULL;
}
