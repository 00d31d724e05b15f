/*
 * Ascon-Hash256 as NIST SP 800-232, section 5.1, writes it down: a sponge over Ascon-p[12] with
 * blocks of 64 bits, its words in little-endian order.
 */
#include "ascon_hash256_ref.h"

enum { BLOCK_BYTES = 8, DIGEST_BYTES = 32 };

#define INITIAL_VALUE UINT64_C(0x0000080100cc0002)

static uint64_t load_le64(const unsigned char *in)
{
    uint64_t word = 0;
    unsigned int i;

    for (i = 8; i > 0; i--)
        word = word << 8 | in[i - 1];
    return word;
}

static void store_le64(unsigned char *out, uint64_t word)
{
    unsigned int i;

    for (i = 0; i < 8; i++) {
        out[i] = (unsigned char)word;
        word >>= 8;
    }
}

/* Initialization: S = Ascon-p[12](IV || 0^256). */
void ascon_hash256_ref_init(struct ascon_hash256_ref *c)
{
    unsigned int i;

    c->state[0] = INITIAL_VALUE;
    for (i = 1; i < 5; i++)
        c->state[i] = 0;
    ascon_hash256_ref_p12(c->state);
    c->held = 0;
}

/* Absorbing: S[0:63] ^= M_i, then the permutation, for each full block. */
void ascon_hash256_ref_update(struct ascon_hash256_ref *c, const unsigned char *in, size_t in_bytes)
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

/* The last block is padded with one bit 1 and zeros; then four blocks are squeezed. */
void ascon_hash256_ref_final(struct ascon_hash256_ref *c, unsigned char *out)
{
    unsigned int i;

    c->block[c->held] = 0x01;
    for (i = c->held + 1; i < BLOCK_BYTES; i++)
        c->block[i] = 0;
    c->state[0] ^= load_le64(c->block);

    for (i = 0; i < DIGEST_BYTES; i += BLOCK_BYTES) {
        ascon_hash256_ref_p12(c->state);
        store_le64(out + i, c->state[0]);
    }
}

void ascon_hash256_ref(unsigned char *out, const unsigned char *in, size_t in_bytes)
{
    struct ascon_hash256_ref c;

    ascon_hash256_ref_init(&c);
    ascon_hash256_ref_update(&c, in, in_bytes);
    ascon_hash256_ref_final(&c, out);
}
