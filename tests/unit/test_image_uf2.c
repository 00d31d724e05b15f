/*
 * UF2 files, taken apart here: block by block against the specification, their content against what
 * objcopy makes of the same ELF file.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <elf.h>

#include "base/file.h"
#include "base/process.h"
#include "base/str.h"
#include "image/image.h"

#define FOLDER UJ_BUILD_DIR "/test_image_uf2"

enum { BLOCK = 512, PAGE = 256 };

/* Three parts of odd lengths: two within one page, one far behind them that begins within a page.
 */
static const char source[] =
    "__attribute__((section(\".one\"), used)) const unsigned char one[37] = {1, 2, 3, [36] = 37};\n"
    "__attribute__((section(\".two\"), used)) const unsigned char two[701] = {7, [255] = 8, "
    "[700] = 9};\n"
    "__attribute__((section(\".three\"), used)) const unsigned char three[300] = {5, [299] = 6};\n";
static const char script[] = "PHDRS { low PT_LOAD; high PT_LOAD; }\n"
                             "SECTIONS {\n"
                             "  .one 0x20000000 : { *(.one) } :low\n"
                             "  .two 0x20000040 : { *(.two) } :low\n"
                             "  .three 0x20001ff4 : { *(.three) } :high\n"
                             "  /DISCARD/ : { *(*) }\n"
                             "}\n";

static char *run(char *const *argv)
{
    struct uj_ctx ctx = {0};
    struct process p = {.argv = (char **)argv, .folder = FOLDER, .timeout_s = 60};
    if (process_run(&ctx, &p) != UJ_OK)
        fail_msg("%s", ctx.message);
    if (!process_good(&p))
        fail_msg("%s: %s", argv[0], p.errors.text);
    char *text = str_take(&p.output);
    process_free(&p);
    return text;
}
#define RUN(...) run((char *const[]){__VA_ARGS__, NULL})

static void write_text(const char *path, const char *text)
{
    struct uj_ctx ctx = {0};
    if (file_write(&ctx, path, text, strlen(text)) != UJ_OK)
        fail_msg("%s", ctx.message);
}

static uint8_t *read_all(size_t *count, const char *path)
{
    struct uj_ctx ctx = {0};
    uint8_t *bytes;
    if (file_read(&ctx, &bytes, count, path, 1 << 20) != UJ_OK)
        fail_msg("%s", ctx.message);
    return bytes;
}

static uint32_t word(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static struct image *probe(void)
{
    struct uj_ctx ctx = {0};
    struct image *image;
    if (folder_make(&ctx, FOLDER) != UJ_OK)
        fail_msg("%s", ctx.message);
    write_text(FOLDER "/probe.c", source);
    write_text(FOLDER "/probe.ld", script);
    free(RUN("arm-none-eabi-gcc", "-mcpu=cortex-m0plus", "-mthumb", "-nostdlib",
             "-Wl,-T,probe.ld,--build-id=none", "-Wl,-e,0x20000000", "-o", "probe.elf", "probe.c"));
    if (image_load(&ctx, &image, FOLDER "/probe.elf", EM_ARM, "Arm") != UJ_OK)
        fail_msg("%s", ctx.message);
    return image;
}

static void blocks_hold_what_the_elf_holds(void **state)
{
    (void)state;
    static const uint32_t families[] = {0xE48BFF56, 0xE48BFF59, 0xE48BFF5A};
    struct image *image = probe();
    free(RUN("arm-none-eabi-objcopy", "-O", "binary", "--gap-fill", "0", "probe.elf", "probe.bin"));
    size_t plain_bytes;
    uint8_t *plain = read_all(&plain_bytes, FOLDER "/probe.bin");
    assert_int_equal(plain_bytes, 0x1ff4 + 300);
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        struct uj_ctx ctx = {0};
        size_t count;
        assert_int_equal(image_write(&ctx, image, FOLDER "/probe.uf2", families[f]), UJ_OK);
        uint8_t *file = read_all(&count, FOLDER "/probe.uf2");
        /* Pages 0 to 2 (64 + 701 = 765 bytes), 0x1f00, 0x2000 and 0x2100: 0x1ff4 + 300 = 0x2120. */
        static const uint32_t pages[] = {0, 0x100, 0x200, 0x1f00, 0x2000, 0x2100};
        assert_int_equal(count, sizeof pages / sizeof *pages * BLOCK);
        uint8_t *content = calloc(1, 0x2200);
        assert_non_null(content);
        for (uint32_t b = 0; b < count / BLOCK; b++) {
            const uint8_t *block = file + (size_t)b * BLOCK;
            assert_int_equal(word(block), 0x0A324655);
            assert_int_equal(word(block + 4), 0x9E5D5157);
            assert_int_equal(word(block + 8), 0x2000); /* the family is given, nothing else */
            assert_int_equal(word(block + 12), 0x20000000 + pages[b]);
            assert_int_equal(word(block + 16), PAGE);
            assert_int_equal(word(block + 20), b);
            assert_int_equal(word(block + 24), count / BLOCK);
            assert_int_equal(word(block + 28), families[f]);
            assert_int_equal(word(block + 508), 0x0AB16F30);
            for (unsigned i = 32 + PAGE; i < 508; i++)
                assert_int_equal(block[i], 0);
            memcpy(content + pages[b], block + 32, PAGE);
        }
        assert_memory_equal(content, plain, plain_bytes);
        for (size_t i = plain_bytes; i < 0x2200; i++)
            assert_int_equal(content[i], 0);
        free(content);
        free(file);
    }
    char *said = RUN("file", "probe.uf2");
    assert_non_null(strstr(said, "UF2 firmware image"));
    free(said);
    free(plain);
    image_free(image);
}

static void no_family_no_file(void **state)
{
    (void)state;
    struct uj_ctx ctx = {0};
    struct image *image = probe();
    assert_int_equal(image_write(&ctx, image, FOLDER "/none.uf2", 0), UJ_ERR_USAGE);
    assert_non_null(strstr(ctx.message, "no UF2 family"));
    assert_false(file_exists(FOLDER "/none.uf2"));
    image_free(image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_hold_what_the_elf_holds),
        cmocka_unit_test(no_family_no_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
