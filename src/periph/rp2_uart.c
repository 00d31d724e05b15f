/*
 * UART of RP2040 and RP2350 (Arm PL011): both FIFOs, bit times of (IBRD + FBRD/64) x 16 of its
 * clock, interrupts and requests of data. A character begins with the write that finds the
 * transmitter idle, or where the one before it ends. Not modelled: break, modem lines, IrDA, errors
 * of the line beside overrun; loop-back ends the run.
 *
 * Options: `tx`, `rx`: numbers of its nets "dreq.N", high while the transmitter has room or the
 * receiver a byte, and DMACR allows it.
 */
#include <string.h>

#include "periph/rp2_block.h"
#include "periph/unmodelled.h"

enum {
    DR,
    RSR = 0x04,
    FR = 0x18,
    IBRD = 0x24,
    FBRD = 0x28,
    LCR_H = 0x2C,
    CR = 0x30,
    IFLS = 0x34,
    IMSC = 0x38,
    RIS = 0x3C,
    MIS = 0x40,
    ICR = 0x44,
    DMACR = 0x48,
    PERIPHID0 = 0xFE0,
};
enum { FR_BUSY = 1 << 3, FR_RXFE = 1 << 4, FR_TXFF = 1 << 5, FR_RXFF = 1 << 6, FR_TXFE = 1 << 7 };
enum { LCR_PARITY = 2, LCR_STOP2 = 8, LCR_FIFOS = 16, CR_ON = 1, CR_LOOP = 1 << 7 };
enum { CR_TX = 1 << 8, CR_RX = 1 << 9, INT_RX = 1 << 4, INT_TX = 1 << 5, INT_RT = 1 << 6 };
enum { INT_OE = 1 << 10, FIFO = 32 };

struct fifo {
    uint8_t bytes[FIFO];
    unsigned count;
};

struct rp2_uart {
    struct rp2_block block;
    struct sim_serial *serial;
    struct sim_net *dreq_tx, *dreq_rx;
    uint32_t ibrd, fbrd, lcr, cr, ifls, imsc, raw, dmacr;
    uint32_t ibrd_used, fbrd_used; /* taken over by a write of LCR_H */
    struct fifo tx, rx;
    bool sending, receiving, overrun;
    uint8_t shift, incoming;
    uint64_t send_end, receive_end; /* ticks of the clock */
    struct sim_event send_event, receive_event, timeout_event;
};

static unsigned depth(const struct rp2_uart *u)
{
    return u->lcr & LCR_FIFOS ? FIFO : 1;
}

/* The level of a FIFO that IFLS asks for. */
static unsigned trigger_level(const struct rp2_uart *u, unsigned shift)
{
    static const uint8_t eighths[8] = {1, 2, 4, 6, 7, 7, 7, 7};
    return u->lcr & LCR_FIFOS ? eighths[u->ifls >> shift & 7] * FIFO / 8 : 1;
}

static uint8_t take(struct fifo *f)
{
    uint8_t byte = f->bytes[0];
    memmove(f->bytes, f->bytes + 1, --f->count);
    return byte;
}

static void update(struct rp2_uart *u)
{
    struct periph *p = &u->block.periph;
    periph_irq(p, 0, (u->raw & u->imsc) != 0);
    bool on = !u->block.held && u->cr & CR_ON;
    if (u->dreq_tx)
        net_drive(p->machine, u->dreq_tx, on && u->dmacr & 2 && u->tx.count < depth(u));
    if (u->dreq_rx)
        net_drive(p->machine, u->dreq_rx, on && u->dmacr & 1 && u->rx.count > 0);
}

/* Ticks of the clock that `bits` bits take. */
static uint64_t bit_ticks(const struct rp2_uart *u, unsigned bits)
{
    uint64_t divisor = 64 * (uint64_t)u->ibrd_used + u->fbrd_used;
    return ((divisor ? divisor : 64) * 16 * bits + 32) / 64;
}

static unsigned frame_bits(const struct rp2_uart *u)
{
    return 1 + 5 + (u->lcr >> 5 & 3) + (u->lcr & LCR_PARITY ? 1 : 0) + (u->lcr & LCR_STOP2 ? 2 : 1);
}

static uint8_t data_mask(const struct rp2_uart *u)
{
    return (uint8_t)((1u << (5 + (u->lcr >> 5 & 3))) - 1);
}

static uint64_t ticks_now(const struct rp2_uart *u)
{
    return clock_ticks(u->block.periph.clock, machine_now(u->block.periph.machine));
}

