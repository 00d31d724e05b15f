/* BLAKE2s with 32 bytes of output and no key, portable C for 8-, 16- and 32-bit machines. */
#ifndef BLAKE2S_FAST_H
#define BLAKE2S_FAST_H

#include <stddef.h>
#include <stdint.h>

struct blake2s_fast {
    uint32_t h[8];
    uint32_t t[2]; /* bytes compressed so far, the low half first */
    unsigned char block[64];
    unsigned char filled; /* bytes in block */
};

void blake2s_fast(unsigned char *out, const unsigned char *in, size_t in_bytes);

void blake2s_fast_init(struct blake2s_fast *c);
void blake2s_fast_update(struct blake2s_fast *c, const unsigned char *in, size_t in_bytes);
void blake2s_fast_final(struct blake2s_fast *c, unsigned char *out);

#endif
