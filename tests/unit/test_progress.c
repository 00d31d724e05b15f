/* The progress bar: nothing where there is no terminal, and nothing left where there is one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "base/str.h"

/* What the stream got; free it. */
static char *content_of(FILE *file)
{
    long length = ftell(file);
    assert_true(length >= 0);
    char *text = uj_calloc((size_t)length + 1, 1);
    rewind(file);
    assert_int_equal(fread(text, 1, (size_t)length, file), length);
    (void)fclose(file);
    return text;
}

/* What a terminal shows after the text, which knows CR, LF and "erase to the end of the line". */
static char *shown_by(const char *text)
{
    struct str screen;
    str_init(&screen);
    size_t line = 0, column = 0;
    for (; *text; text++) {
        if (*text == '\n') {
            str_add(&screen, "\n");
            line = screen.length;
            column = 0;
        } else if (*text == '\r') {
            column = 0;
        } else if (strncmp(text, "\033[K", 3) == 0) {
            screen.length = line + column;
            screen.text[screen.length] = '\0';
            text += 2;
        } else {
            assert_int_not_equal(*text, '\033');
            if (line + column < screen.length)
                screen.text[line + column] = *text;
            else
                str_add_bytes(&screen, text, 1);
            column++;
        }
    }
    char *shown = str_take(&screen);
    str_free(&screen);
    return shown;
}

static void a_file_gets_notes_alone(void **state)
{
    (void)state;
    FILE *file = tmpfile();
    struct progress *p = progress_start_on(file, 0, "measurements", 3);
    progress_step(p, "one");
    progress_note(p, "%s failed", "two");
    progress_step(p, NULL);
    progress_end(p);
    char *text = content_of(file);
    assert_string_equal(text, "two failed\n");
    free(text);
}

static void a_terminal_sees_the_bar_and_then_no_more(void **state)
{
    (void)state;
    FILE *file = tmpfile();
    struct progress *p = progress_start_on(file, 1, "measurements", 2);
    progress_step(p, "first \033[31m one");
    progress_note(p, "a note");
    progress_step(p, "second");
    char *text = uj_calloc(4096, 1);
    long length = ftell(file);
    rewind(file);
    assert_int_equal(fread(text, 1, 4095, file), length);
    char *shown = shown_by(text);
    assert_string_equal(shown, "a note\n[####################] 2/2 measurements  second");
    free(shown);
    free(text);
    progress_end(p);
    text = content_of(file);
    shown = shown_by(text);
    assert_string_equal(shown, "a note\n");
    free(shown);
    free(text);
    progress_end(NULL);
}

static void long_details_are_cut(void **state)
{
    (void)state;
    FILE *file = tmpfile();
    struct progress *p = progress_start_on(file, 1, "runs", 1);
    char detail[400];
    for (size_t i = 0; i + 2 < sizeof detail; i += 2)
        memcpy(detail + i, "\xc3\xa4", 3);
    progress_step(p, detail);
    char text[4096] = {0};
    long length = ftell(file);
    rewind(file);
    assert_int_equal(fread(text, 1, sizeof text - 1, file), length);
    const char *last = strrchr(text, 'K') + 1;
    size_t columns = 0;
    for (const char *c = last; *c; c++)
        columns += ((unsigned char)*c & 0xc0) != 0x80;
    assert_int_equal(columns, 79);
    progress_end(p);
    (void)fclose(file);
}

static void *step_often(void *owner)
{
    for (int i = 0; i < 1000; i++) {
        progress_step(owner, "thread");
        if (i % 100 == 0)
            progress_note(owner, "note");
    }
    return NULL;
}

static void threads_may_share_it(void **state)
{
    (void)state;
    FILE *file = tmpfile();
    struct progress *p = progress_start_on(file, 1, "steps", 4000);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, step_often, p), 0);
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    progress_end(p);
    char *text = content_of(file);
    assert_non_null(strstr(text, "4000/4000"));
    char *shown = shown_by(text);
    assert_int_equal(strlen(shown), 40 * strlen("note\n"));
    free(shown);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_gets_notes_alone),
        cmocka_unit_test(a_terminal_sees_the_bar_and_then_no_more),
        cmocka_unit_test(long_details_are_cut),
        cmocka_unit_test(threads_may_share_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
