/*
 * DMA controller of three channels: single, block and repeated transfers of bytes and words.
 * Options: family (1xx, 2xx or 5xx: where the registers lie), control (address of DMACTL0),
 * triggers (their number). A transfer is made at the moment of its trigger; the core stands for two
 * of its cycles a transfer and one before a block. Burst-block mode behaves as block mode, and
 * level triggers as edges.
 */
#include "periph/msp430_dma_net.h"
#include "periph/msp430_sfr.h"
#include "periph/periph_window.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"

enum { CHANNELS = 3, CONTROL_OFFSET = 0x80, CONTROL_SIZE = 0x10, TRIGGERS_MAX = 32 };
enum {
    REQ = 0x0001,
    ABORT = 0x0002,
    DMAIE = 0x0004,
    DMAIFG = 0x0008,
    EN = 0x0010,
    SRCBYTE = 0x0040,
    DSTBYTE = 0x0080
};
enum { SRCINCR_SHIFT = 8, DSTINCR_SHIFT = 10, DT_SHIFT = 12 };
enum { TRANSFER_CYCLES = 2, BLOCK_CYCLES = 1 };
enum { IRQ_DMA };
enum field { FIELD_CTL, FIELD_SA, FIELD_SA_HIGH, FIELD_DA, FIELD_DA_HIGH, FIELD_SZ, FIELD_NONE };

struct dma_channel {
    uint16_t ctl, sz;
    uint32_t sa, da;
    uint32_t from, to, left; /* under way */
};

struct msp430_dma;
struct dma_trigger {
    struct msp430_dma *dma;
    unsigned number;
    struct sim_net *net;
    struct net_listener listener;
};

struct msp430_dma {
    struct periph periph;
    struct periph_window control;
    struct msp430_line line;
    unsigned stride, triggers;
    bool is_wide; /* addresses of 20 bits */
    bool is_5xx;
    struct dma_channel channel[CHANNELS];
    uint8_t select[CONTROL_SIZE];
    struct dma_trigger trigger[TRIGGERS_MAX];
};

static void update(struct msp430_dma *d)
{
    bool asks = false;
    for (unsigned i = 0; i < CHANNELS; i++)
        asks |= (d->channel[i].ctl & (DMAIE | DMAIFG)) == (DMAIE | DMAIFG);
    msp430_irq(&d->periph, IRQ_DMA, &d->line, asks);
}

static unsigned trigger_of(const struct msp430_dma *d, unsigned channel)
{
    return d->is_5xx ? d->select[channel] & 31
                     : (unsigned)(d->select[0] | d->select[1] << 8) >> (4 * channel) & 15;
}

static uint32_t step(uint32_t address, unsigned how, bool is_byte)
{
    uint32_t size = is_byte ? 1 : 2;
    return how == 3 ? address + size : how == 2 ? address - size : address;
}

static void reload(struct dma_channel *ch)
{
    ch->from = ch->sa;
    ch->to = ch->da;
    ch->left = ch->sz;
}

static uint32_t load(struct mem_space *s, uint32_t address, bool is_byte)
{
    return is_byte ? mem_read8(s, address) : mem_read16(s, address & ~1u);
}

static void transfer(struct msp430_dma *d, struct dma_channel *ch)
{
    struct mem_space *s = &d->periph.machine->data;
    bool from_byte = ch->ctl & SRCBYTE, to_byte = ch->ctl & DSTBYTE;
    uint32_t value = load(s, ch->from, from_byte);
    if (to_byte)
        mem_write8(s, ch->to, value & 0xff);
    else
        mem_write16(s, ch->to & ~1u, from_byte ? value & 0xff : value);
    ch->from = step(ch->from, ch->ctl >> SRCINCR_SHIFT & 3, from_byte);
    ch->to = step(ch->to, ch->ctl >> DSTINCR_SHIFT & 3, to_byte);
    ch->left--;
}

