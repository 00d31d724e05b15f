/* Esch384, for small machines. */

#ifndef ESCH384_FAST_H
#define ESCH384_FAST_H

#include <stddef.h>
#include <stdint.h>

struct esch384_fast {
    uint32_t state[16];
    unsigned char block[16];
    unsigned char filled; /* bytes in block */
};

void esch384_fast(unsigned char *out, const unsigned char *in, size_t in_bytes);

void esch384_fast_init(struct esch384_fast *c);
void esch384_fast_update(struct esch384_fast *c, const unsigned char *in, size_t in_bytes);
void esch384_fast_final(struct esch384_fast *c, unsigned char *out);

#endif
