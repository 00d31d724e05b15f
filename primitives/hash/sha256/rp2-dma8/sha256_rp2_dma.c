/* DMA to the SHA-256 block; see sha256_rp2_dma.h. */
#include "sha256_rp2_dma.h"

#include "sha256_rp2.h"

/* Of channel 0: where to read, where to write, how often, control and start. */
#define READ_ADDR   (*(volatile uint32_t *)(uintptr_t)0x50000000u)
#define WRITE_ADDR  (*(volatile uint32_t *)(uintptr_t)0x50000004u)
#define TRANS_COUNT (*(volatile uint32_t *)(uintptr_t)0x50000008u)
#define CTRL_TRIG   (*(volatile uint32_t *)(uintptr_t)0x5000000Cu)

#define CTRL_EN             UINT32_C(1)
#define CTRL_SIZE(size_log) ((uint32_t)(size_log) << 2)
#define CTRL_INCR_READ      (UINT32_C(1) << 4)
#define CTRL_TREQ(request)  (UINT32_C(request) << 17)
#define CTRL_BUSY           (UINT32_C(1) << 26)
#define DREQ_SHA256         54

void sha256_rp2_dma_feed(const uint32_t *blocks, size_t count, unsigned size_log)
{
    READ_ADDR = (uint32_t)(uintptr_t)blocks;
    WRITE_ADDR = (uint32_t)(uintptr_t)&SHA256_RP2_WDATA;
    TRANS_COUNT = (uint32_t)(count * SHA256_RP2_BLOCK) >> size_log;
    /* CHAIN_TO is 0, the channel itself: no chain. */
    CTRL_TRIG = CTRL_EN | CTRL_SIZE(size_log) | CTRL_INCR_READ | CTRL_TREQ(DREQ_SHA256);
    while (CTRL_TRIG & CTRL_BUSY)
        ;
}
