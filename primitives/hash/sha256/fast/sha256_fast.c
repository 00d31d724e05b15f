/*
 * SHA-256 (FIPS 180-4) for 8-, 16- and 32-bit machines. Of the message schedule it keeps the 16
 * words that the next ones need, a quarter of its length. The inner loops are functions in files of
 * their own, sha256_fast_rounds.h: their locals, without these arrays among them, are in easy reach
 * of an 8-bit machine.
 */
#include "sha256_fast.h"

#include "sha256_fast_rounds.h"

#include <string.h>

enum { BLOCK_BYTES = 64, LENGTH_BYTES = 8, ROUNDS = 64 };

static const uint32_t round_constant[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

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

/* FIPS 180-4, section 6.2.2. */
static void compress(uint32_t hash[8], const unsigned char *block)
{
    uint32_t w[16], state[SHA256_FAST_STATE_WORDS];
    unsigned int t;

    for (t = 0; t < 16; t++)
        w[t] = load_be32(block + 4 * t);
    memcpy(state, hash, 8 * sizeof *hash);

    sha256_fast_rounds(state, w, round_constant);
    for (t = 16; t < ROUNDS; t += 16) {
        sha256_fast_extend(w);
        sha256_fast_rounds(state, w, round_constant + t);
    }

    for (t = 0; t < 8; t++)
        hash[t] += state[t];
}

void sha256_fast_init(struct sha256_fast *c)
{
    static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

    memcpy(c->hash, initial, sizeof c->hash);
    c->bytes = 0;
}

void sha256_fast_update(struct sha256_fast *c, const unsigned char *in, size_t in_bytes)
{
    unsigned int held = (unsigned int)c->bytes % BLOCK_BYTES;

    c->bytes += in_bytes;
    while (in_bytes > 0) {
        size_t piece = BLOCK_BYTES - held;

        if (piece > in_bytes)
            piece = in_bytes;
        memcpy(c->block + held, in, piece);
        in += piece;
        in_bytes -= piece;
        held += (unsigned int)piece;
        if (held == BLOCK_BYTES) {
            compress(c->hash, c->block);
            held = 0;
        }
    }
}

void sha256_fast_final(struct sha256_fast *c, unsigned char *out)
{
    unsigned int held = (unsigned int)c->bytes % BLOCK_BYTES;
    uint64_t bits = c->bytes << 3;
    unsigned int i;

    c->block[held++] = 0x80;
    if (held > BLOCK_BYTES - LENGTH_BYTES) {
        memset(c->block + held, 0, BLOCK_BYTES - held);
        compress(c->hash, c->block);
        held = 0;
    }
    memset(c->block + held, 0, BLOCK_BYTES - LENGTH_BYTES - held);
    for (i = BLOCK_BYTES; i-- > BLOCK_BYTES - LENGTH_BYTES; bits >>= 8)
        c->block[i] = (unsigned char)bits;
    compress(c->hash, c->block);

    for (i = 0; i < 8; i++)
        store_be32(out + 4 * i, c->hash[i]);
}

void sha256_fast(unsigned char *out, const unsigned char *in, size_t in_bytes)
{
    struct sha256_fast c;

    sha256_fast_init(&c);
    sha256_fast_update(&c, in, in_bytes);
    sha256_fast_final(&c, out);
}
