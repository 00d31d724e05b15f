/*
 * Holds the MSP430 cores to msp430_cycles.tsv: each combination that a line stands for is put
 * together here, from nothing but the encoding of the guides, executed on each core and timed.
 */
#ifndef UJ_TESTS_MSP430_CYCLES_CHECK_H
#define UJ_TESTS_MSP430_CYCLES_CHECK_H

#include "msp430_rig.h"

enum { CYCLES_CORES = 3, CYCLES_FIELD = 100, CYCLES_LINES_MAX = 200 };
enum { CYCLES_CODE = 0x4000, CYCLES_OPERAND = 0x2200, CYCLES_OTHER = 0x2300, CYCLES_JUMP = 0x5000 };

struct cycles_line {
    char fields[8][CYCLES_FIELD]; /* names, sizes, sources, destinations, counts, three figures */
    int number;
};

struct cycles_list {
    struct cycles_line lines[CYCLES_LINES_MAX];
    size_t count;
    struct msp430_rig *rigs[CYCLES_CORES];
    unsigned row_cases[MSP430_ROWS]; /* how often each row was timed */
};

static const char *const cycles_cores[CYCLES_CORES] = {"msp430", "msp430x", "msp430xv2"};

/* One combination. */
struct cycles_case {
    char name[CYCLES_FIELD];
    char size, source[8], destination[8];
    unsigned n;       /* 0: no count */
    bool by_register; /* a repetition that a register counts */
};

static inline bool cycles_read(struct cycles_list *list, const char *path)
{
    FILE *file = fopen(path, "r");
    char text[400];
    if (!file)
        return false;
    *list = (struct cycles_list){0};
    for (int number = 1; fgets(text, sizeof text, file); number++) {
        if (text[0] == '#')
            continue;
        struct cycles_line *line = &list->lines[list->count++];
        line->number = number;
        if (sscanf(text, "%99s %99s %99s %99s %99s %99s %99s %99s", line->fields[0],
                   line->fields[1], line->fields[2], line->fields[3], line->fields[4],
                   line->fields[5], line->fields[6], line->fields[7]) != 8) {
            fclose(file);
            return false;
        }
    }
    fclose(file);
    for (int core = 0; core < CYCLES_CORES; core++)
        list->rigs[core] = rig_new(cycles_cores[core], NULL);
    return true;
}

static inline void cycles_free(struct cycles_list *list)
{
    for (int core = 0; core < CYCLES_CORES; core++)
        rig_free(list->rigs[core]);
}

/* The item of a list with commas; false: no more of them. */
static inline bool cycles_item(char *out, size_t size, const char *list, unsigned number)
{
    for (; number > 0 && list; number--) {
        list = strchr(list, ',');
        list = list ? list + 1 : NULL;
    }
    if (!list)
        return false;
    snprintf(out, size, "%.*s", (int)strcspn(list, ","), list);
    return true;
}

/* "-", a number, "n", "a+n" or "a+bn". */
static inline int cycles_figure(const char *text, unsigned n)
{
    unsigned base = 0, each = 0;
    if (strcmp(text, "-") == 0)
        return -1;
    if (sscanf(text, "%u+%un", &base, &each) == 2)
        return (int)(base + each * n);
    if (strchr(text, 'n'))
        return (int)((strchr(text, '+') ? (unsigned)strtoul(text, NULL, 10) : 0) + n);
    return (int)strtoul(text, NULL, 10);
}

static inline int cycles_index(const char *const *names, const char *name, size_t length)
{
    for (int i = 0; names[i]; i++)
        if (strlen(names[i]) == length && strncmp(names[i], name, length) == 0)
            return i;
    return -1;
}

/* Mode bits and register of an operand; `word`: what follows the instruction, or -1. */
struct cycles_operand {
    unsigned mode, reg;
    int32_t word;
};

