/* Messages from seeds and patterns, and known-answer files as they are published. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "measure/kat_file.h"
#include "measure/message.h"

/* Derived by hand: x1 = 1664525 + 1013904223 = 1015568748 = 0x3c88596c; x2 = x1 * 1664525 +
 * 1013904223 mod 2^32 = 0x5e8885db. */
static void generator(void **state)
{
    (void)state;
    struct message m;
    message_seeded(&m, 1, 2);
    assert_int_equal(m.content[0], 0x3c);
    assert_int_equal(m.content[1], 0x5e);
    message_free(&m);
    message_pattern(&m, 251, 300);
    assert_int_equal(m.content[250], 250);
    assert_int_equal(m.content[251], 0);
    message_free(&m);
}

static void reads_both_forms(void **state)
{
    (void)state;
    struct uj_ctx ctx = {0};
    struct kat_file f;
    assert_int_equal(kat_file_parse(&ctx, &f, "a.txt",
                                    "Count = 1\nMsg = \nMD = AA\n\nCount = 2\nMsg = 00\nMD = bb\n"),
                     UJ_OK);
    assert_int_equal(f.count, 2);
    assert_int_equal(f.items[0].message_bytes, 0);
    assert_int_equal(f.items[1].digest[0], 0xbb);
    assert_ptr_equal(kat_file_of_length(&f, 1), &f.items[1]);
    assert_null(kat_file_of_length(&f, 7));
    kat_file_free(&f);

    assert_int_equal(kat_file_parse(&ctx, &f, "b.rsp",
                                    "#  CAVS\r\n[L = 32]\r\n\r\nLen = 0\r\nMsg = 00\r\nMD = 01\r\n"
                                    "Len = 16\r\nMsg = 0102\r\nMD = 02\r\n"),
                     UJ_OK);
    assert_int_equal(f.items[0].message_bytes, 0);
    assert_int_equal(f.items[1].message_bytes, 2);
    kat_file_free(&f);
}

static void refuses(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"", "k:0: no known answers"},         {"Msg = 0\n", "k:1: no whole bytes"},
        {"Msg = 0g\n", "k:1: no whole bytes"}, {"MD = 00\n", "k:1: MD without"},
        {"Len = 7\n", "k:1: Len must"},        {"Len = 16\nMsg = 00\n", "k:2: Msg is not as long"},
        {"hello\n", "k:1: neither"},           {"Foo = 1\n", "k:1: neither"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct uj_ctx ctx = {0};
        struct kat_file f;
        assert_int_equal(kat_file_parse(&ctx, &f, "k", bad[i][0]), UJ_ERR_INPUT);
        assert_memory_equal(ctx.message, bad[i][1], strlen(bad[i][1]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generator),
        cmocka_unit_test(reads_both_forms),
        cmocka_unit_test(refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
