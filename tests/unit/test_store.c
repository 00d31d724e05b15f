/* The results database: what is put is found again, whole, whatever happens to the writer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/measurement_fields.h"
#include "base/str.h"
#include "store/store.h"

/* A folder of its own for each test, with the path of a database in it. */
struct place {
    char folder[64];
    char db[96];
};

static int enter(void **state)
{
    struct place *p = uj_calloc(1, sizeof *p);
    (void)snprintf(p->folder, sizeof p->folder, "/tmp/test_store.XXXXXX");
    if (!mkdtemp(p->folder))
        return -1;
    (void)snprintf(p->db, sizeof p->db, "%s/results.db", p->folder);
    *state = p;
    return 0;
}

static int leave(void **state)
{
    struct place *p = *state;
    static const char *const suffixes[] = {"", "-journal", "-wal", "-shm"};
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        char *path = uj_format("%s%s", p->db, suffixes[i]);
        (void)unlink(path);
        free(path);
    }
    int rc = rmdir(p->folder);
    free(p);
    return rc;
}

static struct store *must_open(const char *path, enum store_mode mode)
{
    struct uj_ctx ctx = {0};
    struct store *s;
    if (store_open(&ctx, &s, path, mode) != UJ_OK)
        fail_msg("%s", ctx.message);
    return s;
}

static void must_put(struct store *s, const struct measurement *m)
{
    struct uj_ctx ctx = {0};
    if (store_put(&ctx, s, m) != UJ_OK)
        fail_msg("%s", ctx.message);
}

static struct measurement_list must_read(struct store *s, const struct store_filter *filter)
{
    struct uj_ctx ctx = {0};
    struct measurement_list list;
    if (store_read(&ctx, &list, s, filter) != UJ_OK)
        fail_msg("%s", ctx.message);
    return list;
}

/* Opening must fail with that code and a message that holds both texts. */
static void must_refuse(const char *path, enum store_mode mode, enum uj_err code, const char *text)
{
    struct uj_ctx ctx = {0};
    struct store *s;
    assert_int_equal(store_open(&ctx, &s, path, mode), code);
    assert_null(s);
    if (!strstr(ctx.message, text) || !strstr(ctx.message, path) || strchr(ctx.message, '\n'))
        fail_msg("'%s' does not name '%s' and say '%s'", ctx.message, path, text);
}

static void run_sql(const char *path, const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    sqlite3_close(db);
}

/* The first column of the first row; free it. */
static char *ask_sql(const char *path, const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    const char *text = (const char *)sqlite3_column_text(statement, 0);
    char *answer = text ? uj_strdup(text) : NULL;
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return answer;
}

/* A value in every field that differs by `number` and by field. */
static void fill(struct measurement *m, int64_t number)
{
    measurement_init(m);
    for (size_t i = 0; i < measurement_field_count; i++) {
        const struct measurement_field *f = &measurement_fields[i];
        void *member = field_member(m, f);
        if (f->kind == FIELD_TEXT)
            *(char **)member = uj_format("%s %lld", f->name, (long long)number);
        else if (f->kind == FIELD_INTEGER)
            *(int64_t *)member = number * 1000 + (int64_t)i;
        else if (f->kind == FIELD_REAL)
            *(double *)member = (double)number + 1.0 / (double)(i + 3);
    }
    m->verified = MEASURED_YES;
}

static void assert_equal(const struct measurement *a, const struct measurement *b)
{
    for (size_t i = 0; i < measurement_field_count; i++) {
        const struct measurement_field *f = &measurement_fields[i];
        const void *x = field_value(a, f), *y = field_value(b, f);
        const char *s = *(char *const *)x, *t = *(char *const *)y;
        bool equal = false;
        switch (f->kind) {
        case FIELD_TEXT: equal = (!s && !t) || (s && t && strcmp(s, t) == 0); break;
        case FIELD_INTEGER: equal = *(const int64_t *)x == *(const int64_t *)y; break;
        case FIELD_REAL: {
            double v = *(const double *)x, w = *(const double *)y;
            equal = v == w || (isnan(v) && isnan(w));
            break;
        }
        case FIELD_VERIFIED:
        case FIELD_UNVERIFIED: equal = a->verified == b->verified; break;
        }
        if (!equal)
            fail_msg("%s differs", f->name);
    }
}

