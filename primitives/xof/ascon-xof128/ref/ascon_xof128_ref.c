/*
 * Ascon-XOF128 as NIST SP 800-232, section 5.2, writes it down: the sponge of Ascon-Hash256 with an
 * initial value of its own and output as long as wanted.
 */
#include "ascon_xof128_ref.h"

#include <string.h>

enum { BLOCK_BYTES = 8 };

#define INITIAL_VALUE UINT64_C(0x0000080000cc0003)

static uint64_t load_le64(const unsigned char *in)
{
    uint64_t word = 0;

    for (int i = 7; i >= 0; i--)
        word = word << 8 | in[i];
    return word;
}

static void store_le64(unsigned char *out, uint64_t word)
{
    for (int i = 0; i < 8; i++)
        out[i] = (unsigned char)(word >> 8 * i);
}

/* Initialization: S = Ascon-p[12](IV || 0^256). */
void ascon_xof128_ref_init(struct ascon_xof128_ref *c)
{
    memset(c, 0, sizeof *c);
    c->state[0] = INITIAL_VALUE;
    ascon_hash256_ref_p12(c->state);
}

/* Absorbing: S[0:63] ^= M_i, then the permutation, for each full block. */
void ascon_xof128_ref_update(struct ascon_xof128_ref *c, const unsigned char *in, size_t in_bytes)
{
    for (; in_bytes > 0; in_bytes--) {
        c->block[c->held++] = *in++;
        if (c->held == BLOCK_BYTES) {
            c->state[0] ^= load_le64(c->block);
            ascon_hash256_ref_p12(c->state);
            c->held = 0;
        }
    }
}

/* The last block is padded with one bit 1 and zeros; squeezing takes 64 bits a permutation. */
void ascon_xof128_ref_final(struct ascon_xof128_ref *c, unsigned char *out, size_t out_bytes)
{
    c->block[c->held] = 0x01;
    memset(c->block + c->held + 1, 0, BLOCK_BYTES - 1 - (size_t)c->held);
    c->state[0] ^= load_le64(c->block);

    while (out_bytes > 0) {
        size_t piece = out_bytes < BLOCK_BYTES ? out_bytes : BLOCK_BYTES;

        ascon_hash256_ref_p12(c->state);
        store_le64(c->block, c->state[0]);
        memcpy(out, c->block, piece);
        out += piece;
        out_bytes -= piece;
    }
}

void ascon_xof128_ref(unsigned char *out, const unsigned char *in, size_t in_bytes,
                      size_t out_bytes)
{
    struct ascon_xof128_ref c;

    ascon_xof128_ref_init(&c);
    ascon_xof128_ref_update(&c, in, in_bytes);
    ascon_xof128_ref_final(&c, out, out_bytes);
}
