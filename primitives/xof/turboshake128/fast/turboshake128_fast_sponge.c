/*
 * Keccak-p[1600, n_r] of FIPS 202, section 3, and its sponge, for machines of any width.
 *
 * A rotation of a 64-bit lane is costly where registers are narrow and turn one bit at a time. With
 * lanes in quarters it is made of moves of quarters and bytes and then of at most four single bits,
 * one way or the other. With lanes in halves it is two shifts a half.
 *
 * The state is stored by limbs: first the low limbs of all 25 lanes, and so on. Thus a column
 * and a row are near to one pointer, as small machines like it, and theta and chi never ask which
 * limb they work on. rho and pi are one walk along the cycle on which pi moves the lanes, so they
 * need no second state. The round constants have bits at no places but 0, 1, 3, 7, 15, 31 and 63: a
 * byte holds each.
 */
#include "turboshake128_fast_sponge.h"

#include <string.h>

typedef turboshake128_fast_limb limb;

enum { LIMBS = TURBOSHAKE128_FAST_LIMBS, LIMB_BYTES = sizeof(limb), LIMB_BITS = 8 * LIMB_BYTES };

#define TOP_BIT ((limb)((limb)1 << (LIMB_BITS - 1)))

/* ---- One lane -------------------------------------------------------------------------------- */

#if UINT_MAX == 0xffff || defined UJ_NARROW

struct lane {
    limb a, b, c, d;
};

/* Puts the lane in its place, from its low limb on, and takes what was there. */
static struct lane exchange(limb *at, struct lane lane)
{
    limb t;

    t = at[0], at[0] = lane.a, lane.a = t, at += 25;
    t = at[0], at[0] = lane.b, lane.b = t, at += 25;
    t = at[0], at[0] = lane.c, lane.c = t, at += 25;
    t = at[0], at[0] = lane.d, lane.d = t;
    return lane;
}

#define SWAP_BYTES(w) ((limb)((w) << 8 | (w) >> 8))

/* The lane turned left by 1 to 63 bits. */
static struct lane turn(struct lane lane, unsigned char by)
{
    limb a = lane.a, b = lane.b, c = lane.c, d = lane.d;
    limb e, f, g, h, t;

    /* Whole bytes, to the nearest. */
    by = (by + 3) & 63;
    if (by & 32) {
        t = a, a = c, c = t;
        t = b, b = d, d = t;
    }
    if (by & 16)
        t = d, d = c, c = b, b = a, a = t;
    if (by & 8) {
        a = SWAP_BYTES(a);
        b = SWAP_BYTES(b);
        c = SWAP_BYTES(c);
        d = SWAP_BYTES(d);
        t = (a ^ b) & 0xff, a ^= t, b ^= t;
        t = (a ^ c) & 0xff, a ^= t, c ^= t;
        t = (a ^ d) & 0xff, a ^= t, d ^= t;
    }
    /* Up to four bits on or three bits back: e to h catch what falls out of a to d. */
    by &= 7;
    if (by > 3) {
        e = a >> 8, f = b >> 8, g = c >> 8, h = d >> 8;
        for (; by > 3; by--) {
            a = (limb)(a << 1), e = (limb)(e << 1);
            b = (limb)(b << 1), f = (limb)(f << 1);
            c = (limb)(c << 1), g = (limb)(g << 1);
            d = (limb)(d << 1), h = (limb)(h << 1);
        }
        a |= h >> 8, b |= e >> 8, c |= f >> 8, d |= g >> 8;
    } else {
        e = (limb)(a << 8), f = (limb)(b << 8), g = (limb)(c << 8), h = (limb)(d << 8);
        for (; by < 3; by++) {
            a >>= 1, e >>= 1;
            b >>= 1, f >>= 1;
            c >>= 1, g >>= 1;
            d >>= 1, h >>= 1;
        }
        a |= (limb)(f << 8), b |= (limb)(g << 8), c |= (limb)(h << 8), d |= (limb)(e << 8);
    }
    lane.a = a;
    lane.b = b;
    lane.c = c;
    lane.d = d;
    return lane;
}

#else

struct lane {
    limb low, high;
};

/* Puts the lane in its place, from its low limb on, and takes what was there. */
static struct lane exchange(limb *at, struct lane lane)
{
    struct lane old = {at[0], at[25]};

    at[0] = lane.low;
    at[25] = lane.high;
    return old;
}

/* The lane turned left by 1 to 31 or 33 to 63 bits; no other offset occurs. */
static struct lane turn(struct lane lane, unsigned char by)
{
    limb low = lane.low, high = lane.high;

    if (by & 32)
        low = lane.high, high = lane.low;
    by &= 31;
    lane.low = low << by | high >> (32 - by);
    lane.high = high << by | low >> (32 - by);
    return lane;
}

#endif

/* ---- The steps of a round -------------------------------------------------------------------- */

/*
 * Not static, so that compilers leave them apart: they would keep the values of several steps at
 * once, for which small machines lack the registers.
 */
void turboshake128_fast_theta(limb *A);
void turboshake128_fast_rho_pi(limb *A);
void turboshake128_fast_chi(limb *A);

static limb parity(const limb *a)
{
    return a[0] ^ a[5] ^ a[10] ^ a[15] ^ a[20];
}

static void add(limb *a, limb d)
{
    a[0] ^= d;
    a[5] ^= d;
    a[10] ^= d;
    a[15] ^= d;
    a[20] ^= d;
}

#define TURN_1(c, below) ((limb)((c) + (c) + ((below) >= TOP_BIT)))

