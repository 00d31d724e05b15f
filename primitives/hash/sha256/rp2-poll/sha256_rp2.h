/*
 * What all ways of driving the RP2350's SHA-256 block share: the blocks of 64 bytes, the padding,
 * which is software's, and the digest. Registers: RP2350 data sheet, 12.13.
 *
 * Laws: the chain value lies in the chip, so one message at a time; the block is out of reset
 * before. A feeder is handed whole blocks, one at least, at an address that is a multiple of four,
 * and may return before the last one is done.
 */
#ifndef SHA256_RP2_H
#define SHA256_RP2_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_RP2_CSR   (*(volatile uint32_t *)(uintptr_t)0x400F8000u)
#define SHA256_RP2_WDATA (*(volatile uint32_t *)(uintptr_t)0x400F8004u)
#define SHA256_RP2_SUM   ((volatile uint32_t *)(uintptr_t)0x400F8008u)

/* CSR */
#define SHA256_RP2_START         UINT32_C(1)
#define SHA256_RP2_READY         (UINT32_C(1) << 1)
#define SHA256_RP2_DONE          (UINT32_C(1) << 2)
#define SHA256_RP2_ERROR         (UINT32_C(1) << 4)
#define SHA256_RP2_DMA_SIZE(log) ((uint32_t)(log) << 8) /* of a transfer: 0 byte, 2 word */
#define SHA256_RP2_BSWAP         (UINT32_C(1) << 12)

enum { SHA256_RP2_BLOCK = 64, SHA256_RP2_WORDS = 16 };

struct sha256_rp2 {
    uint32_t block[SHA256_RP2_WORDS]; /* the begun one */
    uint64_t bytes;                   /* of the message so far */
};

typedef void sha256_rp2_feeder(const uint32_t *blocks, size_t count);

void sha256_rp2_begin(struct sha256_rp2 *c, unsigned dma_size_log);
void sha256_rp2_take(struct sha256_rp2 *c, sha256_rp2_feeder *feed, const unsigned char *in,
                     size_t in_bytes);
void sha256_rp2_end(struct sha256_rp2 *c, sha256_rp2_feeder *feed, unsigned char *out);

/* Until the block takes a word. */
static inline void sha256_rp2_wait(void)
{
    while (!(SHA256_RP2_CSR & SHA256_RP2_READY))
        ;
}

#endif
