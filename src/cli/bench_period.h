/*
 * `ujoule bench --period TIME`: the average power of one operation each period, asleep for the
 * rest.
 *
 * Laws: a board whose chip names no sleep_state is refused before anything is built; an operation
 * that takes longer than the period, and a sleep whose current is not known, are failures with
 * their names, without figures.
 */
#ifndef UJ_CLI_BENCH_PERIOD_H
#define UJ_CLI_BENCH_PERIOD_H

#include "base/err.h"
#include "base/measurement.h"

struct board;
struct energy_model;

/* "1s", "500 ms": 1 ms to one day. */
enum uj_err bench_period_parse(struct uj_ctx *ctx, double *seconds, const char *text) UJ_CHECK;
enum uj_err bench_period_check(struct uj_ctx *ctx, const struct board *board) UJ_CHECK;
/* Fills the period's fields of a measurement whose time stands; `hz` is the clock of the CPU. */
void bench_period_price(struct measurement *m, const struct board *board,
                        const struct energy_model *model, double hz, double period_s);

#endif
