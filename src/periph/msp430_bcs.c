/*
 * Basic clock module of the 1xx and BCS+ of the 2xx (option plus: true). Clocks: the DCO, the watch
 * crystal LFXT1, and from them MCLK, SMCLK and ACLK; options name the chip's clocks: dco, lfxt1,
 * aclk, smclk_source (SMCLK before the low-power modes), smclk, mclk; the very low frequency
 * oscillator of the 2xx is `vlo`. There is no XT2 on the boards: where the program selects it,
 * the DCO stands in, as the oscillator fault logic of the chip does.
 *
 * `calibration` is where the maker's settings for 16, 12, 8 and 1 MHz lie, made from this chip's
 * own curve. After reset the crystal is taken to run already; its fault flag is set once and stays
 * clear when the program has cleared it.
 */
#include "base/str.h"
#include "periph/msp430_dco.h"
#include "periph/msp430_lpm.h"
#include "periph/msp430_sfr.h"

enum { BCSCTL3, SVSCTL = 2, DCOCTL = 3, BCSCTL1, BCSCTL2, BCS_SIZE };
enum { DIVA_SHIFT = 4, RSEL = 0x07, RSEL_PLUS = 0x0f };
enum { SELM_SHIFT = 6, DIVM_SHIFT = 4, DIVS_SHIFT = 1 };
enum { LFXT1S_MASK = 0x30, LFXT1S_VLO = 0x20, OSCILLATOR_FAULTS = 0x03 };
enum { CALIBRATIONS = 4 };

struct msp430_bcs {
    struct periph periph;
    struct msp430_lpm lpm;
    struct msp430_dco dco;
    struct sim_clock *lfxt1, *vlo, *smclk_source;
    bool is_plus;
    uint8_t value[BCS_SIZE];
};

static void set_parent(struct sim_clock *c, struct sim_clock *parent, uint64_t now)
{
    if (c->parent != parent)
        clock_set_parent(c, parent, now);
}

static void set_divider(struct sim_clock *c, unsigned divider, uint64_t now)
{
    if (c->divide != divider)
        clock_set_ratio(c, 1, divider, now);
}

static void set_dco(struct msp430_bcs *b)
{
    unsigned rsel = b->value[BCSCTL1] & (b->is_plus ? RSEL_PLUS : RSEL);
    double hz = msp430_dco_draw(&b->dco, rsel, b->value[DCOCTL]);
    clock_set_root(b->lpm.dco, (uint64_t)(hz + 0.5), 1, machine_now(b->periph.machine));
}

/* Sources and dividers of ACLK, MCLK and SMCLK. */
static void select_sources(struct msp430_bcs *b)
{
    uint64_t now = machine_now(b->periph.machine);
    unsigned selm = b->value[BCSCTL2] >> SELM_SHIFT;
    bool is_vlo = b->vlo && (b->value[BCSCTL3] & LFXT1S_MASK) == LFXT1S_VLO;
    struct sim_clock *low = is_vlo ? b->vlo : b->lfxt1;
    /* On a chip without XT2 its selection for SMCLK means LFXT1 or the VLO; these chips have it. */
    set_parent(b->lpm.aclk, low, now);
    set_divider(b->lpm.aclk, 1u << (b->value[BCSCTL1] >> DIVA_SHIFT & 3), now);
    set_parent(b->lpm.mclk, selm == 3 ? low : b->lpm.dco, now);
    set_divider(b->lpm.mclk, 1u << (b->value[BCSCTL2] >> DIVM_SHIFT & 3), now);
    set_divider(b->smclk_source, 1u << (b->value[BCSCTL2] >> DIVS_SHIFT & 3), now);
    machine_retime(b->periph.machine);
}

