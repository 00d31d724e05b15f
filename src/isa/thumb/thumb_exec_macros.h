/*
 * The words in which thumb.isa states semantics, and the steps between instructions, for the loop
 * of thumb_exec.h: they stand inside its function and use its locals.
 */
#ifndef UJ_ISA_THUMB_EXEC_MACROS_H
#define UJ_ISA_THUMB_EXEC_MACROS_H

#define LIKELY(x)   __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* Locals of the loop against the state in memory. */
#define SYNC()                               \
    do {                                     \
        c->core.cycle = cycle;               \
        c->core.instructions = instructions; \
        c->flags = flags;                    \
        c->slot = (uint8_t)slot;             \
        c->narrow = narrow;                  \
        c->pc = PC;                          \
    } while (0)
#define RELOAD()                                                                    \
    do {                                                                            \
        cycle = c->core.cycle;                                                      \
        deadline = c->core.deadline < c->own_next ? c->core.deadline : c->own_next; \
    } while (0)
#define RELOAD_ALL()                         \
    do {                                     \
        RELOAD();                            \
        instructions = c->core.instructions; \
        flags = c->flags;                    \
        slot = c->slot;                      \
        narrow = c->narrow;                  \
    } while (0)
#define ATTENTION() (c->core.deadline = 0, deadline = 0)

#define F       (&flags)
#define RD      R[r->rd]
#define RN      R[r->rn]
#define RM      R[r->rm]
#define RA      R[r->ra]
#define IMM     (r->imm)
#define COUNT   (r->ra)
#define PC      (page->base + ((uint32_t)(r - page->records) << 1))
#define PC4     (PC + 4)
#define LONG    ((uint64_t)RA << 32 | RD)
#define UNITS_W ((r->flags & REC_WIDE) ? 2 : 1)

#define DISPATCH() goto *labels[r->op]

/* The instruction is done and the next in sequence follows; UNITS: its halfwords. */
#define NEXT(UNITS)            \
    do {                       \
        cycle += r->cost;      \
        if (KIND == THUMB_M33) \
            slot = r->slot;    \
        FALL_THROUGH(UNITS);   \
    } while (0)
/* The same with the cost already counted. */
#define FALL_THROUGH(UNITS)                        \
    do {                                           \
        instructions++;                            \
        if (KIND == THUMB_M3)                      \
            narrow = narrow << 1 | ((UNITS) == 1); \
        r += (UNITS);                              \
        AFTER_EACH(r[-(UNITS)].after);             \
        if (UNLIKELY(cycle >= deadline)) {         \
            c->last_after = r[-(UNITS)].after;     \
            goto attention;                        \
        }                                          \
        DISPATCH();                                \
    } while (0)
/* On with r, which does not follow in sequence or without a stall to give back. */
#define GO_ON()                            \
    do {                                   \
        AFTER_EACH(0);                     \
        if (UNLIKELY(cycle >= deadline)) { \
            c->last_after = 0;             \
            goto attention;                \
        }                                  \
        DISPATCH();                        \
    } while (0)
/* Goes on at an address, outside IT blocks; the cost is already counted. */
#define JUMP(TO)                                                             \
    do {                                                                     \
        uint32_t to_ = (TO);                                                 \
        instructions++;                                                      \
        slot = 0;                                                            \
        narrow = 0;                                                          \
        page = c->pages[0][to_ >> THUMB_PAGE_BITS];                          \
        if (UNLIKELY(!page))                                                 \
            page = thumb_page_at(c, 0, to_);                                 \
        r = page->records + ((to_ & PAGE_MASK) >> 1);                        \
        if (KIND == THUMB_M3 && (to_ & 2) && thumb_wide_at(core->data, to_)) \
            cycle += (unsigned)c->params.wide_target;                        \
        GO_ON();                                                             \
    } while (0)

#define SP_LOW()                    \
    do {                            \
        if (R[13] < c->core.sp_low) \
            c->core.sp_low = R[13]; \
    } while (0)
#define SET_RD(VALUE) RD = (VALUE) /* a written stack pointer is seen to by OP_PREFIX */
#define SET_SP(VALUE)    \
    do {                 \
        R[13] = (VALUE); \
        SP_LOW();        \
    } while (0)
