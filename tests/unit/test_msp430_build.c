/*
 * Images for the MSP430: every implementation fits near memory of the three chips, sizes by lld's
 * map against nm, what does not fit, and which toolchain is taken.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/process.h"
#include "base/str.h"
#include "build/build.h"
#include "build/linker.h"
#include "build/map.h"
#include "image/image.h"

#define FOLDER UJ_BUILD_DIR "/test_msp430_build"

/* The chips as far as a build needs them; flash and RAM of the linker are parameters. */
struct chip {
    const char *mcu, *core, *flags;
    unsigned flash, flash_bytes, ram, ram_bytes, vectors;
    const char *hz;
};
static const struct chip f1611 = {"msp430f1611", "msp430", "",     0x4000,        0xBFE0,
                                  0x1100,        0x2800,   0xFFE0, "3.899392 MHz"};
static const struct chip f2617 = {"msp430f2617", "msp430x", "",     0x3100,        0xCEBE,
                                  0x1100,        0x2000,    0xFFC0, "7.995392 MHz"};
static const struct chip f5437 = {
    "msp430f5437", "msp430xv2", ", -mhwmult=f5series, -Wno-invalid-command-line-argument",
    0x5C00,        0xA380,      0x1C00,
    0x4000,        0xFF80,      "16.023552 MHz"};

static struct catalog *catalog;

static int load(void **state)
{
    (void)state;
    struct uj_ctx ctx = {0};
    folder_remove(FOLDER);
    if (folder_make(&ctx, FOLDER) != UJ_OK ||
        catalog_load(&ctx, &catalog, UJ_SOURCE_DIR "/primitives") != UJ_OK)
        fail_msg("%s", ctx.message);
    return 0;
}

static int drop(void **state)
{
    (void)state;
    catalog_free(catalog);
    return 0;
}

static void write_text(const char *path, char *text)
{
    struct uj_ctx ctx = {0};
    if (file_write(&ctx, path, text, strlen(text)) != UJ_OK)
        fail_msg("%s", ctx.message);
    free(text);
}

/* A board with that chip, from files made here. */
static struct board *board_with(const struct chip *c, unsigned message_bytes)
{
    struct uj_ctx ctx = {0};
    struct board *b;
    write_text(
        FOLDER "/chip.yaml",
        uj_format("mcu: %s\ndescription: chip\ncore: {class: %s}\n"
                  "toolchain:\n  name: msp430-clang\n  flags: [-mmcu=%s%s]\n  memory:\n"
                  "    flash: {base: %u, size: %u}\n    ram: {base: %u, size: %u}\n"
                  "    vectors: {base: %u, size: %u}\n"
                  "memory:\n  - {name: flash, space: data, base: %u, size: %u, kind: flash}\n"
                  "  - {name: ram, space: data, base: %u, size: %u, kind: ram}\n"
                  "clocks:\n  - {name: cpu, hz: 4 MHz}\ncpu_clock: cpu\nblocks: []\n",
                  c->mcu, c->core, c->mcu, c->flags, c->flash, c->flash_bytes, c->ram, c->ram_bytes,
                  c->vectors, 0x10000 - c->vectors, c->flash, 0x10000 - c->flash, c->ram,
                  c->ram_bytes));
    write_text(FOLDER "/board.yaml",
               uj_format("board: board\ndescription: board\nmcu: " FOLDER "/chip.yaml\n"
                         "supply: {value: 3.0 V, source: \"none\"}\n"
                         "harness: {baud: 115200, message_bytes: %u, cpu: %s}\n",
                         message_bytes, c->hz));
    if (board_load(&ctx, &b, UJ_SOURCE_DIR "/devices", FOLDER "/board.yaml") != UJ_OK)
        fail_msg("%s", ctx.message);
    return b;
}

static struct build_request request(const struct board *b, const char *implementation)
{
    return (struct build_request){.board = b,
                                  .catalog = catalog,
                                  .implementation = catalog_at(catalog, implementation),
                                  .firmware = UJ_SOURCE_DIR "/firmware",
                                  .cache = FOLDER "/cache",
                                  .jobs = 2};
}

static struct build_result build(const struct build_request *in)
{
    struct uj_ctx ctx = {0};
    struct build_result r;
    if (build_image(&ctx, &r, in) != UJ_OK)
        fail_msg("%s/%s: %s\n%s", in->implementation->algorithm, in->implementation->name,
                 ctx.message, r.log ? r.log : "");
    return r;
}

