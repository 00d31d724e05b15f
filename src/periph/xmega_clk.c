/*
 * XMEGA clock system and oscillators: CLK at the base, OSC where the option `osc` says. The chip's
 * clocks are found by their names: the sources rc2m, rc32m, rc32k, external and pll; sys after the
 * selection, per4, per2 and per after the prescalers A, B and C.
 *
 * A source is ready as soon as it is enabled, but for the external one, which counts as many of its
 * own cycles as its start-up time says. A switch takes effect with the write.
 */
#include "periph/avr_block.h"
#include "periph/periph_window.h"

enum { CLK_CTRL = 0, CLK_PSCTRL, CLK_LOCK, CLK_RTCCTRL, CLK_SIZE };
enum {
    OSC = 0x10, /* offset of the second window */
    OSC_CTRL = 0,
    OSC_STATUS,
    OSC_XOSCCTRL,
    OSC_XOSCFAIL,
    OSC_RC32KCAL,
    OSC_PLLCTRL,
    OSC_DFLLCTRL,
    OSC_SIZE
};

/* Sources: numbers in CLK.CTRL, and bits in OSC.CTRL and OSC.STATUS. */
enum { RC2M, RC32M, RC32K, EXTERNAL, PLL, SOURCES };

struct xmega_clk {
    struct periph periph;
    struct periph_window osc_window;
    uint8_t clk[CLK_SIZE], osc[OSC_SIZE];
    struct sim_clock *source[SOURCES];
    struct sim_clock *sys, *per4, *per2, *per;
    struct sim_net *unlocked;
    uint64_t external_ready_ps;
};

static enum uj_err clk_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {PERIPH_LOADER_KEYS, "osc"};
    struct xmega_clk *clk = (struct xmega_clk *)p;
    const struct {
        const char *name;
        struct sim_clock **clock;
        bool derived;
    } wanted[] = {
        {"rc2m", &clk->source[RC2M], false},
        {"rc32m", &clk->source[RC32M], false},
        {"rc32k", &clk->source[RC32K], false},
        {"external", &clk->source[EXTERNAL], false},
        {"pll", &clk->source[PLL], true},
        {"sys", &clk->sys, true},
        {"per4", &clk->per4, true},
        {"per2", &clk->per2, true},
        {"per", &clk->per, true},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        *wanted[i].clock = machine_clock(p->machine, wanted[i].name);
        if (!*wanted[i].clock || (wanted[i].derived && !(*wanted[i].clock)->parent))
            return yaml_fail(ctx, p->options, "needs a %sclock \"%s\" of the chip",
                             wanted[i].derived ? "derived " : "", wanted[i].name);
    }
    clk->unlocked = machine_net(p->machine, XMEGA_CCP_NET);
    enum uj_err err = yaml_only(ctx, p->options, keys, sizeof keys / sizeof keys[0]);
    return err ? err : periph_window_option(ctx, &clk->osc_window, p, "osc", OSC_SIZE, OSC);
}

static void select_source(struct xmega_clk *clk)
{
    struct sim_clock *source = clk->source[clk->clk[CLK_CTRL]];
    if (clk->sys->parent != source)
        clock_set_parent(clk->sys, source, machine_now(clk->periph.machine));
}

static void set_divider(struct xmega_clk *clk, struct sim_clock *c, unsigned divider)
{
    if (c->divide != divider)
        clock_set_ratio(c, 1, divider, machine_now(clk->periph.machine));
}

static void set_prescalers(struct xmega_clk *clk)
{
    static const uint8_t dividers[4][2] = {{1, 1}, {1, 2}, {4, 1}, {2, 2}}; /* of B and C */
    unsigned a = clk->clk[CLK_PSCTRL] >> 2 & 0x1F, bc = clk->clk[CLK_PSCTRL] & 3;
    set_divider(clk, clk->per4, a & 1 ? 1u << (a + 1) / 2 : 1);
    set_divider(clk, clk->per2, dividers[bc][0]);
    set_divider(clk, clk->per, dividers[bc][1]);
}

/* The source that the PLL multiplies: 2 MHz, a quarter of 32 MHz, or the external one. */
static unsigned pll_source(const struct xmega_clk *clk)
{
    static const uint8_t sources[4] = {RC2M, RC2M, RC32M, EXTERNAL};
    return sources[clk->osc[OSC_PLLCTRL] >> 6];
}

static void set_pll(struct xmega_clk *clk)
{
    unsigned source = pll_source(clk), factor = clk->osc[OSC_PLLCTRL] & 0x1F;
    struct sim_clock *pll = clk->source[PLL];
    uint64_t now = machine_now(clk->periph.machine);
    if (pll->parent != clk->source[source])
        clock_set_parent(pll, clk->source[source], now);
    clock_set_ratio(pll, factor ? factor : 1, source == RC32M ? 4 : 1, now);
}

