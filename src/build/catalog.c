#include "build/catalog.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "base/yaml.h"
#include "build/catalog_internal.h"

static const char *const kinds[] = {"hash", "mac", "xof"};

static void free_words(char **words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(words[i]);
    free(words);
}

static void clear_algorithm(struct algorithm *a)
{
    free(a->kind);
    free(a->name);
    free(a->display_name);
    free(a->standard);
    free(a->note);
    free(a->advice);
    free(a->folder);
}

static void clear_implementation(struct implementation *i)
{
    free(i->kind);
    free(i->algorithm);
    free(i->name);
    free(i->description);
    free(i->folder);
    free(i->prefix);
    free_words(i->uses, i->uses_count);
    free_words(i->needs, i->needs_count);
}

void implementation_free(struct implementation *i)
{
    if (!i)
        return;
    clear_implementation(i);
    free(i);
}

void catalog_free(struct catalog *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->algorithm_count; i++)
        clear_algorithm(&c->algorithms[i]);
    for (size_t i = 0; i < c->implementation_count; i++)
        clear_implementation(&c->implementations[i]);
    free(c->algorithms);
    free(c->implementations);
    free(c->root);
    free(c);
}

static char *copy_or_null(const char *text)
{
    return text ? uj_strdup(text) : NULL;
}

static enum uj_err read_algorithm(struct uj_ctx *ctx, struct algorithm *a,
                                  const struct yaml_node *map)
{
    static const char *const keys[] = {"name",          "standard",   "output_bytes",
                                       "security_bits", "rate_bytes", "state_bytes",
                                       "rounds",        "note",       "advice"};
    const struct {
        const char *key;
        int64_t *value;
    } numbers[] = {{"security_bits", &a->security_bits},
                   {"rate_bytes", &a->rate_bytes},
                   {"state_bytes", &a->state_bytes},
                   {"rounds", &a->rounds}};
    const char *name = NULL, *standard = NULL, *note = NULL, *advice = NULL;
    enum uj_err err = yaml_only(ctx, map, keys, sizeof keys / sizeof *keys);
    if (!err)
        err = yaml_need_text(ctx, &name, map, "name");
    if (!err)
        err = yaml_need_text(ctx, &standard, map, "standard");
    if (!err)
        err = yaml_need_integer(ctx, &a->output_bytes, map, "output_bytes", 1, 4096);
    for (size_t i = 0; !err && i < sizeof numbers / sizeof *numbers; i++) {
        *numbers[i].value = -1;
        err = yaml_get_integer(ctx, numbers[i].value, map, numbers[i].key, 0, 65536);
    }
    if (!err)
        err = yaml_get_text(ctx, &note, map, "note");
    if (!err)
        err = yaml_get_text(ctx, &advice, map, "advice");
    if (err)
        return err;
    a->display_name = uj_strdup(name);
    a->standard = uj_strdup(standard);
    a->note = copy_or_null(note);
    a->advice = copy_or_null(advice);
    return UJ_OK;
}

static enum uj_err read_words(struct uj_ctx *ctx, char ***out, size_t *count,
                              const struct yaml_node *map, const char *key)
{
    const struct yaml_node *list = yaml_get(map, key);
    if (!list)
        return UJ_OK;
    if (list->kind != YAML_LIST)
        return yaml_fail(ctx, list, "a list, as [one, two]");
    *out = uj_calloc(list->count, sizeof **out);
    for (size_t i = 0; i < list->count; i++) {
        const char *word;
        enum uj_err err = yaml_text(ctx, &word, &list->items[i]);
        if (err)
            return err;
        (*out)[(*count)++] = uj_strdup(word);
    }
    return UJ_OK;
}

