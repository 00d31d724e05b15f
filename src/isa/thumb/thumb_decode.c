#include "isa/thumb/thumb.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"

static uint32_t expand_constant(uint32_t imm12, bool *rotated)
{
    uint32_t byte = imm12 & 0xff;
    *rotated = imm12 >> 10 != 0;
    if (*rotated)
        return th_rotate(0x80 | (imm12 & 0x7f), imm12 >> 7);
    switch (imm12 >> 8) {
    case 0: return byte;
    case 1: return byte << 16 | byte;
    case 2: return byte << 24 | byte << 8;
    default: return byte * 0x01010101;
    }
}

static uint32_t sign_extend(uint32_t value, unsigned bits)
{
    return (uint32_t)((int32_t)(value << (32 - bits)) >> (32 - bits));
}

static uint32_t wide_branch_offset(const struct thumb_row *row, uint32_t code)
{
    uint32_t s = thumb_field(row, code, 's', NULL), j = thumb_field(row, code, 'j', NULL),
             k = thumb_field(row, code, 'k', NULL), i = thumb_field(row, code, 'i', NULL);
    if (row->kind == K_B20)
        return sign_extend(s << 20 | k << 19 | j << 18 | i << 1, 21);
    return sign_extend(s << 24 | (~(j ^ s) & 1) << 23 | (~(k ^ s) & 1) << 22 | i << 1, 25);
}

/* The operands of an encoding at an address; false: a combination that the manual leaves
 * unpredictable and that is treated as undefined. */
static bool fill_operands(struct thumb_record *r, const struct thumb_row *row, uint32_t code,
                          uint32_t address)
{
    bool has_e, has_d, has_t, has_u, has_n;
    uint32_t e = thumb_field(row, code, 'e', &has_e), d = thumb_field(row, code, 'd', &has_d),
             t = thumb_field(row, code, 't', &has_t), u = thumb_field(row, code, 'u', &has_u);
    uint32_t n = thumb_field(row, code, 'n', &has_n);
    uint32_t i = thumb_field(row, code, 'i', NULL), w = thumb_field(row, code, 'w', NULL),
             list = thumb_field(row, code, 'l', NULL);
    r->rd = (uint8_t)(has_e ? e : has_d ? d : has_t ? t : 0);
    r->rn = (uint8_t)(has_n ? n : e);
    r->rm = (uint8_t)thumb_field(row, code, 'm', NULL);
    r->ra = (uint8_t)(has_u ? u : thumb_field(row, code, 'a', NULL));
    uint32_t pc4 = address + 4, aligned = pc4 & ~3u;
    bool plus = thumb_field(row, code, 'g', NULL);
    switch ((enum thumb_kind)row->kind) {
    case K_NONE:
    case K_TT: r->imm = 0; break;
    case K_IMM: r->imm = i; break;
    case K_IMM2: r->imm = 2 * i; break;
    case K_IMM4: r->imm = 4 * i; break;
    case K_IMM16: r->imm = thumb_field(row, code, 'j', NULL) << 12 | i; break;
    case K_SHIFT32: r->imm = i ? i : 32; break;
    case K_ROTATE: r->imm = 8 * i; break;
    case K_EXPAND: {
        bool rotated;
        r->imm = expand_constant(i, &rotated);
        r->rm = rotated;
        break;
    }
    case K_SPSP4: r->rd = 13; /* fall through */
    case K_SP4:
        r->rn = 13;
        r->imm = 4 * i;
        break;
    case K_LITERAL: r->imm = aligned + 4 * i; break;
    case K_LITERAL1: r->imm = plus ? aligned + i : aligned - i; break;
    case K_LITERAL4: r->imm = plus ? aligned + 4 * i : aligned - 4 * i; break;
    case K_ADRADD: r->imm = aligned + i; break;
    case K_ADRSUB: r->imm = aligned - i; break;
    case K_OFF: r->imm = plus ? i : -i; break;
    case K_OFF4: r->imm = plus ? 4 * i : -4 * i; break;
    case K_NEG: r->imm = -i; break;
    case K_PUSH: list |= thumb_field(row, code, 'p', NULL) << 14; /* fall through */
    case K_POP:
    case K_POPPC:
    case K_LIST:
    case K_LISTPC:
        if (row->kind == K_PUSH || row->kind == K_POP || row->kind == K_POPPC)
            r->rn = 13;
        else if (thumb_row_is_wide(row)) { /* bit 13 is missing in the letters */
            list = code & 0xdfff;
            if ((list & 0x7fff) == 0 && row->kind == K_LIST)
                return false;
        }
        if (row->kind == K_POPPC)
            list |= 1u << 15;
        r->imm = list;
        r->ra = (uint8_t)__builtin_popcount(list);
        break;
    case K_CB: r->imm = pc4 + 2 * i; break;
    case K_B8: r->imm = pc4 + (sign_extend(i, 8) << 1); break;
    case K_B11: r->imm = pc4 + (sign_extend(i, 11) << 1); break;
    case K_B20:
    case K_B24: r->imm = pc4 + wide_branch_offset(row, code); break;
    case K_IT: r->imm = code & 0xff; break;
    case K_EXTRACT:
        if (i + w + 1 > 32)
            return false;
        r->imm = i;
        r->ra = (uint8_t)(w + 1);
        break;
    case K_INSERT:
        if (w < i)
            return false;
        r->imm = i;
        r->ra = (uint8_t)(w - i + 1);
        break;
    case K_SAT:
        r->imm = i;
        r->ra = (uint8_t)(w + 1);
        break;
    case K_USAT:
        r->imm = i;
        r->ra = (uint8_t)w;
        break;
    case K_SYS:
        r->imm = i;
        r->ra = (uint8_t)thumb_field(row, code, 'x', NULL);
        break;
    }
    if (row->class == CLASS_BCC && row->kind != K_CB)
        r->ra = (uint8_t)thumb_field(row, code, 'c', NULL);
    return true;
}

