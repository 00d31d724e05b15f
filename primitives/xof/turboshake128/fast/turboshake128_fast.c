/* TurboSHAKE128: RFC 9861, section 2, with the default domain separation byte. */
#include "turboshake128_fast.h"

enum { RATE_BYTES = 168, ROUNDS = 12, DOMAIN = 0x1f };

void turboshake128_fast_init(struct turboshake128_fast *c)
{
    turboshake128_fast_sponge_init(&c->sponge, RATE_BYTES, ROUNDS);
}

void turboshake128_fast_update(struct turboshake128_fast *c, const unsigned char *in,
                               size_t in_bytes)
{
    turboshake128_fast_sponge_absorb(&c->sponge, in, in_bytes);
}

void turboshake128_fast_final(struct turboshake128_fast *c, unsigned char *out, size_t out_bytes)
{
    turboshake128_fast_sponge_pad(&c->sponge, DOMAIN);
    turboshake128_fast_sponge_squeeze(&c->sponge, out, out_bytes);
}

void turboshake128_fast(unsigned char *out, const unsigned char *in, size_t in_bytes,
                        size_t out_bytes)
{
    struct turboshake128_fast c;

    turboshake128_fast_init(&c);
    turboshake128_fast_update(&c, in, in_bytes);
    turboshake128_fast_final(&c, out, out_bytes);
}
