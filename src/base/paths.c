#include "base/paths.h"

#include <stdlib.h>

#include "base/str.h"

enum uj_err paths_cache(struct uj_ctx *ctx, char **out)
{
    static const struct {
        const char *variable, *below;
    } places[] = {{"UJOULE_CACHE", ""}, {"XDG_CACHE_HOME", "/ujoule"}, {"HOME", "/.cache/ujoule"}};

    *out = NULL;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *value = getenv(places[i].variable);
        /* A relative XDG_CACHE_HOME is void by its specification; a relative UJOULE_CACHE is the
         * user's word. */
        if (!value || !*value || (i == 1 && *value != '/'))
            continue;
        *out = uj_format("%s%s", value, places[i].below);
        return UJ_OK;
    }
    return uj_fail(ctx, UJ_ERR_IO, "no place for the cache: set UJOULE_CACHE to a folder");
}
