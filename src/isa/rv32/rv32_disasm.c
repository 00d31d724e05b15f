/* Instructions as text, in the form that LLVM's objdump prints without aliases. */
#include <stdio.h>
#include <string.h>

#include "isa/rv32/rv32_core.h"

static const char *const names[32] = {
    "zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
    "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
    "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
};

struct csr_name {
    uint16_t number;
    const char *name;
};
static const struct csr_name csr_names[] = {
    {0x300, "mstatus"},       {0x301, "misa"},      {0x304, "mie"},       {0x305, "mtvec"},
    {0x320, "mcountinhibit"}, {0x340, "mscratch"},  {0x341, "mepc"},      {0x342, "mcause"},
    {0x343, "mtval"},         {0x344, "mip"},       {0xb00, "mcycle"},    {0xb02, "minstret"},
    {0xb80, "mcycleh"},       {0xb82, "minstreth"}, {0xc00, "cycle"},     {0xc02, "instret"},
    {0xc80, "cycleh"},        {0xc82, "instreth"},  {0xf11, "mvendorid"}, {0xf12, "marchid"},
    {0xf13, "mimpid"},        {0xf14, "mhartid"},
};

static int write_csr(char *out, size_t size, uint32_t number)
{
    for (size_t i = 0; i < sizeof csr_names / sizeof *csr_names; i++)
        if (csr_names[i].number == number)
            return snprintf(out, size, "%s", csr_names[i].name);
    return snprintf(out, size, "%u", (unsigned)number);
}

static int write_list(char *out, size_t size, unsigned list)
{
    if (list == 4)
        return snprintf(out, size, "ra");
    if (list == 5)
        return snprintf(out, size, "ra, s0");
    return snprintf(out, size, "ra, s0-s%u", list == 15 ? 11 : list - 5);
}

static const char *const fence_sets[16] = {
    "0", "w", "r", "rw", "o", "ow", "or", "orw", "i", "iw", "ir", "irw", "io", "iow", "ior", "iorw",
};

/* One operand of the syntax; `o` holds the fields as the encoding has them. */
static int operand(char *out, size_t size, char letter, const struct rv32_operands *o,
                   uint32_t address, enum rv32_class class)
{
    bool saved = class == RV32_TO_SAVED || class == RV32_FROM_SAVED;
    bool pushes = class == RV32_PUSH;
    switch (letter) {
    case 'd': return snprintf(out, size, "%s", names[o->d & 31]);
    case 's': return snprintf(out, size, "%s", names[saved ? rv32_saved(o->s & 7) : o->s & 31]);
    case 't': return snprintf(out, size, "%s", names[saved ? rv32_saved(o->t & 7) : o->t & 31]);
    case 'P': return snprintf(out, size, "sp");
    case 'i':
    case 'o': return snprintf(out, size, "%d", (int)o->k);
    case 'u': return snprintf(out, size, "%u", (unsigned)o->k);
    case 'z': return snprintf(out, size, "%u", o->s);
    case 'h': return snprintf(out, size, "%u", (unsigned)(o->k & 0xfffff));
    case 'j':
    case 'b': return snprintf(out, size, "0x%x", (unsigned)(address + o->k));
    case 'c': return write_csr(out, size, o->k & 0xfff);
    case 'r': return write_list(out, size, o->list);
    case 'a':
        return snprintf(out, size, "%s%u", pushes ? "-" : "",
                        (unsigned)rv32_list_bytes(o->list, o->k));
    default: return snprintf(out, size, "%c", letter);
    }
}

unsigned rv32_disassemble(const struct core_class *class, char *out, size_t size,
                          const uint8_t *code, size_t code_bytes, uint32_t address)
{
    (void)class;
    if (code_bytes < 2 || size == 0)
        return 0;
    uint32_t word = (uint32_t)(code[0] | code[1] << 8);
    if ((word & 3) == 3) {
        if (code_bytes < 4)
            return 0;
        word |= (uint32_t)code[2] << 16 | (uint32_t)code[3] << 24;
    }
    struct rv32_found found;
    rv32_find(&found, word);
    if (found.row < 0) {
        (void)snprintf(out, size, found.bytes == 2 ? ".half 0x%04x" : ".word 0x%08x",
                       (unsigned)word);
        return found.bytes;
    }
    const struct rv32_row *row = &rv32_rows[found.row];
    struct rv32_operands fields = found.operands;
    /* Hazard3's hints are written as what they are hints in. */
    if (found.row == RV32_ROW_h3_block || found.row == RV32_ROW_h3_unblock) {
        row = &rv32_rows[row->variant_of];
        rv32_operands_of(&fields, row->encoding, row->syntax, word);
    }
    const char *syntax = row->syntax;
    if (found.short_ >= 0) {
        const struct rv32_short *form = &rv32_shorts[found.short_];
        syntax = form->syntax;
        rv32_operands_of(&fields, form->encoding, form->syntax, word);
    }
    size_t used = 0;
    const char *p = syntax;
    while (*p && *p != ' ' && used + 1 < size)
        out[used++] = *p++;
    out[used] = '\0';
    if (found.row == RV32_ROW_fence) {
        (void)snprintf(out + used, size - used, " %s, %s", fence_sets[word >> 24 & 15],
                       fence_sets[word >> 20 & 15]);
        return found.bytes;
    }
    /* aq and rl of the atomic ones */
    if (row->class == RV32_LR || row->class == RV32_SC || row->class == RV32_AMO) {
        static const char *const orders[4] = {"", ".rl", ".aq", ".aqrl"};
        int n = snprintf(out + used, size - used, "%s", orders[word >> 25 & 3]);
        used += n > 0 ? (size_t)n : 0;
    }
    while (*p && used + 1 < size) {
        int n = operand(out + used, size - used, *p++, &fields, address, row->class);
        used += n > 0 ? (size_t)n : 0;
    }
    return found.bytes;
}
