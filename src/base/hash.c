#include "base/hash.h"

#include <stdint.h>
#include <string.h>

#include "base/str.h"

void hash_init(struct hash *h)
{
    (void)crypto_hash_sha256_init(&h->state);
}

void hash_field(struct hash *h, const void *bytes, size_t count)
{
    uint8_t length[8];
    for (size_t i = 0; i < sizeof length; i++)
        length[i] = (uint8_t)((uint64_t)count >> (8 * i));
    (void)crypto_hash_sha256_update(&h->state, length, sizeof length);
    if (count)
        (void)crypto_hash_sha256_update(&h->state, bytes, count);
}

void hash_text(struct hash *h, const char *text)
{
    hash_field(h, text, strlen(text));
}

void hash_final(struct hash *h, char out[HASH_TEXT])
{
    uint8_t digest[crypto_hash_sha256_BYTES];
    (void)crypto_hash_sha256_final(&h->state, digest);
    hex_encode(out, digest, sizeof digest);
}

void hash_of(char out[HASH_TEXT], const void *bytes, size_t count)
{
    static const uint8_t none[1];
    uint8_t digest[crypto_hash_sha256_BYTES];
    (void)crypto_hash_sha256(digest, count ? bytes : none, count);
    hex_encode(out, digest, sizeof digest);
}
