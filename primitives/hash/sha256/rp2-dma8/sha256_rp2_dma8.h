/* SHA-256 (FIPS 180-4) by the RP2350's SHA-256 block: DMA byte by byte, as the vendor's helper sets
 * it: 64 x 4 + 57 cycles a block. One message at a time. */
#ifndef SHA256_RP2_DMA8_H
#define SHA256_RP2_DMA8_H

#include "sha256_rp2.h"

struct sha256_rp2_dma8 {
    struct sha256_rp2 message;
};

void sha256_rp2_dma8(unsigned char *out, const unsigned char *in, size_t in_bytes);
void sha256_rp2_dma8_init(struct sha256_rp2_dma8 *c);
void sha256_rp2_dma8_update(struct sha256_rp2_dma8 *c, const unsigned char *in, size_t in_bytes);
void sha256_rp2_dma8_final(struct sha256_rp2_dma8 *c, unsigned char *out);

#endif
