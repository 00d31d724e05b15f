/*
 * The queue of things that happen at a time. An event is part of its owner; scheduling never
 * allocates.
 *
 * Laws: events fire in the order of their times, and of their scheduling where the times are equal;
 * an event is out of the queue when it fires and may schedule itself again; `when_ps` handed to
 * `fire` is the time it was scheduled for, which an instruction that is being executed may have
 * passed.
 */
#ifndef UJ_SIM_EVENT_H
#define UJ_SIM_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/clock.h"

struct sim_event {
    void (*fire)(void *owner, uint64_t when_ps);
    void *owner;
    uint64_t when_ps;
    struct sim_event *next; /* in the queue; meaningless outside */
    bool queued;
};

struct event_queue {
    struct sim_event *first;
};

/* Puts the event at when_ps, moving it if it is queued; SIM_NEVER takes it out. */
void event_at(struct event_queue *q, struct sim_event *e, uint64_t when_ps);
void event_cancel(struct event_queue *q, struct sim_event *e);
/* Fires all that are due at now_ps or before. */
void event_fire_due(struct event_queue *q, uint64_t now_ps);

static inline uint64_t event_next_ps(const struct event_queue *q)
{
    return q->first ? q->first->when_ps : SIM_NEVER;
}

#endif
