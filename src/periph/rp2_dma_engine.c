#include "periph/rp2_dma.h"
#include "periph/unmodelled.h"

static bool requested(const struct rp2_dma *d, const struct rp2_dma_channel *c)
{
    unsigned number = c->ctrl >> d->layout->request & 63;
    return number == RP2_DREQ_FORCE || net_level(d->requests[number].net);
}

static bool ready(const struct rp2_dma *d, const struct rp2_dma_channel *c)
{
    return c->busy && c->ctrl & DMA_ENABLE && requested(d, c);
}

/* The channel that comes next: those of high priority first, each of a class in its turn. */
static int choose(const struct rp2_dma *d)
{
    for (uint32_t class = DMA_HIGH + 1; class -- > 0;) {
        if (class == 1)
            continue;
        for (unsigned i = 1; i <= d->layout->channels; i++) {
            unsigned number = ((unsigned)d->last + i) % d->layout->channels;
            const struct rp2_dma_channel *c = &d->channels[number];
            if ((c->ctrl & DMA_HIGH) == class && ready(d, c))
                return (int)number;
        }
    }
    return -1;
}

static void schedule(struct rp2_dma *d)
{
    struct machine *m = d->block.periph.machine;
    machine_at(m, &d->event, clock_time(m->cpu_clock, d->end_tick));
}

static void begin(struct rp2_dma *d, uint64_t tick)
{
    struct machine *m = d->block.periph.machine;
    int number = choose(d);
    d->active = number;
    if (number < 0)
        return;
    const struct rp2_dma_channel *c = &d->channels[number];
    unsigned cycles =
        (rp2_on_bus(c->read) ? RP2_READ_CYCLES : 0) + (rp2_on_bus(c->write) ? RP2_WRITE_CYCLES : 0);
    if (tick < c->first_tick)
        tick = c->first_tick;
    if (cycles)
        tick = rp2_bus_take(m, tick, cycles);
    d->access_tick = tick;
    d->end_tick = tick + (cycles ? cycles : 1);
    schedule(d);
}

void rp2_dma_next(struct rp2_dma *d)
{
    if (d->active < 0 && !d->stepping)
        begin(d, rp2_tick(d->block.periph.machine));
}

/* Accesses; false: nothing answers there. Registers beside the core are not the DMA's to reach. */

static struct mem_region *target(struct machine *m, uint32_t address)
{
    return address >= 0xD0000000 ? NULL : mem_region_at(&m->data, address);
}

static bool load(struct machine *m, uint32_t *value, uint32_t address, unsigned bytes)
{
    if (!target(m, address))
        return false;
    *value = bytes == 1   ? mem_read8(&m->data, address)
             : bytes == 2 ? mem_read16(&m->data, address)
                          : mem_read32(&m->data, address);
    return true;
}

static bool store(struct machine *m, uint32_t address, uint32_t value, unsigned bytes)
{
    const struct mem_region *region = target(m, address);
    if (!region || region->read_only)
        return false;
    if (bytes == 1)
        mem_write8(&m->data, address, value);
    else if (bytes == 2)
        mem_write16(&m->data, address, value);
    else
        mem_write32(&m->data, address, value);
    return true;
}

static uint32_t swapped(uint32_t value, unsigned bytes)
{
    return bytes == 4   ? __builtin_bswap32(value)
           : bytes == 2 ? (uint32_t)__builtin_bswap16((uint16_t)value)
                        : value;
}

/* An address after an element: `reverse` counts down, or on its own skips every other element; a
 * ring wraps its lowest bits. */
static uint32_t advance(uint32_t address, bool on, bool reverse, unsigned bytes, unsigned ring)
{
    uint32_t step = on && reverse ? 0u - bytes : on ? bytes : reverse ? 2 * bytes : 0;
    uint32_t mask = ring ? (1u << ring) - 1 : UINT32_MAX;
    return (address & ~mask) | ((address + step) & mask);
}

static void raise(struct rp2_dma *d, unsigned number)
{
    d->raw |= 1u << number;
    rp2_dma_irqs(d);
}

static void fail(struct rp2_dma *d, unsigned number, uint32_t error, uint32_t address)
{
    struct rp2_dma_channel *c = &d->channels[number];
    c->ctrl |= error;
    c->busy = false;
    machine_note(d->block.periph.machine, c->start_pc,
                 error == DMA_READ_ERROR ? "DMA reads where nothing answers"
                                         : "DMA writes where nothing answers",
                 address, "the channel has stopped with AHB_ERROR");
    raise(d, number);
}

static void finish(struct rp2_dma *d, unsigned number)
{
    struct rp2_dma_channel *c = &d->channels[number];
    const struct rp2_dma_layout *layout = d->layout;
    unsigned mode = layout->count_mask == UINT32_MAX ? 0 : c->count >> 28;
    unsigned chain = c->ctrl >> layout->chain & 15;
    c->busy = false;
    if (!(c->ctrl >> layout->quiet & 1))
        raise(d, number);
    if (mode == 1)
        rp2_dma_start(d, number);
    else if (chain != number && chain < layout->channels)
        rp2_dma_start(d, chain);
}

