/*
 * Relocatable object files: which section defines what and refers to whom. Read by libelf.
 *
 * Laws: references are those of relocations, so a symbol that is only declared is none.
 */
#ifndef UJ_BUILD_OBJECTS_H
#define UJ_BUILD_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct object_symbol {
    char *name;
    size_t section; /* 0: defined elsewhere */
    uint64_t bytes;
    bool common; /* room for it is found by the linker, among COMMON */
};

struct object_reference {
    size_t section; /* that holds the relocation */
    size_t symbol;
};

struct object {
    char *path;
    char **sections; /* names by index */
    size_t section_count;
    struct object_symbol *symbols; /* by the file's own numbers */
    size_t symbol_count;
    struct object_reference *references;
    size_t reference_count;
};

/* The object file at `folder`/`path`; the path alone is kept. */
enum uj_err object_read(struct uj_ctx *ctx, struct object **out, const char *folder,
                        const char *path) UJ_CHECK;
void object_free(struct object *o);

/* The symbol it defines, or NULL. */
const struct object_symbol *object_symbol_named(const struct object *o, const char *name);

/* For one question: whether a file defines the symbol; how large it is, -1 where it is not there.
 */
bool object_defines(const char *folder, const char *path, const char *symbol);
int64_t object_symbol_bytes(const char *folder, const char *path, const char *symbol);

#endif
