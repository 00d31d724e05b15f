/* SHA-256 by the RP2350's SHA-256 block: sixteen words to the block for each look at its ready
 * flag. */
#include "sha256_rp2_burst.h"

enum { SIZE_LOG = 2 }; /* of a DMA transfer */

/* A block for each look at the ready flag: in between it always takes words. */
static void feed(const uint32_t *blocks, size_t count)
{
    for (; count > 0; count--, blocks += SHA256_RP2_WORDS) {
        unsigned i;

        sha256_rp2_wait();
#pragma GCC unroll 16
        for (i = 0; i < SHA256_RP2_WORDS; i++)
            SHA256_RP2_WDATA = blocks[i];
    }
}

void sha256_rp2_burst_init(struct sha256_rp2_burst *c)
{
    sha256_rp2_begin(&c->message, SIZE_LOG);
}

void sha256_rp2_burst_update(struct sha256_rp2_burst *c, const unsigned char *in, size_t in_bytes)
{
    sha256_rp2_take(&c->message, feed, in, in_bytes);
}

void sha256_rp2_burst_final(struct sha256_rp2_burst *c, unsigned char *out)
{
    sha256_rp2_end(&c->message, feed, out);
}

void sha256_rp2_burst(unsigned char *out, const unsigned char *in, size_t in_bytes)
{
    struct sha256_rp2_burst c;

    sha256_rp2_burst_init(&c);
    sha256_rp2_burst_update(&c, in, in_bytes);
    sha256_rp2_burst_final(&c, out);
}
