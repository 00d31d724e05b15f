#include "base/yaml.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

#include "base/quantity.h"
#include "base/str.h"

/* Deeper nesting than any of our files has; bounds the recursion on hostile input. */
enum { DEEPEST = 32 };
/* More nodes than any of our files has; bounds what aliases of aliases can grow to. */
enum { MOST_NODES = 100000 };

struct yaml {
    char *path;
    size_t nodes;
    struct yaml_node root;
};

static void free_node(struct yaml_node *node)
{
    for (size_t i = 0; i < node->count; i++)
        free_node(&node->items[i]);
    free(node->items);
    free((char *)node->key);
    free((char *)node->text);
}

void yaml_close(struct yaml *file)
{
    if (!file)
        return;
    free_node(&file->root);
    free(file->path);
    free(file);
}

const struct yaml_node *yaml_root(const struct yaml *file)
{
    return &file->root;
}

const char *yaml_path(const struct yaml *file)
{
    return file->path;
}

enum uj_err yaml_fail(struct uj_ctx *ctx, const struct yaml_node *at, const char *format, ...)
{
    struct str message;
    str_init(&message);
    va_list args;
    va_start(args, format);
    char text[384];
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    str_addf(&message, "%s:%d:%d: ", at->file->path, at->line, at->column);
    if (at->key)
        str_addf(&message, "%s: ", at->key);
    str_add(&message, text);
    enum uj_err code = uj_fail(ctx, UJ_ERR_INPUT, "%s", message.text);
    str_free(&message);
    return code;
}

/* libyaml's node number `index` and all below it, into `out`. */
static enum uj_err convert(struct uj_ctx *ctx, struct yaml *file, yaml_document_t *document,
                           int index, struct yaml_node *out, int depth)
{
    const yaml_node_t *node = yaml_document_get_node(document, index);
    out->file = file;
    out->line = (int)node->start_mark.line + 1;
    out->column = (int)node->start_mark.column + 1;
    if (depth > DEEPEST)
        return yaml_fail(ctx, out, "nested deeper than %d levels", DEEPEST);
    if (++file->nodes > MOST_NODES)
        return yaml_fail(ctx, out, "more than %d values", MOST_NODES);

    if (node->type == YAML_SCALAR_NODE) {
        out->kind = YAML_TEXT;
        if (memchr(node->data.scalar.value, 0, node->data.scalar.length))
            return yaml_fail(ctx, out, "a NUL character; remove it");
        out->text = uj_strndup((const char *)node->data.scalar.value, node->data.scalar.length);
        return UJ_OK;
    }
    if (node->type == YAML_SEQUENCE_NODE) {
        const yaml_node_item_t *first = node->data.sequence.items.start;
        size_t count = (size_t)(node->data.sequence.items.top - first);
        out->kind = YAML_LIST;
        out->items = uj_calloc(count, sizeof *out->items);
        out->count = count;
        for (size_t i = 0; i < count; i++) {
            enum uj_err err = convert(ctx, file, document, first[i], &out->items[i], depth + 1);
            if (err)
                return err;
        }
        return UJ_OK;
    }
    const yaml_node_pair_t *first = node->data.mapping.pairs.start;
    size_t count = (size_t)(node->data.mapping.pairs.top - first);
    out->kind = YAML_MAP;
    out->items = uj_calloc(count, sizeof *out->items);
    out->count = count;
    for (size_t i = 0; i < count; i++) {
        struct yaml_node *member = &out->items[i];
        const yaml_node_t *key = yaml_document_get_node(document, first[i].key);
        member->file = file;
        member->line = (int)key->start_mark.line + 1;
        member->column = (int)key->start_mark.column + 1;
        if (key->type != YAML_SCALAR_NODE)
            return yaml_fail(ctx, member, "a key that is not a word");
        member->key = uj_strndup((const char *)key->data.scalar.value, key->data.scalar.length);
        for (size_t j = 0; j < i; j++)
            if (strcmp(out->items[j].key, member->key) == 0)
                return yaml_fail(ctx, member, "given twice, first in line %d", out->items[j].line);
        enum uj_err err = convert(ctx, file, document, first[i].value, member, depth + 1);
        if (err)
            return err;
    }
    return UJ_OK;
}

