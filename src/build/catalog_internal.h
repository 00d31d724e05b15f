/* What the two readers of implementations share: those under primitives/, and a user's own folder.
 */
#ifndef UJ_BUILD_CATALOG_INTERNAL_H
#define UJ_BUILD_CATALOG_INTERNAL_H

#include "build/catalog.h"

/* Reads impl.yaml at `path` into description, uses and needs. */
enum uj_err catalog_read_impl(struct uj_ctx *ctx, struct implementation *i,
                              const char *path) UJ_CHECK;
/* Refuses a `uses` that names nothing. */
enum uj_err catalog_check_uses(struct uj_ctx *ctx, const struct catalog *c,
                               const struct implementation *i) UJ_CHECK;
/* Algorithm and implementation as one C name; free it. */
char *catalog_prefix(const char *algorithm, const char *implementation);

#endif
