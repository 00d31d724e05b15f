/*
 * RESETS of RP2040 and RP2350: each bit holds a block in reset through the net "reset.BIT". A block
 * is ready at once after its release. Option `bits`: how many blocks there are; all are held after
 * reset. WDSEL is stored: the watchdog's reset is not modelled.
 */
#include "periph/rp2_block.h"

enum { RESET, WDSEL = 4, RESET_DONE = 8 };

struct rp2_resets {
    struct rp2_block block;
    uint32_t mask, reset, wdsel;
    struct sim_net *nets[32];
};

static void drive(struct rp2_resets *r)
{
    for (unsigned i = 0; i < 32; i++)
        if (r->mask >> i & 1)
            net_drive(r->block.periph.machine, r->nets[i], r->reset >> i & 1);
}

static enum uj_err resets_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {RP2_BLOCK_KEYS, "bits"};
    struct rp2_resets *r = (struct rp2_resets *)p;
    int64_t bits = 0;
    enum uj_err err = yaml_only(ctx, p->options, keys, sizeof keys / sizeof keys[0]);
    if (err || (err = yaml_need_integer(ctx, &bits, p->options, "bits", 1, 31)))
        return err;
    r->mask = (1u << bits) - 1;
    for (unsigned i = 0; i < 32; i++)
        if (r->mask >> i & 1)
            r->nets[i] = rp2_net(p->machine, "reset", i);
    return rp2_block_create(ctx, p);
}

static void resets_reset(struct periph *p)
{
    struct rp2_resets *r = (struct rp2_resets *)p;
    r->reset = r->mask;
    r->wdsel = 0;
    drive(r);
}

static uint32_t get(struct periph *p, uint32_t at)
{
    const struct rp2_resets *r = (const struct rp2_resets *)p;
    switch (at) {
    case RESET: return r->reset;
    case WDSEL: return r->wdsel;
    case RESET_DONE: return ~r->reset & r->mask;
    default: return 0;
    }
}

static void set(struct periph *p, uint32_t at, uint32_t value)
{
    struct rp2_resets *r = (struct rp2_resets *)p;
    if (at == WDSEL)
        r->wdsel = value & r->mask;
    if (at != RESET)
        return;
    r->reset = value & r->mask;
    drive(r);
}

static uint32_t resets_read(struct periph *p, uint32_t offset, unsigned bytes)
{
    return rp2_block_read(p, offset, bytes, get);
}

static void resets_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes)
{
    rp2_block_write(p, offset, value, bytes, get, set);
}

const struct periph_class rp2_resets_class = {
    .name = "rp2_resets",
    .bytes = sizeof(struct rp2_resets),
    .window = RP2_WINDOW,
    .create = resets_create,
    .reset = resets_reset,
    .read = resets_read,
    .write = resets_write,
};
