/*
 * PHOTON-Beetle-Hash[32], bit-sliced by rows.
 *
 * A row of eight cells is one 32-bit word whose byte b collects bit b of every cell. Then
 *   - the S-box is fourteen gates on bytes, for eight cells at once;
 *   - ShiftRows turns each byte of the word in itself;
 *   - doubling in GF(16) turns the word by one byte, a mere renaming on small machines, and adds
 *     its old top byte once more, so a step of MixColumnSerial is eleven additions of words.
 * Nothing is looked up, so the time does not depend on the data. Message bytes enter the sliced
 * state one by one: against a permutation every four bytes that is cheap.
 */

#include "photon_beetle_hash_fast.h"

#include <string.h>

enum { FIRST_BLOCK_BYTES = 16, RATE_BYTES = 4, TAG_BYTES = 16, ROUNDS = 12 };

#define TURN(x, by) ((unsigned char)((x) >> (by) | (x) << (8 - (by))))

/* ---- PHOTON256 ------------------------------------------------------------------------------- */

/* AddConstant, SubCells and ShiftRows on row i. */
static uint32_t substitute(uint32_t row, unsigned char constant, unsigned char i)
{
    unsigned char a = (unsigned char)(row ^ (constant & 1));
    unsigned char b = (unsigned char)(row >> 8 ^ (constant >> 1 & 1));
    unsigned char c = (unsigned char)(row >> 16 ^ (constant >> 2 & 1));
    unsigned char d = (unsigned char)(row >> 24 ^ (constant >> 3));
    unsigned char s, t, u, v;

    s = b ^ c;
    u = d ^ (c & s);
    v = a ^ u;
    t = c ^ (s & u);
    s ^= v;
    b = s ^ (a | t);
    t = (unsigned char)~(t ^ a);
    d = b ^ t;
    c = u ^ (t | s);
    a = v;

    if (i & 4) {
        a = TURN(a, 4);
        b = TURN(b, 4);
        c = TURN(c, 4);
        d = TURN(d, 4);
    }
    if (i & 2) {
        a = TURN(a, 2);
        b = TURN(b, 2);
        c = TURN(c, 2);
        d = TURN(d, 2);
    }
    if (i & 1) {
        a = TURN(a, 1);
        b = TURN(b, 1);
        c = TURN(c, 1);
        d = TURN(d, 1);
    }
    return (uint32_t)d << 24 | (uint32_t)c << 16 | (uint32_t)b << 8 | a;
}

/* Each cell of the row times z, modulo z^4 + z + 1. */
static uint32_t twice(uint32_t row)
{
    row = row << 8 | row >> 24;
    return row ^ (uint16_t)(row << 8);
}

/* The sum 2 r0 + 4 r1 + 2 r2 + 11 r3 + 2 r4 + 8 r5 + 5 r6 + 6 r7, gathered by powers of two. */
static uint32_t weighted_sum(const uint32_t r[8])
{
    uint32_t sum = r[3] ^ r[5];

    sum = twice(sum) ^ r[1] ^ r[6] ^ r[7];
    sum = twice(sum) ^ r[0] ^ r[2] ^ r[3] ^ r[4] ^ r[7];
    return twice(sum) ^ r[3] ^ r[6];
}

/*
 * In a window of sixteen rows the eight steps of MixColumnSerial need no row to move: the state is
 * in the upper half, SubCells puts it into the lower half, and each sum goes to its place.
 */
static void photon256(uint32_t row[8])
{
    static const unsigned char round_constant[ROUNDS] = {1, 3, 7, 14, 13, 11, 6, 12, 9, 2, 5, 10};
    static const unsigned char row_constant[8] = {0, 1, 3, 7, 15, 14, 12, 8};
    uint32_t window[16];
    unsigned char round, i;

    memcpy(window + 8, row, 32);
    for (round = 0; round < ROUNDS; round++) {
        unsigned char constant = round_constant[round];
        uint32_t *to = window;

        for (i = 0; i < 8; i++, to++)
            *to = substitute(to[8], constant ^ row_constant[i], i);
        for (i = 0; i < 8; i++)
            window[8 + i] = weighted_sum(window + i);
    }
    memcpy(row, window + 8, 32);
}

/* ---- Bytes and rows: byte k holds columns 2 (k mod 4) and the next of row k / 4 ------------- */

static void add_byte(uint32_t row[8], unsigned char k, unsigned char byte)
{
    uint32_t bits = 0;
    unsigned char b;

    for (b = 0; b < 4; b++) {
        unsigned char pair = (unsigned char)((byte >> 3 & 1) | (byte >> 6 & 2));

        bits = bits << 8 | (unsigned char)(pair << 2 * (k % 4));
        byte = (unsigned char)(byte << 1);
    }
    row[k / 4] ^= bits;
}

static unsigned char get_byte(const uint32_t row[8], unsigned char k)
{
    uint32_t bits = row[k / 4] >> 2 * (k % 4);
    unsigned char b, byte = 0;

    for (b = 0; b < 4; b++) {
        byte = (unsigned char)(byte >> 1 | (bits & 2) << 6 | (bits & 1) << 3);
        bits >>= 8;
    }
    return byte;
}

/* ---- The hash -------------------------------------------------------------------------------- */

void photon_beetle_hash_fast_init(struct photon_beetle_hash_fast *c)
{
    memset(c, 0, sizeof *c);
    c->block_bytes = FIRST_BLOCK_BYTES;
    c->first = 1;
}

/* A full block waits for the byte after it: only then is it known not to be the last. */
void photon_beetle_hash_fast_update(struct photon_beetle_hash_fast *c, const unsigned char *in,
                                    size_t in_bytes)
{
    for (; in_bytes > 0; in_bytes--) {
        if (c->filled == c->block_bytes) {
            photon256(c->row);
            c->block_bytes = RATE_BYTES;
            c->filled = 0;
            c->first = 0;
        }
        add_byte(c->row, c->filled++, *in++);
    }
}

static void squeeze(struct photon_beetle_hash_fast *c, unsigned char *out)
{
    unsigned char k;

    photon256(c->row);
    for (k = 0; k < TAG_BYTES; k++)
        out[k] = get_byte(c->row, k);
}

/*
 * The topmost bits of the state take 1 for no message, a padded first block or a full later one,
 * and 2 otherwise.
 */
void photon_beetle_hash_fast_final(struct photon_beetle_hash_fast *c, unsigned char *out)
{
    unsigned char empty = c->first && c->filled == 0;
    unsigned char full = c->filled == c->block_bytes;
    unsigned char constant = empty || full != c->first ? 1 : 2;

    if (!empty && !full)
        add_byte(c->row, c->filled, 1);
    add_byte(c->row, 31, (unsigned char)(constant << 5));
    squeeze(c, out);
    squeeze(c, out + TAG_BYTES);
}

void photon_beetle_hash_fast(unsigned char *out, const unsigned char *in, size_t in_bytes)
{
    struct photon_beetle_hash_fast c;

    photon_beetle_hash_fast_init(&c);
    photon_beetle_hash_fast_update(&c, in, in_bytes);
    photon_beetle_hash_fast_final(&c, out);
}