static inline struct cycles_operand cycles_operand(const char *name, unsigned reg, uint32_t target,
                                                   uint32_t at)
{
    if (strcmp(name, "CG") == 0)
        return (struct cycles_operand){2, 3, -1}; /* #2 */
    if (strcmp(name, "PC") == 0)
        return (struct cycles_operand){0, 0, -1};
    if (name[0] == '#')
        return (struct cycles_operand){3, 0, 0x5000};
    if (strcmp(name, "@Rn") == 0)
        return (struct cycles_operand){2, reg, -1};
    if (strcmp(name, "@Rn+") == 0)
        return (struct cycles_operand){3, reg, -1};
    if (strcmp(name, "x(SP)") == 0)
        return (struct cycles_operand){1, 1, 4};
    if (name[0] == 'x')
        return (struct cycles_operand){1, reg, 0x10};
    if (name[0] == 'E')
        return (struct cycles_operand){1, 0, (int32_t)((target - at) & 0xffff)};
    if (name[0] == '&')
        return (struct cycles_operand){1, 2, (int32_t)target};
    return (struct cycles_operand){0, reg, -1};
}

/* MOVA, CMPA, ADDA, SUBA: 0000 with four bits for each form. */
static inline unsigned cycles_address(uint16_t *words, const struct cycles_case *c)
{
    const char *s = c->source, *d = c->destination;
    unsigned dst = strcmp(d, "PC") == 0 ? 0 : 6, src = strcmp(s, "x(SP)") == 0 ? 1 : 5;
    static const char *const names[] = {"mova", "cmpa", "adda", "suba", NULL};
    unsigned which = (unsigned)cycles_index(names, c->name, 4);
    if (d[0] == 'x' || d[0] == 'E' || d[0] == '&') {
        bool absolute = d[0] == '&';
        words[0] = (uint16_t)(src << 8 | (absolute ? 0x60 : 0x70 | (d[0] == 'E' ? 0 : 6)));
        words[1] = absolute ? CYCLES_OTHER
                            : (uint16_t)(d[0] == 'E' ? CYCLES_OTHER - CYCLES_CODE - 2 : 0x10);
        return 2;
    }
    if (s[0] == '#') {
        words[0] = (uint16_t)(0x80 | which << 4 | dst);
        words[1] = CYCLES_JUMP;
        return 2;
    }
    if (s[0] == 'R') {
        words[0] = (uint16_t)(src << 8 | 0xc0 | which << 4 | dst);
        return 1;
    }
    if (s[0] == '@') {
        words[0] = (uint16_t)(src << 8 | (s[3] == '+' ? 0x10 : 0) | dst);
        return 1;
    }
    bool absolute = s[0] == '&', symbolic = s[0] == 'E';
    words[0] = (uint16_t)((absolute || symbolic ? 0 : src << 8) | (absolute ? 0x20 : 0x30) | dst);
    words[1] = absolute   ? CYCLES_OPERAND
               : symbolic ? (uint16_t)(CYCLES_OPERAND - CYCLES_CODE - 2)
               : src == 1 ? 4
                          : 0x10;
    return 2;
}

static inline unsigned cycles_calla(uint16_t *words, const struct cycles_case *c)
{
    const char *s = c->source;
    words[1] = CYCLES_OPERAND;
    if (s[0] == '#') {
        words[0] = 0x13b0;
        words[1] = CYCLES_JUMP;
        return 2;
    }
    if (s[0] == '&' || s[0] == 'E') {
        words[0] = s[0] == '&' ? 0x1380 : 0x139f;
        if (s[0] == 'E')
            words[1] = (uint16_t)(CYCLES_OPERAND - CYCLES_CODE - 2);
        return 2;
    }
    if (s[0] == 'x') {
        words[0] = strcmp(s, "x(SP)") == 0 ? 0x1351 : 0x1355;
        words[1] = strcmp(s, "x(SP)") == 0 ? 4 : 0x10;
        return 2;
    }
    words[0] = s[0] == 'R' ? 0x1345 : s[3] == '+' ? 0x1375 : 0x1365;
    return 1;
}