#define SET_RN(VALUE)    \
    do {                 \
        RN = (VALUE);    \
        if (r->rn == 13) \
            SP_LOW();    \
    } while (0)
#define CARRY_OF_CONSTANT()      \
    do {                         \
        if (r->rm)               \
            flags.c = IMM >> 31; \
    } while (0)
#define LONG_RESULT(VALUE)             \
    do {                               \
        uint64_t value_ = (VALUE);     \
        RD = (uint32_t)value_;         \
        RA = (uint32_t)(value_ >> 32); \
    } while (0)
/* Cortex-M3: the least time only where both operands are short. */
#define LONG_TIME(LEAST)                                                         \
    do {                                                                         \
        if (KIND == THUMB_M3 && (RN | RM) >> 16)                                 \
            cycle += (unsigned)((LEAST) == 3 ? c->params.long_multiply_range     \
                                             : c->params.long_accumulate_range); \
    } while (0)
#define DIVIDE(VALUE, BITS)                                                             \
    do {                                                                                \
        if (UNLIKELY(RM == 0)) {                                                        \
            if (c->ccr & 1u << 4) {                                                     \
                SYNC();                                                                 \
                thumb_fault(c, EXC_USAGEFAULT, 1u << 25, "division by zero");           \
                goto fault;                                                             \
            }                                                                           \
            RD = 0;                                                                     \
        } else {                                                                        \
            int time_ = c->params.divide_least +                                        \
                        (int)((BITS) + (unsigned)c->params.divide_bits_per_cycle - 1) / \
                            c->params.divide_bits_per_cycle;                            \
            if (time_ > c->params.divide_most)                                          \
                time_ = c->params.divide_most;                                          \
            RD = (VALUE);                                                               \
            cycle += (unsigned)time_ - 2;                                               \
        }                                                                               \
    } while (0)

/* Loads and stores. Aligned accesses to plain memory are done here. */
#define PAGE_MASK ((1u << THUMB_PAGE_BITS) - 1)
#define LOAD(TO, ADDRESS, BYTES, TYPE, CAST)                           \
    do {                                                               \
        uint32_t at_ = (ADDRESS);                                      \
        const uint8_t *host_ = pages[at_ >> THUMB_PAGE_BITS].read;     \
        if (LIKELY(host_ && !(at_ & ((BYTES)-1)))) {                   \
            TYPE value_;                                               \
            memcpy(&value_, host_ + (at_ & PAGE_MASK), sizeof value_); \
            TO = (uint32_t)(CAST)value_;                               \
        } else {                                                       \
            SYNC();                                                    \
            TYPE value_ = (TYPE)thumb_load_slow(c, at_, BYTES);        \
            RELOAD();                                                  \
            if (UNLIKELY(c->abort))                                    \
                goto fault;                                            \
            TO = (uint32_t)(CAST)value_;                               \
        }                                                              \
    } while (0)
#define STORE(ADDRESS, VALUE, BYTES, TYPE)                             \
    do {                                                               \
        uint32_t at_ = (ADDRESS);                                      \
        uint8_t *host_ = pages[at_ >> THUMB_PAGE_BITS].write;          \
        if (LIKELY(host_ && !(at_ & ((BYTES)-1)))) {                   \
            TYPE value_ = (TYPE)(VALUE);                               \
            memcpy(host_ + (at_ & PAGE_MASK), &value_, sizeof value_); \
        } else {                                                       \
            SYNC();                                                    \
            thumb_store_slow(c, at_, (TYPE)(VALUE), BYTES);            \
            RELOAD();                                                  \
            if (UNLIKELY(c->abort))                                    \
                goto fault;                                            \
        }                                                              \
    } while (0)
