/* SHA-256, portable C for 8-, 16- and 32-bit machines. */
#ifndef SHA256_FAST_H
#define SHA256_FAST_H

#include <stddef.h>
#include <stdint.h>

struct sha256_fast {
    uint32_t hash[8];
    uint64_t bytes; /* of the message so far; bytes % 64 of them wait in block */
    unsigned char block[64];
};

void sha256_fast(unsigned char *out, const unsigned char *in, size_t in_bytes);
void sha256_fast_init(struct sha256_fast *c);
void sha256_fast_update(struct sha256_fast *c, const unsigned char *in, size_t in_bytes);
void sha256_fast_final(struct sha256_fast *c, unsigned char *out);

#endif
