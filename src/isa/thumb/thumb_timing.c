/*
 * Costs that depend on what stands around an instruction. Everything is found when the record is
 * made: its own cycles, the stall that it lays on the next instruction (`after`), and what it
 * offers to pair with (M33). Left to the loop is what only execution knows: branches taken, pairing
 * itself, operands of long multiplications and divisions, waits and alignment of accesses.
 */
#include <string.h>

#include "isa/thumb/thumb.h"

/* What the hazards of an instruction depend on: sets of registers, a bit each. */
struct hazards {
    const struct thumb_row *row;
    enum thumb_class class;
    bool wide, reads_flags, sets_flags, shifted, rotated;
    uint32_t address; /* registers that make an address */
    uint32_t data;    /* stored */
    uint32_t sum;     /* accumulated into */
    uint32_t early;   /* all other operands */
    uint32_t base;    /* written back by pre- and post-indexing */
    uint32_t results;
    uint32_t last; /* of a load of several: the register that comes last */
    unsigned list_count;
};

static bool letter(const struct thumb_row *row, char c)
{
    return strchr(row->pattern, c) != NULL;
}

static bool attribute(const struct thumb_row *row, char c)
{
    return strchr(row->attributes, c) != NULL;
}

static bool is_load(enum thumb_class class)
{
    return class == CLASS_LOAD || class == CLASS_LOADX;
}

static bool is_store(enum thumb_class class)
{
    return class == CLASS_STORE || class == CLASS_STORER || class == CLASS_STOREX;
}

static uint32_t bit(unsigned reg)
{
    return 1u << reg;
}

static struct hazards hazards_of(const struct thumb_row *row, const struct thumb_record *r,
                                 unsigned mode)
{
    struct hazards h = {.row = row, .class = row->class, .wide = thumb_row_is_wide(row)};
    uint32_t n = letter(row, 'n') || letter(row, 'e') || r->rn == 13 ? bit(r->rn) : 0;
    uint32_t m = letter(row, 'm') ? bit(r->rm) : 0;
    uint32_t d = bit(r->rd), a = bit(r->ra & 15); /* ra is a width where no register */
    h.reads_flags = attribute(row, 'c');
    h.sets_flags = attribute(row, 's') || (row->sets_flags_outside_it && !mode);
    h.shifted = h.class == CLASS_SHIFTED && row->kind != K_EXPAND &&
                (r->imm != 0 || strstr(row->name, "_ror"));
    h.rotated = h.class == CLASS_SHIFTED && row->kind == K_EXPAND && r->rm;
    if (row->kind == K_INSERT || strcmp(row->name, "movt") == 0)
        h.early |= d;
    switch (h.class) {
    case CLASS_LOAD:
    case CLASS_LOADX:
    case CLASS_LOAD2:
    case CLASS_LOADPC:
    case CLASS_TB:
        h.address = n | m;
        h.results = h.class == CLASS_LOADPC || h.class == CLASS_TB ? 0 : d;
        if (h.class == CLASS_LOAD2)
            h.results |= a;
        h.last = h.class == CLASS_LOAD2 ? a : h.results;
        break;
    case CLASS_STORE:
    case CLASS_STORER:
    case CLASS_STOREX:
    case CLASS_STORE2:
        h.address = n | m;
        h.data = d | (h.class == CLASS_STORE2 ? a : 0);
        break;
    case CLASS_EXCL:
        h.address = n;
        h.data = d;
        h.results = d | a;
        h.last = d;
        break;
    case CLASS_LDM:
    case CLASS_LDMPC:
    case CLASS_STM:
        h.address = bit(r->rn);
        h.list_count = r->ra;
        if (h.class == CLASS_STM) {
            h.data = r->imm;
        } else {
            h.results = r->imm;
            h.last = r->imm ? bit(31 - (unsigned)__builtin_clz(r->imm)) : 0;
        }
        break;
    case CLASS_MAC:
        h.early |= n | m;
        h.sum = letter(row, 'a') ? a : 0;
        h.results = d;
        break;
    case CLASS_MACL:
        h.early |= n | m;
        h.sum = d | a;
        h.results = d | a;
        break;
    case CLASS_MULL:
        h.early |= n | m;
        h.results = d | a;
        break;
    case CLASS_EXTADD:
        h.early |= m;
        h.sum = n;
        h.results = d;
        break;
    default:
        h.early |= n | m;
        if (letter(row, 'd') || letter(row, 'e') || row->kind == K_SPSP4)
            h.results = d;
        break;
    }
    bool moves_base = h.class == CLASS_LOADX || h.class == CLASS_STOREX ||
                      strstr(row->name, "_pre") || strstr(row->name, "_post") ||
                      strstr(row->name, "_wb_") || row->op == OP_push || row->op == OP_pop ||
                      row->op == OP_stm || (row->op == OP_ldm && !(r->imm & bit(r->rn)));
    if (moves_base)
        h.base = bit(r->rn);
    return h;
}

