/* From code in memory to records, at their first execution. */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "isa/rv32/rv32_core.h"
#include "isa/rv32/rv32_timing.h"

/* An instruction of four bytes, and one more that it is looked ahead to. */
enum { LOOK_BYTES = 8 };

static struct rv32_code *code_at(struct rv32_core *c, uint32_t pc)
{
    for (struct rv32_code *code = c->codes; code; code = code->next)
        if (pc - code->base < code->bytes && mem_region_at(c->core.data, pc) == code->region)
            return code;
    struct mem_region *region = mem_region_at(c->core.data, pc);
    if (!region || !region->host)
        return NULL;
    struct rv32_code *code = uj_calloc(1, sizeof *code);
    size_t halves = region->size / 2;
    /* The system hands out zeroed pages as they are touched, so this costs what is executed. */
    code->block = uj_calloc(halves + 6, sizeof *code->records);
    uintptr_t pair = 2 * sizeof *code->records;
    code->records = (void *)(((uintptr_t)code->block + pair - 1) & ~(pair - 1));
    code->region = region;
    code->base = region->base;
    code->bytes = region->size & ~1u;
    code->low = UINT32_MAX;
    code->records[halves].op = code->records[halves + 1].op = RV32_OP_OUTSIDE;
    code->next = c->codes;
    c->codes = code;
    return code;
}

void rv32_code_free(struct rv32_core *c)
{
    while (c->codes) {
        struct rv32_code *code = c->codes;
        c->codes = code->next;
        free(code->block);
        free(code);
    }
    c->code = NULL;
    c->live.ip = NULL;
    c->live.predicted = c->live.landing = NULL;
}

bool rv32_go(struct rv32_core *c, uint32_t pc)
{
    struct rv32_code *code = code_at(c, pc);
    if (!code || (pc & 1)) {
        c->lost_pc = pc;
        return false;
    }
    c->code = code;
    c->live.ip = code->records + (pc - code->base) / 2;
    if (c->live.ip->op == RV32_OP_DECODE)
        rv32_decode(c, c->live.ip);
    return true;
}

/* Four bytes of code, zeros behind the end. */
static uint32_t code_word(const struct rv32_code *code, uint32_t offset)
{
    uint32_t word = 0;
    uint32_t bytes = code->bytes - offset < 4 ? code->bytes - offset : 4;
    if (offset < code->bytes)
        memcpy(&word, code->region->host + offset, bytes);
    return word;
}

static struct rv32_watch *find_watch(const struct rv32_core *c, uint32_t address)
{
    for (size_t i = 0; i < c->watch_count; i++)
        if (c->watches[i].address == address)
            return &c->watches[i];
    return NULL;
}

static void set_operands(struct rv32_record *r, const struct rv32_found *found)
{
    const struct rv32_operands *o = &found->operands;
    enum rv32_class class = rv32_rows[found->row].class;
    r->rd = o->d ? o->d : RV32_SINK;
    r->rs1 = o->s;
    r->rs2 = o->t;
    r->k = o->k;
    r->list = o->list;
    if (class == RV32_TO_SAVED || class == RV32_FROM_SAVED) {
        r->rs1 = rv32_saved(o->s & 7);
        r->rs2 = rv32_saved(o->t & 7);
    }
}

/* Frames are opened by these; what else writes sp puts back or sets up. */
static bool may_lower_stack(const struct rv32_record *r)
{
    bool sum = r->row == RV32_ROW_addi || r->row == RV32_ROW_add || r->row == RV32_ROW_sub;
    return r->row == RV32_ROW_cm_push || (sum && r->rd == 2);
}

uint32_t rv32_lowered_stack(const struct rv32_core *c, const struct rv32_record *r)
{
    switch (r->row) {
    case RV32_ROW_addi: return c->x[r->rs1] + r->k;
    case RV32_ROW_add: return c->x[r->rs1] + c->x[r->rs2];
    case RV32_ROW_sub: return c->x[r->rs1] - c->x[r->rs2];
    default: return c->x[2] - rv32_list_bytes(r->list, r->k);
    }
}

uint16_t rv32_stack_op(const struct rv32_record *r)
{
    bool is_short = r->halves == 1 && r->row != RV32_ROW_cm_push;
    return (uint16_t)((is_short ? RV32_FIRST_SHORT : RV32_FIRST_LONG) + r->row);
}

