/*
 * Holds the AVR cores to avr_cycles.tsv: each line is executed on each core, with a program counter
 * of 16 and of 22 bits, and timed.
 */
#ifndef UJ_TESTS_AVR_CYCLES_CHECK_H
#define UJ_TESTS_AVR_CYCLES_CHECK_H

#include "avr_rig.h"

enum { CYCLES_CORES = 3, CYCLES_LINES_MAX = 400 };

struct cycles_line {
    char row[16], outcome[8];
    int expected[CYCLES_CORES][2]; /* [core][0: 16, 1: 22 bits]; -1: no such instruction */
    int number;                    /* in the file */
};

struct cycles_list {
    struct cycles_line lines[CYCLES_LINES_MAX];
    size_t count;
    struct avr_rig *rigs[CYCLES_CORES][2];
};

static const char *const cycles_cores[CYCLES_CORES] = {"avre", "avrxm", "avrxt"};

static inline void cycles_figure(int out[2], const char *text)
{
    const char *slash = strchr(text, '/');
    out[0] = text[0] == '-' ? -1 : atoi(text);
    const char *second = slash ? slash + 1 : text;
    out[1] = second[0] == '-' ? -1 : atoi(second);
}

static inline bool cycles_read(struct cycles_list *list, const char *path)
{
    FILE *file = fopen(path, "r");
    char text[256], figures[CYCLES_CORES][16];
    if (!file)
        return false;
    *list = (struct cycles_list){0};
    for (int number = 1; fgets(text, sizeof text, file); number++) {
        if (text[0] == '#')
            continue;
        struct cycles_line *line = &list->lines[list->count++];
        line->number = number;
        if (sscanf(text, "%15s %7s %15s %15s %15s", line->row, line->outcome, figures[0],
                   figures[1], figures[2]) != 5) {
            fclose(file);
            return false;
        }
        for (int core = 0; core < CYCLES_CORES; core++)
            cycles_figure(line->expected[core], figures[core]);
    }
    fclose(file);
    for (int core = 0; core < CYCLES_CORES; core++)
        for (int wide = 0; wide < 2; wide++) {
            char options[64];
            snprintf(options, sizeof options, "{pc_bits: %d, des: true, rmw: true, rampz: true}",
                     wide ? 22 : 16);
            list->rigs[core][wide] = rig_new(cycles_cores[core], 0x20000, 0x2000, 0x2000, options);
        }
    return true;
}

static inline void cycles_free(struct cycles_list *list)
{
    for (int core = 0; core < CYCLES_CORES; core++)
        for (int wide = 0; wide < 2; wide++)
            rig_free(list->rigs[core][wide]);
}

static inline int cycles_row(const char *name)
{
    for (int i = 0; i < AVR_ROWS; i++)
        if (strcmp(avr_rows[i].name, name) == 0)
            return i;
    return -1;
}

enum { CYCLES_AT = 0x100 /* word address of the instruction */, CYCLES_IO = 0x28 };

/* Makes the outcome that the line names come about. False: the outcome is unknown. */
static inline bool cycles_arrange(struct avr_rig *rig, const struct cycles_line *line,
                                  uint16_t word)
{
    const struct core_class *class = rig->core->class;
    struct core *core = rig->core;
    const char *o = line->outcome;
    uint32_t data = 0x2100;
    if (strcmp(o, "io") == 0)
        data = rig_avr(rig)->io_base + CYCLES_IO;
    for (unsigned pointer = 26; pointer <= 30; pointer += 2) {
        class->set_register(core, pointer, data & 0xff);
        class->set_register(core, pointer + 1, data >> 8);
    }
    rig_word(rig, CYCLES_AT + 1,
             strcmp(line->row, "lds") == 0 || strcmp(line->row, "sts") == 0 ? (uint16_t)data
                                                                            : 0x0000);
    if (strcmp(o, "-") == 0 || strcmp(o, "ram") == 0 || strcmp(o, "io") == 0)
        return true;
    if (strcmp(o, "first") == 0 || strcmp(o, "next") == 0) {
        rig_word(rig, CYCLES_AT - 1, o[0] == 'n' ? 0x940b : 0x0000);
        class->set_pc(core, 2 * (CYCLES_AT - 1));
        rig_step(rig);
        return true;
    }
    bool is_branch = line->row[0] == 'b';
    if (is_branch) {
        /* BRBS s, BRBC s: which flag, and what of it, stands in the encoding. */
        bool wants_set = !(word & 0x400), taken = strcmp(o, "taken") == 0;
        unsigned flag = 1u << (word & 7);
        class->set_register(core, 32, wants_set == taken ? flag : 0xff & ~flag);
        return taken || strcmp(o, "not") == 0;
    }
    /* Skips: the operands are r16 and r17, or bit 3 of an I/O register. */
    bool skips = strcmp(o, "not") != 0;
    bool of_set = strcmp(line->row, "sbrs") == 0 || strcmp(line->row, "sbis") == 0;
    uint8_t value = skips == of_set ? 0xff : 0;
    rig->io[rig_avr(rig)->io_base + 0x08] = value;
    class->set_register(core, 16, value);
    bool compares = strcmp(line->row, "cpse") == 0;
    class->set_register(core, 17, compares && !skips ? value ^ 0x55u : value);
    if (strcmp(o, "two") == 0) {
        rig_word(rig, CYCLES_AT + 1, 0x9100); /* lds r16, 0x2000 */
        rig_word(rig, CYCLES_AT + 2, 0x2000);
        return true;
    }
    return strcmp(o, "one") == 0 || !skips;
}

