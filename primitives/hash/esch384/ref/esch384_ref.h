/* Esch384, plain. */

#ifndef ESCH384_REF_H
#define ESCH384_REF_H

#include <stddef.h>
#include <stdint.h>

struct esch384_ref {
    uint32_t state[16];
    unsigned char block[16];
    unsigned char filled; /* bytes in block */
};

void esch384_ref(unsigned char *out, const unsigned char *in, size_t in_bytes);

void esch384_ref_init(struct esch384_ref *c);
void esch384_ref_update(struct esch384_ref *c, const unsigned char *in, size_t in_bytes);
void esch384_ref_final(struct esch384_ref *c, unsigned char *out);

#endif
