/*
 * Every hash implementation on every board that can hold it: the digests of the pattern messages of
 * 0 to 160, 256, 512 and 1024 bytes, computed on the simulated device, against the reference on the
 * host (which test_primitives holds to the published answers). Longer than the board's buffer goes
 * piece by piece, so init, update and final are run on the device as well.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "build/build.h"
#include "image/image.h"
#include "measure/harness_link.h"
#include "primitive_table.h"
#include "sim/board.h"

enum { EVERY_LENGTH_TO = 160, OUTPUT_MAX = 64, MESSAGE_MAX = 1024, PIECE = 37 };
static const size_t longer[] = {256, 512, 1024};
static const uint64_t limit_ps = 4000 * PS_PER_SECOND;

static struct catalog *catalog;

static void must(const struct uj_ctx *ctx)
{
    if (ctx->code)
        fail_msg("%s", ctx->message);
}

static void put(uint8_t *out, unsigned bytes, uint32_t value)
{
    for (unsigned i = 0; i < bytes; i++)
        out[i] = (uint8_t)(value >> (8 * i));
}

/* One message of `length` bytes, j mod 256, in one piece or in pieces. */
static void check(struct harness_link *link, const struct implementation *i, size_t length,
                  size_t output_bytes, size_t piece)
{
    uint8_t message[MESSAGE_MAX], expected[OUTPUT_MAX], payload[13] = {MESSAGE_PATTERN};
    for (size_t j = 0; j < length; j++)
        message[j] = (uint8_t)j;
    const struct primitive *reference = primitive_find(PRIMITIVE_HASH, i->algorithm, "ref");
    assert_non_null(reference);
    reference->once(expected, output_bytes, message, length, NULL, 0);
    put(payload + 1, 4, 256);
    put(payload + 5, 4, (uint32_t)length);
    put(payload + 9, 2, (uint32_t)output_bytes);
    put(payload + 11, 2, (uint32_t)piece);
    const uint8_t *answer;
    size_t bytes;
    enum link_status status =
        link_request(link, 'R', payload, sizeof payload, &answer, &bytes, limit_ps);
    if (status != LINK_OK)
        fail_msg("%s %s, %zu bytes: %s", i->algorithm, i->name, length, link_explain(link, status));
    assert_int_equal(bytes, 4 + output_bytes);
    if (memcmp(answer + 4, expected, output_bytes) != 0)
        fail_msg("%s %s, %zu bytes in pieces of %zu: wrong digest", i->algorithm, i->name, length,
                 piece);
}

static void check_implementation(const struct board *board, const struct implementation *i,
                                 size_t step)
{
    struct uj_ctx ctx = {0};
    struct build_request request = {.board = board, .catalog = catalog, .implementation = i};
    struct build_result build;
    struct image *image;
    struct machine *m;
    (void)!build_image(&ctx, &build, &request);
    must(&ctx);
    (void)!image_load(&ctx, &image, build.elf_path, board->core_class->elf_machine,
                      board->core_class->isa);
    must(&ctx);
    (void)!board_machine(&ctx, &m, board);
    must(&ctx);
    (void)!image_into_machine(&ctx, image, m);
    must(&ctx);
    machine_reset(m);
    struct harness_link link;
    enum link_status status = link_boot(&link, m, machine_serial(m, board->serial), limit_ps);
    if (status != LINK_OK)
        fail_msg("%s: %s", i->algorithm, link_explain(&link, status));
    const uint8_t *identity;
    size_t bytes;
    assert_int_equal(link_request(&link, 'I', NULL, 0, &identity, &bytes, limit_ps), LINK_OK);
    size_t buffer = (size_t)(identity[2] | identity[3] << 8);
    size_t output_bytes = (size_t)build.output_bytes;
    for (size_t length = 0; length <= EVERY_LENGTH_TO; length += step)
        check(&link, i, length, output_bytes, 0);
    check(&link, i, EVERY_LENGTH_TO, output_bytes, PIECE);
    for (size_t k = 0; k < sizeof longer / sizeof longer[0]; k++)
        check(&link, i, longer[k], output_bytes, longer[k] > buffer ? buffer : 0);
    link_close(&link);
    machine_free(m);
    image_free(image);
    build_result_free(&build);
}

/* Every `step`th of the short lengths. */
static void check_board(const char *name, size_t step)
{
    struct uj_ctx ctx = {0};
    struct board *board;
    (void)!board_load(&ctx, &board, UJ_SOURCE_DIR "/devices", name);
    must(&ctx);
    for (size_t k = 0; k < catalog->implementation_count; k++) {
        const struct implementation *i = &catalog->implementations[k];
        if (strcmp(i->kind, "hash") == 0 && i->needs_count == 0)
            check_implementation(board, i, step);
    }
    board_free(board);
}

static void on_cw_xmega(void **state)
{
    (void)state;
    check_board("cw-xmega", 1);
}

static void on_uno(void **state)
{
    (void)state;
    check_board("uno", 1);
}

static void on_sky(void **state)
{
    (void)state;
    check_board("sky", 1);
}

/* The same code as on sky but for the multiplier and the core. */
static void on_z1_and_wismote(void **state)
{
    (void)state;
    check_board("z1", 23);
    check_board("wismote", 23);
}

static int load_catalog(void **state)
{
    (void)state;
    struct uj_ctx ctx = {0};
    return catalog_load(&ctx, &catalog, UJ_SOURCE_DIR "/primitives") != UJ_OK;
}

static int free_catalog(void **state)
{
    (void)state;
    catalog_free(catalog);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(on_cw_xmega), cmocka_unit_test(on_uno),
                                       cmocka_unit_test(on_sky),
                                       cmocka_unit_test(on_z1_and_wismote)};
    return cmocka_run_group_tests(tests, load_catalog, free_catalog);
}
