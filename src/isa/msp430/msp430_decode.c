/* From words of memory to records, at their first execution. */
#include <stdlib.h>

#include "base/str.h"
#include "isa/msp430/msp430_core.h"

enum { RECORDS_BEHIND = MSP430_WORDS_MAX };

static uint32_t record_count(const struct msp430_core *c)
{
    return (c->register_mask + 1) / 2;
}

void msp430_attach(struct msp430_core *c)
{
    if (c->records)
        return;
    /* The system hands out zeroed pages as they are touched, so this costs what is executed. */
    uint32_t count = record_count(c);
    c->records = uj_calloc((size_t)count + RECORDS_BEHIND, sizeof *c->records);
    for (unsigned i = 0; i < RECORDS_BEHIND; i++)
        c->records[count + i].op = MSP430_OP_OUTSIDE;
    c->live.ip = c->records;
}

static struct msp430_watch *find_watch(const struct msp430_core *c, uint32_t index)
{
    for (size_t i = 0; i < c->watch_count; i++)
        if (c->watches[i].index == index)
            return &c->watches[i];
    return NULL;
}

/* The first fast form of a row's; 0: it has none. */
static const uint16_t first_form[MSP430_ROWS] = {
#define FIRST_MOVE(name)  [MSP430_ROW_##name] = MSP430_OP_##name##_B_RR,
#define FIRST_RMW(name)   FIRST_MOVE(name)
#define FIRST_TEST(name)  FIRST_MOVE(name)
#define FIRST_SHIFT(name) [MSP430_ROW_##name] = MSP430_OP_##name##_B,
#define FIRST_JUMP(name)  [MSP430_ROW_##name] = MSP430_OP_##name,
#define FIRST_PUSH(name)
#define FIRST_CALL(name)
#define FIRST_CALLA(name)
#define FIRST_RETI(name)
#define FIRST_EXTENSION(name)
#define FIRST_ADDR_MOVE(name)
#define FIRST_ADDR_RMW(name)
#define FIRST_ADDR_TEST(name)
#define FIRST_ROTATE(name)
#define FIRST_PUSHM(name)
#define FIRST_POPM(name)
#define INSN(name, syntax, encoding, class, cores, costs, semantics) FIRST_##class(name)
#include "isa/msp430/msp430.isa"
#undef INSN
};

static enum msp430_place place_of(const struct msp430_operand *o)
{
    switch (o->mode) {
    case MSP430_MODE_NONE: return MSP430_AT_NOTHING;
    case MSP430_MODE_RN: return o->is_constant ? MSP430_AT_CONSTANT : MSP430_AT_REGISTER;
    case MSP430_MODE_IND: return o->reg == MSP430_PC ? MSP430_AT_ADDRESS : MSP430_AT_POINTER;
    case MSP430_MODE_INC: return MSP430_AT_POINTER_INC;
    case MSP430_MODE_IMM: return MSP430_AT_CONSTANT;
    case MSP430_MODE_IDX:
    case MSP430_MODE_IDX_SP: return MSP430_AT_INDEX;
    default: return MSP430_AT_ADDRESS;
    }
}

static bool is_general_purpose(unsigned number)
{
    return number > MSP430_CG;
}

