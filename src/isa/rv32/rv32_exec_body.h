/*
 * The execution loop, included once a variant with RV32_TRACED and RV32_RUN (the function's name)
 * set.
 *
 * Laws: an instruction is never begun with s->left <= 0; whatever wants attention makes left 0 or
 * less.
 */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-vectorize", "no-tree-slp-vectorize")
#endif

#include "isa/rv32/rv32_semantics.h"

#define X  (c->x[rec->rs1])
#define Y  (c->x[rec->rs2])
#define K  (rec->k)
#define PC (rv32_pc_of(c, rec))

#if RV32_TRACED
#define NEXT           \
    do {               \
        last = rec;    \
        goto executed; \
    } while (0)
#else
#define NEXT                                     \
    do {                                         \
        if (__builtin_expect(s->left <= 0, 0)) { \
            last = rec;                          \
            goto attention;                      \
        }                                        \
        goto *labels[s->ip->op];                 \
    } while (0)
#endif

#define BEGIN(length)                            \
    const struct rv32_record *const rec = s->ip; \
    s->left -= rec->cycles;                      \
    s->ip += (length);                           \
    s->count++

/* The same word of memory: records lie in pairs. */
#define SAME_WORD(a, b) \
    ((((uintptr_t)(a) ^ (uintptr_t)(b)) & ~(uintptr_t)(2 * sizeof(struct rv32_record) - 1)) == 0)

/* The fetch stream begins anew at a record of this region. */
#define FLUSH_TO(record)                                       \
    do {                                                       \
        struct rv32_record *to_ = (record);                    \
        if (__builtin_expect(to_->op == RV32_OP_DECODE, 0))    \
            rv32_decode(c, to_);                               \
        s->ip = to_;                                           \
        s->landing = to_;                                      \
        s->left -= RV32_COST(TAKEN) + to_->entry;              \
        if (__builtin_expect(c->overlap_at == s->count, 0))    \
            s->left += OVERLAP(RV32_COST(TAKEN) + to_->entry); \
    } while (0)
#define OVERLAP(cycles) (c->overlap < (cycles) ? c->overlap : (cycles))

#define FLUSH_TO_ADDRESS(address)                             \
    do {                                                      \
        uint32_t offset_ = (address)-c->code->base;           \
        if (__builtin_expect(offset_ >= c->code->bytes, 0)) { \
            target = (address);                               \
            last = rec;                                       \
            goto other_region;                                \
        }                                                     \
        FLUSH_TO(c->code->records + offset_ / 2);             \
    } while (0)

#define PREDICTED (rec == s->predicted && !SAME_WORD(rec, s->landing))

/* One for each class of rv32_table.h. */
#define DO_ALU(value)                  \
    c->x[rec->rd] = (uint32_t)(value); \
    NEXT
#define DO_NOP(nothing) NEXT
#define DO_LOAD         DO_ALU
/* The record may be forgotten by what it writes. */
#define DO_AMO(value)          \
    unsigned rd = rec->rd;     \
    uint32_t loaded = (value); \
    c->x[rd] = loaded;         \
    NEXT
#define DO_LR DO_AMO
#define DO_SC DO_AMO
#define DO_STORE(semantics) \
    semantics;              \
    NEXT
#define DO_PUSH       DO_STORE
#define DO_TO_SAVED   DO_STORE
#define DO_FROM_SAVED DO_STORE
#define DO_POP(semantics) \
    (void)(semantics);    \
    NEXT
#define DO_UDIV(value)                                  \
    if (__builtin_expect(c->overlap_at == s->count, 0)) \
        s->left += OVERLAP(rec->cycles - 1u);           \
    DO_ALU(value)
#define DO_SDIV(value)                           \
    if ((int32_t)X < 0)                          \
        s->left -= RV32_COST(NEGATIVE_DIVIDEND); \
    DO_UDIV(value)
#define DO_CSR(value)               \
    uint32_t value_;                \
    RV32_OUTSIDE(value_ = (value)); \
    c->x[rec->rd] = value_;         \
    NEXT