#define LOAD8(TO, ADDRESS)      LOAD(TO, ADDRESS, 1, uint8_t, uint32_t)
#define LOAD16(TO, ADDRESS)     LOAD(TO, ADDRESS, 2, uint16_t, uint32_t)
#define LOAD32(TO, ADDRESS)     LOAD(TO, ADDRESS, 4, uint32_t, uint32_t)
#define LOADS8(TO, ADDRESS)     LOAD(TO, ADDRESS, 1, uint8_t, int8_t)
#define LOADS16(TO, ADDRESS)    LOAD(TO, ADDRESS, 2, uint16_t, int16_t)
#define STORE8(ADDRESS, VALUE)  STORE(ADDRESS, VALUE, 1, uint8_t)
#define STORE16(ADDRESS, VALUE) STORE(ADDRESS, VALUE, 2, uint16_t)
#define STORE32(ADDRESS, VALUE) STORE(ADDRESS, VALUE, 4, uint32_t)

/* Alignment is demanded by all but single loads and stores. */
#define DEMAND_ALIGNED(ADDRESS, BYTES)                                    \
    do {                                                                  \
        if (UNLIKELY((ADDRESS) & ((BYTES)-1))) {                          \
            SYNC();                                                       \
            thumb_fault(c, EXC_USAGEFAULT, 1u << 24, "unaligned access"); \
            goto fault;                                                   \
        }                                                                 \
    } while (0)
#define LOAD_ALIGNED(ADDRESS, BYTES) \
    DEMAND_ALIGNED(ADDRESS, BYTES);  \
    if ((BYTES) == 2)                \
        LOAD16(RD, ADDRESS);         \
    else                             \
        LOAD32(RD, ADDRESS)
#define STORE_ALIGNED(ADDRESS, BYTES) \
    DEMAND_ALIGNED(ADDRESS, BYTES);   \
    if ((BYTES) == 2)                 \
        STORE16(ADDRESS, RD);         \
    else                              \
        STORE32(ADDRESS, RD)
#define LOAD_TWO(ADDRESS, WRITE_BACK)        \
    uint32_t from_ = (ADDRESS), low_, high_; \
    DEMAND_ALIGNED(from_, 4);                \
    LOAD32(low_, from_);                     \
    LOAD32(high_, from_ + 4);                \
    WRITE_BACK;                              \
    RD = low_;                               \
    RA = high_
#define STORE_TWO(ADDRESS, WRITE_BACK) \
    uint32_t from_ = (ADDRESS);        \
    DEMAND_ALIGNED(from_, 4);          \
    STORE32(from_, RD);                \
    STORE32(from_ + 4, RA);            \
    WRITE_BACK
#define LOAD_WORDS(ADDRESS, LIST)                                            \
    uint32_t from = (ADDRESS);                                               \
    DEMAND_ALIGNED(from, 4);                                                 \
    uint32_t loaded_[16], place_ = from;                                     \
    uint32_t list_ = (LIST);                                                 \
    const uint8_t *many_ = pages[from >> THUMB_PAGE_BITS].read;              \
    if (LIKELY(many_ && (from & PAGE_MASK) + 4u * COUNT <= PAGE_MASK + 1)) { \
        memcpy(loaded_, many_ + (from & PAGE_MASK), 4u * COUNT);             \
    } else {                                                                 \
        for (unsigned i = 0; i < COUNT; i++, place_ += 4)                    \
            LOAD32(loaded_[i], place_);                                      \
    }                                                                        \
    const uint32_t *next_ = loaded_
#define LOAD_MANY(ADDRESS, LIST, WRITE_BACK) \
    LOAD_WORDS(ADDRESS, LIST);               \
    WRITE_BACK;                              \
    for (; list_; list_ &= list_ - 1)        \
    R[__builtin_ctz(list_)] = *next_++
#define LOAD_MANY_PC(ADDRESS, LIST, WRITE_BACK) \
    LOAD_WORDS(ADDRESS, LIST);                  \
    WRITE_BACK;                                 \
    for (; list_ & 0x7fff; list_ &= list_ - 1)  \
        R[__builtin_ctz(list_)] = *next_++;     \
    BRANCH_EXCHANGE(*next_)