enum uj_err catalog_read_impl(struct uj_ctx *ctx, struct implementation *i, const char *path)
{
    static const char *const keys[] = {"description", "uses", "needs"};
    struct yaml *file;
    const char *description = NULL;
    enum uj_err err = yaml_load(ctx, &file, path);
    if (err)
        return err;
    const struct yaml_node *map = yaml_root(file);
    err = yaml_only(ctx, map, keys, sizeof keys / sizeof *keys);
    if (!err)
        err = yaml_get_text(ctx, &description, map, "description");
    if (!err)
        i->description = copy_or_null(description);
    if (!err)
        err = read_words(ctx, &i->uses, &i->uses_count, map, "uses");
    if (!err)
        err = read_words(ctx, &i->needs, &i->needs_count, map, "needs");
    yaml_close(file);
    return err;
}

char *catalog_prefix(const char *algorithm, const char *implementation)
{
    char *prefix = uj_format("%s_%s", algorithm, implementation);
    for (char *c = prefix; *c; c++)
        if (*c == '-')
            *c = '_';
    return prefix;
}

static void find_implementation(struct catalog *c, const struct algorithm *a, const char *name,
                                char *folder)
{
    size_t n = c->implementation_count;
    c->implementations = uj_realloc(c->implementations, (n + 1) * sizeof *c->implementations);
    c->implementations[c->implementation_count++] = (struct implementation){
        .form = IMPLEMENTATION_CONTRACT,
        .kind = uj_strdup(a->kind),
        .algorithm = uj_strdup(a->name),
        .name = uj_strdup(name),
        .folder = folder,
        .prefix = catalog_prefix(a->name, name),
    };
}

/* One algorithm's folder: algorithm.yaml, and the folders with an impl.yaml. */
static enum uj_err read_algorithm_folder(struct uj_ctx *ctx, struct catalog *c, const char *kind,
                                         const char *name, const char *folder)
{
    struct yaml *file;
    char **names;
    size_t count;
    char *path = path_join(folder, "algorithm.yaml");
    enum uj_err err = yaml_load(ctx, &file, path);
    free(path);
    if (err)
        return err;
    c->algorithms = uj_realloc(c->algorithms, (c->algorithm_count + 1) * sizeof *c->algorithms);
    size_t index = c->algorithm_count++;
    c->algorithms[index] = (struct algorithm){
        .kind = uj_strdup(kind), .name = uj_strdup(name), .folder = uj_strdup(folder)};
    err = read_algorithm(ctx, &c->algorithms[index], yaml_root(file));
    yaml_close(file);
    if (!err)
        err = folder_list(ctx, &names, &count, folder);
    if (err)
        return err;
    for (size_t i = 0; i < count && !err; i++) {
        char *below = path_join(folder, names[i]);
        char *impl = path_join(below, "impl.yaml");
        if (file_exists(impl)) {
            find_implementation(c, &c->algorithms[index], names[i], below);
            below = NULL;
            err = catalog_read_impl(ctx, &c->implementations[c->implementation_count - 1], impl);
        }
        free(impl);
        free(below);
    }
    names_free(names, count);
    return err;
}

static enum uj_err read_kind(struct uj_ctx *ctx, struct catalog *c, const char *kind)
{
    char **names = NULL;
    size_t count = 0;
    char *folder = path_join(c->root, kind);
    enum uj_err err = folder_exists(folder) ? folder_list(ctx, &names, &count, folder) : UJ_OK;
    for (size_t i = 0; i < count && !err; i++) {
        char *below = path_join(folder, names[i]);
        if (folder_exists(below))
            err = read_algorithm_folder(ctx, c, kind, names[i], below);
        free(below);
    }
    names_free(names, count);
    free(folder);
    return err;
}

/* Every `uses:` names an implementation that there is. */
static enum uj_err check_uses(struct uj_ctx *ctx, const struct catalog *c)
{
    for (size_t i = 0; i < c->implementation_count; i++) {
        enum uj_err err = catalog_check_uses(ctx, c, &c->implementations[i]);
        if (err)
            return err;
    }
    return UJ_OK;
}