static void clk_reset(struct periph *p)
{
    struct xmega_clk *clk = (struct xmega_clk *)p;
    for (unsigned i = 0; i < CLK_SIZE; i++)
        clk->clk[i] = 0;
    for (unsigned i = 0; i < OSC_SIZE; i++)
        clk->osc[i] = 0;
    clk->osc[OSC_CTRL] = 1 << RC2M;
    clk->external_ready_ps = SIM_NEVER;
    select_source(clk);
    set_prescalers(clk);
    set_pll(clk);
}

/* Cycles of the external clock or crystal before it is used, by XOSCSEL. */
static unsigned external_startup_cycles(const struct xmega_clk *clk)
{
    switch (clk->osc[OSC_XOSCCTRL] & 0x0F) {
    case 0x2: return 16384; /* 32 kHz crystal */
    case 0x3: return 256;
    case 0x7: return 1024;
    case 0xB: return 16384;
    default: return 6; /* external clock */
    }
}

static uint8_t ready_sources(struct xmega_clk *clk)
{
    uint8_t ready = clk->osc[OSC_CTRL];
    if (machine_now(clk->periph.machine) < clk->external_ready_ps)
        ready &= (uint8_t) ~(1u << EXTERNAL);
    if (!(ready >> pll_source(clk) & 1) || !(clk->osc[OSC_PLLCTRL] & 0x1F))
        ready &= (uint8_t) ~(1u << PLL);
    return ready;
}

static uint32_t clk_read(struct periph *p, uint32_t offset, unsigned bytes)
{
    struct xmega_clk *clk = (struct xmega_clk *)p;
    (void)bytes;
    if (offset < CLK_SIZE)
        return clk->clk[offset];
    if (offset == OSC + OSC_STATUS)
        return ready_sources(clk);
    return clk->osc[offset - OSC];
}

static void write_clk(struct xmega_clk *clk, uint32_t offset, uint8_t value)
{
    bool open = net_level(clk->unlocked) && !(clk->clk[CLK_LOCK] & 1);
    switch (offset) {
    case CLK_CTRL:
        value &= 7;
        if (!open || value >= SOURCES || !(ready_sources(clk) >> value & 1))
            return;
        clk->clk[CLK_CTRL] = value;
        select_source(clk);
        break;
    case CLK_PSCTRL:
        if (!open)
            return;
        clk->clk[CLK_PSCTRL] = value & 0x7F;
        set_prescalers(clk);
        break;
    case CLK_LOCK:
        if (net_level(clk->unlocked))
            clk->clk[CLK_LOCK] |= value & 1;
        break;
    default: clk->clk[CLK_RTCCTRL] = value & 0x0F; break;
    }
}

static void write_osc(struct xmega_clk *clk, uint32_t offset, uint8_t value)
{
    unsigned used = 1u << clk->clk[CLK_CTRL];
    if (clk->clk[CLK_CTRL] == PLL)
        used |= 1u << pll_source(clk);
    switch (offset) {
    case OSC_CTRL: {
        uint8_t before = clk->osc[OSC_CTRL];
        clk->osc[OSC_CTRL] = (uint8_t)((value & 0x1F) | (before & used));
        uint8_t started = clk->osc[OSC_CTRL] & (uint8_t)~before;
        if (started >> EXTERNAL & 1) {
            const struct sim_clock *external = clk->source[EXTERNAL];
            uint64_t ticks = clock_ticks(external, machine_now(clk->periph.machine));
            clk->external_ready_ps = clock_time(external, ticks + external_startup_cycles(clk));
        }
        break;
    }
    case OSC_STATUS: break;
    case OSC_XOSCCTRL:
        if (!(clk->osc[OSC_CTRL] >> EXTERNAL & 1))
            clk->osc[OSC_XOSCCTRL] = value;
        break;
    case OSC_PLLCTRL:
        if (clk->osc[OSC_CTRL] >> PLL & 1)
            break;
        clk->osc[OSC_PLLCTRL] = value;
        set_pll(clk);
        break;
    default: clk->osc[offset] = value; break;
    }
}

static void clk_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes)
{
    struct xmega_clk *clk = (struct xmega_clk *)p;
    (void)bytes;
    if (offset < CLK_SIZE)
        write_clk(clk, offset, (uint8_t)value);
    else
        write_osc(clk, offset - OSC, (uint8_t)value);
    machine_retime(p->machine);
}

const struct periph_class xmega_clk_class = {
    .name = "xmega_clk",
    .bytes = sizeof(struct xmega_clk),
    .window = CLK_SIZE,
    .create = clk_create,
    .reset = clk_reset,
    .read = clk_read,
    .write = clk_write,
};
