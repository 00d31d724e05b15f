/*
 * What Esch256 and Esch384 share: the permutation SPARKLE and the way a block enters its state.
 *
 * A state of b branches is 2 b words: x and y of branch 0, x and y of branch 1, and so on.
 */

#ifndef ESCH256_REF_SPARKLE_H
#define ESCH256_REF_SPARKLE_H

#include <stdint.h>

enum { ESCH256_REF_BLOCK_BYTES = 16 };

void esch256_ref_sparkle(uint32_t *state, int branches, int steps);

/* Expands the block by M_3 (6 branches) or M_4 (8 branches) and adds it to the left half. */
void esch256_ref_add_block(uint32_t *state, int branches, const unsigned char *block);

/* The first 16 bytes of the state. */
void esch256_ref_get_block(unsigned char *block, const uint32_t *state);

#endif