/* What the maker has measured: CALDCO and CALBC1 for 16, 12, 8 and 1 MHz. */
static enum uj_err write_calibration(struct uj_ctx *ctx, struct msp430_bcs *b)
{
    static const double hz[CALIBRATIONS] = {16e6, 12e6, 8e6, 1e6};
    int64_t address = -1;
    enum uj_err err =
        yaml_get_integer(ctx, &address, b->periph.options, "calibration", 0, 0xffff - 8);
    if (err || address < 0)
        return err;
    for (unsigned i = 0; i < CALIBRATIONS; i++) {
        unsigned rsel, dcoctl;
        msp430_dco_find(&b->dco, &rsel, &dcoctl, hz[i]);
        uint8_t pair[2] = {(uint8_t)dcoctl, (uint8_t)(0x80 | rsel)};
        if (!mem_poke(&b->periph.machine->data, (uint32_t)address + 2 * i, pair, sizeof pair))
            return yaml_fail(ctx, yaml_get(b->periph.options, "calibration"),
                             "no memory lies there");
    }
    return UJ_OK;
}

static enum uj_err bcs_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {PERIPH_LOADER_KEYS,
                                       MSP430_LPM_KEYS,
                                       MSP430_DCO_KEYS,
                                       "lfxt1",
                                       "smclk_source",
                                       "vlo",
                                       "plus",
                                       "calibration",
                                       "note",
                                       "source"};
    struct msp430_bcs *b = (struct msp430_bcs *)p;
    enum uj_err err = yaml_only(ctx, p->options, keys, sizeof keys / sizeof *keys);
    if (err || (err = msp430_lpm_create(ctx, &b->lpm, p)) ||
        (err = msp430_dco_create(ctx, &b->dco, p)) ||
        (err = msp430_clock_option(ctx, &b->lfxt1, p, "lfxt1")) ||
        (err = msp430_clock_option(ctx, &b->smclk_source, p, "smclk_source")) ||
        (err = yaml_get_bool(ctx, &b->is_plus, p->options, "plus")))
        return err;
    if (yaml_get(p->options, "vlo") && (err = msp430_clock_option(ctx, &b->vlo, p, "vlo")))
        return err;
    if (b->dco.ranges != (b->is_plus ? RSEL_PLUS : RSEL) + 1u)
        return yaml_fail(ctx, p->options, "ranges must be %d in number",
                         (b->is_plus ? RSEL_PLUS : RSEL) + 1);
    return write_calibration(ctx, b);
}

static void bcs_reset(struct periph *p)
{
    struct msp430_bcs *b = (struct msp430_bcs *)p;
    msp430_lpm_reset(&b->lpm);
    b->value[DCOCTL] = 0x60;
    b->value[BCSCTL1] = b->is_plus ? 0x87 : 0x84;
    b->value[BCSCTL2] = 0;
    b->value[BCSCTL3] = 0x04;
    b->value[SVSCTL] = 0;
    set_dco(b);
    select_sources(b);
}

static uint32_t bcs_read(struct periph *p, uint32_t offset, unsigned bytes)
{
    const struct msp430_bcs *b = (const struct msp430_bcs *)p;
    uint32_t value = 0;
    for (unsigned i = 0; i < MSP430_BYTES(bytes) && offset + i < BCS_SIZE; i++)
        value |= (uint32_t)b->value[offset + i] << (8 * i);
    return value;
}

static void write_byte(struct msp430_bcs *b, uint32_t offset, uint8_t value)
{
    uint8_t before = b->value[offset];
    if (offset == BCSCTL3)
        value &= (uint8_t)~OSCILLATOR_FAULTS;
    b->value[offset] = value;
    unsigned rsel = b->is_plus ? RSEL_PLUS : RSEL;
    if (offset == DCOCTL || (offset == BCSCTL1 && (before ^ value) & rsel))
        set_dco(b);
    if (offset == BCSCTL1 || offset == BCSCTL2 || offset == BCSCTL3)
        select_sources(b);
}

static void bcs_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes)
{
    for (unsigned i = 0; i < MSP430_BYTES(bytes) && offset + i < BCS_SIZE; i++)
        write_byte((struct msp430_bcs *)p, offset + i, (uint8_t)(value >> (8 * i)));
}

const struct periph_class msp430_bcs_class = {
    .name = "msp430_bcs",
    .bytes = sizeof(struct msp430_bcs),
    .window = BCS_SIZE,
    .create = bcs_create,
    .reset = bcs_reset,
    .read = bcs_read,
    .write = bcs_write,
};
