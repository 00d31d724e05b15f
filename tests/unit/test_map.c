/* A real linker's map, made here, against nm and size; and maps that are cut off. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/process.h"
#include "base/str.h"
#include "build/map.h"

#define FOLDER UJ_BUILD_DIR "/test_map"

static const char source[] =
    "#include <string.h>\n"
    "unsigned char common[33];\n"
    "static const char text[] = \"abc\";\n"
    "unsigned char data_with_a_very_long_name_that_fills_its_column[7] = {1};\n"
    "void a_function_with_a_very_long_name_that_fills_its_column(unsigned n)\n"
    "{\n"
    "    memcpy(common, data_with_a_very_long_name_that_fills_its_column, n);\n"
    "    common[n] = (unsigned char)text[n];\n"
    "}\n"
    "int unused(int x)\n"
    "{\n"
    "    return x + 1;\n"
    "}\n"
    "int main(void)\n"
    "{\n"
    "    a_function_with_a_very_long_name_that_fills_its_column(3);\n"
    "    return 0;\n"
    "}\n";

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

static char *map_text;
static struct map *map;

static int make(void **state)
{
    (void)state;
    struct uj_ctx ctx = {0};
    size_t count;
    uint8_t *bytes;
    folder_remove(FOLDER);
    if (folder_make(&ctx, FOLDER) != UJ_OK ||
        file_write(&ctx, FOLDER "/the source.c", source, strlen(source)) != UJ_OK)
        fail_msg("%s", ctx.message);
    free(RUN("avr-gcc", "-mmcu=atmega328p", "-Os", "-g", "-fcommon", "-fno-inline",
             "-ffunction-sections", "-fdata-sections", "-c", "the source.c", "-o", "an object.o"));
    free(RUN("avr-gcc", "-mmcu=atmega328p", "-Wl,--gc-sections,--cref,-Map=x.map", "an object.o",
             "-o", "x.elf"));
    if (file_read(&ctx, &bytes, &count, FOLDER "/x.map", 1 << 20) != UJ_OK)
        fail_msg("%s", ctx.message);
    map_text = (char *)bytes;
    if (map_parse(&ctx, &map, MAP_GNU, "x.map", map_text) != UJ_OK)
        fail_msg("%s", ctx.message);
    return 0;
}

static int drop(void **state)
{
    (void)state;
    map_free(map);
    free(map_text);
    return 0;
}

static const struct map_section *section_named(const char *name)
{
    for (size_t i = 0; i < map->section_count; i++)
        if (strcmp(map->sections[i].name, name) == 0 &&
            strcmp(map->sections[i].object, "an object.o") == 0)
            return &map->sections[i];
    return NULL;
}

static void what_was_kept_lies_where_nm_says(void **state)
{
    (void)state;
    static const struct {
        const char *section, *symbol, *output;
    } kept[] = {
        {".text.a_function_with_a_very_long_name_that_fills_its_column",
         "a_function_with_a_very_long_name_that_fills_its_column", ".text"},
        {".data.data_with_a_very_long_name_that_fills_its_column",
         "data_with_a_very_long_name_that_fills_its_column", ".data"},
        {".text.startup.main", "main", ".text"},
        {".rodata.text", "text", ".data"},
        {"COMMON", "common", ".bss"},
    };
    char *symbols = RUN("avr-nm", "-S", "x.elf");
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        const struct map_section *s = section_named(kept[i].section);
        if (!s)
            fail_msg("%s is missing", kept[i].section);
        char *line = uj_format("%08llx %08llx ", (unsigned long long)s->address,
                               (unsigned long long)s->bytes);
        char *at = strstr(symbols, line);
        if (!at || strncmp(at + strlen(line) + 2, kept[i].symbol, strlen(kept[i].symbol)) != 0)
            fail_msg("nm does not know %s as %s", kept[i].symbol, line);
        assert_string_equal(map->outputs[s->output].name, kept[i].output);
        free(line);
    }
    free(symbols);
    assert_null(section_named(".text.unused"));
    assert_null(section_named(".text"));
}

static void outputs_are_those_of_size(void **state)
{
    (void)state;
    char *sizes = RUN("avr-size", "-A", "x.elf");
    unsigned checked = 0;
    for (size_t i = 0; i < map->output_count; i++) {
        const struct map_output *o = &map->outputs[i];
        char name[64];
        unsigned bytes, address;
        for (const char *line = sizes; line;
             line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
            if (sscanf(line, "%63s %u %u", name, &bytes, &address) != 3 ||
                strcmp(name, o->name) != 0)
                continue;
            assert_int_equal(o->bytes, bytes);
            assert_int_equal(o->address, address);
            checked++;
        }
        if (strcmp(o->name, ".data") == 0)
            assert_int_equal(o->load, map->outputs[i - 1].address + map->outputs[i - 1].bytes);
    }
    free(sizes);
    assert_true(checked > 5);
    /* Input sections fill their output but for alignment. */
    for (size_t i = 0; i < map->output_count; i++) {
        uint64_t bytes = 0;
        for (size_t s = 0; s < map->section_count; s++)
            bytes += map->sections[s].output == i ? map->sections[s].bytes : 0;
        if (map->outputs[i].address < 0x810000 && strncmp(map->outputs[i].name, ".debug", 6) != 0)
            assert_in_range(map->outputs[i].bytes - bytes, 0, 3);
    }
}

