/* PHOTON-Beetle-Hash[32], bit-sliced by rows. */

#ifndef PHOTON_BEETLE_HASH_FAST_H
#define PHOTON_BEETLE_HASH_FAST_H

#include <stddef.h>
#include <stdint.h>

struct photon_beetle_hash_fast {
    uint32_t row[8];           /* byte b holds bit b of the row's cells, column j at bit j */
    unsigned char block_bytes; /* length of the block being filled: 16 for the first, then 4 */
    unsigned char filled;      /* bytes of it that are in the state */
    unsigned char first;       /* nonzero until the first block has been permuted */
};

void photon_beetle_hash_fast(unsigned char *out, const unsigned char *in, size_t in_bytes);

void photon_beetle_hash_fast_init(struct photon_beetle_hash_fast *c);
void photon_beetle_hash_fast_update(struct photon_beetle_hash_fast *c, const unsigned char *in,
                                    size_t in_bytes);
void photon_beetle_hash_fast_final(struct photon_beetle_hash_fast *c, unsigned char *out);

#endif