static void assert_found(struct store *s, const struct measurement *wanted, bool expected)
{
    struct uj_ctx ctx = {0};
    struct measurement m;
    bool found;
    if (store_find(&ctx, &m, &found, s, wanted) != UJ_OK)
        fail_msg("%s", ctx.message);
    assert_int_equal(found, expected);
    if (found)
        measurement_free(&m);
}

static void what_is_put_is_read_back(void **state)
{
    struct place *p = *state;
    struct measurement put[4];
    fill(&put[0], 1);
    fill(&put[1], 2);
    put[1].verified = MEASURED_UNVERIFIED;
    fill(&put[2], 3);
    measurement_void(&put[2]);
    put[2].verified = MEASURED_NO;
    measurement_init(&put[3]); /* everything absent */
    put[3].verified = MEASURED_YES;

    struct store *s = must_open(p->db, STORE_WRITE);
    for (size_t i = 0; i < 4; i++)
        must_put(s, &put[i]);
    store_close(s);

    s = must_open(p->db, STORE_READ);
    struct measurement_list list = must_read(s, NULL);
    assert_int_equal(list.count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_equal(&list.items[i], &put[i]);
        measurement_free(&put[i]);
    }
    measurement_list_free(&list);
    store_close(s);
}

/* Numbers are numbers and absence is NULL in the file itself, for whoever opens it with other
 * tools. */
static void the_file_is_readable_by_others(void **state)
{
    struct place *p = *state;
    struct measurement m;
    fill(&m, 7);
    m.verified = MEASURED_UNVERIFIED;
    m.isr_cycles = -1;
    m.e_rank = NAN;
    free(m.error);
    m.error = NULL;
    struct store *s = must_open(p->db, STORE_WRITE);
    must_put(s, &m);
    store_close(s);
    char *types = ask_sql(p->db, "SELECT typeof(cycles) || typeof(energy_nj) || typeof(board) ||"
                                 " typeof(verified) || typeof(isr_cycles) || typeof(e_rank) ||"
                                 " typeof(error) FROM measurements");
    assert_string_equal(types, "integerrealtextnullnullnullnull");
    free(types);
    char *cycles = ask_sql(p->db, "SELECT cycles FROM measurements");
    assert_int_equal(atoll(cycles), m.cycles);
    free(cycles);
    measurement_free(&m);
}

/* The same key is found; a change in any field of the key is another measurement. */
static void every_part_of_the_key_counts(void **state)
{
    struct place *p = *state;
    struct store *s = must_open(p->db, STORE_WRITE);
    struct measurement m, wanted;
    fill(&m, 1);
    must_put(s, &m);
    measurement_copy(&wanted, &m);
    size_t in_key = 0;
    for (size_t i = 0; i < measurement_field_count; i++) {
        const struct measurement_field *f = &measurement_fields[i];
        if (f->kind != FIELD_TEXT && f->kind != FIELD_INTEGER)
            continue;
        void *member = field_member(&wanted, f);
        if (f->kind == FIELD_TEXT) {
            char *own = *(char **)member, other[] = "other";
            *(char **)member = other;
            assert_found(s, &wanted, !(f->flags & FIELD_KEY));
            *(char **)member = NULL;
            assert_found(s, &wanted, !(f->flags & FIELD_KEY));
            *(char **)member = own;
        } else {
            ++*(int64_t *)member;
            assert_found(s, &wanted, !(f->flags & FIELD_KEY));
            --*(int64_t *)member;
        }
        in_key += (f->flags & FIELD_KEY) != 0;
        assert_found(s, &wanted, true);
    }
    assert_int_equal(in_key, 14);
    measurement_free(&wanted);
    measurement_free(&m);
    store_close(s);
}

/* Where no seed says what the input is, the input is part of the key; absent parts are equal. */
static void a_literal_input_is_part_of_the_key(void **state)
{
    struct place *p = *state;
    struct store *s = must_open(p->db, STORE_WRITE);
    struct measurement m;
    fill(&m, 1);
    m.seed = -1;
    free(m.options);
    m.options = NULL;
    must_put(s, &m);
    assert_found(s, &m, true);
    char *own = m.input, other[] = "00";
    m.input = other;
    assert_found(s, &m, false);
    m.input = own;
    measurement_free(&m);
    store_close(s);
}

