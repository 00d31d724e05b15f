/*
 * Esch256 after "Schwaemm and Esch", the specification submitted to the final round of NIST's
 * lightweight cryptography project.
 */

#include "esch256_ref.h"

#include "esch256_ref_sparkle.h"

#include <string.h>

enum { BRANCHES = 6, SLIM_STEPS = 7, BIG_STEPS = 11, BLOCK_BYTES = ESCH256_REF_BLOCK_BYTES };

void esch256_ref_init(struct esch256_ref *c)
{
    memset(c, 0, sizeof *c);
}

/* A full block waits for the byte after it: only then is it known not to be the last. */
void esch256_ref_update(struct esch256_ref *c, const unsigned char *in, size_t in_bytes)
{
    while (in_bytes > 0) {
        size_t piece;

        if (c->filled == BLOCK_BYTES) {
            esch256_ref_add_block(c->state, BRANCHES, c->block);
            esch256_ref_sparkle(c->state, BRANCHES, SLIM_STEPS);
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
void esch256_ref_final(struct esch256_ref *c, unsigned char *out)
{
    if (c->filled < BLOCK_BYTES) {
        c->block[c->filled] = 0x80;
        memset(c->block + c->filled + 1, 0, BLOCK_BYTES - 1 - (size_t)c->filled);
        c->state[BRANCHES - 1] ^= (uint32_t)1 << 24;
    } else {
        c->state[BRANCHES - 1] ^= (uint32_t)2 << 24;
    }
    esch256_ref_add_block(c->state, BRANCHES, c->block);
    esch256_ref_sparkle(c->state, BRANCHES, BIG_STEPS);

    esch256_ref_get_block(out, c->state);
    esch256_ref_sparkle(c->state, BRANCHES, SLIM_STEPS);
    esch256_ref_get_block(out + 16, c->state);
}

void esch256_ref(unsigned char *out, const unsigned char *in, size_t in_bytes)
{
    struct esch256_ref c;

    esch256_ref_init(&c);
    esch256_ref_update(&c, in, in_bytes);
    esch256_ref_final(&c, out);
}