static void assert_fails(const struct build_request *in, enum uj_err code, const char *message)
{
    struct uj_ctx ctx = {0};
    struct build_result r;
    enum uj_err err = build_image(&ctx, &r, in);
    if (err != code || strcmp(ctx.message, message) != 0)
        fail_msg("%d '%s' is not %d '%s'", err, ctx.message, code, message);
    build_result_free(&r);
}

static char *run(char *const *argv)
{
    struct uj_ctx ctx = {0};
    struct process p = {.argv = (char **)argv, .folder = FOLDER, .timeout_s = 60};
    if (process_run(&ctx, &p) != UJ_OK || !process_good(&p))
        fail_msg("%s: %s %s", argv[0], ctx.message, p.errors.text);
    char *text = str_take(&p.output);
    process_free(&p);
    return text;
}
#define RUN(...) run((char *const[]){__VA_ARGS__, NULL})

static void every_implementation_fits(void **state)
{
    /* The F2617's code is the F1611's, its flash is larger; so it need not build all of them. */
    static const struct chip *const chips[] = {&f1611, &f5437, &f2617};
    (void)state;
    for (size_t c = 0; c < sizeof chips / sizeof *chips; c++) {
        struct board *b = board_with(chips[c], 1024);
        for (size_t i = 0; i < catalog->implementation_count; i++) {
            struct build_request in = request(b, "");
            in.implementation = &catalog->implementations[i];
            if (in.implementation->needs_count > 0 || (c == 2 && i % 7 != 0))
                continue;
            struct build_result r = build(&in);
            assert_true(r.sizes.text_bytes > 50 || in.implementation->uses_count > 0);
            assert_true(r.su_bytes > 0);
            build_result_free(&r);
        }
        board_free(b);
    }
}

/* The size that nm has for the symbol. */
static long size_by_nm(const char *nm, const char *symbol)
{
    char *wanted = uj_format(" %s\n", symbol);
    const char *end = strstr(nm, wanted), *line = end;
    if (!end)
        fail_msg("no %s in\n%s", symbol, nm);
    while (line > nm && line[-1] != '\n')
        line--;
    free(wanted);
    return strtol(line + 9, NULL, 16);
}

static void sizes_are_those_of_nm(void **state)
{
    static const char *const functions[] = {"sha256_ref", "sha256_ref_init", "sha256_ref_update",
                                            "sha256_ref_final", "compress"};
    (void)state;
    struct board *b = board_with(&f1611, 1024);
    struct build_request in = request(b, "hash/sha256/ref");
    struct build_result r = build(&in);
    char *nm = RUN("llvm-nm-19", "--print-size", r.elf_path);
    long text = 0;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strstr(nm, functions[i]))
            text += size_by_nm(nm, functions[i]);
    assert_int_equal(r.sizes.text_bytes, text);
    assert_true(r.sizes.rodata_bytes >= 256);
    assert_int_equal(r.sizes.bss_bytes, 0);
    /* Of the runtime it calls this; memset is there for the harness. */
    assert_int_equal(r.sizes.runtime_bytes, size_by_nm(nm, "memcpy"));
    assert_true(size_by_nm(nm, "memset") > 0);
    free(nm);
    build_result_free(&r);
    board_free(b);
}

static void same_bytes_wherever_it_is_built(void **state)
{
    (void)state;
    struct board *b = board_with(&f5437, 1024);
    struct build_request in = request(b, "xof/k12/fast");
    struct build_result first = build(&in);
    in.cache = FOLDER "/another folder/cache";
    in.jobs = 1;
    struct build_result second = build(&in);
    assert_string_equal(first.image_sha256, second.image_sha256);
    assert_true(second.commands > 0);
    build_result_free(&second);
    second = build(&in);
    assert_int_equal(second.commands, 0);
    assert_int_equal(second.su_bytes, first.su_bytes);
    build_result_free(&first);
    build_result_free(&second);
    board_free(b);
}