static void transfer(struct rp2_dma *d, unsigned number)
{
    struct rp2_dma_channel *c = &d->channels[number];
    const struct rp2_dma_layout *layout = d->layout;
    struct machine *m = d->block.periph.machine;
    unsigned size = c->ctrl >> 2 & 3, bytes = size < 2 ? 1u << size : 4;
    uint32_t read = c->read & ~(bytes - 1), write = c->write & ~(bytes - 1), value;
    if (!load(m, &value, read, bytes)) {
        fail(d, number, DMA_READ_ERROR, read);
        return;
    }
    if (c->ctrl >> layout->swap & 1)
        value = swapped(value, bytes);
    if (!store(m, write, value, bytes)) {
        fail(d, number, DMA_WRITE_ERROR, write);
        return;
    }
    if (!c->busy)
        return; /* the write has aborted the channel */
    unsigned ring = c->ctrl >> layout->ring_size & 15;
    bool ring_write = c->ctrl >> layout->ring_select & 1;
    c->read = advance(read, c->ctrl & DMA_INCREMENT_READ, c->ctrl & layout->read_reverse, bytes,
                      ring_write ? 0 : ring);
    c->write = advance(write, c->ctrl >> layout->increment_write & 1,
                       c->ctrl & layout->write_reverse, bytes, ring_write ? ring : 0);
    bool endless = layout->count_mask != UINT32_MAX && c->count >> 28 == 15;
    if (!endless && --c->left == 0)
        finish(d, number);
}

/* The element under way ends: its accesses are made at the time at which they began. */
static void element_ends(void *owner, uint64_t when_ps)
{
    struct rp2_dma *d = owner;
    struct machine *m = d->block.periph.machine;
    uint64_t before = m->acting_ps, end = d->end_tick;
    unsigned number = (unsigned)d->active;
    m->acting_ps = clock_time(m->cpu_clock, d->access_tick);
    d->stepping = true;
    d->last = d->active;
    if (d->channels[number].busy)
        transfer(d, number);
    d->stepping = false;
    m->acting_ps = when_ps;
    begin(d, end);
    m->acting_ps = before;
}

void rp2_dma_start(struct rp2_dma *d, unsigned number)
{
    struct rp2_dma_channel *c = &d->channels[number];
    struct periph *p = &d->block.periph;
    unsigned request = c->ctrl >> d->layout->request & 63;
    if (!(c->ctrl & DMA_ENABLE) || c->busy)
        return;
    if (request >= RP2_DREQ_TIMER0 && request < RP2_DREQ_FORCE)
        periph_unmodelled(p, "%s: channel %u is paced by a timer", p->name, number);
    if (c->ctrl >> d->layout->sniff & 1 && d->sniff_control & 1)
        periph_unmodelled(p, "%s: the sniffer", p->name);
    c->left = c->count & d->layout->count_mask;
    if (c->left == 0) {
        if (!(c->ctrl >> d->layout->quiet & 1))
            raise(d, number);
        return;
    }
    c->busy = true;
    if (rp2_by_core(p->machine))
        c->start_pc = p->machine->core->class->pc(p->machine->core);
    c->first_tick = (d->stepping ? d->end_tick : rp2_tick(p->machine)) + RP2_DMA_START;
    rp2_dma_next(d);
}

void rp2_dma_abort(struct rp2_dma *d, uint32_t channels)
{
    for (unsigned i = 0; i < d->layout->channels; i++)
        if (channels >> i & 1)
            d->channels[i].busy = false;
}

void rp2_dma_irqs(struct rp2_dma *d)
{
    for (unsigned i = 0; i < d->layout->irqs; i++)
        periph_irq(&d->block.periph, i, (d->raw & d->enabled[i]) | d->forced[i]);
}

static void request_changed(void *owner, bool level, uint64_t now_ps)
{
    struct rp2_dma_request *r = owner;
    (void)now_ps;
    if (level)
        rp2_dma_next(r->dma);
}

void rp2_dma_clock_changed(struct rp2_dma *d)
{
    if (d->active >= 0 && d->event.queued)
        schedule(d);
}

void rp2_dma_engine_create(struct rp2_dma *d)
{
    for (unsigned i = 0; i < RP2_DMA_REQUESTS; i++) {
        struct rp2_dma_request *r = &d->requests[i];
        r->dma = d;
        r->net = rp2_net(d->block.periph.machine, "dreq", i);
        r->listener = (struct net_listener){.changed = request_changed, .owner = r};
        net_listen(r->net, &r->listener);
    }
    d->event = (struct sim_event){.fire = element_ends, .owner = d};
    d->active = -1;
}

void rp2_dma_engine_reset(struct rp2_dma *d)
{
    event_cancel(&d->block.periph.machine->events, &d->event);
    d->active = -1;
    d->last = 0;
    d->stepping = false;
}
