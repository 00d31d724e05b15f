#include "cli/bench_period.h"

#include <math.h>
#include <stdlib.h>

#include "base/quantity.h"
#include "base/str.h"
#include "energy/energy_period.h"
#include "sim/board.h"

static const double shortest_s = 1e-3, longest_s = 86400;

enum uj_err bench_period_parse(struct uj_ctx *ctx, double *seconds, const char *text)
{
    double value;
    if (!quantity_parse(&value, text, "s"))
        return uj_fail(ctx, UJ_ERR_USAGE, "--period: '%s' is no time, as 1s or 500ms", text);
    if (!(value >= shortest_s && value <= longest_s))
        return uj_fail(ctx, UJ_ERR_USAGE, "--period: %s is out of range (1ms..86400s)", text);
    *seconds = value;
    return UJ_OK;
}

/* NULL where the chip's file has none. */
static const char *sleep_state(const struct board *board)
{
    const struct yaml_node *node = yaml_get(board->mcu_map, "sleep_state");
    return node ? node->text : NULL;
}

enum uj_err bench_period_check(struct uj_ctx *ctx, const struct board *board)
{
    const char *sleep = NULL;
    enum uj_err err = yaml_get_text(ctx, &sleep, board->mcu_map, "sleep_state");
    if (err)
        return err;
    if (!sleep)
        return uj_fail(ctx, UJ_ERR_USAGE,
                       "--period: the file of %s's chip %s names no sleep_state; leave the board "
                       "out or name one",
                       board->name, board->mcu);
    return UJ_OK;
}

/* Takes the message over. */
static void fail(struct measurement *m, char *message)
{
    free(m->error);
    m->error = message;
    measurement_void(m);
}

void bench_period_price(struct measurement *m, const struct board *board,
                        const struct energy_model *model, double hz, double period_s)
{
    double active_s = (double)m->time_ns * 1e-9;
    const char *sleep = sleep_state(board);
    if (active_s > period_s) {
        char took[32], period[32];
        fail(m, uj_format("takes %s, longer than the period of %s",
                          quantity_format(took, sizeof took, active_s, "s"),
                          quantity_format(period, sizeof period, period_s, "s")));
        return;
    }
    struct energy_current asleep;
    energy_current(model, &asleep, "cpu", sleep, hz);
    if (isnan(asleep.amps)) {
        fail(m, uj_format("no power asleep: %s", asleep.reason));
        return;
    }
    struct energy_period p;
    energy_of_period(model, &p, hz, sleep, active_s, period_s);
    m->period_ns = llround(period_s * 1e9);
    m->cpu_share = p.cpu_share;
    m->power_cpu_mw = p.cpu_mw;
    m->power_lpm_mw = p.lpm_mw;
    m->power_mw = p.mw;
}
