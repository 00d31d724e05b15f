#include "build/steps.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/process.h"
#include "base/str.h"
#include "build/linker.h"
#include "build/objects.h"

enum { DEFAULT_TIMEOUT_S = 120 };

void steps_free(struct build_steps *s)
{
    for (size_t i = 0; i < s->object_count; i++)
        free(s->objects[i].path);
    free(s->objects);
    free(s->folder);
    free(s->elf_path);
    free(s->log);
    map_free(s->map);
    *s = (struct build_steps){0};
}

/* The text with every staged path of the group replaced by the folder's own. */
static char *with_own_paths(const struct build_plan *p, const char *text)
{
    char *shown = uj_strdup(text);
    for (size_t g = 0; g < p->group_count; g++) {
        const struct build_group *group = &p->groups[g];
        if (group->part == PART_API)
            continue;
        struct str s;
        str_init(&s);
        size_t length = strlen(group->stage);
        for (const char *at = shown; *at;) {
            bool begins = at == shown || !strchr("/_-.", at[-1]);
            if (begins && strncmp(at, group->stage, length) == 0 && at[length] == '/') {
                str_add(&s, group->shown);
                at += length;
            } else {
                str_add_bytes(&s, at++, 1);
            }
        }
        free(shown);
        shown = str_take(&s);
        str_free(&s);
    }
    return shown;
}

/* The first line that complains, else the first that says anything. Free it. */
static char *first_complaint(const char *text)
{
    static const char *const marks[] = {"error:", "undefined reference", "multiple definition",
                                        "Error:", "cannot find",         ""};
    for (size_t m = 0; m < sizeof marks / sizeof *marks; m++) {
        for (const char *at = text; *at;) {
            size_t length = strcspn(at, "\n");
            char *line = uj_strndup(at, length);
            bool idle = strstr(line, "ld returned") != NULL;
            if (length && !idle && strstr(line, marks[m]))
                return line;
            free(line);
            at += length + (at[length] == '\n');
        }
    }
    return uj_strdup("it says nothing");
}

/* Records what went wrong with a command: the tool's end, or its own words. */
static enum uj_err explain(struct uj_ctx *ctx, struct build_steps *s, const struct process *p)
{
    const char *tool = path_name(s->plan->compiler.path);
    if (p->end == PROCESS_TIMEOUT)
        return uj_fail(ctx, UJ_ERR_TOOL, "%s: ended after %u s without a result", tool,
                       p->timeout_s);
    if (p->end == PROCESS_SIGNAL)
        return uj_fail(ctx, UJ_ERR_TOOL, "%s: ended by signal %d", tool, p->code);
    free(s->log);
    s->log = with_own_paths(s->plan, p->errors.length ? p->errors.text : p->output.text);
    char *line = first_complaint(s->log);
    enum uj_err err =
        strstr(line, "CRYPTO_BYTES")
            ? uj_fail(ctx, UJ_ERR_INPUT, "%s/api.h: CRYPTO_BYTES is no length of a digest: %s",
                      s->plan->request->implementation->folder, line)
            : uj_fail(ctx, UJ_ERR_TOOL, "%s: %s", tool, line);
    free(line);
    return err;
}

/* Runs the commands; the first that fails is explained. Frees their argument lists. */
static enum uj_err run(struct uj_ctx *ctx, struct build_steps *s, struct process *list,
                       struct words *argv, size_t count, bool *failed)
{
    char *temporary = uj_format("TMPDIR=%s", s->folder);
    char language[] = "LC_ALL=C";
    char **environment = toolchain_environment((char *[]){language, temporary}, 2);
    unsigned timeout_s = s->plan->request->timeout_s;
    for (size_t i = 0; i < count; i++) {
        list[i] = (struct process){.argv = argv[i].items,
                                   .folder = s->folder,
                                   .environment = environment,
                                   .timeout_s = timeout_s ? timeout_s : DEFAULT_TIMEOUT_S};
    }
    enum uj_err err = process_run_all(ctx, list, count, s->plan->request->jobs, s->started);
    for (size_t i = 0; i < count && !err && !failed; i++)
        if (list[i].end != PROCESS_NOT_RUN && !process_good(&list[i]))
            err = explain(ctx, s, &list[i]);
    for (size_t i = 0; i < count; i++) {
        if (failed)
            failed[i] = !process_good(&list[i]);
        process_free(&list[i]);
        words_free(&argv[i]);
    }
    free(environment);
    free(temporary);
    return err;
}

