#include "isa/avr/avr_table.h"

#include <string.h>

#include "isa/avr/avr_timing.h"

#ifndef UJ_TIMING_TABLE_MUTABLE
const
#endif
    struct avr_row avr_rows[AVR_ROWS] = {
#define INSN(name, syntax, encoding, class, avre, xm, xt, semantics) \
    {#name, syntax, encoding, AVR_##class, {avre, xm, xt}, -1},
#define VARIANT(name, of, syntax, encoding, class, avre, xm, xt, semantics) \
    {#name, syntax, encoding, AVR_##class, {avre, xm, xt}, AVR_ROW_##of},
#include "isa/avr/avr.isa"
#undef INSN
#undef VARIANT
};

#ifdef UJ_TIMING_TABLE_MUTABLE
unsigned avr_context_cycles[AVR_CONTEXTS] = {
#define COST(name, cycles, rule) cycles,
    AVR_CONTEXT_COSTS(COST)
#undef COST
};
#endif

void avr_form_of(struct avr_form *out, const char *encoding)
{
    unsigned bits = 0;
    *out = (struct avr_form){0};
    for (const char *p = encoding; *p; p++) {
        if (*p == ' ')
            continue;
        if (bits < 16) {
            out->mask = (uint16_t)(out->mask << 1 | (*p == '0' || *p == '1'));
            out->match = (uint16_t)(out->match << 1 | (*p == '1'));
        }
        bits++;
    }
    out->words = (uint8_t)(bits / 16);
}

/* The bits of the instruction where the encoding has `letter`, and how many they are. */
static uint32_t field(const char *encoding, char letter, uint32_t code, unsigned *width)
{
    uint32_t value = 0;
    int bit = 31;
    *width = 0;
    for (const char *p = encoding; *p; p++) {
        if (*p == ' ')
            continue;
        if (*p == letter) {
            value = value << 1 | (code >> bit & 1);
            ++*width;
        }
        bit--;
    }
    return value;
}

/* The number of a register operand as the syntax writes it before its letter. */
static uint8_t register_number(const char *syntax, char letter, uint32_t value)
{
    const char kinds[] = "RHPW";
    for (const char *p = syntax; p[0] && p[1]; p++) {
        if (p[1] != letter || !strchr(kinds, p[0]))
            continue;
        switch (p[0]) {
        case 'H': return (uint8_t)(16 + value);
        case 'P': return (uint8_t)(2 * value);
        case 'W': return (uint8_t)(24 + 2 * value);
        default: return (uint8_t)value;
        }
    }
    return (uint8_t)value;
}

void avr_operands_of(struct avr_operands *out, const struct avr_row *row, uint16_t first,
                     uint16_t second)
{
    uint32_t code = (uint32_t)first << 16 | second, value;
    unsigned width, registers = 0;
    *out = (struct avr_operands){0};
    for (const char *letter = "dr"; *letter; letter++) {
        value = field(row->encoding, *letter, code, &width);
        if (width == 0)
            continue;
        /* PUSH and STS are printed with d in their encoding and Rr in their syntax. */
        const char *syntax = strchr(row->syntax, ' ');
        uint8_t number = syntax ? register_number(syntax, *letter, value) : (uint8_t)value;
        if (registers++ == 0)
            out->d = number;
        else
            out->r = number;
    }
    value = field(row->encoding, 'b', code, &width);
    if (width)
        out->r = (uint8_t)value;
    for (const char *letter = "KAkq"; *letter; letter++) {
        value = field(row->encoding, *letter, code, &width);
        if (width == 0)
            continue;
        out->k = (int32_t)value;
        bool relative =
            row->class == AVR_BRANCH || row->class == AVR_RJMP || row->class == AVR_RCALL;
        if (relative && (value >> (width - 1) & 1))
            out->k -= (int32_t)1 << width;
    }
}

int avr_row_find(uint16_t first)
{
    int found = -1;
    for (int i = 0; i < AVR_ROWS; i++) {
        struct avr_form form;
        avr_form_of(&form, avr_rows[i].encoding);
        if ((first & form.mask) != form.match)
            continue;
        if (avr_rows[i].variant_of >= 0)
            return i;
        found = i;
    }
    return found;
}
