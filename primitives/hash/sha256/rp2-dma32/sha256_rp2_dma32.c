/* SHA-256 by the RP2350's SHA-256 block: DMA word by word: 16 x 4 + 57 cycles a block. */
#include "sha256_rp2_dma32.h"

#include "sha256_rp2_dma.h"

enum { SIZE_LOG = 2 }; /* of a DMA transfer */

static void feed(const uint32_t *blocks, size_t count)
{
    sha256_rp2_dma_feed(blocks, count, SIZE_LOG);
}

void sha256_rp2_dma32_init(struct sha256_rp2_dma32 *c)
{
    sha256_rp2_begin(&c->message, SIZE_LOG);
}

void sha256_rp2_dma32_update(struct sha256_rp2_dma32 *c, const unsigned char *in, size_t in_bytes)
{
    sha256_rp2_take(&c->message, feed, in, in_bytes);
}

void sha256_rp2_dma32_final(struct sha256_rp2_dma32 *c, unsigned char *out)
{
    sha256_rp2_end(&c->message, feed, out);
}

void sha256_rp2_dma32(unsigned char *out, const unsigned char *in, size_t in_bytes)
{
    struct sha256_rp2_dma32 c;

    sha256_rp2_dma32_init(&c);
    sha256_rp2_dma32_update(&c, in, in_bytes);
    sha256_rp2_dma32_final(&c, out);
}
