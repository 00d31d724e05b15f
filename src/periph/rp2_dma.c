/*
 * DMA of RP2040 (12 channels) and RP2350 (16): channels with their four orders of registers,
 * triggers and null triggers, chaining, rings, byte swap, pacing by requests, interrupts, abort and
 * bus errors. Option `layout`: rp2040 or rp2350. The sniffer and the pacing timers end the run
 * where they are used; RP2350's security registers are not there. Timing: rp2_dma.h.
 */
#include "periph/rp2_dma.h"

#include <string.h>

static const struct rp2_dma_layout layouts[] = {
    {.name = "rp2040",
     .channels = 12,
     .irqs = 2,
     .increment_write = 5,
     .ring_size = 6,
     .ring_select = 10,
     .chain = 11,
     .request = 15,
     .quiet = 21,
     .swap = 22,
     .sniff = 23,
     .busy = 24,
     .written = 0xFFFFFF,
     .count_mask = UINT32_MAX,
     .irq_stride = 16,
     .timers = 0x420,
     .trigger = 0x430,
     .sniff_control = 0x434,
     .levels = 0x440,
     .abort = 0x444,
     .number = 0x448},
    {.name = "rp2350",
     .channels = 16,
     .irqs = 4,
     .increment_write = 6,
     .ring_size = 8,
     .ring_select = 12,
     .chain = 13,
     .request = 17,
     .quiet = 23,
     .swap = 24,
     .sniff = 25,
     .busy = 26,
     .read_reverse = 1 << 5,
     .write_reverse = 1 << 7,
     .written = 0x3FFFFFF,
     .count_mask = 0x0FFFFFFF,
     .irq_stride = 16,
     .timers = 0x440,
     .trigger = 0x450,
     .sniff_control = 0x454,
     .levels = 0x460,
     .abort = 0x464,
     .number = 0x468},
};

enum { CHANNELS_END = 0x400, CHANNEL_STRIDE = 0x40, INTR = 0x400, DEBUG = 0x800 };
enum { READ, WRITE, COUNT, CTRL };
/* The registers of a channel in its four orders; the last of each also triggers. */
static const uint8_t orders[4][4] = {
    {READ, WRITE, COUNT, CTRL},
    {CTRL, READ, WRITE, COUNT},
    {CTRL, COUNT, READ, WRITE},
    {CTRL, WRITE, COUNT, READ},
};

static enum uj_err dma_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {RP2_BLOCK_KEYS, "layout"};
    struct rp2_dma *d = (struct rp2_dma *)p;
    const char *layout = NULL;
    enum uj_err err = yaml_only(ctx, p->options, keys, sizeof keys / sizeof keys[0]);
    if (err || (err = yaml_need_text(ctx, &layout, p->options, "layout")))
        return err;
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
        if (strcmp(layouts[i].name, layout) == 0)
            d->layout = &layouts[i];
    if (!d->layout)
        return yaml_fail(ctx, yaml_get(p->options, "layout"), "is neither rp2040 nor rp2350");
    rp2_dma_engine_create(d);
    return rp2_block_create(ctx, p);
}

static void dma_reset(struct periph *p)
{
    struct rp2_dma *d = (struct rp2_dma *)p;
    memset(d->channels, 0, sizeof d->channels);
    for (unsigned i = 0; i < d->layout->channels; i++)
        d->channels[i].ctrl = i << d->layout->chain;
    memset(d->enabled, 0, sizeof d->enabled);
    memset(d->forced, 0, sizeof d->forced);
    memset(d->timers, 0, sizeof d->timers);
    d->raw = d->sniff_control = d->sniff_data = 0;
    rp2_dma_engine_reset(d);
    rp2_dma_irqs(d);
}

static uint32_t get_channel(const struct rp2_dma *d, const struct rp2_dma_channel *c, unsigned what)
{
    switch (what) {
    case READ: return c->read;
    case WRITE: return c->write;
    case COUNT: return c->left | (c->count & ~d->layout->count_mask);
    default: {
        bool error = c->ctrl & (DMA_READ_ERROR | DMA_WRITE_ERROR);
        return c->ctrl | (uint32_t)c->busy << d->layout->busy | (error ? 1u << 31 : 0);
    }
    }
}

/* Interrupt registers: which of them is at this offset? 0 INTR, 1 INTE, 2 INTF, 3 INTS; -1: none.
 */
static int interrupt_register(const struct rp2_dma *d, uint32_t at, unsigned *irq)
{
    if (at < INTR || at >= INTR + d->layout->irqs * d->layout->irq_stride)
        return -1;
    *irq = (at - INTR) / d->layout->irq_stride;
    return (int)(at >> 2 & 3);
}

