/*
 * What the readers of image/ share. A reader fills a zero-initialised image whose path, file and
 * file_bytes are set; image.c frees it where it is refused.
 */
#ifndef UJ_IMAGE_IMAGE_INTERNAL_H
#define UJ_IMAGE_IMAGE_INTERNAL_H

#include "base/str.h"
#include "image/image.h"

enum {
    IMAGE_FILE_MAX =
        64 << 20, /* bytes of a file: more than any of these chips addresses as flash */
    IMAGE_SEGMENTS_MAX = 4096,
    IMAGE_SECTIONS_MAX = 16384,
    IMAGE_SYMBOLS_MAX = 1 << 20,
};

/* Where the ELF convention puts AVR's other memories. */
enum {
    AVR_DATA = 0x800000,
    AVR_EEPROM = 0x810000,
    AVR_FUSES = 0x820000, /* behind them lock bits and signatures */
};

enum uj_err image_read_elf(struct uj_ctx *ctx, struct image *image, unsigned machine,
                           const char *machine_name) UJ_CHECK;
enum uj_err image_read_hex(struct uj_ctx *ctx, struct image *image) UJ_CHECK;

/* Sorts the segments; refuses one that lies over another or wraps around the end of addresses. */
enum uj_err image_sort_segments(struct uj_ctx *ctx, struct image *image) UJ_CHECK;
/* Sorts the symbols and makes the indices; `end` is set. */
void image_sort_symbols(struct image *image);

struct machine;
/* An image definition, where the image has one, must be one that the chip's boot ROM takes. */
enum uj_err image_check_def(struct uj_ctx *ctx, const struct image *image,
                            struct machine *m) UJ_CHECK;

/* The image as Intel HEX; of AVR the flash alone. Lines end in a newline. */
void image_hex(struct str *out, const struct image *image);

#endif