static void symbols_tell_who_calls_whom(void **state)
{
    (void)state;
    const struct map_symbol *s = map_symbol_named(map, "memcpy");
    assert_non_null(s);
    assert_true(str_ends(s->definer, "libc.a(memcpy.o)"));
    assert_int_equal(s->user_count, 1);
    assert_string_equal(s->users[0], "an object.o");
    s = map_symbol_named(map, "a_function_with_a_very_long_name_that_fills_its_column");
    assert_non_null(s);
    assert_string_equal(s->definer, "an object.o");
    assert_int_equal(s->user_count, 0);
    assert_null(map_symbol_named(map, "Symbol"));
    assert_null(map_symbol_named(map, "nobody"));
}

static void overflow_is_what_lies_behind_a_region(void **state)
{
    (void)state;
    for (size_t i = 0; i < map->region_count; i++)
        assert_int_equal(map_overflow(map, &map->regions[i]), 0);
    struct map_region *text = NULL, *data = NULL;
    for (size_t i = 0; i < map->region_count; i++) {
        text = strcmp(map->regions[i].name, "text") == 0 ? &map->regions[i] : text;
        data = strcmp(map->regions[i].name, "data") == 0 ? &map->regions[i] : data;
    }
    assert_non_null(text);
    assert_non_null(data);
    assert_int_equal(text->bytes, 32768);
    assert_int_equal(data->origin, 0x800100);
    char *sizes = RUN("avr-size", "-B", "x.elf");
    unsigned code, initial, cleared;
    assert_int_equal(sscanf(strchr(sizes, '\n'), "%u %u %u", &code, &initial, &cleared), 3);
    free(sizes);
    /* As if the chip were smaller: the initial data lies behind the code, cleared data behind the
     * data. */
    text->bytes = code + 1;
    data->bytes = initial;
    assert_int_equal(map_overflow(map, text), initial - 1);
    assert_int_equal(map_overflow(map, data), cleared);
    text->bytes = code - 10;
    assert_int_equal(map_overflow(map, text), initial + 10);
}

static void a_cut_map_is_refused_or_read(void **state)
{
    (void)state;
    size_t length = strlen(map_text), refused = 0;
    size_t cross = (size_t)(strstr(map_text, "Cross Reference Table") - map_text);
    for (size_t at = 0; at < length; at += 7) {
        struct uj_ctx ctx = {0};
        struct map *part;
        char *copy = uj_strndup(map_text, at);
        enum uj_err err = map_parse(&ctx, &part, MAP_GNU, "part.map", copy);
        if (at < cross) {
            assert_int_equal(err, UJ_ERR_TOOL);
            assert_string_equal(ctx.message, "part.map: not a linker map that can be read");
            refused++;
        }
        map_free(part);
        free(copy);
    }
    assert_true(refused > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_kept_lies_where_nm_says),
        cmocka_unit_test(outputs_are_those_of_size),
        cmocka_unit_test(symbols_tell_who_calls_whom),
        cmocka_unit_test(a_cut_map_is_refused_or_read),
        cmocka_unit_test(overflow_is_what_lies_behind_a_region),
    };
    return cmocka_run_group_tests(tests, make, drop);
}
