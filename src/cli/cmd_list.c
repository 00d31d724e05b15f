/* ujoule list: what there is to measure, where, how and with what. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/measurement_fields.h"
#include "base/yaml.h"
#include "build/catalog.h"
#include "build/toolchain.h"
#include "cli/cli.h"
#include "sim/board.h"

struct arguments {
    struct uj_ctx ctx;
    const char *what, *output;
    const struct table_format *format;
};

/* A thing that can be listed: its columns and who fills them. */
struct listing {
    const char *name;
    const struct column *columns;
    size_t column_count;
    enum uj_err (*fill)(struct uj_ctx *ctx, struct table *t);
};

static void set_count(struct table *t, size_t column, int64_t value)
{
    if (value >= 0)
        table_integer(t, column, value);
}

static char *joined(char *const *texts, size_t count)
{
    struct str all;
    str_init(&all);
    for (size_t i = 0; i < count; i++)
        str_addf(&all, "%s%s", i ? "," : "", texts[i]);
    char *text = str_take(&all);
    str_free(&all);
    return text;
}

static void set_joined(struct table *t, size_t column, char *const *texts, size_t count)
{
    char *text = joined(texts, count);
    table_text(t, column, count ? text : NULL);
    free(text);
}

static const struct column board_columns[] = {
    {.name = "board", .shown = 1},
    {.name = "mcu", .shown = 2},
    {.name = "core", .shown = 3},
    {.name = "supply_v", .heading = "supply", .unit = "V", .scale = 1, .digits = 2, .shown = 4},
    {.name = "flash_bytes", .heading = "flash", .shown = 5},
    {.name = "ram_bytes", .heading = "RAM", .shown = 6},
    {.name = "description", .shown = 7},
    {.name = "device_sha256"},
};

static enum uj_err add_board(struct uj_ctx *ctx, struct table *t, const char *devices,
                             const char *name)
{
    struct board *b = NULL;
    enum uj_err err = board_load(ctx, &b, devices, name);
    if (err != UJ_OK)
        return err;
    table_row(t);
    table_text(t, 0, b->name);
    table_text(t, 1, b->mcu);
    table_text(t, 2, b->core_class->name);
    table_real(t, 3, b->supply_v);
    table_integer(t, 4, b->flash_bytes);
    table_integer(t, 5, b->ram_bytes);
    table_text(t, 6, b->description);
    table_text(t, 7, b->hash);
    board_free(b);
    return UJ_OK;
}

static enum uj_err fill_boards(struct uj_ctx *ctx, struct table *t)
{
    char *devices = NULL, **names = NULL;
    size_t count = 0;
    enum uj_err err = uj_folder(ctx, &devices, "devices");
    if (err == UJ_OK)
        err = board_names(ctx, &names, &count, devices);
    for (size_t i = 0; i < count; i++) {
        if (err == UJ_OK)
            err = add_board(ctx, t, devices, names[i]);
        free(names[i]);
    }
    free(names);
    free(devices);
    return err;
}

static enum uj_err load_catalog(struct uj_ctx *ctx, struct catalog **out)
{
    char *primitives = NULL;
    enum uj_err err = uj_folder(ctx, &primitives, "primitives");
    if (err == UJ_OK)
        err = catalog_load(ctx, out, primitives);
    free(primitives);
    return err;
}

static const struct column algorithm_columns[] = {
    {.name = "algorithm", .shown = 1},
    {.name = "kind", .shown = 2},
    {.name = "name", .shown = 3},
    {.name = "standard", .shown = 4},
    {.name = "output_bytes", .heading = "output", .shown = 5},
    {.name = "security_bits", .heading = "security", .shown = 6},
    {.name = "rate_bytes", .heading = "rate", .shown = 7},
    {.name = "state_bytes", .heading = "state", .shown = 8},
    {.name = "rounds", .shown = 9},
    {.name = "implementations", .shown = 10},
    {.name = "note"},
    {.name = "advice"},
};

