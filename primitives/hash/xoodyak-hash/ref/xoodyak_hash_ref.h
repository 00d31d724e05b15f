/* Hash mode of Xoodyak, plain C after its specification. */
#ifndef XOODYAK_HASH_REF_H
#define XOODYAK_HASH_REF_H

#include <stddef.h>
#include <stdint.h>

struct xoodyak_hash_ref {
    uint32_t state[3][4]; /* planes of lanes */
    unsigned char block[16];
    unsigned int held;   /* bytes that wait in block */
    unsigned char color; /* c_D of the next block */
};

void xoodyak_hash_ref(unsigned char *out, const unsigned char *in, size_t in_bytes);
void xoodyak_hash_ref_init(struct xoodyak_hash_ref *c);
void xoodyak_hash_ref_update(struct xoodyak_hash_ref *c, const unsigned char *in, size_t in_bytes);
void xoodyak_hash_ref_final(struct xoodyak_hash_ref *c, unsigned char *out);

#endif