static void run_channel(struct msp430_dma *d, unsigned index)
{
    struct dma_channel *ch = &d->channel[index];
    unsigned mode = ch->ctl >> DT_SHIFT & 7, count = 1;
    bool is_block = mode & 3, repeats = mode & 4;
    ch->ctl &= (uint16_t)~REQ;
    if (ch->left == 0)
        return;
    if (is_block)
        count = ch->left;
    for (unsigned i = 0; i < count; i++)
        transfer(d, ch);
    machine_stall(d->periph.machine,
                  (uint64_t)count * TRANSFER_CYCLES + (is_block ? BLOCK_CYCLES : 0));
    if (ch->left > 0)
        return;
    ch->ctl |= DMAIFG;
    if (!repeats)
        ch->ctl &= (uint16_t)~EN;
    reload(ch);
    update(d);
}

static void triggered(void *owner, bool level, uint64_t now_ps)
{
    struct dma_trigger *t = owner;
    struct msp430_dma *d = t->dma;
    (void)now_ps;
    for (unsigned i = 0; i < CHANNELS && level; i++)
        if (d->channel[i].ctl & EN && trigger_of(d, i) == t->number) {
            net_drive(d->periph.machine, t->net, false); /* the flag is taken */
            run_channel(d, i);
            return;
        }
}

static enum uj_err dma_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {PERIPH_LOADER_KEYS, "family", "control", "triggers", "note"};
    struct msp430_dma *d = (struct msp430_dma *)p;
    const char *family = NULL;
    int64_t triggers = 16;
    enum uj_err err = yaml_only(ctx, p->options, keys, sizeof keys / sizeof *keys);
    if (err || (err = yaml_need_text(ctx, &family, p->options, "family")) ||
        (err = yaml_get_integer(ctx, &triggers, p->options, "triggers", 1, TRIGGERS_MAX)))
        return err;
    bool is_2xx = strcmp(family, "2xx") == 0;
    d->is_5xx = strcmp(family, "5xx") == 0;
    if ((err = periph_window_option(ctx, &d->control, p, "control",
                                    d->is_5xx ? CONTROL_SIZE
                                    : is_2xx  ? 6
                                              : 4,
                                    CONTROL_OFFSET)))
        return err;
    if (!is_2xx && !d->is_5xx && strcmp(family, "1xx") != 0)
        return yaml_fail(ctx, yaml_get(p->options, "family"), "one of 1xx, 2xx, 5xx");
    d->is_wide = is_2xx || d->is_5xx;
    d->stride = d->is_5xx ? 16 : is_2xx ? 12 : 8;
    if (p->region.size > d->stride * CHANNELS)
        return yaml_fail(ctx, p->options, "is smaller");
    d->triggers = (unsigned)triggers;
    for (unsigned i = 1; i < d->triggers; i++) {
        struct dma_trigger *t = &d->trigger[i];
        *t = (struct dma_trigger){
            .dma = d, .number = i, .net = msp430_dma_net_numbered(p->machine, i)};
        t->listener = (struct net_listener){.changed = triggered, .owner = t};
        net_listen(t->net, &t->listener);
    }
    return UJ_OK;
}

static void dma_reset(struct periph *p)
{
    struct msp430_dma *d = (struct msp430_dma *)p;
    memset(d->channel, 0, sizeof d->channel);
    memset(d->select, 0, sizeof d->select);
    update(d);
}

static enum field field_at(const struct msp430_dma *d, uint32_t offset)
{
    static const uint8_t narrow[4] = {FIELD_CTL, FIELD_SA, FIELD_DA, FIELD_SZ};
    static const uint8_t wide[8] = {FIELD_CTL,     FIELD_SA, FIELD_SA_HIGH, FIELD_DA,
                                    FIELD_DA_HIGH, FIELD_SZ, FIELD_NONE,    FIELD_NONE};
    unsigned at = offset % d->stride / 2;
    return (enum field)(d->is_wide ? wide[at] : narrow[at]);
}

static uint32_t read_iv(struct msp430_dma *d)
{
    for (unsigned i = 0; i < CHANNELS; i++)
        if ((d->channel[i].ctl & (DMAIE | DMAIFG)) == (DMAIE | DMAIFG)) {
            d->channel[i].ctl &= (uint16_t)~DMAIFG;
            update(d);
            return 2 * i + 2;
        }
    return 0;
}