/* A fast form of two operands. */
static uint16_t double_form(const struct msp430_record *r, const struct msp430_insn *insn)
{
    bool is_byte = insn->bits == 8;
    enum msp430_place source = r->source;
    if (source == MSP430_AT_REGISTER && r->s == MSP430_SR)
        return MSP430_OP_GENERAL;
    /* The pointer is moved before the destination's address is made of it; SP moves by words. */
    if (source == MSP430_AT_POINTER_INC &&
        ((is_byte && r->s == MSP430_SP) || (r->destination == MSP430_AT_INDEX && r->s == r->d)))
        return MSP430_OP_GENERAL;
    if (r->s == MSP430_SR && source >= MSP430_AT_POINTER)
        return MSP430_OP_GENERAL;
    if (r->destination == MSP430_AT_REGISTER && !is_general_purpose(r->d)) {
        if (insn->row == MSP430_ROW_mov && r->d == MSP430_CG && source <= MSP430_AT_CONSTANT &&
            r->words == 1)
            return MSP430_OP_NOP;
        if (is_byte)
            return MSP430_OP_GENERAL;
        if (insn->row == MSP430_ROW_mov && r->d == MSP430_PC) {
            if (source == MSP430_AT_POINTER_INC && r->s == MSP430_SP)
                return MSP430_OP_RET;
            if (insn->src.mode == MSP430_MODE_IMM && !(r->k & 1))
                return MSP430_OP_BR;
        }
        if (source != MSP430_AT_CONSTANT)
            return MSP430_OP_GENERAL;
        if (r->d == MSP430_SR && r->k == MSP430_SR_C && r->words == 1)
            return insn->row == MSP430_ROW_bic   ? MSP430_OP_CLRC
                   : insn->row == MSP430_ROW_bis ? MSP430_OP_SETC
                                                 : MSP430_OP_GENERAL;
        if (r->d == MSP430_SP)
            return insn->row == MSP430_ROW_add   ? MSP430_OP_ADD_SP
                   : insn->row == MSP430_ROW_sub ? MSP430_OP_SUB_SP
                                                 : MSP430_OP_GENERAL;
        return MSP430_OP_GENERAL;
    }
    unsigned destination = r->destination == MSP430_AT_REGISTER ? 0
                           : r->destination == MSP430_AT_INDEX  ? 1
                                                                : 2;
    return (uint16_t)(first_form[insn->row] + (is_byte ? 0 : MSP430_FORMS_SIZE) +
                      source * MSP430_FORMS_SOURCE + destination);
}

static uint16_t op_of(const struct msp430_core *c, const struct msp430_record *r,
                      const struct msp430_insn *insn)
{
    if (insn->is_extended)
        return MSP430_OP_GENERAL;
    switch (msp430_rows[insn->row].class) {
    case MSP430_MOVE:
    case MSP430_RMW:
    case MSP430_TEST: return double_form(r, insn);
    case MSP430_SHIFT:
        /* SXT of a word reaches beyond it on CPUX: the form keeps 20 bits there. */
        if (r->source == MSP430_AT_REGISTER && is_general_purpose(r->s))
            return (uint16_t)(first_form[insn->row] + (insn->bits == 8 ? 0 : 1));
        return MSP430_OP_GENERAL;
    case MSP430_PUSH:
        if (insn->bits == 8)
            return MSP430_OP_GENERAL;
        if (r->source == MSP430_AT_CONSTANT)
            return MSP430_OP_PUSH_N;
        return r->source == MSP430_AT_REGISTER && r->s != MSP430_SR ? MSP430_OP_PUSH_R
                                                                    : MSP430_OP_GENERAL;
    case MSP430_CALL:
        return insn->src.mode == MSP430_MODE_IMM && !(r->k & 1) ? MSP430_OP_CALL
                                                                : MSP430_OP_GENERAL;
    case MSP430_JUMP: return first_form[insn->row];
    default: (void)c; return MSP430_OP_GENERAL;
    }
}

/* What decodes and yet cannot be executed. */
static bool is_executable(const struct msp430_core *c, const struct msp430_insn *insn)
{
    if (insn->row < 0)
        return false;
    enum msp430_class class = msp430_rows[insn->row].class;
    bool is_address = class == MSP430_ADDR_MOVE || class == MSP430_CALLA;
    /* Nobody says what these do with PC. */
    if (is_address && insn->src.mode == MSP430_MODE_INC && insn->src.reg == MSP430_PC)
        return false;
    if ((class == MSP430_PUSHM || class == MSP430_POPM) && insn->count > 16)
        return false;
    return !(c->cpu4 && insn->row == MSP430_ROW_push && insn->src.is_constant &&
             (insn->src.value == 4 || insn->src.value == 8));
}

