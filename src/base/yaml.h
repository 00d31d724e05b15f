/*
 * YAML files as a tree whose every node knows its line and column, read by libyaml.
 *
 * Laws: nodes live as long as their struct yaml; a reader that refuses a value has recorded
 * "FILE:LINE:COLUMN: KEY: what and what to do"; nothing is read leniently: 1.5 is no integer, 12mA
 * no number, an unknown key an error where yaml_only() was asked.
 */
#ifndef UJ_BASE_YAML_H
#define UJ_BASE_YAML_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum yaml_kind { YAML_TEXT, YAML_LIST, YAML_MAP };

struct yaml;

struct yaml_node {
    enum yaml_kind kind;
    const struct yaml *file;
    int line, column; /* from 1 */
    const char *key;  /* of a member of a map, else NULL */
    const char *text; /* of YAML_TEXT */
    size_t count;     /* items of a list or members of a map */
    struct yaml_node *items;
};

/* Reads a file, or `length` bytes named `name` in messages. UJ_ERR_INPUT where it is not YAML. */
enum uj_err yaml_load(struct uj_ctx *ctx, struct yaml **out, const char *path) UJ_CHECK;
enum uj_err yaml_parse(struct uj_ctx *ctx, struct yaml **out, const char *name, const char *text,
                       size_t length) UJ_CHECK;
void yaml_close(struct yaml *file);
const struct yaml_node *yaml_root(const struct yaml *file);
const char *yaml_path(const struct yaml *file);

/* Records "FILE:LINE:COLUMN: KEY: " and the message, with UJ_ERR_INPUT. */
enum uj_err yaml_fail(struct uj_ctx *ctx, const struct yaml_node *at, const char *format, ...)
    UJ_PRINTF(3, 4);

/* The member of a map, or NULL; yaml_need() refuses its absence. */
const struct yaml_node *yaml_get(const struct yaml_node *map, const char *key);
enum uj_err yaml_need(struct uj_ctx *ctx, const struct yaml_node **out, const struct yaml_node *map,
                      const char *key) UJ_CHECK;

/* Refuses a map's member whose key is not among the `count` keys, offering the nearest. */
enum uj_err yaml_only(struct uj_ctx *ctx, const struct yaml_node *map, const char *const *keys,
                      size_t count) UJ_CHECK;

/* Values of a node. Quantities as in base/quantity.h; integers decimal or 0x-hexadecimal. */
enum uj_err yaml_text(struct uj_ctx *ctx, const char **out, const struct yaml_node *node) UJ_CHECK;
enum uj_err yaml_integer(struct uj_ctx *ctx, int64_t *out, const struct yaml_node *node,
                         int64_t low, int64_t high) UJ_CHECK;
enum uj_err yaml_quantity(struct uj_ctx *ctx, double *out, const struct yaml_node *node,
                          const char *unit) UJ_CHECK;
enum uj_err yaml_bool(struct uj_ctx *ctx, bool *out, const struct yaml_node *node) UJ_CHECK;

/* Values of a map's member. The `need` forms refuse absence; the `get` forms leave *out as it is.
 */
enum uj_err yaml_need_text(struct uj_ctx *ctx, const char **out, const struct yaml_node *map,
                           const char *key) UJ_CHECK;
enum uj_err yaml_need_integer(struct uj_ctx *ctx, int64_t *out, const struct yaml_node *map,
                              const char *key, int64_t low, int64_t high) UJ_CHECK;
enum uj_err yaml_need_quantity(struct uj_ctx *ctx, double *out, const struct yaml_node *map,
                               const char *key, const char *unit) UJ_CHECK;
enum uj_err yaml_get_text(struct uj_ctx *ctx, const char **out, const struct yaml_node *map,
                          const char *key) UJ_CHECK;
enum uj_err yaml_get_integer(struct uj_ctx *ctx, int64_t *out, const struct yaml_node *map,
                             const char *key, int64_t low, int64_t high) UJ_CHECK;
enum uj_err yaml_get_quantity(struct uj_ctx *ctx, double *out, const struct yaml_node *map,
                              const char *key, const char *unit) UJ_CHECK;
enum uj_err yaml_get_bool(struct uj_ctx *ctx, bool *out, const struct yaml_node *map,
                          const char *key) UJ_CHECK;

#endif
