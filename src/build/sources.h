/*
 * The source files of a build, read once into memory: what is hashed is what is compiled.
 *
 * Laws: a folder's files are those whose names end as sources and headers do, sorted; files in
 * folders below are taken along for #include but not compiled; a folder of absurd size is refused.
 */
#ifndef UJ_BUILD_SOURCES_H
#define UJ_BUILD_SOURCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/hash.h"

struct source {
    char *path;     /* below the staging folder: "primitives/hash/sha256/ref/sha256_ref.c" */
    char *name;     /* below its own folder: "sha256_ref.c" */
    uint8_t *bytes; /* a NUL that does not count follows */
    size_t count;
    bool compiled; /* .c, .S or .s, directly in the folder */
};

struct sources {
    struct source *items;
    size_t count;
    size_t bytes; /* of all */
};

/* Adds the files of `folder`, to be staged below `stage`. */
enum uj_err sources_read(struct uj_ctx *ctx, struct sources *s, const char *folder,
                         const char *stage) UJ_CHECK;
/* Adds a file that the build makes itself. */
void sources_add(struct sources *s, const char *stage, const char *name, const char *text,
                 bool compiled);
void sources_free(struct sources *s);

/* Adds paths and bytes to the hash. */
void sources_hash(const struct sources *s, struct hash *h);
/* Writes them below `folder`. */
enum uj_err sources_stage(struct uj_ctx *ctx, const struct sources *s, const char *folder) UJ_CHECK;

/* Whether the word stands anywhere in the file outside comments and strings. */
bool source_has_word(const struct source *source, const char *word);

#endif
