/*
 * Images of real compilers, read here and by binutils: symbols against nm, sizes against size,
 * places against addr2line, HEX and binary against objcopy; and every kind of damage refused with
 * one line.
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
#include "sim/machine.h"

#define FOLDER UJ_BUILD_DIR "/test_image"
#define ELF    FOLDER "/probe.elf"

static const char source[] = "#include <avr/eeprom.h>\n"
                             "#include <avr/pgmspace.h>\n"
                             "unsigned char kept[5] EEMEM = {1, 2, 3, 4, 5};\n"
                             "const unsigned char table[300] PROGMEM = {9, 8, 7};\n"
                             "static const unsigned char constant[] = \"in RAM on this machine\";\n"
                             "unsigned char started[3] = {0xa1, 0xa2, 0xa3};\n"
                             "volatile unsigned long cleared;\n"
                             "static inline unsigned char inlined(unsigned char x)\n"
                             "{\n"
                             "    cleared += x;\n"
                             "    return (unsigned char)(cleared * 3);\n"
                             "}\n"
                             "__attribute__((noinline)) unsigned char function(unsigned char x)\n"
                             "{\n"
                             "    return inlined(x) + constant[x] + pgm_read_byte(&table[x]);\n"
                             "}\n"
                             "int main(void)\n"
                             "{\n"
                             "    for (;;)\n"
                             "        started[0] = function(started[1]) + eeprom_read_byte(kept);\n"
                             "}\n";

static struct image *probe;

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

static struct image *load(const char *path)
{
    struct uj_ctx ctx = {0};
    struct image *image;
    if (image_load(&ctx, &image, path, EM_AVR, "AVR") != UJ_OK)
        fail_msg("%s", ctx.message);
    return image;
}

static int make_probe(void **state)
{
    (void)state;
    struct uj_ctx ctx = {0};
    folder_remove(FOLDER);
    if (folder_make(&ctx, FOLDER) != UJ_OK)
        fail_msg("%s", ctx.message);
    write_text(FOLDER "/probe.c", source);
    free(RUN("avr-gcc", "-mmcu=atxmega128d4", "-Os", "-gdwarf-4", "probe.c", "-o", "probe.elf"));
    probe = load(ELF);
    return 0;
}

static int drop_probe(void **state)
{
    (void)state;
    image_free(probe);
    return 0;
}

static void symbols_are_those_of_nm(void **state)
{
    (void)state;
    char *text = RUN("avr-nm", "-S", "probe.elf"), *save = NULL;
    unsigned checked = 0;
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        unsigned address, bytes;
        char size[9], kind, name[64];
        if (sscanf(line, "%8x %8[0-9a-f] %c %63s", &address, size, &kind, name) != 4 ||
            strlen(size) != 8)
            continue;
        bytes = (unsigned)strtoul(size, NULL, 16);
        const struct image_symbol *s = image_symbol_named(probe, name);
        if (!s)
            fail_msg("no symbol %s", name);
        assert_int_equal(s->address, address);
        assert_int_equal(s->bytes, bytes);
        /* nm's letter is the section's; a table in flash is an object all the same. */
        bool function = strchr("tTW", kind) && strcmp(name, "table") != 0;
        assert_int_equal(s->kind, function ? IMAGE_FUNCTION : IMAGE_OBJECT);
        if (kind != 'W')
            for (unsigned at = address; at < address + bytes; at++)
                assert_string_equal(image_symbol_at(probe, at)->name, name);
        checked++;
    }
    free(text);
    assert_in_range(checked, 6, 100);
    for (size_t i = 1; i < probe->symbol_count; i++)
        assert_true(probe->symbols[i - 1].address <= probe->symbols[i].address);
    assert_null(image_symbol_named(probe, "functio"));
    assert_null(image_symbol_at(probe, 0x700000));

    struct uj_ctx ctx = {0};
    const struct image_symbol *s;
    assert_int_equal(image_need_symbol(&ctx, &s, probe, "functoin"), UJ_ERR_USAGE);
    assert_non_null(strstr(ctx.message, "did you mean 'function'?"));
    s = image_symbol_named(probe, "started");
    assert_int_equal(image_data_address(probe, s->address), s->address - 0x800000);
}

