/* Files, folders, other programs, the cache's place: what the system does to them. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/paths.h"
#include "base/process.h"
#include "base/str.h"

#define FOLDER UJ_BUILD_DIR "/test_base_system"

static int clear(void **state)
{
    (void)state;
    struct uj_ctx ctx = {0};
    folder_remove(FOLDER);
    assert_false(folder_exists(FOLDER));
    assert_int_equal(folder_make(&ctx, FOLDER "/a/b"), UJ_OK);
    assert_int_equal(folder_make(&ctx, FOLDER "/a/b"), UJ_OK);
    return 0;
}

static void files_come_back_as_they_went(void **state)
{
    (void)state;
    struct uj_ctx ctx = {0};
    uint8_t bytes[70000], *back;
    size_t count;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 7 + i / 256);
    assert_int_equal(file_write(&ctx, FOLDER "/x", bytes, sizeof bytes), UJ_OK);
    assert_int_equal(file_read(&ctx, &back, &count, FOLDER "/x", sizeof bytes), UJ_OK);
    assert_int_equal(count, sizeof bytes);
    assert_memory_equal(back, bytes, count);
    free(back);
    assert_int_equal(file_read(&ctx, &back, &count, FOLDER "/x", sizeof bytes - 1), UJ_ERR_INPUT);
    assert_non_null(strstr(ctx.message, "larger than 69999 bytes"));
    assert_null(back);
    uj_clear(&ctx);
    assert_int_equal(file_write(&ctx, FOLDER "/x", "", 0), UJ_OK);
    assert_int_equal(file_read(&ctx, &back, &count, FOLDER "/x", 10), UJ_OK);
    assert_int_equal(count, 0);
    free(back);
    assert_int_equal(file_write(&ctx, FOLDER "/a", "x", 1), UJ_ERR_IO);
    assert_non_null(strstr(ctx.message, "a folder"));
    uj_clear(&ctx);
    assert_int_equal(file_write(&ctx, FOLDER "/none/x", "x", 1), UJ_ERR_IO);
    uj_clear(&ctx);
    assert_int_equal(folder_make(&ctx, FOLDER "/x/y"), UJ_ERR_IO);
    assert_non_null(strstr(ctx.message, "cannot make this folder: Not a directory"));
    uj_clear(&ctx);
    assert_int_equal(file_write(&ctx, "/dev/null", "x", 1), UJ_OK);

    char **names;
    assert_int_equal(file_write(&ctx, FOLDER "/.hidden", "x", 1), UJ_OK);
    assert_int_equal(folder_list(&ctx, &names, &count, FOLDER), UJ_OK);
    assert_int_equal(count, 2);
    assert_string_equal(names[0], "a");
    assert_string_equal(names[1], "x");
    names_free(names, count);
}

static void a_removed_folder_takes_no_linked_one_along(void **state)
{
    (void)state;
    struct uj_ctx ctx = {0};
    assert_int_equal(folder_make(&ctx, FOLDER "/kept"), UJ_OK);
    assert_int_equal(file_write(&ctx, FOLDER "/kept/file", "x", 1), UJ_OK);
    assert_int_equal(symlink("../../kept", FOLDER "/a/b/link"), 0);
    folder_remove(FOLDER "/a");
    assert_false(folder_exists(FOLDER "/a"));
    assert_true(file_exists(FOLDER "/kept/file"));
}

static void a_message_is_one_line(void **state)
{
    (void)state;
    struct uj_ctx ctx = {0};
    assert_int_equal(uj_fail(&ctx, UJ_ERR_INPUT, "%s: bad", "a\nb\x1b[31m\x7f\xc3\xa9"),
                     UJ_ERR_INPUT);
    assert_string_equal(ctx.message, "a?b?[31m?\xc3\xa9: bad");
    assert_int_equal(uj_fail(&ctx, UJ_ERR_TOOL, "later"), UJ_ERR_INPUT);
    assert_string_equal(ctx.message, "a?b?[31m?\xc3\xa9: bad");
}

static void fields_do_not_run_together(void **state)
{
    (void)state;
    char a[HASH_TEXT], b[HASH_TEXT];
    struct hash h;
    hash_init(&h);
    hash_text(&h, "ab");
    hash_text(&h, "c");
    hash_final(&h, a);
    hash_init(&h);
    hash_text(&h, "a");
    hash_text(&h, "bc");
    hash_final(&h, b);
    assert_string_not_equal(a, b);
    /* FIPS 180-4, the example "abc". */
    hash_of(a, "abc", 3);
    assert_string_equal(a, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    hash_of(a, NULL, 0);
    assert_string_equal(a, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

static struct process shell(char *script)
{
    static char *argv[32][4];
    static size_t next;
    char **words = argv[next++ % 32];
    words[0] = (char *)"sh";
    words[1] = (char *)"-c";
    words[2] = script;
    words[3] = NULL;
    return (struct process){.argv = words, .timeout_s = 20};
}
#define SHELL(script) shell((char *)(script))

static double now_s(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void programs_are_heard_out(void **state)
{
    (void)state;
    struct uj_ctx ctx = {0};
    struct process p = SHELL("echo out; echo err >&2; cat; pwd; exit 3");
    p.folder = FOLDER;
    assert_int_equal(process_run(&ctx, &p), UJ_OK);
    assert_int_equal(p.end, PROCESS_EXITED);
    assert_int_equal(p.code, 3);
    assert_string_equal(p.output.text, "out\n" FOLDER "\n");
    assert_string_equal(p.errors.text, "err\n");
    process_free(&p);

    p = SHELL("kill -9 $$");
    assert_int_equal(process_run(&ctx, &p), UJ_OK);
    assert_int_equal(p.end, PROCESS_SIGNAL);
    assert_int_equal(p.code, 9);
    process_free(&p);

    /* More than is kept: read to the end all the same. */
    p = SHELL("head -c 3000000 /dev/zero; echo end >&2");
    assert_int_equal(process_run(&ctx, &p), UJ_OK);
    assert_true(process_good(&p));
    assert_int_equal(p.output.length, PROCESS_OUTPUT_MAX);
    assert_string_equal(p.errors.text, "end\n");
    process_free(&p);

    p = SHELL("echo $ONLY; echo $HOME");
    p.environment = (char *[]){(char *)"ONLY=this", NULL};
    assert_int_equal(process_run(&ctx, &p), UJ_OK);
    assert_string_equal(p.output.text, "this\n\n");
    process_free(&p);

    p = (struct process){.argv = (char *[]){(char *)"no-such-program", NULL}};
    assert_int_equal(process_run(&ctx, &p), UJ_ERR_TOOL);
    assert_string_equal(ctx.message,
                        "no-such-program: cannot be started: No such file or directory");
    process_free(&p);
}

static void what_runs_too_long_is_ended_with_its_children(void **state)
{
    (void)state;
    struct uj_ctx ctx = {0};
    double begin = now_s();
    struct process p = SHELL("sleep 600 & echo $!; sleep 600");
    p.timeout_s = 1;
    assert_int_equal(process_run(&ctx, &p), UJ_OK);
    assert_int_equal(p.end, PROCESS_TIMEOUT);
    pid_t child = (pid_t)strtol(p.output.text, NULL, 10);
    process_free(&p);
    /* Also one that has closed its output. */
    p = SHELL("exec >&- 2>&-; sleep 600");
    p.timeout_s = 1;
    assert_int_equal(process_run(&ctx, &p), UJ_OK);
    assert_int_equal(p.end, PROCESS_TIMEOUT);
    process_free(&p);
    assert_true(now_s() - begin < 300);
    assert_true(child > 1);
    /* It is gone, or a zombie that its new parent has yet to bury. */
    char *path = uj_format("/proc/%d/stat", (int)child);
    uint8_t *stat = NULL;
    size_t count;
    if (file_read(&ctx, &stat, &count, path, 4096) == UJ_OK)
        assert_non_null(strstr((char *)stat, ") Z"));
    free(stat);
    free(path);
}

static void so_many_at_a_time_and_none_after_a_failure(void **state)
{
    (void)state;
    struct uj_ctx ctx = {0};
    enum { COUNT = 6 };
    struct process list[COUNT];
    unsigned started = 0;
    /* Each marks its time; never more marks than two. */
    for (size_t i = 0; i < COUNT; i++) {
        list[i] = SHELL("mkdir running-$$; ls -d running-* | wc -l; sleep 0.1; rmdir running-$$");
        list[i].folder = FOLDER;
    }
    assert_int_equal(process_run_all(&ctx, list, COUNT, 2, &started), UJ_OK);
    assert_int_equal(started, COUNT);
    bool together = false;
    for (size_t i = 0; i < COUNT; i++) {
        long at_once = strtol(list[i].output.text, NULL, 10);
        assert_in_range(at_once, 1, 2);
        together |= at_once == 2;
        process_free(&list[i]);
    }
    assert_true(together);

    for (size_t i = 0; i < COUNT; i++)
        list[i] = SHELL(i == 1 ? "exit 1" : "exit 0");
    started = 0;
    assert_int_equal(process_run_all(&ctx, list, COUNT, 1, &started), UJ_OK);
    assert_int_equal(started, 2);
    assert_true(process_good(&list[0]));
    assert_false(process_good(&list[1]));
    for (size_t i = 2; i < COUNT; i++)
        assert_int_equal(list[i].end, PROCESS_NOT_RUN);
    for (size_t i = 0; i < COUNT; i++)
        process_free(&list[i]);
}

static void programs_are_found_on_path(void **state)
{
    (void)state;
    struct uj_ctx ctx = {0};
    char *old = uj_strdup(getenv("PATH"));
    assert_int_equal(file_write(&ctx, FOLDER "/a/tool", "#!/bin/sh\n", 10), UJ_OK);
    assert_int_equal(file_write(&ctx, FOLDER "/a/b/tool", "#!/bin/sh\n", 10), UJ_OK);
    assert_int_equal(setenv("PATH", FOLDER "/a:" FOLDER "/a/b", 1), 0);
    assert_null(process_find("tool"));
    assert_int_equal(chmod(FOLDER "/a/b/tool", 0755), 0);
    char *found = process_find("tool");
    assert_string_equal(found, FOLDER "/a/b/tool");
    free(found);
    assert_null(process_find("b"));
    assert_null(process_find(FOLDER "/a/tool"));
    assert_null(process_find(""));
    assert_int_equal(setenv("PATH", old, 1), 0);
    free(old);
}

static void the_cache_lies_where_the_environment_says(void **state)
{
    (void)state;
    static const struct {
        const char *own, *xdg, *home, *path;
    } cases[] = {
        {"/o", "/x", "/h", "/o"},           {NULL, "/x", "/h", "/x/ujoule"},
        {"", "", "/h", "/h/.cache/ujoule"}, {NULL, "x", "/h", "/h/.cache/ujoule"},
        {"here", "/x", "/h", "here"},       {NULL, NULL, NULL, NULL},
    };
    const char *const names[] = {"UJOULE_CACHE", "XDG_CACHE_HOME", "HOME"};
    char *old[3];
    for (size_t v = 0; v < 3; v++)
        old[v] = getenv(names[v]) ? uj_strdup(getenv(names[v])) : NULL;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const values[] = {cases[i].own, cases[i].xdg, cases[i].home};
        for (size_t v = 0; v < 3; v++)
            assert_int_equal(values[v] ? setenv(names[v], values[v], 1) : unsetenv(names[v]), 0);
        struct uj_ctx ctx = {0};
        char *path;
        assert_int_equal(paths_cache(&ctx, &path), cases[i].path ? UJ_OK : UJ_ERR_IO);
        if (cases[i].path)
            assert_string_equal(path, cases[i].path);
        free(path);
    }
    for (size_t v = 0; v < 3; v++) {
        assert_int_equal(old[v] ? setenv(names[v], old[v], 1) : unsetenv(names[v]), 0);
        free(old[v]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(files_come_back_as_they_went, clear),
        cmocka_unit_test_setup(a_removed_folder_takes_no_linked_one_along, clear),
        cmocka_unit_test(a_message_is_one_line),
        cmocka_unit_test_setup(fields_do_not_run_together, clear),
        cmocka_unit_test_setup(programs_are_heard_out, clear),
        cmocka_unit_test_setup(what_runs_too_long_is_ended_with_its_children, clear),
        cmocka_unit_test_setup(so_many_at_a_time_and_none_after_a_failure, clear),
        cmocka_unit_test_setup(programs_are_found_on_path, clear),
        cmocka_unit_test_setup(the_cache_lies_where_the_environment_says, clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
