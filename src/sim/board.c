#include "sim/board.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "base/str.h"
#include "base/unknown.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Reading a board and its chip */

static const char *const mcu_keys[] = {
    "mcu",           "description",    "core",       "toolchain",  "memory", "clocks",
    "cpu_clock",     "irq_controller", "note",       "blocks",     "source", "currents",
    "currents_sets", "image_def",      "uf2_family", "sleep_state"};
static const char *const board_keys[] = {
    "board",   "description",   "mcu",   "supply",   "clocks",     "serial",
    "harness", "note",          "nets",  "trace",    "trace_sets", "parts",
    "source",  "currents_sets", "radio", "currents",
};

static enum uj_err read_memory_sizes(struct uj_ctx *ctx, struct board *b)
{
    const struct yaml_node *memory;
    enum uj_err err = yaml_need(ctx, &memory, b->mcu_map, "memory");
    for (size_t i = 0; !err && i < memory->count; i++) {
        const char *kind = NULL;
        int64_t base = 0, size = 0;
        err = yaml_need_text(ctx, &kind, &memory->items[i], "kind");
        if (!err)
            err = yaml_need_integer(ctx, &base, &memory->items[i], "base", 0, UINT32_MAX);
        if (!err)
            err = yaml_need_integer(ctx, &size, &memory->items[i], "size", 1, UINT32_MAX);
        if (err)
            return err;
        if (strcmp(kind, "flash") == 0 && b->flash_bytes == 0) {
            b->flash_base = (uint32_t)base;
            b->flash_bytes = (uint32_t)size;
        } else if (strcmp(kind, "ram") == 0 && b->ram_bytes == 0) {
            b->ram_base = (uint32_t)base;
            b->ram_bytes = (uint32_t)size;
        }
    }
    return err;
}

static enum uj_err read_core(struct uj_ctx *ctx, struct board *b)
{
    const struct yaml_node *core;
    const char *name;
    enum uj_err err = yaml_need(ctx, &core, b->mcu_map, "core");
    if (!err)
        err = yaml_need_text(ctx, &name, core, "class");
    if (err)
        return err;
    b->core_class = core_class_named(name);
    return b->core_class ? UJ_OK : yaml_fail(ctx, yaml_get(core, "class"), "no core \"%s\"", name);
}

static enum uj_err hash_files(struct uj_ctx *ctx, struct board *b)
{
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    const struct yaml *const files[] = {b->board_file, b->mcu_file};
    for (size_t i = 0; i < COUNT(files); i++) {
        FILE *stream = fopen(yaml_path(files[i]), "rb");
        if (!stream)
            return uj_fail(ctx, UJ_ERR_INPUT, "%s: %s", yaml_path(files[i]), strerror(errno));
        unsigned char block[4096];
        size_t got;
        while ((got = fread(block, 1, sizeof block, stream)) > 0)
            crypto_hash_sha256_update(&state, block, got);
        (void)fclose(stream);
    }
    unsigned char digest[crypto_hash_sha256_BYTES];
    crypto_hash_sha256_final(&state, digest);
    hex_encode(b->hash, digest, sizeof digest);
    return UJ_OK;
}

static enum uj_err unknown_board(struct uj_ctx *ctx, const char *devices, const char *name)
{
    char **names;
    size_t count;
    enum uj_err err = board_names(ctx, &names, &count, devices);
    if (err)
        return err;
    err = uj_fail_unknown(ctx, UJ_ERR_USAGE, "board", name, (const char *const *)names, count);
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
    return err;
}

static enum uj_err load_files(struct uj_ctx *ctx, struct board *b, const char *devices,
                              const char *name)
{
    char *path =
        str_ends(name, ".yaml") ? uj_strdup(name) : uj_format("%s/boards/%s.yaml", devices, name);
    FILE *probe = fopen(path, "rb");
    if (!probe && !str_ends(name, ".yaml")) {
        free(path);
        return unknown_board(ctx, devices, name);
    }
    if (probe)
        (void)fclose(probe);
    enum uj_err err = yaml_load(ctx, &b->board_file, path);
    const char *mcu = NULL;
    if (!err) {
        b->board_map = yaml_root(b->board_file);
        err = yaml_only(ctx, b->board_map, board_keys, COUNT(board_keys));
    }
    if (!err)
        err = yaml_need_text(ctx, &mcu, b->board_map, "mcu");
    free(path);
    if (err)
        return err;
    b->mcu = uj_strdup(mcu);
    path = str_ends(mcu, ".yaml") ? uj_strdup(mcu) : uj_format("%s/mcus/%s.yaml", devices, mcu);
    err = yaml_load(ctx, &b->mcu_file, path);
    free(path);
    if (err)
        return err;
    b->mcu_map = yaml_root(b->mcu_file);
    return yaml_only(ctx, b->mcu_map, mcu_keys, COUNT(mcu_keys));
}

enum uj_err board_load(struct uj_ctx *ctx, struct board **out, const char *devices,
                       const char *name)
{
    struct board *b = uj_calloc(1, sizeof *b);
    const char *text = NULL;
    const struct yaml_node *supply;
    enum uj_err err = load_files(ctx, b, devices, name);
    if (err)
        goto out;
    if ((err = yaml_need_text(ctx, &text, b->board_map, "board")))
        goto out;
    b->name = uj_strdup(text);
    text = "";
    if ((err = yaml_get_text(ctx, &text, b->board_map, "description")))
        goto out;
    b->description = uj_strdup(text);
    text = NULL;
    if ((err = yaml_get_text(ctx, &text, b->board_map, "serial")))
        goto out;
    b->serial = text ? uj_strdup(text) : NULL;
    if ((err = yaml_need(ctx, &supply, b->board_map, "supply")))
        goto out;
    if ((err = yaml_need_quantity(ctx, &b->supply_v, supply, "value", "V")))
        goto out;
    if ((err = read_core(ctx, b)) || (err = read_memory_sizes(ctx, b)))
        goto out;
    err = hash_files(ctx, b);
out:
    if (err)
        board_free(b);
    else
        *out = b;
    return err;
}

void board_free(struct board *b)
{
    if (!b)
        return;
    yaml_close(b->board_file);
    yaml_close(b->mcu_file);
    free(b->name);
    free(b->description);
    free(b->mcu);
    free(b->serial);
    free(b);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

enum uj_err board_names(struct uj_ctx *ctx, char ***out, size_t *count, const char *devices)
{
    char *path = uj_format("%s/boards", devices);
    DIR *folder = opendir(path);
    if (!folder) {
        enum uj_err err =
            uj_fail(ctx, UJ_ERR_INPUT, "%s: %s; set UJOULE_ROOT to ujoule's own folder", path,
                    strerror(errno));
        free(path);
        return err;
    }
    char **names = NULL;
    size_t found = 0;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        if (!str_ends(entry->d_name, ".yaml") || entry->d_name[0] == '.')
            continue;
        names = uj_realloc(names, (found + 1) * sizeof *names);
        names[found++] = uj_strndup(entry->d_name, strlen(entry->d_name) - strlen(".yaml"));
    }
    (void)closedir(folder);
    free(path);
    if (found)
        qsort(names, found, sizeof *names, by_name);
    *out = names;
    *count = found;
    return UJ_OK;
}
