/* A user's own implementation, outside the tree. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "build/catalog.h"
#include "build/catalog_internal.h"
#include "build/sources.h"

/* The last two parts of the folder's true path: "asconhashv12/ref", since "ref" alone says nothing.
 */
static enum uj_err name_of(struct uj_ctx *ctx, char **out, const char **last, const char *folder)
{
    char *path = realpath(folder, NULL);
    if (!path || !folder_exists(path)) {
        free(path);
        return uj_fail(ctx, UJ_ERR_INPUT, "%s: no such folder", folder);
    }
    char *slash = strrchr(path, '/'), *before = NULL;
    for (char *c = path; c < slash; c++)
        if (*c == '/')
            before = c;
    *out = uj_strdup(before ? before + 1 : slash + 1);
    *last = path_name(*out);
    free(path);
    return UJ_OK;
}

static enum uj_err contract_folder(struct uj_ctx *ctx, struct implementation *i,
                                   const struct catalog *c, const char *last,
                                   const struct algorithm *algorithm, const char *impl)
{
    if (!algorithm)
        return uj_fail(
            ctx, UJ_ERR_USAGE,
            "%s: has an impl.yaml, so it needs --as ALGORITHM, which names its functions",
            i->folder);
    i->form = IMPLEMENTATION_CONTRACT;
    i->prefix = catalog_prefix(algorithm->name, last);
    enum uj_err err = catalog_read_impl(ctx, i, impl);
    if (!err)
        err = catalog_check_uses(ctx, c, i);
    if (err)
        return err;
    char *header = uj_format("%s/%s.h", i->folder, i->prefix);
    if (!file_exists(header))
        err = uj_fail(ctx, UJ_ERR_INPUT,
                      "%s: no such file; the contract's header is named after algorithm "
                      "and folder",
                      header);
    free(header);
    return err;
}

static enum uj_err supercop_folder(struct uj_ctx *ctx, struct implementation *i,
                                   const struct sources *sources)
{
    i->form = IMPLEMENTATION_SUPERCOP;
    i->prefix = uj_strdup("crypto_hash");
    if (strcmp(i->kind, "hash") != 0)
        return uj_fail(ctx, UJ_ERR_USAGE, "%s: crypto_hash() computes a hash; %s is a %s",
                       i->folder, i->algorithm, i->kind);
    const struct source *api = NULL;
    bool hash = false;
    for (size_t s = 0; s < sources->count; s++) {
        const struct source *source = &sources->items[s];
        if (strcmp(source->name, "api.h") == 0)
            api = source;
        hash |= source->compiled && source_has_word(source, "crypto_hash");
    }
    if (!api)
        return uj_fail(ctx, UJ_ERR_INPUT,
                       "%s: no api.h; it says how long the digest is (CRYPTO_BYTES)", i->folder);
    if (!source_has_word(api, "CRYPTO_BYTES"))
        return uj_fail(ctx, UJ_ERR_INPUT, "%s/api.h: no CRYPTO_BYTES, the length of the digest",
                       i->folder);
    if (!hash)
        return uj_fail(ctx, UJ_ERR_INPUT, "%s: no function crypto_hash() in its sources",
                       i->folder);
    return UJ_OK;
}

enum uj_err catalog_user_folder(struct uj_ctx *ctx, struct implementation **out,
                                const struct catalog *c, const char *folder,
                                const struct algorithm *algorithm)
{
    char *name = NULL, *impl;
    const char *last = NULL;
    struct sources sources = {0};
    *out = NULL;
    enum uj_err err = name_of(ctx, &name, &last, folder);
    if (err)
        return err;
    struct implementation *i = uj_calloc(1, sizeof *i);
    i->name = name;
    i->outside = true;
    i->folder = uj_strdup(folder);
    while (strlen(i->folder) > 1 && str_ends(i->folder, "/"))
        i->folder[strlen(i->folder) - 1] = '\0';
    i->kind = uj_strdup(algorithm ? algorithm->kind : "hash");
    i->algorithm = uj_strdup(algorithm ? algorithm->name : "unknown");

    err = sources_read(ctx, &sources, i->folder, "user");
    bool any = false;
    for (size_t s = 0; s < sources.count; s++)
        any |= sources.items[s].compiled;
    if (!err && !any)
        err = uj_fail(ctx, UJ_ERR_INPUT, "%s: holds no C or assembly file", i->folder);
    impl = path_join(i->folder, "impl.yaml");
    if (!err)
        err = file_exists(impl) ? contract_folder(ctx, i, c, last, algorithm, impl)
                                : supercop_folder(ctx, i, &sources);
    free(impl);
    sources_free(&sources);
    if (err) {
        implementation_free(i);
        return err;
    }
    *out = i;
    return UJ_OK;
}
