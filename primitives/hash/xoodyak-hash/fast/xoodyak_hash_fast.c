/*
 * Hash mode of Xoodyak for 8-, 16- and 32-bit machines.
 *
 * A round goes through the state twice: once for the parities, once for all the rest, and lanes
 * that the specification moves to another column are written there at once. Its four columns are
 * written out, so that every lane lies at a constant offset. Rotations are written as whole bytes
 * and single bits, which are a few instructions where there is no barrel shifter; a compiler for a
 * 32-bit machine makes one rotation of them again.
 */
#include "xoodyak_hash_fast.h"

#include <string.h>

enum { ROUNDS = 12, RATE_BYTES = 16, DIGEST_BYTES = 32 };

static inline uint32_t right1(uint32_t x)
{
    return x >> 1 | x << 31;
}

static inline uint32_t left1(uint32_t x)
{
    return x << 1 | x >> 31;
}

static inline uint32_t left8(uint32_t x)
{
    return x << 8 | x >> 24;
}

static inline uint32_t left16(uint32_t x)
{
    return x << 16 | x >> 16;
}

/* What theta adds for a parity: it turned left by 5 = 8 - 3 and by 14 = 16 - 2, their steps shared.
 */
static inline uint32_t effect(uint32_t parity)
{
    return right1(right1(left16(parity) ^ right1(left8(parity))));
}

static inline uint32_t left11(uint32_t x)
{
    return left1(left1(left1(left8(x))));
}

/* Theta's effect of column x, which falls on the next column. */
#define EFFECT(x) e[((x) + 1) % 4] = effect(s[0][x] ^ s[1][x] ^ s[2][x])

/*
 * The rest of a round on column x: theta on planes 0 and 2, rho west on plane 2, whose lane is
 * given, chi, and rho east. Plane 2 goes two columns on.
 */
#define COLUMN(x, lane)                               \
    do {                                              \
        uint32_t a0 = s[0][x] ^ e[x];                 \
        uint32_t a1 = s[1][x];                        \
        uint32_t a2 = left11((lane) ^ e[x]);          \
        s[0][x] = a0 ^ (~a1 & a2);                    \
        s[1][x] = left1(a1 ^ (~a2 & a0));             \
        s[2][((x) + 2) % 4] = left8(a2 ^ (~a0 & a1)); \
    } while (0)

static void xoodoo_round(uint32_t s[3][4], uint32_t constant)
{
    uint32_t e[4], lane;

    EFFECT(0);
    EFFECT(1);
    EFFECT(2);
    EFFECT(3);

    /* Theta on plane 1 and rho west, which moves it one column on. */
    lane = s[1][3] ^ e[3];
    s[1][3] = s[1][2] ^ e[2];
    s[1][2] = s[1][1] ^ e[1];
    s[1][1] = s[1][0] ^ e[0];
    s[1][0] = lane;

    s[0][0] ^= constant;

    /* Columns x and x + 2 exchange their lanes of plane 2. */
    lane = s[2][2];
    COLUMN(0, s[2][0]);
    COLUMN(2, lane);
    lane = s[2][3];
    COLUMN(1, s[2][1]);
    COLUMN(3, lane);
}

static void xoodoo(uint32_t s[3][4])
{
    static const uint16_t constant[ROUNDS] = {0x058, 0x038, 0x3c0, 0x0d0, 0x120, 0x014,
                                              0x060, 0x02c, 0x380, 0x0f0, 0x1a0, 0x012};
    unsigned int i;

    for (i = 0; i < ROUNDS; i++)
        xoodoo_round(s, constant[i]);
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

/* Adds the waiting block with its padding and color, and permutes: Down and the Up after it. */
static void absorb(struct xoodyak_hash_fast *c)
{
    unsigned int x;

    if (c->held == RATE_BYTES) {
        c->state[1][0] ^= 0x01;
    } else {
        c->block[c->held] = 0x01;
        memset(c->block + c->held + 1, 0, RATE_BYTES - 1 - c->held);
    }
    for (x = 0; x < 4; x++)
        c->state[0][x] ^= load_le32(c->block + 4 * x);
    c->state[2][3] ^= (uint32_t)c->color << 24;
    c->color = 0;
    c->held = 0;
    xoodoo(c->state);
}

void xoodyak_hash_fast_init(struct xoodyak_hash_fast *c)
{
    memset(c->state, 0, sizeof c->state);
    c->held = 0;
    c->color = 1;
}

void xoodyak_hash_fast_update(struct xoodyak_hash_fast *c, const unsigned char *in, size_t in_bytes)
{
    for (; in_bytes > 0; in_bytes--) {
        if (c->held == RATE_BYTES)
            absorb(c);
        c->block[c->held++] = *in++;
    }
}

void xoodyak_hash_fast_final(struct xoodyak_hash_fast *c, unsigned char *out)
{
    unsigned int i;

    for (i = 0; i < DIGEST_BYTES; i += 4) {
        if (i % RATE_BYTES == 0)
            absorb(c);
        store_le32(out + i, c->state[0][i / 4 % 4]);
    }
}

void xoodyak_hash_fast(unsigned char *out, const unsigned char *in, size_t in_bytes)
{
    struct xoodyak_hash_fast c;

    xoodyak_hash_fast_init(&c);
    xoodyak_hash_fast_update(&c, in, in_bytes);
    xoodyak_hash_fast_final(&c, out);
}
