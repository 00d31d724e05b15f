/*
 * Ascon-Hash256 (NIST SP 800-232, section 5.1) for 8-, 16- and 32-bit machines, over the
 * bit-interleaved permutation of ascon_hash256_fast_p12.c.
 */
#include "ascon_hash256_fast.h"

#include <string.h>

enum { BLOCK_BYTES = 8, DIGEST_BYTES = 32 };

/* Exchanges the bits under mask with those n places to their left. */
static inline uint32_t exchange(uint32_t x, uint32_t mask, unsigned int n)
{
    uint32_t difference = (x ^ x >> n) & mask;

    return x ^ difference ^ difference << n;
}

/* Moves the even bits to the lower half and the odd ones to the upper half. */
static uint32_t part_bits(uint32_t x)
{
    x = exchange(x, 0x22222222, 1);
    x = exchange(x, 0x0c0c0c0c, 2);
    x = exchange(x, 0x00f000f0, 4);
    return exchange(x, 0x0000ff00, 8);
}

/* The inverse. */
static uint32_t join_bits(uint32_t x)
{
    x = exchange(x, 0x0000ff00, 8);
    x = exchange(x, 0x00f000f0, 4);
    x = exchange(x, 0x0c0c0c0c, 2);
    return exchange(x, 0x22222222, 1);
}

static uint32_t load_le32(const unsigned char *in)
{
    return (uint32_t)in[3] << 24 | (uint32_t)in[2] << 16 | (uint32_t)in[1] << 8 | in[0];
}

static void store_le32(unsigned char *out, uint32_t x)
{
    out[0] = (unsigned char)x;
    out[1] = (unsigned char)(x >> 8);
    out[2] = (unsigned char)(x >> 16);
    out[3] = (unsigned char)(x >> 24);
}

void ascon_hash256_fast_add(union ascon_hash256_fast_word *word, const unsigned char in[8])
{
    uint32_t low = part_bits(load_le32(in));
    uint32_t high = part_bits(load_le32(in + 4));

    word->half[0] ^= (low & 0xffff) | high << 16;
    word->half[1] ^= low >> 16 | (high & 0xffff0000);
}

void ascon_hash256_fast_store(const union ascon_hash256_fast_word *word, unsigned char out[8])
{
    uint32_t even = word->half[0];
    uint32_t odd = word->half[1];

    store_le32(out, join_bits((even & 0xffff) | odd << 16));
    store_le32(out + 4, join_bits(even >> 16 | (odd & 0xffff0000)));
}

/* The state after the first permutation, which depends on nothing. */
void ascon_hash256_fast_init(struct ascon_hash256_fast *c)
{
    static const uint32_t initial[5][2] = {{0x56e696e1, 0xb308e498},
                                           {0x990657dc, 0x39c35509},
                                           {0x2b5a9644, 0xf46674e3},
                                           {0x6fe2f8b5, 0x678c872d},
                                           {0x4ea92b7b, 0x32121896}};

    memcpy(c->state, initial, sizeof c->state);
    c->held = 0;
}

void ascon_hash256_fast_update(struct ascon_hash256_fast *c, const unsigned char *in,
                               size_t in_bytes)
{
    for (; in_bytes > 0; in_bytes--) {
        c->block[c->held++] = *in++;
        if (c->held == BLOCK_BYTES) {
            ascon_hash256_fast_add(&c->state[0], c->block);
            ascon_hash256_fast_p12(c->state);
            c->held = 0;
        }
    }
}

void ascon_hash256_fast_final(struct ascon_hash256_fast *c, unsigned char *out)
{
    unsigned int i;

    c->block[c->held] = 0x01;
    memset(c->block + c->held + 1, 0, BLOCK_BYTES - 1 - c->held);
    ascon_hash256_fast_add(&c->state[0], c->block);

    for (i = 0; i < DIGEST_BYTES; i += BLOCK_BYTES) {
        ascon_hash256_fast_p12(c->state);
        ascon_hash256_fast_store(&c->state[0], out + i);
    }
}

void ascon_hash256_fast(unsigned char *out, const unsigned char *in, size_t in_bytes)
{
    struct ascon_hash256_fast c;

    ascon_hash256_fast_init(&c);
    ascon_hash256_fast_update(&c, in, in_bytes);
    ascon_hash256_fast_final(&c, out);
}