/* A repeated measurement stands beside the older one, and readers get the latest. */
static void the_latest_of_a_key_counts(void **state)
{
    struct place *p = *state;
    struct store *s = must_open(p->db, STORE_WRITE);
    struct measurement m, found;
    fill(&m, 1);
    for (m.cycles = 100; m.cycles < 103; m.cycles++)
        must_put(s, &m);
    m.message_bytes++; /* another key between */
    must_put(s, &m);
    m.message_bytes--;

    struct uj_ctx ctx = {0};
    bool is_found;
    assert_int_equal(store_find(&ctx, &found, &is_found, s, &m), UJ_OK);
    assert_true(is_found);
    assert_int_equal(found.cycles, 102);
    measurement_free(&found);

    struct measurement_list list = must_read(s, NULL);
    assert_int_equal(list.count, 2);
    assert_int_equal(list.items[0].cycles, 102);
    measurement_list_free(&list);
    list = must_read(s, &(struct store_filter){.history = true});
    assert_int_equal(list.count, 4);
    for (int i = 0; i < 4; i++)
        assert_int_equal(list.items[i].cycles, 100 + i);
    measurement_list_free(&list);
    measurement_free(&m);
    store_close(s);
}

static size_t count_of(struct store *s, const struct store_filter *filter)
{
    struct measurement_list list = must_read(s, filter);
    size_t count = list.count;
    measurement_list_free(&list);
    return count;
}

static void filters_choose_rows(void **state)
{
    struct place *p = *state;
    struct store *s = must_open(p->db, STORE_WRITE);
    for (int i = 0; i < 12; i++) {
        struct measurement m;
        measurement_init(&m);
        m.board = uj_strdup(i % 2 ? "uno" : "cw-xmega");
        m.algorithm = uj_strdup(i % 3 ? "sha256" : "esch256");
        m.implementation = uj_strdup(i < 6 ? "ref" : "it's \"mine\"");
        m.operation = uj_strdup("hash");
        m.message_bytes = i;
        m.verified = i == 4 ? MEASURED_NO : MEASURED_YES;
        m.error = i == 5 ? uj_strdup("a hang") : NULL;
        must_put(s, &m);
        measurement_free(&m);
    }
    char uno[] = "uno", xmega[] = "cw-xmega", esch[] = "esch256", mine[] = "it's \"mine\"";
    char *boards[] = {uno, xmega}, *algorithms[] = {esch}, *implementations[] = {mine};
    int64_t sizes[] = {3, 9, 11};
    assert_int_equal(count_of(s, NULL), 12);
    assert_int_equal(count_of(s, &(struct store_filter){.boards = {boards, 1}}), 6);
    assert_int_equal(count_of(s, &(struct store_filter){.boards = {boards, 2}}), 12);
    assert_int_equal(count_of(s, &(struct store_filter){.algorithms = {algorithms, 1}}), 4);
    assert_int_equal(count_of(s, &(struct store_filter){.operations = {algorithms, 1}}), 0);
    assert_int_equal(count_of(s, &(struct store_filter){.implementations = {implementations, 1}}),
                     6);
    struct store_filter all = {.boards = {boards, 1},
                               .algorithms = {algorithms, 1},
                               .implementations = {implementations, 1},
                               .message_bytes = sizes,
                               .message_bytes_count = 3};
    assert_int_equal(count_of(s, &all), 1);
    assert_int_equal(count_of(s, &(struct store_filter){.failed = true}), 2);
    store_close(s);
}

static void a_path_that_is_no_database_is_refused(void **state)
{
    struct place *p = *state;
    must_refuse(p->folder, STORE_WRITE, UJ_ERR_INPUT, "a folder");
    must_refuse("/dev/null", STORE_WRITE, UJ_ERR_INPUT, "not a file");
    must_refuse("", STORE_WRITE, UJ_ERR_USAGE, "--db");
    must_refuse("/no/such/folder/x.db", STORE_WRITE, UJ_ERR_IO, "No such file");
    must_refuse(p->db, STORE_READ, UJ_ERR_INPUT, "no such database");
    assert_int_not_equal(access(p->db, F_OK), 0);

    FILE *file = fopen(p->db, "w");
    assert_non_null(file);
    must_refuse(p->db, STORE_READ, UJ_ERR_INPUT, "no results");
    for (int i = 0; i < 1000; i++)
        (void)fputs("This is a letter to my aunt.\n", file);
    assert_int_equal(fclose(file), 0);
    must_refuse(p->db, STORE_WRITE, UJ_ERR_INPUT, "not a database");
    must_refuse(p->db, STORE_READ, UJ_ERR_INPUT, "not a database");
    struct stat info;
    assert_int_equal(stat(p->db, &info), 0);
    assert_int_equal(info.st_size, 29000);
}