void rv32_decode(struct rv32_core *c, struct rv32_record *record)
{
    struct rv32_code *code = c->code;
    uint32_t offset = 2 * (uint32_t)(record - code->records);
    struct rv32_found found, next;
    rv32_find(&found, code_word(code, offset));
    *record = (struct rv32_record){
        .op = RV32_OP_ILLEGAL,
        .cycles = 1,
        .halves = (uint8_t)(found.bytes / 2),
        .entry = (uint8_t)rv32_entry_cycles(code->base + offset, found.bytes),
        .k = code_word(code, offset) & (found.bytes == 2 ? 0xffff : UINT32_MAX),
    };
    if (found.row >= 0 && offset + found.bytes <= code->bytes) {
        bool is_short = found.short_ >= 0;
        record->op = (uint16_t)((is_short ? RV32_FIRST_SHORT : RV32_FIRST_LONG) + found.row);
        record->row = (uint16_t)found.row;
        set_operands(record, &found);
        rv32_find(&next, code_word(code, offset + found.bytes));
        record->after = (uint8_t)rv32_after_cycles(&found, &next);
        record->cycles = (uint8_t)(rv32_own_cycles(&found) + record->after);
        enum rv32_class class = rv32_rows[found.row].class;
        if (class == RV32_BRANCH || class == RV32_JAL) {
            uint32_t to = offset + record->k;
            if (to < code->bytes)
                record->k = (uint32_t)((int32_t)record->k / 2);
            else
                record->op = RV32_OP_FAR;
        }
    }
    if (record->op != RV32_OP_ILLEGAL && may_lower_stack(record))
        record->op = RV32_OP_STACK;
    if (offset < code->low)
        code->low = offset;
    if (offset + 2 > code->high)
        code->high = offset + 2;
    uint32_t marked = code->bytes - offset < LOOK_BYTES ? code->bytes - offset : LOOK_BYTES;
    mem_mark_code(c->core.data, code->base + offset, marked);
    struct rv32_watch *watch = find_watch(c, code->base + offset);
    if (watch) {
        watch->op = record->op;
        record->op = RV32_OP_WATCH;
    }
}

uint16_t rv32_watched_op(const struct rv32_core *c, const struct rv32_record *record)
{
    const struct rv32_watch *watch = find_watch(c, rv32_pc_of(c, record));
    return watch ? watch->op : RV32_OP_DECODE;
}

/* Forgets what is decoded from the bytes, or looks at them. */
static void forget(struct rv32_core *c, struct rv32_code *code, uint32_t first, uint32_t last)
{
    first = first < LOOK_BYTES ? 0 : (first - (LOOK_BYTES - 2)) & ~1u;
    if (first < code->low)
        first = code->low;
    if (last > code->high)
        last = code->high;
    bool any = false;
    for (uint32_t offset = first; offset < last; offset += 2) {
        struct rv32_record *r = &code->records[offset / 2];
        any |= r->op != RV32_OP_DECODE;
        *r = (struct rv32_record){0};
    }
    if (any)
        memset(c->starves, 0, sizeof c->starves);
}

void rv32_code_changed(struct core *core, uint32_t address, size_t bytes)
{
    struct rv32_core *c = (struct rv32_core *)core;
    uint64_t end = (uint64_t)address + bytes;
    for (struct rv32_code *code = c->codes; code && bytes; code = code->next) {
        uint64_t code_end = (uint64_t)code->base + code->bytes;
        if (address >= code_end || end <= code->base)
            continue;
        forget(c, code, address < code->base ? 0 : address - code->base,
               (uint32_t)((end < code_end ? end : code_end) - code->base));
    }
}

void rv32_watch(struct core *core, uint32_t address, bool on)
{
    struct rv32_core *c = (struct rv32_core *)core;
    struct rv32_watch *watch = find_watch(c, address);
    if (on && !watch) {
        if (c->watch_count == c->watch_capacity) {
            c->watch_capacity = 2 * c->watch_capacity + 8;
            c->watches = uj_realloc(c->watches, c->watch_capacity * sizeof *c->watches);
        }
        c->watches[c->watch_count++] = (struct rv32_watch){.address = address};
    } else if (!on && watch) {
        *watch = c->watches[--c->watch_count];
    }
    for (struct rv32_code *code = c->codes; code; code = code->next)
        if (address - code->base < code->bytes)
            code->records[(address - code->base) / 2] = (struct rv32_record){0};
}
