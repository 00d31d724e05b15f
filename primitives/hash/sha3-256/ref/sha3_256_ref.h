/* SHA3-256, plain C after FIPS 202. */
#ifndef SHA3_256_REF_H
#define SHA3_256_REF_H

#include "turboshake128_ref_sponge.h"

#include <stddef.h>

struct sha3_256_ref {
    struct turboshake128_ref_sponge sponge;
};

void sha3_256_ref(unsigned char *out, const unsigned char *in, size_t in_bytes);

void sha3_256_ref_init(struct sha3_256_ref *c);
void sha3_256_ref_update(struct sha3_256_ref *c, const unsigned char *in, size_t in_bytes);
void sha3_256_ref_final(struct sha3_256_ref *c, unsigned char *out);

#endif
