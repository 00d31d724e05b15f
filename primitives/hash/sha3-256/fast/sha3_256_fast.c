/* SHA3-256: FIPS 202, section 6.1; the domain is the bits 01 and the first bit of the padding. */
#include "sha3_256_fast.h"

enum { RATE_BYTES = 136, ROUNDS = 24, DOMAIN = 0x06 };

void sha3_256_fast_init(struct sha3_256_fast *c)
{
    turboshake128_fast_sponge_init(&c->sponge, RATE_BYTES, ROUNDS);
}

void sha3_256_fast_update(struct sha3_256_fast *c, const unsigned char *in, size_t in_bytes)
{
    turboshake128_fast_sponge_absorb(&c->sponge, in, in_bytes);
}

void sha3_256_fast_final(struct sha3_256_fast *c, unsigned char *out)
{
    turboshake128_fast_sponge_pad(&c->sponge, DOMAIN);
    turboshake128_fast_sponge_squeeze(&c->sponge, out, 32);
}

void sha3_256_fast(unsigned char *out, const unsigned char *in, size_t in_bytes)
{
    struct sha3_256_fast c;

    sha3_256_fast_init(&c);
    sha3_256_fast_update(&c, in, in_bytes);
    sha3_256_fast_final(&c, out);
}