static void build(struct msp430_core *c, struct msp430_record *r, const struct msp430_insn *insn,
                  uint32_t index)
{
    enum msp430_class class = msp430_rows[insn->row].class;
    *r = (struct msp430_record){
        .cycles = (uint8_t)msp430_insn_cycles(insn, c->kind, c->cpu4),
        .words = insn->words,
        .s = insn->src.reg,
        .d = insn->dst.reg,
        .row = (uint8_t)insn->row,
        .source = place_of(&insn->src) & 7,
        .destination = place_of(&insn->dst) & 7,
        .is_wide = insn->is_extended,
        .k = insn->src.value,
        .x = (insn->dst.mode > MSP430_MODE_RN ? insn->dst.value : insn->repeat) & 0xfffff,
        .bits = insn->bits & 31u,
        .is_extended = insn->is_extended,
    };
    switch (class) {
    case MSP430_JUMP: r->k = (insn->target >> 1) - index; break;
    case MSP430_ROTATE:
    case MSP430_PUSHM:
    case MSP430_POPM:
        r->d = insn->src.reg;
        r->k = insn->count;
        break;
    case MSP430_ADDR_MOVE:
    case MSP430_CALLA: r->is_wide = true; break;
    default: break;
    }
    r->op = op_of(c, r, insn);
}

void msp430_decode(struct msp430_core *c, uint32_t index)
{
    struct msp430_record *record = &c->records[index];
    uint16_t words[MSP430_WORDS_MAX];
    uint32_t address = 2 * index;
    unsigned known = 0;
    for (; known < MSP430_WORDS_MAX; known++) {
        uint8_t bytes[2];
        uint32_t at = (address + 2 * known) & c->register_mask;
        if (!mem_peek(c->core.data, at, bytes, 2))
            break;
        words[known] = (uint16_t)(bytes[0] | bytes[1] << 8);
    }
    for (unsigned i = known; i < MSP430_WORDS_MAX; i++)
        words[i] = 0;
    *record = (struct msp430_record){.op = MSP430_OP_OUTSIDE, .words = 1};
    if (known > 0) {
        struct msp430_insn insn;
        msp430_insn_decode(&insn, words, address, c->is_cpux);
        *record = (struct msp430_record){.op = MSP430_OP_ILLEGAL, .words = 1, .k = words[0]};
        if (is_executable(c, &insn))
            build(c, record, &insn, index);
        if (insn.words > known)
            *record = (struct msp430_record){.op = MSP430_OP_OUTSIDE, .words = 1};
        mem_mark_code(c->core.data, address, 2u * record->words);
    }
    struct msp430_watch *watch = find_watch(c, index);
    if (watch) {
        watch->op = record->op;
        record->op = MSP430_OP_WATCH;
    }
}

uint16_t msp430_watched_op(const struct msp430_core *c, uint32_t index)
{
    return find_watch(c, index)->op;
}

void msp430_watch(struct core *core, uint32_t address, bool on)
{
    struct msp430_core *c = (struct msp430_core *)core;
    msp430_attach(c);
    uint32_t index = (address & c->register_mask) / 2;
    struct msp430_watch *watch = find_watch(c, index);
    if (on && !watch) {
        if (c->watch_count == c->watch_capacity) {
            c->watch_capacity = 2 * c->watch_capacity + 8;
            c->watches = uj_realloc(c->watches, c->watch_capacity * sizeof *c->watches);
        }
        c->watches[c->watch_count++] = (struct msp430_watch){.index = index};
    } else if (!on && watch) {
        *watch = c->watches[--c->watch_count];
    }
    c->records[index] = (struct msp430_record){0};
}

void msp430_code_changed(struct core *core, uint32_t address, size_t bytes)
{
    struct msp430_core *c = (struct msp430_core *)core;
    if (!c->records || bytes == 0)
        return;
    /* Instructions before may reach here with words of their own. */
    uint32_t first = address / 2, last = (uint32_t)((address + bytes - 1) / 2);
    first = first < MSP430_WORDS_MAX - 1 ? 0 : first - (MSP430_WORDS_MAX - 1);
    for (uint32_t index = first; index <= last && index < record_count(c); index++)
        c->records[index] = (struct msp430_record){0};
}
