/* Blocks, padding and digest around the RP2350's SHA-256 block; see sha256_rp2.h. */
#include "sha256_rp2.h"

#include <string.h>

enum { LENGTH_BYTES = 8, DIGEST_WORDS = 8 };

void sha256_rp2_begin(struct sha256_rp2 *c, unsigned dma_size_log)
{
    c->bytes = 0;
    SHA256_RP2_CSR =
        SHA256_RP2_BSWAP | SHA256_RP2_DMA_SIZE(dma_size_log) | SHA256_RP2_ERROR | SHA256_RP2_START;
}

void sha256_rp2_take(struct sha256_rp2 *c, sha256_rp2_feeder *feed, const unsigned char *in,
                     size_t in_bytes)
{
    size_t held = (size_t)(c->bytes % SHA256_RP2_BLOCK);

    c->bytes += in_bytes;
    while (in_bytes > 0) {
        if (held == 0 && in_bytes >= SHA256_RP2_BLOCK && (uintptr_t)in % sizeof(uint32_t) == 0) {
            size_t count = in_bytes / SHA256_RP2_BLOCK;

            feed((const uint32_t *)(const void *)in, count);
            in += count * SHA256_RP2_BLOCK;
            in_bytes -= count * SHA256_RP2_BLOCK;
        } else {
            size_t room = SHA256_RP2_BLOCK - held, part = in_bytes < room ? in_bytes : room;

            memcpy((unsigned char *)c->block + held, in, part);
            held += part;
            in += part;
            in_bytes -= part;
            if (held == SHA256_RP2_BLOCK) {
                feed(c->block, 1);
                held = 0;
            }
        }
    }
}

void sha256_rp2_end(struct sha256_rp2 *c, sha256_rp2_feeder *feed, unsigned char *out)
{
    unsigned char *block = (unsigned char *)c->block;
    size_t held = (size_t)(c->bytes % SHA256_RP2_BLOCK);
    uint64_t bits = c->bytes * 8;
    unsigned i;

    block[held++] = 0x80;
    if (held > SHA256_RP2_BLOCK - LENGTH_BYTES) {
        memset(block + held, 0, SHA256_RP2_BLOCK - held);
        feed(c->block, 1);
        held = 0;
    }
    memset(block + held, 0, SHA256_RP2_BLOCK - LENGTH_BYTES - held);
    for (i = 0; i < LENGTH_BYTES; i++)
        block[SHA256_RP2_BLOCK - LENGTH_BYTES + i] =
            (unsigned char)(bits >> (8 * (LENGTH_BYTES - 1 - i)));
    feed(c->block, 1);
    while (!(SHA256_RP2_CSR & SHA256_RP2_DONE))
        ;
    for (i = 0; i < DIGEST_WORDS; i++) {
        uint32_t word = SHA256_RP2_SUM[i];

        out[4 * i] = (unsigned char)(word >> 24);
        out[4 * i + 1] = (unsigned char)(word >> 16);
        out[4 * i + 2] = (unsigned char)(word >> 8);
        out[4 * i + 3] = (unsigned char)word;
    }
}
