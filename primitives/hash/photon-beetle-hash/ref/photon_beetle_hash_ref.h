/* PHOTON-Beetle-Hash[32], plain. */

#ifndef PHOTON_BEETLE_HASH_REF_H
#define PHOTON_BEETLE_HASH_REF_H

#include <stddef.h>

struct photon_beetle_hash_ref {
    unsigned char state[32];
    unsigned char block_bytes; /* length of the block being filled: 16 for the first, then 4 */
    unsigned char filled;      /* bytes of it that are in the state */
    unsigned char first;       /* nonzero until the first block has been permuted */
};

void photon_beetle_hash_ref(unsigned char *out, const unsigned char *in, size_t in_bytes);

void photon_beetle_hash_ref_init(struct photon_beetle_hash_ref *c);
void photon_beetle_hash_ref_update(struct photon_beetle_hash_ref *c, const unsigned char *in,
                                   size_t in_bytes);
void photon_beetle_hash_ref_final(struct photon_beetle_hash_ref *c, unsigned char *out);

#endif
