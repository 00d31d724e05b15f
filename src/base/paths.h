/*
 * Where the program keeps what it can make again. (Its own data: base/folder.h.)
 *
 * Laws: the result is allocated, the caller frees it; nothing is kept between calls.
 */
#ifndef UJ_BASE_PATHS_H
#define UJ_BASE_PATHS_H

#include "base/err.h"

/*
 * The cache folder: $UJOULE_CACHE, else $XDG_CACHE_HOME/ujoule, else ~/.cache/ujoule. Not made yet.
 * UJ_ERR_IO where none of these variables is set.
 */
enum uj_err paths_cache(struct uj_ctx *ctx, char **out) UJ_CHECK;

#endif