void turboshake128_fast_theta(limb *A)
{
    limb C[LIMBS][5];
    const limb *below = C[LIMBS - 1];
    unsigned char x, i;

    for (i = 0; i < LIMBS; i++) {
        for (x = 0; x < 5; x++)
            C[i][x] = parity(A + 25 * i + x);
    }
    for (i = 0; i < LIMBS; i++) {
        const limb *c = C[i];
        limb *a = A + 25 * i;

        add(a, c[4] ^ TURN_1(c[1], below[1]));
        add(a + 1, c[0] ^ TURN_1(c[2], below[2]));
        add(a + 2, c[1] ^ TURN_1(c[3], below[3]));
        add(a + 3, c[2] ^ TURN_1(c[4], below[4]));
        add(a + 4, c[3] ^ TURN_1(c[0], below[0]));
        below = c;
    }
}

void turboshake128_fast_rho_pi(limb *A)
{
    /* Where the lane goes and by how much it turns on its way, from lane 1 on. */
    static const unsigned char walk[24][2] = {
        {10, 1},  {7, 3},   {11, 6},  {17, 10}, {18, 15}, {3, 21},  {5, 28},  {16, 36},
        {8, 45},  {21, 55}, {24, 2},  {4, 14},  {15, 27}, {23, 41}, {19, 56}, {13, 8},
        {12, 25}, {2, 43},  {20, 62}, {14, 18}, {22, 39}, {9, 61},  {6, 20},  {1, 44}};
    struct lane carried = {0};
    unsigned char k;

    carried = exchange(A + 1, carried);
    for (k = 0; k < 24; k++) {
        carried = turn(carried, walk[k][1]);
        carried = exchange(A + walk[k][0], carried);
    }
}

void turboshake128_fast_chi(limb *A)
{
    limb *row = A;
    unsigned char k;

    for (k = 0; k < 5 * LIMBS; k++) {
        limb a = row[0], b = row[1], c = row[2], d = row[3], e = row[4];

        *row++ = a ^ (~b & c);
        *row++ = b ^ (~c & d);
        *row++ = c ^ (~d & e);
        *row++ = d ^ (~e & a);
        *row++ = e ^ (~a & b);
    }
}

static void iota(limb *A, unsigned char round)
{
    /* Bits 0, 1, 3 and 7 in their places; bits 4, 5 and 6 stand for 15, 31 and 63. */
    static const unsigned char constant[24] = {0x01, 0x92, 0xda, 0x70, 0x9b, 0x21, 0xf1, 0x59,
                                               0x8a, 0x88, 0x39, 0x2a, 0xbb, 0xcb, 0xd9, 0x53,
                                               0x52, 0xc0, 0x1a, 0x6a, 0xf1, 0xd0, 0x21, 0x78};
    unsigned char bits = constant[round];

    A[0] ^= bits & 0x8b;
    if (bits & 0x10)
        A[0] ^= 0x8000;
    if (bits & 0x20)
        A[25 * (LIMBS / 2 - 1)] ^= TOP_BIT;
    if (bits & 0x40)
        A[25 * (LIMBS - 1)] ^= TOP_BIT;
}

static void keccak_p1600(limb *A, unsigned char rounds)
{
    for (; rounds > 0; rounds--) {
        turboshake128_fast_theta(A);
        turboshake128_fast_rho_pi(A);
        turboshake128_fast_chi(A);
        iota(A, (unsigned char)(24 - rounds));
    }
}

/* ---- The sponge ------------------------------------------------------------------------------ */

static limb *limb_of(struct turboshake128_fast_sponge *s, unsigned char at)
{
    return s->limb + 25 * (at / LIMB_BYTES % LIMBS) + at / 8;
}

static void add_byte(struct turboshake128_fast_sponge *s, unsigned char at, unsigned char byte)
{
    limb w = byte;
    unsigned char k;

    for (k = at % LIMB_BYTES; k > 0; k--)
        w = (limb)(w << 8);
    *limb_of(s, at) ^= w;
}

static unsigned char get_byte(struct turboshake128_fast_sponge *s, unsigned char at)
{
    limb w = *limb_of(s, at);
    unsigned char k;

    for (k = at % LIMB_BYTES; k > 0; k--)
        w >>= 8;
    return (unsigned char)w;
}

void turboshake128_fast_sponge_init(struct turboshake128_fast_sponge *s, unsigned char rate_bytes,
                                    unsigned char rounds)
{
    memset(s, 0, sizeof *s);
    s->rate_bytes = rate_bytes;
    s->rounds = rounds;
}

void turboshake128_fast_sponge_absorb(struct turboshake128_fast_sponge *s, const unsigned char *in,
                                      size_t in_bytes)
{
    for (; in_bytes > 0; in_bytes--) {
        add_byte(s, s->at++, *in++);
        if (s->at == s->rate_bytes) {
            keccak_p1600(s->limb, s->rounds);
            s->at = 0;
        }
    }
}

void turboshake128_fast_sponge_pad(struct turboshake128_fast_sponge *s, unsigned char domain)
{
    add_byte(s, s->at, domain);
    add_byte(s, (unsigned char)(s->rate_bytes - 1), 0x80);
    keccak_p1600(s->limb, s->rounds);
    s->at = 0;
}

void turboshake128_fast_sponge_squeeze(struct turboshake128_fast_sponge *s, unsigned char *out,
                                       size_t out_bytes)
{
    for (; out_bytes > 0; out_bytes--) {
        if (s->at == s->rate_bytes) {
            keccak_p1600(s->limb, s->rounds);
            s->at = 0;
        }
        *out++ = get_byte(s, s->at++);
    }
}
