/* Disassembly: the table's text with its %-codes carried out; the words are those of GNU objdump.
 */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "isa/thumb/thumb.h"

struct subject {
    const struct thumb_row *row;
    struct thumb_record r;
    uint32_t code, address;
};

static const char *const reg_names[16] = {"r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7",
                                          "r8", "r9", "sl", "fp", "ip", "sp", "lr", "pc"};
static const char *const conditions[16] = {"eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc",
                                           "hi", "ls", "ge", "lt", "gt", "le", "al", ""};

static uint32_t field(const struct subject *s, char letter)
{
    return thumb_field(s->row, s->code, letter, NULL);
}

static void add_list(struct str *out, uint32_t list)
{
    const char *between = "{";
    for (unsigned i = 0; i < 16; i++)
        if (list >> i & 1) {
            str_addf(out, "%s%s", between, reg_names[i]);
            between = ", ";
        }
    str_add(out, list ? "}" : "{}");
}

/* The kind of shift is in bits 5:4 of the wide encodings, in bit 21 of SSAT and USAT. */
static void add_shift(struct str *out, const struct subject *s)
{
    static const char *const kinds[4] = {"lsl", "lsr", "asr", "ror"};
    unsigned kind = s->code >> 4 & 3, by = s->r.imm;
    bool saturates = s->row->kind == K_SAT || s->row->kind == K_USAT;
    bool access = s->row->class != CLASS_SHIFTED && s->row->class != CLASS_DSP && !saturates;
    if (saturates)
        kind = (s->code >> 21 & 1) * 2;
    if (access)
        kind = 0;
    if (kind == 3 && by == 0)
        str_add(out, ", rrx");
    else if (by)
        str_addf(out, ", %s #%u", kinds[kind], by);
}

/* MOV.W of a shifted register. */
static void add_move(struct str *out, const struct subject *s)
{
    static const char *const kinds[4] = {"lsl", "lsr", "asr", "ror"};
    unsigned kind = s->code >> 4 & 3, by = s->r.imm;
    str_addf(out, "mov%s.w\t%s, %s", s->code >> 20 & 1 ? "s" : "", reg_names[s->r.rd],
             reg_names[s->r.rm]);
    if (kind == 3 && by == 0)
        str_add(out, ", rrx");
    else if (by)
        str_addf(out, ", %s #%u", kinds[kind], by);
}

static const char *barrier_name(uint32_t option)
{
    static const char *const names[16] = {NULL,   "oshld", "oshst", "osh",   NULL,    "nshld",
                                          "unst", "un",    NULL,    "ishld", "ishst", "ish",
                                          NULL,   "ld",    "st",    "sy"};
    return names[option & 15];
}

/* Options of DSB that have a word of their own. */
static const char *dsb_word(uint32_t option)
{
    return option == 0 ? "ssbb" : option == 4 ? "pssbb" : option == 12 ? "dfb" : NULL;
}

static const char *special_name(uint32_t number)
{
    static const struct {
        uint8_t number;
        const char *name;
    } names[] = {
        {0, "CPSR"},     {1, "IAPSR"},        {2, "EAPSR"},      {3, "PSR"},
        {5, "IPSR"},     {6, "EPSR"},         {7, "IEPSR"},      {8, "MSP"},
        {9, "PSP"},      {10, "MSPLIM"},      {11, "PSPLIM"},    {16, "PRIMASK"},
        {17, "BASEPRI"}, {18, "BASEPRI_MAX"}, {19, "FAULTMASK"}, {20, "CONTROL"},
    };
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].number == number)
            return names[i].name;
    return NULL;
}

static void add_special(struct str *out, const struct subject *s)
{
    const char *name = special_name(s->r.imm);
    bool write = s->row->op == OP_msr;
    static const char *const masks[4] = {"", "_g", "_nzcvq", "_nzcvqg"};
    if (!name)
        str_addf(out, "special:%u", s->r.imm);
    else if (write && s->r.imm < 4)
        str_addf(out, "%s%s", name, s->r.imm == 0 || s->r.imm == 3 ? masks[s->r.ra] : "");
    else
        str_add(out, name);
}

/* The e and t that follow `it`. */
static void add_it(struct str *out, const struct subject *s)
{
    unsigned mask = s->r.imm & 15, first = s->r.imm >> 4 & 1;
    for (unsigned bit = 3; mask & ((1u << bit) - 1); bit--)
        str_add(out, (mask >> bit & 1) == first ? "t" : "e");
}

static void add_cps(struct str *out, const struct subject *s)
{
    str_addf(out, "i%s\t%s%s", s->r.imm & 4 ? "d" : "e", s->r.imm & 2 ? "i" : "",
             s->r.imm & 1 ? "f" : "");
}

