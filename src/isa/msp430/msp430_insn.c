/* From words to operands. */
#include "isa/msp430/msp430_insn.h"

#include <string.h>

enum { PC, SP, SR, CG };

struct reader {
    const uint16_t *words;
    unsigned used;
    uint32_t address; /* of words[0] */
    bool is_cpux;
    bool is_extended;
    uint16_t extension;
    unsigned bits;
};

static uint32_t mask_of(unsigned bits)
{
    return (1u << bits) - 1;
}

static uint16_t next_word(struct reader *r)
{
    return r->used < MSP430_WORDS_MAX ? r->words[r->used++] : 0;
}

/* Where the next word lies. */
static uint32_t here(const struct reader *r)
{
    return (r->address + 2 * r->used) & (r->is_cpux ? 0xfffffu : 0xffffu);
}

static uint32_t sign_extend(uint32_t value, unsigned bits)
{
    uint32_t sign = 1u << (bits - 1);
    return ((value & mask_of(bits)) ^ sign) - sign;
}

/* A relative address. In the lower 64 KB an index of 16 bits does not lead out of them. */
static uint32_t relative(uint32_t from, uint32_t index, bool is_wide)
{
    return (from + index) & (is_wide || from > 0xffff ? 0xfffffu : 0xffffu);
}

/* An index, address or constant: the next word, and bits 19:16 from the extension word. */
static uint32_t wide_value(struct reader *r, unsigned high)
{
    return next_word(r) | high << 16;
}

static void indexed(struct reader *r, struct msp430_operand *o, unsigned high)
{
    uint32_t from = here(r), value = wide_value(r, r->is_extended ? high : 0);
    if (o->reg == SR) {
        o->mode = MSP430_MODE_ABS;
        o->value = value;
        return;
    }
    uint32_t index = sign_extend(value, r->is_extended ? 20 : 16);
    o->mode = o->reg == SP ? MSP430_MODE_IDX_SP : MSP430_MODE_IDX;
    o->value = index;
    if (o->reg == PC) {
        o->mode = MSP430_MODE_SYM;
        o->value = relative(from, index, r->is_extended);
    }
}

static void constant(struct msp430_operand *o, uint32_t value, unsigned bits)
{
    o->mode = MSP430_MODE_RN;
    o->is_constant = true;
    o->value = value & mask_of(bits);
}

/* A source with an address mode of its own. */
static void source(struct reader *r, struct msp430_operand *o, unsigned reg, unsigned mode)
{
    static const uint32_t constants[2][4] = {{0, 0, 4, 8}, {0, 1, 2, UINT32_MAX}};
    o->reg = (uint8_t)reg;
    if (reg == CG || (reg == SR && mode >= 2)) {
        constant(o, constants[reg - SR][mode], r->bits);
        return;
    }
    switch (mode) {
    case 0:
        o->mode = MSP430_MODE_RN;
        if (reg == PC)
            constant(o, here(r), r->bits);
        break;
    case 1: indexed(r, o, r->extension >> 7 & 15); break;
    case 2:
        o->mode = MSP430_MODE_IND;
        o->value = here(r); /* where PC points */
        break;
    default:
        o->mode = MSP430_MODE_INC;
        if (reg == PC) {
            o->mode = MSP430_MODE_IMM;
            o->value =
                wide_value(r, r->is_extended ? r->extension >> 7 & 15u : 0) & mask_of(r->bits);
        }
    }
}

static void destination(struct reader *r, struct msp430_operand *o, unsigned reg, unsigned mode)
{
    o->reg = (uint8_t)reg;
    o->mode = MSP430_MODE_RN;
    if (mode == 1)
        indexed(r, o, r->extension & 15);
}

/* An operand of an address instruction, as the syntax gives it at *p. */
static void written_operand(struct reader *r, struct msp430_operand *o, const char *p,
                            const char *encoding, uint16_t word)
{
    unsigned width, high = msp430_field(encoding, 'k', word, &width);
    unsigned rs = msp430_field(encoding, 's', word, &width);
    unsigned rd = msp430_field(encoding, 'd', word, &width);
    switch (*p) {
    case '#':
        o->mode = MSP430_MODE_IMM;
        o->value = wide_value(r, high);
        break;
    case '&':
        o->mode = MSP430_MODE_ABS;
        o->reg = SR;
        o->value = wide_value(r, high);
        break;
    case '@':
        o->reg = (uint8_t)rs;
        o->mode = p[3] == '+' ? MSP430_MODE_INC : MSP430_MODE_IND;
        o->value = here(r);
        break;
    case 'X': {
        /* CALLA EDE has an index of 20 bits; the others one of 16. */
        bool is_wide = p[2] == 'P';
        uint32_t from = here(r);
        uint32_t index = is_wide ? wide_value(r, high) : sign_extend(next_word(r), 16);
        o->reg = (uint8_t)(is_wide ? (unsigned)PC : p[3] == 's' ? rs : rd);
        o->mode = o->reg == SP ? MSP430_MODE_IDX_SP : MSP430_MODE_IDX;
        o->value = index;
        if (o->reg == PC) {
            o->mode = MSP430_MODE_SYM;
            o->value = relative(from, index, true);
        }
        break;
    }
    default:
        o->reg = (uint8_t)(p[1] == 's' ? rs : rd);
        o->mode = MSP430_MODE_RN;
        if (p[1] == 's' && o->reg == PC)
            constant(o, here(r), 20);
        if (p[1] == 's' && o->reg == CG)
            constant(o, 0, 20);
    }
}

