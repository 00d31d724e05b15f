/*
 * The cache of images: `images/KEY/` with image.elf and result.yaml, where KEY is the SHA-256 of
 * everything that the image depends on.
 *
 * Laws: an entry is made elsewhere and renamed, so it is whole or absent, whatever kills the
 * program; an entry whose image is not the one that result.yaml records is as good as none; one
 * process builds a key at a time, others wait for it and then find it. Any of it may be deleted at
 * any time.
 */
#ifndef UJ_BUILD_CACHE_H
#define UJ_BUILD_CACHE_H

#include "build/plan.h"

/* Fills what the entry knows; false: there is none, or it is damaged. */
bool cache_find(struct build_result *out, const struct build_plan *p);

/* The right to build the key, until it is given back or the process ends. */
struct cache_lock {
    int fd;
    char *path;
};
enum uj_err cache_lock(struct uj_ctx *ctx, struct cache_lock *lock,
                       const struct build_plan *p) UJ_CHECK;
void cache_unlock(struct cache_lock *lock);

/* The folder to build in, empty; free it. */
enum uj_err cache_work_folder(struct uj_ctx *ctx, char **out, const struct build_plan *p) UJ_CHECK;
/* Makes the entry of the ELF file and the result's figures, and sets out->elf_path. */
enum uj_err cache_publish(struct uj_ctx *ctx, struct build_result *out, const struct build_plan *p,
                          const char *elf_path) UJ_CHECK;

#endif