static void what_does_not_fit_is_said_to_the_byte(void **state)
{
    (void)state;
    struct uj_ctx ctx = {0};
    struct board *b = board_with(&f5437, 1024);
    struct build_request in = request(b, "hash/sha256/ref");
    struct build_result r = build(&in);
    struct image *image;
    if (image_load(&ctx, &image, r.elf_path, b->core_class->elf_machine, "msp430") != UJ_OK)
        fail_msg("%s", ctx.message);
    /* The vectors have their own place. */
    long rom = (long)image->rom_bytes - (0x10000 - (long)f5437.vectors);
    image_free(image);
    build_result_free(&r);
    board_free(b);

    struct chip small = f5437;
    small.flash_bytes = 0x800;
    b = board_with(&small, 1024);
    in = request(b, "hash/sha256/ref");
    char *message = uj_format("does not fit the flash: %ld bytes over the 2048 there are (near "
                              "flash: the compiler's code model ends at 64 KB)",
                              rom - 0x800);
    assert_fails(&in, UJ_ERR_RESULT, message);
    free(message);
    board_free(b);

    /* Exactly full is not too full. */
    small.flash_bytes = (unsigned)rom;
    b = board_with(&small, 1024);
    in = request(b, "hash/sha256/ref");
    r = build(&in);
    build_result_free(&r);
    board_free(b);

    b = board_with(&f1611, 11000);
    in = request(b, "hash/sha256/ref");
    struct build_result none;
    assert_int_equal(build_image(&ctx, &none, &in), UJ_ERR_RESULT);
    if (!str_starts(ctx.message, "does not fit the RAM: ") ||
        !str_ends(ctx.message, " bytes over the 10240 there are"))
        fail_msg("%s", ctx.message);
    build_result_free(&none);
    board_free(b);
}

static void a_missing_function_is_the_users(void **state)
{
    (void)state;
    struct uj_ctx ctx = {0};
    struct implementation *own;
    struct board *b = board_with(&f1611, 1024);
    if (folder_make(&ctx, FOLDER "/own") != UJ_OK)
        fail_msg("%s", ctx.message);
    write_text(FOLDER "/own/api.h", uj_strdup("#define CRYPTO_BYTES 32\n"));
    write_text(FOLDER "/own/hash.c",
               uj_strdup("int crypto_hash(int);\nint another(int x) { return crypto_hash(x); }\n"));
    if (catalog_user_folder(&ctx, &own, catalog, FOLDER "/own", NULL) != UJ_OK)
        fail_msg("%s", ctx.message);
    struct build_request in = request(b, "");
    in.implementation = own;
    assert_fails(&in, UJ_ERR_INPUT, FOLDER "/own: no function crypto_hash() in its sources");
    implementation_free(own);
    board_free(b);
}

static void toolchain_goes_by_the_compilers_name(void **state)
{
    (void)state;
    const struct toolchain *clang = toolchain_named("msp430-clang"),
                           *gcc = toolchain_named("msp430-elf-gcc"),
                           *avr = toolchain_named("avr-gcc");
    assert_ptr_equal(toolchain_choose(clang, NULL), clang);
    assert_ptr_equal(toolchain_choose(clang, "/opt/ti/bin/msp430-elf-gcc"), gcc);
    assert_ptr_equal(toolchain_choose(gcc, "clang-19"), clang);
    assert_ptr_equal(toolchain_choose(clang, "/opt/my-own-clang"), clang);
    /* A compiler of another family is no reason to leave one's own. */
    assert_ptr_equal(toolchain_choose(avr, "clang-19"), avr);
    assert_ptr_equal(toolchain_choose(clang, "avr-gcc"), clang);

    /* Where only the other one is on PATH it is taken. */
    struct uj_ctx ctx = {0};
    char *path = uj_strdup(getenv("PATH"));
    if (folder_make(&ctx, FOLDER "/bin") != UJ_OK)
        fail_msg("%s", ctx.message);
    write_text(FOLDER "/bin/msp430-elf-gcc", uj_strdup("#!/bin/sh\n"));
    assert_int_equal(chmod(FOLDER "/bin/msp430-elf-gcc", 0755), 0);
    assert_int_equal(setenv("PATH", FOLDER "/bin", 1), 0);
    assert_ptr_equal(toolchain_choose(clang, NULL), gcc);
    assert_int_equal(setenv("PATH", "/nonexistent", 1), 0);
    assert_ptr_equal(toolchain_choose(clang, NULL), clang);
    assert_int_equal(setenv("PATH", path, 1), 0);
    free(path);
}

