#include "base/unknown.h"

#include <string.h>

#include "base/str.h"

static bool contains(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0)
            return true;
    }
    return false;
}

enum uj_err uj_fail_unknown(struct uj_ctx *ctx, enum uj_err code, const char *what,
                            const char *word, const char *const *names, size_t count)
{
    const char *nearest = nearest_word(word, names, count);
    if (nearest)
        return uj_fail(ctx, code, "no %s '%s'; did you mean '%s'?", what, word, nearest);
    if (count == 0)
        return uj_fail(ctx, code, "no %s '%s', nor any other", what, word);
    struct str all;
    str_init(&all);
    for (size_t i = 0; i < count; i++) {
        if (!contains(names, i, names[i]))
            str_addf(&all, "%s%s", i ? ", " : "", names[i]);
    }
    enum uj_err err = uj_fail(ctx, code, "no %s '%s'; there are: %s", what, word, all.text);
    str_free(&all);
    return err;
}
