/* Esch384 over the SPARKLE that is tuned for small machines. */

#include "esch384_fast.h"

#include "esch256_fast_sparkle.h"

#include <string.h>

enum { BRANCHES = 8, SLIM_STEPS = 8, BIG_STEPS = 12, BLOCK_BYTES = ESCH256_FAST_BLOCK_BYTES };

void esch384_fast_init(struct esch384_fast *c)
{
    memset(c, 0, sizeof *c);
}

/* A full block waits for the byte after it: only then is it known not to be the last. */
void esch384_fast_update(struct esch384_fast *c, const unsigned char *in, size_t in_bytes)
{
    while (in_bytes > 0) {
        size_t piece;

        if (c->filled == BLOCK_BYTES) {
            esch256_fast_add_block(c->state, BRANCHES, c->block);
            esch256_fast_sparkle(c->state, BRANCHES, SLIM_STEPS);
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

/*
 * The last block is told from the others by a constant in the last y of the left half, 1 << 24 if
 * it had to be padded and 2 << 24 if it is full, and by the greater number of steps.
 */
void esch384_fast_final(struct esch384_fast *c, unsigned char *out)
{
    if (c->filled < BLOCK_BYTES) {
        c->block[c->filled] = 0x80;
        memset(c->block + c->filled + 1, 0, BLOCK_BYTES - 1 - (size_t)c->filled);
        c->state[BRANCHES - 1] ^= (uint32_t)1 << 24;
    } else {
        c->state[BRANCHES - 1] ^= (uint32_t)2 << 24;
    }
    esch256_fast_add_block(c->state, BRANCHES, c->block);
    esch256_fast_sparkle(c->state, BRANCHES, BIG_STEPS);

    esch256_fast_get_block(out, c->state);
    esch256_fast_sparkle(c->state, BRANCHES, SLIM_STEPS);
    esch256_fast_get_block(out + 16, c->state);
    esch256_fast_sparkle(c->state, BRANCHES, SLIM_STEPS);
    esch256_fast_get_block(out + 32, c->state);
}

void esch384_fast(unsigned char *out, const unsigned char *in, size_t in_bytes)
{
    struct esch384_fast c;

    esch384_fast_init(&c);
    esch384_fast_update(&c, in, in_bytes);
    esch384_fast_final(&c, out);
}
