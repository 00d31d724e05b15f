/*
 * PHOTON-Beetle-Hash[32] after the specification submitted to the final round of NIST's lightweight
 * cryptography project. The functions carry the names that the specification gives them.
 */

#include "photon_beetle_hash_ref.h"

#include <string.h>

enum { FIRST_BLOCK_BYTES = 16, RATE_BYTES = 4, TAG_BYTES = 16, ROUNDS = 12 };

/* ---- PHOTON256: a permutation of 8 x 8 cells of four bits ------------------------------------ */

static void add_constant(unsigned char x[8][8], int round)
{
    static const unsigned char round_constant[ROUNDS] = {1, 3, 7, 14, 13, 11, 6, 12, 9, 2, 5, 10};
    static const unsigned char row_constant[8] = {0, 1, 3, 7, 15, 14, 12, 8};

    for (int i = 0; i < 8; i++)
        x[i][0] = (unsigned char)(x[i][0] ^ round_constant[round] ^ row_constant[i]);
}

static void sub_cells(unsigned char x[8][8])
{
    static const unsigned char sbox[16] = {12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2};

    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++)
            x[i][j] = sbox[x[i][j]];
    }
}

/* Row i turns i cells to the left. */
static void shift_rows(unsigned char x[8][8])
{
    for (int i = 0; i < 8; i++) {
        unsigned char row[8];

        memcpy(row, x[i], sizeof row);
        for (int j = 0; j < 8; j++)
            x[i][j] = row[(j + i) % 8];
    }
}

/* The product in GF(16) modulo z^4 + z + 1. */
static unsigned multiply(unsigned a, unsigned b)
{
    unsigned product = 0;

    for (; b != 0; b >>= 1) {
        if (b & 1)
            product ^= a;
        a <<= 1;
        if (a & 0x10)
            a ^= 0x13;
    }
    return product;
}

/*
 * X <- M^8 X with M = Serial[2, 4, 2, 11, 2, 8, 5, 6]: eight times over, each column drops its top
 * cell and takes the weighted sum of all eight at its foot.
 */
static void mix_column_serial(unsigned char x[8][8])
{
    static const unsigned char weight[8] = {2, 4, 2, 11, 2, 8, 5, 6};

    for (int step = 0; step < 8; step++) {
        for (int j = 0; j < 8; j++) {
            unsigned sum = 0;

            for (int i = 0; i < 8; i++)
                sum ^= multiply(x[i][j], weight[i]);
            for (int i = 0; i < 7; i++)
                x[i][j] = x[i + 1][j];
            x[7][j] = (unsigned char)sum;
        }
    }
}

/* Cells fill the state row by row, the low half of each byte first. */
static void photon256(unsigned char state[32])
{
    unsigned char x[8][8];

    for (int k = 0; k < 32; k++) {
        x[k / 4][2 * (k % 4)] = state[k] & 15;
        x[k / 4][2 * (k % 4) + 1] = state[k] >> 4;
    }
    for (int round = 0; round < ROUNDS; round++) {
        add_constant(x, round);
        sub_cells(x);
        shift_rows(x);
        mix_column_serial(x);
    }
    for (int k = 0; k < 32; k++)
        state[k] = (unsigned char)(x[k / 4][2 * (k % 4)] | x[k / 4][2 * (k % 4) + 1] << 4);
}

/* ---- The hash -------------------------------------------------------------------------------- */

void photon_beetle_hash_ref_init(struct photon_beetle_hash_ref *c)
{
    memset(c, 0, sizeof *c);
    c->block_bytes = FIRST_BLOCK_BYTES;
    c->first = 1;
}

/*
 * The first block takes the place of the initial value; HASH_r permutes before each further one. A
 * full block therefore waits until a byte after it is known to exist: the last one is special.
 */
void photon_beetle_hash_ref_update(struct photon_beetle_hash_ref *c, const unsigned char *in,
                                   size_t in_bytes)
{
    for (size_t k = 0; k < in_bytes; k++) {
        if (c->filled == c->block_bytes) {
            photon256(c->state);
            c->block_bytes = RATE_BYTES;
            c->filled = 0;
            c->first = 0;
        }
        c->state[c->filled++] ^= in[k];
    }
}

/*
 * ozs pads a short last block with a single 1 bit; the constant, in the topmost three bits, tells
 * the cases of the last block apart. TAG_256 squeezes two halves.
 */
void photon_beetle_hash_ref_final(struct photon_beetle_hash_ref *c, unsigned char *out)
{
    int empty = c->first && c->filled == 0;
    int full = c->filled == c->block_bytes;
    unsigned constant;

    if (empty)
        constant = 1;
    else if (c->first)
        constant = full ? 2 : 1;
    else
        constant = full ? 1 : 2;

    if (!empty && !full)
        c->state[c->filled] ^= 1;
    c->state[31] = (unsigned char)(c->state[31] ^ constant << 5);

    photon256(c->state);
    memcpy(out, c->state, TAG_BYTES);
    photon256(c->state);
    memcpy(out + TAG_BYTES, c->state, TAG_BYTES);
}

void photon_beetle_hash_ref(unsigned char *out, const unsigned char *in, size_t in_bytes)
{
    struct photon_beetle_hash_ref c;

    photon_beetle_hash_ref_init(&c);
    photon_beetle_hash_ref_update(&c, in, in_bytes);
    photon_beetle_hash_ref_final(&c, out);
}
