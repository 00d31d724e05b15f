#include "sim/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "sim/periph.h"
#include "sim/wire.h"

uint64_t machine_now(struct machine *m)
{
    if (m->acting_ps)
        return m->acting_ps;
    return m->in_core ? clock_time(m->cpu_clock, m->core->cycle) : m->now_ps;
}

/* The first tick of the core's clock at or behind a time. */
static uint64_t tick_at(struct machine *m, uint64_t ps)
{
    if (ps == SIM_NEVER || m->cpu_clock->hz == 0)
        return UINT64_MAX;
    uint64_t ticks = clock_ticks(m->cpu_clock, ps);
    return clock_time(m->cpu_clock, ticks) < ps ? ticks + 1 : ticks;
}

static uint64_t next_stop_ps(const struct machine *m)
{
    uint64_t next = event_next_ps(&m->events);
    return next < m->until_ps ? next : m->until_ps;
}

void machine_retime(struct machine *m)
{
    struct core *c = m->core;
    c->limit = tick_at(m, next_stop_ps(m));
    if (c->deadline != 0)
        c->deadline = c->limit;
}

void machine_at(struct machine *m, struct sim_event *e, uint64_t when_ps)
{
    event_at(&m->events, e, when_ps);
    machine_retime(m);
}

void machine_sync(struct machine *m)
{
    if (event_next_ps(&m->events) == SIM_NEVER)
        return;
    uint64_t now = machine_now(m);
    if (event_next_ps(&m->events) <= now) {
        event_fire_due(&m->events, now);
        machine_retime(m);
    }
}

void machine_stop(struct machine *m)
{
    m->is_stopping = true;
    m->core->stop_requested = true;
    core_attention(m->core);
}

void machine_note(struct machine *m, uint32_t pc, const char *reason, uint32_t address,
                  const char *detail)
{
    if (m->note.reason)
        return;
    m->note = (struct core_fault){
        .reason = reason, .pc = pc, .address = address, .cycle = m->core->cycle};
    (void)snprintf(m->note.detail, sizeof m->note.detail, "%s", detail ? detail : "");
}

void machine_request_reset(struct machine *m, const char *cause)
{
    if (!m->reset_cause)
        m->reset_cause = cause;
    m->core->stop_requested = true;
    core_attention(m->core);
}

void machine_stall(struct machine *m, uint64_t cycles)
{
    if (m->core->asleep)
        return;
    m->core->stall += cycles;
    core_attention(m->core);
}

void machine_irq_request(struct machine *m, bool pending)
{
    m->core->irq_pending = pending;
    if (pending)
        core_attention(m->core);
}

static void fall_asleep(struct machine *m)
{
    const struct core_port *port = &m->core->port;
    const char *state = port->sleep ? port->sleep(port->chip, m->core->sleep_mode) : "idle";
    if (!state) {
        m->core->asleep = false;
        return;
    }
    state_enter(&m->cpu_state, state, clock_hz(m->cpu_clock), m->now_ps);
}

static void wake_up(struct machine *m)
{
    struct core *c = m->core;
    c->asleep = false;
    c->woken = true;
    if (c->port.wake)
        m->now_ps += c->port.wake(c->port.chip);
    uint64_t cycle = tick_at(m, m->now_ps);
    if (cycle != UINT64_MAX && cycle > c->cycle)
        c->cycle = cycle;
    state_enter(&m->cpu_state, "active", clock_hz(m->cpu_clock), m->now_ps);
}

/* When a timer of the core's own ends its sleep. */
static uint64_t own_wake_ps(const struct machine *m)
{
    const struct core *c = m->core;
    if (!c->asleep || c->wake_cycle == UINT64_MAX || c->wake_cycle == 0)
        return SIM_NEVER;
    return clock_time(m->cpu_clock, c->wake_cycle);
}

