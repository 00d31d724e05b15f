#include "isap_hash_fast.h"

void isap_hash_fast(unsigned char *out, const unsigned char *in, size_t in_bytes)
{
    ascon_hash_fast(out, in, in_bytes);
}

void isap_hash_fast_init(struct isap_hash_fast *c)
{
    ascon_hash_fast_init(&c->ascon);
}

void isap_hash_fast_update(struct isap_hash_fast *c, const unsigned char *in, size_t in_bytes)
{
    ascon_hash_fast_update(&c->ascon, in, in_bytes);
}

void isap_hash_fast_final(struct isap_hash_fast *c, unsigned char *out)
{
    ascon_hash_fast_final(&c->ascon, out);
}
