/* The hash of the ISAP package, which is Ascon-Hash v1.2. */
#ifndef ISAP_HASH_FAST_H
#define ISAP_HASH_FAST_H

#include "ascon_hash_fast.h"

#include <stddef.h>

struct isap_hash_fast {
    struct ascon_hash_fast ascon;
};

void isap_hash_fast(unsigned char *out, const unsigned char *in, size_t in_bytes);
void isap_hash_fast_init(struct isap_hash_fast *c);
void isap_hash_fast_update(struct isap_hash_fast *c, const unsigned char *in, size_t in_bytes);
void isap_hash_fast_final(struct isap_hash_fast *c, unsigned char *out);

#endif