/* The instruction at an address, as far as it can be read. */
static bool look_at(struct thumb_core *c, uint32_t address, unsigned mode, struct hazards *h)
{
    uint16_t half[2] = {0};
    if (!mem_peek(c->core.data, address, &half[0], 2))
        return false;
    bool wide = thumb_is_wide(half[0]);
    if (wide && !mem_peek(c->core.data, address + 2, &half[1], 2))
        return false;
    uint32_t code = wide ? (uint32_t)half[0] << 16 | half[1] : half[0];
    const struct thumb_row *row = thumb_row_of(code, wide);
    struct thumb_record r = {0};
    if (!row || !thumb_core_has(c->kind, row->arch) || !thumb_decode_row(&r, row, code, address))
        return false;
    *h = hazards_of(row, &r, mode);
    return true;
}

/* Cortex-M3 */

static bool m3_writes_early(const struct hazards *h)
{
    switch (h->class) {
    case CLASS_ALU:
    case CLASS_MOV:
    case CLASS_SHIFTED:
    case CLASS_SAT:
    case CLASS_MUL:
    case CLASS_MAC:
    case CLASS_MULL:
    case CLASS_MACL:
    case CLASS_DIV: return true;
    default: return false;
    }
}

/* The stall that `h` lays on `next`, or ends with where nothing takes it. */
static unsigned m3_after(const struct thumb_params *p, const struct hazards *h,
                         const struct hazards *next)
{
    bool eaten_by_nop = next && next->class == CLASS_NOP;
    if (is_load(h->class)) {
        /* The data phase overlaps the address phase of the next access, or a NOP. */
        uint32_t fed = h->results | h->base;
        bool chains = next && !(next->address & fed) &&
                      (next->class == CLASS_LOAD || next->class == CLASS_STORE);
        return chains || eaten_by_nop ? 0 : 1;
    }
    if (is_store(h->class)) {
        bool before_load = next && (is_load(next->class) || next->class == CLASS_LDM ||
                                    next->class == CLASS_LDMPC || next->class == CLASS_LOADPC);
        unsigned after = before_load ? 1 : 0;
        if (h->class == CLASS_STORER && !eaten_by_nop)
            after++;
        if (h->class == CLASS_STOREX && next && next->class == CLASS_STOREX &&
            (next->address & h->base))
            after += (unsigned)p->same_base_store;
        return after;
    }
    if (next && m3_writes_early(h) && (next->address & h->results))
        return 1;
    return 0;
}

static void m3_time(struct thumb_core *c, struct thumb_record *r, const struct hazards *h,
                    uint32_t address, unsigned mode)
{
    uint32_t behind = address + (h->wide ? 4 : 2);
    struct hazards next, third;
    bool known = look_at(c, behind, mode, &next);
    r->after = (uint8_t)m3_after(&c->params, h, known ? &next : NULL);
    if (known && !next.wide)
        r->flags |= REC_NEXT_NARROW;
    if (c->params.wide_run && h->wide && (address & 2) && known && next.wide && !mode &&
        look_at(c, behind + 4, mode, &third) && third.wide &&
        r->cost + r->after + h->list_count > 1)
        r->flags |= REC_WIDE_RUN;
    if (is_load(h->class) && h->row->kind >= K_LITERAL && h->row->kind <= K_LITERAL4)
        r->cost = (uint8_t)(r->cost + c->params.literal_extra);
}

/* Cortex-M33 */

