/*
 * Runs the cases of cases.tsv, whose head tells their form, each in a fresh folder with the files
 * of make_files(). A law besides what a case asks: wrong use (exit 2) prints one line on standard
 * error, nothing on standard output, and leaves the folder as it was.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <regex.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/measurement.h"
#include "base/str.h"
#include "store/store.h"

enum { FIELDS = 4, LIMIT_S = 120 };

struct test_case {
    int line;
    char *command, *out, *err;
    int exit_code;
};

/* Files that a case finds. */

static void must_put(struct store *s, const char *board, const char *algorithm,
                     const char *implementation, int64_t bytes, int64_t cycles)
{
    struct measurement m;
    measurement_init(&m);
    m.board = uj_strdup(board);
    m.core = uj_strdup("avrxm");
    m.algorithm = uj_strdup(algorithm);
    m.implementation = uj_strdup(implementation);
    m.operation = uj_strdup("hash");
    m.message_bytes = bytes;
    m.seed = 1;
    m.verified = cycles < 0 ? MEASURED_NO : MEASURED_YES;
    if (cycles < 0) {
        m.error = uj_strdup("a hang, \"far\" from home");
    } else {
        m.cycles = cycles;
        m.time_ns = cycles * 125;
        m.energy_nj = (double)cycles / 37;
        m.energy_spread_nj = m.energy_nj / 50;
        m.energy_method = uj_strdup("state");
        m.rom_bytes = 2000;
        m.ram_bytes = 200;
    }
    measurement_derive(&m);
    struct uj_ctx ctx = {0};
    if (store_put(&ctx, s, &m) != UJ_OK)
        fail_msg("%s", ctx.message);
    measurement_free(&m);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void run_sql(const char *path, const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void make_database(const char *path)
{
    struct uj_ctx ctx = {0};
    struct store *s;
    if (store_open(&ctx, &s, path, STORE_WRITE) != UJ_OK)
        fail_msg("%s", ctx.message);
    must_put(s, "cw-xmega", "sha256", "ref", 16, 40000);
    must_put(s, "cw-xmega", "esch256", "fast", 16, 26128);
    must_put(s, "uno", "sha256", "ref", 64, 41000);
    must_put(s, "uno", "esch256", "ref", 64, -1);
    must_put(s, "cw-xmega", "sha256", "ref", 16, 39000); /* again */
    store_close(s);
}

/* results.db: four keys, one of them measured twice, one failed; and databases that are none. */
static void make_files(void)
{
    make_database("results.db");
    make_database("later.db");
    run_sql("later.db", "PRAGMA user_version = 99");
    run_sql("other.db", "CREATE TABLE addresses (name)");
    write_file("text.db", "This is no database, and long enough to be seen as none by its head.\n");
    write_file("empty.db", "");
    make_database("damaged.db");
    struct stat info;
    assert_int_equal(stat("damaged.db", &info), 0);
    assert_int_equal(truncate("damaged.db", info.st_size / 2), 0);
    assert_int_equal(mkdir("folder", 0755), 0);
}

static void run(const char *command)
{
    int status = system(command);
    if (status != 0)
        fail_msg("'%s' ended with %d", command, status);
}

/* Reading the cases. */

/* "\n" in the pattern is a newline. */
static char *unescaped(const char *text)
{
    struct str out;
    str_init(&out);
    for (; *text; text++) {
        bool newline = text[0] == '\\' && text[1] == 'n';
        str_add_bytes(&out, newline ? "\n" : text, 1);
        text += newline;
    }
    char *whole = str_take(&out);
    str_free(&out);
    return whole;
}

/* False for a line without a case. */
static bool read_case(struct test_case *c, char *line, int number)
{
    line[strcspn(line, "\r\n")] = '\0';
    if (line[0] == '\0' || line[0] == '#')
        return false;
    char *fields[FIELDS], *rest = line;
    for (size_t i = 0; i < FIELDS; i++) {
        fields[i] = strsep(&rest, "\t");
        if (!fields[i])
            fail_msg("line %d: %zu fields where %d belong, separated by tabs", number, i, FIELDS);
    }
    if (rest)
        fail_msg("line %d: more than %d fields", number, FIELDS);
    *c = (struct test_case){.line = number,
                            .command = uj_strdup(fields[0]),
                            .exit_code = atoi(fields[1]),
                            .out = unescaped(fields[2]),
                            .err = unescaped(fields[3])};
    return true;
}

static void free_case(struct test_case *c)
{
    free(c->command);
    free(c->out);
    free(c->err);
}

/* Running one. */

struct outcome {
    int exit_code;
    char *out, *err;
};

static char *whole_file(const char *path)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    struct str text;
    str_init(&text);
    char part[4096];
    for (size_t count; (count = fread(part, 1, sizeof part, file)) > 0;)
        str_add_bytes(&text, part, count);
    (void)fclose(file);
    char *whole = str_take(&text);
    str_free(&text);
    return whole;
}

static size_t count_entries(void)
{
    DIR *folder = opendir(".");
    assert_non_null(folder);
    size_t count = 0;
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

static void redirect(int descriptor, const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || dup2(fd, descriptor) < 0)
        _exit(126);
}

/* Standard output and error go to files beside the folder of the case. */
static struct outcome run_case(const struct test_case *c)
{
    pid_t child = fork();
    if (child == 0) {
        redirect(STDOUT_FILENO, "../out");
        redirect(STDERR_FILENO, "../err");
        (void)alarm(LIMIT_S);
        execl("/bin/sh", "sh", "-c", c->command, (char *)NULL);
        _exit(127);
    }
    int status;
    while (waitpid(child, &status, 0) < 0)
        assert_int_equal(errno, EINTR);
    if (WIFSIGNALED(status))
        fail_msg("line %d: '%s' was ended by signal %d", c->line, c->command, WTERMSIG(status));
    return (struct outcome){WEXITSTATUS(status), whole_file("../out"), whole_file("../err")};
}

/* Checking one; each check counts its failure. */

static size_t csv_records(const char *text)
{
    size_t count = 0;
    bool quoted = false;
    for (; *text; text++) {
        if (*text == '"')
            quoted = !quoted;
        else if (!quoted && text[0] == '\r' && text[1] == '\n')
            count++;
    }
    return quoted ? 0 : count;
}

/* "json 3": so many objects; "csv 3": so many records below the head; "-": nothing; else a pattern.
 */
static bool fits(const char *text, const char *expected)
{
    if (strcmp(expected, "-") == 0)
        return text[0] == '\0';
    if (str_starts(expected, "json ")) {
        json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
        bool right = json_is_array(root) && json_array_size(root) == (size_t)atoi(expected + 5);
        json_decref(root);
        return right;
    }
    if (str_starts(expected, "csv "))
        return csv_records(text) == (size_t)atoi(expected + 4) + 1;
    regex_t pattern;
    if (regcomp(&pattern, expected, REG_EXTENDED | REG_NOSUB) != 0)
        fail_msg("'%s' is no pattern", expected);
    bool right = regexec(&pattern, text, 0, NULL, 0) == 0;
    regfree(&pattern);
    return right;
}

/* "ujoule: " and one line; or argp's line and its hint. */
static bool is_one_line(const char *err)
{
    const char *end = strchr(err, '\n');
    if (!end || !str_starts(err, "ujoule"))
        return false;
    return end[1] == '\0' || str_starts(end + 1, "Try `ujoule");
}

static bool check(const struct test_case *c, const struct outcome *o, bool folder_changed)
{
    const char *wrong = NULL;
    if (o->exit_code != c->exit_code)
        wrong = "exit status";
    else if (!fits(o->out, c->out))
        wrong = "standard output";
    else if (!fits(o->err, c->err))
        wrong = "standard error";
    else if (c->exit_code == 2 && !is_one_line(o->err) && strcmp(c->command, "ujoule") != 0)
        wrong = "not one line that begins with 'ujoule: '";
    else if (c->exit_code == 2 && o->out[0] != '\0')
        wrong = "wrong use printed a result";
    else if (c->exit_code == 2 && folder_changed)
        wrong = "wrong use left a file";
    if (!wrong)
        return true;
    print_error("cases.tsv:%d: %s\n  %s: exit %d\n  stdout: %s\n  stderr: %s\n", c->line, wrong,
                c->command, o->exit_code, o->out, o->err);
    return false;
}

static bool run_and_check(const struct test_case *c)
{
    run("rm -rf work && cp -a files work");
    assert_int_equal(chdir("work"), 0);
    size_t before = count_entries();
    struct outcome o = run_case(c);
    bool changed = count_entries() != before;
    assert_int_equal(chdir(".."), 0);
    bool good = check(c, &o, changed);
    free(o.out);
    free(o.err);
    return good;
}

static void every_case_goes_as_it_says(void **state)
{
    (void)state;
    FILE *file = fopen(UJ_SOURCE_DIR "/tests/cli/cases.tsv", "r");
    assert_non_null(file);
    char *line = NULL;
    size_t capacity = 0;
    int cases = 0, failed = 0;
    for (int number = 1; getline(&line, &capacity, file) >= 0; number++) {
        struct test_case c;
        if (!read_case(&c, line, number))
            continue;
        cases++;
        failed += !run_and_check(&c);
        free_case(&c);
    }
    free(line);
    (void)fclose(file);
    print_message("%d cases\n", cases);
    assert_true(cases > 0);
    assert_int_equal(failed, 0);
}

static int enter(void **state)
{
    static const char *const unset[] = {"NO_COLOR", "UJOULE_ROOT"};
    char *folder = uj_strdup("/tmp/test_cli.XXXXXX");
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return -1;
    for (size_t i = 0; i < sizeof unset / sizeof unset[0]; i++)
        (void)unsetenv(unset[i]);
    char *path = uj_format("%s:%s", UJ_BUILD_DIR, getenv("PATH"));
    (void)setenv("PATH", path, 1);
    (void)setenv("SOURCE", UJ_SOURCE_DIR, 1);
    free(path);
    if (mkdir("files", 0755) != 0 || chdir("files") != 0)
        return -1;
    make_files();
    *state = folder;
    return chdir("..");
}

static int leave(void **state)
{
    char *command = uj_format("rm -rf '%s'", (char *)*state);
    int status = chdir("/") == 0 ? system(command) : -1;
    free(command);
    free(*state);
    return status;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_case_goes_as_it_says, enter, leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
