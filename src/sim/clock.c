#include "sim/clock.h"

#include <stddef.h>

typedef unsigned __int128 uint128;

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a ? a : 1;
}

/* The frequency in force, from the parent's and the ratio, in lowest terms. */
static void derive(struct sim_clock *c)
{
    if (!c->parent) {
        c->hz = c->gated ? 0 : c->root_hz;
        c->hz_divisor = c->root_divisor;
        return;
    }
    if (c->gated || c->parent->hz == 0) {
        c->hz = 0;
        c->hz_divisor = 1;
        return;
    }
    uint64_t across = common_divisor(c->parent->hz, c->divide);
    uint64_t other = common_divisor(c->multiply, c->parent->hz_divisor);
    c->hz = c->parent->hz / across * (c->multiply / other);
    c->hz_divisor = c->parent->hz_divisor / other * (c->divide / across);
}

static void rebase(struct sim_clock *c, uint64_t now_ps)
{
    c->epoch_ticks = clock_ticks(c, now_ps);
    c->epoch_ps = now_ps;
    for (struct sim_clock *child = c->first_child; child; child = child->sibling)
        rebase(child, now_ps);
}

static void derive_all(struct sim_clock *c)
{
    derive(c);
    for (struct sim_clock *child = c->first_child; child; child = child->sibling)
        derive_all(child);
}

static void tell_users(struct sim_clock *c, uint64_t now_ps)
{
    for (struct clock_user *user = c->users; user; user = user->next)
        user->changed(user->owner, now_ps);
    for (struct sim_clock *child = c->first_child; child; child = child->sibling)
        tell_users(child, now_ps);
}

static void changed(struct sim_clock *c, uint64_t now_ps)
{
    derive_all(c);
    tell_users(c, now_ps);
}

static void adopt(struct sim_clock *parent, struct sim_clock *c)
{
    c->parent = parent;
    c->sibling = parent->first_child;
    parent->first_child = c;
}

void clock_init_root(struct sim_clock *c, const char *name, uint64_t hz, uint64_t hz_divisor)
{
    *c = (struct sim_clock){.name = name, .root_hz = hz, .root_divisor = hz_divisor};
    derive(c);
}

void clock_init(struct sim_clock *c, const char *name, struct sim_clock *parent, uint64_t multiply,
                uint64_t divide)
{
    *c = (struct sim_clock){.name = name, .multiply = multiply, .divide = divide};
    adopt(parent, c);
    derive(c);
}

void clock_use(struct sim_clock *c, struct clock_user *user)
{
    user->next = c->users;
    c->users = user;
}

void clock_set_root(struct sim_clock *c, uint64_t hz, uint64_t hz_divisor, uint64_t now_ps)
{
    rebase(c, now_ps);
    c->root_hz = hz;
    c->root_divisor = hz_divisor;
    changed(c, now_ps);
}

void clock_set_ratio(struct sim_clock *c, uint64_t multiply, uint64_t divide, uint64_t now_ps)
{
    rebase(c, now_ps);
    c->multiply = multiply;
    c->divide = divide;
    changed(c, now_ps);
}

void clock_set_parent(struct sim_clock *c, struct sim_clock *parent, uint64_t now_ps)
{
    rebase(c, now_ps);
    struct sim_clock **link = &c->parent->first_child;
    while (*link != c)
        link = &(*link)->sibling;
    *link = c->sibling;
    adopt(parent, c);
    changed(c, now_ps);
}

void clock_set_gate(struct sim_clock *c, bool gated, uint64_t now_ps)
{
    if (c->gated == gated)
        return;
    rebase(c, now_ps);
    c->gated = gated;
    changed(c, now_ps);
}

double clock_hz(const struct sim_clock *c)
{
    return (double)c->hz / (double)c->hz_divisor;
}

uint64_t clock_ticks(const struct sim_clock *c, uint64_t now_ps)
{
    if (c->hz == 0 || now_ps <= c->epoch_ps)
        return c->epoch_ticks;
    uint128 passed = (uint128)(now_ps - c->epoch_ps) * c->hz;
    return c->epoch_ticks + (uint64_t)(passed / ((uint128)c->hz_divisor * PS_PER_SECOND));
}

uint64_t clock_time(const struct sim_clock *c, uint64_t ticks)
{
    if (ticks <= c->epoch_ticks)
        return c->epoch_ps;
    if (c->hz == 0)
        return SIM_NEVER;
    uint128 ps = (uint128)(ticks - c->epoch_ticks) * c->hz_divisor * PS_PER_SECOND;
    ps = (ps + c->hz - 1) / c->hz;
    return ps >= SIM_NEVER - c->epoch_ps ? SIM_NEVER : c->epoch_ps + (uint64_t)ps;
}
