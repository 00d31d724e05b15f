/* The values of options. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/unknown.h"
#include "cli/cli.h"

/* Calls `each` for every item of a comma list; an empty item is refused. */
static enum uj_err for_items(struct uj_ctx *ctx, const char *option, const char *text,
                             enum uj_err (*each)(struct uj_ctx *, void *, const char *),
                             void *owner)
{
    enum uj_err err = UJ_OK;
    for (const char *item = text; item && err == UJ_OK;) {
        const char *comma = strchr(item, ',');
        size_t length = comma ? (size_t)(comma - item) : strlen(item);
        if (length == 0)
            return uj_fail(ctx, UJ_ERR_USAGE, "%s: an empty item in '%s'", option, text);
        char *one = uj_strndup(item, length);
        err = each(ctx, owner, one);
        free(one);
        item = comma ? comma + 1 : NULL;
    }
    return err;
}

static enum uj_err add_item(struct uj_ctx *ctx, void *owner, const char *item)
{
    struct cli_list *l = owner;
    (void)ctx;
    l->items = uj_realloc(l->items, (l->count + 1) * sizeof *l->items);
    l->items[l->count++] = uj_strdup(item);
    return UJ_OK;
}

enum uj_err cli_split(struct uj_ctx *ctx, struct cli_list *out, const char *option,
                      const char *text)
{
    return for_items(ctx, option, text, add_item, out);
}

void cli_list_free(struct cli_list *l)
{
    for (size_t i = 0; i < l->count; i++)
        free(l->items[i]);
    free(l->items);
    *l = (struct cli_list){0};
}

struct integers_owner {
    struct cli_integers *out;
    const char *option;
    int64_t low, high;
};

static enum uj_err add_integer(struct uj_ctx *ctx, void *owner, const char *item)
{
    struct integers_owner *o = owner;
    int64_t value = 0;
    enum uj_err err = cli_integer(ctx, &value, o->option, item, o->low, o->high);
    if (err != UJ_OK)
        return err;
    o->out->items = uj_realloc(o->out->items, (o->out->count + 1) * sizeof *o->out->items);
    o->out->items[o->out->count++] = value;
    return UJ_OK;
}

enum uj_err cli_integers_split(struct uj_ctx *ctx, struct cli_integers *out, const char *option,
                               const char *text, int64_t low, int64_t high)
{
    struct integers_owner owner = {out, option, low, high};
    return for_items(ctx, option, text, add_integer, &owner);
}

void cli_integers_free(struct cli_integers *l)
{
    free(l->items);
    *l = (struct cli_integers){0};
}

/* Begins with a digit, behind a sign at most: strtoll() and strtod() would skip blanks and more. */
static bool begins_as_number(const char *text)
{
    const char *digits = text[0] == '-' ? text + 1 : text;
    return digits[0] >= '0' && digits[0] <= '9';
}

enum uj_err cli_integer(struct uj_ctx *ctx, int64_t *out, const char *option, const char *text,
                        int64_t low, int64_t high)
{
    const char *digits = text[0] == '-' ? text + 1 : text;
    bool hexadecimal = digits[0] == '0' && digits[1] == 'x';
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, hexadecimal ? 16 : 10);
    if (!begins_as_number(text) || *end != '\0' || (hexadecimal && digits[2] == '\0'))
        return uj_fail(ctx, UJ_ERR_USAGE, "%s: '%s' is not a whole number", option, text);
    if (errno != 0 || value < low || value > high)
        return uj_fail(ctx, UJ_ERR_USAGE, "%s: %s is out of range, which is %lld to %lld", option,
                       text, (long long)low, (long long)high);
    *out = value;
    return UJ_OK;
}

enum uj_err cli_real(struct uj_ctx *ctx, double *out, const char *option, const char *text,
                     double low, double high)
{
    char *end;
    double value = strtod(text, &end);
    if (!begins_as_number(text) || *end != '\0')
        return uj_fail(ctx, UJ_ERR_USAGE, "%s: '%s' is not a number", option, text);
    if (!isfinite(value) || value < low || value > high)
        return uj_fail(ctx, UJ_ERR_USAGE, "%s: %s is out of range, which is %g to %g", option, text,
                       low, high);
    *out = value;
    return UJ_OK;
}

enum uj_err cli_word(struct uj_ctx *ctx, size_t *index, const char *what, const char *word,
                     const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(word, words[i]) == 0) {
            *index = i;
            return UJ_OK;
        }
    }
    return uj_fail_unknown(ctx, UJ_ERR_USAGE, what, word, words, count);
}