static void compile_command(struct words *argv, const struct build_steps *s,
                            const struct build_group *g, const struct source *source,
                            const char *object)
{
    const struct build_plan *p = s->plan;
    words_add(argv, p->compiler.path);
    plan_flags(p, g->part, argv);
    for (const char *const *flag = p->toolchain->path_flags; *flag; flag++)
        words_take(argv, flag[1] ? uj_strdup(*flag) : uj_format("%s%s=.", *flag, s->folder));
    if (g->part == PART_FIRMWARE) {
        words_add_all(argv, (const char *const *)p->defines.items);
        words_take(argv, uj_format("-DUJ_OUTPUT_BYTES=%lld", (long long)s->output_bytes));
    }
    words_add_all(argv, (const char *const *)g->includes.items);
    words_add(argv, "-c");
    words_add(argv, source->path);
    words_add(argv, "-o");
    words_add(argv, object);
}

/* Whether the package's file may be a program of its own, as test drivers are. */
static bool may_be_program(const struct build_plan *p, const struct build_group *g,
                           const struct source *source)
{
    return g->part == PART_OWN && p->request->implementation->form == IMPLEMENTATION_SUPERCOP &&
           source_has_word(source, "main");
}

static bool in_pass(const struct build_group *g, int pass)
{
    return (g->part == PART_FIRMWARE) == (pass == 1);
}

static enum uj_err add_object(struct uj_ctx *ctx, struct build_steps *s,
                              const struct build_group *g, const struct source *source)
{
    char *path = uj_format("obj/%s.o", source->path);
    char *folder = uj_format("%s/%s", s->folder, path);
    *strrchr(folder, '/') = '\0';
    enum uj_err err = folder_make(ctx, folder);
    free(folder);
    s->objects = uj_realloc(s->objects, (s->object_count + 1) * sizeof *s->objects);
    s->objects[s->object_count++] = (struct build_object){.group = g, .path = path};
    return err;
}

/*
 * Pass 0: the implementation and what it uses; pass 1: the harness, which needs the digest's
 * length. In each, files that may be programs of their own come apart: those that are, or cannot be
 * compiled, are left out.
 */
static enum uj_err compile(struct uj_ctx *ctx, struct build_steps *s, int pass, bool programs)
{
    const struct build_plan *p = s->plan;
    size_t first = s->object_count, count = 0;
    struct words *argv = NULL;
    enum uj_err err = UJ_OK;
    for (size_t g = 0; g < p->group_count && !err; g++) {
        const struct build_group *group = &p->groups[g];
        for (size_t i = 0; i < group->sources.count && in_pass(group, pass) && !err; i++) {
            const struct source *source = &group->sources.items[i];
            if (!source->compiled || may_be_program(p, group, source) != programs)
                continue;
            err = add_object(ctx, s, group, source);
            argv = uj_realloc(argv, (count + 1) * sizeof *argv);
            argv[count] = (struct words){0};
            compile_command(&argv[count++], s, group, source, s->objects[s->object_count - 1].path);
        }
    }
    struct process *list = uj_calloc(count, sizeof *list);
    if (err) {
        for (size_t i = 0; i < count; i++)
            words_free(&argv[i]);
    } else if (!programs) {
        err = run(ctx, s, list, argv, count, NULL);
    } else {
        for (size_t i = 0; i < count; i++) {
            struct build_object *object = &s->objects[first + i];
            bool failed = false;
            if (!err)
                err = run(ctx, s, &list[i], &argv[i], 1, &failed);
            else
                words_free(&argv[i]);
            object->left_out = failed || object_defines(s->folder, object->path, "main");
        }
    }
    free(list);
    free(argv);
    return err;
}

/* The size of the array that CRYPTO_BYTES sized. */
static enum uj_err read_output_bytes(struct uj_ctx *ctx, struct build_steps *s)
{
    const struct build_plan *p = s->plan;
    const struct implementation *i = p->request->implementation;
    const struct catalog *c = p->request->catalog;
    s->output_bytes = p->output_bytes;
    for (size_t o = 0; o < s->object_count && s->output_bytes < 0; o++)
        if (s->objects[o].group->part == PART_API)
            s->output_bytes = object_symbol_bytes(s->folder, s->objects[o].path, "uj_crypto_bytes");
    if (s->output_bytes < 1 || s->output_bytes > 4096)
        return uj_fail(ctx, UJ_ERR_INPUT, "%s/api.h: CRYPTO_BYTES is no length of a digest",
                       i->folder);
    /* What api.h says must be the algorithm's; a contract takes the length from the algorithm. */
    for (size_t a = 0; a < c->algorithm_count && p->output_bytes < 0; a++)
        if (strcmp(c->algorithms[a].kind, i->kind) == 0 &&
            strcmp(c->algorithms[a].name, i->algorithm) == 0 &&
            c->algorithms[a].output_bytes != s->output_bytes)
            return uj_fail(ctx, UJ_ERR_INPUT, "%s/api.h: CRYPTO_BYTES is %lld; %s gives %lld bytes",
                           i->folder, (long long)s->output_bytes, i->algorithm,
                           (long long)c->algorithms[a].output_bytes);
    return UJ_OK;
}

