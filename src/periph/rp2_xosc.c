/*
 * XOSC of RP2040 and RP2350. The crystal runs from the start; STATUS says STABLE once it is enabled
 * and 256 x STARTUP of its cycles have passed. Dormant mode ends the run.
 */
#include "periph/rp2_block.h"
#include "periph/unmodelled.h"

enum { CTRL, STATUS = 4, DORMANT = 8, STARTUP = 0x0C };
enum { ENABLE = 0xFAB, DORMANT_MAGIC = 0x636F6D61, WAKE_MAGIC = 0x77616B65 };

struct rp2_xosc {
    struct rp2_block block;
    uint32_t ctrl, startup;
    uint64_t stable_tick;
};

static enum uj_err xosc_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {RP2_BLOCK_KEYS};
    if (!p->clock)
        return yaml_fail(ctx, p->options, "needs a clock: the crystal");
    enum uj_err err = yaml_only(ctx, p->options, keys, sizeof keys / sizeof keys[0]);
    return err ? err : rp2_block_create(ctx, p);
}

static void xosc_reset(struct periph *p)
{
    struct rp2_xosc *x = (struct rp2_xosc *)p;
    x->ctrl = 0;
    x->startup = 0xC4;
}

static bool enabled(const struct rp2_xosc *x)
{
    return x->ctrl >> 12 == ENABLE;
}

static uint32_t get(struct periph *p, uint32_t at)
{
    const struct rp2_xosc *x = (const struct rp2_xosc *)p;
    switch (at) {
    case CTRL: return x->ctrl;
    case STATUS: {
        bool stable =
            enabled(x) && clock_ticks(p->clock, machine_now(p->machine)) >= x->stable_tick;
        return (enabled(x) ? 1u << 12 : 0) | (stable ? 1u << 31 : 0);
    }
    case DORMANT: return WAKE_MAGIC;
    case STARTUP: return x->startup;
    default: return 0;
    }
}

static void set(struct periph *p, uint32_t at, uint32_t value)
{
    struct rp2_xosc *x = (struct rp2_xosc *)p;
    bool before = enabled(x);
    if (at == CTRL)
        x->ctrl = value & 0xFFFFFF;
    if (at == STARTUP)
        x->startup = value;
    if (at == DORMANT && value == DORMANT_MAGIC)
        periph_unmodelled(p, "%s: dormant mode", p->name);
    if (!before && enabled(x))
        x->stable_tick =
            clock_ticks(p->clock, machine_now(p->machine)) + 256 * (uint64_t)(x->startup & 0x3FFF);
}

static uint32_t xosc_read(struct periph *p, uint32_t offset, unsigned bytes)
{
    return rp2_block_read(p, offset, bytes, get);
}

static void xosc_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes)
{
    rp2_block_write(p, offset, value, bytes, get, set);
}

const struct periph_class rp2_xosc_class = {
    .name = "rp2_xosc",
    .bytes = sizeof(struct rp2_xosc),
    .window = RP2_WINDOW,
    .create = xosc_create,
    .reset = xosc_reset,
    .read = xosc_read,
    .write = xosc_write,
};
