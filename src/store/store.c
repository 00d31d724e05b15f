#include "store/store.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/str.h"
#include "store/store_sql.h"

enum { BUSY_MS = 60000 };

struct store {
    sqlite3 *db;
    char *path;
    pthread_mutex_t lock; /* of all that follows, and of statements' use */
    sqlite3_stmt *insert, *find;
};

/* One line for SQLite's code, after what the user can do about it. */
static enum uj_err sql_fail(struct uj_ctx *ctx, const struct store *s, int rc)
{
    const char *path = s->path;
    /* The system's reason is kept of the last call that had one, so it fits these two alone. */
    bool refused = (rc & 0xff) == SQLITE_CANTOPEN || (rc & 0xff) == SQLITE_IOERR;
    int system = refused ? sqlite3_system_errno(s->db) : 0;
    const char *reason = system ? strerror(system) : sqlite3_errmsg(s->db);
    switch (rc & 0xff) {
    case SQLITE_NOTADB:
        return uj_fail(ctx, UJ_ERR_INPUT,
                       "%s: not a database; move it away or name another with --db", path);
    case SQLITE_CORRUPT:
        return uj_fail(ctx, UJ_ERR_INPUT,
                       "%s: the database is damaged; move it away, or save what can be read with "
                       "sqlite3 %s .recover",
                       path, path);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return uj_fail(ctx, UJ_ERR_IO,
                       "%s: another program kept the database locked for %d s; end it or name "
                       "another database with --db",
                       path, BUSY_MS / 1000);
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return uj_fail(ctx, UJ_ERR_IO,
                       "%s: cannot write the database or its folder (%s); name another with --db",
                       path, reason);
    case SQLITE_FULL:
        return uj_fail(ctx, UJ_ERR_IO, "%s: the disk is full; make room and repeat", path);
    default: return uj_fail(ctx, UJ_ERR_IO, "%s: %s", path, reason);
    }
}

static enum uj_err execute(struct uj_ctx *ctx, struct store *s, const char *sql)
{
    int rc = sqlite3_exec(s->db, sql, NULL, NULL, NULL);
    return rc == SQLITE_OK ? UJ_OK : sql_fail(ctx, s, rc);
}

static enum uj_err prepare(struct uj_ctx *ctx, sqlite3_stmt **out, struct store *s, const char *sql)
{
    int rc = sqlite3_prepare_v2(s->db, sql, -1, out, NULL);
    return rc == SQLITE_OK ? UJ_OK : sql_fail(ctx, s, rc);
}

/* The number that a query gives. */
static enum uj_err query(struct uj_ctx *ctx, int64_t *out, struct store *s, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    enum uj_err err = prepare(ctx, &statement, s, sql);
    if (err == UJ_OK) {
        int rc = sqlite3_step(statement);
        *out = rc == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
        if (rc != SQLITE_ROW && rc != SQLITE_DONE)
            err = sql_fail(ctx, s, rc);
    }
    sqlite3_finalize(statement);
    return err;
}

static enum uj_err check_whole(struct uj_ctx *ctx, struct store *s)
{
    sqlite3_stmt *statement = NULL;
    enum uj_err err = prepare(ctx, &statement, s, "PRAGMA quick_check(1)");
    if (err == UJ_OK) {
        int rc = sqlite3_step(statement);
        const char *answer =
            rc == SQLITE_ROW ? (const char *)sqlite3_column_text(statement, 0) : NULL;
        if (rc != SQLITE_ROW)
            err = sql_fail(ctx, s, rc);
        else if (!answer || strcmp(answer, "ok") != 0)
            err = sql_fail(ctx, s, SQLITE_CORRUPT);
    }
    sqlite3_finalize(statement);
    return err;
}

/* *fresh: nothing is in the file yet. */
static enum uj_err check_layout(struct uj_ctx *ctx, bool *fresh, struct store *s)
{
    int64_t tables, application, layout, table;
    enum uj_err err = query(ctx, &tables, s, "SELECT count(*) FROM sqlite_schema");
    if (err == UJ_OK)
        err = query(ctx, &application, s, "PRAGMA application_id");
    if (err == UJ_OK)
        err = query(ctx, &layout, s, "PRAGMA user_version");
    if (err == UJ_OK)
        err = query(ctx, &table, s,
                    "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND"
                    " name = 'measurements'");
    if (err != UJ_OK)
        return err;
    *fresh = tables == 0 && application == 0 && layout == 0;
    if (*fresh)
        return UJ_OK;
    if (application != STORE_APPLICATION_ID)
        return uj_fail(ctx, UJ_ERR_INPUT,
                       "%s: a database of another program; name another with --db", s->path);
    if (layout > STORE_LAYOUT)
        return uj_fail(ctx, UJ_ERR_INPUT,
                       "%s: written by a later ujoule (layout %lld, this one knows %d); use that "
                       "one or name another database with --db",
                       s->path, (long long)layout, STORE_LAYOUT);
    if (table == 0)
        return sql_fail(ctx, s, SQLITE_CORRUPT);
    return UJ_OK;
}