/* The names of the algorithm's implementations. */
static void set_implementations(struct table *t, size_t column, const struct catalog *c,
                                const struct algorithm *a)
{
    char **names = uj_calloc(c->implementation_count, sizeof *names);
    size_t count = 0;
    for (size_t i = 0; i < c->implementation_count; i++) {
        const struct implementation *one = &c->implementations[i];
        if (strcmp(one->algorithm, a->name) == 0 && strcmp(one->kind, a->kind) == 0)
            names[count++] = one->name;
    }
    set_joined(t, column, names, count);
    free(names);
}

static enum uj_err fill_algorithms(struct uj_ctx *ctx, struct table *t)
{
    struct catalog *c = NULL;
    enum uj_err err = load_catalog(ctx, &c);
    if (err != UJ_OK)
        return err;
    for (size_t i = 0; i < c->algorithm_count; i++) {
        const struct algorithm *a = &c->algorithms[i];
        table_row(t);
        table_text(t, 0, a->name);
        table_text(t, 1, a->kind);
        table_text(t, 2, a->display_name);
        table_text(t, 3, a->standard);
        set_count(t, 4, a->output_bytes);
        set_count(t, 5, a->security_bits);
        set_count(t, 6, a->rate_bytes);
        set_count(t, 7, a->state_bytes);
        set_count(t, 8, a->rounds);
        set_implementations(t, 9, c, a);
        table_text(t, 10, a->note);
        table_text(t, 11, a->advice);
    }
    catalog_free(c);
    return UJ_OK;
}

static const struct column implementation_columns[] = {
    {.name = "algorithm", .shown = 1},
    {.name = "implementation", .shown = 2},
    {.name = "kind", .shown = 3},
    {.name = "description", .shown = 6},
    {.name = "uses", .shown = 4},
    {.name = "needs", .shown = 5},
    {.name = "folder"},
};

static enum uj_err fill_implementations(struct uj_ctx *ctx, struct table *t)
{
    struct catalog *c = NULL;
    enum uj_err err = load_catalog(ctx, &c);
    if (err != UJ_OK)
        return err;
    for (size_t i = 0; i < c->implementation_count; i++) {
        const struct implementation *one = &c->implementations[i];
        table_row(t);
        table_text(t, 0, one->algorithm);
        table_text(t, 1, one->name);
        table_text(t, 2, one->kind);
        table_text(t, 3, one->description);
        set_joined(t, 4, one->uses, one->uses_count);
        set_joined(t, 5, one->needs, one->needs_count);
        table_text(t, 6, one->folder);
    }
    catalog_free(c);
    return UJ_OK;
}

static const struct column study_columns[] = {
    {.name = "study", .shown = 1},
    {.name = "title", .shown = 2},
    {.name = "folder"},
};

static enum uj_err add_study(struct uj_ctx *ctx, struct table *t, const char *folder,
                             const char *name)
{
    struct yaml *file = NULL;
    char *path = uj_format("%s/%s/study.yaml", folder, name);
    enum uj_err err = UJ_OK;
    if (access(path, F_OK) != 0) /* a folder of something else */
        goto out;
    const char *title = NULL;
    err = yaml_load(ctx, &file, path);
    if (err == UJ_OK)
        err = yaml_need_text(ctx, &title, yaml_root(file), "title");
    if (err != UJ_OK)
        goto out;
    table_row(t);
    table_text(t, 0, name);
    table_text(t, 1, title);
    char *whole = uj_format("%s/%s", folder, name);
    table_text(t, 2, whole);
    free(whole);
out:
    yaml_close(file);
    free(path);
    return err;
}

