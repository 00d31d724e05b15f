/*
 * Every row of the Thumb table, executed between two neutral instructions as the kernels are, its
 * time against thumb_rows.tsv. Operands: two registers in lists, shifts by 3, constants that are
 * plain bytes, addresses aligned, branches taken, divisions with a quotient of 1.
 */
#ifndef UJ_TESTS_CYCLES_THUMB_ROWS_CHECK_H
#define UJ_TESTS_CYCLES_THUMB_ROWS_CHECK_H

#include "thumb_rig.h"

enum { ROWS_CODE = 0x20010000, ROWS_STEP = 0x80, ROWS_DATA = 0x20001000, ROWS_MAX = 600 };

struct rows_figure {
    char name[32];
    char cycles[THUMB_CORES][8];
};

struct rows_list {
    struct rows_figure figures[ROWS_MAX];
    unsigned count;
};

static inline bool rows_read(struct rows_list *list)
{
    FILE *stream = fopen(UJ_SOURCE_DIR "/tests/cycles/thumb_rows.tsv", "rb");
    if (!stream)
        return false;
    char line[200];
    while (fgets(line, sizeof line, stream)) {
        struct rows_figure *f = &list->figures[list->count];
        if (line[0] == '#' || list->count == ROWS_MAX)
            continue;
        if (sscanf(line, "%31s %7s %7s %7s", f->name, f->cycles[0], f->cycles[1], f->cycles[2]) ==
            4)
            list->count++;
    }
    (void)fclose(stream);
    return list->count > 0;
}

static inline const struct rows_figure *rows_figure_of(const struct rows_list *list,
                                                       const char *name)
{
    for (unsigned i = 0; i < list->count; i++)
        if (strcmp(list->figures[i].name, name) == 0)
            return &list->figures[i];
    return NULL;
}

static inline bool rows_access(const struct thumb_row *row)
{
    return row->class >= CLASS_LOAD && row->class <= CLASS_LDMPC;
}

/* The value that the sample has in a letter's field. */
static inline uint32_t rows_letter(const struct thumb_row *row, char letter)
{
    bool access = rows_access(row);
    switch (letter) {
    case 'n':
        return strstr(row->limits, "n==m") ? 2
               : row->class == CLASS_TB    ? 6
               : access                    ? 1
               : row->op == OP_cbz         ? 7
                                           : 4;
    case 'm':
        return row->class == CLASS_TB || row->op == OP_add_pc ? 7
               : row->class == CLASS_BX || row->class == CLASS_BLX || row->class == CLASS_MOVPC ||
                       row->op == OP_ldr_pc_reg
                   ? (row->op == OP_ldr_pc_reg ? 2 : 3)
                   : 2;
    case 'u':
    case 'a': return 5;
    case 'l': return 0x30;
    case 'w': return 9;
    case 'g': return 1;
    case 'x': return row->op == OP_msr ? 2 : 0;
    case 'j':
    case 'k': return row->kind == K_B24;
    case 'i':
        switch (row->kind) {
        case K_CB:
        case K_B8:
        case K_B11:
        case K_B20:
        case K_B24:
        case K_SYS: return 0;
        case K_IT: return 8;
        case K_ROTATE:
        case K_OFF4: return 1;
        case K_LITERAL1:
        case K_ADRADD:
        case K_ADRSUB: return 16;
        case K_LITERAL:
        case K_LITERAL4: return 4;
        default:
            return row->op == OP_hint || row->op == OP_hint_w ? 6
                   : row->op == OP_cps                        ? 2
                   : access && strchr(row->pattern, 'm')      ? 2
                   : access || row->kind == K_EXPAND          ? 4
                                                              : 3;
        }
    default: return 0;
    }
}

static inline uint32_t rows_sample(const struct thumb_row *row)
{
    unsigned left[128] = {0};
    for (const char *p = row->pattern; *p; p++)
        left[(unsigned char)*p & 127]++;
    uint32_t code = 0;
    for (const char *p = row->pattern; *p; p++) {
        if (*p == ' ')
            continue;
        uint32_t bit = (uint32_t)(*p - '0');
        if (*p != '0' && *p != '1')
            bit = rows_letter(row, *p) >> --left[(unsigned char)*p & 127] & 1;
        code = code << 1 | (bit & 1);
    }
    return code;
}

static inline bool rows_left_out(const struct thumb_row *row)
{
    return row->class == CLASS_TRAP || row->op == OP_wfi || row->op == OP_wfe ||
           row->op == OP_wfi_w || row->op == OP_wfe_w;
}

static inline void rows_put(struct thumb_rig *rig, uint32_t *at, uint32_t code, bool wide)
{
    uint16_t half[2] = {(uint16_t)(wide ? code >> 16 : code), (uint16_t)code};
    if (mem_poke(&rig->machine->data, *at, half, wide ? 4 : 2))
        *at += wide ? 4 : 2;
}

