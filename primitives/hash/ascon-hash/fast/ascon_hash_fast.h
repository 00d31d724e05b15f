/* Ascon-Hash of Ascon v1.2, portable C for 8-, 16- and 32-bit machines. */
#ifndef ASCON_HASH_FAST_H
#define ASCON_HASH_FAST_H

#include "ascon_hash256_fast.h"

#include <stddef.h>

struct ascon_hash_fast {
    union ascon_hash256_fast_word state[5];
    unsigned char block[8]; /* in reverse order */
    unsigned int vacant;    /* bytes of block that wait for input, at least 1 */
};

void ascon_hash_fast(unsigned char *out, const unsigned char *in, size_t in_bytes);
void ascon_hash_fast_init(struct ascon_hash_fast *c);
void ascon_hash_fast_update(struct ascon_hash_fast *c, const unsigned char *in, size_t in_bytes);
void ascon_hash_fast_final(struct ascon_hash_fast *c, unsigned char *out);

#endif
