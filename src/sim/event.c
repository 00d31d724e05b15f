#include "sim/event.h"

#include <stddef.h>

void event_cancel(struct event_queue *q, struct sim_event *e)
{
    if (!e->queued)
        return;
    struct sim_event **link = &q->first;
    while (*link != e)
        link = &(*link)->next;
    *link = e->next;
    e->queued = false;
}

/* A sorted list: a board has a handful of events at a time. */
void event_at(struct event_queue *q, struct sim_event *e, uint64_t when_ps)
{
    event_cancel(q, e);
    if (when_ps == SIM_NEVER)
        return;
    struct sim_event **link = &q->first;
    while (*link && (*link)->when_ps <= when_ps)
        link = &(*link)->next;
    e->when_ps = when_ps;
    e->next = *link;
    e->queued = true;
    *link = e;
}

void event_fire_due(struct event_queue *q, uint64_t now_ps)
{
    while (q->first && q->first->when_ps <= now_ps) {
        struct sim_event *e = q->first;
        q->first = e->next;
        e->queued = false;
        e->fire(e->owner, e->when_ps);
    }
}