/* Neutral, the row's sample (row: NULL for none), neutral; returns the address of the last. */
static inline uint32_t rows_place(struct thumb_rig *rig, uint32_t base, const struct thumb_row *row)
{
    bool m0plus = rig->c->kind == THUMB_M0PLUS;
    uint32_t at = base + (m0plus ? 6 : 4);
    rows_put(rig, &at, m0plus ? 0x46d2 : 0xea4f0a0a, !m0plus);
    if (row) {
        bool wide = thumb_row_is_wide(row);
        rows_put(rig, &at, rows_sample(row), wide);
        bool jumps = row->class == CLASS_B || row->class == CLASS_BCC || row->op == OP_add_pc;
        if (jumps && !wide)
            rows_put(rig, &at, 0xbf00, false);
    }
    uint32_t end = at;
    rows_put(rig, &at, 0x46d2, false);
    for (unsigned i = 0; i < 20; i++)
        rows_put(rig, &at, 0xbf00, false);
    return end;
}

/* The time from the first neutral instruction to behind the last; 0: it did not get there. */
static inline uint64_t rows_time(struct thumb_rig *rig, uint32_t base, uint32_t end,
                                 const struct thumb_row *row, bool taken)
{
    struct thumb_core *c = rig->c;
    struct core *core = &c->core;
    static const uint32_t values[15] = {
        4, ROWS_DATA, 4, 0, 4, 4, ROWS_DATA + 0x400, 0, 8, 9, 0, 11, 12, ROWS_DATA + 0x40, 0};
    memcpy(c->r, values, sizeof values);
    c->r[3] = end | 1;
    thumb_set_apsr(c, taken ? 1u << 30 : 0);
    if (!taken && row && row->kind == K_CB) {
        c->r[7] = 1;
        c->r[4] = 0;
    }
    uint32_t word = end | 1, zero = 0;
    for (unsigned i = 0; i < 64; i++)
        if (!mem_poke(&rig->machine->data, ROWS_DATA - 64 + 4 * i, &word, 4))
            return 0;
    if (!mem_poke(&rig->machine->data, ROWS_DATA + 0x400, &zero, 4))
        return 0;
    /* Literals lie a few words behind. */
    if (row && (row->kind >= K_LITERAL && row->kind <= K_LITERAL4))
        for (unsigned i = 0; i < 4; i++)
            if (!mem_poke(&rig->machine->data, base + 24 + 4 * i, &word, 4))
                return 0;
    core->class->code_changed(core, base, ROWS_STEP);
    core->class->set_pc(core, base + (c->kind == THUMB_M0PLUS ? 6 : 4));
    uint64_t before = core->cycle;
    for (unsigned steps = 0; steps < 8; steps++) {
        core->limit = core->cycle + 1;
        core->deadline = core->limit;
        if (core->class->run(core) != CORE_DEADLINE || c->ipsr)
            return 0;
        if (c->pc == end + 2)
            return core->cycle - before;
    }
    return 0;
}

/* One row on one core; conditional branches also not taken, with a "!" behind their name. */
static inline unsigned rows_check_row(struct thumb_rig *rig, const struct rows_list *list,
                                      unsigned index, bool taken, uint64_t nothing, bool tell)
{
    const struct thumb_row *row = &thumb_rows[index];
    unsigned kind = rig->c->kind;
    char name[40];
    (void)snprintf(name, sizeof name, "%s%s", row->name, taken ? "" : "!");
    const struct rows_figure *f = rows_figure_of(list, name);
    uint32_t base = ROWS_CODE + ROWS_STEP * (index + 1);
    uint64_t time = rows_time(rig, base, rows_place(rig, base, row), row, taken);
    char text[8] = "-";
    if (time)
        (void)snprintf(text, sizeof text, "%d", (int)(time - nothing));
    else
        machine_reset(rig->machine);
    if (f && strcmp(f->cycles[kind], text) == 0)
        return 0;
    if (tell)
        fprintf(stderr, "%s, %s: %s cycles, not %s\n", name, rig_cores[kind], text,
                f ? f->cycles[kind] : "in the list");
    return 1;
}

/* Compares all rows on all cores; how many differ. */
static inline unsigned rows_check(const struct rows_list *list, bool tell)
{
    unsigned wrong = 0;
    for (unsigned kind = 0; kind < THUMB_CORES; kind++) {
        struct thumb_rig *rig = rig_new((enum thumb_core_kind)kind);
        uint64_t nothing = rows_time(rig, ROWS_CODE, rows_place(rig, ROWS_CODE, NULL), NULL, true);
        for (unsigned i = 0; i < thumb_row_count; i++) {
            if (rows_left_out(&thumb_rows[i]))
                continue;
            wrong += rows_check_row(rig, list, i, true, nothing, tell);
            if (thumb_rows[i].class == CLASS_BCC)
                wrong += rows_check_row(rig, list, i, false, nothing, tell);
        }
        rig_free(rig);
    }
    return wrong;
}

#endif
