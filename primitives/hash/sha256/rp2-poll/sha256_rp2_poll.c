/* SHA-256 by the RP2350's SHA-256 block: one word to the block for each look at its ready flag. */
#include "sha256_rp2_poll.h"

enum { SIZE_LOG = 2 }; /* of a DMA transfer */

/* A word for each look at the ready flag. */
static void feed(const uint32_t *blocks, size_t count)
{
    for (; count > 0; count--) {
        const uint32_t *end = blocks + SHA256_RP2_WORDS;

        do {
            sha256_rp2_wait();
            SHA256_RP2_WDATA = *blocks++;
        } while (blocks != end);
    }
}

void sha256_rp2_poll_init(struct sha256_rp2_poll *c)
{
    sha256_rp2_begin(&c->message, SIZE_LOG);
}

void sha256_rp2_poll_update(struct sha256_rp2_poll *c, const unsigned char *in, size_t in_bytes)
{
    sha256_rp2_take(&c->message, feed, in, in_bytes);
}

void sha256_rp2_poll_final(struct sha256_rp2_poll *c, unsigned char *out)
{
    sha256_rp2_end(&c->message, feed, out);
}

void sha256_rp2_poll(unsigned char *out, const unsigned char *in, size_t in_bytes)
{
    struct sha256_rp2_poll c;

    sha256_rp2_poll_init(&c);
    sha256_rp2_poll_update(&c, in, in_bytes);
    sha256_rp2_poll_final(&c, out);
}
