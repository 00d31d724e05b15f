/*
 * ATmega USART in asynchronous mode. The synchronous modes end the run when they are chosen;
 * nine-bit frames keep their time, but the ninth bit is lost.
 */
#include "periph/avr_block.h"
#include "periph/uart_line.h"

enum { UCSRA, UCSRB, UCSRC, UBRRL = 4, UBRRH, UDR, USART_SIZE };
enum { RXC = 0x80, TXC = 0x40, UDRE = 0x20, DOR = 0x08, U2X = 0x02, MPCM = 0x01 };      /* UCSRA */
enum { RXCIE = 0x80, TXCIE = 0x40, UDRIE = 0x20, RXEN = 0x10, TXEN = 0x08, UCSZ2 = 4 }; /* UCSRB */
enum { UMSEL_MASK = 0xC0, UPM_MASK = 0x30, USBS = 0x08 };                               /* UCSRC */
enum { IRQ_RXC, IRQ_UDRE, IRQ_TXC };

struct mega_usart {
    struct periph periph;
    struct uart_line uart;
    uint8_t ucsra, ucsrb, ucsrc, ubrrl, ubrrh; /* of UCSRA only U2X and MPCM */
};

static void update_irqs(struct periph *p)
{
    const struct mega_usart *u = (const struct mega_usart *)p;
    periph_irq(p, IRQ_RXC, uart_line_can_read(&u->uart) && u->ucsrb & RXCIE);
    periph_irq(p, IRQ_TXC, u->uart.sent && u->ucsrb & TXCIE);
    periph_irq(p, IRQ_UDRE, uart_line_can_write(&u->uart) && u->ucsrb & UDRIE);
}

static void configure(struct mega_usart *u)
{
    static const uint8_t data_bits[8] = {5, 6, 7, 8, 8, 8, 8, 9};
    unsigned size = (u->ucsrc >> 1 & 3) | (u->ucsrb & UCSZ2);
    unsigned ubrr = (unsigned)(u->ubrrh & 0x0F) << 8 | u->ubrrl;
    u->uart.bit_ticks = (u->ucsra & U2X ? 8 : 16) * (ubrr + 1);
    u->uart.bit_divisor = 1;
    uart_line_frame(&u->uart, data_bits[size], (u->ucsrc & UPM_MASK) != 0, u->ucsrc & USBS ? 2 : 1);
}

static enum uj_err usart_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {PERIPH_LOADER_KEYS};
    if (!p->clock)
        return yaml_fail(ctx, p->options, "needs a clock");
    uart_line_create(&((struct mega_usart *)p)->uart, p, update_irqs);
    return yaml_only(ctx, p->options, keys, sizeof keys / sizeof keys[0]);
}

static void usart_reset(struct periph *p)
{
    struct mega_usart *u = (struct mega_usart *)p;
    u->ucsra = u->ucsrb = u->ubrrl = u->ubrrh = 0;
    u->ucsrc = 0x06;
    uart_line_reset(&u->uart);
    configure(u);
    update_irqs(p);
}

static uint32_t usart_read(struct periph *p, uint32_t offset, unsigned bytes)
{
    struct mega_usart *u = (struct mega_usart *)p;
    (void)bytes;
    switch (offset) {
    case UCSRA:
        return u->ucsra | (uart_line_can_read(&u->uart) ? RXC : 0) | (u->uart.sent ? TXC : 0) |
               (uart_line_can_write(&u->uart) ? UDRE : 0) | (u->uart.overrun ? DOR : 0);
    case UCSRB: return u->ucsrb;
    case UCSRC: return u->ucsrc;
    case UBRRL: return u->ubrrl;
    case UBRRH: return u->ubrrh;
    case UDR: {
        uint8_t byte = uart_line_read(&u->uart);
        update_irqs(p);
        return byte;
    }
    default: return 0;
    }
}

static void usart_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes)
{
    struct mega_usart *u = (struct mega_usart *)p;
    uint8_t byte = (uint8_t)value;
    (void)bytes;
    switch (offset) {
    case UCSRA:
        u->ucsra = byte & (U2X | MPCM);
        if (avr_ones(p, value) & TXC)
            u->uart.sent = false;
        configure(u);
        break;
    case UCSRB:
        u->ucsrb = byte & 0xFD;
        configure(u);
        uart_line_enable(&u->uart, byte & TXEN, byte & RXEN);
        break;
    case UCSRC:
        if (byte & UMSEL_MASK)
            periph_unmodelled(p, "%s: another mode than asynchronous", p->name);
        u->ucsrc = byte;
        configure(u);
        break;
    case UBRRL:
        u->ubrrl = byte;
        configure(u);
        break;
    case UBRRH:
        u->ubrrh = byte & 0x0F;
        configure(u);
        break;
    case UDR: uart_line_write(&u->uart, byte); break;
    default: return;
    }
    update_irqs(p);
}

static void usart_clock_changed(struct periph *p, uint64_t now_ps)
{
    (void)now_ps;
    uart_line_clock_changed(&((struct mega_usart *)p)->uart);
}

static void usart_irq_taken(struct periph *p, unsigned output)
{
    struct mega_usart *u = (struct mega_usart *)p;
    if (output == IRQ_TXC)
        u->uart.sent = false;
    update_irqs(p);
}

static const char *const usart_irqs[] = {"rxc", "udre", "txc", NULL};

const struct periph_class mega_usart_class = {
    .name = "mega_usart",
    .bytes = sizeof(struct mega_usart),
    .window = USART_SIZE,
    .irqs = usart_irqs,
    .create = usart_create,
    .reset = usart_reset,
    .read = usart_read,
    .write = usart_write,
    .clock_changed = usart_clock_changed,
    .irq_taken = usart_irq_taken,
};
