/*
 * States over time: what the energy model prices. A component (cpu, radio, ...) is in exactly one
 * state at any time, at one clock frequency; the time in each (state, frequency) is added up.
 *
 * Laws: the times of a track add up to the time since reset; a frequency that changes starts a new
 * total; names are constant strings that the device files price by. Where a track has no place for
 * one more total, the two of one state that are nearest in frequency become one at their mean.
 */
#ifndef UJ_SIM_STATE_H
#define UJ_SIM_STATE_H

#include <stddef.h>
#include <stdint.h>

enum { STATE_TOTALS_MAX = 24 };

struct state_total {
    const char *state;
    double hz; /* of the component's clock while in it */
    uint64_t ps;
    uint64_t entries; /* how often it was entered */
};

struct state_track {
    const char *component;
    const char *state;
    double hz;
    uint64_t since_ps;
    struct state_total totals[STATE_TOTALS_MAX];
    size_t count;
    struct state_track *shadow; /* told of the same; NULL: none */
    struct state_track *next;   /* of the machine */
};

void state_init(struct state_track *t, const char *component, const char *state, double hz);
/* The component enters `state`, or keeps it with another frequency, at now_ps. */
void state_enter(struct state_track *t, const char *state, double hz, uint64_t now_ps);
/* From now on `shadow` is told what `t` is told, until state_unshadow(). */
void state_shadow(struct state_track *t, struct state_track *shadow, uint64_t now_ps);
void state_unshadow(struct state_track *t, struct state_track *shadow);
/* Adds the time of the current state up to now_ps, so that `totals` can be read. */
void state_settle(struct state_track *t, uint64_t now_ps);

#endif
