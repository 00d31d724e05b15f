/* From words of flash to records, at their first execution. */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "isa/avr/avr_core.h"
#include "isa/avr/avr_timing.h"

bool avr_attach(struct avr_core *c)
{
    uint32_t end = 0;
    for (const struct mem_region *r = c->core.code->regions; r; r = r->next)
        if (r->base + r->size > end)
            end = r->base + r->size;
    uint32_t words = end / 2;
    if (words > c->pc_mask + 1)
        words = c->pc_mask + 1;
    if (c->records && words == c->code_words)
        return words > 0;
    uint32_t index = c->records ? avr_index(c) : 0;
    free(c->records);
    /* The system hands out zeroed pages as they are touched, so this costs what is executed. */
    c->records = uj_calloc((size_t)words + 2, sizeof *c->records);
    c->code_words = words;
    c->records[words].op = c->records[words + 1].op = AVR_OP_OUTSIDE;
    c->live.ip = c->records + (index < words ? index : words);
    c->live.count = -(int64_t)index;
    return words > 0;
}

static uint16_t code_word(const struct avr_core *c, uint32_t index)
{
    uint8_t bytes[2] = {0xff, 0xff};
    if (index >= c->code_words || !mem_peek(c->core.code, 2 * index, bytes, 2))
        return 0xffff;
    return (uint16_t)(bytes[0] | bytes[1] << 8);
}

static bool is_available(const struct avr_core *c, const struct avr_row *row)
{
    if (row->cycles[c->column] == 0)
        return false;
    switch (row->class) {
    case AVR_DES: return c->has_des;
    case AVR_RMW: return c->has_rmw;
    case AVR_ELPM: return c->has_rampz;
    case AVR_EJUMP:
    case AVR_ECALL: return c->pc_bytes == 3;
    default: return true;
    }
}

/* As avr_row_find(), with the forms at hand. */
static int find_row(const struct avr_core *c, uint16_t first)
{
    int found = -1;
    for (int i = 0; i < AVR_ROWS; i++) {
        if ((first & c->forms[i].mask) != c->forms[i].match)
            continue;
        if (avr_rows[i].variant_of >= 0)
            return i;
        found = i;
    }
    return found;
}

/* Where a jump goes from the next instruction, as a distance in records; the program counter wraps,
 * and what then lies outside flash is the record behind it. */
static int32_t distance(const struct avr_core *c, uint32_t index, int32_t k)
{
    uint32_t next = index + 1, target = (next + (uint32_t)k) & c->pc_mask;
    return (int32_t)((target < c->code_words ? target : c->code_words) - next);
}

static struct avr_watch *find_watch(const struct avr_core *c, uint32_t index)
{
    for (size_t i = 0; i < c->watch_count; i++)
        if (c->watches[i].index == index)
            return &c->watches[i];
    return NULL;
}

void avr_decode(struct avr_core *c, uint32_t index)
{
    struct avr_record *record = &c->records[index];
    uint16_t first = code_word(c, index), second = code_word(c, index + 1);
    int id = find_row(c, first);
    *record = (struct avr_record){.op = AVR_OP_ILLEGAL, .cycles = 1, .k = first};
    if (id >= 0 && is_available(c, &avr_rows[id])) {
        const struct avr_row *row = &avr_rows[id];
        struct avr_operands operands;
        avr_operands_of(&operands, row, first, second);
        *record = (struct avr_record){
            .op = (uint8_t)(AVR_ROWS_FIRST + id),
            .d = operands.d,
            .r = operands.r,
            .cycles = (uint8_t)avr_row_cycles(c, row),
            .k = operands.k,
        };
        if (row->class == AVR_BRANCH || row->class == AVR_RJMP || row->class == AVR_RCALL)
            record->k = distance(c, index, operands.k);
    }
    mem_mark_code(c->core.code, 2 * index, 2u * c->op_words[record->op]);
    struct avr_watch *watch = find_watch(c, index);
    if (watch) {
        watch->op = record->op;
        record->op = AVR_OP_WATCH;
    }
}

uint8_t avr_watched_op(const struct avr_core *c, uint32_t index)
{
    return find_watch(c, index)->op;
}

unsigned avr_words_at(struct avr_core *c, uint32_t index)
{
    if (c->records[index].op == AVR_OP_DECODE)
        avr_decode(c, index);
    uint8_t op = c->records[index].op;
    return c->op_words[op == AVR_OP_WATCH ? avr_watched_op(c, index) : op];
}

void avr_watch(struct core *core, uint32_t address, bool on)
{
    struct avr_core *c = (struct avr_core *)core;
    uint32_t index = address / 2;
    struct avr_watch *watch = find_watch(c, index);
    if (on && !watch) {
        if (c->watch_count == c->watch_capacity) {
            c->watch_capacity = 2 * c->watch_capacity + 8;
            c->watches = uj_realloc(c->watches, c->watch_capacity * sizeof *c->watches);
        }
        c->watches[c->watch_count++] = (struct avr_watch){.index = index};
    } else if (!on && watch) {
        *watch = c->watches[--c->watch_count];
    }
    if (c->records && index < c->code_words)
        c->records[index] = (struct avr_record){0};
}

void avr_code_changed(struct core *core, uint32_t address, size_t bytes)
{
    struct avr_core *c = (struct avr_core *)core;
    if (!c->records || bytes == 0)
        return;
    /* The instruction before may have its second word here. */
    uint32_t first = address / 2, last = (uint32_t)((address + bytes - 1) / 2);
    first -= first > 0;
    if (last >= c->code_words)
        last = c->code_words - 1;
    for (uint32_t index = first; index <= last && index < c->code_words; index++)
        c->records[index] = (struct avr_record){0};
}
