/*
 * SHA-256 as identity: of files, of images, of the inputs of a build.
 *
 * Laws: hash_field() adds a value with its length, so that no two lists of fields give the same
 * input.
 */
#ifndef UJ_BASE_HASH_H
#define UJ_BASE_HASH_H

#include <stddef.h>

#include <sodium.h>

enum { HASH_TEXT = 65 }; /* 64 hexadecimal digits and NUL */

struct hash {
    crypto_hash_sha256_state state;
};

void hash_init(struct hash *h);
void hash_field(struct hash *h, const void *bytes, size_t count);
void hash_text(struct hash *h, const char *text);
void hash_final(struct hash *h, char out[HASH_TEXT]);

/* The SHA-256 of the bytes alone. */
void hash_of(char out[HASH_TEXT], const void *bytes, size_t count);

#endif
