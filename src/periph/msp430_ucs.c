/*
 * Unified clock system of the 5xx: the FLL holds the DCO at a multiple of its reference, and does
 * so at once when its registers are written; what settling takes on the chip is not modelled.
 * Clocks are named by options: dco, dcodiv (DCOCLKDIV), xt1, refo, vlo, aclk, smclk_source, smclk,
 * mclk. The crystal is taken to run already; the fault flags are set after reset and stay clear
 * once the program has cleared them. XT2 is on none of the boards: REFO and DCOCLKDIV stand in, as
 * the fault logic has it.
 */
#include "periph/msp430_lpm.h"
#include "periph/msp430_sfr.h"

enum { CTL0, CTL1, CTL2, CTL3, CTL4, CTL5, CTL6, CTL7, CTL8, WORDS };
enum { FLLN = 0x3ff, FLLD_SHIFT = 12, SELREF_SHIFT = 4, FAULTS = 0x000f };

struct msp430_ucs {
    struct periph periph;
    struct msp430_lpm lpm;
    struct sim_clock *dcodiv, *xt1, *refo, *vlo, *smclk_source;
    uint16_t value[WORDS];
};

/* What a selection names: XT1, VLO, REFO, DCOCLK, DCOCLKDIV, XT2. */
static struct sim_clock *source(const struct msp430_ucs *u, unsigned select)
{
    switch (select & 7) {
    case 0: return u->xt1;
    case 1: return u->vlo;
    case 2: return u->refo;
    case 3: return u->lpm.dco;
    default: return u->dcodiv;
    }
}

static void use(struct sim_clock *c, struct sim_clock *parent, unsigned divider, uint64_t now)
{
    if (c->parent != parent)
        clock_set_parent(c, parent, now);
    if (c->divide != divider)
        clock_set_ratio(c, 1, divider, now);
}

static void apply(struct msp430_ucs *u)
{
    static const uint8_t ref_dividers[8] = {1, 2, 4, 8, 12, 16, 16, 16};
    uint64_t now = machine_now(u->periph.machine);
    unsigned flld = u->value[CTL2] >> FLLD_SHIFT & 7, n = (u->value[CTL2] & FLLN) + 1;
    unsigned d = 1u << (flld > 5 ? 5 : flld);
    unsigned selref = u->value[CTL3] >> SELREF_SHIFT & 7;
    const struct sim_clock *ref = selref == 0 ? u->xt1 : u->refo;
    struct sim_clock *dco = u->lpm.dco;
    uint64_t hz = ref->root_hz * n * d,
             divisor = ref->root_divisor * ref_dividers[u->value[CTL3] & 7];
    if (dco->root_hz != hz || dco->root_divisor != divisor)
        clock_set_root(dco, hz, divisor, now);
    if (u->dcodiv->divide != d)
        clock_set_ratio(u->dcodiv, 1, d, now);
    unsigned sel = u->value[CTL4], div = u->value[CTL5];
#define DIVIDER(shift) (1u << ((div >> (shift)&7) > 5 ? 5 : (div >> (shift)&7)))
    use(u->lpm.aclk, source(u, sel >> 8), DIVIDER(8), now);
    use(u->smclk_source, source(u, sel >> 4), DIVIDER(4), now);
    use(u->lpm.mclk, source(u, sel), DIVIDER(0), now);
#undef DIVIDER
    machine_retime(u->periph.machine);
}

static enum uj_err ucs_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {
        PERIPH_LOADER_KEYS, MSP430_LPM_KEYS, "dcodiv", "xt1", "refo", "vlo",
        "smclk_source",     "note",          "source"};
    struct msp430_ucs *u = (struct msp430_ucs *)p;
    enum uj_err err = yaml_only(ctx, p->options, keys, sizeof keys / sizeof *keys);
    if (err || (err = msp430_lpm_create(ctx, &u->lpm, p)) ||
        (err = msp430_clock_option(ctx, &u->dcodiv, p, "dcodiv")) ||
        (err = msp430_clock_option(ctx, &u->xt1, p, "xt1")) ||
        (err = msp430_clock_option(ctx, &u->refo, p, "refo")) ||
        (err = msp430_clock_option(ctx, &u->vlo, p, "vlo")) ||
        (err = msp430_clock_option(ctx, &u->smclk_source, p, "smclk_source")))
        return err;
    return UJ_OK;
}

static void ucs_reset(struct periph *p)
{
    static const uint16_t after_reset[WORDS] = {0x0000, 0x0020, 0x101f, 0x0000, 0x0044,
                                                0x0000, 0xc1cd, 0x0403, 0x0707};
    struct msp430_ucs *u = (struct msp430_ucs *)p;
    msp430_lpm_reset(&u->lpm);
    for (unsigned i = 0; i < WORDS; i++)
        u->value[i] = after_reset[i];
    apply(u);
}

static uint32_t ucs_read(struct periph *p, uint32_t offset, unsigned bytes)
{
    const struct msp430_ucs *u = (const struct msp430_ucs *)p;
    (void)bytes;
    return (uint32_t)u->value[offset / 2] >> (offset & 1 ? 8 : 0);
}

static void ucs_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes)
{
    struct msp430_ucs *u = (struct msp430_ucs *)p;
    uint16_t *at = &u->value[offset / 2];
    uint16_t word = (uint16_t)value;
    if (bytes == 1)
        word = (uint16_t)(offset & 1 ? (*at & 0xff) | (value & 0xff) << 8
                                     : (*at & 0xff00) | (value & 0xff));
    if (offset / 2 == CTL7)
        word = (uint16_t)((word & ~FAULTS) | (*at & word & FAULTS)); /* cleared by zeros */
    *at = word;
    apply(u);
}

const struct periph_class msp430_ucs_class = {
    .name = "msp430_ucs",
    .bytes = sizeof(struct msp430_ucs),
    .window = 2 * WORDS,
    .create = ucs_create,
    .reset = ucs_reset,
    .read = ucs_read,
    .write = ucs_write,
};