#define DO_TRAP(semantics)   \
    RV32_OUTSIDE(semantics); \
    NEXT
#define DO_FENCE_I(nothing) \
    s->predicted = NULL;    \
    FLUSH_TO(s->ip);        \
    NEXT
#define DO_BRANCH(condition)                                      \
    if (condition) {                                              \
        struct rv32_record *to = s->ip - rec_length + (int32_t)K; \
        if (PREDICTED) {                                          \
            s->ip = to;                                           \
            if (to->entry || to->op == RV32_OP_DECODE)            \
                s->left -= STARVED(to);                           \
        } else {                                                  \
            FLUSH_TO(to);                                         \
            if ((int32_t)K < 0)                                   \
                s->predicted = rec;                               \
        }                                                         \
    } else if (__builtin_expect(rec == s->predicted, 0)) {        \
        if (PREDICTED) {                                          \
            s->predicted = NULL;                                  \
            FLUSH_TO(s->ip);                                      \
        }                                                         \
    }                                                             \
    NEXT
#define STARVED(to) starved(c, s, rec, to)
#define DO_JAL(nothing)                        \
    c->x[rec->rd] = PC + 2 * rec_length;       \
    FLUSH_TO(s->ip - rec_length + (int32_t)K); \
    NEXT
#define DO_JALR(address)                 \
    uint32_t to = (address);             \
    c->x[rec->rd] = PC + 2 * rec_length; \
    FLUSH_TO_ADDRESS(to);                \
    NEXT
#define DO_POPRET(semantics)                \
    uint32_t to = (semantics);              \
    /* A load that trapped has moved ip. */ \
    if (RV32_LIKELY(s->ip == rec + 1))      \
        FLUSH_TO_ADDRESS(to);               \
    NEXT
#define DO_POPRETZ(semantics)            \
    uint32_t to = (semantics);           \
    if (RV32_LIKELY(s->ip == rec + 1)) { \
        c->x[10] = 0;                    \
        FLUSH_TO_ADDRESS(to);            \
    }                                    \
    NEXT

static __attribute__((noinline)) unsigned starved(struct rv32_core *c, struct rv32_live *s,
                                                  const struct rv32_record *branch,
                                                  const struct rv32_record *target)
{
    unsigned cycles;
    RV32_OUTSIDE(cycles = rv32_starved(c, branch, target));
    return cycles;
}

enum core_stop RV32_RUN(struct core *core)
{
    static const void *const labels[RV32_OPS] = {
        &&op_decode, &&op_watch, &&op_outside, &&op_far, &&op_illegal, &&op_stack,
#define SHORT(name, syntax, encoding, where, base, d, s, t)
#define VARIANT(name, of, syntax, encoding, class, hazard3, semantics) &&op_##name,
#define INSN(name, syntax, encoding, class, hazard3, semantics)        &&op_##name,
#include "isa/rv32/rv32.isa"
#undef INSN
#undef VARIANT
#define VARIANT(name, of, syntax, encoding, class, hazard3, semantics) &&short_##name,
#define INSN(name, syntax, encoding, class, hazard3, semantics)        &&short_##name,
#include "isa/rv32/rv32.isa"
#undef INSN
#undef VARIANT
    };
    struct rv32_core *c = (struct rv32_core *)core;
    struct rv32_live live, *s = &live;
    const struct rv32_record *last = NULL;
    uint32_t target;
    c->horizon = core->cycle;
    c->live.left = 0;
    /* Memory may have been added since. */
    if (!c->live.ip && !rv32_go(c, c->lost_pc)) {
        core_fault(core, "no memory at the program counter", c->lost_pc, c->lost_pc,
                   "nothing to execute at 0x%08x", (unsigned)c->lost_pc);
        return CORE_FAULT;
    }
    live = c->live;
#if RV32_TRACED
    struct rv32_trace_mark mark;
    uint64_t before = 0;
#endif