static void sizes_are_those_of_size(void **state)
{
    (void)state;
    char *text = RUN("avr-size", "-A", "probe.elf"), *save = NULL;
    int64_t rom = 0, data = 0, bss = 0;
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char name[64];
        unsigned bytes, address;
        if (sscanf(line, "%63s %u %u", name, &bytes, &address) != 3)
            continue;
        rom += strcmp(name, ".text") == 0 || strcmp(name, ".data") == 0 ? bytes : 0;
        data += strcmp(name, ".data") == 0 ? bytes : 0;
        bss += strcmp(name, ".bss") == 0 ? bytes : 0;
    }
    free(text);
    assert_int_equal(probe->rom_bytes, rom);
    assert_int_equal(probe->data_bytes, data);
    assert_int_equal(probe->bss_bytes, bss);
    assert_in_range(bss, 4, 4);

    text = RUN("sha256sum", "probe.elf");
    text[64] = '\0';
    assert_string_equal(probe->sha256, text);
    free(text);
}

static void places_are_those_of_addr2line(void **state)
{
    (void)state;
    const char *const names[] = {"function", "main"};
    for (size_t i = 0; i < 2; i++) {
        const struct image_symbol *s = image_symbol_named(probe, names[i]);
        for (uint32_t at = s->address; at < s->end; at += 2) {
            char address[16];
            (void)snprintf(address, sizeof address, "0x%x", at);
            char *text = RUN("avr-addr2line", "-f", "-i", "-e", "probe.elf", address);
            /* "function\nfolder/probe.c:15 (discriminator 1)\n", the innermost first */
            char *line = strchr(text, '\n');
            *line++ = '\0';
            line[strcspn(line, " \n")] = '\0';
            char *expected = uj_format("probe.c:%s (%s)", strrchr(line, ':') + 1, text);
            char *place = image_place(probe, at);
            assert_string_equal(path_name(place), expected);
            free(place);
            free(expected);
            free(text);
        }
    }
    char *place = image_place(probe, image_symbol_named(probe, "__vectors")->address + 4);
    assert_string_equal(place, "__vectors+0x4");
    free(place);
    place = image_place(probe, 0x1f000);
    assert_string_equal(place, "0x1f000");
    free(place);
}

static bool behind_flash(const struct image *image, size_t segment)
{
    return image->machine == EM_AVR && image->segments[segment].address >= 0x800000;
}

static void assert_same_bytes(const struct image *a, const struct image *b)
{
    /* Segments may be cut differently: byte by byte. */
    size_t i = 0, j = 0;
    uint32_t done_a = 0, done_b = 0;
    while (i < a->segment_count && !behind_flash(a, i) && j < b->segment_count) {
        const struct image_segment *s = &a->segments[i], *t = &b->segments[j];
        assert_int_equal(s->address + done_a, t->address + done_b);
        assert_int_equal(s->data[done_a], t->data[done_b]);
        if (++done_a == s->bytes)
            done_a = 0, i++;
        if (++done_b == t->bytes)
            done_b = 0, j++;
    }
    assert_true(i == a->segment_count || behind_flash(a, i));
    assert_int_equal(j, b->segment_count);
}

static void hex_and_binary_are_those_of_objcopy(void **state)
{
    (void)state;
    struct uj_ctx ctx = {0};
    free(RUN("avr-objcopy", "-O", "ihex", "-R", ".eeprom", "probe.elf", "theirs.hex"));
    free(RUN("avr-objcopy", "-O", "binary", "-R", ".eeprom", "probe.elf", "theirs.bin"));
    assert_int_equal(image_write(&ctx, probe, FOLDER "/ours.hex", 0), UJ_OK);
    assert_int_equal(image_write(&ctx, probe, FOLDER "/ours.bin", 0), UJ_OK);
    assert_int_equal(image_write(&ctx, probe, FOLDER "/ours.elf", 0), UJ_OK);
    free(RUN("cmp", "ours.bin", "theirs.bin"));
    free(RUN("cmp", "ours.elf", "probe.elf"));
    /* Theirs read by us, and ours by them and by us. */
    struct image *theirs = load(FOLDER "/theirs.hex"), *ours = load(FOLDER "/ours.hex");
    assert_same_bytes(probe, theirs);
    assert_same_bytes(probe, ours);
    assert_int_equal(ours->rom_bytes, probe->rom_bytes);
    free(RUN("avr-objcopy", "-I", "ihex", "-O", "binary", "ours.hex", "back.bin"));
    free(RUN("cmp", "back.bin", "theirs.bin"));
    assert_int_equal(image_write(&ctx, ours, FOLDER "/x.elf", 0), UJ_ERR_USAGE);
    uj_clear(&ctx);
    assert_int_equal(image_write(&ctx, ours, FOLDER "/x.uf3", 0), UJ_ERR_USAGE);
    assert_non_null(strstr(ctx.message, ".hex"));
    uj_clear(&ctx);
    assert_int_equal(image_write(&ctx, ours, FOLDER "/x.uf2", 0), UJ_ERR_USAGE);
    assert_non_null(strstr(ctx.message, "no UF2 family"));
    assert_false(file_exists(FOLDER "/x.uf2"));
    uj_clear(&ctx);
    assert_int_equal(image_write(&ctx, ours, FOLDER "/none/x.hex", 0), UJ_ERR_IO);
    image_free(theirs);
    image_free(ours);
}

