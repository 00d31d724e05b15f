/* What is found under primitives/, what a user's folder may be, and the one line for each that may
 * not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/str.h"
#include "build/catalog.h"

#define PRIMITIVES UJ_SOURCE_DIR "/primitives"
#define FOLDER     UJ_BUILD_DIR "/test_catalog"

static struct catalog *catalog;

static int load(void **state)
{
    (void)state;
    struct uj_ctx ctx = {0};
    folder_remove(FOLDER);
    if (catalog_load(&ctx, &catalog, PRIMITIVES) != UJ_OK)
        fail_msg("%s", ctx.message);
    return 0;
}

static int drop(void **state)
{
    (void)state;
    catalog_free(catalog);
    return 0;
}

/* Writes FOLDER/path, with the folders it needs. */
static void write_text(const char *path, const char *text)
{
    struct uj_ctx ctx = {0};
    char *full = path_join(FOLDER, path);
    char *folder = uj_strndup(full, (size_t)(path_name(full) - full) - 1);
    if (folder_make(&ctx, folder) != UJ_OK || file_write(&ctx, full, text, strlen(text)) != UJ_OK)
        fail_msg("%s", ctx.message);
    free(folder);
    free(full);
}

static void assert_message(const struct uj_ctx *ctx, const char *part)
{
    if (!strstr(ctx->message, part))
        fail_msg("'%s' does not say '%s'", ctx->message, part);
    assert_null(strchr(ctx->message, '\n'));
}

static void what_lies_there_is_found(void **state)
{
    (void)state;
    struct uj_ctx ctx = {0};
    const struct algorithm *sha256;
    const struct implementation *ref;
    assert_int_equal(catalog_algorithm(&ctx, &sha256, catalog, "sha256"), UJ_OK);
    assert_string_equal(sha256->kind, "hash");
    assert_string_equal(sha256->display_name, "SHA-256");
    assert_string_equal(sha256->standard, "FIPS 180-4");
    assert_int_equal(sha256->output_bytes, 32);
    assert_int_equal(sha256->security_bits, 128);
    assert_int_equal(sha256->rate_bytes, 64);
    assert_int_equal(sha256->state_bytes, 32);
    assert_int_equal(sha256->rounds, 64);
    assert_null(sha256->note);
    assert_non_null(sha256->advice);
    assert_int_equal(catalog_implementation(&ctx, &ref, catalog, sha256, "ref"), UJ_OK);
    assert_string_equal(ref->prefix, "sha256_ref");
    assert_string_equal(ref->folder, PRIMITIVES "/hash/sha256/ref");
    assert_false(ref->outside);
    assert_ptr_equal(catalog_at(catalog, "hash/sha256/ref"), ref);
    assert_null(catalog_at(catalog, "hash/sha256"));

    const struct algorithm *hyphen;
    assert_int_equal(catalog_algorithm(&ctx, &hyphen, catalog, "ascon-hash256"), UJ_OK);
    assert_int_equal(catalog_implementation(&ctx, &ref, catalog, hyphen, "ref"), UJ_OK);
    assert_string_equal(ref->prefix, "ascon_hash256_ref");

    /* Every implementation's header is where its prefix says; every use exists; the order is by
     * name. */
    for (size_t i = 0; i < catalog->implementation_count; i++) {
        const struct implementation *x = &catalog->implementations[i], *before = x - 1;
        char *header = uj_format("%s/%s.h", x->folder, x->prefix);
        assert_true(file_exists(header));
        free(header);
        for (size_t u = 0; u < x->uses_count; u++)
            assert_non_null(catalog_at(catalog, x->uses[u]));
        if (i == 0 || strcmp(before->kind, x->kind) != 0)
            continue;
        int order = strcmp(before->algorithm, x->algorithm);
        assert_true(order < 0 || (order == 0 && strcmp(before->name, x->name) < 0));
    }
    for (size_t i = 1; i < catalog->algorithm_count; i++) {
        const struct algorithm *a = &catalog->algorithms[i - 1], *b = a + 1;
        assert_true(strcmp(a->kind, b->kind) < 0 ||
                    (strcmp(a->kind, b->kind) == 0 && strcmp(a->name, b->name) < 0));
    }
}