/* The row's encoding with plain operands: r16, r17, r2 and such, I/O 8, bit 3, displacement 1. */
static inline uint16_t cycles_word(int row)
{
    static const char *const letters = "drAbKkq";
    static const uint16_t values[] = {16, 17, 8, 3, 1, 1, 1};
    const char *encoding = avr_rows[row].encoding;
    uint16_t word = 0;
    for (const char *letter = letters; *letter; letter++) {
        int bits = 0, seen = 0;
        for (const char *p = encoding; *p; p++)
            bits += *p == *letter;
        for (int position = 15, i = 0; encoding[i] && position >= 0; i++) {
            if (encoding[i] == ' ')
                continue;
            if (encoding[i] == *letter) {
                uint32_t value = values[letter - letters];
                if ((value >> (bits - 1 - seen) & 1) != 0)
                    word = (uint16_t)(word | 1u << position);
                seen++;
            }
            position--;
        }
    }
    struct avr_form form;
    avr_form_of(&form, encoding);
    return (uint16_t)(word | form.match);
}

/* Cycles from the last instruction to the first at the vector. */
static inline int cycles_interrupt(struct avr_rig *rig, const struct cycles_line *line)
{
    struct core *core = rig->core;
    bool asleep = strcmp(line->outcome, "asleep") == 0;
    core->class->reset(core);
    rig_word(rig, CYCLES_AT, asleep ? 0x9588 : 0x0000); /* sleep, nop */
    core->class->set_pc(core, 2 * CYCLES_AT);
    core->class->set_register(core, 32, 0x80);
    if (rig_step(rig) != (asleep ? CORE_SLEEP : CORE_DEADLINE))
        return -1;
    if (asleep) {
        core->asleep = false;
        core->woken = true;
    }
    rig->irq_number = 5;
    core->irq_pending = true;
    uint64_t before = core->cycle;
    rig_step(rig);
    uint32_t vector = 5 * 2 * rig_avr(rig)->vector_words;
    return core->class->pc(core) == vector ? (int)(core->cycle - before) : -1;
}

/* Executes the line on one core; -1: it refuses the instruction, -2: the line cannot be arranged.
 */
static inline int cycles_measure(struct avr_rig *rig, const struct cycles_line *line)
{
    struct core *core = rig->core;
    if (strcmp(line->row, "interrupt") == 0)
        return cycles_interrupt(rig, line);
    int row = cycles_row(line->row);
    if (row < 0)
        return -2;
    uint16_t word = cycles_word(row);
    core->class->reset(core);
    core->class->set_pc(core, 2 * CYCLES_AT);
    core->class->set_register(core, 33, 0x3f00);
    rig_word(rig, CYCLES_AT, word);
    if (!cycles_arrange(rig, line, word))
        return -2;
    core->class->set_pc(core, 2 * CYCLES_AT);
    uint64_t before = core->cycle;
    enum core_stop stop = rig_step(rig);
    if (stop == CORE_FAULT)
        return strcmp(core->fault.reason, "illegal instruction") == 0 ? -1 : -2;
    return (int)(core->cycle - before);
}

/* Lines that do not hold; prints them where `print` says so. */
static inline unsigned cycles_check(struct cycles_list *list, bool print)
{
    unsigned wrong = 0;
    for (size_t i = 0; i < list->count; i++)
        for (int core = 0; core < CYCLES_CORES; core++)
            for (int wide = 0; wide < 2; wide++) {
                const struct cycles_line *line = &list->lines[i];
                int got = cycles_measure(list->rigs[core][wide], line);
                if (got == line->expected[core][wide])
                    continue;
                wrong++;
                if (print)
                    fprintf(stderr, "avr_cycles.tsv:%d: %s %s on %s with %d bits: %d, got %d\n",
                            line->number, line->row, line->outcome, cycles_cores[core],
                            wide ? 22 : 16, line->expected[core][wide], got);
            }
    return wrong;
}

#endif
