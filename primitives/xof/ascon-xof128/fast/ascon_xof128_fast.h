/* Ascon-XOF128, portable C for 8-, 16- and 32-bit machines. */
#ifndef ASCON_XOF128_FAST_H
#define ASCON_XOF128_FAST_H

#include "ascon_hash256_fast.h"

#include <stddef.h>

struct ascon_xof128_fast {
    union ascon_hash256_fast_word state[5];
    unsigned char block[8];
    unsigned char held; /* bytes that wait in block, fewer than 8 */
};

void ascon_xof128_fast(unsigned char *out, const unsigned char *in, size_t in_bytes,
                       size_t out_bytes);

void ascon_xof128_fast_init(struct ascon_xof128_fast *c);
void ascon_xof128_fast_update(struct ascon_xof128_fast *c, const unsigned char *in,
                              size_t in_bytes);
void ascon_xof128_fast_final(struct ascon_xof128_fast *c, unsigned char *out, size_t out_bytes);

#endif
