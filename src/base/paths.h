/*
 * Where things lie: the program's data (devices/, primitives/, firmware/, studies/) and its cache.
 *
 * Laws: the results are allocated, the caller frees; nothing is kept between calls.
 */
#ifndef UJ_BASE_PATHS_H
#define UJ_BASE_PATHS_H

#include "base/err.h"

/*
 * The data root: $UJOULE_ROOT if it is set; else the source tree the program was built from; else
 * the folder of the executable or one above it. UJ_ERR_INPUT where none holds the data.
 */
enum uj_err paths_root(struct uj_ctx *ctx, char **out) UJ_CHECK;

/* The cache: $UJOULE_CACHE, else $XDG_CACHE_HOME/ujoule, else ~/.cache/ujoule. Not made yet. */
enum uj_err paths_cache(struct uj_ctx *ctx, char **out) UJ_CHECK;

#endif