/* ", #offset" within brackets, where there is one; behind them always. */
static void add_offset(struct str *out, const struct subject *s)
{
    int32_t offset = (int32_t)s->r.imm;
    bool two = s->row->class == CLASS_LOAD2 || s->row->class == CLASS_STORE2;
    bool down = strchr(s->row->pattern, 'g') && !field(s, 'g');
    const char *zero = two && down && offset == 0 ? "-" : "";
    if (!strstr(s->row->text, "[%n%o]"))
        str_addf(out, "%s%d", zero, offset);
    else if (offset || *zero)
        str_addf(out, ", #%s%d", zero, offset);
}

static void add_code(struct str *out, char code, const struct subject *s)
{
    const struct thumb_record *r = &s->r;
    switch (code) {
    case 'd':
    case 't': str_add(out, reg_names[r->rd]); break;
    case 'n': str_add(out, reg_names[r->rn]); break;
    case 'm': str_add(out, reg_names[r->rm]); break;
    case 'u':
    case 'a': str_add(out, reg_names[r->ra]); break;
    case 'i':
        if (s->row->kind == K_LITERAL1 || s->row->kind == K_LITERAL4 || s->row->kind == K_LITERAL ||
            s->row->kind == K_ADRADD || s->row->kind == K_ADRSUB) {
            int32_t offset = (int32_t)(r->imm - ((s->address + 4) & ~3u));
            bool down = strchr(s->row->pattern, 'g') && !field(s, 'g');
            if (s->row->kind == K_ADRSUB)
                offset = -offset;
            str_addf(out, "%s%d", offset == 0 && down ? "-" : "", offset);
        } else {
            str_addf(out, "%u", r->imm);
        }
        break;
    case 'O': {
        uint32_t offset = r->imm - ((s->address + 4) & ~3u);
        bool down = !field(s, 'g');
        if (offset || down)
            str_addf(out, ", #%s%d", offset == 0 ? "-" : "", (int32_t)offset);
        break;
    }
    case 'X': str_addf(out, "%04x", r->imm); break;
    case 'j': str_addf(out, "0x%x", r->imm); break;
    case 'l': add_list(out, r->imm); break;
    case 's': add_shift(out, s); break;
    case 'c': str_add(out, conditions[s->row->kind == K_IT ? r->imm >> 4 & 15 : r->ra & 15]); break;
    case 'o': add_offset(out, s); break;
    case 'w': str_addf(out, "%u", r->ra); break;
    case 'S': str_add(out, "s"); break;
    case 'P': add_cps(out, s); break;
    case 'T': add_it(out, s); break;
    case '!': str_add(out, r->imm >> r->rn & 1 ? "" : "!"); break;
    case 'M': add_move(out, s); break;
    case 'R':
        if (r->imm)
            str_addf(out, ", ror #%u", r->imm);
        break;
    case 'q': add_special(out, s); break;
    case 'B':
        if (s->row->op != OP_isb && barrier_name(r->imm))
            str_add(out, barrier_name(r->imm));
        else if (r->imm == 15)
            str_add(out, "sy");
        else
            str_addf(out, "#%u", r->imm);
        break;
    case 'A': {
        static const char *const forms[4] = {"", "t", "a", "at"};
        str_add(out, forms[field(s, 'x')]);
        break;
    }
    case 'H':
        if (r->imm >= 0xf0)
            str_addf(out, "dbg\t#%u", r->imm & 15);
        else
            str_addf(out, "nop.w\t{%u}", r->imm);
        break;
    default: break;
    }
}

static enum thumb_core_kind kind_of(const struct core_class *class)
{
    return class == &thumb_cortex_m0plus ? THUMB_M0PLUS
           : class == &thumb_cortex_m3   ? THUMB_M3
                                         : THUMB_M33;
}

unsigned thumb_disassemble(const struct core_class *class, char *out, size_t size,
                           const uint8_t *code, size_t code_bytes, uint32_t address)
{
    if (code_bytes < 2)
        return 0;
    uint16_t first = (uint16_t)(code[0] | code[1] << 8);
    bool wide = thumb_is_wide(first);
    if (wide && code_bytes < 4)
        return 0;
    struct subject s = {.address = address,
                        .code = wide ? (uint32_t)first << 16 | (uint32_t)code[3] << 8 | code[2]
                                     : first};
    s.row = thumb_row_of(s.code, wide);
    if (!s.row || !thumb_core_has(kind_of(class), s.row->arch) ||
        !thumb_decode_row(&s.r, s.row, s.code, address))
        return 0;
    struct str text;
    str_init(&text);
    if (s.row->op == OP_lsl_imm && s.r.imm == 0)
        str_addf(&text, "movs\t%s, %s", reg_names[s.r.rd], reg_names[s.r.rm]);
    else if (s.row->op == OP_dsb && dsb_word(s.r.imm))
        str_add(&text, dsb_word(s.r.imm));
    else if (s.code == 0x46c0)
        str_add(&text, "nop\t\t\t; (mov r8, r8)");
    else
        for (const char *p = s.row->text; *p; p++) {
            if (*p == '%')
                add_code(&text, *++p, &s);
            else
                str_addf(&text, "%c", *p);
        }
    (void)snprintf(out, size, "%s", text.text ? text.text : "");
    str_free(&text);
    return wide ? 4 : 2;
}