/* DMAIV: behind the selections on the 2xx, at the end of the control registers on the 5xx. */
static bool is_iv(const struct msp430_dma *d, uint32_t offset)
{
    return d->is_wide && offset - CONTROL_OFFSET == (d->is_5xx ? 0x0e : 0x04);
}

static uint32_t dma_read(struct periph *p, uint32_t offset, unsigned bytes)
{
    struct msp430_dma *d = (struct msp430_dma *)p;
    uint32_t value = 0;
    if (is_iv(d, offset))
        return read_iv(d);
    if (offset >= CONTROL_OFFSET) {
        for (unsigned i = 0; i < MSP430_BYTES(bytes) && offset - CONTROL_OFFSET + i < CONTROL_SIZE;
             i++)
            value |= (uint32_t)d->select[offset - CONTROL_OFFSET + i] << (8 * i);
        return value;
    }
    const struct dma_channel *ch = &d->channel[offset / d->stride];
    switch (field_at(d, offset)) {
    case FIELD_CTL: value = ch->ctl; break;
    case FIELD_SA: value = ch->sa & 0xffff; break;
    case FIELD_SA_HIGH: value = ch->sa >> 16; break;
    case FIELD_DA: value = ch->da & 0xffff; break;
    case FIELD_DA_HIGH: value = ch->da >> 16; break;
    case FIELD_SZ: value = ch->left; break;
    case FIELD_NONE: break;
    }
    return value >> (offset & 1 ? 8 : 0);
}

static void write_ctl(struct msp430_dma *d, unsigned index, uint16_t value)
{
    struct dma_channel *ch = &d->channel[index];
    bool starts = value & EN && !(ch->ctl & EN);
    ch->ctl = value & (uint16_t)~ABORT;
    if (starts)
        reload(ch);
    if (value & REQ && value & EN && trigger_of(d, index) == 0)
        run_channel(d, index);
    /* A flag that stands already is a trigger too. */
    unsigned number = trigger_of(d, index);
    if (starts && number > 0 && number < d->triggers && net_level(d->trigger[number].net))
        triggered(&d->trigger[number], true, machine_now(d->periph.machine));
    update(d);
}

static void dma_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes)
{
    struct msp430_dma *d = (struct msp430_dma *)p;
    if (is_iv(d, offset)) {
        (void)read_iv(d);
        return;
    }
    if (offset >= CONTROL_OFFSET) {
        for (unsigned i = 0; i < MSP430_BYTES(bytes) && offset - CONTROL_OFFSET + i < CONTROL_SIZE;
             i++)
            d->select[offset - CONTROL_OFFSET + i] = (uint8_t)(value >> (8 * i));
        return;
    }
    unsigned index = offset / d->stride;
    struct dma_channel *ch = &d->channel[index];
    uint32_t word = value & 0xffff;
    if (bytes == 1) {
        uint32_t other = dma_read(p, offset ^ 1, 1) & 0xff;
        word = offset & 1 ? (value & 0xff) << 8 | other : (value & 0xff) | other << 8;
    }
    switch (field_at(d, offset)) {
    case FIELD_CTL: write_ctl(d, index, (uint16_t)word); break;
    case FIELD_SA: ch->sa = word; break; /* a word clears the upper part */
    case FIELD_SA_HIGH: ch->sa = (ch->sa & 0xffff) | (word & 0xf) << 16; break;
    case FIELD_DA: ch->da = word; break;
    case FIELD_DA_HIGH: ch->da = (ch->da & 0xffff) | (word & 0xf) << 16; break;
    case FIELD_SZ:
        ch->sz = (uint16_t)word;
        ch->left = word;
        break;
    case FIELD_NONE: break;
    }
}

static const char *const dma_irqs[] = {"dma", NULL};

const struct periph_class msp430_dma_class = {
    .name = "msp430_dma",
    .bytes = sizeof(struct msp430_dma),
    .irqs = dma_irqs,
    .create = dma_create,
    .reset = dma_reset,
    .read = dma_read,
    .write = dma_write,
};
