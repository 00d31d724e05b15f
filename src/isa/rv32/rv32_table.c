#include "isa/rv32/rv32_table.h"

#include <string.h>

#ifndef UJ_TIMING_TABLE_MUTABLE
const
#endif
    struct rv32_row rv32_rows[RV32_ROWS] = {
#define INSN(name, syntax, encoding, class, hazard3, semantics) \
    {#name, syntax, encoding, RV32_##class, hazard3, -1},
#define VARIANT(name, of, syntax, encoding, class, hazard3, semantics) \
    {#name, syntax, encoding, RV32_##class, hazard3, RV32_ROW_##of},
#define SHORT(name, syntax, encoding, where, base, d, s, t)
#include "isa/rv32/rv32.isa"
#undef INSN
#undef VARIANT
#undef SHORT
};

#define FD     RV32_FIELD_D
#define FS     RV32_FIELD_S
#define FT     RV32_FIELD_T
#define ALL    RV32_ALL
#define NO_D0  RV32_NO_D0
#define NO_D2  RV32_NO_D2
#define NO_S0  RV32_NO_S0
#define NO_T0  RV32_NO_T0
#define NO_K0  RV32_NO_K0
#define K_FF   RV32_K_FF
#define K_ONES RV32_K_ONES

const struct rv32_short rv32_shorts[RV32_SHORTS] = {
#define INSN(name, syntax, encoding, class, hazard3, semantics)
#define VARIANT(name, of, syntax, encoding, class, hazard3, semantics)
#define SHORT(name, syntax, encoding, where, base, d, s, t) \
    {#name, syntax, encoding, where, RV32_ROW_##base, d, s, t},
#include "isa/rv32/rv32.isa"
#undef INSN
#undef VARIANT
#undef SHORT
};

static unsigned encoding_bits(const char *encoding)
{
    unsigned bits = 0;
    for (const char *p = encoding; *p; p++)
        bits += *p != ' ';
    return bits;
}

void rv32_form_of(struct rv32_form *out, const char *encoding)
{
    *out = (struct rv32_form){.bytes = (uint8_t)(encoding_bits(encoding) / 8)};
    for (const char *p = encoding; *p; p++) {
        if (*p == ' ')
            continue;
        out->mask = out->mask << 1 | (*p == '0' || *p == '1');
        out->match = out->match << 1 | (*p == '1');
    }
}

/* The field of a lower-case letter, and its width. */
static uint32_t field(const char *encoding, char letter, uint32_t code, unsigned *width)
{
    uint32_t value = 0;
    unsigned bit = encoding_bits(encoding);
    *width = 0;
    for (const char *p = encoding; *p; p++) {
        if (*p == ' ')
            continue;
        bit--;
        if (*p == letter) {
            value = value << 1 | (code >> bit & 1);
            ++*width;
        }
    }
    return value;
}

/* A register of three bits is one of x8 to x15. */
static uint8_t register_field(const char *encoding, char letter, uint32_t code)
{
    unsigned width;
    uint32_t value = field(encoding, letter, code, &width);
    return (uint8_t)(width == 3 ? 8 + value : value);
}

static uint32_t immediate(const char *encoding, const char *syntax, uint32_t code)
{
    uint32_t value = 0;
    int top = -1;
    unsigned bit = encoding_bits(encoding);
    for (const char *p = encoding; *p; p++) {
        if (*p == ' ')
            continue;
        bit--;
        if (*p < 'A' || *p > 'Z')
            continue;
        int place = *p - 'A';
        value |= (code >> bit & 1) << place;
        if (place > top)
            top = place;
    }
    const char *operands = strchr(syntax, ' ');
    bool is_signed = operands && strpbrk(operands, "ihjbo");
    if (is_signed && top >= 0 && (value >> top & 1))
        value |= ~0u << top;
    return value;
}

void rv32_operands_of(struct rv32_operands *out, const char *encoding, const char *syntax,
                      uint32_t code)
{
    unsigned width;
    *out = (struct rv32_operands){
        .d = register_field(encoding, 'd', code),
        .s = register_field(encoding, 's', code),
        .t = register_field(encoding, 't', code),
        .list = (uint8_t)field(encoding, 'r', code, &width),
        .k = immediate(encoding, syntax, code),
    };
    uint32_t z = field(encoding, 'z', code, &width);
    if (width)
        out->s = (uint8_t)z;
}

bool rv32_short_takes(const struct rv32_short *form, uint32_t code)
{
    struct rv32_operands o;
    if (form->where == RV32_ALL)
        return true;
    rv32_operands_of(&o, form->encoding, form->syntax, code);
    return !((form->where & RV32_NO_D0) && o.d == 0) && !((form->where & RV32_NO_D2) && o.d == 2) &&
           !((form->where & RV32_NO_S0) && o.s == 0) && !((form->where & RV32_NO_T0) && o.t == 0) &&
           !((form->where & RV32_NO_K0) && o.k == 0);
}

bool rv32_row_takes(enum rv32_row_id row, uint32_t code)
{
    const struct rv32_row *r = &rv32_rows[row];
    struct rv32_operands o;
    switch (r->class) {
    case RV32_PUSH:
    case RV32_POP:
    case RV32_POPRET:
    case RV32_POPRETZ: rv32_operands_of(&o, r->encoding, r->syntax, code); return o.list >= 4;
    case RV32_TO_SAVED: rv32_operands_of(&o, r->encoding, r->syntax, code); return o.s != o.t;
    default: return true;
    }
}

/* The masks are worked out once a look-up: decoding is rare. */
static int find_row(uint32_t code, unsigned bytes)
{
    int found = -1;
    for (int i = 0; i < RV32_ROWS; i++) {
        struct rv32_form form;
        rv32_form_of(&form, rv32_rows[i].encoding);
        if (form.bytes != bytes || (code & form.mask) != form.match ||
            !rv32_row_takes((enum rv32_row_id)i, code))
            continue;
        if (rv32_rows[i].variant_of >= 0)
            return i;
        found = i;
    }
    return found;
}

static int find_short(uint32_t code)
{
    for (int i = 0; i < RV32_SHORTS; i++) {
        struct rv32_form form;
        rv32_form_of(&form, rv32_shorts[i].encoding);
        if ((code & form.mask) == form.match && rv32_short_takes(&rv32_shorts[i], code))
            return i;
    }
    return -1;
}

static uint8_t chosen(int8_t which, const struct rv32_operands *fields)
{
    switch (which) {
    case RV32_FIELD_D: return fields->d;
    case RV32_FIELD_S: return fields->s;
    case RV32_FIELD_T: return fields->t;
    default: return (uint8_t)which;
    }
}

void rv32_find(struct rv32_found *out, uint32_t code)
{
    *out = (struct rv32_found){.row = -1, .short_ = -1, .bytes = (code & 3) == 3 ? 4 : 2};
    if (out->bytes == 2) {
        code &= 0xffff;
        out->short_ = find_short(code);
    }
    if (out->short_ >= 0) {
        const struct rv32_short *form = &rv32_shorts[out->short_];
        struct rv32_operands fields;
        rv32_operands_of(&fields, form->encoding, form->syntax, code);
        out->row = form->base;
        out->operands = fields;
        out->operands.d = chosen(form->d, &fields);
        out->operands.s = chosen(form->s, &fields);
        out->operands.t = chosen(form->t, &fields);
        if (form->where & RV32_K_FF)
            out->operands.k = 0xff;
        if (form->where & RV32_K_ONES)
            out->operands.k = UINT32_MAX;
        return;
    }
    out->row = find_row(code, out->bytes);
    if (out->row >= 0)
        rv32_operands_of(&out->operands, rv32_rows[out->row].encoding, rv32_rows[out->row].syntax,
                         code);
}

unsigned rv32_list(uint8_t out[13], unsigned list)
{
    static const uint8_t registers[13] = {1, 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27};
    unsigned count = list == 15 ? 13 : list - 3;
    memcpy(out, registers, count);
    return count;
}

uint32_t rv32_list_bytes(unsigned list, uint32_t k)
{
    uint8_t registers[13];
    return ((4 * rv32_list(registers, list) + 15) & ~15u) + k;
}
