/* The SHA-256 block, fed in each of the ways that drivers use; `blocks` from `data`. */
#include "rp2.h"

enum { CSR = SHA256, WDATA = SHA256 + 4, SUM = SHA256 + 8 };

static inline void begin(unsigned dma_size)
{
    REG(CSR) = 1u << 12 | dma_size << 8 | 1;
}

static inline void digest(void)
{
    while (!(REG(CSR) & 4))
        ;
    for (unsigned i = 0; i < 8; i++)
        note(REG(SUM + 4 * i));
}

static inline void feed_polled(const uint32_t *data, unsigned blocks)
{
    for (unsigned i = 0; i < 16 * blocks; i++) {
        while (!(REG(CSR) & 2))
            ;
        REG(WDATA) = data[i];
    }
    while (!(REG(CSR) & 4))
        ;
}

static inline void feed_bytes(const uint8_t *data, unsigned blocks)
{
    for (unsigned i = 0; i < blocks; i++) {
        while (!(REG(CSR) & 2))
            ;
        for (unsigned j = 0; j < 64; j++)
            REG8(WDATA) = data[64 * i + j];
    }
    while (!(REG(CSR) & 4))
        ;
}

static inline void feed_burst(const uint32_t *data, unsigned blocks)
{
    for (unsigned i = 0; i < blocks; i++) {
        while (!(REG(CSR) & 2))
            ;
        for (unsigned j = 0; j < 16; j++)
            REG(WDATA) = data[16 * i + j];
    }
    while (!(REG(CSR) & 4))
        ;
}

/* size: 0 bytes, 1 halves, 2 words */
static inline void feed_dma(const uint32_t *data, unsigned blocks, unsigned size)
{
    REG(DMA) = (uint32_t)data;
    REG(DMA + 4) = WDATA;
    REG(DMA + 8) = blocks * 64 >> size;
    REG(DMA + 0x0C) = 1 | size << 2 | 1 << 4 | 54u << 17;
    while (REG(DMA + 0x10) & 1u << 26)
        ;
    while (!(REG(CSR) & 4))
        ;
}
