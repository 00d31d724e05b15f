/*
 * Ascon-XOF128 (NIST SP 800-232, section 5.2) for 8-, 16- and 32-bit machines, over the
 * bit-interleaved permutation of Ascon-Hash256.
 */
#include "ascon_xof128_fast.h"

#include <string.h>

enum { BLOCK_BYTES = 8 };

/* The state after the first permutation, which depends on nothing. */
void ascon_xof128_fast_init(struct ascon_xof128_fast *c)
{
    static const uint32_t initial[5][2] = {{0xc0ae36b9, 0xb9b5a81f},
                                           {0xaeabf6d9, 0xa6d933e6},
                                           {0xbc3f00e5, 0xd0b98214},
                                           {0x288d99ca, 0x3cf1072a},
                                           {0x8ef2db1e, 0xc044b73b}};

    memcpy(c->state, initial, sizeof c->state);
    c->held = 0;
}

void ascon_xof128_fast_update(struct ascon_xof128_fast *c, const unsigned char *in, size_t in_bytes)
{
    while (in_bytes > 0) {
        size_t piece = BLOCK_BYTES - (size_t)c->held;

        if (piece > in_bytes)
            piece = in_bytes;
        memcpy(c->block + c->held, in, piece);
        c->held = (unsigned char)(c->held + piece);
        in += piece;
        in_bytes -= piece;
        if (c->held == BLOCK_BYTES) {
            ascon_hash256_fast_add(&c->state[0], c->block);
            ascon_hash256_fast_p12(c->state);
            c->held = 0;
        }
    }
}

void ascon_xof128_fast_final(struct ascon_xof128_fast *c, unsigned char *out, size_t out_bytes)
{
    c->block[c->held] = 0x01;
    memset(c->block + c->held + 1, 0, BLOCK_BYTES - 1 - (size_t)c->held);
    ascon_hash256_fast_add(&c->state[0], c->block);

    while (out_bytes > 0) {
        size_t piece = out_bytes < BLOCK_BYTES ? out_bytes : BLOCK_BYTES;

        ascon_hash256_fast_p12(c->state);
        ascon_hash256_fast_store(&c->state[0], c->block);
        memcpy(out, c->block, piece);
        out += piece;
        out_bytes -= piece;
    }
}

void ascon_xof128_fast(unsigned char *out, const unsigned char *in, size_t in_bytes,
                       size_t out_bytes)
{
    struct ascon_xof128_fast c;

    ascon_xof128_fast_init(&c);
    ascon_xof128_fast_update(&c, in, in_bytes);
    ascon_xof128_fast_final(&c, out, out_bytes);
}
