/* SHA-256, plain C after FIPS 180-4. */
#ifndef SHA256_REF_H
#define SHA256_REF_H

#include <stddef.h>
#include <stdint.h>

struct sha256_ref {
    uint32_t hash[8];
    uint64_t bytes; /* of the message so far; bytes % 64 of them wait in block */
    unsigned char block[64];
};

void sha256_ref(unsigned char *out, const unsigned char *in, size_t in_bytes);
void sha256_ref_init(struct sha256_ref *c);
void sha256_ref_update(struct sha256_ref *c, const unsigned char *in, size_t in_bytes);
void sha256_ref_final(struct sha256_ref *c, unsigned char *out);

#endif
