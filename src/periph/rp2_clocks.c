/*
 * CLOCKS of RP2040 and RP2350: clk_ref, clk_sys and clk_peri are the clocks "ref", "sys" and "peri"
 * of the chip's file, fed from "rosc", "xosc", "pll_sys" and "pll_usb"; a change acts at once, and
 * SELECTED follows. The others (outputs, USB, ADC, ...), the frequency counter and resus are
 * stored. Option `layout`: rp2040 or rp2350. Sources that are not modelled (GPIN, LPOSC, the
 * watchdog's) end the run.
 */
#include <string.h>

#include "periph/rp2_block.h"
#include "periph/unmodelled.h"

enum { REF_CTRL = 0x30, SYS_CTRL = 0x3C, PERI_CTRL = 0x48, WORDS = 0x100 / 4 };
enum clock_name { ROSC, XOSC, PLL_SYS, PLL_USB, REF, SYS, PERI, NO_SOURCE };
enum { CLOCKS = NO_SOURCE };

struct layout {
    const char *name;
    unsigned selected; /* how many clocks have CTRL, DIV, SELECTED */
    unsigned fraction; /* bits of a divider's fraction */
    uint32_t fc0_status, peri_divider_shift;
};

static const struct layout layouts[] = {
    {"rp2040", 10, 8, 0x98, 0},
    {"rp2350", 10, 16, 0xA4, 16},
};

struct rp2_clocks {
    struct rp2_block block;
    const struct layout *layout;
    struct sim_clock *clock[CLOCKS];
    uint32_t value[WORDS];
};

static enum uj_err clocks_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {RP2_BLOCK_KEYS, "layout"};
    static const char *const names[CLOCKS] = {"rosc", "xosc", "pll_sys", "pll_usb",
                                              "ref",  "sys",  "peri"};
    struct rp2_clocks *c = (struct rp2_clocks *)p;
    const char *layout = NULL;
    enum uj_err err = yaml_only(ctx, p->options, keys, sizeof keys / sizeof keys[0]);
    if (err || (err = yaml_need_text(ctx, &layout, p->options, "layout")))
        return err;
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
        if (strcmp(layouts[i].name, layout) == 0)
            c->layout = &layouts[i];
    if (!c->layout)
        return yaml_fail(ctx, yaml_get(p->options, "layout"), "is neither rp2040 nor rp2350");
    for (unsigned i = 0; i < CLOCKS; i++) {
        c->clock[i] = machine_clock(p->machine, names[i]);
        if (!c->clock[i])
            return yaml_fail(ctx, p->options, "the chip has no clock \"%s\"", names[i]);
    }
    return rp2_block_create(ctx, p);
}

/* From which clock, chosen by a control register, comes clk_sys, clk_ref, clk_peri? */
static enum clock_name source_of(uint32_t ctrl, enum clock_name clock)
{
    static const uint8_t ref[4] = {ROSC, NO_SOURCE, XOSC, NO_SOURCE};
    static const uint8_t ref_aux[4] = {PLL_USB, NO_SOURCE, NO_SOURCE, NO_SOURCE};
    static const uint8_t sys_aux[8] = {PLL_SYS,   PLL_USB,   ROSC,      XOSC,
                                       NO_SOURCE, NO_SOURCE, NO_SOURCE, NO_SOURCE};
    static const uint8_t peri_aux[8] = {SYS,  PLL_SYS,   PLL_USB,   ROSC,
                                        XOSC, NO_SOURCE, NO_SOURCE, NO_SOURCE};
    unsigned aux = ctrl >> 5 & 7;
    switch (clock) {
    case REF: return (enum clock_name)((ctrl & 3) == 1 ? ref_aux[aux & 3] : ref[ctrl & 3]);
    case SYS: return (enum clock_name)(ctrl & 1 ? sys_aux[aux] : REF);
    default: return (enum clock_name)peri_aux[aux];
    }
}

static void set_clock(struct rp2_clocks *c, enum clock_name clock, uint32_t at, uint64_t multiply,
                      uint64_t divide)
{
    struct periph *p = &c->block.periph;
    struct sim_clock *k = c->clock[clock];
    uint64_t now = machine_now(p->machine);
    enum clock_name source = source_of(c->value[at / 4], clock);
    if (source == NO_SOURCE) {
        periph_unmodelled(p, "%s: the source chosen by 0x%08X at 0x%X", p->name, c->value[at / 4],
                          p->base + at);
        return;
    }
    if (k->parent != c->clock[source])
        clock_set_parent(k, c->clock[source], now);
    if (k->multiply != multiply || k->divide != divide)
        clock_set_ratio(k, multiply, divide, now);
}

static void update(struct rp2_clocks *c)
{
    const uint32_t *v = c->value;
    unsigned fraction = c->layout->fraction, shift = c->layout->peri_divider_shift;
    uint32_t ref = v[(REF_CTRL + 4) / 4] >> fraction & 3,
             peri = v[(PERI_CTRL + 4) / 4] >> shift & 3;
    uint64_t sys = v[(SYS_CTRL + 4) / 4];
    if (sys >> fraction == 0)
        sys |= UINT64_C(1) << 32; /* 0 stands for the largest */
    set_clock(c, REF, REF_CTRL, 1, ref ? ref : 4);
    set_clock(c, SYS, SYS_CTRL, UINT64_C(1) << fraction, sys);
    set_clock(c, PERI, PERI_CTRL, 1, shift == 0 ? 1 : peri ? peri : 4);
    bool enabled = v[PERI_CTRL / 4] & 1u << 11;
    if (c->clock[PERI]->gated == enabled)
        clock_set_gate(c->clock[PERI], !enabled, machine_now(c->block.periph.machine));
}

static void clocks_reset(struct periph *p)
{
    struct rp2_clocks *c = (struct rp2_clocks *)p;
    memset(c->value, 0, sizeof c->value);
    for (unsigned i = 0; i < c->layout->selected; i++)
        c->value[3 * i + 1] = 1u << c->layout->fraction;
    if (c->layout->peri_divider_shift)
        c->value[(PERI_CTRL + 4) / 4] = 1u << c->layout->peri_divider_shift;
    update(c);
}

static uint32_t get(struct periph *p, uint32_t at)
{
    const struct rp2_clocks *c = (const struct rp2_clocks *)p;
    if (at / 4 >= WORDS)
        return 0;
    if (at == c->layout->fc0_status)
        return 1u << 4; /* done */
    if (at % 12 == 8 && at / 12 < c->layout->selected) {
        uint32_t ctrl = c->value[(at - 8) / 4];
        return at == REF_CTRL + 8 ? 1u << (ctrl & 3) : at == SYS_CTRL + 8 ? 1u << (ctrl & 1) : 1;
    }
    return c->value[at / 4];
}

static void set(struct periph *p, uint32_t at, uint32_t value)
{
    struct rp2_clocks *c = (struct rp2_clocks *)p;
    if (at / 4 >= WORDS)
        return;
    c->value[at / 4] = value;
    update(c);
}

static uint32_t clocks_read(struct periph *p, uint32_t offset, unsigned bytes)
{
    return rp2_block_read(p, offset, bytes, get);
}

static void clocks_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes)
{
    rp2_block_write(p, offset, value, bytes, get, set);
}

const struct periph_class rp2_clocks_class = {
    .name = "rp2_clocks",
    .bytes = sizeof(struct rp2_clocks),
    .window = RP2_WINDOW,
    .create = clocks_create,
    .reset = clocks_reset,
    .read = clocks_read,
    .write = clocks_write,
};
