/* BLAKE2s with 32 bytes of output and no key, plain C after RFC 7693. */
#ifndef BLAKE2S_REF_H
#define BLAKE2S_REF_H

#include <stddef.h>
#include <stdint.h>

struct blake2s_ref {
    uint32_t h[8];
    uint32_t t[2]; /* bytes compressed so far, the low half first */
    unsigned char block[64];
    unsigned char filled; /* bytes in block */
};

void blake2s_ref(unsigned char *out, const unsigned char *in, size_t in_bytes);

void blake2s_ref_init(struct blake2s_ref *c);
void blake2s_ref_update(struct blake2s_ref *c, const unsigned char *in, size_t in_bytes);
void blake2s_ref_final(struct blake2s_ref *c, unsigned char *out);

#endif
