/*
 * Linker maps: which bytes of which object file went where. Formats: -Map with --cref of GNU ld and
 * of LLVM's lld, which says nothing of regions.
 *
 * Laws: of input sections only those that were kept and have bytes are listed; a map that does not
 * read as one is refused, never taken for an empty one.
 */
#ifndef UJ_BUILD_MAP_H
#define UJ_BUILD_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum map_format { MAP_GNU, MAP_LLD };
enum { MAP_FORMAT_VERSION = 1 }; /* changes where the same map comes to give other figures */

/* A memory that the linker script knows. */
struct map_region {
    char *name;
    uint64_t origin, bytes;
};

struct map_output {
    char *name; /* ".text" */
    uint64_t address, bytes;
    uint64_t load; /* where its bytes lie before the start-up code runs */
};

/* One input section that was kept. */
struct map_section {
    size_t output; /* index into outputs */
    char *name;    /* ".text.sha256_ref", "COMMON" */
    char *object; /* as it was given to the linker: "obj/x.o", "/usr/lib/libgcc.a(_udivmodsi4.o)" */
    uint64_t address, bytes;
};

/* A global symbol: who defines it and who refers to it. */
struct map_symbol {
    char *name;
    char *definer; /* an object; the first of its users where the linker script or nobody defines it
                    */
    char **users;
    size_t user_count;
};

struct map {
    struct map_region *regions;
    size_t region_count;
    struct map_output *outputs;
    size_t output_count;
    struct map_section *sections;
    size_t section_count;
    struct map_symbol *symbols; /* by name */
    size_t symbol_count;
};

/* `name` is the map's in messages. */
enum uj_err map_parse(struct uj_ctx *ctx, struct map **out, enum map_format format,
                      const char *name, const char *text) UJ_CHECK;
void map_free(struct map *map);

/* The symbol's entry, or NULL. */
const struct map_symbol *map_symbol_named(const struct map *map, const char *name);

/*
 * Bytes by which what was linked exceeds the region, by address and by load address; 0: it fits. A
 * place behind a region's end and before the next region belongs to it.
 */
uint64_t map_overflow(const struct map *map, const struct map_region *region);

#endif
