/*
 * The execution loop, included once a variant with AVR_TRACED and AVR_RUN (the function's name)
 * set.
 *
 * Laws: s->left has lost the whole base time of an instruction before its semantics run; an
 * instruction is never begun with s->left <= 0; whatever wants attention makes left 0 or less.
 */
/* Vectorised copies of the live state would sit in front of every dispatch, and keep gcc from
 * giving each instruction an indirect jump of its own: half the speed. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-vectorize", "no-tree-slp-vectorize")
#endif

#include "isa/avr/avr_semantics.h"

#define D (rec->d)
#define R (rec->r)
#define K (rec->k)

/* Where compilers need help (avr_alu.h) all instructions share one indirect jump. */
#if AVR_TRACED
#define NEXT goto traced_next
#elif defined(AVR_SANITIZED)
#define NEXT                \
    do {                    \
        if (s->left <= 0)   \
            goto attention; \
        op = s->ip->op;     \
        goto dispatch_op;   \
    } while (0)
#else
#define NEXT                                   \
    do {                                       \
        if (__builtin_expect(s->left <= 0, 0)) \
            goto attention;                    \
        goto *labels[s->ip->op];               \
    } while (0)
#endif

/* Moves to another record; `count` keeps the number of retired instructions right. */
#define MOVE(distance)                  \
    do {                                \
        int64_t distance_ = (distance); \
        s->ip += distance_;             \
        s->count -= distance_;          \
    } while (0)

#define JUMP_TO(target)                                      \
    do {                                                     \
        uint32_t target_ = (target)&c->pc_mask;              \
        if (__builtin_expect(target_ >= c->code_words, 0)) { \
            wild = target_;                                  \
            goto wild_jump;                                  \
        }                                                    \
        MOVE((c->records + target_) - s->ip);                \
    } while (0)

#define RETURN_INDEX ((uint32_t)(s->ip - c->records))

#define BEGIN(words)                      \
    const struct avr_record *rec = s->ip; \
    s->left -= rec->cycles;               \
    s->ip += (words);                     \
    s->count -= (words)-1;                \
    (void)rec

#define LENGTH(encoding) (sizeof(encoding) > 20 ? 2 : 1)

/* One for each class of avr_table.h. */
#define DO_PLAIN(semantics) \
    semantics;              \
    NEXT
#define DO_LOAD  DO_PLAIN
#define DO_STORE DO_PLAIN
#define DO_RMW   DO_PLAIN
#define DO_ELPM  DO_PLAIN
#define DO_DES(semantics)                                           \
    if (c->des_end != c->horizon - (uint64_t)s->left - rec->cycles) \
        s->left -= AVR_COST(DES_FIRST);                             \
    c->des_end = c->horizon - (uint64_t)s->left;                    \
    semantics;                                                      \
    NEXT
#define DO_ATTEND(semantics)            \
    semantics;                          \
    AVR_OUTSIDE(avr_want_attention(c)); \
    NEXT
#define DO_BRANCH(condition)        \
    if (condition) {                \
        s->left -= AVR_COST(TAKEN); \
        MOVE(K);                    \
    }                               \
    NEXT
#define DO_SKIP(condition)                         \
    if (condition) {                               \
        unsigned words = c->op_words[s->ip->op];   \
        if (__builtin_expect(words == 0, 0))       \
            words = avr_words_at(c, RETURN_INDEX); \
        s->left -= AVR_COST(SKIPPED_WORD) * words; \
        MOVE((int)words);                          \
    }                                              \
    NEXT
#define DO_RJMP(nothing) \
    MOVE(K);             \
    NEXT
#define DO_RCALL(nothing)            \
    avr_push_pc(c, s, RETURN_INDEX); \
    MOVE(K);                         \
    NEXT
#define DO_JUMP(target) \
    JUMP_TO(target);    \
    NEXT
#define DO_EJUMP DO_JUMP
#define DO_CALL(target)              \
    uint32_t to = (target);          \
    avr_push_pc(c, s, RETURN_INDEX); \
    JUMP_TO(to);                     \
    NEXT