/* Fills has[i] for each field. */
static enum uj_err find_columns(struct uj_ctx *ctx, bool *has, struct store *s)
{
    sqlite3_stmt *statement = NULL;
    enum uj_err err =
        prepare(ctx, &statement, s, "SELECT name FROM pragma_table_info('measurements')");
    if (err != UJ_OK)
        return err;
    int rc;
    while ((rc = sqlite3_step(statement)) == SQLITE_ROW) {
        const struct measurement_field *f =
            measurement_field_named((const char *)sqlite3_column_text(statement, 0));
        if (f)
            has[f - measurement_fields] = true;
    }
    sqlite3_finalize(statement);
    return rc == SQLITE_DONE ? UJ_OK : sql_fail(ctx, s, rc);
}

static enum uj_err create(struct uj_ctx *ctx, struct store *s)
{
    struct str sql;
    str_init(&sql);
    store_sql_create(&sql);
    enum uj_err err = execute(ctx, s, sql.text);
    str_free(&sql);
    return err;
}

static enum uj_err add_columns(struct uj_ctx *ctx, struct store *s, const bool *has)
{
    enum uj_err err = UJ_OK;
    struct str sql;
    str_init(&sql);
    for (size_t i = 0; i < measurement_field_count && err == UJ_OK; i++) {
        if (has[i] || !store_has_column(&measurement_fields[i]))
            continue;
        str_clear(&sql);
        store_sql_add_column(&sql, &measurement_fields[i]);
        err = execute(ctx, s, sql.text);
    }
    str_free(&sql);
    return err;
}

/*
 * Makes or completes the layout, in one transaction. The marks are written each time: that tells
 * now, not after the first measurement, that the file or its folder cannot be written.
 */
static enum uj_err lay_out(struct uj_ctx *ctx, struct store *s, bool *has)
{
    bool fresh;
    enum uj_err err = execute(ctx, s, "BEGIN IMMEDIATE");
    if (err != UJ_OK)
        return err;
    err = check_layout(ctx, &fresh, s);
    if (err == UJ_OK && fresh)
        err = create(ctx, s);
    if (err == UJ_OK)
        err = find_columns(ctx, has, s);
    if (err == UJ_OK)
        err = add_columns(ctx, s, has);
    if (err == UJ_OK) {
        char *marks = uj_format("PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT",
                                STORE_APPLICATION_ID, STORE_LAYOUT);
        err = execute(ctx, s, marks);
        free(marks);
    }
    if (err != UJ_OK)
        (void)sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    for (size_t i = 0; i < measurement_field_count; i++)
        has[i] = true;
    return err;
}

static enum uj_err read_layout(struct uj_ctx *ctx, struct store *s, bool *has)
{
    bool fresh;
    enum uj_err err = check_layout(ctx, &fresh, s);
    if (err == UJ_OK && fresh)
        return uj_fail(ctx, UJ_ERR_INPUT, "%s: holds no results; 'ujoule bench' makes some",
                       s->path);
    return err == UJ_OK ? find_columns(ctx, has, s) : err;
}

static enum uj_err prepare_statements(struct uj_ctx *ctx, struct store *s, const bool *has,
                                      enum store_mode mode)
{
    struct str sql;
    str_init(&sql);
    store_sql_view(&sql, has);
    enum uj_err err = execute(ctx, s, sql.text);
    if (err == UJ_OK) {
        str_clear(&sql);
        store_sql_find(&sql);
        err = prepare(ctx, &s->find, s, sql.text);
    }
    if (err == UJ_OK && mode == STORE_WRITE) {
        str_clear(&sql);
        store_sql_insert(&sql);
        err = prepare(ctx, &s->insert, s, sql.text);
    }
    str_free(&sql);
    return err;
}

/* What SQLite would say less clearly. */
static enum uj_err check_path(struct uj_ctx *ctx, const char *path, enum store_mode mode)
{
    struct stat info;
    bool there = stat(path, &info) == 0;
    if (path[0] == '\0')
        return uj_fail(ctx, UJ_ERR_USAGE, "--db: the name of a file is missing");
    if (there && S_ISDIR(info.st_mode))
        return uj_fail(ctx, UJ_ERR_INPUT, "%s: a folder, not a database; name a file with --db",
                       path);
    if (there && !S_ISREG(info.st_mode))
        return uj_fail(ctx, UJ_ERR_INPUT, "%s: not a file; name one with --db", path);
    if (!there && mode == STORE_READ)
        return uj_fail(ctx, UJ_ERR_INPUT,
                       "%s: no such database; 'ujoule bench' makes it, --db names another", path);
    return UJ_OK;
}

