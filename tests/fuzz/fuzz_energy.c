/* Hostile device files: currents, trace maps and batteries, and the prices that come of them. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "energy/energy_battery.h"
#include "energy/energy_probe.h"
#include "energy/energy_state.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A failure has a message; a success has none. */
static void check(struct uj_ctx *ctx, enum uj_err err)
{
    if ((err != UJ_OK) != (ctx->message[0] != '\0'))
        abort();
    uj_clear(ctx);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct uj_ctx ctx = {0};
    struct yaml *file;
    if (yaml_parse(&ctx, &file, "fuzz", (const char *)data, size))
        return 0;
    struct energy_model *model = energy_model_new(3.3);
    check(&ctx, energy_model_add(&ctx, model, "cpu", yaml_root(file), "paper"));
    const struct state_total totals[] = {{"active", 8e6, 1000000, 1}, {"idle", 0, 2000000, 1}};
    struct energy_result result;
    energy_of_states(model, &result, "cpu", totals, 2);
    if (isnan(result.nj) != (result.reason[0] != '\0') || result.nj < 0)
        abort();
    energy_model_free(model);
    struct energy_probe probe;
    check(&ctx, energy_probe_read(&ctx, &probe, yaml_root(file), "paper"));
    struct energy_battery battery;
    enum uj_err err = energy_battery_read(&ctx, &battery, file, "aa");
    if (!err && !(energy_battery_days(&battery, 2, 1e-3, 1) > 0))
        abort();
    check(&ctx, err);
    yaml_close(file);
    return 0;
}
