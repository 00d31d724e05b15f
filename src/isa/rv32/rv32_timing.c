/* Costs that the loop asks for, and the fetch queue in front of a predicted branch. */
#include "isa/rv32/rv32_timing.h"

#ifdef UJ_TIMING_TABLE_MUTABLE
unsigned rv32_context_cycles[RV32_CONTEXTS] = {
#define COST(name, cycles, rule) cycles,
    RV32_CONTEXT_COSTS(COST)
#undef COST
};
#endif

unsigned rv32_own_cycles(const struct rv32_found *found)
{
    uint8_t registers[13];
    const struct rv32_row *row = &rv32_rows[found->row];
    unsigned count;
    switch (row->class) {
    case RV32_PUSH:
    case RV32_POP:
        return row->cycles + RV32_COST(LISTED) * rv32_list(registers, found->operands.list);
    case RV32_POPRET:
        count = rv32_list(registers, found->operands.list);
        return row->cycles + RV32_COST(LISTED) * count + (count == 1 ? RV32_COST(RETURN_USE) : 0);
    case RV32_POPRETZ:
        count = rv32_list(registers, found->operands.list);
        return row->cycles + RV32_COST(LISTED) * count + RV32_COST(CLEARED);
    default: return row->cycles;
    }
}

/* Must the value of a register be there when the instruction executes? */
static bool waits_for(const struct rv32_found *found, uint8_t number)
{
    const struct rv32_operands *o = &found->operands;
    switch (rv32_rows[found->row].class) {
    case RV32_STORE: return o->s == number;
    case RV32_PUSH:
    case RV32_POP:
    case RV32_POPRET:
    case RV32_POPRETZ: return number == 2;
    case RV32_TO_SAVED: return number == 10;
    case RV32_FROM_SAVED: return rv32_saved(o->s & 7) == number;
    /* The pipeline looks at the low bits of the register's number too, as if they were an operand.
     */
    case RV32_CSR: return o->s == number || (o->k & 31) == number;
    default: return o->s == number || o->t == number;
    }
}

static bool is_exclusive(enum rv32_class class)
{
    return class == RV32_LR || class == RV32_SC;
}

unsigned rv32_after_cycles(const struct rv32_found *found, const struct rv32_found *next)
{
    enum rv32_class class = rv32_rows[found->row].class;
    if ((class != RV32_LOAD && !is_exclusive(class)) || next->row < 0)
        return 0;
    enum rv32_class follower = rv32_rows[next->row].class;
    unsigned cycles = 0;
    if (is_exclusive(class) && (is_exclusive(follower) || follower == RV32_AMO))
        cycles = RV32_COST(EXCLUSIVE);
    if (found->operands.d != 0 && waits_for(next, found->operands.d) &&
        RV32_COST(LOAD_USE) > cycles)
        cycles = RV32_COST(LOAD_USE);
    return cycles;
}

void rv32_waited(struct rv32_core *c, const struct rv32_record *rec, unsigned cycles)
{
    c->live.left -= cycles;
    c->waits[c->next_wait++ % RV32_WAITS] = (struct rv32_wait){c->live.count + 1, cycles};
    /* What waits for the value does nothing meanwhile. */
    if (rec->after == 0) {
        c->overlap_at = c->live.count + 1;
        c->overlap = cycles;
    }
}

/*
 * The fetch queue. Words are fetched one a cycle, and enter the window of three halfwords as soon
 * as it has room for their halfwords: a word gives one halfword where a predicted branch ends in
 * its lower half, or where the branch's target is its upper half. Straight code never waits; a
 * misaligned target of 32 bits does, when its first half enters the window only in the last cycle
 * of the branch.
 */
struct window {
    uint32_t next;       /* the word to enter next */
    uint32_t branch_end; /* behind it comes the target */
    unsigned level;      /* halfwords in the window */
    bool target_entered;
};

static void window_cycle(struct window *w, unsigned consumed)
{
    unsigned left = w->level - consumed;
    w->level = left;
    if (w->next >= w->branch_end) {
        /* The first word of the target, of which one halfword counts; then a whole one. */
        if (!w->target_entered && left <= 2) {
            w->level = left + 1;
            w->target_entered = true;
        }
        return;
    }
    unsigned halves = w->branch_end - w->next >= 4 ? 2 : 1;
    if (left <= (halves == 2 ? 1 : 2)) {
        w->level = left + halves;
        w->next += 4;
    }
}

/* Cycles that the bus kept the instruction with this count waiting. */
static unsigned waited_at(const struct rv32_core *c, int64_t count)
{
    unsigned cycles = 0;
    for (unsigned i = 0; i < RV32_WAITS; i++)
        if (c->waits[i].count == count)
            cycles += c->waits[i].cycles;
    return cycles;
}

/* Instructions from one record to another, both counted; 0: the second is not reached. */
static unsigned instructions_between(const struct rv32_record *from,
                                     const struct rv32_record *branch)
{
    unsigned count = 1;
    const struct rv32_record *r = from;
    while (r < branch && r->halves) {
        r += r->halves;
        count++;
    }
    return r == branch ? count : 0;
}

/* Follows the window from where the fetch stream began to the branch; true: it ends without the
 * target. */
static bool ends_without_target(const struct rv32_core *c, const struct rv32_record *from,
                                const struct rv32_record *branch, bool waited)
{
    uint32_t at = rv32_pc_of(c, from);
    unsigned count = instructions_between(from, branch), stall = 0;
    struct window w = {
        .next = (at & ~3u) + 4,
        .branch_end = rv32_pc_of(c, branch) + 2u * branch->halves,
        .level = at & 2 ? 1 : 2,
    };
    if (w.branch_end - at < 2u * w.level)
        w.level = (w.branch_end - at) / 2;
    for (const struct rv32_record *r = from; count > 0; r += r->halves) {
        unsigned cycles = (unsigned)(r->cycles - r->after) + stall;
        if (waited)
            cycles += waited_at(c, c->live.count - (int64_t)(count - 1));
        stall = r->after;
        while (w.level < r->halves)
            window_cycle(&w, 0);
        while (--cycles > 0)
            window_cycle(&w, 0);
        if (--count > 0)
            window_cycle(&w, r->halves);
    }
    return !w.target_entered;
}

unsigned rv32_starved(struct rv32_core *c, const struct rv32_record *branch,
                      const struct rv32_record *target)
{
    const struct rv32_record *from = c->live.landing ? c->live.landing : target;
    /* The next stream begins at the target. */
    c->live.landing = NULL;
    if (from > branch)
        return 0;
    bool waited = false;
    for (unsigned i = 0; i < RV32_WAITS; i++)
        waited |= c->waits[i].cycles > 0 && c->waits[i].count + 16 > c->live.count;
    if (waited)
        return ends_without_target(c, from, branch, true) ? RV32_COST(STARVED) : 0;
    size_t hash = ((uintptr_t)from ^ (uintptr_t)branch >> 3) / sizeof *from;
    struct rv32_starve *known = &c->starves[hash % RV32_STARVE_CACHE];
    if (known->branch != branch || known->from != from)
        *known = (struct rv32_starve){branch, from, ends_without_target(c, from, branch, false)};
    return known->starves ? RV32_COST(STARVED) : 0;
}
