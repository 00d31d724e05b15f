/*
 * KangarooTwelve with a customization string, which the common signature of a xof does not have:
 * the designers' answers, then some at the bounds of chunks, computed with a second implementation.
 */
#include "k12_fast.h"
#include "k12_ref.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { DIGEST_BYTES = 32 };

/* The message is so many times 0xFF; byte i of the customization is i mod 251. */
static const struct {
    size_t message_bytes, custom_bytes;
    const char *digest;
} answers[] = {
    {0, 1, "fab658db63e94a246188bf7af69a133045f46ee984c56e3c3328caaf1aa1a583"},
    {1, 41, "d848c5068ced736f4462159b9867fd4c20b808acc3d5bc48e0b06ba0a3762ec4"},
    {3, 1681, "c389e5009ae57120854c2e8c64670ac01358cf4c1baf89447a724234dc7ced74"},
    {7, 68921, "75d2f86a2e644566726b4fbcfc5657b9dbcf070c7b0dca06450ab291d7443bcf"},
    {0, 8189, "459457293fc28249fdc0271cd3bb4773b5d424a1570a9b5a3e9b0603989f613f"},
    {0, 8190, "db4f5088d9b92840a44ae9da94bdbb18c5ea672b526ef76feeb76cfce610757d"},
    {8191, 1, "fa23578d483f1daa45df7a74a93986c599010ca62314c2b62175890e7b5ec44a"},
    {8192, 8192, "0b6c5c61bf64ddc23437f13a5279c2c1ed1174c6bbe5df6527a74780dfcf4993"},
};

typedef void custom_function(unsigned char *out, const unsigned char *in, size_t in_bytes,
                             const unsigned char *custom, size_t custom_bytes, size_t out_bytes);

static void check(custom_function *k12)
{
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        size_t message_bytes = answers[i].message_bytes, custom_bytes = answers[i].custom_bytes;
        unsigned char *message = malloc(message_bytes + 1), *custom = malloc(custom_bytes + 1);
        unsigned char digest[DIGEST_BYTES];
        char text[2 * DIGEST_BYTES + 1];

        assert_non_null(message);
        assert_non_null(custom);
        for (size_t k = 0; k < message_bytes; k++)
            message[k] = 0xff;
        for (size_t k = 0; k < custom_bytes; k++)
            custom[k] = (unsigned char)(k % 251);

        k12(digest, message, message_bytes, custom, custom_bytes, DIGEST_BYTES);
        for (size_t k = 0; k < DIGEST_BYTES; k++)
            snprintf(text + 2 * k, 3, "%02x", digest[k]);
        assert_string_equal(text, answers[i].digest);

        free(message);
        free(custom);
    }
}

/* Each implementation in one call and byte by byte. */
#define TEST(impl)                                                                                \
    static void impl##_byte_by_byte(unsigned char *out, const unsigned char *in, size_t in_bytes, \
                                    const unsigned char *custom, size_t custom_bytes,             \
                                    size_t out_bytes)                                             \
    {                                                                                             \
        struct impl c;                                                                            \
                                                                                                  \
        impl##_init(&c);                                                                          \
        while (in_bytes-- > 0)                                                                    \
            impl##_update(&c, in++, 1);                                                           \
        impl##_final_custom(&c, out, custom, custom_bytes, out_bytes);                            \
    }                                                                                             \
                                                                                                  \
    static void impl##_gives_the_known_answers(void **state)                                      \
    {                                                                                             \
        (void)state;                                                                              \
        check(impl##_custom);                                                                     \
        check(impl##_byte_by_byte);                                                               \
    }

TEST(k12_ref)
TEST(k12_fast)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(k12_ref_gives_the_known_answers),
        cmocka_unit_test(k12_fast_gives_the_known_answers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