/* A wide address space: high addresses, an entry, and bytes over a 64-KiB border. */
static void hex_keeps_high_addresses(void **state)
{
    (void)state;
    static const char text[] = ":020000040800F2\n"
                               ":04FFFE0001020304F5\n"
                               ":0400000508000123CB\n"
                               ":020000021000EC\r\n"
                               ":0100000055AA\n"
                               ":00000001FF\n";
    struct uj_ctx ctx = {0};
    struct image *image, *again;
    assert_int_equal(image_read(&ctx, &image, "text", text, strlen(text), EM_ARM, "Arm"), UJ_OK);
    assert_int_equal(image->segment_count, 2);
    assert_int_equal(image->segments[0].address, 0x10000);
    assert_int_equal(image->segments[0].data[0], 0x55);
    assert_int_equal(image->segments[1].address, 0x0800fffe);
    assert_int_equal(image->segments[1].bytes, 4);
    assert_int_equal(image->entry, 0x08000123);
    assert_int_equal(image_write(&ctx, image, FOLDER "/high.hex", 0), UJ_OK);
    assert_int_equal(image_load(&ctx, &again, FOLDER "/high.hex", EM_ARM, "Arm"), UJ_OK);
    assert_same_bytes(image, again);
    assert_int_equal(again->entry, image->entry);
    assert_int_equal(image_write(&ctx, image, FOLDER "/high.bin", 0), UJ_ERR_USAGE);
    image_free(image);
    image_free(again);
}

static void bad_hex_is_refused_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } bad[] = {
        {":0100000055AA\n", "hex:2: cut off: there is no end record"},
        {":0100000055AB\n:00000001FF\n", "hex:1: wrong checksum"},
        {":01000000AA\n", "hex:1: cut off: fewer or more bytes"},
        {":0100000055AA:00000001FF\n", "hex:1: neither a hexadecimal digit"},
        {":0100000055A\n", "hex:1: neither a hexadecimal digit"},
        {":0100000055AA\nhello\n", "hex:2: a line of Intel HEX begins with ':'"},
        {":00000001FF\n:0100000055AA\n", "hex:2: a line behind the end record"},
        {":00000006FA\n", "hex:1: an unknown type"},
        {":0100000400FB\n", "hex:1: a record of the wrong length"},
        {":00000001FF\n", "hex: holds no bytes to load"},
        {":0100000055AA\n:0100000056A9\n:00000001FF\n", "hex: the bytes at 0x0 are given twice"},
        {":02000004FFFFFC\n:02FFFF000102FD\n:00000001FF\n",
         "hex:2: reaches beyond 32-bit addresses"},
        {":", "hex:1: cut off"},
        {"#!/bin/sh\n", "hex: neither an ELF nor an Intel HEX file"},
        {"", "hex: neither an ELF nor an Intel HEX file"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct uj_ctx ctx = {0};
        struct image *image;
        if (image_read(&ctx, &image, "hex", bad[i].text, strlen(bad[i].text), EM_AVR, "AVR") !=
            UJ_ERR_INPUT)
            fail_msg("taken: %s", bad[i].text);
        if (!strstr(ctx.message, bad[i].message))
            fail_msg("'%s' is not '%s'", ctx.message, bad[i].message);
        assert_null(image);
    }
}

static void a_truncated_elf_is_refused(void **state)
{
    (void)state;
    for (size_t count = 0; count < probe->file_bytes; count += count < 4096 ? 1 : 61) {
        struct uj_ctx ctx = {0};
        struct image *image;
        /* Exactly so many bytes, so that one byte read beyond is seen by the sanitizer. */
        uint8_t *part = uj_malloc(count);
        memcpy(part, probe->file, count);
        if (image_read(&ctx, &image, "part", part, count, EM_AVR, "AVR") != UJ_ERR_INPUT)
            fail_msg("%zu of %zu bytes are taken", count, probe->file_bytes);
        assert_null(strchr(ctx.message, '\n'));
        assert_non_null(strstr(ctx.message, count < 4 ? "neither an ELF" : "cut off"));
        free(part);
    }
}

