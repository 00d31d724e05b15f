/*
 * The steps of a build: compilations and the link in a private folder, and what is made of a
 * failure.
 *
 * Laws: names given to compilers are relative to the staging folder, which is where they run; a
 * failure's message is one line, the compiler's own first complaint with the user's own path; the
 * whole of what it wrote is in `log`.
 */
#ifndef UJ_BUILD_STEPS_H
#define UJ_BUILD_STEPS_H

#include "build/plan.h"

struct build_object {
    const struct build_group *group;
    char *path;    /* "obj/primitives/hash/sha256/ref/sha256_ref.c.o" */
    bool left_out; /* a program of its own: it has a main() and is no part of the implementation */
};

struct build_steps {
    const struct build_plan *plan;
    char *folder; /* the staging folder, absolute */
    struct build_object *objects;
    size_t object_count;
    int64_t output_bytes;
    struct map *map;
    char *elf_path;
    char *log; /* what the compiler wrote where it failed, else NULL */
    unsigned *started;
};

/* Stages, compiles and links; the image is `elf_path`. */
enum uj_err steps_run(struct uj_ctx *ctx, struct build_steps *s, const struct build_plan *p,
                      const char *folder, unsigned *started) UJ_CHECK;
void steps_free(struct build_steps *s);

/* Fills sizes, su_bytes and su_dynamic of the result. */
enum uj_err steps_measure(struct uj_ctx *ctx, struct build_result *out,
                          const struct build_steps *s) UJ_CHECK;

#endif