enum uj_err catalog_load(struct uj_ctx *ctx, struct catalog **out, const char *primitives_root)
{
    enum uj_err err = UJ_OK;
    struct catalog *c = uj_calloc(1, sizeof *c);
    c->root = uj_strdup(primitives_root);
    *out = NULL;
    if (!folder_exists(primitives_root))
        err = uj_fail(ctx, UJ_ERR_INPUT, "%s: no such folder; it holds the algorithms",
                      primitives_root);
    for (size_t i = 0; !err && i < sizeof kinds / sizeof *kinds; i++)
        err = read_kind(ctx, c, kinds[i]);
    if (!err)
        err = check_uses(ctx, c);
    if (!err && c->implementation_count == 0)
        err = uj_fail(ctx, UJ_ERR_INPUT, "%s: holds no implementation", primitives_root);
    if (err) {
        catalog_free(c);
        return err;
    }
    *out = c;
    return UJ_OK;
}

const struct implementation *catalog_at(const struct catalog *c, const char *path)
{
    const struct implementation *found = NULL;
    for (size_t i = 0; i < c->implementation_count && !found; i++) {
        const struct implementation *candidate = &c->implementations[i];
        char *own = uj_format("%s/%s/%s", candidate->kind, candidate->algorithm, candidate->name);
        if (strcmp(own, path) == 0)
            found = candidate;
        free(own);
    }
    return found;
}

enum uj_err catalog_check_uses(struct uj_ctx *ctx, const struct catalog *c,
                               const struct implementation *i)
{
    for (size_t u = 0; u < i->uses_count; u++)
        if (!catalog_at(c, i->uses[u]))
            return uj_fail(ctx, UJ_ERR_INPUT, "%s/impl.yaml: uses: no implementation '%s'",
                           i->folder, i->uses[u]);
    return UJ_OK;
}

/* "no WHAT 'WORD'", with the nearest of the names, else all of them. Takes the array. */
static enum uj_err unknown(struct uj_ctx *ctx, const char *what, const char *word,
                           const char **names, size_t count)
{
    const char *nearest = nearest_word(word, names, count);
    struct str s;
    str_init(&s);
    str_addf(&s, "no %s '%s'", what, word);
    if (nearest)
        str_addf(&s, "; did you mean '%s'?", nearest);
    for (size_t i = 0; i < count && !nearest; i++)
        str_addf(&s, "%s%s", i ? ", " : "; there are ", names[i]);
    enum uj_err err = uj_fail(ctx, UJ_ERR_USAGE, "%s", s.text);
    str_free(&s);
    free(names);
    return err;
}

enum uj_err catalog_algorithm(struct uj_ctx *ctx, const struct algorithm **out,
                              const struct catalog *c, const char *name)
{
    const char **names = uj_calloc(c->algorithm_count, sizeof *names);
    for (size_t i = 0; i < c->algorithm_count; i++) {
        names[i] = c->algorithms[i].name;
        if (strcmp(name, names[i]) == 0) {
            *out = &c->algorithms[i];
            free(names);
            return UJ_OK;
        }
    }
    *out = NULL;
    return unknown(ctx, "algorithm", name, names, c->algorithm_count);
}

enum uj_err catalog_implementation(struct uj_ctx *ctx, const struct implementation **out,
                                   const struct catalog *c, const struct algorithm *algorithm,
                                   const char *name)
{
    const char **names = uj_calloc(c->implementation_count, sizeof *names);
    size_t count = 0;
    for (size_t i = 0; i < c->implementation_count; i++) {
        const struct implementation *candidate = &c->implementations[i];
        if (strcmp(candidate->kind, algorithm->kind) != 0 ||
            strcmp(candidate->algorithm, algorithm->name) != 0)
            continue;
        names[count++] = candidate->name;
        if (strcmp(candidate->name, name) == 0) {
            *out = candidate;
            free(names);
            return UJ_OK;
        }
    }
    *out = NULL;
    char *what = uj_format("implementation of %s", algorithm->name);
    enum uj_err err = unknown(ctx, what, name, names, count);
    free(what);
    return err;
}

bool catalog_is_folder(const char *word)
{
    return strchr(word, '/') || strcmp(word, ".") == 0 || strcmp(word, "..") == 0;
}
