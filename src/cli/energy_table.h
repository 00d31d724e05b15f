/*
 * The table of `ujoule energy`: a row a trace, and one of all where there are several, with mean
 * and standard deviation; the way from the samples to joules below it.
 */
#ifndef UJ_CLI_ENERGY_TABLE_H
#define UJ_CLI_ENERGY_TABLE_H

#include "energy/energy_recorded.h"
#include "report/table.h"

/* `name` stands for the file in messages. Free the table. */
enum uj_err energy_table(struct uj_ctx *ctx, struct table **out, const struct energy_recorded *r,
                         const struct trace_file *f, const char *name) UJ_CHECK;

#endif
