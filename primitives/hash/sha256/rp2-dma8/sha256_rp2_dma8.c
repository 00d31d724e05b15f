/* SHA-256 by the RP2350's SHA-256 block: DMA byte by byte, as the vendor's helper sets it: 64 x 4 +
 * 57 cycles a block. */
#include "sha256_rp2_dma8.h"

#include "sha256_rp2_dma.h"

enum { SIZE_LOG = 0 }; /* of a DMA transfer */

static void feed(const uint32_t *blocks, size_t count)
{
    sha256_rp2_dma_feed(blocks, count, SIZE_LOG);
}

void sha256_rp2_dma8_init(struct sha256_rp2_dma8 *c)
{
    sha256_rp2_begin(&c->message, SIZE_LOG);
}

void sha256_rp2_dma8_update(struct sha256_rp2_dma8 *c, const unsigned char *in, size_t in_bytes)
{
    sha256_rp2_take(&c->message, feed, in, in_bytes);
}

void sha256_rp2_dma8_final(struct sha256_rp2_dma8 *c, unsigned char *out)
{
    sha256_rp2_end(&c->message, feed, out);
}

void sha256_rp2_dma8(unsigned char *out, const unsigned char *in, size_t in_bytes)
{
    struct sha256_rp2_dma8 c;

    sha256_rp2_dma8_init(&c);
    sha256_rp2_dma8_update(&c, in, in_bytes);
    sha256_rp2_dma8_final(&c, out);
}