/* Formats I and II, with an extension word where the name ends in x. */
static inline unsigned cycles_general(uint16_t *words, const struct cycles_case *c, bool *unknown)
{
    static const char *const doubles[] = {"mov", "add", "addc", "subc", "sub", "cmp", "dadd",
                                          "bit", "bic", "bis",  "xor",  "and", NULL};
    static const char *const singles[] = {"rrc", "swpb", "rra", "sxt", "push", "call", NULL};
    size_t length = strlen(c->name);
    bool is_extended = c->name[length - 1] == 'x';
    length -= is_extended;
    int two = cycles_index(doubles, c->name, length), one = cycles_index(singles, c->name, length);
    unsigned used = is_extended ? 1 : 0, at = used++;
    unsigned base = CYCLES_CODE + 2 * used;
    *unknown = two < 0 && one < 0;
    struct cycles_operand s = cycles_operand(c->source, 5, CYCLES_OPERAND, base), d = {0};
    if (s.word >= 0)
        words[used++] = (uint16_t)s.word;
    if (two >= 0) {
        d = cycles_operand(c->destination, 6, CYCLES_OTHER, CYCLES_CODE + 2 * used);
        if (d.word >= 0)
            words[used++] = (uint16_t)d.word;
    }
    /* 20 bits are B/W 1 with A/L 0; but SWPB and SXT, whose B/W is fixed. */
    bool has_byte = two >= 0 || one == 0 || one == 2 || one == 4;
    unsigned byte = c->size == 'b' || (c->size == 'a' && has_byte);
    words[at] =
        (uint16_t)(two >= 0 ? (unsigned)(two + 4) << 12 | s.reg << 8 | d.mode << 7 | byte << 6 |
                                  s.mode << 4 | d.reg
                            : 0x1000 | (unsigned)one << 7 | byte << 6 | s.mode << 4 | s.reg);
    if (is_extended) {
        unsigned n = c->n ? c->n - 1 : 0;
        unsigned repeat = c->by_register ? 0x80u | 7u : n; /* R7 */
        /* A negative index has all ones above. */
        bool source_low = s.word >= 0 && c->source[0] == 'E';
        bool other_low = d.word >= 0 && c->destination[0] == 'E';
        if (two < 0)
            other_low = source_low, source_low = false;
        words[0] = (uint16_t)(0x1800 | (c->size == 'a' ? 0 : 0x40) | (source_low ? 0xf << 7 : 0) |
                              (other_low ? 0xf : 0) | (c->n ? repeat : 0));
    }
    return used;
}

static inline unsigned cycles_words(uint16_t *words, const struct cycles_case *c, bool *unknown)
{
    static const char *const rotations[] = {"rrcm", "rram", "rlam", "rrum", NULL};
    static const char *const jumps[] = {"jnz", "jz", "jnc", "jc", "jn", "jge", "jl", "jmp", NULL};
    size_t length = strlen(c->name);
    int at;
    *unknown = false;
    if (strcmp(c->name, "mova") == 0 || strcmp(c->name, "cmpa") == 0 ||
        strcmp(c->name, "adda") == 0 || strcmp(c->name, "suba") == 0)
        return cycles_address(words, c);
    if (strcmp(c->name, "calla") == 0)
        return cycles_calla(words, c);
    if ((at = cycles_index(rotations, c->name, length)) >= 0) {
        words[0] =
            (uint16_t)((c->n - 1) << 10 | (unsigned)at << 8 | (c->size == 'a' ? 0x40 : 0x50) | 5);
        return 1;
    }
    if (strcmp(c->name, "pushm") == 0 || strcmp(c->name, "popm") == 0) {
        /* PUSHM counts down from R15, POPM up from R4. */
        bool pops = c->name[1] == 'o';
        words[0] = (uint16_t)(0x1400 | (pops ? 0x200 : 0) | (c->size == 'a' ? 0 : 0x100) |
                              (c->n - 1) << 4 | (pops ? 4 : 15));
        return 1;
    }
    if ((at = cycles_index(jumps, c->name, length)) >= 0) {
        words[0] = (uint16_t)(0x2000 | (unsigned)at << 10 | 0x10);
        return 1;
    }
    if (strcmp(c->name, "reti") == 0) {
        words[0] = 0x1300;
        return 1;
    }
    return cycles_general(words, c, unknown);
}

