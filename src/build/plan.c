#include "build/plan.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/folder.h"
#include "base/paths.h"
#include "base/process.h"
#include "base/str.h"
#include "base/yaml.h"
#include "build/linker.h"

/* Changes where the same inputs come to give another image or other figures. */
enum { PLAN_VERSION = 1 };

/* Flags that would read files the key does not know, or leave an image without what is measured. */
#define MELTS "it melts the implementation into the harness"
#define READS "it reads files that are no part of the build"
#define BUILD "the build itself decides that"
#define CHIP  "the chip's file says it"
static const struct {
    const char *flag;
    bool whole; /* the word itself, else its beginning */
    const char *why;
} refused_flags[] = {
    {"-flto", false, MELTS},
    {"-fwhole-program", true, MELTS},
    {"-I", false, READS},
    {"-include", true, READS},
    {"-imacros", true, READS},
    {"-isystem", false, READS},
    {"-iquote", false, READS},
    {"-idirafter", false, READS},
    {"-iprefix", false, READS},
    {"-isysroot", false, READS},
    {"--sysroot", false, READS},
    {"-specs", false, READS},
    {"--specs", false, READS},
    {"-fplugin", false, READS},
    {"-fprofile-use", false, READS},
    {"-T", false, READS},
    {"-L", false, READS},
    {"-l", false, READS},
    {"-B", false, READS},
    {"@", false, READS},
    {"-o", false, BUILD},
    {"-x", false, BUILD},
    {"-Wl,", false, BUILD},
    {"-Wp,", false, BUILD},
    {"-Xlinker", true, BUILD},
    {"-Xpreprocessor", true, BUILD},
    {"-c", true, BUILD},
    {"-S", true, BUILD},
    {"-E", true, BUILD},
    {"-M", false, BUILD},
    {"-###", true, BUILD},
    {"-fsyntax-only", true, BUILD},
    {"-mmcu", false, CHIP},
};

static enum uj_err check_flags(struct uj_ctx *ctx, const struct words *flags)
{
    for (size_t i = 0; i < flags->count; i++) {
        const char *flag = flags->items[i];
        if (*flag != '-' && *flag != '@')
            return uj_fail(ctx, UJ_ERR_USAGE, "--flags: '%s' is no flag", flag);
        for (size_t r = 0; r < sizeof refused_flags / sizeof *refused_flags; r++)
            if (refused_flags[r].whole ? strcmp(flag, refused_flags[r].flag) == 0
                                       : str_starts(flag, refused_flags[r].flag))
                return uj_fail(ctx, UJ_ERR_USAGE, "--flags: %s cannot be given: %s", flag,
                               refused_flags[r].why);
    }
    return UJ_OK;
}

static enum uj_err read_toolchain(struct uj_ctx *ctx, struct build_plan *p)
{
    static const char *const keys[] = {"name", "flags", "memory", "firmware", "code"};
    const struct yaml_node *map;
    const char *name;
    enum uj_err err = yaml_need(ctx, &map, p->request->board->mcu_map, "toolchain");
    if (!err)
        err = yaml_only(ctx, map, keys, sizeof keys / sizeof *keys);
    if (!err)
        err = yaml_need_text(ctx, &name, map, "name");
    if (err)
        return err;
    p->toolchain = toolchain_named(name);
    if (!p->toolchain)
        return yaml_fail(ctx, yaml_get(map, "name"), "no toolchain '%s'", name);
    const struct yaml_node *flags = yaml_get(map, "flags");
    if (flags && flags->kind != YAML_LIST)
        return yaml_fail(ctx, flags, "a list, as [-mmcu=NAME]");
    for (size_t i = 0; flags && !err && i < flags->count; i++) {
        const char *flag;
        err = yaml_text(ctx, &flag, &flags->items[i]);
        if (!err)
            words_add(&p->machine_flags, flag);
    }
    if (!err)
        err = yaml_get_text(ctx, &p->chip_firmware, map, "firmware");
    return err ? err : linker_memory(ctx, &p->memory_script, map, p->request->from);
}

