/* Hash mode of Xoodyak, portable C for 8-, 16- and 32-bit machines. */
#ifndef XOODYAK_HASH_FAST_H
#define XOODYAK_HASH_FAST_H

#include <stddef.h>
#include <stdint.h>

struct xoodyak_hash_fast {
    uint32_t state[3][4]; /* planes of lanes */
    unsigned char block[16];
    unsigned int held;   /* bytes that wait in block */
    unsigned char color; /* of the next block, bit 0 */
};

void xoodyak_hash_fast(unsigned char *out, const unsigned char *in, size_t in_bytes);
void xoodyak_hash_fast_init(struct xoodyak_hash_fast *c);
void xoodyak_hash_fast_update(struct xoodyak_hash_fast *c, const unsigned char *in,
                              size_t in_bytes);
void xoodyak_hash_fast_final(struct xoodyak_hash_fast *c, unsigned char *out);

#endif