static void at_tick(struct rp2_uart *u, struct sim_event *e, uint64_t tick)
{
    machine_at(u->block.periph.machine, e, clock_time(u->block.periph.clock, tick));
}

static void begin_sending(struct rp2_uart *u, uint64_t tick)
{
    if (u->sending || u->tx.count == 0 || !(u->cr & CR_ON) || !(u->cr & CR_TX))
        return;
    u->sending = true;
    u->shift = take(&u->tx);
    if (u->tx.count == trigger_level(u, 0) || !(u->lcr & LCR_FIFOS))
        u->raw |= INT_TX;
    u->send_end = tick + bit_ticks(u, frame_bits(u));
    at_tick(u, &u->send_event, u->send_end);
}

static void sending_done(void *owner, uint64_t when_ps)
{
    struct rp2_uart *u = owner;
    uint8_t byte = u->shift & data_mask(u);
    u->sending = false;
    begin_sending(u, u->send_end);
    serial_sent(u->serial, byte, when_ps);
    update(u);
}

static void begin_receiving(struct rp2_uart *u, uint64_t tick)
{
    if (u->receiving || u->block.held || !(u->cr & CR_ON) || !(u->cr & CR_RX) ||
        u->block.periph.clock->hz == 0 || !serial_take(u->serial, &u->incoming))
        return;
    u->receiving = true;
    u->receive_end = tick + bit_ticks(u, frame_bits(u));
    at_tick(u, &u->receive_event, u->receive_end);
}

static void receiving_done(void *owner, uint64_t when_ps)
{
    struct rp2_uart *u = owner;
    (void)when_ps;
    u->receiving = false;
    if (u->rx.count < depth(u)) {
        u->rx.bytes[u->rx.count++] = u->incoming & data_mask(u);
        if (u->rx.count == trigger_level(u, 3))
            u->raw |= INT_RX;
        if (u->lcr & LCR_FIFOS)
            at_tick(u, &u->timeout_event, u->receive_end + bit_ticks(u, 32));
    } else {
        u->overrun = true;
        u->raw |= INT_OE;
    }
    begin_receiving(u, u->receive_end);
    update(u);
}

/* Something has been waiting in the FIFO for 32 bits. */
static void timed_out(void *owner, uint64_t when_ps)
{
    struct rp2_uart *u = owner;
    (void)when_ps;
    if (u->rx.count == 0)
        return;
    u->raw |= INT_RT;
    update(u);
}

static void bytes_queued(void *uart)
{
    struct rp2_uart *u = uart;
    begin_receiving(u, ticks_now(u));
}

static enum uj_err net_option(struct uj_ctx *ctx, struct sim_net **net, struct periph *p,
                              const char *key)
{
    int64_t number = -1;
    enum uj_err err = yaml_get_integer(ctx, &number, p->options, key, 0, 62);
    if (!err && number >= 0)
        *net = rp2_net(p->machine, "dreq", (unsigned)number);
    return err;
}

static enum uj_err uart_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {RP2_BLOCK_KEYS, "tx", "rx"};
    struct rp2_uart *u = (struct rp2_uart *)p;
    if (!p->clock)
        return yaml_fail(ctx, p->options, "needs a clock");
    enum uj_err err = yaml_only(ctx, p->options, keys, sizeof keys / sizeof keys[0]);
    if (err || (err = net_option(ctx, &u->dreq_tx, p, "tx")) ||
        (err = net_option(ctx, &u->dreq_rx, p, "rx")))
        return err;
    u->serial = machine_add_serial(p->machine, p->name);
    u->serial->to_receive = bytes_queued;
    u->serial->uart = u;
    u->send_event = (struct sim_event){.fire = sending_done, .owner = u};
    u->receive_event = (struct sim_event){.fire = receiving_done, .owner = u};
    u->timeout_event = (struct sim_event){.fire = timed_out, .owner = u};
    return rp2_block_create(ctx, p);
}

static void uart_reset(struct periph *p)
{
    struct rp2_uart *u = (struct rp2_uart *)p;
    event_cancel(&p->machine->events, &u->send_event);
    event_cancel(&p->machine->events, &u->receive_event);
    event_cancel(&p->machine->events, &u->timeout_event);
    u->ibrd = u->fbrd = u->ibrd_used = u->fbrd_used = u->lcr = u->imsc = u->raw = u->dmacr = 0;
    u->cr = CR_TX | CR_RX;
    u->ifls = 0x12;
    u->tx.count = u->rx.count = 0;
    u->sending = u->receiving = u->overrun = false;
    update(u);
}

