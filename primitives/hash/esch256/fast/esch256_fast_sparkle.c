/*
 * SPARKLE for machines of any width.
 *
 * Alzette's rotations are all by 0, 8 or 16 bits, at most one bit off. Where registers are narrower
 * than 32 bits the former only rename them, so every rotation is written as one of those and then
 * one bit. The linear layer is one pass that reads and writes each word once: it carries a branch
 * from the right half to the left one as it walks, so nothing is exchanged or turned afterwards.
 */

#include "esch256_fast_sparkle.h"

static uint32_t left_1(uint32_t w)
{
    return w << 1 | w >> 31;
}

static uint32_t right_1(uint32_t w)
{
    return w >> 1 | w << 31;
}

static uint32_t left_8(uint32_t w)
{
    return w << 8 | w >> 24;
}

static uint32_t turn_16(uint32_t w)
{
    return w << 16 | w >> 16;
}

static void alzette(uint32_t branch[2], uint32_t c)
{
    uint32_t x = branch[0], y = branch[1];

    x += left_1(y);
    y ^= left_8(x);
    x ^= c;

    x += right_1(turn_16(y));
    y ^= right_1(turn_16(x));
    x ^= c;

    x += y;
    y ^= left_1(x);
    x ^= c;

    x += left_8(y);
    y ^= turn_16(x);
    x ^= c;

    branch[0] = x;
    branch[1] = y;
}

static uint32_t ell(uint32_t w)
{
    return turn_16(w) ^ (w & 0xffff);
}

/*
 * One coordinate, x or y, of all branches; add is ell of the other's sum over the left half. The
 * right half becomes the left one of before; the left half becomes the sums, one place down.
 */
static void mix_coordinate(uint32_t *left, uint32_t *right, uint32_t add, unsigned char half)
{
    uint32_t left_0 = left[0], wrapped = right[0] ^ left_0 ^ add;
    unsigned char i;

    right[0] = left_0;
    for (i = 1; i < half; i++) {
        uint32_t next = left[2];

        left[0] = right[2] ^ next ^ add;
        right[2] = next;
        left += 2;
        right += 2;
    }
    left[0] = wrapped;
}

void esch256_fast_sparkle(uint32_t *state, unsigned char branches, unsigned char steps)
{
    static const uint32_t constant[8] = {0xb7e15162, 0xbf715880, 0x38b4da56, 0x324e7738,
                                         0xbb1185eb, 0x4f7c7b57, 0xcfbfa1c8, 0xc2b3293d};
    unsigned char half = branches / 2;
    unsigned char step, i;

    for (step = 0; step < steps; step++) {
        uint32_t sum_x = 0, sum_y = 0;

        state[1] ^= constant[step % 8];
        state[3] ^= step;
        for (i = 0; i < branches; i++)
            alzette(state + 2 * i, constant[i]);
        for (i = 0; i < half; i++) {
            sum_x ^= state[2 * i];
            sum_y ^= state[2 * i + 1];
        }
        mix_coordinate(state, state + branches, ell(sum_y), half);
        mix_coordinate(state + 1, state + branches + 1, ell(sum_x), half);
    }
}

static uint32_t load_32(const unsigned char *in)
{
    return (uint32_t)in[3] << 24 | (uint32_t)in[2] << 16 | (uint32_t)in[1] << 8 | in[0];
}

void esch256_fast_add_block(uint32_t *state, unsigned char branches, const unsigned char *block)
{
    uint32_t x0 = load_32(block), y0 = load_32(block + 4);
    uint32_t x1 = load_32(block + 8), y1 = load_32(block + 12);
    uint32_t add_x = ell(y0 ^ y1), add_y = ell(x0 ^ x1);
    unsigned char i;

    state[0] ^= x0;
    state[1] ^= y0;
    state[2] ^= x1;
    state[3] ^= y1;
    for (i = branches / 2; i > 0; i--) {
        *state++ ^= add_x;
        *state++ ^= add_y;
    }
}

void esch256_fast_get_block(unsigned char *block, const uint32_t *state)
{
    unsigned char i;

    for (i = 0; i < 4; i++) {
        uint32_t word = state[i];

        *block++ = (unsigned char)word;
        *block++ = (unsigned char)(word >> 8);
        *block++ = (unsigned char)(word >> 16);
        *block++ = (unsigned char)(word >> 24);
    }
}
