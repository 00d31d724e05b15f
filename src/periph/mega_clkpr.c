/*
 * ATmega clock prescaler, CLKPR: the block's clock is the one that it divides. A new divider must
 * follow within four cycles after CLKPCE was written alone. The option `fused` is CLKPS after reset
 * (fuse CKDIV8).
 */
#include "periph/avr_block.h"

enum { CLKPCE = 0x80, CLKPS = 0x0F, CLKPS_MAX = 8, OPEN_CYCLES = 4 };

struct mega_clkpr {
    struct periph periph;
    uint8_t clkps, fused;
    uint64_t open_until_tick;
};

static void set_divider(struct mega_clkpr *c)
{
    if (c->periph.clock->divide != 1u << c->clkps)
        clock_set_ratio(c->periph.clock, 1, 1u << c->clkps, machine_now(c->periph.machine));
}

static enum uj_err clkpr_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {PERIPH_LOADER_KEYS, "fused"};
    int64_t fused = 0;
    enum uj_err err = yaml_only(ctx, p->options, keys, sizeof keys / sizeof keys[0]);
    if (err || (err = yaml_get_integer(ctx, &fused, p->options, "fused", 0, CLKPS_MAX)))
        return err;
    ((struct mega_clkpr *)p)->fused = (uint8_t)fused;
    return p->clock && p->clock->parent ? UJ_OK
                                        : yaml_fail(ctx, p->options, "needs a derived clock");
}

static void clkpr_reset(struct periph *p)
{
    struct mega_clkpr *c = (struct mega_clkpr *)p;
    c->clkps = c->fused;
    c->open_until_tick = 0;
    set_divider(c);
}

static uint32_t clkpr_read(struct periph *p, uint32_t offset, unsigned bytes)
{
    const struct mega_clkpr *c = (const struct mega_clkpr *)p;
    (void)offset, (void)bytes;
    return c->clkps | (avr_ticks(p) < c->open_until_tick ? CLKPCE : 0);
}

static void clkpr_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes)
{
    struct mega_clkpr *c = (struct mega_clkpr *)p;
    uint64_t now = avr_ticks(p);
    (void)offset, (void)bytes;
    if ((value & 0xFF) == CLKPCE) {
        c->open_until_tick = now + OPEN_CYCLES + 1;
        return;
    }
    if (value & CLKPCE || now >= c->open_until_tick || (value & CLKPS) > CLKPS_MAX)
        return;
    c->open_until_tick = 0;
    c->clkps = value & CLKPS;
    set_divider(c);
    machine_retime(p->machine);
}

const struct periph_class mega_clkpr_class = {
    .name = "mega_clkpr",
    .bytes = sizeof(struct mega_clkpr),
    .window = 1,
    .create = clkpr_create,
    .reset = clkpr_reset,
    .read = clkpr_read,
    .write = clkpr_write,
};
