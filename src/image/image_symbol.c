#include <stdlib.h>
#include <string.h>

#include <elf.h>

#include "base/str.h"
#include "image/image.h"
#include "image/image_internal.h"

static int symbol_order(const void *a, const void *b)
{
    const struct image_symbol *left = a, *right = b;
    if (left->address != right->address)
        return left->address < right->address ? -1 : 1;
    if (left->kind != right->kind)
        return left->kind < right->kind ? -1 : 1;
    if (left->global != right->global)
        return left->global ? -1 : 1;
    return strcmp(left->name, right->name);
}

/* For the index by name, sorted as pointers: qsort() hands nothing else to its comparison. */
static int name_order(const void *a, const void *b)
{
    const struct image_symbol *left = *(const struct image_symbol *const *)a;
    const struct image_symbol *right = *(const struct image_symbol *const *)b;
    int order = strcmp(left->name, right->name);
    if (order)
        return order;
    if (left->global != right->global)
        return left->global ? -1 : 1;
    return (left > right) - (left < right);
}

/*
 * What has no size ends where the next symbol begins, at its section's end at last: a function at
 * the next function or object, since labels lie within it, a label at anything.
 */
static void end_unsized(struct image *image)
{
    uint32_t at[IMAGE_CONSTANT] = {0}, behind[IMAGE_CONSTANT];
    for (int kind = 0; kind < IMAGE_CONSTANT; kind++)
        at[kind] = behind[kind] = UINT32_MAX;
    for (size_t i = image->symbol_count; i-- > 0;) {
        struct image_symbol *s = &image->symbols[i];
        if (s->kind == IMAGE_CONSTANT)
            continue;
        if (s->address != at[s->kind]) {
            behind[s->kind] = at[s->kind];
            at[s->kind] = s->address;
        }
        for (int kind = 0; s->bytes == 0 && kind < IMAGE_CONSTANT; kind++) {
            if (kind == IMAGE_LABEL && s->kind != IMAGE_LABEL)
                continue;
            uint32_t next = at[kind] > s->address ? at[kind] : behind[kind];
            if (next > s->address && next < s->end)
                s->end = next;
        }
    }
}

void image_sort_symbols(struct image *image)
{
    size_t count = image->symbol_count;
    if (count == 0)
        return;
    qsort(image->symbols, count, sizeof *image->symbols, symbol_order);
    end_unsized(image);

    image->reach = uj_calloc(count, sizeof *image->reach);
    uint32_t reach = 0;
    for (size_t i = 0; i < count; i++) {
        const struct image_symbol *s = &image->symbols[i];
        if (s->kind != IMAGE_CONSTANT && s->end > reach)
            reach = s->end;
        image->reach[i] = reach;
    }

    const struct image_symbol **sorted = uj_calloc(count, sizeof(struct image_symbol *));
    for (size_t i = 0; i < count; i++)
        sorted[i] = &image->symbols[i];
    qsort(sorted, count, sizeof(struct image_symbol *), name_order);
    image->by_name = uj_calloc(count, sizeof *image->by_name);
    for (size_t i = 0; i < count; i++)
        image->by_name[i] = (size_t)(sorted[i] - image->symbols);
    free(sorted);
}

const struct image_symbol *image_symbol_named(const struct image *image, const char *name)
{
    size_t low = 0, high = image->symbol_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(image->symbols[image->by_name[middle]].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == image->symbol_count)
        return NULL;
    const struct image_symbol *s = &image->symbols[image->by_name[low]];
    return strcmp(s->name, name) == 0 ? s : NULL;
}

const struct image_symbol *image_symbol_at(const struct image *image, uint32_t address)
{
    size_t low = 0, high = image->symbol_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (image->symbols[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    const struct image_symbol *best = NULL;
    for (size_t i = low; i-- > 0 && image->reach[i] > address;) {
        const struct image_symbol *s = &image->symbols[i];
        if (s->kind == IMAGE_CONSTANT || s->end <= address)
            continue;
        if (!best || s->kind < best->kind)
            best = s;
        if (best->kind == IMAGE_FUNCTION)
            break;
    }
    return best;
}

enum uj_err image_need_symbol(struct uj_ctx *ctx, const struct image_symbol **out,
                              const struct image *image, const char *name)
{
    *out = image_symbol_named(image, name);
    if (*out)
        return UJ_OK;
    if (image->symbol_count == 0)
        return uj_fail(ctx, UJ_ERR_USAGE, "%s: no symbol '%s': the file holds no symbols at all",
                       image->path, name);
    const char **names = uj_calloc(image->symbol_count, sizeof *names);
    size_t count = 0;
    for (size_t i = 0; i < image->symbol_count; i++)
        if (image->symbols[i].kind == IMAGE_FUNCTION || image->symbols[i].kind == IMAGE_OBJECT)
            names[count++] = image->symbols[i].name;
    const char *nearest = nearest_word(name, names, count);
    enum uj_err err = nearest ? uj_fail(ctx, UJ_ERR_USAGE, "%s: no symbol '%s'; did you mean '%s'?",
                                        image->path, name, nearest)
                              : uj_fail(ctx, UJ_ERR_USAGE, "%s: no symbol '%s'", image->path, name);
    free(names);
    return err;
}

uint32_t image_data_address(const struct image *image, uint32_t address)
{
    return image->machine == EM_AVR && address >= AVR_DATA ? address - AVR_DATA : address;
}
