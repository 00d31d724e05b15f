/*
 * Linker maps: which bytes of which object file went where. Formats: GNU ld's -Map with --cref.
 *
 * Laws: only what was kept is listed; a map that does not read as one is refused, never taken for
 * an empty one.
 */
#ifndef UJ_BUILD_MAP_H
#define UJ_BUILD_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum map_format { MAP_GNU };

/* One input section that was kept. */
struct map_section {
    char *output; /* ".text" */
    char *input;  /* ".text.sha256_ref" */
    char *object; /* "sha256_ref.o", or "libgcc.a(_udivmodsi4.o)" with its path */
    uint32_t address, bytes;
};

/* A global symbol: who defines it and who refers to it. */
struct map_reference {
    char *symbol;
    char *definer; /* NULL: nobody, or the linker script */
    char **users;
    size_t user_count;
};

struct map {
    struct map_section *sections;
    size_t section_count;
    struct map_reference *references;
    size_t reference_count;
};

enum uj_err map_parse(struct uj_ctx *ctx, struct map **out, enum map_format format,
                      const char *name, const char *text, size_t length) UJ_CHECK;
void map_free(struct map *map);

#endif
