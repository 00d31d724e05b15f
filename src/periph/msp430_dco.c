#include "periph/msp430_dco.h"

#include <math.h>

/* splitmix64; from -1 to 1. */
static double draw(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    x ^= x >> 31;
    return (double)(x >> 11) * 0x1p-52 - 1;
}

enum uj_err msp430_dco_create(struct uj_ctx *ctx, struct msp430_dco *dco, struct periph *p)
{
    const struct yaml_node *ranges;
    double range_spread = 0, step_spread = 0;
    int64_t seed = 0;
    enum uj_err err = yaml_need(ctx, &ranges, p->options, "ranges");
    if (err || (err = yaml_need_quantity(ctx, &dco->step, p->options, "step", "")) ||
        (err = yaml_get_quantity(ctx, &range_spread, p->options, "range_spread", "")) ||
        (err = yaml_get_quantity(ctx, &step_spread, p->options, "step_spread", "")) ||
        (err = yaml_get_quantity(ctx, &dco->wander, p->options, "wander", "")) ||
        (err = yaml_get_integer(ctx, &seed, p->options, "seed", 0, INT64_C(1) << 53)))
        return err;
    if (ranges->kind != YAML_LIST || (ranges->count != 8 && ranges->count != 16))
        return yaml_fail(ctx, ranges, "8 or 16 frequencies, of RSEL at DCO = 3, MOD = 0");
    if (dco->step <= 1 || range_spread < 0 || range_spread >= 1 || step_spread < 0 ||
        step_spread >= dco->step - 1 || dco->wander < 0 || dco->wander >= 0.1)
        return yaml_fail(ctx, ranges,
                         "step must be above 1, also less its spread; the ranges' "
                         "spread below 1; wander below 0.1");
    dco->ranges = (unsigned)ranges->count;
    for (unsigned i = 0; i < dco->ranges; i++) {
        if ((err = yaml_quantity(ctx, &dco->range_hz[i], &ranges->items[i], "Hz")))
            return err;
        if (dco->range_hz[i] < 1000)
            return yaml_fail(ctx, &ranges->items[i], "below 1 kHz");
    }
    dco->random = (uint64_t)seed;
    if (seed == 0)
        return UJ_OK;
    /* The ranges of one chip lie high or low together, for the most part. */
    double all = draw(&dco->random);
    for (unsigned i = 0; i < dco->ranges; i++)
        dco->range_hz[i] *= 1 + range_spread * (0.8 * all + 0.2 * draw(&dco->random));
    dco->step += step_spread * draw(&dco->random);
    return UJ_OK;
}

double msp430_dco_hz(const struct msp430_dco *dco, unsigned rsel, unsigned dcoctl)
{
    unsigned tap = dcoctl >> 5, mod = tap == 7 ? 0 : dcoctl & 31;
    double low = dco->range_hz[rsel % dco->ranges] * pow(dco->step, (double)tap - 3);
    /* 32 cycles, `mod` of them shorter by the step. */
    return low * 32 / ((32 - mod) + mod / dco->step);
}

double msp430_dco_draw(struct msp430_dco *dco, unsigned rsel, unsigned dcoctl)
{
    return msp430_dco_hz(dco, rsel, dcoctl) * (1 + dco->wander * draw(&dco->random));
}

void msp430_dco_find(const struct msp430_dco *dco, unsigned *rsel, unsigned *dcoctl, double hz)
{
    unsigned range = 0;
    while (range + 1 < dco->ranges && msp430_dco_hz(dco, range, 0xe0) < hz)
        range++;
    unsigned best = 0;
    for (unsigned i = 1; i <= 0xe0; i++)
        if (fabs(msp430_dco_hz(dco, range, i) - hz) < fabs(msp430_dco_hz(dco, range, best) - hz))
            best = i;
    *rsel = range;
    *dcoctl = best;
}
