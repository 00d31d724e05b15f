#include "periph/rp2_block.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"

/* The peripheral bus: a block without registers that remembers how long it is taken. */
struct rp2_bus {
    struct periph periph;
    uint64_t free_tick;
};

static enum uj_err bus_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {PERIPH_LOADER_KEYS};
    return yaml_only(ctx, p->options, keys, sizeof keys / sizeof keys[0]);
}

static void bus_reset(struct periph *p)
{
    ((struct rp2_bus *)p)->free_tick = 0;
}

const struct periph_class rp2_bus_class = {
    .name = "rp2_bus",
    .bytes = sizeof(struct rp2_bus),
    .create = bus_create,
    .reset = bus_reset,
};

static struct rp2_bus *bus_of(struct machine *m)
{
    for (struct periph *p = m->periphs; p; p = p->next)
        if (p->class == &rp2_bus_class)
            return (struct rp2_bus *)p;
    return NULL;
}

uint64_t rp2_bus_take(struct machine *m, uint64_t tick, unsigned cycles)
{
    struct rp2_bus *bus = bus_of(m);
    if (!bus)
        return tick;
    uint64_t begin = bus->free_tick > tick ? bus->free_tick : tick;
    bus->free_tick = begin + cycles;
    return begin;
}

bool rp2_on_bus(uint32_t address)
{
    return address >> 28 == 4;
}

uint64_t rp2_tick(struct machine *m)
{
    return rp2_by_core(m) ? m->core->cycle : clock_ticks(m->cpu_clock, machine_now(m));
}

struct sim_net *rp2_net(struct machine *m, const char *name, unsigned number)
{
    char *text = uj_format("%s.%u", name, number);
    struct sim_net *net = machine_net(m, text);
    free(text);
    return net;
}

static void hold_changed(void *owner, bool level, uint64_t now_ps)
{
    struct rp2_block *b = owner;
    (void)now_ps;
    b->held = level;
    if (level && b->periph.class->reset)
        b->periph.class->reset(&b->periph);
}

enum uj_err rp2_block_create(struct uj_ctx *ctx, struct periph *p)
{
    struct rp2_block *b = (struct rp2_block *)p;
    int64_t bit = -1;
    enum uj_err err = yaml_get_integer(ctx, &bit, p->options, "resets", 0, 31);
    if (err)
        return err;
    if (bit >= 0) {
        b->hold = (struct net_listener){.changed = hold_changed, .owner = b};
        net_listen(rp2_net(p->machine, "reset", (unsigned)bit), &b->hold);
    }
    if (rp2_on_bus(p->base)) {
        p->region.wait_read = RP2_READ_CYCLES - 1;
        p->region.wait_write = RP2_WRITE_CYCLES - 1;
    }
    return UJ_OK;
}

/* The core waits until the bus is free, and for the access itself. */
static void wait_for_bus(struct periph *p, bool write)
{
    if (!rp2_on_bus(p->base) || !rp2_by_core(p->machine))
        return;
    unsigned cycles = write ? RP2_WRITE_CYCLES : RP2_READ_CYCLES;
    uint64_t tick = rp2_tick(p->machine), begin = rp2_bus_take(p->machine, tick, cycles);
    *(write ? &p->region.wait_write : &p->region.wait_read) = cycles - 1 + (unsigned)(begin - tick);
}

uint32_t rp2_widen(uint32_t value, unsigned bytes)
{
    return bytes == 1   ? (value & 0xFF) * 0x01010101u
           : bytes == 2 ? (value & 0xFFFF) * 0x00010001u
                        : value;
}

uint32_t rp2_alias(uint32_t old, uint32_t value, enum rp2_alias alias)
{
    switch (alias) {
    case RP2_XOR: return old ^ value;
    case RP2_SET: return old | value;
    case RP2_CLEAR: return old & ~value;
    default: return value;
    }
}

uint32_t rp2_lane(uint32_t word, uint32_t offset, unsigned bytes)
{
    word >>= 8 * (offset & 3);
    return bytes == 4 ? word : word & ((1u << 8 * bytes) - 1);
}

uint32_t rp2_block_read(struct periph *p, uint32_t offset, unsigned bytes, rp2_get_fn *get)
{
    wait_for_bus(p, false);
    if (((struct rp2_block *)p)->held)
        return 0;
    return rp2_lane(get(p, offset & 0xFFC), offset, bytes);
}

void rp2_block_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes,
                     rp2_get_fn *get, rp2_set_fn *set)
{
    wait_for_bus(p, true);
    if (((struct rp2_block *)p)->held)
        return;
    uint32_t at = offset & 0xFFC;
    enum rp2_alias alias = (enum rp2_alias)(offset >> 12 & 3);
    value = rp2_widen(value, bytes);
    set(p, at, alias == RP2_PLAIN ? value : rp2_alias(get(p, at), value, alias));
}
