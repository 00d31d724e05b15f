/*
 * The loops of SHA-256 for 8- and 16-bit machines.
 *
 * There a rotation by a whole byte is a few moves and one by a single bit a few instructions, but a
 * rotation by any other number is a loop. So each rotation is split into bytes and at most three
 * single steps, and rotations that are added share their steps: 11 = 8 + 1 + 2 and 25 = 24 + 1 need
 * three steps together, not four.
 *
 * Eight words do not fit into the registers of such a machine, and moving each to its neighbour's
 * place, as the standard does, costs as much as the arithmetic. Here the words stay and their frame
 * moves: the window v slides down by one word a round, so that yesterday's a is today's b.
 */
#include "sha256_fast_rounds.h"

#include <string.h>

#if SHA256_FAST_NARROW

static inline uint32_t right1(uint32_t x)
{
    return x >> 1 | x << 31;
}

static inline uint32_t left1(uint32_t x)
{
    return x << 1 | x >> 31;
}

static inline uint32_t right8(uint32_t x)
{
    return x >> 8 | x << 24;
}

static inline uint32_t right16(uint32_t x)
{
    return x >> 16 | x << 16;
}

static inline uint32_t right24(uint32_t x)
{
    return x >> 24 | x << 8;
}

/* Right by 2, 13 = 16 - 3 and 22 = 24 - 2. */
static inline uint32_t big_sigma0(uint32_t x)
{
    return right1(right1(x)) ^ left1(left1(right24(x) ^ left1(right16(x))));
}

/* Right by 6 = 8 - 2, 11 = 8 + 3 and 25 = 24 + 1. */
static inline uint32_t big_sigma1(uint32_t x)
{
    uint32_t x8 = right8(x);

    return left1(left1(x8)) ^ right1(right24(x) ^ right1(right1(x8)));
}

/*
 * Right by 7 = 8 - 1 and 18 = 16 + 2, shift by 3. The shift shares the two steps of 18, so the bits
 * that these would carry around are cleared first.
 */
static inline uint32_t small_sigma0(uint32_t x)
{
    return left1(right8(x)) ^ right1(right1(right16(x) ^ (x >> 1 & ~UINT32_C(3))));
}

/* Right by 17 = 16 + 1 and 19 = 16 + 3, shift by 10 = 8 + 2. */
static inline uint32_t small_sigma1(uint32_t x)
{
    uint32_t x16 = right16(x);

    return right1(x16 ^ right1(right1(x16) ^ (x >> 8 & ~UINT32_C(3))));
}

void sha256_fast_extend(uint32_t w[16])
{
    unsigned int t;

    for (t = 0; t < 16; t++)
        w[t] += small_sigma0(w[(t + 1) % 16]) + w[(t + 9) % 16] + small_sigma1(w[(t + 14) % 16]);
}

void sha256_fast_rounds(uint32_t state[SHA256_FAST_STATE_WORDS], const uint32_t w[16],
                        const uint32_t k[16])
{
    uint32_t *v = state + 16;

    memcpy(v, state, 8 * sizeof *v);
    while (v != state) {
        uint32_t t1 = v[7] + big_sigma1(v[4]) + (v[6] ^ (v[4] & (v[5] ^ v[6]))) + *k++ + *w++;

        v[3] += t1;
        v--;
        v[0] = t1 + big_sigma0(v[1]) + ((v[1] & v[2]) | (v[3] & (v[1] | v[2])));
    }
}

#endif
