/* Esch256, plain. */

#ifndef ESCH256_REF_H
#define ESCH256_REF_H

#include <stddef.h>
#include <stdint.h>

struct esch256_ref {
    uint32_t state[12];
    unsigned char block[16];
    unsigned char filled; /* bytes in block */
};

void esch256_ref(unsigned char *out, const unsigned char *in, size_t in_bytes);

void esch256_ref_init(struct esch256_ref *c);
void esch256_ref_update(struct esch256_ref *c, const unsigned char *in, size_t in_bytes);
void esch256_ref_final(struct esch256_ref *c, unsigned char *out);

#endif