/* The clock that the harness will have set: its own word for it, else the only one the board gives.
 */
static enum uj_err read_cpu_hz(struct uj_ctx *ctx, double *hz, const struct board *b,
                               const struct yaml_node *harness)
{
    const struct yaml_node *clocks = yaml_get(b->board_map, "clocks");
    if (yaml_get(harness, "cpu"))
        return yaml_need_quantity(ctx, hz, harness, "cpu", "Hz");
    if (!clocks || clocks->kind != YAML_MAP || clocks->count != 1 ||
        clocks->items[0].kind != YAML_MAP)
        return yaml_fail(ctx, harness, "add `cpu: FREQUENCY`, the CPU clock that the harness sets");
    return yaml_need_quantity(ctx, hz, &clocks->items[0], "hz", "Hz");
}

static enum uj_err read_harness(struct uj_ctx *ctx, struct build_plan *p)
{
    static const char *const keys[] = {"baud", "message_bytes", "cpu"};
    const struct board *b = p->request->board;
    const struct implementation *i = p->request->implementation;
    const struct yaml_node *harness;
    int64_t baud = 0, message_bytes = 0;
    double hz = 0;
    enum uj_err err = yaml_need(ctx, &harness, b->board_map, "harness");
    if (!err)
        err = yaml_only(ctx, harness, keys, sizeof keys / sizeof *keys);
    if (!err)
        err = yaml_need_integer(ctx, &baud, harness, "baud", 300, 4000000);
    if (!err)
        err = yaml_need_integer(ctx, &message_bytes, harness, "message_bytes", 1, 1 << 20);
    if (!err)
        err = read_cpu_hz(ctx, &hz, b, harness);
    if (err)
        return err;
    static const struct {
        const char *kind, *define;
    } kinds[] = {{"hash", "-DUJ_KIND_HASH"}, {"xof", "-DUJ_KIND_XOF"}, {"mac", "-DUJ_KIND_MAC"}};
    if (i->form == IMPLEMENTATION_SUPERCOP) {
        words_add(&p->defines, "-DUJ_KIND_SUPERCOP");
    } else {
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            if (strcmp(kinds[k].kind, i->kind) == 0)
                words_add(&p->defines, kinds[k].define);
    }
    if (p->request->baseline) {
        words_add(&p->defines, "-DUJ_BASELINE");
    } else if (i->form == IMPLEMENTATION_SUPERCOP) {
        words_add(&p->defines, "-DUJ_HEADER=\"crypto_hash.h\"");
    } else {
        words_take(&p->defines, uj_format("-DUJ_PREFIX=%s", i->prefix));
        words_take(&p->defines, uj_format("-DUJ_HEADER=\"%s.h\"", i->prefix));
    }
    words_take(&p->defines, uj_format("-DUJ_MESSAGE_BYTES=%lld", (long long)message_bytes));
    words_take(&p->defines, uj_format("-DUJ_BAUD=%lldUL", (long long)baud));
    words_take(&p->defines, uj_format("-DUJ_CPU_HZ=%.0fUL", hz));
    return UJ_OK;
}

/* `needs` are names or classes of the chip's blocks. */
static enum uj_err check_needs(struct uj_ctx *ctx, const struct board *b,
                               const struct implementation *i)
{
    const struct yaml_node *blocks = yaml_get(b->mcu_map, "blocks");
    for (size_t n = 0; n < i->needs_count; n++) {
        bool found = false;
        for (size_t k = 0; blocks && blocks->kind == YAML_LIST && k < blocks->count; k++) {
            const struct yaml_node *block = &blocks->items[k];
            const struct yaml_node *name = yaml_get(block, "name"),
                                   *class = yaml_get(block, "class");
            found |= name && name->text && strcmp(name->text, i->needs[n]) == 0;
            found |= class && class->text && strcmp(class->text, i->needs[n]) == 0;
        }
        if (!found)
            return uj_fail(ctx, UJ_ERR_INPUT, "%s %s needs a block %s, and %s has none",
                           i->algorithm, i->name, i->needs[n], b->mcu);
    }
    return UJ_OK;
}

