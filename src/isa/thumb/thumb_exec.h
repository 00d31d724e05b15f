/*
 * The execution loop, included once for each core and each variant (plain, traced):
 *
 *   #define RUN    the function's name
 *   #define KIND   THUMB_M0PLUS, THUMB_M3 or THUMB_M33, a constant
 *   #define TRACED 0 or 1
 *
 * Computed goto over records. Between two instructions one comparison: has the deadline come?
 */
/* Each instruction keeps a jump of its own, and the flags stay in registers of their own. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-gcse", "no-crossjumping", "no-tree-slp-vectorize")
#endif
#include "isa/thumb/thumb_exec_macros.h"

#if TRACED
#define AFTER_EACH(STALL) \
    do {                  \
        stall = (STALL);  \
        goto traced;      \
    } while (0)
#else
#define AFTER_EACH(STALL) (void)0
#endif

enum core_stop RUN(struct core *core)
{
    static const void *const labels[THUMB_OPS] = {
#define INSN(name, ...)   [OP_##name] = &&do_##name,
#define INSN_S(name, ...) [OP_##name] = &&do_##name, [OP_##name##_it] = &&do_##name##_it,
#include "isa/thumb/thumb.isa"
#undef INSN
#undef INSN_S
        [OP_UNDECODED] = &&do_undecoded, [OP_NEXT_PAGE] = &&do_next_page,
        [OP_GUARD] = &&do_guard,         [OP_PREFIX] = &&do_prefix,
        [OP_WATCHED] = &&do_watched,     [OP_NO_INSTRUCTION] = &&do_no_instruction,
    };
    enum { TAKEN_CYCLES = 2 }; /* of a conditional branch, on all three */
    struct thumb_core *const c = (struct thumb_core *)core;
    uint32_t *const R = c->r;
    const struct mem_page *const pages = core->data->pages;
    struct thumb_page *page;
    struct thumb_record *r;
    uint64_t cycle, deadline, instructions;
    struct thumb_flags flags;
    unsigned slot;
    uint32_t narrow;
    enum core_stop stop;
#if TRACED
    uint32_t before[16];
    uint64_t cycle_before = core->cycle;
    unsigned stall; /* of the instruction just traced, on the next */
    memcpy(before, R, sizeof before);
#endif

resume:
    /* c->pc is the next instruction and something may want attention. */
    if (thumb_attend(c, &stop) == THUMB_STOP)
        return stop;
    RELOAD_ALL();
    page = thumb_page_at(c, c->it != 0, c->pc);
    r = page->records + ((c->pc & PAGE_MASK) >> 1);
#if TRACED
    if (core->trace && cycle > cycle_before) /* an exception was entered or left */
        core->trace(core->trace_owner, core, (unsigned)(cycle - cycle_before), 0);
    cycle_before = cycle;
    if (core->fetch_wait)
        cycle += core->fetch_wait(core->fetch_owner, c->pc);
    memcpy(before, R, sizeof before);
#endif
    DISPATCH();

attention:
    SYNC();
    goto resume;

fault:
    if (page->mode)
        c->it = c->it_before;
    SYNC();
    thumb_take_fault(c);
    goto resume;

#if TRACED
traced : {
    unsigned distance = 0;
    for (unsigned i = 0; i < 15; i++)
        distance += (unsigned)__builtin_popcount(before[i] ^ R[i]);
    SYNC();
    if (core->trace)
        core->trace(core->trace_owner, core, (unsigned)(cycle - cycle_before), distance);
    RELOAD();
    cycle_before = cycle;
    if (core->fetch_wait)
        cycle += core->fetch_wait(core->fetch_owner, c->pc);
    memcpy(before, R, sizeof before);
    if (cycle >= deadline) {
        c->last_after = stall;
        goto attention;
    }
    DISPATCH();
}
#endif

do_undecoded:
    SYNC();
    if (!thumb_decode(c, page, r))
        goto fault;
    DISPATCH();

do_next_page : {
    uint32_t at = PC;
    page = thumb_page_at(c, page->mode, at);
    r = page->records + ((at & PAGE_MASK) >> 1);
    DISPATCH();
}

do_prefix:
    if (r->flags & REC_READS_PC)
        R[15] = PC4;
    if (r->flags & REC_WRITES_SP)
        ATTENTION();
    if (KIND == THUMB_M3 && (r->flags & REC_WIDE_RUN) && (narrow & 1))
        cycle += (unsigned)c->params.wide_run;
    goto *labels[r->real_op];

do_watched:
    if (c->watch_passes != instructions + 1) {
        c->watch_passes = instructions + 1;
        c->last_after = 0;
        SYNC();
        return CORE_WATCH;
    }
    c->watch_passes = 0;
    if (r->flags & (REC_READS_PC | REC_WRITES_SP | REC_WIDE_RUN))
        goto do_prefix;
    goto *labels[r->real_op];

do_guard:
    if (c->it == 0) { /* the block has ended */
        uint32_t at = PC;
        page = thumb_page_at(c, 0, at);
        r = page->records + ((at & PAGE_MASK) >> 1);
        DISPATCH();
    }
    if (r->real_op == OP_UNDECODED)
        goto do_undecoded;
    c->it_before = c->it;
    {
        unsigned condition = c->it >> 4;
        c->it = (uint8_t)(c->it & 7 ? (c->it & 0xe0) | (c->it << 1 & 0x1f) : 0);
        if (!th_condition(F, condition)) {
            cycle += 1;
            slot = r->flags & REC_WIDE ? 0 : SLOT_OPEN | SLOT_TAKEN | SLOT_ALWAYS;
            narrow = narrow << 1 | !(r->flags & REC_WIDE);
            instructions++;
            r += UNITS_W;
            GO_ON();
        }
    }
    if (r->flags & REC_READS_PC)
        R[15] = PC4;
    if (r->flags & REC_WRITES_SP)
        ATTENTION();
    goto *labels[r->real_op];

do_no_instruction:
    UNDEFINED();

#define INSN(name, pattern, limits, arch, class, attributes, kind, text, ...) \
    do_##name:                                                                \
    {                                                                         \
        __VA_ARGS__;                                                          \
    }                                                                         \
    NEXT(sizeof(pattern) > 24 ? 2 : 1);
#define INSN_S(name, pattern, limits, arch, class, attributes, kind, text, ...) \
    do_##name:                                                                  \
    {                                                                           \
        enum { S = 1 };                                                         \
        __VA_ARGS__;                                                            \
    }                                                                           \
    NEXT(1);                                                                    \
    do_##name##_it:                                                             \
    {                                                                           \
        enum { S = 0 };                                                         \
        __VA_ARGS__;                                                            \
    }                                                                           \
    NEXT(1);
#include "isa/thumb/thumb.isa"
#undef INSN
#undef INSN_S
}
#undef AFTER_EACH