static inline void cycles_put20(struct msp430_rig *rig, uint32_t address, uint32_t value)
{
    const uint16_t words[] = {(uint16_t)value, (uint16_t)(value >> 16)};
    rig_put(rig, address, words, 2);
}

/* Registers and memory with which every instruction runs, whatever its operands. */
static inline void cycles_arrange(struct msp430_rig *rig, const struct cycles_case *c, bool flags)
{
    struct core *core = rig->core;
    core->class->reset(core);
    for (unsigned i = 4; i < 16; i++)
        rig_set(rig, i, 0x2000 + 0x20 * i);
    bool is_value = strcmp(c->source, "Rn") == 0;
    rig_set(rig, 5, is_value ? CYCLES_JUMP : CYCLES_OPERAND);
    rig_set(rig, 6, CYCLES_OTHER);
    rig_set(rig, 7, c->n ? c->n - 1 : 0);
    rig_set(rig, MSP430_SP, RIG_STACK);
    rig_set(rig, MSP430_SR, flags ? 0x107 : 0);
    cycles_put20(rig, CYCLES_OPERAND, CYCLES_JUMP);
    cycles_put20(rig, CYCLES_OPERAND + 0x10, CYCLES_JUMP);
    cycles_put20(rig, RIG_STACK, 0);
    cycles_put20(rig, RIG_STACK + 2, CYCLES_JUMP);
    cycles_put20(rig, RIG_STACK + 4, CYCLES_JUMP);
    core->class->set_pc(core, CYCLES_CODE);
}

static inline int cycles_interrupt(struct msp430_rig *rig)
{
    struct cycles_case none = {0};
    cycles_arrange(rig, &none, false);
    RIG_PUT(rig, CYCLES_CODE, 0x4303, 0x4303);
    RIG_PUT(rig, 0xfff0, CYCLES_JUMP);
    RIG_PUT(rig, CYCLES_JUMP, 0x4303);
    rig_set(rig, MSP430_SR, MSP430_SR_GIE);
    (void)rig_step(rig);
    rig->irq_vector = 0xfff0;
    rig->core->irq_pending = true;
    return (int)rig_step(rig);
}

/* Cycles of the case on a core; -1: it has no such instruction. */
static inline int cycles_measure(struct msp430_rig *rig, const struct cycles_case *c, bool flags,
                                 bool traced, bool *unknown)
{
    uint16_t words[MSP430_WORDS_MAX] = {0x4303, 0x4303, 0x4303, 0x4303};
    struct core *core = rig->core;
    unsigned count = cycles_words(words, c, unknown);
    if (*unknown)
        return -2;
    cycles_arrange(rig, c, flags);
    rig_put(rig, CYCLES_CODE, words, count);
    core->limit = core->cycle + 1;
    core->deadline = core->limit;
    uint64_t before = core->cycle;
    enum core_stop stop = traced ? core->class->run_traced(core) : core->class->run(core);
    if (stop == CORE_FAULT && strcmp(core->fault.reason, "illegal instruction") == 0)
        return -1;
    return (int)(core->cycle - before);
}

static inline void cycles_note_row(struct cycles_list *list, const struct cycles_case *c)
{
    uint16_t words[MSP430_WORDS_MAX] = {0};
    struct msp430_insn insn;
    bool unknown;
    (void)cycles_words(words, c, &unknown);
    msp430_insn_decode(&insn, words, CYCLES_CODE, true);
    if (insn.row >= 0)
        list->row_cases[insn.row]++;
}

