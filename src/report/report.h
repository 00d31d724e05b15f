/*
 * Measurements as a table: every field of base/measurement_fields.c in its order, and for readers
 * the place in the ranking by E-RANK.
 *
 * Laws: a failed measurement stands in every format with its error and without figures; energy that
 * is absent has its reason below the table.
 */
#ifndef UJ_REPORT_REPORT_H
#define UJ_REPORT_REPORT_H

#include <stdbool.h>

#include "base/measurement.h"
#include "report/table.h"

struct report_options {
    /* Names of the fields that table and md show, in that order; NULL: the usual ones. */
    char *const *columns;
    size_t column_count;
    bool images; /* without `columns`: also the sizes of whole images and their increase */
};

/* UJ_ERR_USAGE if a column is unknown. Free the table. The measurements may go before the table
 * does. */
enum uj_err report_measurements(struct uj_ctx *ctx, struct table **out,
                                const struct measurement *const *rows, size_t count,
                                const struct report_options *options) UJ_CHECK;

#endif