static enum uj_err open_file(struct uj_ctx *ctx, struct store *s, enum store_mode mode)
{
    /* A name such as ":memory:" is a file's here. A reader too rolls back what a killed writer
     * left. */
    char *name = uj_format("%s%s", s->path[0] == '/' ? "" : "./", s->path);
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX |
                (mode == STORE_WRITE ? SQLITE_OPEN_CREATE : 0);
    int rc = sqlite3_open_v2(name, &s->db, flags, NULL);
    free(name);
    if (rc != SQLITE_OK)
        return sql_fail(ctx, s, rc);
    sqlite3_busy_timeout(s->db, BUSY_MS);
    sqlite3_extended_result_codes(s->db, 0);
    /*
     * The rollback journal (SQLite's default) rather than WAL: one file that can be copied, and no
     * shared memory, which network folders lack. EXTRA: a commit is on the disk, its journal's
     * removal too.
     */
    return execute(ctx, s, "PRAGMA synchronous = EXTRA");
}

enum uj_err store_open(struct uj_ctx *ctx, struct store **out, const char *path,
                       enum store_mode mode)
{
    *out = NULL;
    enum uj_err err = check_path(ctx, path, mode);
    if (err != UJ_OK)
        return err;
    struct store *s = uj_calloc(1, sizeof *s);
    s->path = uj_strdup(path);
    pthread_mutex_init(&s->lock, NULL);
    bool *has = uj_calloc(measurement_field_count, sizeof *has);

    err = open_file(ctx, s, mode);
    if (err == UJ_OK)
        err = check_whole(ctx, s);
    if (err == UJ_OK)
        err = mode == STORE_WRITE ? lay_out(ctx, s, has) : read_layout(ctx, s, has);
    if (err == UJ_OK)
        err = prepare_statements(ctx, s, has, mode);
    free(has);
    if (err == UJ_OK)
        *out = s;
    else
        store_close(s);
    return err;
}

void store_close(struct store *s)
{
    if (!s)
        return;
    sqlite3_finalize(s->insert);
    sqlite3_finalize(s->find);
    sqlite3_close(s->db);
    pthread_mutex_destroy(&s->lock);
    free(s->path);
    free(s);
}

enum uj_err store_put(struct uj_ctx *ctx, struct store *s, const struct measurement *m)
{
    enum uj_err err = UJ_OK;
    pthread_mutex_lock(&s->lock);
    int rc = store_bind_insert(s->insert, m);
    if (rc == SQLITE_OK)
        rc = sqlite3_step(s->insert);
    if (rc != SQLITE_DONE)
        err = sql_fail(ctx, s, rc);
    sqlite3_reset(s->insert);
    sqlite3_clear_bindings(s->insert);
    pthread_mutex_unlock(&s->lock);
    return err;
}

enum uj_err store_find(struct uj_ctx *ctx, struct measurement *out, bool *found, struct store *s,
                       const struct measurement *wanted)
{
    enum uj_err err = UJ_OK;
    *found = false;
    pthread_mutex_lock(&s->lock);
    int rc = store_bind_find(s->find, wanted);
    if (rc == SQLITE_OK)
        rc = sqlite3_step(s->find);
    if (rc == SQLITE_ROW) {
        store_load(out, s->find);
        *found = true;
    } else if (rc != SQLITE_DONE) {
        err = sql_fail(ctx, s, rc);
    }
    sqlite3_reset(s->find);
    sqlite3_clear_bindings(s->find);
    pthread_mutex_unlock(&s->lock);
    return err;
}

void measurement_list_free(struct measurement_list *l)
{
    for (size_t i = 0; i < l->count; i++)
        measurement_free(&l->items[i]);
    free(l->items);
    *l = (struct measurement_list){0};
}

/* Reads the statement's rows to the end; returns SQLite's code. */
static int collect(struct measurement_list *out, sqlite3_stmt *statement)
{
    size_t capacity = 0;
    int rc;
    while ((rc = sqlite3_step(statement)) == SQLITE_ROW) {
        if (out->count == capacity) {
            capacity = capacity ? 2 * capacity : 64;
            out->items = uj_realloc(out->items, capacity * sizeof *out->items);
        }
        store_load(&out->items[out->count++], statement);
    }
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

enum uj_err store_read(struct uj_ctx *ctx, struct measurement_list *out, struct store *s,
                       const struct store_filter *filter)
{
    static const struct store_filter everything = {0};
    filter = filter ? filter : &everything;
    *out = (struct measurement_list){0};
    struct str sql;
    str_init(&sql);
    store_sql_read(&sql, filter);

    pthread_mutex_lock(&s->lock);
    sqlite3_stmt *statement = NULL;
    enum uj_err err = prepare(ctx, &statement, s, sql.text);
    if (err == UJ_OK) {
        int rc = store_bind_filter(statement, filter);
        if (rc == SQLITE_OK)
            rc = collect(out, statement);
        if (rc != SQLITE_OK)
            err = sql_fail(ctx, s, rc);
    }
    sqlite3_finalize(statement);
    pthread_mutex_unlock(&s->lock);
    str_free(&sql);
    if (err != UJ_OK)
        measurement_list_free(out);
    return err;
}
