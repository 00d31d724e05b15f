/*
 * DMA of RP2040 and RP2350: what rp2_dma.c (registers) and rp2_dma_engine.c (transfers) share.
 *
 * Timing. Reads and writes overlap, one of each a cycle; an element takes as long as the slower of
 * its two accesses, on the peripheral bus 3 cycles to read and 4 to write, 7 where both are there.
 * The channels share one engine: priority, then round robin. A paced channel begins an element only
 * while its net "dreq.NUMBER" is high; the request of SHA-256 rises and the element begins in the
 * same cycle, so a block of 16 words takes 16 x 4 + 57 cycles, as the data sheet has it.
 * From a trigger to the first element pass RP2_DMA_START cycles, an assumption: it is not
 * published.
 *
 * Accesses of the DMA to a bank of SRAM do not delay the core's: published loops show no cycle
 * added by clashes; the bank is taken at most one cycle in each element.
 */
#ifndef UJ_PERIPH_RP2_DMA_H
#define UJ_PERIPH_RP2_DMA_H

#include "periph/rp2_block.h"

enum { RP2_DMA_CHANNELS = 16, RP2_DMA_IRQS = 4, RP2_DMA_REQUESTS = 64, RP2_DMA_START = 2 };
enum { RP2_DREQ_TIMER0 = 59, RP2_DREQ_FORCE = 63 };

/* Where a chip keeps the fields of CTRL and its global registers. */
struct rp2_dma_layout {
    const char *name;
    unsigned channels, irqs;
    unsigned increment_write, ring_size, ring_select, chain, request, quiet, swap, sniff, busy;
    uint32_t read_reverse, write_reverse; /* bits of CTRL; 0: the chip has none */
    uint32_t written;                     /* bits of CTRL that are stored */
    uint32_t count_mask;                  /* bits of TRANS_COUNT that count */
    uint32_t irq_stride; /* from INTE0 to INTE1; INTRn lies before INTEn where there are four */
    uint32_t timers, trigger, sniff_control, levels, abort, number;
};

enum { DMA_ENABLE = 1, DMA_HIGH = 2, DMA_INCREMENT_READ = 16 };
#define DMA_WRITE_ERROR (1u << 29)
#define DMA_READ_ERROR  (1u << 30)

struct rp2_dma_channel {
    uint32_t read, write, count; /* count as written: what a trigger loads */
    uint32_t left;
    uint32_t ctrl; /* as written, and the two error bits */
    bool busy;
    uint32_t start_pc;   /* the instruction that started it, or the channel that it is chained to */
    uint64_t first_tick; /* no element begins before */
};

struct rp2_dma {
    struct rp2_block block;
    const struct rp2_dma_layout *layout;
    struct rp2_dma_channel channels[RP2_DMA_CHANNELS];
    uint32_t raw, enabled[RP2_DMA_IRQS], forced[RP2_DMA_IRQS];
    uint32_t timers[4], sniff_control, sniff_data;
    struct rp2_dma_request {
        struct rp2_dma *dma;
        struct sim_net *net;
        struct net_listener listener;
    } requests[RP2_DMA_REQUESTS];
    /* The element under way */
    int active, last;
    bool stepping;
    uint64_t access_tick, end_tick;
    struct sim_event event;
};

void rp2_dma_engine_create(struct rp2_dma *d);
void rp2_dma_engine_reset(struct rp2_dma *d);
/* Starts a channel that is enabled and not busy. */
void rp2_dma_start(struct rp2_dma *d, unsigned channel);
void rp2_dma_abort(struct rp2_dma *d, uint32_t channels);
/* A channel was started, paused or resumed: begin an element if none is under way. */
void rp2_dma_next(struct rp2_dma *d);
void rp2_dma_clock_changed(struct rp2_dma *d);
void rp2_dma_irqs(struct rp2_dma *d);

#endif