enum uj_err yaml_parse(struct uj_ctx *ctx, struct yaml **out, const char *name, const char *text,
                       size_t length)
{
    enum uj_err err = UJ_OK;
    yaml_parser_t parser;
    yaml_document_t document;
    struct yaml *file = uj_calloc(1, sizeof *file);
    file->path = uj_strdup(name);

    if (!yaml_parser_initialize(&parser)) {
        yaml_close(file);
        return uj_fail(ctx, UJ_ERR_MEMORY, "%s: no memory for the YAML parser", name);
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    if (!yaml_parser_load(&parser, &document)) {
        err = uj_fail(ctx, UJ_ERR_INPUT, "%s:%zu:%zu: not YAML: %s", name,
                      parser.problem_mark.line + 1, parser.problem_mark.column + 1,
                      parser.problem ? parser.problem : "unreadable");
        goto out;
    }
    if (!yaml_document_get_root_node(&document))
        err = uj_fail(ctx, UJ_ERR_INPUT, "%s:1:1: an empty file", name);
    else
        err = convert(ctx, file, &document, 1, &file->root, 0);
    yaml_document_delete(&document);
out:
    yaml_parser_delete(&parser);
    if (err)
        yaml_close(file);
    else
        *out = file;
    return err;
}

enum uj_err yaml_load(struct uj_ctx *ctx, struct yaml **out, const char *path)
{
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return uj_fail(ctx, UJ_ERR_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    struct str text;
    str_init(&text);
    char block[4096];
    size_t got;
    while ((got = fread(block, 1, sizeof block, stream)) > 0)
        str_add_bytes(&text, block, got);
    enum uj_err err = UJ_OK;
    if (ferror(stream))
        err = uj_fail(ctx, UJ_ERR_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    else
        err = yaml_parse(ctx, out, path, text.text, text.length);
    (void)fclose(stream);
    str_free(&text);
    return err;
}

const struct yaml_node *yaml_get(const struct yaml_node *map, const char *key)
{
    if (map->kind != YAML_MAP)
        return NULL;
    for (size_t i = 0; i < map->count; i++)
        if (strcmp(map->items[i].key, key) == 0)
            return &map->items[i];
    return NULL;
}

enum uj_err yaml_need(struct uj_ctx *ctx, const struct yaml_node **out, const struct yaml_node *map,
                      const char *key)
{
    *out = yaml_get(map, key);
    return *out ? UJ_OK : yaml_fail(ctx, map, "has no \"%s\"; add it", key);
}

enum uj_err yaml_only(struct uj_ctx *ctx, const struct yaml_node *map, const char *const *keys,
                      size_t count)
{
    if (map->kind != YAML_MAP)
        return yaml_fail(ctx, map, "must be a map of keys and values");
    for (size_t i = 0; i < map->count; i++) {
        size_t k = 0;
        while (k < count && strcmp(map->items[i].key, keys[k]) != 0)
            k++;
        if (k < count)
            continue;
        const char *near = nearest_word(map->items[i].key, keys, count);
        if (near)
            return yaml_fail(ctx, &map->items[i], "unknown key; did you mean \"%s\"?", near);
        return yaml_fail(ctx, &map->items[i], "unknown key; remove it");
    }
    return UJ_OK;
}

enum uj_err yaml_text(struct uj_ctx *ctx, const char **out, const struct yaml_node *node)
{
    if (node->kind != YAML_TEXT)
        return yaml_fail(ctx, node, "must be one value");
    *out = node->text;
    return UJ_OK;
}

enum uj_err yaml_integer(struct uj_ctx *ctx, int64_t *out, const struct yaml_node *node,
                         int64_t low, int64_t high)
{
    const char *text = NULL;
    enum uj_err err = yaml_text(ctx, &text, node);
    if (err)
        return err;
    const char *digits = text[0] == '-' ? text + 1 : text;
    bool hexadecimal = digits[0] == '0' && digits[1] == 'x';
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, hexadecimal ? 16 : 10);
    bool plain =
        digits[0] >= '0' && digits[0] <= '9' && (digits[0] != '0' || !digits[1] || hexadecimal);
    if (!plain || *end != '\0' || errno != 0)
        return yaml_fail(ctx, node, "\"%s\" is no integer", text);
    if (value < low || value > high)
        return yaml_fail(ctx, node, "%s is outside %lld..%lld", text, (long long)low,
                         (long long)high);
    *out = value;
    return UJ_OK;
}

enum uj_err yaml_quantity(struct uj_ctx *ctx, double *out, const struct yaml_node *node,
                          const char *unit)
{
    const char *text = NULL;
    enum uj_err err = yaml_text(ctx, &text, node);
    if (err)
        return err;
    if (!quantity_parse(out, text, unit))
        return yaml_fail(ctx, node, "\"%s\" is no quantity in %s", text,
                         *unit ? unit : "plain numbers");
    return UJ_OK;
}

enum uj_err yaml_bool(struct uj_ctx *ctx, bool *out, const struct yaml_node *node)
{
    const char *text = NULL;
    enum uj_err err = yaml_text(ctx, &text, node);
    if (err)
        return err;
    bool is_true = strcmp(text, "true") == 0;
    if (!is_true && strcmp(text, "false") != 0)
        return yaml_fail(ctx, node, "\"%s\" is neither true nor false", text);
    *out = is_true;
    return UJ_OK;
}

enum uj_err yaml_get_text(struct uj_ctx *ctx, const char **out, const struct yaml_node *map,
                          const char *key)
{
    const struct yaml_node *node = yaml_get(map, key);
    return node ? yaml_text(ctx, out, node) : UJ_OK;
}

enum uj_err yaml_get_integer(struct uj_ctx *ctx, int64_t *out, const struct yaml_node *map,
                             const char *key, int64_t low, int64_t high)
{
    const struct yaml_node *node = yaml_get(map, key);
    return node ? yaml_integer(ctx, out, node, low, high) : UJ_OK;
}

enum uj_err yaml_get_quantity(struct uj_ctx *ctx, double *out, const struct yaml_node *map,
                              const char *key, const char *unit)
{
    const struct yaml_node *node = yaml_get(map, key);
    return node ? yaml_quantity(ctx, out, node, unit) : UJ_OK;
}

enum uj_err yaml_get_bool(struct uj_ctx *ctx, bool *out, const struct yaml_node *map,
                          const char *key)
{
    const struct yaml_node *node = yaml_get(map, key);
    return node ? yaml_bool(ctx, out, node) : UJ_OK;
}

enum uj_err yaml_need_text(struct uj_ctx *ctx, const char **out, const struct yaml_node *map,
                           const char *key)
{
    const struct yaml_node *node;
    enum uj_err err = yaml_need(ctx, &node, map, key);
    return err ? err : yaml_text(ctx, out, node);
}

enum uj_err yaml_need_integer(struct uj_ctx *ctx, int64_t *out, const struct yaml_node *map,
                              const char *key, int64_t low, int64_t high)
{
    const struct yaml_node *node;
    enum uj_err err = yaml_need(ctx, &node, map, key);
    return err ? err : yaml_integer(ctx, out, node, low, high);
}

enum uj_err yaml_need_quantity(struct uj_ctx *ctx, double *out, const struct yaml_node *map,
                               const char *key, const char *unit)
{
    const struct yaml_node *node;
    enum uj_err err = yaml_need(ctx, &node, map, key);
    return err ? err : yaml_quantity(ctx, out, node, unit);
}
