#include "build/linker.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"

enum uj_err linker_memory(struct uj_ctx *ctx, char **out, const struct yaml_node *toolchain,
                          const char *from)
{
    const char *code = "flash";
    static const char *const keys[] = {"base", "size"};
    const struct yaml_node *memory = yaml_get(toolchain, "memory");
    *out = NULL;
    if (!memory && from)
        return uj_fail(ctx, UJ_ERR_USAGE, "--from %s: the chip's images lie in one place only",
                       from);
    if (!memory)
        return UJ_OK;
    if (memory->kind != YAML_MAP || memory->count == 0)
        return yaml_fail(ctx, memory, "a map of regions, as flash: {base: 0x4000, size: 0xBFE0}");
    struct str s;
    str_init(&s);
    str_add(&s, "MEMORY\n{\n");
    enum uj_err err = UJ_OK;
    for (size_t i = 0; i < memory->count && !err; i++) {
        const struct yaml_node *region = &memory->items[i];
        int64_t base = 0, size = 0;
        if (region->key[strspn(region->key, "abcdefghijklmnopqrstuvwxyz")])
            err = yaml_fail(ctx, region, "a region's name has small letters alone");
        if (!err)
            err = yaml_only(ctx, region, keys, 2);
        if (!err)
            err = yaml_need_integer(ctx, &base, region, "base", 0, UINT32_MAX);
        if (!err)
            err = yaml_need_integer(ctx, &size, region, "size", 1, UINT32_MAX);
        str_addf(&s, "    %s : ORIGIN = 0x%llX, LENGTH = 0x%llX\n", region->key,
                 (unsigned long long)base, (unsigned long long)size);
    }
    str_add(&s, "}\n");
    if (!err)
        err = yaml_get_text(ctx, &code, toolchain, "code");
    if (from)
        code = strcmp(from, "sram") == 0 ? "ram" : from;
    if (!err && !yaml_get(memory, code))
        err = from ? uj_fail(ctx, UJ_ERR_USAGE, "--from %s: the chip has no such memory for code",
                             from)
                   : yaml_fail(ctx, memory, "no region %s for code", code);
    str_addf(&s, "REGION_ALIAS(\"code\", %s)\n", code);
    if (!err)
        *out = str_take(&s);
    str_free(&s);
    return err;
}

/* The size behind the region's name in memory.ld. */
static uint64_t region_bytes(const char *region, const char *memory_script)
{
    char *line = uj_format("    %s : ORIGIN", region);
    const char *at = memory_script ? strstr(memory_script, line) : NULL;
    const char *length = at ? strstr(at, "LENGTH = ") : NULL;
    free(line);
    return length ? strtoull(length + strlen("LENGTH = "), NULL, 16) : 0;
}

uint64_t linker_overflow(uint64_t *bytes, const char *log, const char *region,
                         const char *memory_script)
{
    static const char by[] = "overflowed by ";
    uint64_t most = 0;
    char *lld = uj_format("region '%s'", region), *ld = uj_format("region `%s'", region);
    for (const char *line = log; *line;) {
        size_t length = strcspn(line, "\n");
        char *text = uj_strndup(line, length);
        const char *said = strstr(text, by);
        uint64_t over = said && (strstr(text, lld) || strstr(text, ld))
                            ? strtoull(said + strlen(by), NULL, 10)
                            : 0;
        most = over > most ? over : most;
        free(text);
        line += length + (line[length] == '\n');
    }
    free(lld);
    free(ld);
    *bytes = region_bytes(region, memory_script);
    return most;
}
