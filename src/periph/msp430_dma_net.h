/*
 * Triggers of the DMA controller: the nets "dma.1", "dma.2", ..., by the chip's own numbers, high
 * while the flag behind them is set. A block's option `dma` maps its outputs to numbers. The
 * controller drives the net low when it begins a transfer: the block hears that the flag was taken.
 */
#ifndef UJ_PERIPH_MSP430_DMA_NET_H
#define UJ_PERIPH_MSP430_DMA_NET_H

#include "sim/periph.h"

struct msp430_dma_net {
    struct sim_net *net; /* NULL: not wired */
    bool is_high;
    void (*taken)(void *owner); /* set by the block: clear the flag */
    void *owner;
    struct net_listener listener;
};

/* Reads dma: {OUTPUT: NUMBER}; absent: not wired. */
enum uj_err msp430_dma_net_option(struct uj_ctx *ctx, struct msp430_dma_net *dma, struct periph *p,
                                  const char *output) UJ_CHECK;
void msp430_dma_net_set(struct periph *p, struct msp430_dma_net *dma, bool level);
/* The net of a trigger's number. */
struct sim_net *msp430_dma_net_numbered(struct machine *m, unsigned number);

#endif