#define STORE_MANY(ADDRESS, LIST, WRITE_BACK)                                 \
    uint32_t from = (ADDRESS);                                                \
    DEMAND_ALIGNED(from, 4);                                                  \
    uint8_t *many_ = pages[from >> THUMB_PAGE_BITS].write;                    \
    uint32_t place_ = from;                                                   \
    if (LIKELY(many_ && (from & PAGE_MASK) + 4u * COUNT <= PAGE_MASK + 1)) {  \
        many_ += from & PAGE_MASK;                                            \
        for (uint32_t list_ = (LIST); list_; list_ &= list_ - 1, many_ += 4)  \
            memcpy(many_, &R[__builtin_ctz(list_)], 4);                       \
    } else {                                                                  \
        for (uint32_t list_ = (LIST); list_; list_ &= list_ - 1, place_ += 4) \
            STORE32(place_, R[__builtin_ctz(list_)]);                         \
    }                                                                         \
    WRITE_BACK
#define LOAD_EXCLUSIVE(ADDRESS, BYTES) \
    uint32_t from_ = (ADDRESS), value; \
    DEMAND_ALIGNED(from_, BYTES);      \
    if ((BYTES) == 4)                  \
        LOAD32(value, from_);          \
    else if ((BYTES) == 2)             \
        LOAD16(value, from_);          \
    else                               \
        LOAD8(value, from_);           \
    c->exclusive = true;               \
    c->exclusive_address = from_;      \
    RD = value
#define STORE_EXCLUSIVE(ADDRESS, BYTES)                  \
    uint32_t from_ = (ADDRESS);                          \
    DEMAND_ALIGNED(from_, BYTES);                        \
    if (c->exclusive && c->exclusive_address == from_) { \
        if ((BYTES) == 4)                                \
            STORE32(from_, RD);                          \
        else if ((BYTES) == 2)                           \
            STORE16(from_, RD);                          \
        else                                             \
            STORE8(from_, RD);                           \
        RA = 0;                                          \
    } else {                                             \
        RA = 1;                                          \
    }                                                    \
    c->exclusive = false

/* Branches. TAKEN_COST: what a taken branch costs; on the M33 one cycle less where it rides. */
#define BRANCH_COST(RIDES) (KIND == THUMB_M33 && (slot & (RIDES)) ? r->cost - 1u : r->cost)
#define BRANCH(TO)               \
    do {                         \
        uint32_t target_ = (TO); \
        cycle += r->cost;        \
        JUMP(target_);           \
    } while (0)
#define BRANCH_NARROW(TO)                  \
    do {                                   \
        uint32_t target_ = (TO);           \
        cycle += BRANCH_COST(SLOT_ALWAYS); \
        JUMP(target_);                     \
    } while (0)
#define BRANCH_PLAIN(TO) BRANCH((TO) & ~1u)
#define CALL(TO)              \
    do {                      \
        R[14] = (PC + 4) | 1; \
        BRANCH(TO);           \
    } while (0)
#define BRANCH_IF(CONDITION, TO)                                                          \
    do {                                                                                  \
        if (CONDITION) {                                                                  \
            cycle += TAKEN_CYCLES;                                                        \
            if (KIND == THUMB_M33 && (slot & SLOT_TAKEN) && !(r->flags & REC_WIDE))       \
                cycle--;                                                                  \
            JUMP(TO);                                                                     \
        }                                                                                 \
        if (KIND == THUMB_M33 && (slot & SLOT_OPEN) && !(r->flags & REC_WIDE)) {          \
            cycle += slot / SLOT_STALL;                                                   \
            slot = 0;                                                                     \
            FALL_THROUGH(UNITS_W);                                                        \
        }                                                                                 \
        if (KIND == THUMB_M3 && __builtin_popcount(narrow & 3) + !(r->flags & REC_WIDE) + \
                                        !!(r->flags & REC_NEXT_NARROW) <                  \
                                    2)                                                    \
            cycle += (unsigned)c->params.starved_branch;                                  \
        NEXT(UNITS_W);                                                                    \
    } while (0)
#define SPECIAL_ADDRESS(TO) (!((TO)&1) || (TO) >= 0xf0000000)
#define BRANCH_EXCHANGE(TO)                         \
    do {                                            \
        uint32_t exchange_ = (TO);                  \
        cycle += r->cost;                           \
        if (UNLIKELY(SPECIAL_ADDRESS(exchange_))) { \
            SYNC();                                 \
            thumb_branch_special(c, exchange_);     \
            goto resume;                            \
        }                                           \
        JUMP(exchange_ & ~1u);                      \
    } while (0)
