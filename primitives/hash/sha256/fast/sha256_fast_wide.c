/*
 * The loops of SHA-256 for 32-bit machines: a rotation is one instruction or part of one, and the
 * eight working variables stay in registers. They keep their places; eight rounds are written out,
 * each with the names moved on by one.
 */
#include "sha256_fast_rounds.h"

#if !SHA256_FAST_NARROW

static inline uint32_t rotr(uint32_t x, unsigned int n)
{
    return x >> n | x << (32 - n);
}

static inline uint32_t small_sigma0(uint32_t x)
{
    return rotr(x, 7) ^ rotr(x, 18) ^ x >> 3;
}

static inline uint32_t small_sigma1(uint32_t x)
{
    return rotr(x, 17) ^ rotr(x, 19) ^ x >> 10;
}

void sha256_fast_extend(uint32_t w[16])
{
    unsigned int t;

    for (t = 0; t < 16; t++)
        w[t] += small_sigma0(w[(t + 1) % 16]) + w[(t + 9) % 16] + small_sigma1(w[(t + 14) % 16]);
}

/* One round; only the two variables that change are written. */
#define ROUND(a, b, c, d, e, f, g, h, t)                                                   \
    do {                                                                                   \
        h += (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + (g ^ (e & (f ^ g))) + k[t] + w[t]; \
        d += h;                                                                            \
        h += (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + ((a & b) | (c & (a | b)));         \
    } while (0)

void sha256_fast_rounds(uint32_t state[SHA256_FAST_STATE_WORDS], const uint32_t w[16],
                        const uint32_t k[16])
{
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    const uint32_t *const end = w + 16;

    for (; w != end; w += 8, k += 8) {
        ROUND(a, b, c, d, e, f, g, h, 0);
        ROUND(h, a, b, c, d, e, f, g, 1);
        ROUND(g, h, a, b, c, d, e, f, 2);
        ROUND(f, g, h, a, b, c, d, e, 3);
        ROUND(e, f, g, h, a, b, c, d, 4);
        ROUND(d, e, f, g, h, a, b, c, 5);
        ROUND(c, d, e, f, g, h, a, b, 6);
        ROUND(b, c, d, e, f, g, h, a, 7);
    }
    state[0] = a;
    state[1] = b;
    state[2] = c;
    state[3] = d;
    state[4] = e;
    state[5] = f;
    state[6] = g;
    state[7] = h;
}

#endif
