/*
 * Hash mode of Xoodyak as its specification (final round of NIST lightweight cryptography) writes
 * it down, with its names: the permutation Xoodoo[12], and the mode Cyclist without a key.
 */
#include "xoodyak_hash_ref.h"

#include <string.h>

enum { ROUNDS = 12, RATE_BYTES = 16, STATE_BYTES = 48, DIGEST_BYTES = 32 };

/* The color of the first block absorbed, c_D = 0x03, of which hash mode keeps the lowest bit. */
enum { COLOR_ABSORB = 0x03 & 0x01, COLOR_NONE = 0x00 };

static uint32_t rotl(uint32_t x, unsigned int n)
{
    return n == 0 ? x : x << n | x >> (32 - n);
}

/* A <<< (t, v): each lane moves by t places along x, its bits by v along z. */
static void shift_plane(uint32_t A[4], unsigned int t, unsigned int v)
{
    uint32_t B[4];
    unsigned int x;

    for (x = 0; x < 4; x++)
        B[(x + t) % 4] = rotl(A[x], v);
    memcpy(A, B, sizeof B);
}

static void theta(uint32_t A[3][4])
{
    uint32_t P[4], E[4];
    unsigned int x, y;

    for (x = 0; x < 4; x++)
        P[x] = A[0][x] ^ A[1][x] ^ A[2][x];
    memcpy(E, P, sizeof E);
    shift_plane(E, 1, 5);
    shift_plane(P, 1, 14);
    for (y = 0; y < 3; y++) {
        for (x = 0; x < 4; x++)
            A[y][x] ^= E[x] ^ P[x];
    }
}

static void rho_west(uint32_t A[3][4])
{
    shift_plane(A[1], 1, 0);
    shift_plane(A[2], 0, 11);
}

static void iota(uint32_t A[3][4], unsigned int round)
{
    static const uint16_t constant[ROUNDS] = {0x058, 0x038, 0x3c0, 0x0d0, 0x120, 0x014,
                                              0x060, 0x02c, 0x380, 0x0f0, 0x1a0, 0x012};

    A[0][0] ^= constant[round];
}

static void chi(uint32_t A[3][4])
{
    uint32_t B[3];
    unsigned int x, y;

    for (x = 0; x < 4; x++) {
        for (y = 0; y < 3; y++)
            B[y] = ~A[(y + 1) % 3][x] & A[(y + 2) % 3][x];
        for (y = 0; y < 3; y++)
            A[y][x] ^= B[y];
    }
}

static void rho_east(uint32_t A[3][4])
{
    shift_plane(A[1], 0, 1);
    shift_plane(A[2], 2, 8);
}

static void xoodoo(uint32_t A[3][4])
{
    unsigned int round;

    for (round = 0; round < ROUNDS; round++) {
        theta(A);
        rho_west(A);
        iota(A, round);
        chi(A);
        rho_east(A);
    }
}

/* Byte i of the state: lanes in the order x + 4y, the least significant byte first. */
static void add_byte(uint32_t A[3][4], unsigned int i, unsigned char byte)
{
    A[i / 16][i / 4 % 4] ^= (uint32_t)byte << 8 * (i % 4);
}

static unsigned char get_byte(uint32_t A[3][4], unsigned int i)
{
    return (unsigned char)(A[i / 16][i / 4 % 4] >> 8 * (i % 4));
}

/* Down(X, c): s ^= X || 01 || 00* || c, where X is the waiting block. */
static void down(struct xoodyak_hash_ref *c)
{
    unsigned int i;

    for (i = 0; i < c->held; i++)
        add_byte(c->state, i, c->block[i]);
    add_byte(c->state, c->held, 0x01);
    add_byte(c->state, STATE_BYTES - 1, c->color);
    c->held = 0;
    c->color = COLOR_NONE;
}

/* Up(n, c): s = f(s), then the first n bytes of s; hash mode ignores the color. */
static void up(struct xoodyak_hash_ref *c, unsigned char *out, unsigned int n)
{
    unsigned int i;

    xoodoo(c->state);
    for (i = 0; i < n; i++)
        out[i] = get_byte(c->state, i);
}

void xoodyak_hash_ref_init(struct xoodyak_hash_ref *c)
{
    memset(c->state, 0, sizeof c->state);
    c->held = 0;
    c->color = COLOR_ABSORB;
}

/* Absorb: Down for each block, with Up between them; the last block, even if full, waits. */
void xoodyak_hash_ref_update(struct xoodyak_hash_ref *c, const unsigned char *in, size_t in_bytes)
{
    for (; in_bytes > 0; in_bytes--) {
        if (c->held == RATE_BYTES) {
            down(c);
            up(c, NULL, 0);
        }
        c->block[c->held++] = *in++;
    }
}

/* The last Down of Absorb, then Squeeze: Up for each block, with an empty Down between them. */
void xoodyak_hash_ref_final(struct xoodyak_hash_ref *c, unsigned char *out)
{
    unsigned int i;

    for (i = 0; i < DIGEST_BYTES; i += RATE_BYTES) {
        down(c);
        up(c, out + i, RATE_BYTES);
    }
}

void xoodyak_hash_ref(unsigned char *out, const unsigned char *in, size_t in_bytes)
{
    struct xoodyak_hash_ref c;

    xoodyak_hash_ref_init(&c);
    xoodyak_hash_ref_update(&c, in, in_bytes);
    xoodyak_hash_ref_final(&c, out);
}
