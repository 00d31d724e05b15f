/*
 * SHA-256 as FIPS 180-4 writes it down: the functions of section 4.1.2, the constants of 4.2.2, the
 * padding of 5.1.1, the initial value of 5.3.3 and the computation of 6.2.2, with its names.
 */
#include "sha256_ref.h"

#include <string.h>

enum { BLOCK_BYTES = 64, LENGTH_BYTES = 8, ROUNDS = 64 };

/* Section 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64
 * primes. */
static const uint32_t K[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/* Section 4.1.2, with ROTR of section 3.2. */
static uint32_t rotr(uint32_t x, unsigned int n)
{
    return (x >> n) | (x << (32 - n));
}

static uint32_t ch(uint32_t x, uint32_t y, uint32_t z)
{
    return (x & y) ^ (~x & z);
}

static uint32_t maj(uint32_t x, uint32_t y, uint32_t z)
{
    return (x & y) ^ (x & z) ^ (y & z);
}

static uint32_t big_sigma0(uint32_t x)
{
    return rotr(x, 2) ^ rotr(x, 13) ^ rotr(x, 22);
}

static uint32_t big_sigma1(uint32_t x)
{
    return rotr(x, 6) ^ rotr(x, 11) ^ rotr(x, 25);
}

static uint32_t small_sigma0(uint32_t x)
{
    return rotr(x, 7) ^ rotr(x, 18) ^ (x >> 3);
}

static uint32_t small_sigma1(uint32_t x)
{
    return rotr(x, 17) ^ rotr(x, 19) ^ (x >> 10);
}

static uint32_t load_be32(const unsigned char *in)
{
    return (uint32_t)in[0] << 24 | (uint32_t)in[1] << 16 | (uint32_t)in[2] << 8 | in[3];
}

static void store_be32(unsigned char *out, uint32_t word)
{
    out[0] = (unsigned char)(word >> 24);
    out[1] = (unsigned char)(word >> 16);
    out[2] = (unsigned char)(word >> 8);
    out[3] = (unsigned char)word;
}

/* Section 6.2.2: steps 1 to 4 for one block. */
static void compress(uint32_t H[8], const unsigned char *block)
{
    uint32_t W[ROUNDS];
    uint32_t a, b, c, d, e, f, g, h;
    unsigned int t;

    for (t = 0; t < 16; t++)
        W[t] = load_be32(block + 4 * t);
    for (t = 16; t < ROUNDS; t++)
        W[t] = small_sigma1(W[t - 2]) + W[t - 7] + small_sigma0(W[t - 15]) + W[t - 16];

    a = H[0];
    b = H[1];
    c = H[2];
    d = H[3];
    e = H[4];
    f = H[5];
    g = H[6];
    h = H[7];

    for (t = 0; t < ROUNDS; t++) {
        uint32_t T1 = h + big_sigma1(e) + ch(e, f, g) + K[t] + W[t];
        uint32_t T2 = big_sigma0(a) + maj(a, b, c);
        h = g;
        g = f;
        f = e;
        e = d + T1;
        d = c;
        c = b;
        b = a;
        a = T1 + T2;
    }

    H[0] += a;
    H[1] += b;
    H[2] += c;
    H[3] += d;
    H[4] += e;
    H[5] += f;
    H[6] += g;
    H[7] += h;
}

/* Section 5.3.3. */
void sha256_ref_init(struct sha256_ref *c)
{
    static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

    memcpy(c->hash, initial, sizeof c->hash);
    c->bytes = 0;
}

void sha256_ref_update(struct sha256_ref *c, const unsigned char *in, size_t in_bytes)
{
    for (; in_bytes > 0; in_bytes--) {
        c->block[c->bytes % BLOCK_BYTES] = *in++;
        c->bytes++;
        if (c->bytes % BLOCK_BYTES == 0)
            compress(c->hash, c->block);
    }
}

/* Section 5.1.1: one bit 1, zeros up to 64 bits before the end of a block, the length in bits. */
void sha256_ref_final(struct sha256_ref *c, unsigned char *out)
{
    static const unsigned char one = 0x80, zero = 0;
    uint64_t bits = 8 * c->bytes;
    unsigned char length[LENGTH_BYTES];
    unsigned int i;

    for (i = 0; i < LENGTH_BYTES; i++)
        length[i] = (unsigned char)(bits >> (56 - 8 * i));

    sha256_ref_update(c, &one, 1);
    while (c->bytes % BLOCK_BYTES != BLOCK_BYTES - LENGTH_BYTES)
        sha256_ref_update(c, &zero, 1);
    sha256_ref_update(c, length, LENGTH_BYTES);

    for (i = 0; i < 8; i++)
        store_be32(out + 4 * i, c->hash[i]);
}

void sha256_ref(unsigned char *out, const unsigned char *in, size_t in_bytes)
{
    struct sha256_ref c;

    sha256_ref_init(&c);
    sha256_ref_update(&c, in, in_bytes);
    sha256_ref_final(&c, out);
}