/* Damaged bytes of the tables, of each kind: refused or read, and every question answered. */
static void a_damaged_elf_is_survived(void **state)
{
    (void)state;
    Elf32_Ehdr head;
    memcpy(&head, probe->file, sizeof head);
    size_t tables[] = {0, head.e_phoff, head.e_shoff};
    size_t ends[] = {sizeof head, head.e_phoff + head.e_phnum * sizeof(Elf32_Phdr),
                     head.e_shoff + head.e_shnum * sizeof(Elf32_Shdr)};
    static const uint8_t values[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
    unsigned refused = 0, read = 0;
    uint8_t *bytes = uj_malloc(probe->file_bytes);
    memcpy(bytes, probe->file, probe->file_bytes);
    for (size_t t = 0; t < 3; t++) {
        for (size_t at = tables[t]; at < ends[t]; at++) {
            for (size_t v = 0; v < sizeof values; v++) {
                struct uj_ctx ctx = {0};
                struct image *image;
                bytes[at] = values[v];
                if (image_read(&ctx, &image, "bad", bytes, probe->file_bytes, EM_AVR, "AVR") !=
                    UJ_OK) {
                    refused++;
                } else {
                    free(image_place(image, image->entry));
                    (void)image_symbol_at(image, 0x200);
                    read++;
                }
                image_free(image);
                bytes[at] = probe->file[at];
            }
        }
    }
    free(bytes);
    assert_true(refused > 100 && read > 100);
}

static void other_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        size_t offset, bytes;
        uint32_t value;
        const char *message;
    } changes[] = {
        {EI_CLASS, 1, ELFCLASS64, "not a 32-bit little-endian ELF file, as one for AVR"},
        {EI_DATA, 1, ELFDATA2MSB, "not a 32-bit little-endian ELF file"},
        {offsetof(Elf32_Ehdr, e_machine), 2, EM_ARM, "an ELF file for Arm; the chip is AVR"},
        {offsetof(Elf32_Ehdr, e_machine), 2, 9999, "an ELF file for machine number 9999"},
        {offsetof(Elf32_Ehdr, e_type), 2, ET_REL, "not a linked program but an object file"},
        {offsetof(Elf32_Ehdr, e_type), 2, ET_CORE, "not a linked program"},
        {offsetof(Elf32_Ehdr, e_phnum), 2, 0, "nothing to load"},
        {offsetof(Elf32_Ehdr, e_phnum), 2, 0xffff, "more than is taken for true"},
        {offsetof(Elf32_Ehdr, e_shnum), 2, 0xfff0, "more than is taken for true"},
        {offsetof(Elf32_Ehdr, e_phoff), 4, 0xfffffff0, "cut off: the table of segments"},
        {offsetof(Elf32_Ehdr, e_shoff), 4, 0xfffffff0, "cut off: the table of sections"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        struct uj_ctx ctx = {0};
        struct image *image;
        uint8_t *bytes = uj_malloc(probe->file_bytes);
        memcpy(bytes, probe->file, probe->file_bytes);
        memcpy(bytes + changes[i].offset, &changes[i].value, changes[i].bytes);
        assert_int_equal(image_read(&ctx, &image, "f", bytes, probe->file_bytes, EM_AVR, "AVR"),
                         UJ_ERR_INPUT);
        if (!strstr(ctx.message, changes[i].message))
            fail_msg("'%s' is not '%s'", ctx.message, changes[i].message);
        free(bytes);
    }
    struct uj_ctx ctx = {0};
    struct image *image;
    assert_int_equal(image_load(&ctx, &image, FOLDER, EM_AVR, "AVR"), UJ_ERR_INPUT);
    assert_non_null(strstr(ctx.message, "a folder"));
    uj_clear(&ctx);
    assert_int_equal(image_load(&ctx, &image, FOLDER "/none.elf", EM_AVR, "AVR"), UJ_ERR_INPUT);
    assert_non_null(strstr(ctx.message, "none.elf: No such file"));
}

/* A chip of plain memory, as much as loading an image asks of one. */
struct chip {
    struct core core;
    struct core_class class;
    struct machine machine;
    struct mem_region regions[3];
    uint32_t changed;
};

static void note_change(struct core *c, uint32_t address, size_t bytes)
{
    ((struct chip *)c)->changed += (uint32_t)bytes;
    (void)address;
}