/* An empty file, as mktemp makes it, becomes a database; so does a name that SQLite takes for
 * memory. */
static void any_file_name_will_do(void **state)
{
    struct place *p = *state;
    assert_int_equal(close(open(p->db, O_CREAT | O_WRONLY, 0600)), 0);
    store_close(must_open(p->db, STORE_WRITE));
    store_close(must_open(p->db, STORE_READ));

    char back[4096];
    assert_non_null(getcwd(back, sizeof back));
    assert_int_equal(chdir(p->folder), 0);
    store_close(must_open(":memory:", STORE_WRITE));
    store_close(must_open(":memory:", STORE_READ));
    assert_int_equal(unlink(":memory:"), 0);
    assert_int_equal(chdir(back), 0);
}

static void databases_of_others_are_refused(void **state)
{
    struct place *p = *state;
    run_sql(p->db, "CREATE TABLE measurements (board)");
    must_refuse(p->db, STORE_WRITE, UJ_ERR_INPUT, "another program");
    must_refuse(p->db, STORE_READ, UJ_ERR_INPUT, "another program");
    char *tables = ask_sql(p->db, "SELECT count(*) FROM pragma_table_info('measurements')");
    assert_string_equal(tables, "1"); /* untouched */
    free(tables);

    assert_int_equal(unlink(p->db), 0);
    store_close(must_open(p->db, STORE_WRITE));
    run_sql(p->db, "PRAGMA user_version = 2");
    must_refuse(p->db, STORE_WRITE, UJ_ERR_INPUT, "later ujoule (layout 2");
    must_refuse(p->db, STORE_READ, UJ_ERR_INPUT, "later ujoule");
}

/* A file of a release that knew fewer fields: readable as it is, completed by a writer. */
static void missing_columns_are_added(void **state)
{
    struct place *p = *state;
    store_close(must_open(p->db, STORE_WRITE));
    run_sql(p->db, "INSERT INTO measurements (board, cycles, verified, stored_at)"
                   " VALUES ('uno', 5, 1, 'then');"
                   "ALTER TABLE measurements DROP COLUMN options;"
                   "ALTER TABLE measurements DROP COLUMN su_bytes;"
                   "ALTER TABLE measurements ADD COLUMN of_the_future TEXT");
    for (int mode = STORE_READ; mode <= STORE_WRITE; mode++) {
        struct store *s = must_open(p->db, (enum store_mode)mode);
        struct measurement_list list = must_read(s, NULL);
        assert_int_equal(list.count, 1);
        assert_int_equal(list.items[0].cycles, 5);
        assert_int_equal(list.items[0].su_bytes, -1);
        assert_null(list.items[0].options);
        if (mode == STORE_WRITE) {
            struct measurement m;
            fill(&m, 1);
            must_put(s, &m);
            assert_found(s, &m, true);
            measurement_free(&m);
        }
        measurement_list_free(&list);
        store_close(s);
    }
}

static void damage_is_named(void **state)
{
    struct place *p = *state;
    struct store *s = must_open(p->db, STORE_WRITE);
    for (int i = 0; i < 200; i++) {
        struct measurement m;
        fill(&m, i);
        must_put(s, &m);
        measurement_free(&m);
    }
    store_close(s);
    struct stat info;
    assert_int_equal(stat(p->db, &info), 0);

    /* Pages overwritten in the middle. */
    int fd = open(p->db, O_RDWR);
    char kept[20000], junk[20000];
    memset(junk, 0xa5, sizeof junk);
    assert_int_equal(pread(fd, kept, sizeof kept, 40960), sizeof kept);
    assert_int_equal(pwrite(fd, junk, sizeof junk, 40960), sizeof junk);
    must_refuse(p->db, STORE_WRITE, UJ_ERR_INPUT, "damaged");
    must_refuse(p->db, STORE_READ, UJ_ERR_INPUT, "damaged");
    assert_int_equal(pwrite(fd, kept, sizeof kept, 40960), sizeof kept);
    store_close(must_open(p->db, STORE_READ));

    /* Cut off. */
    assert_int_equal(ftruncate(fd, info.st_size / 2), 0);
    must_refuse(p->db, STORE_WRITE, UJ_ERR_INPUT, "damaged");
    must_refuse(p->db, STORE_READ, UJ_ERR_INPUT, "damaged");
    assert_int_equal(close(fd), 0);
}

