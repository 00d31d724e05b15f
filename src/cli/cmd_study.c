/* ujoule study: a published experiment, repeated, explained and set right. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/study.h"

enum option_key { KEY_SOURCES = 256, KEY_DB, KEY_PART, KEY_CC, KEY_FLAGS, KEY_SEED, KEY_CURRENTS };

enum { JOBS_MAX = 64 };

/* Every kind of study there is. */
static const struct study_kind *const kinds[] = {&study_kind_timed, &study_kind_engine};

struct arguments {
    struct uj_ctx ctx;
    const char *name, *db, *output, *part;
    struct study_request request;
    const struct table_format *format;
};

static const struct argp_option options[] = {
    {"format", 'f', "FORMAT", 0, "table, csv, json or md (table)", 0},
    {"output", 'o', "FILE", 0, "where to write (standard output)", 0},
    {"part", KEY_PART, "PART", 0, "one part alone; csv and json print the first unless told", 0},
    {"sources", KEY_SOURCES, "DIR", 0, "run it on the original packages, a folder each", 0},
    {"jobs", 'j', "JOBS", 0, "measurements at a time (one a processor)", 0},
    {"seed", KEY_SEED, "N", 0, "of the messages (1)", 0},
    {"cc", KEY_CC, "CC", 0, "the compiler (the toolchain's own)", 0},
    {"flags", KEY_FLAGS, "FLAGS", 0, "of the implementation's compilation (-Os)", 0},
    {"currents", KEY_CURRENTS, "SET", 0, "a set of the device file's currents", 0},
    {"db", KEY_DB, "FILE", 0, "results database (ujoule.db)", 0},
    {0},
};

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct arguments *a = state->input;
    int64_t number = 0;
    enum uj_err err;
    switch (key) {
    case 'f': return cli_refused(table_format_named(&a->ctx, &a->format, value));
    case 'o': a->output = value; return 0;
    case 'j':
        err = cli_integer(&a->ctx, &number, "-j", value, 1, JOBS_MAX);
        a->request.jobs = (unsigned)number;
        return cli_refused(err);
    case KEY_SEED:
        err = cli_integer(&a->ctx, &number, "--seed", value, 0, UINT32_MAX);
        a->request.seed = (uint32_t)number;
        return cli_refused(err);
    case KEY_PART: a->part = value; return 0;
    case KEY_SOURCES: a->request.sources = value; return 0;
    case KEY_CC: a->request.cc = value; return 0;
    case KEY_FLAGS: a->request.flags = value; return 0;
    case KEY_CURRENTS: a->request.currents = value; return 0;
    case KEY_DB: a->db = value; return 0;
    case ARGP_KEY_ARG:
        if (a->name)
            return cli_refused(
                uj_fail(&a->ctx, UJ_ERR_USAGE, "%s: one study at a time; remove it", value));
        a->name = value;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options, parse, "STUDY", "Repeats a published experiment: published, by its method, and true.",
    NULL,    NULL,  NULL};

static enum uj_err kind_of(struct uj_ctx *ctx, const struct study_kind **out, const struct study *s)
{
    const char *name;
    enum uj_err err = yaml_need_text(ctx, &name, s->map, "kind");
    for (size_t i = 0; !err && i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kinds[i]->name, name) != 0)
            continue;
        *out = kinds[i];
        return UJ_OK;
    }
    return err ? err : yaml_fail(ctx, yaml_get(s->map, "kind"), "no kind of study \"%s\"", name);
}

/* Before anything is measured: is there such a part? */
static enum uj_err check_part(struct arguments *a, const struct study_kind *kind)
{
    struct str list;
    str_init(&list);
    bool found = !a->part;
    for (size_t i = 0; kind->parts[i]; i++) {
        found = found || strcmp(kind->parts[i], a->part) == 0;
        str_addf(&list, "%s%s", i ? ", " : "", kind->parts[i]);
    }
    enum uj_err err = UJ_OK;
    if (!found)
        err = uj_fail(&a->ctx, UJ_ERR_USAGE, "--part %s: the study has: %s", a->part, list.text);
    str_free(&list);
    return err;
}

static enum uj_err write_parts(struct arguments *a, const struct study *study,
                               const struct study_result *r)
{
    /* Several tables in one file are for people; programs get one at a time. */
    bool readable = strcmp(a->format->name, "table") == 0 || strcmp(a->format->name, "md") == 0;
    struct table_style style = {.colour = !a->output && cli_colour(1)};
    struct str text;
    str_init(&text);
    if (readable)
        str_addf(&text, "%s%s\n", strcmp(a->format->name, "md") == 0 ? "# " : "", study->title);
    size_t written = 0;
    for (size_t i = 0; i < r->count; i++) {
        const struct study_part *part = &r->parts[i];
        if (a->part ? strcmp(a->part, part->name) != 0 : !readable && i > 0)
            continue;
        if (readable)
            str_addf(&text, "\n%s\n\n", part->title);
        a->format->write(&text, part->table, &style);
        written++;
    }
    enum uj_err err = UJ_OK;
    if (written == 0) {
        const char *names[STUDY_PARTS_MAX];
        struct str list;
        str_init(&list);
        for (size_t i = 0; i < r->count; i++) {
            names[i] = r->parts[i].name;
            str_addf(&list, "%s%s", i ? ", " : "", names[i]);
        }
        err = uj_fail(&a->ctx, UJ_ERR_USAGE, "--part %s: the study has: %s", a->part, list.text);
        str_free(&list);
    } else {
        err = cli_output(&a->ctx, a->output, text.text, text.length);
    }
    str_free(&text);
    return err;
}

static enum uj_err study(struct arguments *a, bool *failed)
{
    struct uj_ctx *ctx = &a->ctx;
    struct study *study = NULL;
    struct study_store store = {.path = a->db};
    struct study_result result = {0};
    const struct study_kind *kind = NULL;
    if (!a->name)
        return uj_fail(ctx, UJ_ERR_USAGE, "which study? See: ujoule list studies");
    enum uj_err err = study_load(ctx, &study, a->name);
    if (!err)
        err = kind_of(ctx, &kind, study);
    if (!err)
        err = check_part(a, kind);
    if (!err)
        err = cli_output_check(ctx, a->output);
    if (!err)
        err = kind->run(ctx, &result, study, &a->request, &store);
    if (!err)
        err = write_parts(a, study, &result);
    *failed = result.failed;
    for (size_t i = 0; i < result.count; i++)
        table_free(result.parts[i].table);
    store_close(store.store);
    study_free(study);
    return err;
}

static int cmd_study(int argc, char **argv)
{
    struct arguments a = {
        .db = STORE_DEFAULT_PATH, .format = &table_formats[0], .request = {.seed = 1}};
    bool failed = false;
    if (cli_parse(&a.ctx, &argp, argc, argv, &a) == UJ_OK)
        (void)!study(&a, &failed);
    int code = cli_finish(&a.ctx);
    return code ? code : failed;
}

const struct command command_study = {
    "study", "repeat a published experiment: published, by its method, true", cmd_study};
