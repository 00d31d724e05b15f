/* Ascon-Hash256, portable C for 8-, 16- and 32-bit machines. */
#ifndef ASCON_HASH256_FAST_H
#define ASCON_HASH256_FAST_H

#include <stddef.h>
#include <stdint.h>

/*
 * A word of the state, bit-interleaved: half[0] holds its 32 even bits, half[1] the odd ones. The
 * S-box treats all columns alike and takes them in parts as wide as the machine's int.
 */
union ascon_hash256_fast_word {
    uint32_t half[2];
    unsigned int part[sizeof(uint64_t) / sizeof(unsigned int)];
};

struct ascon_hash256_fast {
    union ascon_hash256_fast_word state[5];
    unsigned char block[8];
    unsigned int held; /* bytes that wait in block, fewer than 8 */
};

void ascon_hash256_fast(unsigned char *out, const unsigned char *in, size_t in_bytes);
void ascon_hash256_fast_init(struct ascon_hash256_fast *c);
void ascon_hash256_fast_update(struct ascon_hash256_fast *c, const unsigned char *in,
                               size_t in_bytes);
void ascon_hash256_fast_final(struct ascon_hash256_fast *c, unsigned char *out);

/*
 * The permutation Ascon-p[12] and its word 0 as 8 bytes, the least significant first, for
 * Ascon-Hash v1.2, which is made of the same.
 */
void ascon_hash256_fast_p12(union ascon_hash256_fast_word state[5]);
void ascon_hash256_fast_add(union ascon_hash256_fast_word *word, const unsigned char in[8]);
void ascon_hash256_fast_store(const union ascon_hash256_fast_word *word, unsigned char out[8]);

#endif