static enum uj_err fill_studies(struct uj_ctx *ctx, struct table *t)
{
    char *folder = NULL;
    struct dirent **entries = NULL;
    enum uj_err err = uj_folder(ctx, &folder, "studies");
    if (err != UJ_OK)
        return err;
    int count = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        if (err == UJ_OK && entries[i]->d_name[0] != '.')
            err = add_study(ctx, t, folder, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    free(folder);
    return err;
}

static const struct column toolchain_columns[] = {
    {.name = "toolchain", .shown = 1},
    {.name = "target", .shown = 2},
    {.name = "compiler", .shown = 3, .absent = "missing"},
    {.name = "packages", .shown = 4},
};

static enum uj_err fill_toolchains(struct uj_ctx *ctx, struct table *t)
{
    (void)ctx;
    for (size_t i = 0; i < toolchain_count; i++) {
        struct uj_ctx look = {0}; /* a compiler that is missing is an answer here */
        char *compiler = NULL;
        table_row(t);
        table_text(t, 0, toolchains[i].name);
        table_text(t, 1, toolchains[i].target);
        if (toolchain_find(&look, &compiler, &toolchains[i], NULL) == UJ_OK)
            table_text(t, 2, compiler);
        table_text(t, 3, toolchains[i].packages);
        free(compiler);
    }
    return UJ_OK;
}

static const struct column field_columns[] = {
    {.name = "column", .shown = 1},
    {.name = "type", .shown = 2},
    {.name = "key", .shown = 3, .yes = "key", .no = ""},
    {.name = "meaning", .shown = 4},
};

/* What json, csv and the database have of a measurement. */
static enum uj_err fill_fields(struct uj_ctx *ctx, struct table *t)
{
    static const char *const types[] = {
        [FIELD_TEXT] = "text",        [FIELD_INTEGER] = "integer",    [FIELD_REAL] = "real",
        [FIELD_VERIFIED] = "boolean", [FIELD_UNVERIFIED] = "boolean",
    };
    (void)ctx;
    for (size_t i = 0; i < measurement_field_count; i++) {
        const struct measurement_field *f = &measurement_fields[i];
        table_row(t);
        table_text(t, 0, f->name);
        table_text(t, 1, types[f->kind]);
        table_bool(t, 2, f->flags & FIELD_KEY);
        table_text(t, 3, f->meaning);
    }
    return UJ_OK;
}

#define COLUMNS(array) array, sizeof(array) / sizeof((array)[0])

static const struct listing listings[] = {
    {"boards", COLUMNS(board_columns), fill_boards},
    {"algorithms", COLUMNS(algorithm_columns), fill_algorithms},
    {"implementations", COLUMNS(implementation_columns), fill_implementations},
    {"studies", COLUMNS(study_columns), fill_studies},
    {"toolchains", COLUMNS(toolchain_columns), fill_toolchains},
    {"columns", COLUMNS(field_columns), fill_fields},
};
enum { LISTINGS = sizeof listings / sizeof listings[0] };

static const struct argp_option options[] = {
    {"format", 'f', "FORMAT", 0, "table, csv, json or md (table)", 0},
    {"output", 'o', "FILE", 0, "where to write (standard output)", 0},
    {0},
};

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct arguments *a = state->input;
    switch (key) {
    case 'f': return cli_refused(table_format_named(&a->ctx, &a->format, value));
    case 'o': a->output = value; return 0;
    case ARGP_KEY_ARG:
        if (a->what)
            return ARGP_ERR_UNKNOWN;
        a->what = value;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {options,
                                 parse,
                                 "boards|algorithms|implementations|studies|toolchains|columns",
                                 "Lists what there is; columns: what results hold.",
                                 NULL,
                                 NULL,
                                 NULL};

static enum uj_err list(struct arguments *a)
{
    const char *names[LISTINGS];
    for (size_t i = 0; i < LISTINGS; i++)
        names[i] = listings[i].name;
    if (!a->what)
        return uj_fail(&a->ctx, UJ_ERR_USAGE, "name what to list: %s", argp.args_doc);
    size_t index = 0;
    enum uj_err err = cli_word(&a->ctx, &index, "list of", a->what, names, LISTINGS);
    if (err == UJ_OK)
        err = cli_output_check(&a->ctx, a->output);
    if (err != UJ_OK)
        return err;
    const struct listing *l = &listings[index];
    struct table *t = table_new(l->columns, l->column_count);
    err = l->fill(&a->ctx, t);
    if (err == UJ_OK)
        err = cli_output_table(&a->ctx, a->output, a->format, t);
    table_free(t);
    return err;
}

static int cmd_list(int argc, char **argv)
{
    struct arguments a = {.format = &table_formats[0]};
    if (cli_parse(&a.ctx, &argp, argc, argv, &a) == UJ_OK)
        (void)!list(&a);
    return cli_finish(&a.ctx);
}

const struct command command_list = {
    "list", "list boards, algorithms, implementations, studies or toolchains", cmd_list};
