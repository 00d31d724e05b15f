/*
 * A PLL of RP2040 and RP2350: its `clock` is parent / REFDIV x FBDIV / POSTDIV1 / POSTDIV2 while
 * everything is powered, else it stands still. It locks at once: the chip takes some tens of
 * microseconds. A VCO outside of 750-1600 MHz ends the run.
 */
#include "periph/rp2_block.h"
#include "periph/unmodelled.h"

enum { CS, PWR = 4, FBDIV = 8, PRIM = 0x0C };
#define LOCK (1u << 31)
enum { BYPASS = 1 << 8, PD = 1, POSTDIVPD = 8, VCOPD = 32 };

struct rp2_pll {
    struct rp2_block block;
    uint32_t cs, pwr, fbdiv, prim;
};

static void update(struct rp2_pll *pll)
{
    struct periph *p = &pll->block.periph;
    uint64_t now = machine_now(p->machine), refdiv = pll->cs & 0x3F, fbdiv = pll->fbdiv & 0xFFF;
    uint64_t post = (uint64_t)(pll->prim >> 16 & 7) * (pll->prim >> 12 & 7);
    bool vco = !(pll->pwr & (PD | VCOPD)), runs = vco && !(pll->pwr & POSTDIVPD) && fbdiv && post;
    if (refdiv == 0)
        refdiv = 1;
    if (pll->cs & BYPASS) {
        fbdiv = refdiv;
        runs = post > 0;
    } else if (runs) {
        double vco_hz = clock_hz(p->clock->parent) / (double)refdiv * (double)fbdiv;
        if (vco_hz < 750e6 || vco_hz > 1600e6)
            periph_unmodelled(p, "%s: a VCO of %.0f MHz, outside of 750 to 1600 MHz", p->name,
                              vco_hz / 1e6);
    }
    if (runs && (p->clock->multiply != fbdiv || p->clock->divide != refdiv * post))
        clock_set_ratio(p->clock, fbdiv, refdiv * post, now);
    if (p->clock->gated == runs)
        clock_set_gate(p->clock, !runs, now);
}

static enum uj_err pll_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {RP2_BLOCK_KEYS};
    if (!p->clock || !p->clock->parent)
        return yaml_fail(ctx, p->options, "needs a clock with a parent: its output");
    enum uj_err err = yaml_only(ctx, p->options, keys, sizeof keys / sizeof keys[0]);
    return err ? err : rp2_block_create(ctx, p);
}

static void pll_reset(struct periph *p)
{
    struct rp2_pll *pll = (struct rp2_pll *)p;
    pll->cs = 1;
    pll->pwr = 0x2D;
    pll->fbdiv = 0;
    pll->prim = 0x77000;
    update(pll);
}

static uint32_t get(struct periph *p, uint32_t at)
{
    const struct rp2_pll *pll = (const struct rp2_pll *)p;
    switch (at) {
    case CS: return pll->cs | (pll->pwr & (PD | VCOPD) || !pll->fbdiv ? 0 : LOCK);
    case PWR: return pll->pwr;
    case FBDIV: return pll->fbdiv;
    case PRIM: return pll->prim;
    default: return 0;
    }
}

static void set(struct periph *p, uint32_t at, uint32_t value)
{
    struct rp2_pll *pll = (struct rp2_pll *)p;
    switch (at) {
    case CS: pll->cs = value & 0x13F; break;
    case PWR: pll->pwr = value & 0x2D; break;
    case FBDIV: pll->fbdiv = value & 0xFFF; break;
    case PRIM: pll->prim = value & 0x77000; break;
    default: return;
    }
    update(pll);
}

static uint32_t pll_read(struct periph *p, uint32_t offset, unsigned bytes)
{
    return rp2_block_read(p, offset, bytes, get);
}

static void pll_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes)
{
    rp2_block_write(p, offset, value, bytes, get, set);
}

const struct periph_class rp2_pll_class = {
    .name = "rp2_pll",
    .bytes = sizeof(struct rp2_pll),
    .window = RP2_WINDOW,
    .create = pll_create,
    .reset = pll_reset,
    .read = pll_read,
    .write = pll_write,
};
