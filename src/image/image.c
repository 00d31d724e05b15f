#include "image/image.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <elf.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/str.h"
#include "image/image_internal.h"

void image_free(struct image *image)
{
    if (!image)
        return;
    free(image->path);
    free(image->segments);
    free(image->symbols);
    free(image->sections);
    free(image->file);
    free(image->decoded);
    free(image->by_name);
    free(image->reach);
    free(image);
}

static int segment_order(const void *a, const void *b)
{
    const struct image_segment *left = a, *right = b;
    return (left->address > right->address) - (left->address < right->address);
}

enum uj_err image_sort_segments(struct uj_ctx *ctx, struct image *image)
{
    struct image_segment *s = image->segments;
    size_t count = image->segment_count;
    if (count)
        qsort(s, count, sizeof *s, segment_order);
    for (size_t i = 0; i < count; i++) {
        uint64_t end = (uint64_t)s[i].address + s[i].bytes;
        if (end > (uint64_t)UINT32_MAX + 1)
            return uj_fail(ctx, UJ_ERR_INPUT, "%s: %u bytes at 0x%x reach beyond 32-bit addresses",
                           image->path, s[i].bytes, s[i].address);
        if (i + 1 < count && end > s[i + 1].address)
            return uj_fail(ctx, UJ_ERR_INPUT, "%s: the bytes at 0x%x are given twice", image->path,
                           s[i + 1].address);
    }
    return UJ_OK;
}

/* Takes the file's bytes over and reads them. */
static enum uj_err take(struct uj_ctx *ctx, struct image **out, const char *path, uint8_t *bytes,
                        size_t count, unsigned machine, const char *machine_name)
{
    struct image *image = uj_calloc(1, sizeof *image);
    image->path = uj_strdup(path);
    image->file = bytes;
    image->file_bytes = count;
    hash_of(image->sha256, bytes, count);

    size_t first = 0;
    while (first < count && isspace(bytes[first]))
        first++;
    enum uj_err err;
    if (count >= SELFMAG && memcmp(bytes, ELFMAG, SELFMAG) == 0) {
        err = image_read_elf(ctx, image, machine, machine_name);
    } else if (first < count && bytes[first] == ':') {
        image->machine = machine;
        err = image_read_hex(ctx, image);
    } else {
        err = uj_fail(ctx, UJ_ERR_INPUT, "%s: neither an ELF nor an Intel HEX file", path);
    }
    if (!err)
        err = image_sort_segments(ctx, image);
    if (!err && image->segment_count == 0)
        err = uj_fail(ctx, UJ_ERR_INPUT, "%s: holds no bytes to load", path);
    if (err) {
        image_free(image);
        return err;
    }
    *out = image;
    return UJ_OK;
}

enum uj_err image_read(struct uj_ctx *ctx, struct image **out, const char *path, const void *bytes,
                       size_t count, unsigned machine, const char *machine_name)
{
    *out = NULL;
    if (count > IMAGE_FILE_MAX)
        return uj_fail(ctx, UJ_ERR_INPUT, "%s: larger than %d bytes, the most that is read", path,
                       IMAGE_FILE_MAX);
    uint8_t *copy = uj_malloc(count);
    if (count)
        memcpy(copy, bytes, count);
    return take(ctx, out, path, copy, count, machine, machine_name);
}

enum uj_err image_load(struct uj_ctx *ctx, struct image **out, const char *path, unsigned machine,
                       const char *machine_name)
{
    *out = NULL;
    uint8_t *bytes;
    size_t count;
    enum uj_err err = file_read(ctx, &bytes, &count, path, IMAGE_FILE_MAX);
    if (err)
        return err;
    return take(ctx, out, path, bytes, count, machine, machine_name);
}