static enum uj_err read_map(struct uj_ctx *ctx, struct build_steps *s)
{
    uint8_t *text = NULL;
    size_t count;
    char *path = path_join(s->folder, "image.map");
    enum uj_err err = file_read(ctx, &text, &count, path, 64 << 20);
    if (!err)
        err = map_parse(ctx, &s->map, s->plan->toolchain->map_format, path, (const char *)text);
    free(text);
    free(path);
    return err;
}

/* "does not fit", where the link failed for that and the map says by how much. */
static enum uj_err explain_overflow(struct uj_ctx *ctx, struct build_steps *s, const char *log)
{
    static const char *const marks[] = {"will not fit in region", "is not within region",
                                        "overflowed by"};
    const struct toolchain *t = s->plan->toolchain;
    const struct {
        const char *region, *shown;
    } memories[] = {{t->flash_region, "flash"}, {t->ram_region, "RAM"}};
    bool overflow = false;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        overflow |= strstr(log, marks[i]) != NULL;
    for (size_t m = 0; m < 2 && overflow; m++) {
        /* The regions of a script of ours are the chip's, and the linker's word is exact. */
        const char *why = m == 0 ? t->reach : NULL;
        uint64_t bytes;
        uint64_t over = linker_overflow(&bytes, log, memories[m].region, s->plan->memory_script);
        if (over && bytes)
            return uj_fail(ctx, UJ_ERR_RESULT,
                           "does not fit the %s: %llu bytes over the %llu there are%s%s%s",
                           memories[m].shown, (unsigned long long)over, (unsigned long long)bytes,
                           why ? " (" : "", why ? why : "", why ? ")" : "");
    }
    struct uj_ctx unread = {0};
    if (!overflow || read_map(&unread, s) != UJ_OK)
        return UJ_OK;
    for (size_t m = 0; m < 2; m++) {
        for (size_t r = 0; r < s->map->region_count; r++) {
            const struct map_region *region = &s->map->regions[r];
            uint64_t over = map_overflow(s->map, region);
            if (strcmp(region->name, memories[m].region) == 0 && over)
                return uj_fail(
                    ctx, UJ_ERR_RESULT, "does not fit the %s: %llu bytes over the %llu there are",
                    memories[m].shown, (unsigned long long)over, (unsigned long long)region->bytes);
        }
    }
    return UJ_OK;
}

static enum uj_err link_image(struct uj_ctx *ctx, struct build_steps *s)
{
    const struct build_plan *p = s->plan;
    const struct implementation *i = p->request->implementation;
    struct words argv = {0};
    struct process process;
    if (p->linker) {
        words_add(&argv, p->linker);
        words_add_all(&argv, p->toolchain->link_flags);
        words_add(&argv, "-Map=image.map");
        words_add(&argv, "--cref");
    } else {
        words_add(&argv, p->compiler.path);
        words_add_all(&argv, (const char *const *)p->machine_flags.items);
        words_add_all(&argv, (const char *const *)p->user_flags.items);
        words_add_all(&argv, p->toolchain->link_flags);
        words_add(&argv, "-Wl,-Map=image.map,--cref");
    }
    if (p->script) {
        words_add(&argv, "-T");
        words_add(&argv, p->script);
    }
    for (size_t o = 0; o < s->object_count; o++)
        if (s->objects[o].group->part != PART_API && !s->objects[o].left_out)
            words_add(&argv, s->objects[o].path);
    words_add(&argv, "-o");
    words_add(&argv, "image.elf");

    struct uj_ctx failure = {0};
    enum uj_err err = run(&failure, s, &process, &argv, 1, NULL);
    if (!err) {
        s->elf_path = path_join(s->folder, "image.elf");
        return read_map(ctx, s);
    }
    if (s->log) {
        err = explain_overflow(ctx, s, s->log);
        if (!err && i->outside &&
            (strstr(s->log, "undefined reference to `crypto_hash'") ||
             strstr(s->log, "undefined symbol: crypto_hash\n")))
            err = uj_fail(ctx, UJ_ERR_INPUT, "%s: no function crypto_hash() in its sources",
                          i->folder);
    }
    return err ? err : uj_fail(ctx, failure.code, "%s", failure.message);
}

enum uj_err steps_run(struct uj_ctx *ctx, struct build_steps *s, const struct build_plan *p,
                      const char *folder, unsigned *started)
{
    *s = (struct build_steps){.plan = p, .folder = uj_strdup(folder), .started = started};
    enum uj_err err = folder_make(ctx, folder);
    for (size_t g = 0; g < p->group_count && !err; g++)
        err = sources_stage(ctx, &p->groups[g].sources, folder);
    if (!err)
        err = compile(ctx, s, 0, false);
    if (!err)
        err = compile(ctx, s, 0, true);
    if (!err)
        err = read_output_bytes(ctx, s);
    if (!err)
        err = compile(ctx, s, 1, false);
    return err ? err : link_image(ctx, s);
}