static const struct yaml_node *parse(struct yaml **file, const char *text)
{
    struct uj_ctx ctx = {0};
    if (yaml_parse(&ctx, file, "chip.yaml", text, strlen(text)) != UJ_OK)
        fail_msg("%s", ctx.message);
    return yaml_root(*file);
}

static void memory_script_is_read_strictly(void **state)
{
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"memory: 3", "a map of regions"},
        {"memory: {}", "a map of regions"},
        {"memory: {Flash: {base: 1, size: 1}}", "small letters"},
        {"memory: {'f }': {base: 1, size: 1}}", "small letters"},
        {"memory: {flash: {base: 1}}", "size"},
        {"memory: {flash: {base: -1, size: 1}}", "base"},
        {"memory: {flash: {base: 1, size: 0}}", "size"},
        {"memory: {flash: {base: 1, size: 1, length: 3}}", "length"},
        {"memory: {ram: {base: 1, size: 1}}", "no region flash for code"},
    };
    (void)state;
    struct yaml *file;
    char *text = NULL;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct uj_ctx ctx = {0};
        const struct yaml_node *map = parse(&file, bad[i].text);
        assert_int_equal(linker_memory(&ctx, &text, map, NULL), UJ_ERR_INPUT);
        assert_null(text);
        if (!strstr(ctx.message, bad[i].message) || !str_starts(ctx.message, "chip.yaml:1:"))
            fail_msg("%s: %s", bad[i].text, ctx.message);
        yaml_close(file);
    }
    struct uj_ctx ctx = {0};
    const struct yaml_node *map =
        parse(&file, "memory: {flash: {base: 0x4000, size: 0xBFE0}, ram: {base: 256, size: 16}}");
    assert_int_equal(linker_memory(&ctx, &text, map, NULL), UJ_OK);
    assert_string_equal(text, "MEMORY\n{\n    flash : ORIGIN = 0x4000, LENGTH = 0xBFE0\n"
                              "    ram : ORIGIN = 0x100, LENGTH = 0x10\n}\n"
                              "REGION_ALIAS(\"code\", flash)\n");
    free(text);
    assert_int_equal(linker_memory(&ctx, &text, map, "sram"), UJ_OK);
    assert_non_null(strstr(text, "REGION_ALIAS(\"code\", ram)\n"));
    free(text);
    text = NULL;
    assert_int_equal(linker_memory(&ctx, &text, map, "rom"), UJ_ERR_USAGE);
    assert_null(text);
    uj_clear(&ctx);
    yaml_close(file);
    map = parse(&file, "name: x");
    assert_int_equal(linker_memory(&ctx, &text, map, NULL), UJ_OK);
    assert_null(text);
    yaml_close(file);
}

static void overflow_is_read_from_both_linkers(void **state)
{
    static const char memory[] = "MEMORY\n{\n    flash : ORIGIN = 0x4000, LENGTH = 0xBFE0\n}\n";
    (void)state;
    uint64_t bytes;
    static const char lld[] =
        "ld.lld-19: error: section '.text' will not fit in region 'flash': overflowed by 2666 "
        "bytes\nld.lld-19: error: section '.rodata' will not fit in region 'flash': overflowed by "
        "3018 bytes\nld.lld-19: error: section '.bss' will not fit in region 'ram': overflowed by "
        "5000 bytes\n";
    assert_int_equal(linker_overflow(&bytes, lld, "flash", memory), 3018);
    assert_int_equal(bytes, 0xBFE0);
    assert_int_equal(linker_overflow(&bytes, lld, "ram", memory), 5000);
    assert_int_equal(bytes, 0);
    static const char ld[] = "ld: a.elf section `.text' will not fit in region `flash'\n"
                             "ld: region `flash' overflowed by 77 bytes\n";
    assert_int_equal(linker_overflow(&bytes, ld, "flash", memory), 77);
    assert_int_equal(linker_overflow(&bytes, "overflowed by 7 bytes", "flash", NULL), 0);
    assert_int_equal(bytes, 0);
}

