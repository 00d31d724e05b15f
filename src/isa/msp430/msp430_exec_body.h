/*
 * The plain execution loop's fast forms.
 *
 * Laws: a form changes nothing before it knows that all its operands are registers, constants or
 * plain memory; otherwise it leaves the instruction to msp430_execute() (label `general`). An
 * instruction is never begun with s->left <= 0; whatever wants attention makes left 0 or less.
 */
#include "isa/msp430/msp430_semantics.h"

#define BITS_B 8
#define BITS_W 16

#define NEXT                                   \
    do {                                       \
        if (__builtin_expect(s->left <= 0, 0)) \
            goto attention;                    \
        goto *labels[s->ip->op];               \
    } while (0)

/* The instruction is going to be executed here. */
#define BEGIN(words_)           \
    do {                        \
        s->left -= rec->cycles; \
        s->count++;             \
        s->ip = rec + (words_); \
    } while (0)

#define PAGE(address, way) (pages[(address) >> MSP430_PAGE_BITS].way)
#define AT_8(address)      ((address)&MSP430_PAGE_MASK)
#define AT_16(address)     ((address) & (MSP430_PAGE_MASK - 1))

#define LOAD(bits, address)                                                        \
    do {                                                                           \
        uint32_t from_ = (address);                                                \
        const uint8_t *page_ = PAGE(from_, read);                                  \
        if (__builtin_expect(!page_, 0))                                           \
            goto general;                                                          \
        a = (bits) == 8 ? page_[AT_8(from_)] : msp430_get16(page_ + AT_16(from_)); \
    } while (0)

/* Sources: to `a`. COMMIT comes when nothing can go wrong any more. */
#define SOURCE_R(bits) a = c->r[rec->s] & msp430_mask(bits)
#define SOURCE_N(bits) a = rec->k
#define SOURCE_X(bits) LOAD(bits, msp430_indexed(c->r[rec->s], rec->k))
#define SOURCE_A(bits) LOAD(bits, rec->k)
#define SOURCE_I(bits) LOAD(bits, c->r[rec->s])
#define SOURCE_P(bits) LOAD(bits, c->r[rec->s])
#define COMMIT_R(bits)
#define COMMIT_N(bits)
#define COMMIT_X(bits)
#define COMMIT_A(bits)
#define COMMIT_I(bits)
#define COMMIT_P(bits) c->r[rec->s] = (c->r[rec->s] + (bits) / 8) & c->register_mask

/* Destinations: host memory at `to`. */
#define PLACE(bits, address, way)                   \
    do {                                            \
        uint32_t at_ = (address);                   \
        to = PAGE(at_, way);                        \
        if (__builtin_expect(!to, 0))               \
            goto general;                           \
        to += (bits) == 8 ? AT_8(at_) : AT_16(at_); \
    } while (0)
#define PLACE_R(bits, way)
#define PLACE_X(bits, way) PLACE(bits, msp430_indexed(c->r[rec->d], rec->x), way)
#define PLACE_A(bits, way) PLACE(bits, rec->x, way)
#define TAKE_R(bits)       c->r[rec->d] & msp430_mask(bits)
#define TAKE_X(bits)       ((bits) == 8 ? *to : msp430_get16(to))
#define TAKE_A(bits)       TAKE_X(bits)
#define PUT_R(bits, value) c->r[rec->d] = (value)
#define PUT_X(bits, value)           \
    do {                             \
        if ((bits) == 8)             \
            *to = (uint8_t)(value);  \
        else                         \
            msp430_put16(to, value); \
    } while (0)
#define PUT_A(bits, value) PUT_X(bits, value)

#define FORM_MOVE(name, size, source, destination, semantics) \
    op_##name##_##size##_##source##destination:               \
    {                                                         \
        struct msp430_record *rec = s->ip;                    \
        uint8_t *to = NULL;                                   \
        uint32_t a;                                           \
        SOURCE_##source(BITS_##size);                         \
        PLACE_##destination(BITS_##size, write);              \
        (void)to;                                             \
        COMMIT_##source(BITS_##size);                         \
        BEGIN(rec->words);                                    \
        PUT_##destination(BITS_##size, semantics);            \
        NEXT;                                                 \
    }
