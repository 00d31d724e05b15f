/* SHAKE128: FIPS 202, section 6.2; the domain is the bits 1111 and the first bit of the padding. */
#include "shake128_fast.h"

enum { RATE_BYTES = 168, ROUNDS = 24, DOMAIN = 0x1f };

void shake128_fast_init(struct shake128_fast *c)
{
    turboshake128_fast_sponge_init(&c->sponge, RATE_BYTES, ROUNDS);
}

void shake128_fast_update(struct shake128_fast *c, const unsigned char *in, size_t in_bytes)
{
    turboshake128_fast_sponge_absorb(&c->sponge, in, in_bytes);
}

void shake128_fast_final(struct shake128_fast *c, unsigned char *out, size_t out_bytes)
{
    turboshake128_fast_sponge_pad(&c->sponge, DOMAIN);
    turboshake128_fast_sponge_squeeze(&c->sponge, out, out_bytes);
}

void shake128_fast(unsigned char *out, const unsigned char *in, size_t in_bytes, size_t out_bytes)
{
    struct shake128_fast c;

    shake128_fast_init(&c);
    shake128_fast_update(&c, in, in_bytes);
    shake128_fast_final(&c, out, out_bytes);
}
