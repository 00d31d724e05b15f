/* HMAC-SHA-256, over the SHA-256 tuned for small machines. */
#ifndef HMAC_SHA256_FAST_H
#define HMAC_SHA256_FAST_H

#include "sha256_fast.h"

#include <stddef.h>

struct hmac_sha256_fast {
    struct sha256_fast inner;
    unsigned char key[64]; /* brought to the length of a block */
};

void hmac_sha256_fast(unsigned char *out, const unsigned char *in, size_t in_bytes,
                      const unsigned char *key, size_t key_bytes);

void hmac_sha256_fast_init(struct hmac_sha256_fast *c, const unsigned char *key, size_t key_bytes);
void hmac_sha256_fast_update(struct hmac_sha256_fast *c, const unsigned char *in, size_t in_bytes);
void hmac_sha256_fast_final(struct hmac_sha256_fast *c, unsigned char *out);

#endif
