/* The hash of the ISAP package, which is Ascon-Hash v1.2. */
#ifndef ISAP_HASH_REF_H
#define ISAP_HASH_REF_H

#include "ascon_hash_ref.h"

#include <stddef.h>

struct isap_hash_ref {
    struct ascon_hash_ref ascon;
};

void isap_hash_ref(unsigned char *out, const unsigned char *in, size_t in_bytes);
void isap_hash_ref_init(struct isap_hash_ref *c);
void isap_hash_ref_update(struct isap_hash_ref *c, const unsigned char *in, size_t in_bytes);
void isap_hash_ref_final(struct isap_hash_ref *c, unsigned char *out);

#endif