static struct build_group *add_group(struct build_plan *p, enum part part, const char *shown,
                                     char *stage)
{
    p->groups = uj_realloc(p->groups, (p->group_count + 1) * sizeof *p->groups);
    struct build_group *g = &p->groups[p->group_count++];
    *g = (struct build_group){.part = part, .stage = stage, .shown = uj_strdup(shown)};
    words_take(&g->includes, uj_format("-I%s", stage));
    return g;
}

/* The implementation and, each once, what it uses and what those use. */
static enum uj_err add_implementation(struct uj_ctx *ctx, struct build_plan *p,
                                      const struct implementation *i, enum part part, int depth)
{
    char *stage = i->outside ? uj_format("user/%s", i->name)
                             : uj_format("primitives/%s/%s/%s", i->kind, i->algorithm, i->name);
    for (size_t g = 0; g < p->group_count; g++) {
        if (strcmp(p->groups[g].stage, stage) == 0) {
            free(stage);
            return UJ_OK;
        }
    }
    if (depth > 16) {
        free(stage);
        return uj_fail(ctx, UJ_ERR_INPUT, "%s/impl.yaml: uses: a chain without end", i->folder);
    }
    enum uj_err err = check_needs(ctx, p->request->board, i);
    if (err)
        free(stage);
    else
        err = sources_read(ctx, &add_group(p, part, i->folder, stage)->sources, i->folder, stage);
    for (size_t u = 0; !err && u < i->uses_count; u++) {
        const struct implementation *used = catalog_at(p->request->catalog, i->uses[u]);
        err = used ? add_implementation(ctx, p, used, PART_USED, depth + 1)
                   : uj_fail(ctx, UJ_ERR_INPUT, "%s/impl.yaml: uses: no implementation '%s'",
                             i->folder, i->uses[u]);
    }
    return err;
}

/* What SUPERCOP would generate, and an object whose size says what CRYPTO_BYTES is. */
static void add_generated(struct build_plan *p)
{
    static const char header[] =
        "#ifndef crypto_hash_H\n"
        "#define crypto_hash_H\n"
        "#include \"api.h\"\n"
        "#define crypto_hash_BYTES CRYPTO_BYTES\n"
        "extern int crypto_hash(unsigned char *out, const unsigned char *in,\n"
        "                       unsigned long long inlen);\n"
        "#endif\n";
    static const char api[] = "#include \"api.h\"\nchar uj_crypto_bytes[CRYPTO_BYTES];\n";
    const struct sources *own = &p->groups[0].sources;
    bool has_header = false;
    for (size_t i = 0; i < own->count; i++)
        has_header |= strcmp(own->items[i].name, "crypto_hash.h") == 0;
    struct build_group *g = add_group(p, PART_API, p->groups[0].shown, uj_strdup("generated"));
    if (!has_header)
        sources_add(&g->sources, g->stage, "crypto_hash.h", header, false);
    sources_add(&g->sources, g->stage, "uj_api.c", api, true);
}

static enum uj_err add_firmware(struct uj_ctx *ctx, struct build_plan *p)
{
    const struct build_request *in = p->request;
    char *found = NULL;
    enum uj_err err = in->firmware ? UJ_OK : uj_folder(ctx, &found, "firmware");
    if (err)
        return err;
    const char *isa = in->board->core_class->isa, *runtime = p->toolchain->runtime;
    const struct {
        char *folder; /* NULL: there is none */
        enum part part;
    } parts[] = {
        {uj_strdup("harness"), PART_FIRMWARE},
        {uj_format("arch/%s", isa), PART_FIRMWARE},
        {p->chip_firmware ? uj_strdup(p->chip_firmware) : NULL, PART_FIRMWARE},
        {runtime ? uj_format("arch/%s/%s", isa, runtime) : NULL, PART_RUNTIME},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!parts[i].folder)
            continue;
        char *folder = path_join(in->firmware ? in->firmware : found, parts[i].folder);
        char *stage = path_join("firmware", parts[i].folder);
        if (!err && !folder_exists(folder))
            err = uj_fail(ctx, UJ_ERR_INPUT, "%s: no such folder; it holds what %s needs to run",
                          folder, in->board->name);
        if (!err)
            err = sources_read(ctx, &add_group(p, parts[i].part, folder, uj_strdup(stage))->sources,
                               folder, stage);
        free(folder);
        free(stage);
        free(parts[i].folder);
    }
    free(found);
    return err;
}