#define FORM_RMW(name, size, source, destination, semantics) \
    op_##name##_##size##_##source##destination:              \
    {                                                        \
        enum { bits = BITS_##size };                         \
        struct msp430_record *rec = s->ip;                   \
        uint8_t *to = NULL;                                  \
        uint32_t a, b;                                       \
        SOURCE_##source(bits);                               \
        PLACE_##destination(bits, write);                    \
        (void)to;                                            \
        COMMIT_##source(bits);                               \
        BEGIN(rec->words);                                   \
        b = TAKE_##destination(bits);                        \
        PUT_##destination(bits, semantics);                  \
        NEXT;                                                \
    }
#define FORM_TEST(name, size, source, destination, semantics) \
    op_##name##_##size##_##source##destination:               \
    {                                                         \
        enum { bits = BITS_##size };                          \
        struct msp430_record *rec = s->ip;                    \
        const uint8_t *to = NULL;                             \
        uint32_t a, b;                                        \
        SOURCE_##source(bits);                                \
        PLACE_##destination(bits, read);                      \
        (void)to;                                             \
        COMMIT_##source(bits);                                \
        BEGIN(rec->words);                                    \
        b = TAKE_##destination(bits);                         \
        (void)(semantics);                                    \
        NEXT;                                                 \
    }

#define FORMS_OF(FORM, name, size, source, semantics) \
    FORM(name, size, source, R, semantics)            \
    FORM(name, size, source, X, semantics)            \
    FORM(name, size, source, A, semantics)
#define FORMS_OF_SIZE(FORM, name, size, semantics) \
    FORMS_OF(FORM, name, size, R, semantics)       \
    FORMS_OF(FORM, name, size, N, semantics)       \
    FORMS_OF(FORM, name, size, X, semantics)       \
    FORMS_OF(FORM, name, size, A, semantics)       \
    FORMS_OF(FORM, name, size, I, semantics)       \
    FORMS_OF(FORM, name, size, P, semantics)
#define FORMS(FORM, name, semantics)        \
    FORMS_OF_SIZE(FORM, name, B, semantics) \
    FORMS_OF_SIZE(FORM, name, W, semantics)

/* One for each class of msp430_table.h. */
#define DO_MOVE(name, semantics) FORMS(FORM_MOVE, name, semantics)
#define DO_RMW(name, semantics)  FORMS(FORM_RMW, name, semantics)
#define DO_TEST(name, semantics) FORMS(FORM_TEST, name, semantics)
#define SHIFT_FORM(name, size, semantics)              \
    op_##name##_##size:                                \
    {                                                  \
        enum { bits = BITS_##size };                   \
        const struct msp430_record *rec = s->ip;       \
        uint32_t b = c->r[rec->s] & msp430_mask(bits); \
        s->left -= rec->cycles;                        \
        s->count++;                                    \
        s->ip++;                                       \
        c->r[rec->s] = (semantics)&c->register_mask;   \
        NEXT;                                          \
    }
#define DO_SHIFT(name, semantics)  \
    SHIFT_FORM(name, B, semantics) \
    SHIFT_FORM(name, W, semantics)
#define DO_JUMP(name, condition)           \
    op_##name:                             \
    {                                      \
        struct msp430_record *rec = s->ip; \
        s->left -= rec->cycles;            \
        s->count++;                        \
        if (condition) {                   \
            s->ip = rec + (int32_t)rec->k; \
            NEXT;                          \
        }                                  \
        s->ip = rec + 1;                   \
        NEXT;                              \
    }
#define DO_PUSH(name, semantics)
#define DO_CALL(name, semantics)
#define DO_CALLA(name, semantics)
#define DO_RETI(name, semantics)
#define DO_EXTENSION(name, semantics)
#define DO_ADDR_MOVE(name, semantics)
#define DO_ADDR_RMW(name, semantics)
#define DO_ADDR_TEST(name, semantics)
#define DO_ROTATE(name, semantics)
#define DO_PUSHM(name, semantics)
#define DO_POPM(name, semantics)

/* The labels of the fast forms, in the order of enum msp430_op. */
#define LABEL_FORM(name, size, source, destination) &&op_##name##_##size##_##source##destination,
#define LABELS_MOVE(name)                           MSP430_FORMS(LABEL_FORM, name)
#define LABELS_RMW(name)                            LABELS_MOVE(name)
#define LABELS_TEST(name)                           LABELS_MOVE(name)
#define LABELS_SHIFT(name)                          &&op_##name##_B, &&op_##name##_W,
#define LABELS_JUMP(name)                           &&op_##name,
#define LABELS_PUSH(name)
#define LABELS_CALL(name)
#define LABELS_CALLA(name)
#define LABELS_RETI(name)
#define LABELS_EXTENSION(name)
#define LABELS_ADDR_MOVE(name)
#define LABELS_ADDR_RMW(name)
#define LABELS_ADDR_TEST(name)
#define LABELS_ROTATE(name)
#define LABELS_PUSHM(name)
#define LABELS_POPM(name)

/* SP moved by a constant. */
#define MOVE_SP(operation)                 \
    do {                                   \
        struct msp430_record *rec = s->ip; \
        uint32_t result = operation & ~1u; \
        BEGIN(rec->words);                 \
        c->r[MSP430_SP] = result;          \
        if (result < core->sp_low)         \
            core->sp_low = result;         \
    } while (0)

/* The place for a word pushed; SP follows with PUSHED once nothing can go wrong. */
#define PUSH_PLACE                                          \
    uint32_t sp = (c->r[MSP430_SP] - 2) & c->register_mask; \
    uint8_t *to;                                            \
    PLACE(16, sp, write)
#define PUSHED             \
    c->r[MSP430_SP] = sp;  \
    if (sp < core->sp_low) \
    core->sp_low = sp

enum core_stop msp430_run(struct core *core)
{
    static const void *const labels[MSP430_OPS] = {
        &&op_decode, &&op_watch,  &&op_no_instruction, &&op_no_instruction, &&general, &&op_nop,
        &&op_ret,    &&op_br,     &&op_call,           &&op_clrc,           &&op_setc, &&op_add_sp,
        &&op_sub_sp, &&op_push_r, &&op_push_n,
#define INSN(name, syntax, encoding, class, cores, costs, semantics) LABELS_##class(name)
#include "isa/msp430/msp430.isa"
#undef INSN
    };
    struct msp430_core *c = (struct msp430_core *)core;
    msp430_attach(c);
    const struct mem_page *pages = c->pages;
    struct msp430_live live = c->live, *s = &live;
    c->horizon = core->cycle;
    s->left = 0;

    /* What stopped here last time is executed before anything is looked at. */
    if (c->watch_pass == (uint32_t)(s->ip - c->records) && core->cycle < core->limit &&
        !core->fault.reason && !core->asleep && !c->is_reset) {
        c->horizon = core->cycle + 1;
        s->left = 1;
        core->deadline = 0;
        goto *labels[s->ip->op];
    }

attention : {
    int stop;
    MSP430_OUTSIDE(stop = msp430_attend(c, false));
    if (stop >= 0) {
        c->live = *s;
        return (enum core_stop)stop;
    }
    goto *labels[s->ip->op];
}

op_decode:
    msp430_decode(c, (uint32_t)(s->ip - c->records));
    goto *labels[s->ip->op];

op_watch : {
    uint32_t index = (uint32_t)(s->ip - c->records);
    if (c->watch_pass == index) {
        c->watch_pass = UINT32_MAX;
        goto *labels[msp430_watched_op(c, index)];
    }
    c->watch_pass = index;
    core->cycle = c->horizon - (uint64_t)s->left;
    core->instructions = s->count;
    c->live = *s;
    return CORE_WATCH;
}

op_no_instruction:
    MSP430_OUTSIDE(msp430_no_instruction(c));
    goto attention;

general : {
    struct msp430_record rec = *s->ip; /* its code may be written over */
    s->left -= rec.cycles;
    s->count++;
    s->ip += rec.words;
    MSP430_OUTSIDE(msp430_execute(c, &rec));
    NEXT;
}

op_nop : {
    struct msp430_record *rec = s->ip;
    BEGIN(1);
    NEXT;
}

op_ret : {
    struct msp430_record *rec = s->ip;
    uint32_t a;
    LOAD(16, c->r[MSP430_SP]);
    if (__builtin_expect(a & 1, 0))
        goto general;
    c->r[MSP430_SP] = (c->r[MSP430_SP] + 2) & c->register_mask;
    BEGIN(1);
    s->ip = c->records + (a >> 1);
    NEXT;
}

op_br : {
    struct msp430_record *rec = s->ip;
    BEGIN(2);
    s->ip = c->records + (rec->k >> 1);
    NEXT;
}

op_call : {
    struct msp430_record *rec = s->ip;
    PUSH_PLACE;
    BEGIN(2);
    msp430_put16(to, (uint32_t)(s->ip - c->records) << 1);
    PUSHED;
    c->last_call_bytes = 2;
    s->ip = c->records + (rec->k >> 1);
    NEXT;
}

op_clrc : {
    struct msp430_record *rec = s->ip;
    BEGIN(1);
    s->cf = 0;
    NEXT;
}

op_setc : {
    struct msp430_record *rec = s->ip;
    BEGIN(1);
    s->cf = 1;
    NEXT;
}

op_add_sp:
    MOVE_SP(msp430_add(s, rec->k, c->r[MSP430_SP] & 0xffff, 0, 16));
    NEXT;

op_sub_sp:
    MOVE_SP(msp430_sub(s, rec->k, c->r[MSP430_SP] & 0xffff, 1, 16));
    NEXT;

op_push_r : {
    struct msp430_record *rec = s->ip;
    uint32_t value = c->r[rec->s];
    PUSH_PLACE;
    BEGIN(1);
    msp430_put16(to, value);
    PUSHED;
    NEXT;
}

op_push_n : {
    struct msp430_record *rec = s->ip;
    uint32_t value = rec->k;
    PUSH_PLACE;
    BEGIN(rec->words);
    msp430_put16(to, value);
    PUSHED;
    NEXT;
}

#define INSN(name, syntax, encoding, class, cores, costs, semantics) DO_##class(name, semantics)
#include "isa/msp430/msp430.isa"
#undef INSN
}