/* Which operands of the next instruction may take a result of `h` after one cycle all the same. */
static uint32_t m33_late(const struct hazards *h)
{
    switch (h->class) {
    case CLASS_LOAD:
    case CLASS_LOADX:
    case CLASS_LOAD2:
    case CLASS_EXCL:
    case CLASS_LDM: return h->last;
    case CLASS_MAC:
    case CLASS_MACL:
    case CLASS_MULL:
    case CLASS_EXTADD:
    case CLASS_DSP: return h->results;
    case CLASS_SAT: return h->results;
    case CLASS_MUL: return h->sets_flags ? 0 : h->results; /* MULS holds the pipeline instead */
    case CLASS_SHIFTED: return h->shifted || (h->rotated && !h->sets_flags) ? h->results : 0;
    default: return 0;
    }
}

static bool m33_stalls(const struct hazards *h, const struct hazards *next)
{
    uint32_t late = m33_late(h);
    uint32_t waits = next->address | next->early;
    bool multiplies = h->class == CLASS_MUL || h->class == CLASS_MAC || h->class == CLASS_MACL ||
                      h->class == CLASS_MULL || h->class == CLASS_EXTADD;
    bool loads = is_load(h->class) || h->class == CLASS_LOAD2 || h->class == CLASS_LDM ||
                 h->class == CLASS_EXCL;
    bool into_mac = next->class == CLASS_MAC || next->class == CLASS_MACL;
    bool sum_is_late = into_mac ? h->class != CLASS_DSP && h->class != CLASS_SAT
                                : multiplies || h->class == CLASS_SHIFTED;
    if (!sum_is_late)
        waits |= next->sum;
    if (!multiplies && !loads)
        waits |= next->data;
    if (late & waits)
        return true;
    return h->class == CLASS_SHIFTED && h->shifted && h->sets_flags && next->reads_flags;
}

/* Is it one that may issue beside a 16-bit instruction before it? */
static bool m33_rides(const struct hazards *h)
{
    return !h->wide && (h->class == CLASS_NOP || h->class == CLASS_IT || h->class == CLASS_BCC ||
                        h->class == CLASS_B || h->class == CLASS_BX);
}

static void m33_time(struct thumb_core *c, struct thumb_record *r, const struct hazards *h,
                     uint32_t address, unsigned mode)
{
    if ((h->class == CLASS_MUL && !h->wide && h->sets_flags) ||
        (h->rotated && attribute(h->row, 'S')))
        r->cost = 2;
    uint32_t behind = address + (h->wide ? 4 : 2);
    struct hazards next;
    if (!look_at(c, behind, mode, &next)) {
        r->slot = h->wide ? 0 : SLOT_OPEN;
        return;
    }
    if (h->wide) {
        r->after = m33_stalls(h, &next);
        return;
    }
    r->slot = SLOT_OPEN | SLOT_ALWAYS;
    if (!h->sets_flags)
        r->slot |= SLOT_TAKEN;
    bool dependent = m33_rides(&next) && ((h->results | h->base) & next.early);
    if (dependent) /* a branch to, or on, the register just written */
        r->slot = 0;
    if (!m33_rides(&next) || dependent) {
        r->after = m33_stalls(h, &next);
        return;
    }
    struct hazards third;
    if (look_at(c, behind + 2, next.class == CLASS_IT, &third) && m33_stalls(h, &third))
        r->slot |= SLOT_STALL;
}

void thumb_time(struct thumb_core *c, struct thumb_record *r, const struct thumb_row *row,
                uint32_t code, uint32_t address, unsigned mode)
{
    (void)code;
    struct hazards h = hazards_of(row, r, mode);
    unsigned cycles = thumb_class_cycles[row->class][c->kind] + h.list_count;
    if (row->class == CLASS_MUL && c->kind == THUMB_M0PLUS)
        cycles = (unsigned)c->params.multiply_cycles;
    r->cost = (uint8_t)cycles;
    if (c->kind == THUMB_M3)
        m3_time(c, r, &h, address, mode);
    else if (c->kind == THUMB_M33)
        m33_time(c, r, &h, address, mode);
    r->cost = (uint8_t)(r->cost + r->after);
}
