/* Instructions as text, in TI's syntax, emulated instructions by their own names. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "isa/msp430/msp430_core.h"

struct text {
    char *out;
    size_t size, used;
};

static void add(struct text *t, const char *format, ...) UJ_PRINTF(2, 3);
static void add(struct text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(t->out + t->used, t->size - t->used, format, args);
    va_end(args);
    if (n > 0)
        t->used += (size_t)n;
    if (t->used >= t->size)
        t->used = t->size > 0 ? t->size - 1 : 0;
}

static const char *register_text(unsigned number)
{
    static const char *const names[16] = {"PC", "SP", "SR",  "R3",  "R4",  "R5",  "R6",  "R7",
                                          "R8", "R9", "R10", "R11", "R12", "R13", "R14", "R15"};
    return names[number & 15];
}

static void add_operand(struct text *t, const struct msp430_operand *o, bool is_wide)
{
    unsigned value = o->value;
    const char *name = register_text(o->reg);
    switch (o->mode) {
    case MSP430_MODE_NONE: break;
    case MSP430_MODE_RN:
        if (o->is_constant && o->reg != MSP430_PC)
            add(t, "#0x%04x", value);
        else
            add(t, "%s", name);
        break;
    case MSP430_MODE_IND: add(t, "@%s", name); break;
    case MSP430_MODE_INC: add(t, "@%s+", name); break;
    case MSP430_MODE_IMM: add(t, "#0x%04x", value); break;
    case MSP430_MODE_IDX:
    case MSP430_MODE_IDX_SP:
        add(t, "0x%04x(%s)", value & (is_wide ? 0xfffff : 0xffff), name);
        break;
    case MSP430_MODE_SYM: add(t, "0x%04x", value); break;
    case MSP430_MODE_ABS: add(t, "&0x%04x", value); break;
    case MSP430_MODES: break;
    }
}

/* The emulated instructions: rows with a certain source, destination or both. */
enum emulated_operand { NO_OPERAND, SOURCE, DESTINATION };
enum emulated_source { ANY, CONSTANT, POP, SAME };
struct emulated {
    int row;
    enum emulated_source source;
    uint32_t constant; /* UINT32_MAX: all ones of the size */
    int destination;   /* a register, or -1: any */
    const char *name;
    enum emulated_operand shown;
};

static const struct emulated emulated[] = {
    {MSP430_ROW_mov, CONSTANT, 0, MSP430_CG, "NOP", NO_OPERAND},
    {MSP430_ROW_mov, POP, 0, MSP430_PC, "RET", NO_OPERAND},
    {MSP430_ROW_mova_inc, POP, 0, MSP430_PC, "RETA", NO_OPERAND},
    {MSP430_ROW_mov, POP, 0, -1, "POP", DESTINATION},
    {MSP430_ROW_mov, ANY, 0, MSP430_PC, "BR", SOURCE},
    {MSP430_ROW_mova_ind, ANY, 0, MSP430_PC, "BRA", SOURCE},
    {MSP430_ROW_mova_inc, ANY, 0, MSP430_PC, "BRA", SOURCE},
    {MSP430_ROW_mova_abs, ANY, 0, MSP430_PC, "BRA", SOURCE},
    {MSP430_ROW_mova_idx, ANY, 0, MSP430_PC, "BRA", SOURCE},
    {MSP430_ROW_mova_imm, ANY, 0, MSP430_PC, "BRA", SOURCE},
    {MSP430_ROW_mova, ANY, 0, MSP430_PC, "BRA", SOURCE},
    {MSP430_ROW_mova_imm, CONSTANT, 0, -1, "CLRA", DESTINATION},
    {MSP430_ROW_adda_imm, CONSTANT, 2, -1, "INCDA", DESTINATION},
    {MSP430_ROW_suba_imm, CONSTANT, 2, -1, "DECDA", DESTINATION},
    {MSP430_ROW_cmpa_imm, CONSTANT, 0, -1, "TSTA", DESTINATION},
    {MSP430_ROW_mov, CONSTANT, 0, -1, "CLR", DESTINATION},
    {MSP430_ROW_add, CONSTANT, 1, -1, "INC", DESTINATION},
    {MSP430_ROW_add, CONSTANT, 2, -1, "INCD", DESTINATION},
    {MSP430_ROW_add, SAME, 0, -1, "RLA", DESTINATION},
    {MSP430_ROW_addc, CONSTANT, 0, -1, "ADC", DESTINATION},
    {MSP430_ROW_addc, SAME, 0, -1, "RLC", DESTINATION},
    {MSP430_ROW_dadd, CONSTANT, 0, -1, "DADC", DESTINATION},
    {MSP430_ROW_sub, CONSTANT, 1, -1, "DEC", DESTINATION},
    {MSP430_ROW_sub, CONSTANT, 2, -1, "DECD", DESTINATION},
    {MSP430_ROW_subc, CONSTANT, 0, -1, "SBC", DESTINATION},
    {MSP430_ROW_cmp, CONSTANT, 0, -1, "TST", DESTINATION},
    {MSP430_ROW_xor, CONSTANT, UINT32_MAX, -1, "INV", DESTINATION},
    {MSP430_ROW_bic, CONSTANT, MSP430_SR_C, MSP430_SR, "CLRC", NO_OPERAND},
    {MSP430_ROW_bic, CONSTANT, MSP430_SR_Z, MSP430_SR, "CLRZ", NO_OPERAND},
    {MSP430_ROW_bic, CONSTANT, MSP430_SR_N, MSP430_SR, "CLRN", NO_OPERAND},
    {MSP430_ROW_bic, CONSTANT, MSP430_SR_GIE, MSP430_SR, "DINT", NO_OPERAND},
    {MSP430_ROW_bis, CONSTANT, MSP430_SR_C, MSP430_SR, "SETC", NO_OPERAND},
    {MSP430_ROW_bis, CONSTANT, MSP430_SR_Z, MSP430_SR, "SETZ", NO_OPERAND},
    {MSP430_ROW_bis, CONSTANT, MSP430_SR_N, MSP430_SR, "SETN", NO_OPERAND},
    {MSP430_ROW_bis, CONSTANT, MSP430_SR_GIE, MSP430_SR, "EINT", NO_OPERAND},
};

