#include "isap_hash_ref.h"

void isap_hash_ref(unsigned char *out, const unsigned char *in, size_t in_bytes)
{
    ascon_hash_ref(out, in, in_bytes);
}

void isap_hash_ref_init(struct isap_hash_ref *c)
{
    ascon_hash_ref_init(&c->ascon);
}

void isap_hash_ref_update(struct isap_hash_ref *c, const unsigned char *in, size_t in_bytes)
{
    ascon_hash_ref_update(&c->ascon, in, in_bytes);
}

void isap_hash_ref_final(struct isap_hash_ref *c, unsigned char *out)
{
    ascon_hash_ref_final(&c->ascon, out);
}