static bool same_letter(const struct thumb_row *row, char letter)
{
    return strchr(row->pattern, letter) != NULL;
}

static uint8_t operand_flags(const struct thumb_record *r, const struct thumb_row *row)
{
    uint8_t flags = thumb_row_is_wide(row) ? REC_WIDE : 0;
    bool reads_n = same_letter(row, 'n') || same_letter(row, 'e');
    bool writes_d = (same_letter(row, 'd') || same_letter(row, 'e') || row->kind == K_SPSP4) &&
                    row->op != OP_sub_sp7;
    if ((reads_n && r->rn == 15) || (same_letter(row, 'm') && r->rm == 15))
        flags |= REC_READS_PC;
    bool load = row->class == CLASS_LOAD || row->class == CLASS_LOADX || row->class == CLASS_LOAD2;
    if ((writes_d && r->rd == 13) ||
        (load && (r->rd == 13 || (row->class == CLASS_LOAD2 && r->ra == 13))))
        flags |= REC_WRITES_SP;
    return flags;
}

bool thumb_decode_row(struct thumb_record *r, const struct thumb_row *row, uint32_t code,
                      uint32_t address)
{
    if (!fill_operands(r, row, code, address))
        return false;
    r->flags = operand_flags(r, row);
    return true;
}

struct thumb_page *thumb_page_at(struct thumb_core *c, unsigned mode, uint32_t address)
{
    struct thumb_page **slot = &c->pages[mode][address >> THUMB_PAGE_BITS];
    if (*slot)
        return *slot;
    struct thumb_page *page = uj_calloc(1, sizeof *page);
    page->base = address & ~((1u << THUMB_PAGE_BITS) - 1);
    page->mode = (uint8_t)mode;
    for (unsigned i = 0; i < THUMB_PAGE_RECORDS; i++)
        page->records[i].op = mode ? OP_GUARD : OP_UNDECODED;
    for (unsigned i = 0; i < THUMB_PAGE_RECORDS; i++)
        page->records[i].real_op = OP_UNDECODED;
    page->records[THUMB_PAGE_RECORDS].op = OP_NEXT_PAGE;
    page->records[THUMB_PAGE_RECORDS + 1].op = OP_NEXT_PAGE;
    *slot = page;
    if (c->page_count == c->page_capacity) {
        c->page_capacity = c->page_capacity ? 2 * c->page_capacity : 64;
        c->page_list = uj_realloc(c->page_list, c->page_capacity * sizeof *c->page_list);
    }
    c->page_list[c->page_count++] = page;
    return page;
}

static bool is_watched(const struct thumb_core *c, uint32_t address)
{
    for (size_t i = 0; i < c->watch_count; i++)
        if (c->watches[i] == address)
            return true;
    return false;
}

