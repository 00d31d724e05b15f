/* Hostile YAML: read or refused with one message, and every value of the tree asked for in every
 * way. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/yaml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(struct uj_ctx *ctx, enum uj_err err)
{
    if ((err != UJ_OK) != (ctx->message[0] != '\0') || strchr(ctx->message, '\n'))
        abort();
    uj_clear(ctx);
}

static void ask(struct uj_ctx *ctx, const struct yaml_node *node, int depth)
{
    static const char *const units[] = {"A", "V", "s", "Hz", "ohm", "B", "dB", "A/Hz", "A/V", ""};
    static const char *const keys[] = {"name", "base"};
    const char *text;
    int64_t integer;
    double real;
    bool truth;
    if (node->line < 1 || node->column < 1 || depth > 64)
        abort();
    enum uj_err err = yaml_text(ctx, &text, node);
    if (!err && !text)
        abort();
    check(ctx, err);
    err = yaml_integer(ctx, &integer, node, -5, 500);
    if (!err && (integer < -5 || integer > 500))
        abort();
    check(ctx, err);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        check(ctx, yaml_quantity(ctx, &real, node, units[i]));
    check(ctx, yaml_bool(ctx, &truth, node));
    check(ctx, yaml_only(ctx, node, keys, 2));
    const struct yaml_node *member;
    if (node->kind == YAML_MAP)
        check(ctx, yaml_need(ctx, &member, node, "name"));
    for (size_t i = 0; i < node->count; i++)
        ask(ctx, &node->items[i], depth + 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct uj_ctx ctx = {0};
    struct yaml *file;
    enum uj_err err = yaml_parse(&ctx, &file, "fuzz", (const char *)data, size);
    if (err) {
        check(&ctx, err);
        return 0;
    }
    ask(&ctx, yaml_root(file), 0);
    yaml_close(file);
    return 0;
}
