/*
 * Known-answer files as they are published: NIST LWC_HASH_KAT (Count / Msg / MD) and CAVP .rsp
 * (Len / Msg / MD; Len counts bits, and Len = 0 has a Msg of 00 that is not there).
 *
 * Laws: read strictly, a line that fits neither form is refused with its number; an answer whose
 * Len is no whole number of bytes is refused; a file without answers is refused.
 */
#ifndef UJ_MEASURE_KAT_FILE_H
#define UJ_MEASURE_KAT_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct kat {
    uint8_t *message, *digest;
    size_t message_bytes, digest_bytes;
};

struct kat_file {
    struct kat *items;
    size_t count;
};

enum uj_err kat_file_load(struct uj_ctx *ctx, struct kat_file *out, const char *path) UJ_CHECK;
/* The same from memory; `path` is the name in messages. */
enum uj_err kat_file_parse(struct uj_ctx *ctx, struct kat_file *out, const char *path,
                           const char *text) UJ_CHECK;
void kat_file_free(struct kat_file *f);
/* The first answer to a message of that length, or NULL. */
const struct kat *kat_file_of_length(const struct kat_file *f, size_t message_bytes);

#endif
