/* Instructions as text, in the form that binutils' objdump prints. */
#include <stdio.h>
#include <string.h>

#include "isa/avr/avr_core.h"

/* Writes one operand of the syntax at *p, and moves behind it. */
static int operand(char *out, size_t size, const char **p, const struct avr_operands *o,
                   unsigned *registers, bool relative)
{
    const char *at = *p;
    if (strchr("RHPW", at[0]) && (at[1] == 'd' || at[1] == 'r')) {
        *p += 2;
        return snprintf(out, size, "r%u", (*registers)++ == 0 ? o->d : o->r);
    }
    *p += 1;
    switch (at[0]) {
    case 'K':
    case 'A': return snprintf(out, size, "0x%02X", (unsigned)o->k);
    case 'b': return snprintf(out, size, "%u", o->r);
    case 'q': return snprintf(out, size, "%d", o->k);
    case 'k':
        return relative ? snprintf(out, size, ".%+d", 2 * o->k)
                        : snprintf(out, size, "0x%04X", (unsigned)o->k);
    default: return snprintf(out, size, "%c", at[0]);
    }
}

unsigned avr_disassemble(const struct core_class *class, char *out, size_t size,
                         const uint8_t *code, size_t code_bytes, uint32_t address)
{
    (void)class;
    (void)address;
    if (code_bytes < 2)
        return 0;
    uint16_t first = (uint16_t)(code[0] | code[1] << 8), second = 0;
    int id = avr_row_find(first);
    if (id < 0) {
        (void)snprintf(out, size, ".word 0x%04x", first);
        return 2;
    }
    const struct avr_row *row = &avr_rows[id];
    struct avr_form form;
    avr_form_of(&form, row->encoding);
    if (form.words == 2) {
        if (code_bytes < 4)
            return 0;
        second = (uint16_t)(code[2] | code[3] << 8);
    }
    struct avr_operands o;
    avr_operands_of(&o, row, first, second);
    if (row->class == AVR_JUMP || row->class == AVR_CALL)
        o.k *= 2; /* as a byte address */
    bool relative = row->class == AVR_BRANCH || row->class == AVR_RJMP || row->class == AVR_RCALL;
    size_t used = 0;
    unsigned registers = 0;
    const char *p = row->syntax;
    while (*p && *p != ' ' && used + 1 < size)
        out[used++] = *p++;
    if (used < size)
        out[used] = '\0';
    while (*p && used + 1 < size) {
        int n = operand(out + used, size - used, &p, &o, &registers, relative);
        used += n > 0 ? (size_t)n : 0;
    }
    return 2u * form.words;
}