/* Runs `work` in a child that may not write where it has no permission; returns its exit status. */
static int as_nobody(void (*work)(const struct place *p), const struct place *p)
{
    pid_t child = fork();
    if (child == 0) {
        if (getuid() == 0 && setuid(65534) != 0)
            _exit(99);
        work(p);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void expect_unwritable(const struct place *p)
{
    struct uj_ctx ctx = {0};
    struct store *s;
    if (store_open(&ctx, &s, p->db, STORE_WRITE) != UJ_ERR_IO)
        _exit(1);
    _exit(strstr(ctx.message, "cannot write") && strstr(ctx.message, p->db) ? 0 : 2);
}

static void expect_readable(const struct place *p)
{
    struct uj_ctx ctx = {0};
    struct store *s;
    struct measurement_list list;
    if (store_open(&ctx, &s, p->db, STORE_READ) != UJ_OK)
        _exit(1);
    if (store_read(&ctx, &list, s, NULL) != UJ_OK || list.count != 1)
        _exit(2);
    measurement_list_free(&list);
    store_close(s);
    _exit(0);
}

static void without_permission_one_can_still_read(void **state)
{
    struct place *p = *state;
    assert_int_equal(chmod(p->folder, 0555), 0);
    assert_int_equal(as_nobody(expect_unwritable, p), 0); /* no file, a folder without permission */

    assert_int_equal(chmod(p->folder, 0755), 0);
    struct store *s = must_open(p->db, STORE_WRITE);
    struct measurement m;
    fill(&m, 1);
    must_put(s, &m);
    measurement_free(&m);
    store_close(s);
    assert_int_equal(chmod(p->db, 0666), 0);
    assert_int_equal(chmod(p->folder, 0555), 0);
    assert_int_equal(as_nobody(expect_unwritable, p), 0); /* no journal can be made beside it */
    assert_int_equal(as_nobody(expect_readable, p), 0);
    assert_int_equal(chmod(p->db, 0444), 0);
    assert_int_equal(as_nobody(expect_unwritable, p), 0);
    assert_int_equal(as_nobody(expect_readable, p), 0);
    assert_int_equal(chmod(p->folder, 0755), 0);
}

/* Puts measurements and reports the number of each over the pipe, until it is killed. */
static _Noreturn void write_until_killed(const char *path, int64_t first, int report)
{
    struct uj_ctx ctx = {0};
    struct store *s;
    if (store_open(&ctx, &s, path, STORE_WRITE) != UJ_OK)
        _exit(1);
    for (int64_t number = first;; number++) {
        struct measurement m;
        fill(&m, number);
        if (store_put(&ctx, s, &m) != UJ_OK)
            _exit(2);
        if (write(report, &number, sizeof number) != sizeof number)
            _exit(3);
        measurement_free(&m);
    }
}

static void wait_ns(long ns)
{
    struct timespec t = {.tv_nsec = ns};
    while (nanosleep(&t, &t) != 0 && errno == EINTR)
        ;
}

enum { KILLS = 60, MOST_NUMBERS = 1 << 16 };

/* What a writer has reported; marks[number] for each, `last` the latest. */
struct reports {
    bool *marks;
    int64_t last;
};

static bool read_report(struct reports *r, int from)
{
    int64_t number;
    if (read(from, &number, sizeof number) != sizeof number)
        return false;
    assert_true(number == r->last + 1 && number < MOST_NUMBERS);
    r->marks[number] = true;
    r->last = number;
    return true;
}

/*
 * Kills a writer at a moment of chance, after its first report if so asked; it begins with the
 * number behind r->last.
 */
static void kill_a_writer(struct reports *r, const char *path, bool after_first, uint32_t *seed)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        (void)close(ends[0]);
        write_until_killed(path, r->last + 1, ends[1]);
    }
    (void)close(ends[1]);
    if (after_first && !read_report(r, ends[0]))
        fail_msg("the writer ended by itself");
    *seed = *seed * UINT32_C(1664525) + UINT32_C(1013904223);
    wait_ns((long)(*seed >> 8) % 40000000L);
    assert_int_equal(kill(child, SIGKILL), 0);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status)); /* it had not failed by itself */
    while (read_report(r, ends[0]))
        ;
    (void)close(ends[0]);
}

