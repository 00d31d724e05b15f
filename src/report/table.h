/*
 * Tables of typed cells, and the formats that they are written in: `table` for terminals, `csv`
 * (RFC 4180), `json` (an array of objects), `md` (GitHub). Every list that ujoule prints is one.
 *
 * Laws: csv and json give every column under its name, values unscaled and unrounded: a real reads
 * back as the same double, an absent value is an empty field or null, text that is not UTF-8 gets
 * U+FFFD for the bytes that are not. table and md give the columns marked `shown` under their
 * headings, with one SI prefix a column, and leave out a shown column that is absent in
 * every row and has no word for that.
 */
#ifndef UJ_REPORT_TABLE_H
#define UJ_REPORT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

enum cell_kind { CELL_ABSENT, CELL_TEXT, CELL_INTEGER, CELL_REAL, CELL_BOOL };

struct cell {
    enum cell_kind kind;
    union {
        char *text; /* owned by the table */
        int64_t integer;
        double real;
        bool truth;
    } as;
};

struct column {
    const char *name;      /* key in json and csv; constant, as all texts here */
    const char *heading;   /* in table and md; NULL: the name */
    unsigned shown;        /* place in table and md, from 1; 0: in csv and json alone */
    bool people_only;      /* in table and md alone */
    const char *unit;      /* of value x scale, printed with an SI prefix; NULL: as it is */
    double scale;          /* to `unit` without prefix: 1e-9 for nanojoule */
    int digits;            /* significant ones of the smallest value; 0: TABLE_DIGITS */
    const char *prefix_of; /* the column whose SI prefix it takes; NULL: its own */
    const char *yes, *no;  /* words of a CELL_BOOL in table and md; NULL: "yes", "no" */
    const char *absent;    /* the word of CELL_ABSENT in table and md; NULL: "-" */
};

struct table;

enum { TABLE_DIGITS = 4 };

struct table *table_new(const struct column *columns, size_t count);
void table_free(struct table *t);
size_t table_rows(const struct table *t);

/* Begins a row of absent cells; the setters below fill its column `column`. */
void table_row(struct table *t);
void table_text(struct table *t, size_t column, const char *text); /* NULL: absent */
void table_integer(struct table *t, size_t column, int64_t value);
void table_real(struct table *t, size_t column, double value); /* NaN: absent */
void table_bool(struct table *t, size_t column, bool value);
/* Marks the row as a failure: a terminal shows it in red. */
void table_mark(struct table *t);
/* A line below the table in table and md; a repeated one is written once. */
void table_note(struct table *t, const char *format, ...) UJ_PRINTF(2, 3);

/* The cell of a row, for tests and for callers that go on reckoning. */
const struct cell *table_cell(const struct table *t, size_t row, size_t column);

struct table_style {
    bool colour; /* escape sequences may be used */
};

struct table_format {
    const char *name;
    void (*write)(struct str *out, const struct table *t, const struct table_style *style);
};
extern const struct table_format table_formats[];
extern const size_t table_format_count;

/* UJ_ERR_USAGE with the formats that there are, the nearest offered. */
enum uj_err table_format_named(struct uj_ctx *ctx, const struct table_format **out,
                               const char *name) UJ_CHECK;

#endif
