/* TurboSHAKE128: RFC 9861, section 2, with the default domain separation byte. */
#include "turboshake128_ref.h"

enum { RATE_BYTES = 168, ROUNDS = 12, DOMAIN = 0x1f };

void turboshake128_ref_init(struct turboshake128_ref *c)
{
    turboshake128_ref_sponge_init(&c->sponge, RATE_BYTES, ROUNDS);
}

void turboshake128_ref_update(struct turboshake128_ref *c, const unsigned char *in, size_t in_bytes)
{
    turboshake128_ref_sponge_absorb(&c->sponge, in, in_bytes);
}

void turboshake128_ref_final(struct turboshake128_ref *c, unsigned char *out, size_t out_bytes)
{
    turboshake128_ref_sponge_pad(&c->sponge, DOMAIN);
    turboshake128_ref_sponge_squeeze(&c->sponge, out, out_bytes);
}

void turboshake128_ref(unsigned char *out, const unsigned char *in, size_t in_bytes,
                       size_t out_bytes)
{
    struct turboshake128_ref c;

    turboshake128_ref_init(&c);
    turboshake128_ref_update(&c, in, in_bytes);
    turboshake128_ref_final(&c, out, out_bytes);
}