#define DO_ECALL DO_CALL
#define DO_RET   DO_JUMP
#define DO_RETI(target)                \
    JUMP_TO(target);                   \
    AVR_OUTSIDE(avr_end_interrupt(c)); \
    NEXT

enum core_stop AVR_RUN(struct core *core)
{
    static const void *const labels[AVR_OPS] = {
        &&op_decode,
        &&op_watch,
        &&op_outside,
        &&op_illegal,
#define INSN(name, syntax, encoding, class, avre, xm, xt, semantics)        &&op_##name,
#define VARIANT(name, of, syntax, encoding, class, avre, xm, xt, semantics) &&op_##name,
#include "isa/avr/avr.isa"
#undef INSN
#undef VARIANT
    };
    struct avr_core *c = (struct avr_core *)core;
    if (!avr_attach(c)) {
        core_fault(core, "no program memory", 0, 0, "the chip has no code to execute");
        return CORE_FAULT;
    }
    struct avr_live live = c->live, *s = &live;
    uint32_t wild;
    uint8_t op;
    c->horizon = core->cycle;
    s->left = 0;
#if AVR_TRACED
    struct avr_trace_mark mark;
    uint64_t before = 0;
#endif

    /* What stopped here last time is executed before anything is looked at. */
    if (c->watch_pass == RETURN_INDEX && core->cycle < core->limit && !core->fault.reason &&
        !core->asleep) {
        c->horizon = core->cycle + 1;
        s->left = 1;
        core->deadline = 0;
        goto dispatch;
    }

attention : {
    int stop;
    AVR_OUTSIDE(stop = avr_attend(c, AVR_TRACED));
    if (stop >= 0) {
        c->live = *s;
        return (enum core_stop)stop;
    }
}

dispatch:
#if AVR_TRACED
    avr_trace_begin(&mark, c);
    before = c->horizon - (uint64_t)s->left;
#endif
    op = s->ip->op;
dispatch_op:
    goto *labels[op];

#if AVR_TRACED
traced_next : {
    uint64_t now = c->horizon - (uint64_t)s->left;
    core->cycle = now;
    AVR_OUTSIDE(avr_trace_end(&mark, c, (unsigned)(now - before)));
    if (s->left <= 0)
        goto attention;
    goto dispatch;
}
#endif

op_decode:
    avr_decode(c, RETURN_INDEX);
    op = s->ip->op;
    goto dispatch_op;

op_watch:
    if (c->watch_pass == RETURN_INDEX) {
        c->watch_pass = UINT32_MAX;
        op = avr_watched_op(c, RETURN_INDEX);
        goto dispatch_op;
    }
    c->watch_pass = RETURN_INDEX;
    core->cycle = c->horizon - (uint64_t)s->left;
    core->instructions = (uint64_t)(s->count + RETURN_INDEX);
    c->live = *s;
    return CORE_WATCH;

op_outside:
    wild = RETURN_INDEX;
wild_jump:
    core->cycle = c->horizon - (uint64_t)s->left;
    core_fault(core, "program counter outside flash", 2 * wild, 2 * wild, "flash ends at 0x%x",
               (unsigned)(2 * c->code_words));
    AVR_OUTSIDE(avr_reload(c, core->cycle));
    goto attention;

op_illegal:
    core->cycle = c->horizon - (uint64_t)s->left;
    core_fault(core, "illegal instruction", 2 * RETURN_INDEX, (uint32_t)s->ip->k,
               "%s has no instruction 0x%04x", core->class->name, (unsigned)s->ip->k);
    AVR_OUTSIDE(avr_reload(c, core->cycle));
    goto attention;

#define INSN(name, syntax, encoding, class, avre, xm, xt, semantics) \
    op_##name:                                                       \
    {                                                                \
        BEGIN(LENGTH(encoding));                                     \
        DO_##class(semantics);                                       \
    }
#define VARIANT(name, of, syntax, encoding, class, avre, xm, xt, semantics) \
    INSN(name, syntax, encoding, class, avre, xm, xt, semantics)
#include "isa/avr/avr.isa"
#undef INSN
#undef VARIANT
}
