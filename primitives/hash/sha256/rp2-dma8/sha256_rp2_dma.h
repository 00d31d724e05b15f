/*
 * Blocks to the SHA-256 block by DMA channel 0, paced by its request, one request a block.
 * Registers: RP2350 data sheet, 12.6. The feeder returns when the last transfer is made.
 */
#ifndef SHA256_RP2_DMA_H
#define SHA256_RP2_DMA_H

#include <stddef.h>
#include <stdint.h>

/* `size_log`: 0 transfers bytes, 2 words. */
void sha256_rp2_dma_feed(const uint32_t *blocks, size_t count, unsigned size_log);

#endif