static void an_unknown_name_is_refused_with_the_nearest(void **state)
{
    (void)state;
    static const struct {
        const char *algorithm, *message;
    } cases[] = {
        {"sha265", "no algorithm 'sha265'; did you mean 'sha256'?"},
        {"ascon-hsah256", "no algorithm 'ascon-hsah256'; did you mean 'ascon-hash256'?"},
        {"qqqqqqqqqqqqqqqqqqqqqqqq",
         "no algorithm 'qqqqqqqqqqqqqqqqqqqqqqqq'; there are ascon-hash, ascon-hash256, "},
    };
    const struct algorithm *a;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct uj_ctx ctx = {0};
        assert_int_equal(catalog_algorithm(&ctx, &a, catalog, cases[i].algorithm), UJ_ERR_USAGE);
        assert_message(&ctx, cases[i].message);
    }
    struct uj_ctx ctx = {0};
    const struct implementation *x;
    assert_int_equal(catalog_algorithm(&ctx, &a, catalog, "sha256"), UJ_OK);
    assert_int_equal(catalog_implementation(&ctx, &x, catalog, a, "refs"), UJ_ERR_USAGE);
    assert_message(&ctx, "no implementation of sha256 'refs'; did you mean 'ref'?");
    assert_true(catalog_is_folder("./x") && catalog_is_folder(".") && catalog_is_folder("a/b"));
    assert_false(catalog_is_folder("ref"));
}

#define GOOD_ALGORITHM "name: X\nstandard: none\noutput_bytes: 4\n"

static void wrong_files_are_refused_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *path, *text, *message;
    } cases[] = {
        {"hash/x/algorithm.yaml", "name: X\nstandard: none\n",
         "algorithm.yaml:1:1: has no \"output_bytes\""},
        {"hash/x/algorithm.yaml", GOOD_ALGORITHM "rate: 8\n",
         "algorithm.yaml:4:7: rate: unknown key"},
        {"hash/x/algorithm.yaml", "name: X\nstandard: none\noutput_bytes: 4.5\n",
         "algorithm.yaml:3:"},
        {"hash/x/algorithm.yaml", "name: [X\n", "algorithm.yaml:2:"},
        {"hash/x/algorithm.yaml", GOOD_ALGORITHM "rounds: -1\n", "algorithm.yaml:4:"},
        {"hash/x/ref/impl.yaml", "descripton: typo\n", "impl.yaml:1:13: descripton: unknown key"},
        {"hash/x/ref/impl.yaml", "uses: hash/y/ref\n", "impl.yaml:1:"},
        {"hash/x/ref/impl.yaml", "uses: [hash/y/ref]\n",
         "impl.yaml: uses: no implementation 'hash/y/ref'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct uj_ctx ctx = {0};
        struct catalog *c;
        folder_remove(FOLDER);
        write_text("hash/x/algorithm.yaml", GOOD_ALGORITHM);
        write_text("hash/x/ref/impl.yaml", "description: good\n");
        assert_int_equal(catalog_load(&ctx, &c, FOLDER), UJ_OK);
        assert_int_equal(c->implementation_count, 1);
        assert_int_equal(c->algorithms[0].rounds, -1);
        catalog_free(c);
        write_text(cases[i].path, cases[i].text);
        assert_int_equal(catalog_load(&ctx, &c, FOLDER), UJ_ERR_INPUT);
        assert_message(&ctx, cases[i].message);
        assert_null(c);
    }
    struct uj_ctx ctx = {0};
    struct catalog *c;
    assert_int_equal(catalog_load(&ctx, &c, FOLDER "/none"), UJ_ERR_INPUT);
    assert_message(&ctx, "none: no such folder");
    folder_remove(FOLDER);
    write_text("hash/x/ref/impl.yaml", "description: an algorithm without its file\n");
    uj_clear(&ctx);
    assert_int_equal(catalog_load(&ctx, &c, FOLDER), UJ_ERR_INPUT);
    assert_message(&ctx, "x/algorithm.yaml: cannot be read: No such file");
}

