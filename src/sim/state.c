#include "sim/state.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

void state_init(struct state_track *t, const char *component, const char *state, double hz)
{
    *t = (struct state_track){.component = component};
    state_enter(t, state, hz, 0);
}

/* The total of two is at their mean frequency, so that what is linear in it stays as it was. */
static void merge(struct state_total *into, const struct state_total *other)
{
    double a = (double)into->ps, b = (double)other->ps;
    if (a + b > 0)
        into->hz = (into->hz * a + other->hz * b) / (a + b);
    into->ps += other->ps;
    into->entries += other->entries;
}

/* Makes a place by merging the two totals of one state that are nearest in frequency. */
static bool make_place(struct state_track *t)
{
    size_t best_i = 0, best_k = 0;
    double best = HUGE_VAL;
    for (size_t i = 0; i < t->count; i++)
        for (size_t k = i + 1; k < t->count; k++) {
            const struct state_total *a = &t->totals[i], *b = &t->totals[k];
            double distance = fabs(a->hz - b->hz) / (a->hz + b->hz + 1);
            if (strcmp(a->state, b->state) == 0 && distance < best) {
                best = distance;
                best_i = i;
                best_k = k;
            }
        }
    if (best_k == 0)
        return false;
    merge(&t->totals[best_i], &t->totals[best_k]);
    t->totals[best_k] = t->totals[--t->count];
    return true;
}

static struct state_total *total_of(struct state_track *t, const char *state, double hz)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->totals[i].hz == hz && strcmp(t->totals[i].state, state) == 0)
            return &t->totals[i];
    if (t->count == STATE_TOTALS_MAX && !make_place(t)) {
        t->totals[t->count - 1].state = "other";
        return &t->totals[t->count - 1];
    }
    struct state_total *total = &t->totals[t->count++];
    *total = (struct state_total){.state = state, .hz = hz};
    return total;
}

void state_shadow(struct state_track *t, struct state_track *shadow, uint64_t now_ps)
{
    *shadow = (struct state_track){.component = t->component, .shadow = t->shadow};
    shadow->state = t->state;
    shadow->hz = t->hz;
    shadow->since_ps = now_ps;
    total_of(shadow, t->state, t->hz)->entries++;
    t->shadow = shadow;
}

void state_unshadow(struct state_track *t, struct state_track *shadow)
{
    while (t && t->shadow != shadow)
        t = t->shadow;
    if (t)
        t->shadow = shadow->shadow;
    shadow->shadow = NULL;
}

void state_settle(struct state_track *t, uint64_t now_ps)
{
    if (t->shadow)
        state_settle(t->shadow, now_ps);
    if (now_ps <= t->since_ps)
        return;
    total_of(t, t->state, t->hz)->ps += now_ps - t->since_ps;
    t->since_ps = now_ps;
}

void state_enter(struct state_track *t, const char *state, double hz, uint64_t now_ps)
{
    if (t->shadow)
        state_enter(t->shadow, state, hz, now_ps);
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
