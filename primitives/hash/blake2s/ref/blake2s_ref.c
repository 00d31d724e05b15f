/*
 * BLAKE2s of RFC 7693 with 32 bytes of output and no key, in the RFC's own terms.
 */
#include "blake2s_ref.h"

#include <string.h>

enum { BLOCK_BYTES = 64, DIGEST_BYTES = 32, ROUNDS = 10 };

/* Section 2.6: the initialization vector, that of SHA-256. */
static const uint32_t IV[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                               0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

/* Section 2.7: the message schedule. */
static const unsigned char SIGMA[ROUNDS][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

static uint32_t rotate_right(uint32_t w, int by)
{
    return w >> by | w << (32 - by);
}

static uint32_t load_le32(const unsigned char *in)
{
    return (uint32_t)in[3] << 24 | (uint32_t)in[2] << 16 | (uint32_t)in[1] << 8 | in[0];
}

/* Section 3.1: the mixing function G. */
static void G(uint32_t v[16], int a, int b, int c, int d, uint32_t x, uint32_t y)
{
    v[a] = v[a] + v[b] + x;
    v[d] = rotate_right(v[d] ^ v[a], 16);
    v[c] = v[c] + v[d];
    v[b] = rotate_right(v[b] ^ v[c], 12);
    v[a] = v[a] + v[b] + y;
    v[d] = rotate_right(v[d] ^ v[a], 8);
    v[c] = v[c] + v[d];
    v[b] = rotate_right(v[b] ^ v[c], 7);
}

/* Section 3.2: the compression function F on the block of the context; last is the flag f. */
static void F(struct blake2s_ref *c, int last)
{
    uint32_t v[16], m[16];

    for (int i = 0; i < 8; i++) {
        v[i] = c->h[i];
        v[i + 8] = IV[i];
    }
    v[12] ^= c->t[0];
    v[13] ^= c->t[1];
    if (last)
        v[14] = ~v[14];
    for (int i = 0; i < 16; i++)
        m[i] = load_le32(c->block + 4 * i);

    for (int round = 0; round < ROUNDS; round++) {
        const unsigned char *s = SIGMA[round];

        G(v, 0, 4, 8, 12, m[s[0]], m[s[1]]);
        G(v, 1, 5, 9, 13, m[s[2]], m[s[3]]);
        G(v, 2, 6, 10, 14, m[s[4]], m[s[5]]);
        G(v, 3, 7, 11, 15, m[s[6]], m[s[7]]);

        G(v, 0, 5, 10, 15, m[s[8]], m[s[9]]);
        G(v, 1, 6, 11, 12, m[s[10]], m[s[11]]);
        G(v, 2, 7, 8, 13, m[s[12]], m[s[13]]);
        G(v, 3, 4, 9, 14, m[s[14]], m[s[15]]);
    }

    for (int i = 0; i < 8; i++)
        c->h[i] ^= v[i] ^ v[i + 8];
}

/* The block counts with so many bytes of message. */
static void count(struct blake2s_ref *c, unsigned char bytes)
{
    c->t[0] += bytes;
    if (c->t[0] < bytes)
        c->t[1]++;
}

/* Sections 2.5 and 3.3: the parameter block 0x0101kknn, for kk = 0 and nn = 32, enters h[0]. */
void blake2s_ref_init(struct blake2s_ref *c)
{
    memcpy(c->h, IV, sizeof c->h);
    c->h[0] ^= 0x01010000 ^ DIGEST_BYTES;
    c->t[0] = 0;
    c->t[1] = 0;
    c->filled = 0;
}

/* A full block waits for the byte after it: only then is it known not to be the last. */
void blake2s_ref_update(struct blake2s_ref *c, const unsigned char *in, size_t in_bytes)
{
    for (; in_bytes > 0; in_bytes--) {
        if (c->filled == BLOCK_BYTES) {
            count(c, BLOCK_BYTES);
            F(c, 0);
            c->filled = 0;
        }
        c->block[c->filled++] = *in++;
    }
}

void blake2s_ref_final(struct blake2s_ref *c, unsigned char *out)
{
    count(c, c->filled);
    while (c->filled < BLOCK_BYTES)
        c->block[c->filled++] = 0;
    F(c, 1);

    for (int k = 0; k < DIGEST_BYTES; k++)
        out[k] = (unsigned char)(c->h[k / 4] >> 8 * (k % 4));
}

void blake2s_ref(unsigned char *out, const unsigned char *in, size_t in_bytes)
{
    struct blake2s_ref c;

    blake2s_ref_init(&c);
    blake2s_ref_update(&c, in, in_bytes);
    blake2s_ref_final(&c, out);
}
