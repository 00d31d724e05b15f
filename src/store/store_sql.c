#include "store/store_sql.h"

#include <math.h>

/* The input is part of the key only where no seed says what it is. */
#define KEY_INPUT "CASE WHEN seed IS NULL THEN input END"

bool store_has_column(const struct measurement_field *f)
{
    return f->kind != FIELD_UNVERIFIED;
}

/* Adds `format`, which takes the field's name, for every column that has all of `flags`. */
static void add_columns(struct str *out, const char *separator, const char *before,
                        const char *after, unsigned flags)
{
    bool first = true;
    for (size_t i = 0; i < measurement_field_count; i++) {
        const struct measurement_field *f = &measurement_fields[i];
        if (!store_has_column(f) || (f->flags & flags) != flags)
            continue;
        str_addf(out, "%s%s%s%s", first ? "" : separator, before, f->name, after);
        first = false;
    }
}

static void add_definition(struct str *out, const struct measurement_field *f)
{
    static const char *const types[] = {
        [FIELD_TEXT] = "TEXT",
        [FIELD_INTEGER] = "INTEGER",
        [FIELD_REAL] = "REAL",
        [FIELD_VERIFIED] = "INTEGER",
    };
    str_addf(out, "%s %s", f->name, types[f->kind]);
}

void store_sql_create(struct str *out)
{
    str_add(out, "CREATE TABLE measurements (\n"
                 "  id INTEGER PRIMARY KEY,\n"
                 "  stored_at TEXT DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))");
    for (size_t i = 0; i < measurement_field_count; i++) {
        if (!store_has_column(&measurement_fields[i]))
            continue;
        str_add(out, ",\n  ");
        add_definition(out, &measurement_fields[i]);
    }
    str_add(out, ");\n"
                 "CREATE INDEX measurements_key ON measurements"
                 " (image_sha256, message_bytes, seed);\n");
}

void store_sql_add_column(struct str *out, const struct measurement_field *f)
{
    str_add(out, "ALTER TABLE measurements ADD COLUMN ");
    add_definition(out, f);
}

void store_sql_view(struct str *out, const bool *has)
{
    str_add(out, "CREATE TEMP VIEW results AS SELECT id");
    for (size_t i = 0; i < measurement_field_count; i++) {
        const struct measurement_field *f = &measurement_fields[i];
        if (store_has_column(f))
            str_addf(out, ", %s%s", has[i] ? "" : "NULL AS ", f->name);
    }
    str_add(out, " FROM main.measurements");
}

void store_sql_insert(struct str *out)
{
    str_add(out, "INSERT INTO main.measurements (");
    add_columns(out, ", ", "", "", 0);
    str_add(out, ") VALUES (");
    bool first = true;
    for (size_t i = 0; i < measurement_field_count; i++) {
        if (!store_has_column(&measurement_fields[i]))
            continue;
        str_add(out, first ? "?" : ", ?");
        first = false;
    }
    str_add(out, ")");
}

static void add_select(struct str *out)
{
    str_add(out, "SELECT ");
    add_columns(out, ", ", "", "", 0);
    str_add(out, " FROM results");
}

void store_sql_find(struct str *out)
{
    add_select(out);
    str_add(out, " WHERE ");
    add_columns(out, " AND ", "", " IS ?", FIELD_KEY);
    str_add(out, " AND " KEY_INPUT " IS ? ORDER BY id DESC LIMIT 1");
}

static void add_condition(struct str *out, const char *text)
{
    str_add(out, out->length ? " AND " : " WHERE ");
    str_add(out, text);
}

static void add_in(struct str *out, const char *column, size_t count)
{
    if (count == 0)
        return;
    add_condition(out, column);
    str_add(out, " IN (");
    for (size_t i = 0; i < count; i++)
        str_add(out, i ? ", ?" : "?");
    str_add(out, ")");
}

void store_sql_read(struct str *out, const struct store_filter *filter)
{
    struct str where;
    str_init(&where);
    add_in(&where, "board", filter->boards.count);
    add_in(&where, "algorithm", filter->algorithms.count);
    add_in(&where, "implementation", filter->implementations.count);
    add_in(&where, "operation", filter->operations.count);
    add_in(&where, "message_bytes", filter->message_bytes_count);
    if (filter->failed)
        add_condition(&where, "(error IS NOT NULL OR verified = 0)");
    if (!filter->history) {
        add_condition(&where, "id IN (SELECT max(id) FROM results GROUP BY ");
        add_columns(&where, ", ", "", "", FIELD_KEY);
        str_add(&where, ", " KEY_INPUT ")");
    }
    add_select(out);
    str_add(out, where.text);
    str_add(out, " ORDER BY id");
    str_free(&where);
}