static void a_killed_writer_loses_nothing(void **state)
{
    struct place *p = *state;
    uint32_t seed = 20240229;
    struct reports r = {uj_calloc(MOST_NUMBERS, sizeof(bool)), 0};
    int within = 0;
    char *journal = uj_format("%s-journal", p->db);
    for (int i = 0; i < KILLS; i++) {
        kill_a_writer(&r, p->db, i % 2 != 0, &seed);
        within += access(journal, F_OK) == 0;
        r.last++; /* it may be there too, unreported */
    }
    free(journal);

    struct store *s = must_open(p->db, STORE_READ);
    struct measurement_list list = must_read(s, NULL);
    store_close(s);
    char *check = ask_sql(p->db, "PRAGMA integrity_check");
    assert_string_equal(check, "ok");
    free(check);
    print_message("%d kills, %d of them within a transaction; %zu measurements\n", KILLS, within,
                  list.count);
    assert_true(within > 0 && list.count >= KILLS / 2);

    bool *there = uj_calloc(MOST_NUMBERS, sizeof *there);
    for (size_t i = 0; i < list.count; i++) {
        int64_t number = list.items[i].cycles / 1000;
        assert_true(number >= 1 && number <= r.last && !there[number]);
        struct measurement whole;
        fill(&whole, number);
        assert_equal(&list.items[i], &whole);
        measurement_free(&whole);
        there[number] = true;
    }
    for (int64_t number = 0; number <= r.last; number++) {
        if (r.marks[number] && !there[number])
            fail_msg("measurement %lld was reported stored and is not there", (long long)number);
    }
    free(r.marks);
    free(there);
    measurement_list_free(&list);
}

enum { WRITERS = 4, EACH = 25 };

struct writer {
    struct store *store;
    int64_t first;
};

static void *write_many(void *owner)
{
    struct writer *w = owner;
    struct uj_ctx ctx = {0};
    for (int64_t i = 0; i < EACH; i++) {
        struct measurement m;
        fill(&m, w->first + i);
        enum uj_err err = store_put(&ctx, w->store, &m);
        measurement_free(&m);
        if (err != UJ_OK)
            return w;
    }
    return NULL;
}

/* Threads of this program on one store, and as many programs, all at once on a file that is not
 * there. */
static void many_write_at_once(void **state)
{
    struct place *p = *state;
    pid_t children[WRITERS];
    for (int i = 0; i < WRITERS; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            struct uj_ctx ctx = {0};
            struct writer w = {.first = 1000 * (i + 1)};
            if (store_open(&ctx, &w.store, p->db, STORE_WRITE) != UJ_OK)
                _exit(1);
            _exit(write_many(&w) ? 2 : 0);
        }
    }
    struct store *s = must_open(p->db, STORE_WRITE);
    pthread_t threads[WRITERS];
    struct writer writers[WRITERS];
    for (int i = 0; i < WRITERS; i++) {
        writers[i] = (struct writer){.store = s, .first = 100 * (i + 1)};
        assert_int_equal(pthread_create(&threads[i], NULL, write_many, &writers[i]), 0);
    }
    for (int i = 0; i < WRITERS; i++) {
        void *failed;
        int status;
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    assert_int_equal(count_of(s, NULL), 2 * WRITERS * EACH);
    store_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_put_is_read_back, enter, leave),
        cmocka_unit_test_setup_teardown(the_file_is_readable_by_others, enter, leave),
        cmocka_unit_test_setup_teardown(every_part_of_the_key_counts, enter, leave),
        cmocka_unit_test_setup_teardown(a_literal_input_is_part_of_the_key, enter, leave),
        cmocka_unit_test_setup_teardown(the_latest_of_a_key_counts, enter, leave),
        cmocka_unit_test_setup_teardown(filters_choose_rows, enter, leave),
        cmocka_unit_test_setup_teardown(a_path_that_is_no_database_is_refused, enter, leave),
        cmocka_unit_test_setup_teardown(any_file_name_will_do, enter, leave),
        cmocka_unit_test_setup_teardown(databases_of_others_are_refused, enter, leave),
        cmocka_unit_test_setup_teardown(missing_columns_are_added, enter, leave),
        cmocka_unit_test_setup_teardown(damage_is_named, enter, leave),
        cmocka_unit_test_setup_teardown(without_permission_one_can_still_read, enter, leave),
        cmocka_unit_test_setup_teardown(a_killed_writer_loses_nothing, enter, leave),
        cmocka_unit_test_setup_teardown(many_write_at_once, enter, leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
