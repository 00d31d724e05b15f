/* Accesses beyond plain memory, and those that trap. All work on c->live. */
#include "isa/rv32/rv32_core.h"
#include "isa/rv32/rv32_timing.h"
#define RV32_TRACED 0 /* the loop counts the bus, not these */
#include "isa/rv32/rv32_semantics.h"

/* The region at an address; traps where there is none, or where it does not lie at a multiple of
 * its size. */
static struct mem_region *region_for(struct rv32_core *c, const struct rv32_record *rec,
                                     uint32_t address, unsigned bytes, bool store)
{
    if (address & (bytes - 1)) {
        rv32_trap(c, rec, store ? RV32_STORE_MISALIGNED : RV32_LOAD_MISALIGNED, address);
        return NULL;
    }
    struct mem_region *region = mem_region_at(c->core.data, address);
    if (!region) {
        /* Counts the access. */
        if (store)
            mem_write_slow(c->core.data, address, 0, bytes);
        else
            (void)mem_read_slow(c->core.data, address, bytes);
        c->live.left -= RV32_COST(BUS_FAULT);
        rv32_trap(c, rec, store ? RV32_STORE_FAULT : RV32_LOAD_FAULT, address);
    }
    return region;
}

/* A device sees the cycle of its data phase, the one after the instruction's own. */
static uint64_t begin_access(struct rv32_core *c, const struct rv32_record *rec)
{
    uint64_t end = rv32_now(c);
    c->core.cycle = end - rec->after;
    return end;
}

/* The region's own waiting may have been changed by the access itself. */
static void end_access(struct rv32_core *c, const struct rv32_record *rec, uint64_t end,
                       unsigned wait)
{
    rv32_reload(c, end);
    if (wait)
        rv32_waited(c, rec, wait);
}

uint32_t rv32_load_slow(struct rv32_core *c, const struct rv32_record *rec, uint32_t address,
                        unsigned bytes)
{
    struct mem_region *region = region_for(c, rec, address, bytes, false);
    if (!region)
        return c->x[rec->rd];
    uint64_t end = begin_access(c, rec);
    uint32_t value = mem_read_slow(c->core.data, address, bytes);
    end_access(c, rec, end, mem_load_wait(region, address));
    return bytes == 4 ? value : value & ((1u << 8 * bytes) - 1);
}

void rv32_store_slow(struct rv32_core *c, const struct rv32_record *rec, uint32_t address,
                     uint32_t value, unsigned bytes)
{
    struct mem_region *region = region_for(c, rec, address, bytes, true);
    if (!region)
        return;
    /* The record may be forgotten by what it writes. */
    const struct rv32_record mine = *rec;
    uint64_t end = begin_access(c, &mine);
    mem_write_slow(c->core.data, address, bytes == 4 ? value : value & ((1u << 8 * bytes) - 1),
                   bytes);
    end_access(c, &mine, end, region->wait_write);
}

/* Exclusive accesses are granted in memory that can be written. */
static bool grants_exclusive(const struct mem_region *region)
{
    return region->host && !region->read_only;
}

uint32_t rv32_load_reserved_slow(struct rv32_core *c, const struct rv32_record *rec,
                                 uint32_t address)
{
    struct mem_region *region = region_for(c, rec, address, 4, false);
    if (!region)
        return c->x[rec->rd];
    c->reserved = grants_exclusive(region);
    return rv32_load_slow(c, rec, address, 4);
}

uint32_t rv32_store_conditional_slow(struct rv32_core *c, const struct rv32_record *rec,
                                     uint32_t address, uint32_t value)
{
    struct mem_region *region = region_for(c, rec, address, 4, true);
    if (!region)
        return c->x[rec->rd];
    bool stored = c->reserved && grants_exclusive(region);
    c->reserved = false;
    if (stored)
        rv32_store_slow(c, rec, address, value, 4);
    return !stored;
}

static uint32_t combine(uint32_t memory, uint32_t value, enum rv32_amo_kind kind)
{
    switch (kind) {
    case RV32_AMO_SWAP: return value;
    case RV32_AMO_ADD: return memory + value;
    case RV32_AMO_XOR: return memory ^ value;
    case RV32_AMO_AND: return memory & value;
    case RV32_AMO_OR: return memory | value;
    case RV32_AMO_MIN: return (int32_t)memory < (int32_t)value ? memory : value;
    case RV32_AMO_MAX: return (int32_t)memory > (int32_t)value ? memory : value;
    case RV32_AMO_MINU: return memory < value ? memory : value;
    case RV32_AMO_MAXU: return memory > value ? memory : value;
    }
    return value;
}

uint32_t rv32_amo_slow(struct rv32_core *c, const struct rv32_record *rec, uint32_t address,
                       uint32_t value, enum rv32_amo_kind kind)
{
    uint32_t kept = c->x[rec->rd];
    struct mem_region *region = region_for(c, rec, address, 4, true);
    if (!region)
        return kept;
    if (!grants_exclusive(region)) {
        rv32_trap(c, rec, RV32_STORE_FAULT, address);
        return kept;
    }
    c->live.left -= region->wait_read + region->wait_write;
    uint32_t memory = 0;
    (void)mem_peek(c->core.data, address, &memory, sizeof memory);
    mem_write32(c->core.data, address, combine(memory, value, kind));
    return memory;
}

/* Addresses of Zcmp's registers: the last of the list lies highest. */
void rv32_push_slow(struct rv32_core *c, const struct rv32_record *rec)
{
    const struct rv32_record mine = *rec;
    uint8_t registers[13];
    unsigned count = rv32_list(registers, mine.list);
    uint32_t base = c->x[2] - 4 * count;
    const struct rv32_record *at = c->live.ip;
    for (unsigned i = 0; i < count; i++) {
        rv32_store(c, &c->live, rec, base + 4 * i, c->x[registers[i]], 4);
        if (c->live.ip != at)
            return; /* trapped */
    }
    c->x[2] -= rv32_list_bytes(mine.list, mine.k);
}

uint32_t rv32_pop_slow(struct rv32_core *c, const struct rv32_record *rec)
{
    uint8_t registers[13];
    unsigned count = rv32_list(registers, rec->list);
    uint32_t sp = c->x[2] + rv32_list_bytes(rec->list, rec->k);
    uint32_t base = sp - 4 * count;
    const struct rv32_record *at = c->live.ip;
    for (unsigned i = 0; i < count; i++) {
        uint32_t value = rv32_load(c, &c->live, rec, base + 4 * i, 4);
        if (c->live.ip != at)
            return 0; /* trapped */
        c->x[registers[i]] = value;
    }
    c->x[2] = sp;
    return c->x[1] & ~1u;
}