/* Calls everybody who watches the address at which the core stopped. */
static void hit_watches(struct machine *m)
{
    uint32_t pc = m->core->class->pc(m->core);
    for (struct machine_watch *w = m->watches, *next; w; w = next) {
        next = w->next; /* the callee may remove its own watch */
        if (w->address == pc)
            w->hit(w->owner, m);
    }
}

static enum core_stop run_core(struct machine *m)
{
    struct core *c = m->core;
    c->limit = tick_at(m, next_stop_ps(m));
    c->deadline = c->irq_pending || c->nmi_pending || c->stop_requested || c->stall ? 0 : c->limit;
    m->in_core = true;
    enum core_stop stop = m->traced || m->priced ? c->class->run_traced(c) : c->class->run(c);
    m->in_core = false;
    uint64_t now = clock_time(m->cpu_clock, c->cycle);
    if (now != SIM_NEVER && now > m->now_ps)
        m->now_ps = now;
    return stop;
}

/* The reset that a device has asked for. */
static void make_reset(struct machine *m)
{
    struct core *c = m->core;
    if (m->was_reset)
        m->was_reset(m->reset_owner, m->reset_cause, c->class->pc(c));
    machine_reset(m);
    m->reset_cause = NULL;
    uint64_t cycle = tick_at(m, m->now_ps);
    if (cycle != UINT64_MAX && cycle > c->cycle)
        c->cycle = cycle;
}

enum machine_stop machine_run(struct machine *m, uint64_t until_ps)
{
    struct core *c = m->core;
    m->until_ps = until_ps;
    for (;;) {
        event_fire_due(&m->events, m->now_ps);
        if (c->stop_requested) {
            c->stop_requested = false;
            if (m->reset_cause)
                make_reset(m);
            if (m->is_stopping) {
                m->is_stopping = false;
                return MACHINE_STOPPED;
            }
        }
        if (m->now_ps >= until_ps)
            return MACHINE_TIME;
        if (c->asleep && (c->nmi_pending || (c->irq_pending && !c->irq_masked)))
            wake_up(m);
        if (c->asleep || m->cpu_clock->hz == 0) {
            uint64_t next = next_stop_ps(m), wake = own_wake_ps(m);
            if (wake < next)
                next = wake;
            if (next == SIM_NEVER)
                return MACHINE_IDLE;
            if (next > m->now_ps)
                m->now_ps = next;
            if (wake <= m->now_ps)
                wake_up(m);
            continue;
        }
        switch (run_core(m)) {
        case CORE_DEADLINE:
        case CORE_STOPPED: break;
        case CORE_WATCH: hit_watches(m); break;
        case CORE_SLEEP: fall_asleep(m); break;
        case CORE_FAULT: return MACHINE_FAULT;
        case CORE_EXIT: return MACHINE_EXIT;
        }
    }
}

void machine_reset(struct machine *m)
{
    m->note = (struct core_fault){0};
    m->core->stall = 0;
    m->core->class->reset(m->core);
    for (struct periph *p = m->periphs; p; p = p->next)
        if (p->class->reset)
            p->class->reset(p);
    state_enter(&m->cpu_state, "active", clock_hz(m->cpu_clock), m->now_ps);
}

/* Nets */

static struct sim_net *representative(struct sim_net *net)
{
    while (net->joined)
        net = net->joined;
    return net;
}

struct sim_net *machine_net(struct machine *m, const char *name)
{
    for (struct sim_net *net = m->nets; net; net = net->next)
        if (strcmp(net->name, name) == 0)
            return net;
    struct sim_net *net = uj_calloc(1, sizeof *net);
    net->name = uj_strdup(name);
    net->next = m->nets;
    m->nets = net;
    return net;
}

bool net_level(const struct sim_net *net)
{
    return representative((struct sim_net *)net)->level;
}

/* Gives the net the level that its drivers make; tells the listeners, unless one of them changes
 * it again. */
static void settle(struct machine *m, struct sim_net *net)
{
    bool level = wire_level(net);
    if (net->level == level)
        return;
    net->level = level;
    uint64_t now = machine_now(m);
    for (struct net_listener *l = net->listeners; l && net->level == level; l = l->next)
        l->changed(l->owner, level, now);
}