static void written_operands(struct reader *r, struct msp430_insn *out,
                             const struct msp430_row *row)
{
    const char *first = strchr(row->syntax, ' ') + 1, *second = strstr(first, ", ");
    written_operand(r, &out->src, first, row->encoding, out->word);
    if (second)
        written_operand(r, &out->dst, second + 2, row->encoding, out->word);
}

/* The size that B/W and the extension word's A/L bit say; 0: none. SWPB and SXT have A/L alone. */
static unsigned size_of(const struct reader *r, const struct msp430_row *row, unsigned byte)
{
    unsigned width;
    (void)msp430_field(row->encoding, 'B', 0, &width);
    if (!r->is_extended)
        return byte ? 8 : 16;
    bool is_word_or_byte = r->extension >> 6 & 1;
    if (width == 0)
        return is_word_or_byte ? 16 : 20;
    if (is_word_or_byte)
        return byte ? 8 : 16;
    return byte ? 20 : 0;
}

static bool general_operands(struct reader *r, struct msp430_insn *out,
                             const struct msp430_row *row)
{
    unsigned width, rs = msp430_field(row->encoding, 's', out->word, &width);
    unsigned mode = msp430_field(row->encoding, 'S', out->word, &width);
    unsigned rd = msp430_field(row->encoding, 'd', out->word, &width);
    bool is_double = width > 0;
    unsigned to_memory = msp430_field(row->encoding, 'D', out->word, &width);
    unsigned byte = msp430_field(row->encoding, 'B', out->word, &width);
    bool is_call = row->class == MSP430_CALL;
    if (is_call && r->is_extended)
        return false;
    r->bits = size_of(r, row, byte);
    if (r->bits == 0)
        return false;
    /* With registers only, the extension word repeats; otherwise it has the bits 19:16. */
    if (r->is_extended && mode == 0 && to_memory == 0)
        out->repeat =
            r->extension & (MSP430_REPEAT_ZC | MSP430_REPEAT_REGISTER | MSP430_REPEAT_COUNT);
    if (row->class == MSP430_SHIFT && mode == 0 && rs != CG) {
        /* The operand is a destination too. */
        out->src = (struct msp430_operand){.mode = MSP430_MODE_RN, .reg = (uint8_t)rs};
        return true;
    }
    if (!is_double) {
        /* An only operand has its bits 19:16 where a destination has them. */
        r->extension = (uint16_t)((r->extension & ~0x780u) | (r->extension & 15u) << 7);
    }
    source(r, &out->src, rs, mode);
    if (is_double)
        destination(r, &out->dst, rd, to_memory);
    /* Nothing can be written back to a constant behind PC. */
    return !(row->class == MSP430_SHIFT && out->src.mode == MSP430_MODE_IMM);
}

void msp430_insn_decode(struct msp430_insn *out, const uint16_t *words, uint32_t address,
                        bool is_cpux)
{
    struct reader r = {.words = words, .address = address, .is_cpux = is_cpux, .bits = 16};
    *out = (struct msp430_insn){.row = -1, .words = 1, .bits = 16, .word = next_word(&r)};
    int id = msp430_row_find(out->word, is_cpux);
    if (id == MSP430_ROW_extension) {
        r.is_extended = out->is_extended = true;
        r.extension = out->word;
        out->word = next_word(&r);
        id = msp430_row_find(out->word, is_cpux);
        /* Formats I and II alone can be extended. */
        if (id >= 0 && !strchr(msp430_rows[id].encoding, 'S'))
            id = -1;
    }
    if (id < 0)
        return;
    const struct msp430_row *row = &msp430_rows[id];
    unsigned width, wide;
    switch (row->class) {
    case MSP430_MOVE:
    case MSP430_RMW:
    case MSP430_TEST:
    case MSP430_SHIFT:
    case MSP430_PUSH:
    case MSP430_CALL:
        if (!general_operands(&r, out, row))
            return;
        break;
    case MSP430_ADDR_MOVE:
    case MSP430_ADDR_RMW:
    case MSP430_ADDR_TEST:
    case MSP430_CALLA:
        r.bits = 20;
        written_operands(&r, out, row);
        break;
    case MSP430_JUMP: {
        uint32_t offset = sign_extend(msp430_field(row->encoding, 'k', out->word, &width), 10);
        out->target = (here(&r) + 2 * offset) & (is_cpux ? 0xfffffu : 0xffffu);
        break;
    }
    case MSP430_ROTATE:
    case MSP430_PUSHM:
    case MSP430_POPM:
        out->count = (uint8_t)(msp430_field(row->encoding, 'n', out->word, &width) + 1);
        wide = msp430_field(row->encoding, 'W', out->word, &width) == 0;
        r.bits = wide ? 20 : 16;
        out->src.mode = MSP430_MODE_RN;
        out->src.reg = (uint8_t)msp430_field(row->encoding, 'd', out->word, &width);
        break;
    case MSP430_RETI:
    case MSP430_EXTENSION: break;
    }
    out->row = id;
    out->bits = (uint8_t)r.bits;
    out->words = (uint8_t)r.used;
}
