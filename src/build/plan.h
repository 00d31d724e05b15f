/*
 * A build, worked out before anything is started: every source byte, every flag, and the key of the
 * cache, which is the SHA-256 of all of it.
 *
 * Laws: what is not in the plan does not reach a compiler; the same plan gives the same image.
 */
#ifndef UJ_BUILD_PLAN_H
#define UJ_BUILD_PLAN_H

#include "base/hash.h"
#include "build/build.h"
#include "build/sources.h"

struct words {
    char **items; /* NULL-terminated, so that they serve as argv */
    size_t count;
};

void words_add(struct words *w, const char *word);
/* Takes the word over. */
void words_take(struct words *w, char *word);
void words_add_all(struct words *w, const char *const *list); /* NULL-terminated */
void words_add_split(struct words *w, const char *text);      /* at blanks */
char *words_join(const struct words *w);
void words_free(struct words *w);

/* What a folder's sources are to the image. */
enum part { PART_OWN, PART_USED, PART_API, PART_FIRMWARE, PART_RUNTIME };

struct build_group {
    enum part part;
    char *stage; /* "primitives/hash/sha256/ref" */
    char *shown; /* the folder as messages name it */
    struct sources sources;
    struct words includes; /* -I of each folder */
};

struct build_plan {
    const struct build_request *request;
    const struct toolchain *toolchain;
    struct compiler compiler;
    char *linker; /* its path; NULL: the compiler calls it */
    char *script; /* the linker script as staged; NULL: the compiler's own */
    const char
        *chip_firmware;  /* a folder of firmware/ that the chip shares with others; NULL: none */
    char *memory_script; /* the text of memory.ld, which the script includes; NULL: none */
    char *cache;         /* absolute */
    struct build_group *groups;
    size_t group_count;
    struct words machine_flags; /* of the chip's file: compilation and link */
    struct words user_flags;    /* --flags or the default */
    struct words defines;       /* of the harness; UJ_OUTPUT_BYTES is not among them */
    char *flags;                /* the implementation's, joined */
    int64_t output_bytes;       /* -1: api.h says */
    char key[HASH_TEXT];
};

enum uj_err plan_make(struct uj_ctx *ctx, struct build_plan *p, const struct build_request *in,
                      unsigned *started) UJ_CHECK;
void plan_free(struct build_plan *p);

/* The flags of the part's compilation, but for -I, -D and the prefix map, into `w`. */
void plan_flags(const struct build_plan *p, enum part part, struct words *w);

#endif
