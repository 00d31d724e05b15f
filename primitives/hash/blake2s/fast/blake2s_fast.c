/*
 * BLAKE2s of RFC 7693 for machines of any width.
 *
 * Where registers are narrower than 32 bits, rotations by 8 and 16 bits only rename them; those by
 * 12 and 7 are written as one of these and then four or one single bits. The mixing is one
 * function, called in loops, so that the code stays small and its four words stay in registers. The
 * schedule takes half the room with two indices a byte.
 */
#include "blake2s_fast.h"

#include <string.h>

enum { BLOCK_BYTES = 64, ROUNDS = 10 };

static const uint32_t iv[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                               0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

static uint32_t turn_16(uint32_t w)
{
    return w << 16 | w >> 16;
}

static uint32_t right_8(uint32_t w)
{
    return w >> 8 | w << 24;
}

static uint32_t left_1(uint32_t w)
{
    return w << 1 | w >> 31;
}

static uint32_t load_le32(const unsigned char *in)
{
    return (uint32_t)in[3] << 24 | (uint32_t)in[2] << 16 | (uint32_t)in[1] << 8 | in[0];
}

static void mix(uint32_t *va, uint32_t *vb, uint32_t *vc, uint32_t *vd, const uint32_t *x,
                const uint32_t *y)
{
    uint32_t a = *va, b = *vb, c = *vc, d = *vd;

    a += b;
    a += *x;
    d = turn_16(d ^ a);
    c += d;
    b = turn_16(b ^ c);
    b = left_1(left_1(left_1(left_1(b))));
    a += b;
    a += *y;
    d = right_8(d ^ a);
    c += d;
    b = left_1(right_8(b ^ c));

    *va = a;
    *vb = b;
    *vc = c;
    *vd = d;
}

static void compress(struct blake2s_fast *c, unsigned char last)
{
    /* Of each mixing, the message word for its first half in the low four bits. */
    static const unsigned char schedule[ROUNDS * 8] = {
        0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe, 0xae, 0x84, 0xf9, 0x6d, 0xc1, 0x20,
        0x7b, 0x35, 0x8b, 0x0c, 0x25, 0xdf, 0xea, 0x63, 0x17, 0x49, 0x97, 0x13, 0xcd, 0xeb,
        0x62, 0xa5, 0x04, 0x8f, 0x09, 0x75, 0x42, 0xfa, 0x1e, 0xcb, 0x86, 0xd3, 0xc2, 0xa6,
        0xb0, 0x38, 0xd4, 0x57, 0xef, 0x91, 0x5c, 0xf1, 0xde, 0xa4, 0x70, 0x36, 0x29, 0xb8,
        0xbd, 0xe7, 0x1c, 0x93, 0x05, 0x4f, 0x68, 0xa2, 0xf6, 0x9e, 0x3b, 0x80, 0x2c, 0x7d,
        0x41, 0x5a, 0x2a, 0x48, 0x67, 0x51, 0xbf, 0xe9, 0xc3, 0x0d};
    uint32_t v[16], m[16];
    const unsigned char *s = schedule;
    unsigned char round, i;

    memcpy(v, c->h, 32);
    memcpy(v + 8, iv, 32);
    v[12] ^= c->t[0];
    v[13] ^= c->t[1];
    if (last)
        v[14] = ~v[14];
    for (i = 0; i < 16; i++)
        m[i] = load_le32(c->block + 4 * i);

    for (round = 0; round < ROUNDS; round++) {
        for (i = 0; i < 4; i++, s++)
            mix(v + i, v + 4 + i, v + 8 + i, v + 12 + i, m + (*s & 15), m + (*s >> 4));
        for (i = 0; i < 4; i++, s++)
            mix(v + i, v + 4 + ((i + 1) & 3), v + 8 + ((i + 2) & 3), v + 12 + ((i + 3) & 3),
                m + (*s & 15), m + (*s >> 4));
    }

    for (i = 0; i < 8; i++)
        c->h[i] ^= v[i] ^ v[i + 8];
}

static void count(struct blake2s_fast *c)
{
    c->t[0] += c->filled;
    if (c->t[0] < c->filled)
        c->t[1]++;
}

void blake2s_fast_init(struct blake2s_fast *c)
{
    memset(c, 0, sizeof *c);
    memcpy(c->h, iv, sizeof c->h);
    c->h[0] ^= 0x01010020;
}

/* A full block waits for the byte after it: only then is it known not to be the last. */
void blake2s_fast_update(struct blake2s_fast *c, const unsigned char *in, size_t in_bytes)
{
    while (in_bytes > 0) {
        size_t piece;

        if (c->filled == BLOCK_BYTES) {
            count(c);
            compress(c, 0);
            c->filled = 0;
        }
        piece = BLOCK_BYTES - (size_t)c->filled;
        if (piece > in_bytes)
            piece = in_bytes;
        memcpy(c->block + c->filled, in, piece);
        c->filled = (unsigned char)(c->filled + piece);
        in += piece;
        in_bytes -= piece;
    }
}

void blake2s_fast_final(struct blake2s_fast *c, unsigned char *out)
{
    unsigned char i;

    count(c);
    memset(c->block + c->filled, 0, BLOCK_BYTES - (size_t)c->filled);
    compress(c, 1);

    for (i = 0; i < 8; i++) {
        uint32_t h = c->h[i];

        *out++ = (unsigned char)h;
        *out++ = (unsigned char)(h >> 8);
        *out++ = (unsigned char)(h >> 16);
        *out++ = (unsigned char)(h >> 24);
    }
}

void blake2s_fast(unsigned char *out, const unsigned char *in, size_t in_bytes)
{
    struct blake2s_fast c;

    blake2s_fast_init(&c);
    blake2s_fast_update(&c, in, in_bytes);
    blake2s_fast_final(&c, out);
}
