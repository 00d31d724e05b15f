#include "energy/energy_period.h"

static double milliwatts(const struct energy_model *model, const char *state, double hz)
{
    struct energy_current current;
    energy_current(model, &current, "cpu", state, hz);
    return energy_model_supply_v(model) * current.amps * 1e3;
}

void energy_of_period(const struct energy_model *model, struct energy_period *out, double hz,
                      const char *sleep, double active_s, double period_s)
{
    out->cpu_share = active_s / period_s;
    out->cpu_mw = milliwatts(model, ENERGY_ACTIVE_STATE, hz) * out->cpu_share;
    out->lpm_mw = milliwatts(model, sleep, hz) * (1 - out->cpu_share);
    out->mw = out->cpu_mw + out->lpm_mw;
}