void net_drive(struct machine *m, struct sim_net *net, bool level)
{
    net = representative(net);
    net->is_driven = true;
    net->driven = level;
    settle(m, net);
}

void wire_attach(struct wire *w, struct sim_net *net)
{
    w->net = net;
    net = representative(net);
    w->next = net->wires;
    net->wires = w;
}

void wire_drive(struct machine *m, struct wire *w, enum wire_drive drive)
{
    if (w->drive == drive)
        return;
    w->drive = drive;
    settle(m, representative(w->net));
}

void net_listen(struct sim_net *net, struct net_listener *listener)
{
    net = representative(net);
    listener->next = net->listeners;
    net->listeners = listener;
}

void net_join(struct sim_net *a, struct sim_net *b)
{
    a = representative(a);
    b = representative(b);
    if (a == b)
        return;
    struct net_listener **end = &b->listeners;
    while (*end)
        end = &(*end)->next;
    *end = a->listeners;
    a->listeners = NULL;
    struct wire **last = &b->wires;
    while (*last)
        last = &(*last)->next;
    *last = a->wires;
    a->wires = NULL;
    a->joined = b;
}

/* Serial ports */

struct sim_serial *machine_add_serial(struct machine *m, const char *name)
{
    struct sim_serial *s = uj_calloc(1, sizeof *s);
    s->name = name;
    s->next = m->serials;
    m->serials = s;
    return s;
}

struct sim_serial *machine_serial(struct machine *m, const char *name)
{
    for (struct sim_serial *s = m->serials; s; s = s->next)
        if (strcmp(s->name, name) == 0)
            return s;
    return NULL;
}

void serial_sent(struct sim_serial *s, uint8_t byte, uint64_t when_ps)
{
    if (s->sent)
        s->sent(s->owner, byte, when_ps);
}

void serial_feed(struct sim_serial *s, const void *bytes, size_t count)
{
    if (s->queue_count + count > s->queue_capacity) {
        s->queue_capacity = 2 * (s->queue_count + count);
        s->queue = uj_realloc(s->queue, s->queue_capacity);
    }
    memcpy(s->queue + s->queue_count, bytes, count);
    s->queue_count += count;
    if (s->to_receive)
        s->to_receive(s->uart);
}

bool serial_take(struct sim_serial *s, uint8_t *byte)
{
    if (s->queue_count == 0)
        return false;
    *byte = s->queue[0];
    memmove(s->queue, s->queue + 1, --s->queue_count);
    return true;
}

/* Watches */

static bool is_watched(const struct machine *m, uint32_t address)
{
    for (const struct machine_watch *w = m->watches; w; w = w->next)
        if (w->address == address)
            return true;
    return false;
}

void machine_add_watch(struct machine *m, struct machine_watch *w)
{
    if (!is_watched(m, w->address))
        m->core->class->watch(m->core, w->address, true);
    w->next = m->watches;
    m->watches = w;
}

void machine_remove_watch(struct machine *m, struct machine_watch *w)
{
    struct machine_watch **link = &m->watches;
    while (*link && *link != w)
        link = &(*link)->next;
    if (!*link)
        return;
    *link = w->next;
    if (!is_watched(m, w->address))
        m->core->class->watch(m->core, w->address, false);
}

/* Look-ups */

void machine_add_state(struct machine *m, struct state_track *t)
{
    t->next = m->states;
    m->states = t;
}

struct sim_clock *machine_clock(struct machine *m, const char *name)
{
    for (size_t i = 0; i < m->clock_count; i++)
        if (strcmp(m->clocks[i].name, name) == 0)
            return &m->clocks[i];
    return NULL;
}

struct periph *machine_periph(struct machine *m, const char *name)
{
    for (struct periph *p = m->periphs; p; p = p->next)
        if (strcmp(p->name, name) == 0)
            return p;
    return NULL;
}
