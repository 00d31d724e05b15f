/* Values of options: read whole, in range, or refused in one line that names the option. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "cli/cli.h"

static void assert_refused(const struct uj_ctx *ctx, const char *text)
{
    assert_int_equal(ctx->code, UJ_ERR_USAGE);
    if (!strstr(ctx->message, text) || strchr(ctx->message, '\n'))
        fail_msg("'%s' does not say '%s'", ctx->message, text);
}

static void integers_are_read_whole(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t low, high, value;
        const char *refusal;
    } cases[] = {
        {"0", 0, 10, 0, NULL},
        {"10", 0, 10, 10, NULL},
        {"010", 0, 10, 10, NULL}, /* decimal: nobody means octal */
        {"0x10", 0, 16, 16, NULL},
        {"-0x10", -16, 16, -16, NULL},
        {"-5", -5, 5, -5, NULL},
        {"9223372036854775807", 0, INT64_MAX, INT64_MAX, NULL},
        {"-9223372036854775808", INT64_MIN, 0, INT64_MIN, NULL},
        {"9223372036854775808", 0, INT64_MAX, 0, "out of range"},
        {"11", 0, 10, 0, "-x: 11 is out of range, which is 0 to 10"},
        {"-1", 0, 10, 0, "out of range"},
        {"", 0, 10, 0, "not a whole number"},
        {"-", 0, 10, 0, "not a whole number"},
        {"+1", 0, 10, 0, "not a whole number"},
        {" 1", 0, 10, 0, "not a whole number"},
        {"1 ", 0, 10, 0, "not a whole number"},
        {"1k", 0, 10, 0, "-x: '1k' is not a whole number"},
        {"1.0", 0, 10, 0, "not a whole number"},
        {"0x", 0, 10, 0, "not a whole number"},
        {"0xg", 0, 10, 0, "not a whole number"},
        {"0x-1", -5, 5, 0, "not a whole number"},
        {"--1", -5, 5, 0, "not a whole number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct uj_ctx ctx = {0};
        int64_t value = 77;
        enum uj_err err =
            cli_integer(&ctx, &value, "-x", cases[i].text, cases[i].low, cases[i].high);
        if (cases[i].refusal) {
            assert_int_equal(err, UJ_ERR_USAGE);
            assert_refused(&ctx, cases[i].refusal);
            assert_int_equal(value, 77);
        } else {
            assert_int_equal(err, UJ_OK);
            assert_int_equal(value, cases[i].value);
        }
    }
}

static void reals_are_read_whole(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
        const char *refusal;
    } cases[] = {
        {"1.5", 1.5, NULL},          {"-2", -2, NULL},
        {"1e3", 1000, NULL},         {"1e4", 0, "-x: 1e4 is out of range, which is -10 to 1000"},
        {"", 0, "not a number"},     {"nan", 0, "not a number"},
        {"inf", 0, "not a number"},  {"1e999", 0, "out of range"},
        {"1.5V", 0, "not a number"}, {" 1", 0, "not a number"},
        {".", 0, "not a number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct uj_ctx ctx = {0};
        double value = 77;
        enum uj_err err = cli_real(&ctx, &value, "-x", cases[i].text, -10, 1000);
        if (cases[i].refusal) {
            assert_int_equal(err, UJ_ERR_USAGE);
            assert_refused(&ctx, cases[i].refusal);
            assert_true(value == 77);
        } else {
            assert_int_equal(err, UJ_OK);
            assert_true(value == cases[i].value);
        }
    }
}

static void lists_are_split_and_add_up(void **state)
{
    (void)state;
    struct uj_ctx ctx = {0};
    struct cli_list words = {0};
    assert_int_equal(cli_split(&ctx, &words, "-d", "uno,cw-xmega"), UJ_OK);
    assert_int_equal(cli_split(&ctx, &words, "-d", "./my folder"), UJ_OK);
    assert_int_equal(words.count, 3);
    assert_string_equal(words.items[0], "uno");
    assert_string_equal(words.items[1], "cw-xmega");
    assert_string_equal(words.items[2], "./my folder");

    static const char *const wrong[] = {"", ",", "a,", ",a", "a,,b"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        uj_clear(&ctx);
        assert_int_equal(cli_split(&ctx, &words, "-d", wrong[i]), UJ_ERR_USAGE);
        assert_refused(&ctx, "-d: an empty item");
    }
    cli_list_free(&words);
    assert_int_equal(words.count, 0);

    uj_clear(&ctx);
    struct cli_integers sizes = {0};
    assert_int_equal(cli_integers_split(&ctx, &sizes, "-n", "16,64", 0, 100), UJ_OK);
    assert_int_equal(cli_integers_split(&ctx, &sizes, "-n", "0x10", 0, 100), UJ_OK);
    assert_int_equal(sizes.count, 3);
    assert_int_equal(sizes.items[0] + sizes.items[1] + sizes.items[2], 96);
    assert_int_equal(cli_integers_split(&ctx, &sizes, "-n", "1,101", 0, 100), UJ_ERR_USAGE);
    assert_refused(&ctx, "-n: 101 is out of range");
    cli_integers_free(&sizes);
}

static void words_offer_the_nearest(void **state)
{
    (void)state;
    static const char *const boards[] = {"cw-xmega", "uno", "sky"};
    struct uj_ctx ctx = {0};
    size_t index = 9;
    assert_int_equal(cli_word(&ctx, &index, "board", "sky", boards, 3), UJ_OK);
    assert_int_equal(index, 2);
    assert_int_equal(cli_word(&ctx, &index, "board", "unp", boards, 3), UJ_ERR_USAGE);
    assert_refused(&ctx, "no board 'unp'; did you mean 'uno'?");
    uj_clear(&ctx);
    assert_int_equal(cli_word(&ctx, &index, "board", "zzzzzzzzz", boards, 3), UJ_ERR_USAGE);
    assert_refused(&ctx, "no board 'zzzzzzzzz'; there are: cw-xmega, uno, sky");
    uj_clear(&ctx);
    assert_int_equal(cli_word(&ctx, &index, "study", "x", NULL, 0), UJ_ERR_USAGE);
    assert_refused(&ctx, "no study 'x', nor any other");
    assert_int_equal(index, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_are_read_whole),
        cmocka_unit_test(reals_are_read_whole),
        cmocka_unit_test(lists_are_split_and_add_up),
        cmocka_unit_test(words_offer_the_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