static uint32_t get(struct periph *p, uint32_t at)
{
    const struct rp2_dma *d = (const struct rp2_dma *)p;
    const struct rp2_dma_layout *layout = d->layout;
    unsigned irq, channel = at / CHANNEL_STRIDE;
    if (at < CHANNELS_END)
        return channel < layout->channels
                   ? get_channel(d, &d->channels[channel], orders[at >> 4 & 3][at >> 2 & 3])
                   : 0;
    if (at >= DEBUG) {
        channel = (at - DEBUG) / CHANNEL_STRIDE;
        return channel < layout->channels && at % CHANNEL_STRIDE == 4
                   ? d->channels[channel].count & layout->count_mask
                   : 0;
    }
    switch (interrupt_register(d, at, &irq)) {
    case 0: return d->raw;
    case 1: return d->enabled[irq];
    case 2: return d->forced[irq];
    case 3: return (d->raw & d->enabled[irq]) | d->forced[irq];
    default: break;
    }
    if (at >= layout->timers && at < layout->timers + 16)
        return d->timers[(at - layout->timers) / 4];
    return at == layout->number              ? layout->channels
           : at == layout->sniff_control     ? d->sniff_control
           : at == layout->sniff_control + 4 ? d->sniff_data
                                             : 0;
}

static void set_channel(struct rp2_dma *d, unsigned number, unsigned order, unsigned index,
                        uint32_t value)
{
    struct rp2_dma_channel *c = &d->channels[number];
    const uint32_t errors = DMA_READ_ERROR | DMA_WRITE_ERROR;
    switch (orders[order][index]) {
    case READ: c->read = value; break;
    case WRITE: c->write = value; break;
    case COUNT:
        c->count = value;
        if (!c->busy)
            c->left = value & d->layout->count_mask;
        break;
    default:
        c->ctrl =
            (value & d->layout->written & ~(1u << d->layout->busy)) | (c->ctrl & errors & ~value);
        break;
    }
    if (index == 3 && value)
        rp2_dma_start(d, number);
    else if (index == 3 && c->ctrl >> d->layout->quiet & 1) {
        d->raw |= 1u << number;
        rp2_dma_irqs(d);
    }
    rp2_dma_next(d);
}

static void set(struct periph *p, uint32_t at, uint32_t value)
{
    struct rp2_dma *d = (struct rp2_dma *)p;
    const struct rp2_dma_layout *layout = d->layout;
    unsigned irq, channel = at / CHANNEL_STRIDE;
    uint32_t all = (1u << layout->channels) - 1;
    if (at < CHANNELS_END) {
        if (channel < layout->channels)
            set_channel(d, channel, at >> 4 & 3, at >> 2 & 3, value);
        return;
    }
    switch (interrupt_register(d, at, &irq)) {
    case 0:
    case 3: d->raw &= ~value; break;
    case 1: d->enabled[irq] = value & all; break;
    case 2: d->forced[irq] = value & all; break;
    default: break;
    }
    rp2_dma_irqs(d);
    if (at >= layout->timers && at < layout->timers + 16)
        d->timers[(at - layout->timers) / 4] = value;
    else if (at == layout->sniff_control)
        d->sniff_control = value;
    else if (at == layout->sniff_control + 4)
        d->sniff_data = value;
    else if (at == layout->abort)
        rp2_dma_abort(d, value);
    else if (at == layout->trigger)
        for (unsigned i = 0; i < layout->channels; i++)
            if (value >> i & 1)
                rp2_dma_start(d, i);
}

static uint32_t dma_read(struct periph *p, uint32_t offset, unsigned bytes)
{
    return rp2_block_read(p, offset, bytes, get);
}

static void dma_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes)
{
    rp2_block_write(p, offset, value, bytes, get, set);
}

static void dma_clock_changed(struct periph *p, uint64_t now_ps)
{
    (void)now_ps;
    rp2_dma_clock_changed((struct rp2_dma *)p);
}

static const char *const dma_irqs[] = {"irq0", "irq1", "irq2", "irq3", NULL};

const struct periph_class rp2_dma_class = {
    .name = "rp2_dma",
    .bytes = sizeof(struct rp2_dma),
    .window = RP2_WINDOW,
    .irqs = dma_irqs,
    .create = dma_create,
    .reset = dma_reset,
    .read = dma_read,
    .write = dma_write,
    .clock_changed = dma_clock_changed,
};