#define BRANCH_REGISTER(TO)                            \
    do {                                               \
        if (KIND == THUMB_M33 && (slot & SLOT_ALWAYS)) \
            cycle--;                                   \
        BRANCH_EXCHANGE(TO);                           \
    } while (0)
#define CALL_EXCHANGE(TO)                       \
    do {                                        \
        uint32_t call_ = (TO);                  \
        cycle += r->cost;                       \
        R[14] = (PC + 2) | 1;                   \
        if (UNLIKELY(SPECIAL_ADDRESS(call_))) { \
            SYNC();                             \
            thumb_branch_special(c, call_);     \
            goto resume;                        \
        }                                       \
        JUMP(call_ & ~1u);                      \
    } while (0)
#define TABLE_BRANCH(BYTES, ADDRESS) \
    do {                             \
        uint32_t entry_;             \
        if ((BYTES) == 1)            \
            LOAD8(entry_, ADDRESS);  \
        else                         \
            LOAD16(entry_, ADDRESS); \
        BRANCH(PC4 + 2 * entry_);    \
    } while (0)
/* Riders of the M33. */
#define NO_OPERATION()                                 \
    do {                                               \
        if (KIND == THUMB_M33 && (slot & SLOT_OPEN)) { \
            cycle += slot / SLOT_STALL;                \
            slot = 0;                                  \
            FALL_THROUGH(1);                           \
        }                                              \
    } while (0)
/* The instructions behind it are looked up as those of an IT block. */
#define IF_THEN(STATE)                                                       \
    do {                                                                     \
        uint32_t behind_ = PC + 2;                                           \
        c->it = (uint8_t)(STATE);                                            \
        if (KIND == THUMB_M33 && (slot & SLOT_OPEN)) {                       \
            cycle += slot / SLOT_STALL;                                      \
            slot = 0;                                                        \
        } else if (KIND == THUMB_M33) {                                      \
            cycle += r->cost;                                                \
            slot = r->slot;                                                  \
        } else if (!(KIND == THUMB_M3 && (narrow & 1) && !(c->actlr & 4))) { \
            cycle += r->cost;                                                \
        }                                                                    \
        instructions++;                                                      \
        narrow = narrow << 1 | 1;                                            \
        page = thumb_page_at(c, 1, behind_);                                 \
        r = page->records + ((behind_ & PAGE_MASK) >> 1);                    \
        GO_ON();                                                             \
    } while (0)

/* Instructions that act on the system are functions; state may be anything afterwards. */
#define CALL_OUT(WHAT) \
    do {               \
        SYNC();        \
        WHAT;          \
        RELOAD_ALL();  \
    } while (0)
#define CHANGE_MASK(BITS)    CALL_OUT(thumb_change_mask(c, BITS))
#define WRITE_SPECIAL(VALUE) CALL_OUT(thumb_write_special(c, IMM, r->ra, VALUE))
#define READ_SPECIAL()       CALL_OUT(RD = thumb_read_special(c, IMM))
#define WAIT_INTERRUPT()     CALL_OUT(thumb_wait(c, false))
#define WAIT_EVENT()         CALL_OUT(thumb_wait(c, true))
#define SEND_EVENT()         CALL_OUT(thumb_event(c))
#define TRAP_OUT(WHAT) \
    do {               \
        SYNC();        \
        WHAT;          \
        goto resume;   \
    } while (0)
#define SUPERVISOR_CALL()                   \
    do {                                    \
        instructions++;                     \
        cycle += r->cost;                   \
        TRAP_OUT(thumb_supervisor_call(c)); \
    } while (0)
#define BREAKPOINT(NUMBER)                     \
    do {                                       \
        instructions++;                        \
        cycle += r->cost;                      \
        TRAP_OUT(thumb_breakpoint(c, NUMBER)); \
    } while (0)
#define UNDEFINED()              \
    do {                         \
        SYNC();                  \
        thumb_undefined(c, IMM); \
        goto fault;              \
    } while (0)
#endif
