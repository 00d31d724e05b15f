/* HMAC of FIPS 198-1 with SHA-256; the steps are those of its section 4, table 1. */
#include "hmac_sha256_fast.h"

#include <string.h>

enum { BLOCK_BYTES = 64, DIGEST_BYTES = 32 };

/* Steps 4 and 7: hashing begins with the key, each byte with the padding byte added. */
static void begin(struct sha256_fast *hash, const unsigned char key[BLOCK_BYTES],
                  unsigned char padding)
{
    unsigned char block[BLOCK_BYTES];

    for (unsigned char i = 0; i < BLOCK_BYTES; i++)
        block[i] = key[i] ^ padding;
    sha256_fast_init(hash);
    sha256_fast_update(hash, block, BLOCK_BYTES);
}

/* Steps 1 to 3: a key that is longer than a block gives way to its digest; zeros fill the rest. */
void hmac_sha256_fast_init(struct hmac_sha256_fast *c, const unsigned char *key, size_t key_bytes)
{
    memset(c->key, 0, BLOCK_BYTES);
    if (key_bytes > BLOCK_BYTES)
        sha256_fast(c->key, key, key_bytes);
    else if (key_bytes > 0)
        memcpy(c->key, key, key_bytes);
    begin(&c->inner, c->key, 0x36);
}

/* Step 5. */
void hmac_sha256_fast_update(struct hmac_sha256_fast *c, const unsigned char *in, size_t in_bytes)
{
    sha256_fast_update(&c->inner, in, in_bytes);
}

/* Steps 6 to 9; the inner hash makes room for the outer one. */
void hmac_sha256_fast_final(struct hmac_sha256_fast *c, unsigned char *out)
{
    unsigned char digest[DIGEST_BYTES];

    sha256_fast_final(&c->inner, digest);
    begin(&c->inner, c->key, 0x5c);
    sha256_fast_update(&c->inner, digest, DIGEST_BYTES);
    sha256_fast_final(&c->inner, out);
}

void hmac_sha256_fast(unsigned char *out, const unsigned char *in, size_t in_bytes,
                      const unsigned char *key, size_t key_bytes)
{
    struct hmac_sha256_fast c;

    hmac_sha256_fast_init(&c, key, key_bytes);
    hmac_sha256_fast_update(&c, in, in_bytes);
    hmac_sha256_fast_final(&c, out);
}
