/*
 * The permutation SPARKLE and the message expansion of Esch, after "Schwaemm and Esch: Lightweight
 * Authenticated Encryption and Hashing using the Sparkle Permutation Family", the specification
 * submitted to the final round of NIST's lightweight cryptography project.
 */

#include "esch256_ref_sparkle.h"

static uint32_t rotate_right(uint32_t w, int by)
{
    return w >> by | w << (32 - by);
}

/* The ARX-box A_c, called Alzette. */
static void alzette(uint32_t *x, uint32_t *y, uint32_t c)
{
    *x += rotate_right(*y, 31);
    *y ^= rotate_right(*x, 24);
    *x ^= c;

    *x += rotate_right(*y, 17);
    *y ^= rotate_right(*x, 17);
    *x ^= c;

    *x += *y;
    *y ^= rotate_right(*x, 31);
    *x ^= c;

    *x += rotate_right(*y, 24);
    *y ^= rotate_right(*x, 16);
    *x ^= c;
}

static uint32_t ell(uint32_t w)
{
    return rotate_right(w ^ w << 16, 16);
}

/*
 * The linear layer L_b: a Feistel round with the function M_h, h = b / 2, then the halves change
 * places, the new left half turned by one branch.
 */
static void linear_layer(uint32_t *state, int branches)
{
    int half = branches / 2;
    uint32_t *left = state, *right = state + branches;
    uint32_t sum_x = 0, sum_y = 0, x0, y0;

    for (int i = 0; i < half; i++) {
        sum_x ^= left[2 * i];
        sum_y ^= left[2 * i + 1];
    }
    for (int i = 0; i < half; i++) {
        right[2 * i] ^= left[2 * i] ^ ell(sum_y);
        right[2 * i + 1] ^= left[2 * i + 1] ^ ell(sum_x);
    }
    for (int i = 0; i < branches; i++) {
        uint32_t word = left[i];

        left[i] = right[i];
        right[i] = word;
    }
    x0 = left[0];
    y0 = left[1];
    for (int i = 0; i < branches - 2; i++)
        left[i] = left[i + 2];
    left[branches - 2] = x0;
    left[branches - 1] = y0;
}

void esch256_ref_sparkle(uint32_t *state, int branches, int steps)
{
    static const uint32_t constant[8] = {0xb7e15162, 0xbf715880, 0x38b4da56, 0x324e7738,
                                         0xbb1185eb, 0x4f7c7b57, 0xcfbfa1c8, 0xc2b3293d};

    for (int step = 0; step < steps; step++) {
        state[1] ^= constant[step % 8];
        state[3] ^= (uint32_t)step;
        for (int i = 0; i < branches; i++)
            alzette(&state[2 * i], &state[2 * i + 1], constant[i]);
        linear_layer(state, branches);
    }
}

/* The block fills two branches and zeros the others of the left half; then M_h mixes them. */
void esch256_ref_add_block(uint32_t *state, int branches, const unsigned char *block)
{
    uint32_t word[8] = {0};
    uint32_t sum_x, sum_y;

    for (int k = 0; k < ESCH256_REF_BLOCK_BYTES; k++)
        word[k / 4] |= (uint32_t)block[k] << 8 * (k % 4);
    sum_x = word[0] ^ word[2];
    sum_y = word[1] ^ word[3];
    for (int i = 0; i < branches / 2; i++) {
        state[2 * i] ^= word[2 * i] ^ ell(sum_y);
        state[2 * i + 1] ^= word[2 * i + 1] ^ ell(sum_x);
    }
}

void esch256_ref_get_block(unsigned char *block, const uint32_t *state)
{
    for (int k = 0; k < ESCH256_REF_BLOCK_BYTES; k++)
        block[k] = (unsigned char)(state[k / 4] >> 8 * (k % 4));
}
