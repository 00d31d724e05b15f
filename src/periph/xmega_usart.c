/*
 * XMEGA USART in asynchronous mode, with the fractional baud generator. Master SPI, synchronous
 * mode and IrDA end the run when they are chosen; nine-bit frames keep the time of theirs, but the
 * ninth bit is lost.
 */
#include "periph/avr_block.h"
#include "periph/uart_line.h"

enum { DATA, STATUS, CTRLA = 3, CTRLB, CTRLC, BAUDCTRLA, BAUDCTRLB, USART_SIZE };
enum { RXCIF = 0x80, TXCIF = 0x40, DREIF = 0x20, BUFOVF = 0x08 };                 /* STATUS */
enum { RXEN = 0x10, TXEN = 0x08, CLK2X = 0x04 };                                  /* CTRLB */
enum { CMODE_MASK = 0xC0, PMODE_MASK = 0x30, SBMODE = 0x08, CHSIZE_MASK = 0x07 }; /* CTRLC */
enum { IRQ_RXC, IRQ_DRE, IRQ_TXC };

struct xmega_usart {
    struct periph periph;
    struct uart_line uart;
    uint8_t ctrla, ctrlb, ctrlc, bauda, baudb;
};

static void update_irqs(struct periph *p)
{
    const struct xmega_usart *u = (const struct xmega_usart *)p;
    xmega_irq(p, IRQ_RXC, uart_line_can_read(&u->uart), u->ctrla >> 4 & 3);
    xmega_irq(p, IRQ_TXC, u->uart.sent, u->ctrla >> 2 & 3);
    xmega_irq(p, IRQ_DRE, uart_line_can_write(&u->uart), u->ctrla & 3);
}

/* 16 or 8 clocks times BSEL + 1 and 2^BSCALE; with a negative BSCALE the one is not scaled. */
static void set_speed(struct xmega_usart *u)
{
    unsigned bsel = (unsigned)(u->baudb & 0x0F) << 8 | u->bauda;
    int bscale = u->baudb >> 4;
    unsigned samples = u->ctrlb & CLK2X ? 8 : 16;
    if (bscale > 7)
        bscale -= 16;
    if (bscale >= 0) {
        u->uart.bit_ticks = samples * (bsel + 1) << bscale;
        u->uart.bit_divisor = 1;
    } else {
        u->uart.bit_ticks = samples * (bsel + (1u << -bscale));
        u->uart.bit_divisor = 1u << -bscale;
    }
}

static void set_frame(struct xmega_usart *u)
{
    static const uint8_t data_bits[8] = {5, 6, 7, 8, 8, 8, 8, 9};
    uart_line_frame(&u->uart, data_bits[u->ctrlc & CHSIZE_MASK], (u->ctrlc & PMODE_MASK) != 0,
                    u->ctrlc & SBMODE ? 2 : 1);
}

static enum uj_err usart_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {PERIPH_LOADER_KEYS};
    if (!p->clock)
        return yaml_fail(ctx, p->options, "needs a clock");
    uart_line_create(&((struct xmega_usart *)p)->uart, p, update_irqs);
    return yaml_only(ctx, p->options, keys, sizeof keys / sizeof keys[0]);
}

static void usart_reset(struct periph *p)
{
    struct xmega_usart *u = (struct xmega_usart *)p;
    u->ctrla = u->ctrlb = u->bauda = u->baudb = 0;
    u->ctrlc = 0x06;
    uart_line_reset(&u->uart);
    set_speed(u);
    set_frame(u);
    update_irqs(p);
}

static uint32_t usart_read(struct periph *p, uint32_t offset, unsigned bytes)
{
    struct xmega_usart *u = (struct xmega_usart *)p;
    (void)bytes;
    switch (offset) {
    case DATA: {
        uint8_t byte = uart_line_read(&u->uart);
        update_irqs(p);
        return byte;
    }
    case STATUS:
        return (uart_line_can_read(&u->uart) ? RXCIF : 0) | (u->uart.sent ? TXCIF : 0) |
               (uart_line_can_write(&u->uart) ? DREIF : 0) | (u->uart.overrun ? BUFOVF : 0);
    case CTRLA: return u->ctrla;
    case CTRLB: return u->ctrlb;
    case CTRLC: return u->ctrlc;
    case BAUDCTRLA: return u->bauda;
    case BAUDCTRLB: return u->baudb;
    default: return 0;
    }
}

static void usart_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes)
{
    struct xmega_usart *u = (struct xmega_usart *)p;
    uint8_t byte = (uint8_t)value;
    (void)bytes;
    switch (offset) {
    case DATA: uart_line_write(&u->uart, byte); break;
    case STATUS:
        if (avr_ones(p, value) & TXCIF)
            u->uart.sent = false;
        break;
    case CTRLA: u->ctrla = byte & 0x3F; break;
    case CTRLB:
        u->ctrlb = byte & 0x1F;
        set_speed(u);
        uart_line_enable(&u->uart, byte & TXEN, byte & RXEN);
        break;
    case CTRLC:
        if (byte & CMODE_MASK)
            periph_unmodelled(p, "%s: another mode than asynchronous", p->name);
        u->ctrlc = byte;
        set_frame(u);
        break;
    case BAUDCTRLA:
        u->bauda = byte;
        set_speed(u);
        break;
    case BAUDCTRLB:
        u->baudb = byte;
        set_speed(u);
        break;
    default: return;
    }
    update_irqs(p);
}

static void usart_clock_changed(struct periph *p, uint64_t now_ps)
{
    (void)now_ps;
    uart_line_clock_changed(&((struct xmega_usart *)p)->uart);
}

static void usart_irq_taken(struct periph *p, unsigned output)
{
    struct xmega_usart *u = (struct xmega_usart *)p;
    if (output == IRQ_TXC)
        u->uart.sent = false;
    update_irqs(p);
}

static const char *const usart_irqs[] = {"rxc", "dre", "txc", NULL};

const struct periph_class xmega_usart_class = {
    .name = "xmega_usart",
    .bytes = sizeof(struct xmega_usart),
    .window = USART_SIZE,
    .irqs = usart_irqs,
    .create = usart_create,
    .reset = usart_reset,
    .read = usart_read,
    .write = usart_write,
    .clock_changed = usart_clock_changed,
    .irq_taken = usart_irq_taken,
};
