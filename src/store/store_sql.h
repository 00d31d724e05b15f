/*
 * The SQL of the store, made from the table of fields; for store/ alone.
 *
 * The layout: table `measurements` has a row a measurement and a column a field of
 * base/measurement_fields.c under its name (`verified` as 1, 0 or NULL for unverified; `unverified`
 * has none), beside `id`, which grows, and `stored_at`, the time in UTC. Absent values are NULL.
 * New fields become new columns without a new layout: user_version counts layouts, application_id
 * marks the file. Queries read the temporary view `results`, which has every column, also of a file
 * that lacks some and cannot be altered.
 */
#ifndef UJ_STORE_STORE_SQL_H
#define UJ_STORE_STORE_SQL_H

#include <sqlite3.h>
#include <stdbool.h>

#include "base/measurement_fields.h"
#include "base/str.h"
#include "store/store.h"

enum {
    STORE_LAYOUT = 1,
    STORE_APPLICATION_ID = 0x756a6f75, /* "ujou" */
};

/* Has the field a column of its own? */
bool store_has_column(const struct measurement_field *f);

void store_sql_create(struct str *out);
void store_sql_add_column(struct str *out, const struct measurement_field *f);
/* `has[i]`: the file has a column for field i. */
void store_sql_view(struct str *out, const bool *has);
/* INSERT, one parameter a column. */
void store_sql_insert(struct str *out);
/* The latest row of a key: one parameter a FIELD_KEY column, then the input. */
void store_sql_find(struct str *out);
/* The rows that pass, oldest first; parameters as store_bind_filter() binds them. */
void store_sql_read(struct str *out, const struct store_filter *filter);

/* These return SQLite's code. */
int store_bind_insert(sqlite3_stmt *statement, const struct measurement *m);
int store_bind_find(sqlite3_stmt *statement, const struct measurement *wanted);
int store_bind_filter(sqlite3_stmt *statement, const struct store_filter *filter);

/* The measurement at the row of a statement by store_sql_find() or store_sql_read(). */
void store_load(struct measurement *out, sqlite3_stmt *statement);

#endif