static inline unsigned cycles_case_check(struct cycles_list *list, const struct cycles_line *line,
                                         const struct cycles_case *c, bool verbose)
{
    unsigned wrong = 0;
    cycles_note_row(list, c);
    for (int core = 0; core < CYCLES_CORES; core++)
        for (int variant = 0; variant < (verbose ? 4 : 1); variant++) {
            bool unknown;
            int expected = cycles_figure(line->fields[5 + core], c->n);
            int got = cycles_measure(list->rigs[core], c, variant & 1, variant & 2, &unknown);
            if (got == expected)
                continue;
            wrong++;
            if (verbose)
                fprintf(stderr, "msp430_cycles.tsv:%d: %s %s.%c %s, %s n %u: %d cycles, not %d\n",
                        line->number, cycles_cores[core], c->name, c->size, c->source,
                        c->destination, c->n, got, expected);
        }
    return wrong;
}

static inline unsigned cycles_event_check(struct cycles_list *list, const struct cycles_line *line,
                                          bool verbose)
{
    unsigned wrong = 0;
    for (int core = 0; core < CYCLES_CORES; core++) {
        int expected = cycles_figure(line->fields[5 + core], 0);
        int got;
        if (line->fields[0][0] == 'i') {
            got = cycles_interrupt(list->rigs[core]);
        } else {
            struct core *c = list->rigs[core]->core;
            RIG_PUT(list->rigs[core], 0xfffe, CYCLES_JUMP);
            RIG_PUT(list->rigs[core], CYCLES_JUMP, 0x4303);
            c->class->reset(c);
            got = (int)rig_step(list->rigs[core]);
        }
        if (got == expected)
            continue;
        wrong++;
        if (verbose)
            fprintf(stderr, "msp430_cycles.tsv:%d: %s %s: %d cycles, not %d\n", line->number,
                    cycles_cores[core], line->fields[0], got, expected);
    }
    return wrong;
}

/* The combinations of one line. *cases counts them. */
static inline unsigned cycles_line_check(struct cycles_list *list, const struct cycles_line *line,
                                         bool verbose, unsigned *cases)
{
    unsigned wrong = 0, first = 0, last = 0;
    const char *const f[4] = {line->fields[0], line->fields[1], line->fields[2], line->fields[3]};
    if (strcmp(f[0], "interrupt") == 0 || strcmp(f[0], "reset") == 0) {
        ++*cases;
        return cycles_event_check(list, line, verbose);
    }
    if (line->fields[4][0] != '-')
        sscanf(line->fields[4], "%u-%u", &first, &last);
    struct cycles_case c;
    char size[4];
    for (unsigned i = 0; cycles_item(c.name, sizeof c.name, f[0], i); i++)
        for (unsigned j = 0; cycles_item(size, sizeof size, f[1], j); j++)
            for (unsigned k = 0; cycles_item(c.source, sizeof c.source, f[2], k); k++)
                for (unsigned l = 0; cycles_item(c.destination, sizeof c.destination, f[3], l); l++)
                    for (c.n = first; c.n <= last; c.n++)
                        for (int way = 0; way < (c.n && strchr(c.name, 'x') ? 2 : 1); way++) {
                            c.size = size[0];
                            c.by_register = way;
                            ++*cases;
                            wrong += cycles_case_check(list, line, &c, verbose);
                        }
    return wrong;
}

/* How many figures are wrong; verbose: of both loops, with flags set and clear, and each said. */
static inline unsigned cycles_check(struct cycles_list *list, bool verbose, unsigned *cases)
{
    unsigned wrong = 0;
    *cases = 0;
    for (size_t i = 0; i < list->count; i++) {
        wrong += cycles_line_check(list, &list->lines[i], verbose, cases);
        if (wrong && !verbose)
            return wrong;
    }
    return wrong;
}

#endif
