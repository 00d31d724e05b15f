/* SHAKE128: FIPS 202, section 6.2; the domain is the bits 1111 and the first bit of the padding. */
#include "shake128_ref.h"

enum { RATE_BYTES = 168, ROUNDS = 24, DOMAIN = 0x1f };

void shake128_ref_init(struct shake128_ref *c)
{
    turboshake128_ref_sponge_init(&c->sponge, RATE_BYTES, ROUNDS);
}

void shake128_ref_update(struct shake128_ref *c, const unsigned char *in, size_t in_bytes)
{
    turboshake128_ref_sponge_absorb(&c->sponge, in, in_bytes);
}

void shake128_ref_final(struct shake128_ref *c, unsigned char *out, size_t out_bytes)
{
    turboshake128_ref_sponge_pad(&c->sponge, DOMAIN);
    turboshake128_ref_sponge_squeeze(&c->sponge, out, out_bytes);
}

void shake128_ref(unsigned char *out, const unsigned char *in, size_t in_bytes, size_t out_bytes)
{
    struct shake128_ref c;

    shake128_ref_init(&c);
    shake128_ref_update(&c, in, in_bytes);
    shake128_ref_final(&c, out, out_bytes);
}
