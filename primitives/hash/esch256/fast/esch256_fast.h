/* Esch256, for small machines. */

#ifndef ESCH256_FAST_H
#define ESCH256_FAST_H

#include <stddef.h>
#include <stdint.h>

struct esch256_fast {
    uint32_t state[12];
    unsigned char block[16];
    unsigned char filled; /* bytes in block */
};

void esch256_fast(unsigned char *out, const unsigned char *in, size_t in_bytes);

void esch256_fast_init(struct esch256_fast *c);
void esch256_fast_update(struct esch256_fast *c, const unsigned char *in, size_t in_bytes);
void esch256_fast_final(struct esch256_fast *c, unsigned char *out);

#endif
