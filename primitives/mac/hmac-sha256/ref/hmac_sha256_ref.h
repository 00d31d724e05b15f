/* HMAC-SHA-256, plain C after FIPS 198-1. */
#ifndef HMAC_SHA256_REF_H
#define HMAC_SHA256_REF_H

#include "sha256_ref.h"

#include <stddef.h>

struct hmac_sha256_ref {
    struct sha256_ref inner;
    unsigned char key[64]; /* brought to the length of a block */
};

void hmac_sha256_ref(unsigned char *out, const unsigned char *in, size_t in_bytes,
                     const unsigned char *key, size_t key_bytes);

void hmac_sha256_ref_init(struct hmac_sha256_ref *c, const unsigned char *key, size_t key_bytes);
void hmac_sha256_ref_update(struct hmac_sha256_ref *c, const unsigned char *in, size_t in_bytes);
void hmac_sha256_ref_final(struct hmac_sha256_ref *c, unsigned char *out);

#endif
