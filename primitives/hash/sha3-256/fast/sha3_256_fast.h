/* SHA3-256, over the sponge tuned for small machines. */
#ifndef SHA3_256_FAST_H
#define SHA3_256_FAST_H

#include "turboshake128_fast_sponge.h"

#include <stddef.h>

struct sha3_256_fast {
    struct turboshake128_fast_sponge sponge;
};

void sha3_256_fast(unsigned char *out, const unsigned char *in, size_t in_bytes);

void sha3_256_fast_init(struct sha3_256_fast *c);
void sha3_256_fast_update(struct sha3_256_fast *c, const unsigned char *in, size_t in_bytes);
void sha3_256_fast_final(struct sha3_256_fast *c, unsigned char *out);

#endif