/*
 * Every group sees the headers of all: names are unique by contract, its own folder comes first. Of
 * a runtime of ours it sees the C library's headers alone, and the runtime sees none.
 */
static void share_includes(struct build_plan *p)
{
    for (size_t g = 0; g < p->group_count; g++) {
        enum part part = p->groups[g].part;
        for (size_t o = 0; o < p->group_count && part != PART_RUNTIME; o++) {
            const struct build_group *other = &p->groups[o];
            if (other->part == PART_RUNTIME)
                words_take(&p->groups[g].includes, uj_format("-I%s/include", other->stage));
            else if (o != g && (part == PART_FIRMWARE || other->part != PART_FIRMWARE))
                words_take(&p->groups[g].includes, uj_format("-I%s", other->stage));
        }
    }
}

/* The linker, and the script with the memories it is for. */
static enum uj_err add_linker(struct uj_ctx *ctx, struct build_plan *p)
{
    const struct toolchain *t = p->toolchain;
    p->linker = t->linker ? process_find(t->linker) : NULL;
    if (t->linker && !p->linker)
        return uj_fail(ctx, UJ_ERR_TOOL, "no %s on PATH; the Debian packages are %s", t->linker,
                       t->packages);
    if (!t->script)
        return UJ_OK;
    if (!p->memory_script)
        return yaml_fail(ctx, yaml_get(p->request->board->mcu_map, "toolchain"),
                         "%s needs `memory: {flash: {base: ADDRESS, size: BYTES}, ...}`", t->name);
    p->script = uj_format("firmware/arch/%s/%s", p->request->board->core_class->isa, t->script);
    struct build_group *g = add_group(p, PART_API, t->script, uj_strdup("generated/memory"));
    sources_add(&g->sources, "", "memory.ld", p->memory_script, false);
    return UJ_OK;
}

void plan_flags(const struct build_plan *p, enum part part, struct words *w)
{
    bool contract = p->request->implementation->form == IMPLEMENTATION_CONTRACT;
    words_add_all(w, (const char *const *)p->machine_flags.items);
    /* A package of another origin is compiled in the language its compiler takes by default. */
    if (part == PART_FIRMWARE)
        words_add(w, "-std=gnu99");
    else if (contract && part != PART_RUNTIME)
        words_add(w, "-std=c99");
    words_add_all(w, p->toolchain->compile_flags);
    if (part == PART_RUNTIME)
        return; /* whatever the implementation's flags are */
    words_add_all(w, (const char *const *)p->user_flags.items);
    if (part == PART_FIRMWARE)
        words_add(w, "-Os");
}

static enum uj_err set_cache(struct uj_ctx *ctx, struct build_plan *p)
{
    char *cache = NULL;
    enum uj_err err = UJ_OK;
    if (p->request->cache)
        cache = uj_strdup(p->request->cache);
    else
        err = paths_cache(ctx, &cache);
    if (!err)
        err = folder_make(ctx, cache);
    if (!err) {
        p->cache = realpath(cache, NULL);
        if (!p->cache)
            err = uj_fail(ctx, UJ_ERR_IO, "%s: cannot be used as cache", cache);
    }
    free(cache);
    return err;
}

