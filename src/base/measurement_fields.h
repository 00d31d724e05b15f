/*
 * The fields of a measurement as a table: the columns of the database, the keys of the JSON, the
 * header of the CSV and the headings of the tables are its rows, in its order.
 *
 * Laws: every member of struct measurement has its row, `verified` two (verified is null and
 * unverified true where there was nothing to compare with); a name, once released, keeps its
 * meaning.
 */
#ifndef UJ_BASE_MEASUREMENT_FIELDS_H
#define UJ_BASE_MEASUREMENT_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/measurement.h"

enum field_kind {
    FIELD_TEXT,       /* char *, absent: NULL */
    FIELD_INTEGER,    /* int64_t, absent: -1 */
    FIELD_REAL,       /* double, absent: NaN */
    FIELD_VERIFIED,   /* enum measured_verified: true, false, null if unverified */
    FIELD_UNVERIFIED, /* the same member: true if unverified, else false */
};

enum field_flags {
    FIELD_KEY = 1,    /* says what was measured: equal keys are the same measurement */
    FIELD_FIGURE = 2, /* a result: absent where the check failed */
};

struct measurement_field {
    const char *name;
    enum field_kind kind;
    unsigned flags;
    size_t offset;
    const char *heading; /* in tables */
    const char *meaning; /* one line for the documentation */
    /* How tables print it; the rest of the formats have the bare value. */
    const char *unit;      /* of value x scale, with an SI prefix; NULL: as it is */
    double scale;          /* to `unit` without prefix: 1e-9 for nanojoule */
    int digits;            /* significant ones of the smallest value; 0: the usual number */
    const char *prefix_of; /* the field whose SI prefix it takes; NULL: its own */
};

extern const struct measurement_field measurement_fields[];
extern const size_t measurement_field_count;

/* NULL where there is none of that name. */
const struct measurement_field *measurement_field_named(const char *name);

/* The member that a field describes. */
static inline void *field_member(struct measurement *m, const struct measurement_field *f)
{
    return (char *)m + f->offset;
}

static inline const void *field_value(const struct measurement *m,
                                      const struct measurement_field *f)
{
    return (const char *)m + f->offset;
}

#endif