bool thumb_decode(struct thumb_core *c, struct thumb_page *page, struct thumb_record *r)
{
    uint32_t address = page->base + 2 * (uint32_t)(r - page->records);
    uint16_t half[2];
    bool wide = false;
    if (address >= 0xa0000000 || (address >= 0x40000000 && address < 0x60000000)) {
        thumb_fault(c, EXC_MEMMANAGE, 1u << 0, "instruction fetch from device memory");
        return false;
    }
    if (!mem_peek(c->core.data, address, &half[0], 2) ||
        ((wide = thumb_is_wide(half[0])) && !mem_peek(c->core.data, address + 2, &half[1], 2))) {
        thumb_fault(c, EXC_BUSFAULT, 1u << 8, "instruction fetch where no memory is");
        return false;
    }
    uint32_t code = wide ? (uint32_t)half[0] << 16 | half[1] : half[0];
    const struct thumb_row *row = thumb_row_of(code, wide);
    struct thumb_record made = {.imm = code, .flags = wide ? REC_WIDE : 0, .cost = 1};
    uint16_t op = OP_NO_INSTRUCTION;
    if (row && thumb_core_has(c->kind, row->arch) && thumb_decode_row(&made, row, code, address)) {
        op = (uint16_t)(row->op + (row->sets_flags_outside_it && page->mode));
        thumb_time(c, &made, row, code, address, page->mode);
    } else {
        made.imm = code;
    }
    made.op = made.real_op = op;
    if (page->mode)
        made.op = OP_GUARD;
    else if (is_watched(c, address))
        made.op = OP_WATCHED;
    else if (made.flags & (REC_READS_PC | REC_WRITES_SP | REC_WIDE_RUN))
        made.op = OP_PREFIX;
    *r = made;
    mem_mark_code(c->core.data, address, 10);
    return true;
}

/* Look-ahead reads up to two instructions, so a record depends on ten bytes. */
void thumb_forget(struct thumb_core *c, uint32_t address, size_t bytes)
{
    if (bytes == 0)
        return;
    uint64_t first = address >= 8 ? (address - 8) & ~1u : 0, last = (uint64_t)address + bytes - 1;
    for (uint64_t at = first; at <= last && at <= UINT32_MAX; at += 2) {
        if (!c->pages[0][at >> THUMB_PAGE_BITS] && !c->pages[1][at >> THUMB_PAGE_BITS]) {
            at |= (1u << THUMB_PAGE_BITS) - 2; /* the page's last halfword */
            continue;
        }
        for (unsigned mode = 0; mode < 2; mode++) {
            struct thumb_page *page = c->pages[mode][at >> THUMB_PAGE_BITS];
            if (!page)
                continue;
            struct thumb_record *r = &page->records[(at & ((1u << THUMB_PAGE_BITS) - 1)) / 2];
            if (r->real_op == OP_UNDECODED)
                continue;
            /* The rest stays: this may be the instruction that is being executed. */
            r->op = mode ? OP_GUARD : OP_UNDECODED;
            r->real_op = OP_UNDECODED;
        }
    }
}

void thumb_free_pages(struct thumb_core *c)
{
    for (size_t i = 0; i < c->page_count; i++)
        free(c->page_list[i]);
    free(c->page_list);
    free(c->pages[0]);
    free(c->pages[1]);
    free(c->watches);
}

void thumb_watch(struct core *core, uint32_t address, bool on)
{
    struct thumb_core *c = (struct thumb_core *)core;
    address &= ~1u;
    unsigned i = 0;
    while (i < c->watch_count && c->watches[i] != address)
        i++;
    if (on && i == c->watch_count) {
        if (c->watch_count == c->watch_capacity) {
            c->watch_capacity = c->watch_capacity ? 2 * c->watch_capacity : 16;
            c->watches = uj_realloc(c->watches, c->watch_capacity * sizeof *c->watches);
        }
        c->watches[c->watch_count++] = address;
    } else if (!on && i < c->watch_count) {
        c->watches[i] = c->watches[--c->watch_count];
    } else {
        return;
    }
    struct thumb_page *page = c->pages[0][address >> THUMB_PAGE_BITS];
    if (page)
        page->records[(address & ((1u << THUMB_PAGE_BITS) - 1)) / 2] =
            (struct thumb_record){.op = OP_UNDECODED, .real_op = OP_UNDECODED};
}
