/* ujoule build: one image, to keep and to program a board with. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/folder.h"
#include "build/build.h"
#include "cli/cli.h"
#include "image/image.h"

enum option_key { KEY_CC = 256, KEY_FLAGS, KEY_AS };

struct arguments {
    struct uj_ctx ctx;
    const char *board, *algorithm, *implementation, *as, *output, *cc, *flags;
    const struct table_format *format;
};

static const struct argp_option options[] = {
    {"device", 'd', "BOARD", 0, "the board it is for", 0},
    {"algorithm", 'a', "ALGORITHM", 0, "the algorithm", 0},
    {"implementation", 'i', "IMPLEMENTATION", 0,
     "its implementation, or a folder of your own, ./FOLDER", 0},
    {"output", 'o', "FILE", 0, "the image: .elf, .hex, .bin or .uf2", 0},
    {"as", KEY_AS, "ALGORITHM", 0, "what the folder of your own computes", 0},
    {"cc", KEY_CC, "CC", 0, "the compiler (the toolchain's own)", 0},
    {"flags", KEY_FLAGS, "FLAGS", 0,
     "of the implementation's compilation (" BUILD_DEFAULT_FLAGS ")", 0},
    {"format", 'f', "FORMAT", 0, "of the sizes it prints: table, csv, json or md (table)", 0},
    {0},
};

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct arguments *a = state->input;
    switch (key) {
    case 'd': a->board = value; return 0;
    case 'a': a->algorithm = value; return 0;
    case 'i': a->implementation = value; return 0;
    case 'o': a->output = value; return 0;
    case 'f': return cli_refused(table_format_named(&a->ctx, &a->format, value));
    case KEY_AS: a->as = value; return 0;
    case KEY_CC: a->cc = value; return 0;
    case KEY_FLAGS: a->flags = value; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options, parse, NULL, "Builds the firmware image that a measurement runs.", NULL, NULL, NULL};

static enum uj_err check_options(struct arguments *a)
{
    bool own = a->implementation && catalog_is_folder(a->implementation);
    const struct {
        const char *given, *message;
    } needed[] = {
        {a->board, "for which board? -d BOARD; see: ujoule list boards"},
        {a->implementation,
         "which implementation? -i IMPLEMENTATION; see: ujoule list implementations"},
        {own ? "" : a->algorithm, "which algorithm? -a ALGORITHM; see: ujoule list algorithms"},
        {a->output, "into which file? -o FILE.elf, .hex, .bin or .uf2"},
    };
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!needed[i].given)
            return uj_fail(&a->ctx, UJ_ERR_USAGE, "%s", needed[i].message);
    if (own && a->algorithm)
        return uj_fail(&a->ctx, UJ_ERR_USAGE, "-a: a folder of your own takes --as ALGORITHM");
    if (!own && a->as)
        return uj_fail(&a->ctx, UJ_ERR_USAGE, "--as goes with a folder of your own, -i ./FOLDER");
    return cli_output_check(&a->ctx, a->output);
}

/* The family that the board's chip has in UF2 files, 0 for none, and whether the file takes it. */
static enum uj_err check_form(struct arguments *a, uint32_t *uf2_family, const struct board *board)
{
    int64_t family = 0;
    enum uj_err err =
        yaml_get_integer(&a->ctx, &family, board->mcu_map, "uf2_family", 1, UINT32_MAX);
    *uf2_family = (uint32_t)family;
    return err ? err : image_write_check(&a->ctx, a->output, *uf2_family);
}

enum {
    COLUMN_BOARD,
    COLUMN_ALGORITHM,
    COLUMN_IMPLEMENTATION,
    COLUMN_IMAGE,
    COLUMN_TEXT,
    COLUMN_RODATA,
    COLUMN_DATA,
    COLUMN_BSS,
    COLUMN_ROM,
    COLUMN_RUNTIME,
    COLUMN_SU,
    COLUMN_IMAGE_ROM,
    COLUMN_IMAGE_DATA,
    COLUMN_IMAGE_BSS,
    COLUMN_COMPILER,
    COLUMN_FLAGS,
    COLUMN_SHA256,
    COLUMNS
};

static const struct column columns[COLUMNS] = {
    [COLUMN_BOARD] = {.name = "board", .shown = 1},
    [COLUMN_ALGORITHM] = {.name = "algorithm", .shown = 2},
    [COLUMN_IMPLEMENTATION] = {.name = "implementation", .shown = 3},
    [COLUMN_IMAGE] = {.name = "file", .shown = 4},
    [COLUMN_TEXT] = {.name = "text_bytes", .heading = "text", .shown = 5},
    [COLUMN_RODATA] = {.name = "rodata_bytes", .heading = "rodata", .shown = 6},
    [COLUMN_DATA] = {.name = "data_bytes", .heading = "data", .shown = 7},
    [COLUMN_BSS] = {.name = "bss_bytes", .heading = "bss", .shown = 8},
    [COLUMN_ROM] = {.name = "rom_bytes", .heading = "ROM", .shown = 9},
    [COLUMN_RUNTIME] = {.name = "runtime_bytes", .heading = "runtime", .shown = 10},
    [COLUMN_SU] = {.name = "su_bytes", .heading = "su", .shown = 11},
    [COLUMN_IMAGE_ROM] = {.name = "image_rom_bytes", .heading = "image ROM", .shown = 12},
    [COLUMN_IMAGE_DATA] = {.name = "image_data_bytes", .heading = "image data", .shown = 13},
    [COLUMN_IMAGE_BSS] = {.name = "image_bss_bytes", .heading = "image bss", .shown = 14},
    [COLUMN_COMPILER] = {.name = "compiler"},
    [COLUMN_FLAGS] = {.name = "flags"},
    [COLUMN_SHA256] = {.name = "image_sha256"},
};