static uint32_t flags(const struct rp2_uart *u)
{
    return (u->sending || (u->tx.count && u->cr & CR_ON) ? FR_BUSY : 0) |
           (u->rx.count == 0 ? FR_RXFE : 0) | (u->tx.count >= depth(u) ? FR_TXFF : 0) |
           (u->rx.count >= depth(u) ? FR_RXFF : 0) | (u->tx.count == 0 ? FR_TXFE : 0);
}

static uint32_t peek(struct periph *p, uint32_t at)
{
    static const uint8_t id[8] = {0x11, 0x10, 0x34, 0x00, 0x0D, 0xF0, 0x05, 0xB1};
    const struct rp2_uart *u = (const struct rp2_uart *)p;
    switch (at) {
    case RSR: return u->overrun ? 8 : 0;
    case FR: return flags(u);
    case IBRD: return u->ibrd;
    case FBRD: return u->fbrd;
    case LCR_H: return u->lcr;
    case CR: return u->cr;
    case IFLS: return u->ifls;
    case IMSC: return u->imsc;
    case RIS: return u->raw;
    case MIS: return u->raw & u->imsc;
    case DMACR: return u->dmacr;
    default: return at >= PERIPHID0 ? id[(at - PERIPHID0) / 4] : 0;
    }
}

static uint32_t read_data(struct rp2_uart *u)
{
    if (u->rx.count == 0)
        return 0;
    uint32_t value = take(&u->rx) | (u->overrun ? 1u << 11 : 0);
    u->overrun = false;
    if (u->rx.count < trigger_level(u, 3))
        u->raw &= ~(uint32_t)INT_RX;
    if (u->rx.count == 0)
        u->raw &= ~(uint32_t)INT_RT;
    update(u);
    return value;
}

static uint32_t get(struct periph *p, uint32_t at)
{
    return at == DR ? read_data((struct rp2_uart *)p) : peek(p, at);
}

static void write_data(struct rp2_uart *u, uint8_t byte)
{
    if (u->tx.count >= depth(u))
        return;
    u->tx.bytes[u->tx.count++] = byte;
    if (u->tx.count > trigger_level(u, 0))
        u->raw &= ~(uint32_t)INT_TX;
    begin_sending(u, ticks_now(u));
}

static void set(struct periph *p, uint32_t at, uint32_t value)
{
    struct rp2_uart *u = (struct rp2_uart *)p;
    switch (at) {
    case DR: write_data(u, (uint8_t)value); break;
    case RSR: u->overrun = false; break;
    case IBRD: u->ibrd = value & 0xFFFF; break;
    case FBRD: u->fbrd = value & 0x3F; break;
    case LCR_H:
        u->lcr = value & 0xFF;
        u->ibrd_used = u->ibrd;
        u->fbrd_used = u->fbrd;
        break;
    case CR:
        if (value & CR_LOOP)
            periph_unmodelled(p, "%s: loop-back", p->name);
        u->cr = value & 0xFF87;
        begin_sending(u, ticks_now(u));
        begin_receiving(u, ticks_now(u));
        break;
    case IFLS: u->ifls = value & 0x3F; break;
    case IMSC: u->imsc = value & 0x7FF; break;
    case ICR: u->raw &= ~value; break;
    case DMACR: u->dmacr = value & 7; break;
    default: return;
    }
    update(u);
}

static uint32_t uart_read(struct periph *p, uint32_t offset, unsigned bytes)
{
    return rp2_block_read(p, offset, bytes, get);
}

static void uart_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes)
{
    rp2_block_write(p, offset, value, bytes, peek, set);
}

static void uart_clock_changed(struct periph *p, uint64_t now_ps)
{
    struct rp2_uart *u = (struct rp2_uart *)p;
    (void)now_ps;
    if (u->sending)
        at_tick(u, &u->send_event, u->send_end);
    if (u->receiving)
        at_tick(u, &u->receive_event, u->receive_end);
    else
        begin_receiving(u, ticks_now(u));
}

static const char *const uart_irqs[] = {"uart", NULL};

const struct periph_class rp2_uart_class = {
    .name = "rp2_uart",
    .bytes = sizeof(struct rp2_uart),
    .window = RP2_WINDOW,
    .irqs = uart_irqs,
    .create = uart_create,
    .reset = uart_reset,
    .read = uart_read,
    .write = uart_write,
    .clock_changed = uart_clock_changed,
};