static void a_users_folder_is_understood_or_refused(void **state)
{
    (void)state;
    static const struct {
        const char *names[3], *texts[3], *as, *message;
    } cases[] = {
        {{"readme.txt"}, {"hello"}, "sha256", "user/pack: holds no C or assembly file"},
        {{"hash.c"}, {"int crypto_hash;"}, "sha256", "user/pack: no api.h"},
        {{"hash.c", "api.h"},
         {"int crypto_hash;", "/* CRYPTO_BYTES */"},
         "sha256",
         "user/pack/api.h: no CRYPTO_BYTES"},
        {{"hash.c", "api.h"},
         {"/* crypto_hash */ \"crypto_hash\"; int crypto_hashes;", "#define CRYPTO_BYTES 32"},
         "sha256",
         "user/pack: no function crypto_hash()"},
        {{"hash.c", "api.h"},
         {"int crypto_hash;", "#define CRYPTO_BYTES 32"},
         "hmac-sha256",
         "user/pack: crypto_hash() computes a hash; hmac-sha256 is a mac"},
        {{"x.c", "impl.yaml"},
         {"int x;", "description: mine\n"},
         NULL,
         "user/pack: has an impl.yaml, so it needs --as ALGORITHM"},
        {{"x.c", "impl.yaml"},
         {"int x;", "description: mine\n"},
         "sha256",
         "sha256_pack.h: no such file"},
        {{"x.c", "impl.yaml", "sha256_pack.h"},
         {"int x;", "uses: [hash/none/ref]\n", ""},
         "sha256",
         "no implementation 'hash/none/ref'"},
        {{"x.c", "impl.yaml", "sha256_pack.h"},
         {"int x;", "description: mine\n", ""},
         "sha256",
         NULL},
        {{"hash.c", "api.h"}, {"int crypto_hash;", "#define CRYPTO_BYTES 32"}, "sha256", NULL},
        {{"hash.S", "api.h"}, {"crypto_hash:", "#define CRYPTO_BYTES 32"}, NULL, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct uj_ctx ctx = {0};
        struct implementation *x;
        const struct algorithm *as = NULL;
        folder_remove(FOLDER);
        for (size_t f = 0; f < 3 && cases[i].names[f]; f++) {
            char *path = path_join("user/pack", cases[i].names[f]);
            write_text(path, cases[i].texts[f]);
            free(path);
        }
        if (cases[i].as)
            assert_int_equal(catalog_algorithm(&ctx, &as, catalog, cases[i].as), UJ_OK);
        enum uj_err err = catalog_user_folder(&ctx, &x, catalog, FOLDER "/user/pack/", as);
        if (cases[i].message) {
            assert_true(err == UJ_ERR_INPUT || err == UJ_ERR_USAGE);
            assert_message(&ctx, cases[i].message);
            assert_null(x);
            continue;
        }
        assert_int_equal(err, UJ_OK);
        bool contract = x->form == IMPLEMENTATION_CONTRACT;
        assert_string_equal(x->name, "user/pack");
        assert_string_equal(x->folder, FOLDER "/user/pack");
        assert_string_equal(x->prefix, contract ? "sha256_pack" : "crypto_hash");
        assert_string_equal(x->algorithm, as ? "sha256" : "unknown");
        assert_int_equal(contract, file_exists(FOLDER "/user/pack/impl.yaml"));
        assert_true(x->outside);
        implementation_free(x);
    }
    struct uj_ctx ctx = {0};
    struct implementation *x;
    assert_int_equal(catalog_user_folder(&ctx, &x, catalog, FOLDER "/none", NULL), UJ_ERR_INPUT);
    assert_message(&ctx, "none: no such folder");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_lies_there_is_found),
        cmocka_unit_test(an_unknown_name_is_refused_with_the_nearest),
        cmocka_unit_test(wrong_files_are_refused_with_their_place),
        cmocka_unit_test(a_users_folder_is_understood_or_refused),
    };
    return cmocka_run_group_tests(tests, load, drop);
}