static void set_output_bytes(struct build_plan *p)
{
    const struct implementation *i = p->request->implementation;
    const struct catalog *c = p->request->catalog;
    p->output_bytes = -1;
    for (size_t a = 0; a < c->algorithm_count && i->form == IMPLEMENTATION_CONTRACT; a++)
        if (strcmp(c->algorithms[a].kind, i->kind) == 0 &&
            strcmp(c->algorithms[a].name, i->algorithm) == 0)
            p->output_bytes = c->algorithms[a].output_bytes;
    if (p->request->output_bytes > 0 && (p->request->baseline || strcmp(i->kind, "xof") == 0))
        p->output_bytes = p->request->output_bytes;
}

static void set_key(struct build_plan *p)
{
    struct hash h;
    hash_init(&h);
    struct words all = {0};
    for (size_t g = 0; g < p->group_count; g++) {
        words_take(&all, uj_format("part %d", (int)p->groups[g].part));
        words_add_all(&all, (const char *const *)p->groups[g].includes.items);
        plan_flags(p, p->groups[g].part, &all);
    }
    words_add_all(&all, p->toolchain->path_flags);
    words_add_all(&all, p->toolchain->link_flags);
    words_add_all(&all, (const char *const *)p->defines.items);
    words_take(&all, uj_format("output %lld plan %d map %d", (long long)p->output_bytes,
                               PLAN_VERSION, MAP_FORMAT_VERSION));
    words_take(&all, uj_format("flash %u at %u, RAM %u at %u", p->request->board->flash_bytes,
                               p->request->board->flash_base, p->request->board->ram_bytes,
                               p->request->board->ram_base));
    hash_text(&h, p->compiler.identity);
    hash_text(&h, p->linker ? p->linker : "");
    hash_text(&h, p->script ? p->script : "");
    for (size_t i = 0; i < all.count; i++)
        hash_text(&h, all.items[i]);
    for (size_t g = 0; g < p->group_count; g++)
        sources_hash(&p->groups[g].sources, &h);
    hash_final(&h, p->key);
    words_free(&all);
}

enum uj_err plan_make(struct uj_ctx *ctx, struct build_plan *p, const struct build_request *in,
                      unsigned *started)
{
    *p = (struct build_plan){.request = in};
    char *cc = NULL;
    words_add_split(&p->user_flags, in->flags ? in->flags : BUILD_DEFAULT_FLAGS);
    enum uj_err err = check_flags(ctx, &p->user_flags);
    if (!err)
        err = read_toolchain(ctx, p);
    if (!err)
        err = read_harness(ctx, p);
    if (!err && !in->baseline)
        err = add_implementation(ctx, p, in->implementation, PART_OWN, 0);
    if (!err && !in->baseline && in->implementation->form == IMPLEMENTATION_SUPERCOP)
        add_generated(p);
    if (!err) {
        p->toolchain = toolchain_choose(p->toolchain, in->cc);
        err = add_firmware(ctx, p);
    }
    if (!err)
        err = toolchain_find(ctx, &cc, p->toolchain, in->cc);
    if (!err)
        err = add_linker(ctx, p);
    if (!err)
        err = set_cache(ctx, p);
    if (!err)
        err = toolchain_identify(ctx, &p->compiler, p->toolchain, cc, p->cache, started);
    free(cc);
    if (err)
        return err;
    share_includes(p);
    set_output_bytes(p);
    struct words flags = {0};
    plan_flags(p, PART_OWN, &flags);
    p->flags = words_join(&flags);
    words_free(&flags);
    set_key(p);
    return UJ_OK;
}

void plan_free(struct build_plan *p)
{
    for (size_t g = 0; g < p->group_count; g++) {
        free(p->groups[g].stage);
        free(p->groups[g].shown);
        sources_free(&p->groups[g].sources);
        words_free(&p->groups[g].includes);
    }
    free(p->groups);
    compiler_free(&p->compiler);
    free(p->linker);
    free(p->script);
    free(p->memory_script);
    words_free(&p->machine_flags);
    words_free(&p->user_flags);
    words_free(&p->defines);
    free(p->flags);
    free(p->cache);
    *p = (struct build_plan){0};
}
