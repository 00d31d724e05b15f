/* Intel HEX, by its 1988 specification: record types 00 to 05, every sum checked. */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "image/image.h"
#include "image/image_internal.h"

enum { RECORD_MAX = 5 + 255 };

enum record_type {
    RECORD_DATA,
    RECORD_END,
    RECORD_SEGMENT, /* bits 4 to 19 of the base */
    RECORD_START_8086,
    RECORD_LINEAR, /* bits 16 to 31 of the base */
    RECORD_START,
};

struct reader {
    struct image *image;
    size_t position;
    unsigned line;
    uint32_t base;
    bool segmented, ended;
    size_t used; /* of image->decoded */
};

static int digit(uint8_t c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                  : -1;
}

static enum uj_err refuse(struct uj_ctx *ctx, const struct reader *r, const char *what)
{
    return uj_fail(ctx, UJ_ERR_INPUT, "%s:%u: %s", r->image->path, r->line, what);
}

/* The next line that is not blank, its bytes into `record`; count 0: there is none. */
static enum uj_err read_record(struct uj_ctx *ctx, struct reader *r, uint8_t *record, size_t *count)
{
    const uint8_t *file = r->image->file;
    size_t size = r->image->file_bytes;
    *count = 0;
    while (r->position < size && strchr(" \t\r\n", file[r->position]) && file[r->position])
        r->line += file[r->position++] == '\n';
    if (r->position == size)
        return UJ_OK;
    if (file[r->position++] != ':')
        return refuse(ctx, r, "a line of Intel HEX begins with ':'");
    uint8_t sum = 0;
    while (r->position + 1 < size && digit(file[r->position]) >= 0 &&
           digit(file[r->position + 1]) >= 0) {
        if (*count == RECORD_MAX)
            return refuse(ctx, r, "a line longer than Intel HEX has");
        uint8_t byte = (uint8_t)(digit(file[r->position]) << 4 | digit(file[r->position + 1]));
        record[(*count)++] = byte;
        sum = (uint8_t)(sum + byte);
        r->position += 2;
    }
    if (r->position < size && !strchr(" \t\r\n", file[r->position]))
        return refuse(ctx, r, "neither a hexadecimal digit nor the end of the line");
    if (*count < 5 || *count != 5u + record[0])
        return refuse(ctx, r, "cut off: fewer or more bytes than the line says");
    if (sum != 0)
        return refuse(ctx, r, "wrong checksum");
    return UJ_OK;
}

/* Bytes at the address: behind the segment before, or in one of their own. */
static void add_bytes(struct reader *r, uint32_t address, const uint8_t *bytes, size_t count)
{
    struct image *image = r->image;
    if (count == 0)
        return;
    memcpy(image->decoded + r->used, bytes, count);
    struct image_segment *last =
        image->segment_count ? &image->segments[image->segment_count - 1] : NULL;
    if (last && last->address + last->bytes == address && address != 0) {
        last->bytes += (uint32_t)count;
    } else {
        size_t n = image->segment_count;
        if ((n & (n - 1)) == 0)
            image->segments =
                uj_realloc(image->segments, (n ? 2 * n : 1) * sizeof *image->segments);
        image->segments[image->segment_count++] = (struct image_segment){
            .address = address, .bytes = (uint32_t)count, .data = image->decoded + r->used};
    }
    r->used += count;
}

static enum uj_err read_data(struct uj_ctx *ctx, struct reader *r, const uint8_t *record)
{
    uint32_t offset = (uint32_t)record[1] << 8 | record[2];
    size_t count = record[0];
    size_t before_wrap = 0x10000 - offset;
    if (!r->segmented) {
        if ((uint64_t)r->base + offset + count > (uint64_t)UINT32_MAX + 1)
            return refuse(ctx, r, "reaches beyond 32-bit addresses");
        before_wrap = count;
    }
    /* An offset wraps within its segment, where the base is one. */
    size_t first = count < before_wrap ? count : before_wrap;
    add_bytes(r, r->base + offset, record + 4, first);
    add_bytes(r, r->base, record + 4 + first, count - first);
    return UJ_OK;
}

static enum uj_err read_one(struct uj_ctx *ctx, struct reader *r, const uint8_t *record)
{
    static const int lengths[] = {-1, 0, 2, 4, 2, 4};
    unsigned type = record[3];
    if (type > RECORD_START)
        return refuse(ctx, r, "an unknown type of record");
    if (lengths[type] >= 0 && record[0] != lengths[type])
        return refuse(ctx, r, "a record of the wrong length");
    uint32_t high = (uint32_t)record[4] << 8 | record[5];
    switch ((enum record_type)type) {
    case RECORD_DATA: return read_data(ctx, r, record);
    case RECORD_END: r->ended = true; break;
    case RECORD_SEGMENT:
        r->segmented = true;
        r->base = high << 4;
        break;
    case RECORD_LINEAR:
        r->segmented = false;
        r->base = high << 16;
        break;
    case RECORD_START_8086:
        r->image->entry = (high << 4) + ((uint32_t)record[6] << 8 | record[7]);
        break;
    case RECORD_START: r->image->entry = high << 16 | (uint32_t)record[6] << 8 | record[7]; break;
    }
    return UJ_OK;
}

enum uj_err image_read_hex(struct uj_ctx *ctx, struct image *image)
{
    struct reader r = {.image = image, .line = 1};
    uint8_t record[RECORD_MAX];
    size_t count;
    image->form = IMAGE_HEX;
    image->data_bytes = image->bss_bytes = -1;
    image->decoded = uj_malloc(image->file_bytes / 2);
    for (;;) {
        enum uj_err err = read_record(ctx, &r, record, &count);
        if (err)
            return err;
        if (count == 0)
            break;
        if (r.ended)
            return refuse(ctx, &r, "a line behind the end record");
        err = read_one(ctx, &r, record);
        if (err)
            return err;
    }
    if (!r.ended)
        return refuse(ctx, &r, "cut off: there is no end record");
    image->rom_bytes = (int64_t)r.used;
    return UJ_OK;
}