static int bind_text(sqlite3_stmt *statement, int number, const char *text)
{
    return text ? sqlite3_bind_text(statement, number, text, -1, SQLITE_STATIC)
                : sqlite3_bind_null(statement, number);
}

static int bind_field(sqlite3_stmt *statement, int number, const struct measurement *m,
                      const struct measurement_field *f)
{
    const void *value = field_value(m, f);
    switch (f->kind) {
    case FIELD_TEXT: return bind_text(statement, number, *(char *const *)value);
    case FIELD_INTEGER:
        if (*(const int64_t *)value >= 0)
            return sqlite3_bind_int64(statement, number, *(const int64_t *)value);
        break;
    case FIELD_REAL:
        if (isfinite(*(const double *)value))
            return sqlite3_bind_double(statement, number, *(const double *)value);
        break;
    case FIELD_VERIFIED:
        if (m->verified != MEASURED_UNVERIFIED)
            return sqlite3_bind_int(statement, number, m->verified == MEASURED_YES);
        break;
    case FIELD_UNVERIFIED: break;
    }
    return sqlite3_bind_null(statement, number);
}

/* The columns that have all of `flags`, from parameter *number on. */
static int bind_columns(sqlite3_stmt *statement, int *number, const struct measurement *m,
                        unsigned flags)
{
    int rc = SQLITE_OK;
    for (size_t i = 0; i < measurement_field_count && rc == SQLITE_OK; i++) {
        const struct measurement_field *f = &measurement_fields[i];
        if (store_has_column(f) && (f->flags & flags) == flags)
            rc = bind_field(statement, (*number)++, m, f);
    }
    return rc;
}

int store_bind_insert(sqlite3_stmt *statement, const struct measurement *m)
{
    int number = 1;
    return bind_columns(statement, &number, m, 0);
}

int store_bind_find(sqlite3_stmt *statement, const struct measurement *wanted)
{
    int number = 1;
    int rc = bind_columns(statement, &number, wanted, FIELD_KEY);
    if (rc == SQLITE_OK)
        rc = bind_text(statement, number, wanted->seed < 0 ? wanted->input : NULL);
    return rc;
}

static int bind_list(sqlite3_stmt *statement, int *number, const struct store_list *list)
{
    int rc = SQLITE_OK;
    for (size_t i = 0; i < list->count && rc == SQLITE_OK; i++)
        rc = bind_text(statement, (*number)++, list->items[i]);
    return rc;
}

int store_bind_filter(sqlite3_stmt *statement, const struct store_filter *filter)
{
    const struct store_list *const lists[] = {&filter->boards, &filter->algorithms,
                                              &filter->implementations, &filter->operations};
    int rc = SQLITE_OK, number = 1;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0] && rc == SQLITE_OK; i++)
        rc = bind_list(statement, &number, lists[i]);
    for (size_t i = 0; i < filter->message_bytes_count && rc == SQLITE_OK; i++)
        rc = sqlite3_bind_int64(statement, number++, filter->message_bytes[i]);
    return rc;
}

void store_load(struct measurement *out, sqlite3_stmt *statement)
{
    measurement_init(out);
    int column = 0;
    for (size_t i = 0; i < measurement_field_count; i++) {
        const struct measurement_field *f = &measurement_fields[i];
        if (!store_has_column(f))
            continue;
        void *member = field_member(out, f);
        int k = column++;
        bool absent = sqlite3_column_type(statement, k) == SQLITE_NULL;
        if (f->kind == FIELD_VERIFIED)
            out->verified = absent                             ? MEASURED_UNVERIFIED
                            : sqlite3_column_int(statement, k) ? MEASURED_YES
                                                               : MEASURED_NO;
        else if (absent)
            continue;
        else if (f->kind == FIELD_TEXT)
            *(char **)member = uj_strdup((const char *)sqlite3_column_text(statement, k));
        else if (f->kind == FIELD_INTEGER)
            *(int64_t *)member = sqlite3_column_int64(statement, k);
        else
            *(double *)member = sqlite3_column_double(statement, k);
    }
}
