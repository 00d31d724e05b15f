#include "periph/msp430_lpm.h"

#include "periph/msp430_sfr.h"

/* The chip's block of clocks begins with struct periph, then this. */
struct clock_block {
    struct periph periph;
    struct msp430_lpm lpm;
};

static void gate(struct msp430_lpm *lpm, unsigned bits, uint64_t now_ps)
{
    lpm->bits = bits;
    clock_set_gate(lpm->smclk, (bits & LPM_SCG1) != 0, now_ps);
    clock_set_gate(lpm->aclk, (bits & LPM_OSCOFF) != 0, now_ps);
    machine_retime(lpm->periph->machine);
}

static const char *fall_asleep(void *chip, unsigned mode)
{
    static const char *const names[4] = {"lpm0", "lpm1", "lpm2", "lpm3"};
    struct msp430_lpm *lpm = &((struct clock_block *)chip)->lpm;
    gate(lpm, mode, machine_now(lpm->periph->machine));
    return mode & LPM_OSCOFF
               ? "lpm4"
               : names[(mode & LPM_SCG0) / LPM_SCG0 | (mode & LPM_SCG1) / LPM_SCG1 << 1];
}

static void clock_bits(void *chip, unsigned bits)
{
    struct msp430_lpm *lpm = &((struct clock_block *)chip)->lpm;
    gate(lpm, bits, machine_now(lpm->periph->machine));
}

/* The DCO stands while nothing uses it: SCG0 stops it where MCLK and SMCLK stand too. */
static uint64_t wake(void *chip)
{
    struct msp430_lpm *lpm = &((struct clock_block *)chip)->lpm;
    uint64_t now = machine_now(lpm->periph->machine), latency = 0;
    bool dco_stood = (lpm->bits & (LPM_SCG0 | LPM_SCG1)) == (LPM_SCG0 | LPM_SCG1);
    if (dco_stood && lpm->mclk->parent == lpm->dco) {
        double s = lpm->slow && net_level(lpm->slow) ? lpm->wake_slow_s : lpm->wake_s;
        s += lpm->wake_cycles / clock_hz(lpm->mclk);
        latency = (uint64_t)(s * (double)PS_PER_SECOND + 0.5);
    }
    gate(lpm, 0, now + latency);
    return latency;
}

enum uj_err msp430_lpm_create(struct uj_ctx *ctx, struct msp430_lpm *lpm, struct periph *p)
{
    *lpm = (struct msp430_lpm){.periph = p};
    enum uj_err err;
    if ((err = msp430_clock_option(ctx, &lpm->aclk, p, "aclk")) ||
        (err = msp430_clock_option(ctx, &lpm->smclk, p, "smclk")) ||
        (err = msp430_clock_option(ctx, &lpm->mclk, p, "mclk")) ||
        (err = msp430_clock_option(ctx, &lpm->dco, p, "dco")) ||
        (err = yaml_need_quantity(ctx, &lpm->wake_s, p->options, "wake", "s")) ||
        (err = yaml_get_quantity(ctx, &lpm->wake_cycles, p->options, "wake_cycles", "")))
        return err;
    if (yaml_get(p->options, "wake_slow")) {
        lpm->slow = machine_net(p->machine, "pmm.slow_wake");
        if ((err = yaml_need_quantity(ctx, &lpm->wake_slow_s, p->options, "wake_slow", "s")))
            return err;
    }
    struct core_port *port = &p->machine->core->port;
    port->chip = p;
    port->sleep = fall_asleep;
    port->clock_bits = clock_bits;
    port->wake = wake;
    return UJ_OK;
}

void msp430_lpm_reset(struct msp430_lpm *lpm)
{
    gate(lpm, 0, machine_now(lpm->periph->machine));
}