static enum uj_err print(struct arguments *a, const struct implementation *i,
                         const struct build_result *r, const struct image *image)
{
    struct table *t = table_new(columns, COLUMNS);
    table_row(t);
    table_text(t, COLUMN_BOARD, a->board);
    table_text(t, COLUMN_ALGORITHM, i->algorithm);
    table_text(t, COLUMN_IMPLEMENTATION, i->name);
    table_text(t, COLUMN_IMAGE, a->output);
    table_integer(t, COLUMN_TEXT, r->sizes.text_bytes);
    table_integer(t, COLUMN_RODATA, r->sizes.rodata_bytes);
    table_integer(t, COLUMN_DATA, r->sizes.data_bytes);
    table_integer(t, COLUMN_BSS, r->sizes.bss_bytes);
    table_integer(t, COLUMN_ROM, r->sizes.rom_bytes);
    table_integer(t, COLUMN_RUNTIME, r->sizes.runtime_bytes);
    if (r->su_bytes >= 0)
        table_integer(t, COLUMN_SU, r->su_bytes);
    table_integer(t, COLUMN_IMAGE_ROM, image->rom_bytes);
    table_integer(t, COLUMN_IMAGE_DATA, image->data_bytes);
    table_integer(t, COLUMN_IMAGE_BSS, image->bss_bytes);
    table_text(t, COLUMN_COMPILER, r->compiler);
    table_text(t, COLUMN_FLAGS, r->flags);
    table_text(t, COLUMN_SHA256, r->image_sha256);
    table_note(t, "%s %s", r->compiler, r->flags);
    if (r->su_dynamic)
        table_note(t, "su: a function's frame has no constant size; the sum is its least");
    enum uj_err err = cli_output_table(&a->ctx, NULL, a->format, t);
    table_free(t);
    return err;
}

static enum uj_err find_implementation(struct arguments *a, const struct implementation **out,
                                       struct implementation **own, const struct catalog *c)
{
    const struct algorithm *algorithm = NULL;
    const char *name = catalog_is_folder(a->implementation) ? a->as : a->algorithm;
    enum uj_err err = name ? catalog_algorithm(&a->ctx, &algorithm, c, name) : UJ_OK;
    if (!err && catalog_is_folder(a->implementation)) {
        err = catalog_user_folder(&a->ctx, own, c, a->implementation, algorithm);
        *out = *own;
    } else if (!err) {
        err = catalog_implementation(&a->ctx, out, c, algorithm, a->implementation);
    }
    return err;
}

static enum uj_err build(struct arguments *a)
{
    struct uj_ctx *ctx = &a->ctx;
    char *devices = NULL, *primitives = NULL;
    struct board *board = NULL;
    struct catalog *catalog = NULL;
    struct implementation *own = NULL;
    const struct implementation *implementation = NULL;
    struct build_result result = {0};
    struct image *image = NULL;
    uint32_t uf2_family = 0;
    enum uj_err err = check_options(a);
    if (!err)
        err = uj_folder(ctx, &devices, "devices");
    if (!err)
        err = board_load(ctx, &board, devices, a->board);
    if (!err)
        err = check_form(a, &uf2_family, board);
    if (!err)
        err = uj_folder(ctx, &primitives, "primitives");
    if (!err)
        err = catalog_load(ctx, &catalog, primitives);
    if (!err)
        err = find_implementation(a, &implementation, &own, catalog);
    if (!err) {
        struct build_request request = {.board = board,
                                        .catalog = catalog,
                                        .implementation = implementation,
                                        .cc = a->cc,
                                        .flags = a->flags,
                                        .jobs = 2};
        err = build_image(ctx, &result, &request);
        if (err && result.log)
            (void)fputs(result.log, stderr);
    }
    if (!err)
        err = image_load(ctx, &image, result.elf_path, board->core_class->elf_machine,
                         board->core_class->isa);
    if (!err)
        err = image_write(ctx, image, a->output, uf2_family);
    if (!err)
        err = print(a, implementation, &result, image);
    image_free(image);
    build_result_free(&result);
    implementation_free(own);
    catalog_free(catalog);
    board_free(board);
    free(primitives);
    free(devices);
    return err;
}

static int cmd_build(int argc, char **argv)
{
    struct arguments a = {.format = &table_formats[0]};
    if (cli_parse(&a.ctx, &argp, argc, argv, &a) == UJ_OK)
        (void)!build(&a);
    return cli_finish(&a.ctx);
}

const struct command command_build = {"build", "build a firmware image and tell its sizes",
                                      cmd_build};
