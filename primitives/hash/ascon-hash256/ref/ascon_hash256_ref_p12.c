/* The permutation Ascon-p[12] of NIST SP 800-232, section 3, with its names. */
#include "ascon_hash256_ref.h"

enum { ROUNDS = 12 };

static uint64_t rotr(uint64_t x, unsigned int n)
{
    return (x >> n) | (x << (64 - n));
}

/* Section 3.2: p_C, the constant of round i of 12. */
static void add_constant(uint64_t S[5], unsigned int i)
{
    static const unsigned char constant[ROUNDS] = {0xf0, 0xe1, 0xd2, 0xc3, 0xb4, 0xa5,
                                                   0x96, 0x87, 0x78, 0x69, 0x5a, 0x4b};

    S[2] ^= constant[i];
}

/* Section 3.3: p_S, the 5-bit S-box on all 64 columns, bit-sliced. */
static void substitute(uint64_t S[5])
{
    uint64_t T[5];
    unsigned int i;

    S[0] ^= S[4];
    S[4] ^= S[3];
    S[2] ^= S[1];
    T[0] = S[0] ^ (~S[1] & S[2]);
    T[1] = S[1] ^ (~S[2] & S[3]);
    T[2] = S[2] ^ (~S[3] & S[4]);
    T[3] = S[3] ^ (~S[4] & S[0]);
    T[4] = S[4] ^ (~S[0] & S[1]);
    T[1] ^= T[0];
    T[0] ^= T[4];
    T[3] ^= T[2];
    T[2] = ~T[2];
    for (i = 0; i < 5; i++)
        S[i] = T[i];
}

/* Section 3.4: p_L, the linear diffusion within each word. */
static void diffuse(uint64_t S[5])
{
    S[0] ^= rotr(S[0], 19) ^ rotr(S[0], 28);
    S[1] ^= rotr(S[1], 61) ^ rotr(S[1], 39);
    S[2] ^= rotr(S[2], 1) ^ rotr(S[2], 6);
    S[3] ^= rotr(S[3], 10) ^ rotr(S[3], 17);
    S[4] ^= rotr(S[4], 7) ^ rotr(S[4], 41);
}

void ascon_hash256_ref_p12(uint64_t state[5])
{
    unsigned int i;

    for (i = 0; i < ROUNDS; i++) {
        add_constant(state, i);
        substitute(state);
        diffuse(state);
    }
}
