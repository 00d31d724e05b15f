/*
 * Ascon-Hash of Ascon v1.2 for 8-, 16- and 32-bit machines. It shares the bit-interleaved
 * permutation of Ascon-Hash256, whose words begin with their least significant byte; here they
 * begin with the most significant one, so blocks are filled and emptied from their end.
 */
#include "ascon_hash_fast.h"

#include <string.h>

enum { BLOCK_BYTES = 8, DIGEST_BYTES = 32 };

/* The state after the first permutation, which depends on nothing. */
void ascon_hash_fast_init(struct ascon_hash_fast *c)
{
    static const uint32_t initial[5][2] = {{0xa540dbc7, 0xf9afb5c6},
                                           {0x1445a340, 0xbd249301},
                                           {0x604d4fc8, 0xcb9ba8b5},
                                           {0x94514c98, 0x12a4eede},
                                           {0x6339f398, 0x4bca84c0}};

    memcpy(c->state, initial, sizeof c->state);
    c->vacant = BLOCK_BYTES;
}

void ascon_hash_fast_update(struct ascon_hash_fast *c, const unsigned char *in, size_t in_bytes)
{
    for (; in_bytes > 0; in_bytes--) {
        c->block[--c->vacant] = *in++;
        if (c->vacant == 0) {
            ascon_hash256_fast_add(&c->state[0], c->block);
            ascon_hash256_fast_p12(c->state);
            c->vacant = BLOCK_BYTES;
        }
    }
}

void ascon_hash_fast_final(struct ascon_hash_fast *c, unsigned char *out)
{
    unsigned int i, j;

    c->block[--c->vacant] = 0x80;
    memset(c->block, 0, c->vacant);
    ascon_hash256_fast_add(&c->state[0], c->block);

    for (i = 0; i < DIGEST_BYTES; i += BLOCK_BYTES) {
        ascon_hash256_fast_p12(c->state);
        ascon_hash256_fast_store(&c->state[0], c->block);
        for (j = 0; j < BLOCK_BYTES; j++)
            out[i + j] = c->block[BLOCK_BYTES - 1 - j];
    }
}

void ascon_hash_fast(unsigned char *out, const unsigned char *in, size_t in_bytes)
{
    struct ascon_hash_fast c;

    ascon_hash_fast_init(&c);
    ascon_hash_fast_update(&c, in, in_bytes);
    ascon_hash_fast_final(&c, out);
}
