/*
 * The UF2 form of an image, for image_write.c alone.
 *
 * Laws: a block holds one aligned page of 256 bytes, the only size that the boot ROMs take; each
 * page that the image has bytes of stands once, by address; bytes of a page that the image does not
 * give are 0. Numbers are little-endian whatever the host.
 */
#ifndef UJ_IMAGE_IMAGE_UF2_H
#define UJ_IMAGE_IMAGE_UF2_H

#include "base/str.h"
#include "image/image.h"

enum { UF2_PAYLOAD_BYTES = 256 };

/* Adds the file's bytes; `family` is the number of the chip's family. */
enum uj_err image_uf2_bytes(struct uj_ctx *ctx, struct str *out, const struct image *image,
                            uint32_t family) UJ_CHECK;

#endif