    /* What stopped here last time is executed before anything is looked at. */
    if (c->watch_pass == s->ip && core->cycle < core->limit && !core->fault.reason &&
        !core->asleep) {
        c->horizon = core->cycle + 1;
        s->left = 1;
        core->deadline = 0;
        goto dispatch;
    }

attention : {
    int stop;
    RV32_OUTSIDE(stop = rv32_attend(c, last, RV32_TRACED));
    last = NULL;
    if (stop >= 0) {
        c->live = *s;
        return (enum core_stop)stop;
    }
}

dispatch:
#if RV32_TRACED
    rv32_trace_begin(&mark, c);
    before = c->horizon - (uint64_t)s->left;
    if (core->fetch_wait) {
        s->left -= core->fetch_wait(core->fetch_owner, rv32_pc_of(c, s->ip));
        if (s->left <= 0)
            goto attention;
    }
#endif
    goto *labels[s->ip->op];

#if RV32_TRACED
executed : {
    uint64_t now = c->horizon - (uint64_t)s->left;
    core->cycle = now;
    core->instructions = (uint64_t)s->count;
    RV32_OUTSIDE(rv32_trace_end(&mark, c, (unsigned)(now - before)));
    if (s->left <= 0)
        goto attention;
    goto dispatch;
}
#endif

op_decode:
    rv32_decode(c, s->ip);
    goto *labels[s->ip->op];

op_watch:
    if (c->watch_pass == s->ip) {
        c->watch_pass = NULL;
        goto *labels[rv32_watched_op(c, s->ip)];
    }
    c->watch_pass = s->ip;
    core->cycle = c->horizon - (uint64_t)s->left;
    core->instructions = (uint64_t)s->count;
    c->live = *s;
    return CORE_WATCH;

op_outside:
    /* Straight on into the next region, if there is one. */
    target = rv32_pc_of(c, s->ip);
    c->live = *s;
    if (!rv32_go(c, target))
        rv32_trap_fetch(c, target);
    *s = c->live;
    goto look;

other_region:
    c->live = *s;
    if (rv32_go(c, target)) {
        c->live.landing = c->live.ip;
        c->live.left -= RV32_COST(TAKEN) + c->live.ip->entry;
    } else {
        rv32_trap_fetch(c, target);
    }
    *s = c->live;
look:
#if RV32_TRACED
    if (last)
        goto executed;
#endif
    if (s->left <= 0)
        goto attention;
    goto dispatch;

op_far:
    core->cycle = c->horizon - (uint64_t)s->left;
    core_fault(core, "jump out of memory", rv32_pc_of(c, s->ip), s->ip->k,
               "a branch or jump to where no memory is");
    RV32_OUTSIDE(rv32_reload(c, core->cycle));
    goto attention;

op_stack : {
    uint32_t sp = rv32_lowered_stack(c, s->ip);
    if (sp < core->sp_low)
        core->sp_low = sp;
    goto *labels[rv32_stack_op(s->ip)];
}

op_illegal : {
    BEGIN(rec->halves);
    RV32_OUTSIDE(rv32_trap(c, rec, RV32_ILLEGAL, K));
    NEXT;
}

#define INSN(name, syntax, encoding, class, hazard3, semantics) \
    op_##name:                                                  \
    {                                                           \
        enum { rec_length = sizeof(encoding) > 28 ? 2 : 1 };    \
        BEGIN(rec_length);                                      \
        DO_##class(semantics);                                  \
    }
#define VARIANT(name, of, syntax, encoding, class, hazard3, semantics) \
    INSN(name, syntax, encoding, class, hazard3, semantics)
#include "isa/rv32/rv32.isa"
#undef INSN
#define INSN(name, syntax, encoding, class, hazard3, semantics) \
    short_##name:                                               \
    {                                                           \
        enum { rec_length = 1 };                                \
        BEGIN(rec_length);                                      \
        DO_##class(semantics);                                  \
    }
#include "isa/rv32/rv32.isa"
#undef INSN
#undef VARIANT
#undef SHORT
}