/* A map of lld's, made here: strings stay their object's, what was dropped is not listed. */
static void map_of_lld_is_what_nm_says(void **state)
{
    (void)state;
    struct uj_ctx ctx = {0};
    struct map *map;
    uint8_t *text;
    size_t count;
    write_text(FOLDER "/map.c",
               uj_strdup("extern int other(const char *);\nint counter;\nint filled = 7;\n"
                         "int unused(int x) { return x + 1; }\n"
                         "int main(void) { return other(\"the text of this file\") + counter++ + "
                         "filled++; }\n"));
    write_text(FOLDER "/other.c", uj_strdup("int other(const char *s) { return *s; }\n"));
    write_text(FOLDER "/memory.ld", uj_strdup("MEMORY { flash : ORIGIN = 0x4000, LENGTH = 0x1000\n"
                                              "ram : ORIGIN = 0x200, LENGTH = 0x100\n"
                                              "vectors : ORIGIN = 0xFFE0, LENGTH = 0x20 }\n"));
    for (int i = 0; i < 2; i++)
        free(RUN("clang-19", "--target=msp430", "-Os", "-ffunction-sections", "-fdata-sections",
                 "-c", i ? "other.c" : "map.c"));
    free(RUN("ld.lld-19", "--gc-sections", "--nmagic", "-O0", "-T",
             UJ_SOURCE_DIR "/firmware/arch/msp430/uj_msp430.ld", "-e", "main", "-Map=x.map",
             "--cref", "map.o", "other.o", "-o", "x.elf"));
    if (file_read(&ctx, &text, &count, FOLDER "/x.map", 1 << 20) != UJ_OK ||
        map_parse(&ctx, &map, MAP_LLD, "x.map", (const char *)text) != UJ_OK)
        fail_msg("%s", ctx.message);
    char *nm = RUN("llvm-nm-19", "--print-size", "x.elf");
    static const struct {
        const char *section, *object, *symbol, *output;
    } expected[] = {
        {".text.main", "map.o", "main", ".text"},
        {".text.other", "other.o", "other", ".text"},
        {".data.filled", "map.o", "filled", ".data"},
        {".bss.counter", "map.o", "counter", ".bss"},
    };
    for (size_t e = 0; e < sizeof expected / sizeof *expected; e++) {
        size_t found = 0;
        for (size_t i = 0; i < map->section_count; i++) {
            const struct map_section *s = &map->sections[i];
            if (strcmp(s->name, expected[e].section) != 0)
                continue;
            found++;
            assert_string_equal(s->object, expected[e].object);
            assert_int_equal(s->bytes, size_by_nm(nm, expected[e].symbol));
            assert_string_equal(map->outputs[s->output].name, expected[e].output);
        }
        assert_int_equal(found, 1);
    }
    int64_t string_bytes = 0;
    for (size_t i = 0; i < map->section_count; i++) {
        assert_null(strstr(map->sections[i].name, "unused"));
        if (str_starts(map->sections[i].name, ".rodata") &&
            strcmp(map->sections[i].object, "map.o") == 0)
            string_bytes += (int64_t)map->sections[i].bytes;
    }
    assert_int_equal(string_bytes, sizeof "the text of this file");
    /* Initial values lie in flash behind the constants. */
    for (size_t i = 0; i < map->output_count; i++)
        if (strcmp(map->outputs[i].name, ".data") == 0)
            assert_true(map->outputs[i].address == 0x200 && map->outputs[i].load > 0x4000);
    const struct map_symbol *symbol = map_symbol_named(map, "other");
    assert_string_equal(symbol->definer, "other.o");
    assert_int_equal(symbol->user_count, 1);
    assert_string_equal(symbol->users[0], "map.o");
    map_free(map);

    /* Cut anywhere it is refused, or read as far as it goes; never more. */
    for (size_t cut = 0; cut < count; cut += 7) {
        text[count - cut - 1] = '\0';
        if (map_parse(&ctx, &map, MAP_LLD, "x.map", (const char *)text) == UJ_OK)
            map_free(map);
        else
            assert_int_equal(ctx.code, UJ_ERR_TOOL);
        ctx = (struct uj_ctx){0};
    }
    free(text);
    free(nm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_implementation_fits),
        cmocka_unit_test(sizes_are_those_of_nm),
        cmocka_unit_test(same_bytes_wherever_it_is_built),
        cmocka_unit_test(what_does_not_fit_is_said_to_the_byte),
        cmocka_unit_test(a_missing_function_is_the_users),
        cmocka_unit_test(toolchain_goes_by_the_compilers_name),
        cmocka_unit_test(memory_script_is_read_strictly),
        cmocka_unit_test(overflow_is_read_from_both_linkers),
        cmocka_unit_test(map_of_lld_is_what_nm_says),
    };
    return cmocka_run_group_tests(tests, load, drop);
}
