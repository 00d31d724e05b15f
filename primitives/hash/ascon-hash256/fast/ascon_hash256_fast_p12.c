/*
 * The permutation Ascon-p[12] (NIST SP 800-232, section 3) for 8-, 16- and 32-bit machines.
 *
 * Its words are bit-interleaved, so a rotation of 64 bits becomes one of each half: by r = 2k each
 * half turns by k; by r = 2k + 1 the halves change places and turn by k and k + 1. Those rotations
 * are written as whole bytes and single bits, which are a few instructions where there is no barrel
 * shifter; a compiler for a 32-bit machine makes one rotation of them again.
 */
#include "ascon_hash256_fast.h"

#include <limits.h>

enum { ROUNDS = 12 };

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

static inline uint32_t right2(uint32_t x)
{
    return right1(right1(x));
}

static inline uint32_t right3(uint32_t x)
{
    return right1(right1(right1(x)));
}

static inline uint32_t left2(uint32_t x)
{
    return left1(left1(x));
}

static inline uint32_t left3(uint32_t x)
{
    return left1(left1(left1(x)));
}

/* The S-box on columns of all five words: one part of their interleaved bits. */
#define SUBSTITUTE(part_index)                        \
    do {                                              \
        unsigned int x3 = s[3].part[part_index];      \
        unsigned int x4 = s[4].part[part_index];      \
        unsigned int x0 = s[0].part[part_index] ^ x4; \
        unsigned int x1 = s[1].part[part_index];      \
        unsigned int x2 = s[2].part[part_index] ^ x1; \
        unsigned int y0, y2, y4;                      \
        x4 ^= x3;                                     \
        y0 = x0 ^ (~x1 & x2);                         \
        y2 = x2 ^ (~x3 & x4);                         \
        y4 = x4 ^ (~x0 & x1);                         \
        s[0].part[part_index] = y0 ^ y4;              \
        s[1].part[part_index] = x1 ^ (~x2 & x3) ^ y0; \
        s[2].part[part_index] = ~y2;                  \
        s[3].part[part_index] = x3 ^ (~x4 & x0) ^ y2; \
        s[4].part[part_index] = y4;                   \
    } while (0)

/* p_S. Written out, so that an 8-bit machine reaches every part at a constant offset. */
static void substitute(union ascon_hash256_fast_word s[5])
{
    SUBSTITUTE(0);
    SUBSTITUTE(1);
#if UINT_MAX == 0xffff
    SUBSTITUTE(2);
    SUBSTITUTE(3);
#endif
}

static void diffuse(union ascon_hash256_fast_word s[5])
{
    uint32_t e, o;

    e = s[0].half[0];
    o = s[0].half[1];
    s[0].half[0] = e ^ right1(right8(o)) ^ left2(right16(e));
    s[0].half[1] = o ^ right2(right8(e)) ^ left2(right16(o));

    e = s[1].half[0];
    o = s[1].half[1];
    s[1].half[0] = e ^ left2(o) ^ right3(right16(o));
    s[1].half[1] = o ^ left1(e) ^ right1(right3(right16(e)));

    e = s[2].half[0];
    o = s[2].half[1];
    s[2].half[0] = e ^ o ^ right3(e);
    s[2].half[1] = o ^ right1(e) ^ right3(o);

    e = s[3].half[0];
    o = s[3].half[1];
    s[3].half[0] = e ^ left3(right8(e)) ^ right8(o);
    s[3].half[1] = o ^ left3(right8(o)) ^ right1(right8(e));

    e = s[4].half[0];
    o = s[4].half[1];
    s[4].half[0] = e ^ right3(o) ^ right1(right3(right16(o)));
    s[4].half[1] = o ^ right1(right3(e)) ^ left3(right24(e));
}

void ascon_hash256_fast_p12(union ascon_hash256_fast_word state[5])
{
    static const unsigned char constant[ROUNDS] = {0xcc, 0xc9, 0x9c, 0x99, 0xc6, 0xc3,
                                                   0x96, 0x93, 0x6c, 0x69, 0x3c, 0x39};
    unsigned int i;

    for (i = 0; i < ROUNDS; i++) {
        state[2].half[0] ^= constant[i] & 0xf;
        state[2].half[1] ^= (uint32_t)constant[i] >> 4;
        substitute(state);
        diffuse(state);
    }
}
