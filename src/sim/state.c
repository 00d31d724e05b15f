#include "sim/state.h"

#include <string.h>

void state_init(struct state_track *t, const char *component, const char *state, double hz)
{
    *t = (struct state_track){.component = component};
    state_enter(t, state, hz, 0);
}

/* The total of the state and frequency; beyond the last place, all in one called "other". */
static struct state_total *total_of(struct state_track *t, const char *state, double hz)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->totals[i].hz == hz && strcmp(t->totals[i].state, state) == 0)
            return &t->totals[i];
    if (t->count == STATE_TOTALS_MAX) {
        t->totals[t->count - 1].state = "other";
        return &t->totals[t->count - 1];
    }
    struct state_total *total = &t->totals[t->count++];
    *total = (struct state_total){.state = state, .hz = hz};
    return total;
}

void state_settle(struct state_track *t, uint64_t now_ps)
{
    if (now_ps <= t->since_ps)
        return;
    total_of(t, t->state, t->hz)->ps += now_ps - t->since_ps;
    t->since_ps = now_ps;
}

void state_enter(struct state_track *t, const char *state, double hz, uint64_t now_ps)
{
    if (t->state) {
        if (t->hz == hz && strcmp(t->state, state) == 0)
            return;
        state_settle(t, now_ps);
    }
    t->state = state;
    t->hz = hz;
    t->since_ps = now_ps;
    total_of(t, state, hz)->entries++;
}