static bool is_same(const struct msp430_operand *a, const struct msp430_operand *b)
{
    if (a->mode != b->mode || a->reg != b->reg)
        return false;
    return a->mode == MSP430_MODE_RN ? !a->is_constant || a->reg == MSP430_PC
                                     : a->value == b->value;
}

static bool matches(const struct emulated *e, const struct msp430_insn *insn)
{
    const struct msp430_operand *src = &insn->src, *dst = &insn->dst;
    if (e->row != insn->row)
        return false;
    if (e->destination >= 0 && !(dst->mode == MSP430_MODE_RN && dst->reg == e->destination))
        return false;
    if (e->destination >= 0 && insn->is_extended)
        return false;
    switch (e->source) {
    case ANY: return true;
    case CONSTANT:
        /* Address instructions have no constant generator. */
        return (src->is_constant
                    ? src->reg != MSP430_PC
                    : src->mode == MSP430_MODE_IMM && insn->bits == 20 && !insn->is_extended) &&
               src->value == (e->constant & ((1u << insn->bits) - 1));
    case POP: return src->mode == MSP430_MODE_INC && src->reg == MSP430_SP;
    case SAME: return is_same(src, dst);
    }
    return false;
}

static const struct emulated *find_emulated(const struct msp430_insn *insn)
{
    for (size_t i = 0; i < sizeof emulated / sizeof *emulated; i++)
        if (matches(&emulated[i], insn))
            return &emulated[i];
    return NULL;
}

static void add_name(struct text *t, const struct msp430_insn *insn, const char *name)
{
    size_t length = strcspn(name, " ");
    static const char *const sizes[] = {".B", "", ".A"};
    enum msp430_class class = msp430_rows[insn->row].class;
    /* With ZC a rotation through carry shifts a zero in. */
    bool is_rrux = insn->row == MSP430_ROW_rrc && (insn->repeat & MSP430_REPEAT_ZC);
    if (is_rrux)
        add(t, "RRU");
    else
        add(t, "%.*s", (int)length, name);
    if (insn->is_extended)
        add(t, "X");
    bool has_size = insn->bits == 8 || insn->is_extended || class == MSP430_ROTATE ||
                    class == MSP430_PUSHM || class == MSP430_POPM;
    if (has_size)
        add(t, "%s", sizes[insn->bits == 8 ? 0 : insn->bits == 16 ? 1 : 2]);
}

static void add_repeat(struct text *t, const struct msp430_insn *insn)
{
    unsigned n = insn->repeat & MSP430_REPEAT_COUNT;
    if (insn->repeat & MSP430_REPEAT_REGISTER)
        add(t, " [repeat %s]", register_text(n));
    else if (n > 0)
        add(t, " [repeat %u]", n + 1);
}

static void add_instruction(struct text *t, const struct msp430_insn *insn)
{
    const struct msp430_row *row = &msp430_rows[insn->row];
    const struct emulated *e = find_emulated(insn);
    bool is_wide = insn->is_extended;
    if (e) {
        add_name(t, insn, e->name);
        if (e->shown != NO_OPERAND) {
            add(t, " ");
            add_operand(t, e->shown == SOURCE ? &insn->src : &insn->dst, is_wide);
        }
        add_repeat(t, insn);
        return;
    }
    add_name(t, insn, row->syntax);
    switch (row->class) {
    case MSP430_JUMP: add(t, " 0x%04x", insn->target); break;
    case MSP430_ROTATE:
    case MSP430_PUSHM: add(t, " #0x%04x, %s", insn->count, register_text(insn->src.reg)); break;
    case MSP430_POPM:
        /* Written with the register popped last. */
        add(t, " #0x%04x, %s", insn->count, register_text(insn->src.reg + insn->count - 1u));
        break;
    case MSP430_RETI: break;
    default:
        add(t, " ");
        add_operand(t, &insn->src, is_wide);
        if (insn->dst.mode != MSP430_MODE_NONE) {
            add(t, ", ");
            add_operand(t, &insn->dst, is_wide);
        }
    }
    add_repeat(t, insn);
}

unsigned msp430_disassemble(const struct core_class *class, char *out, size_t size,
                            const uint8_t *code, size_t code_bytes, uint32_t address)
{
    uint16_t words[MSP430_WORDS_MAX] = {0};
    struct msp430_insn insn;
    struct text t = {out, size, 0};
    if (code_bytes < 2)
        return 0;
    for (size_t i = 0; i < MSP430_WORDS_MAX && 2 * i + 1 < code_bytes; i++)
        words[i] = (uint16_t)(code[2 * i] | code[2 * i + 1] << 8);
    msp430_insn_decode(&insn, words, address, class != &msp430_core_msp430);
    if (insn.row < 0) {
        add(&t, ".word 0x%04x", words[0]);
        return 2;
    }
    if (2u * insn.words > code_bytes)
        return 0;
    add_instruction(&t, &insn);
    return 2u * insn.words;
}