static void make_chip(struct chip *c, uint32_t flash_bytes, uint32_t eeprom_bytes)
{
    *c = (struct chip){.class = {.name = "plain", .code_changed = note_change}};
    c->core.class = &c->class;
    c->machine.core = &c->core;
    c->core.code = &c->machine.code;
    c->core.data = &c->machine.data;
    mem_init(&c->machine.code, "code", 23, 8);
    mem_init(&c->machine.data, "data", 16, 8);
    c->regions[0] = (struct mem_region){.name = "flash", .size = flash_bytes, .read_only = true};
    c->regions[1] = (struct mem_region){.name = "sram", .base = 0x2000, .size = 0x2000};
    c->regions[2] = (struct mem_region){.name = "eeprom", .base = 0x1000, .size = eeprom_bytes};
    for (int i = 0; i < 3; i++)
        c->regions[i].host = uj_calloc(1, c->regions[i].size);
    mem_add(&c->machine.code, &c->regions[0]);
    mem_add(&c->machine.data, &c->regions[1]);
    mem_add(&c->machine.data, &c->regions[2]);
    c->machine.regions = c->regions;
    c->machine.region_count = 3;
}

static void drop_chip(struct chip *c)
{
    for (int i = 0; i < 3; i++)
        free(c->regions[i].host);
    mem_free(&c->machine.code);
    mem_free(&c->machine.data);
}

static void an_image_goes_where_it_belongs(void **state)
{
    (void)state;
    struct uj_ctx ctx = {0};
    struct chip c;
    make_chip(&c, 0x22000, 0x800);
    assert_int_equal(image_into_machine(&ctx, probe, &c.machine), UJ_OK);
    struct uj_ctx hex = {0};
    uint8_t *flash;
    size_t count;
    free(RUN("avr-objcopy", "-O", "binary", "-R", ".eeprom", "probe.elf", "flash.bin"));
    assert_int_equal(file_read(&hex, &flash, &count, FOLDER "/flash.bin", 1 << 20), UJ_OK);
    assert_memory_equal(c.regions[0].host, flash, count);
    assert_int_equal(c.changed, count);
    assert_memory_equal(c.regions[2].host, "\1\2\3\4\5", 5);
    drop_chip(&c);

    make_chip(&c, (uint32_t)count - 1, 0x800);
    assert_int_equal(image_into_machine(&ctx, probe, &c.machine), UJ_ERR_INPUT);
    assert_non_null(strstr(ctx.message, "does not fit: it needs"));
    assert_non_null(strstr(ctx.message, "of flash at 0x"));
    drop_chip(&c);
    free(flash);

    uj_clear(&ctx);
    make_chip(&c, 0x22000, 4);
    assert_int_equal(image_into_machine(&ctx, probe, &c.machine), UJ_ERR_INPUT);
    assert_non_null(strstr(ctx.message, "needs 5 bytes of EEPROM at 0x0, the chip has 4"));
    drop_chip(&c);

    /* Its data where this chip has no RAM, or too little. */
    static const struct {
        uint32_t base, size;
        const char *message;
    } rams[] = {{0x100, 0x800, "bytes of RAM at 0x2000 (.data), the chip has 0"},
                {0x2000, 8, "bytes of RAM at 0x2000 (.data), the chip has 8"},
                {0x2000, 0x1b, "needs 4 bytes of RAM at 0x201a (.bss), the chip has 1"}};
    for (size_t i = 0; i < 3; i++) {
        uj_clear(&ctx);
        make_chip(&c, 0x22000, 0x800);
        mem_free(&c.machine.data);
        mem_init(&c.machine.data, "data", 16, 8);
        c.regions[1].base = rams[i].base;
        c.regions[1].size = rams[i].size;
        mem_add(&c.machine.data, &c.regions[1]);
        assert_int_equal(image_into_machine(&ctx, probe, &c.machine), UJ_ERR_INPUT);
        if (!strstr(ctx.message, rams[i].message))
            fail_msg("'%s' is not '%s'", ctx.message, rams[i].message);
        drop_chip(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symbols_are_those_of_nm),
        cmocka_unit_test(sizes_are_those_of_size),
        cmocka_unit_test(places_are_those_of_addr2line),
        cmocka_unit_test(hex_and_binary_are_those_of_objcopy),
        cmocka_unit_test(hex_keeps_high_addresses),
        cmocka_unit_test(bad_hex_is_refused_with_its_line),
        cmocka_unit_test(a_truncated_elf_is_refused),
        cmocka_unit_test(a_damaged_elf_is_survived),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(an_image_goes_where_it_belongs),
    };
    return cmocka_run_group_tests(tests, make_probe, drop_probe);
}
