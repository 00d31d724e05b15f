#include <stdlib.h>
#include <string.h>

#include <elf.h>

#include "base/file.h"
#include "base/str.h"
#include "image/image.h"
#include "image/image_internal.h"
#include "image/image_uf2.h"

/* Whether the segment is for the flash: all are, but on AVR those for other memories. */
static bool in_flash(const struct image *image, const struct image_segment *s)
{
    return image->machine != EM_AVR || s->address < AVR_DATA;
}

static enum uj_err elf_bytes(struct uj_ctx *ctx, struct str *out, const struct image *image,
                             uint32_t family)
{
    (void)family;
    if (image->form != IMAGE_ELF)
        return uj_fail(ctx, UJ_ERR_USAGE, "%s: no ELF file can be made of it", image->path);
    str_add_bytes(out, image->file, image->file_bytes);
    return UJ_OK;
}

static void hex_record(struct str *out, unsigned type, uint32_t offset, const uint8_t *bytes,
                       unsigned count)
{
    unsigned sum = count + (offset >> 8) + offset + type;
    str_addf(out, ":%02X%04X%02X", count, offset & 0xffff, type);
    for (unsigned i = 0; i < count; i++) {
        str_addf(out, "%02X", bytes[i]);
        sum += bytes[i];
    }
    str_addf(out, "%02X\n", (0x100 - (sum & 0xff)) & 0xff);
}

void image_hex(struct str *out, const struct image *image)
{
    uint32_t base = 0;
    for (size_t i = 0; i < image->segment_count; i++) {
        const struct image_segment *s = &image->segments[i];
        for (uint32_t done = 0; in_flash(image, s) && done < s->bytes;) {
            uint32_t address = s->address + done, line = 16 - address % 16;
            if (line > s->bytes - done)
                line = s->bytes - done;
            if (address >> 16 != base >> 16) {
                base = address & 0xffff0000;
                uint8_t high[2] = {(uint8_t)(address >> 24), (uint8_t)(address >> 16)};
                hex_record(out, 4, 0, high, 2);
            }
            hex_record(out, 0, address & 0xffff, s->data + done, line);
            done += line;
        }
    }
    uint8_t entry[4] = {(uint8_t)(image->entry >> 24), (uint8_t)(image->entry >> 16),
                        (uint8_t)(image->entry >> 8), (uint8_t)image->entry};
    if (image->entry)
        hex_record(out, 5, 0, entry, 4);
    hex_record(out, 1, 0, NULL, 0);
}

static enum uj_err hex_bytes(struct uj_ctx *ctx, struct str *out, const struct image *image,
                             uint32_t family)
{
    (void)ctx;
    (void)family;
    image_hex(out, image);
    return UJ_OK;
}

static enum uj_err plain_bytes(struct uj_ctx *ctx, struct str *out, const struct image *image,
                               uint32_t family)
{
    (void)family;
    uint64_t at = 0;
    bool begun = false;
    for (size_t i = 0; i < image->segment_count; i++) {
        const struct image_segment *s = &image->segments[i];
        if (!in_flash(image, s))
            continue;
        if (begun && s->address - at > IMAGE_FILE_MAX)
            return uj_fail(ctx, UJ_ERR_USAGE,
                           "%s: too far apart for one .bin file: 0x%llx and 0x%x", image->path,
                           (unsigned long long)at, s->address);
        for (; begun && at < s->address; at++)
            str_add_bytes(out, "\xff", 1);
        str_add_bytes(out, s->data, s->bytes);
        at = (uint64_t)s->address + s->bytes;
        begun = true;
    }
    return UJ_OK;
}

static const struct writer {
    const char *suffix;
    enum uj_err (*bytes)(struct uj_ctx *ctx, struct str *out, const struct image *image,
                         uint32_t family);
    bool needs_family;
} writers[] = {{".elf", elf_bytes, false},
               {".hex", hex_bytes, false},
               {".bin", plain_bytes, false},
               {".uf2", image_uf2_bytes, true}};

static const struct writer *writer_of(const char *path)
{
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
        if (str_ends(path, writers[i].suffix))
            return &writers[i];
    return NULL;
}

enum uj_err image_write_check(struct uj_ctx *ctx, const char *path, uint32_t uf2_family)
{
    const struct writer *w = writer_of(path);
    if (w && w->needs_family && uf2_family == 0)
        return uj_fail(
            ctx, UJ_ERR_USAGE,
            "%s: the chip has no UF2 family (uf2_family in its file); write .hex or .bin", path);
    if (w)
        return UJ_OK;
    struct str known;
    str_init(&known);
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
        str_addf(&known, "%s%s", i ? ", " : "", writers[i].suffix);
    enum uj_err err =
        uj_fail(ctx, UJ_ERR_USAGE, "%s: an image's name ends in one of %s", path, known.text);
    str_free(&known);
    return err;
}

enum uj_err image_write(struct uj_ctx *ctx, const struct image *image, const char *path,
                        uint32_t uf2_family)
{
    enum uj_err err = image_write_check(ctx, path, uf2_family);
    if (err)
        return err;
    struct str bytes;
    str_init(&bytes);
    bool any = false;
    for (size_t i = 0; i < image->segment_count; i++)
        any |= in_flash(image, &image->segments[i]);
    err = any ? writer_of(path)->bytes(ctx, &bytes, image, uf2_family)
              : uj_fail(ctx, UJ_ERR_INPUT, "%s: holds nothing for the flash", image->path);
    if (!err)
        err = file_write(ctx, path, bytes.text, bytes.length);
    str_free(&bytes);
    return err;
}
