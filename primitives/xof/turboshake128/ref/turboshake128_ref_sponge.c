/*
 * Keccak-p[1600, n_r] as FIPS 202, section 3, writes it down, and the sponge construction of its
 * section 4. Lane (x, y) of the state is lane[x + 5 y].
 */
#include "turboshake128_ref_sponge.h"

static uint64_t rotate_left(uint64_t w, unsigned int by)
{
    return by == 0 ? w : w << by | w >> (64 - by);
}

/* Section 3.2.1: to each bit the parities of two columns. */
static void theta(uint64_t A[25])
{
    uint64_t C[5], D[5];

    for (int x = 0; x < 5; x++)
        C[x] = A[x] ^ A[x + 5] ^ A[x + 10] ^ A[x + 15] ^ A[x + 20];
    for (int x = 0; x < 5; x++)
        D[x] = C[(x + 4) % 5] ^ rotate_left(C[(x + 1) % 5], 1);
    for (int i = 0; i < 25; i++)
        A[i] ^= D[i % 5];
}

/* Section 3.2.2: each lane turns by an offset of its own, table 2 modulo 64. */
static void rho(uint64_t A[25])
{
    static const unsigned char offset[25] = {0,  1,  62, 28, 27, 36, 44, 6,  55, 20, 3,  10, 43,
                                             25, 39, 41, 45, 15, 21, 8,  18, 2,  61, 56, 14};

    for (int i = 0; i < 25; i++)
        A[i] = rotate_left(A[i], offset[i]);
}

/* Section 3.2.3: the lanes change places. */
static void pi(uint64_t A[25])
{
    uint64_t old[25];

    for (int i = 0; i < 25; i++)
        old[i] = A[i];
    for (int y = 0; y < 5; y++) {
        for (int x = 0; x < 5; x++)
            A[x + 5 * y] = old[(x + 3 * y) % 5 + 5 * x];
    }
}

/* Section 3.2.4: the only step that is not linear. */
static void chi(uint64_t A[25])
{
    for (int y = 0; y < 5; y++) {
        uint64_t row[5];

        for (int x = 0; x < 5; x++)
            row[x] = A[x + 5 * y];
        for (int x = 0; x < 5; x++)
            A[x + 5 * y] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5]);
    }
}

/* Section 3.2.5: the constants that algorithm 5 generates for rounds 0 to 23. */
static void iota(uint64_t A[25], int round)
{
    static const uint64_t RC[24] = {
        UINT64_C(0x0000000000000001), UINT64_C(0x0000000000008082), UINT64_C(0x800000000000808a),
        UINT64_C(0x8000000080008000), UINT64_C(0x000000000000808b), UINT64_C(0x0000000080000001),
        UINT64_C(0x8000000080008081), UINT64_C(0x8000000000008009), UINT64_C(0x000000000000008a),
        UINT64_C(0x0000000000000088), UINT64_C(0x0000000080008009), UINT64_C(0x000000008000000a),
        UINT64_C(0x000000008000808b), UINT64_C(0x800000000000008b), UINT64_C(0x8000000000008089),
        UINT64_C(0x8000000000008003), UINT64_C(0x8000000000008002), UINT64_C(0x8000000000000080),
        UINT64_C(0x000000000000800a), UINT64_C(0x800000008000000a), UINT64_C(0x8000000080008081),
        UINT64_C(0x8000000000008080), UINT64_C(0x0000000080000001), UINT64_C(0x8000000080008008)};

    A[0] ^= RC[round];
}

/* Section 3.3: the rounds 24 - n_r to 23. */
static void keccak_p1600(uint64_t A[25], int rounds)
{
    for (int round = 24 - rounds; round < 24; round++) {
        theta(A);
        rho(A);
        pi(A);
        chi(A);
        iota(A, round);
    }
}

/* Bytes fill a lane from its low end (appendix B.1). */
static void add_byte(struct turboshake128_ref_sponge *s, unsigned int at, unsigned char byte)
{
    s->lane[at / 8] ^= (uint64_t)byte << 8 * (at % 8);
}

void turboshake128_ref_sponge_init(struct turboshake128_ref_sponge *s, unsigned char rate_bytes,
                                   unsigned char rounds)
{
    for (int i = 0; i < 25; i++)
        s->lane[i] = 0;
    s->rate_bytes = rate_bytes;
    s->rounds = rounds;
    s->at = 0;
}

void turboshake128_ref_sponge_absorb(struct turboshake128_ref_sponge *s, const unsigned char *in,
                                     size_t in_bytes)
{
    for (; in_bytes > 0; in_bytes--) {
        add_byte(s, s->at++, *in++);
        if (s->at == s->rate_bytes) {
            keccak_p1600(s->lane, s->rounds);
            s->at = 0;
        }
    }
}

/* Section 5.1, pad10*1: the first bit came with the domain, the last one closes the block. */
void turboshake128_ref_sponge_pad(struct turboshake128_ref_sponge *s, unsigned char domain)
{
    add_byte(s, s->at, domain);
    add_byte(s, s->rate_bytes - 1u, 0x80);
    keccak_p1600(s->lane, s->rounds);
    s->at = 0;
}

void turboshake128_ref_sponge_squeeze(struct turboshake128_ref_sponge *s, unsigned char *out,
                                      size_t out_bytes)
{
    for (; out_bytes > 0; out_bytes--) {
        if (s->at == s->rate_bytes) {
            keccak_p1600(s->lane, s->rounds);
            s->at = 0;
        }
        *out++ = (unsigned char)(s->lane[s->at / 8] >> 8 * (s->at % 8));
        s->at++;
    }
}
