/* SHA-256 (FIPS 180-4) by the RP2350's SHA-256 block: DMA word by word: 16 x 4 + 57 cycles a block.
 * One message at a time. */
#ifndef SHA256_RP2_DMA32_H
#define SHA256_RP2_DMA32_H

#include "sha256_rp2.h"

struct sha256_rp2_dma32 {
    struct sha256_rp2 message;
};

void sha256_rp2_dma32(unsigned char *out, const unsigned char *in, size_t in_bytes);
void sha256_rp2_dma32_init(struct sha256_rp2_dma32 *c);
void sha256_rp2_dma32_update(struct sha256_rp2_dma32 *c, const unsigned char *in, size_t in_bytes);
void sha256_rp2_dma32_final(struct sha256_rp2_dma32 *c, unsigned char *out);

#endif
