/*
 * The ranking of measurements by E-RANK.
 *
 * Laws: the higher E-RANK is the better; its spread follows from that of the energy. A
 * measurement's place is 1 + the number of those that are better beyond both spreads, so two whose
 * spreads overlap are not told apart by it, and `tie` says that there is such another one. Only
 * measurements of the same board, operation and message size are compared. Without E-RANK the place
 * is 0.
 */
#ifndef UJ_REPORT_RANK_H
#define UJ_REPORT_RANK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/measurement.h"

struct rank {
    double low, high; /* of E-RANK */
    unsigned place;   /* from 1; 0: no E-RANK */
    bool tie;
};

/* Fills ranks[i] for rows[i]. */
void rank_measurements(struct rank *ranks, const struct measurement *const *rows, size_t count);

/*
 * Fills order[0..count) with the indices of rows: by board, operation and message size, within them
 * by E-RANK from the best, those without at the end; else as they stood.
 */
void rank_order(size_t *order, const struct measurement *const *rows, size_t count);

/* The same rule for bare values from low to high (absent: NaN), the higher the better. */
void rank_values(struct rank *ranks, const double *low, const double *high, size_t count);

/* "1", "2=" for a tie, "" for place 0, into `out`; returns it. */
const char *rank_text(char *out, size_t size, const struct rank *r);

#endif
