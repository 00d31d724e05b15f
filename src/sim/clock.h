/*
 * Clocks: the only place where ticks become time and time becomes ticks.
 *
 * Global time is 64-bit picoseconds since reset (213 days). A clock is a parent and a ratio, or a
 * root with a frequency of its own; it counts from its epoch, the moment of its last change, in
 * 128-bit arithmetic, so a frequency that is no whole number of picoseconds does not drift.
 *
 * Laws: clock_ticks(c, clock_time(c, n)) == n for every n at or behind the epoch; a change keeps
 * the tick count, re-bases the clock and every clock derived from it, then calls their users, who
 * must compute again whatever they had scheduled. A stopped clock (0 Hz) keeps its count and its
 * next tick is at SIM_NEVER.
 */
#ifndef UJ_SIM_CLOCK_H
#define UJ_SIM_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define SIM_NEVER     UINT64_MAX
#define PS_PER_SECOND 1000000000000ULL

struct sim_clock;

/* Somebody to tell that a clock has changed; linked into the clock, owned by the user. */
struct clock_user {
    void (*changed)(void *owner, uint64_t now_ps);
    void *owner;
    struct clock_user *next;
};

struct sim_clock {
    const char *name;
    struct sim_clock *parent;       /* NULL for a root */
    uint64_t root_hz, root_divisor; /* of a root: its frequency as a fraction */
    uint64_t multiply, divide;      /* of a derived clock: its ratio to the parent */
    bool gated;                     /* stopped here, whatever the parent does */
    uint64_t hz, hz_divisor;        /* the frequency in force, as a fraction; hz == 0: stopped */
    uint64_t epoch_ps, epoch_ticks;
    struct sim_clock *first_child, *sibling;
    struct clock_user *users;
};

/* A root of hz / hz_divisor Hz. */
void clock_init_root(struct sim_clock *c, const char *name, uint64_t hz, uint64_t hz_divisor);
/* A clock of parent x multiply / divide. */
void clock_init(struct sim_clock *c, const char *name, struct sim_clock *parent, uint64_t multiply,
                uint64_t divide);
void clock_use(struct sim_clock *c, struct clock_user *user);

/* Changes, taking effect at now_ps. */
void clock_set_root(struct sim_clock *c, uint64_t hz, uint64_t hz_divisor, uint64_t now_ps);
void clock_set_ratio(struct sim_clock *c, uint64_t multiply, uint64_t divide, uint64_t now_ps);
void clock_set_parent(struct sim_clock *c, struct sim_clock *parent, uint64_t now_ps);
void clock_set_gate(struct sim_clock *c, bool gated, uint64_t now_ps);

/* The frequency in force, Hz. */
double clock_hz(const struct sim_clock *c);
/* Whole ticks counted by now_ps. */
uint64_t clock_ticks(const struct sim_clock *c, uint64_t now_ps);
/* The first moment at which `ticks` ticks are counted; SIM_NEVER where the clock is stopped before.
 */
uint64_t clock_time(const struct sim_clock *c, uint64_t ticks);

#endif
