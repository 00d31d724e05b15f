/*
 * USART of the 1xx as UART and SPI master. Options: aclk, smclk (clocks), ie, ifg, me (offsets of
 * its special function registers), bit (of its receive flag; the transmit flag is the next), dma
 * (triggers rx, tx). I2C mode of USART0, SPI slave mode and multiprocessor formats end the run.
 */
#include "periph/msp430_dma_net.h"
#include "periph/msp430_sfr.h"
#include "periph/msp430_shift.h"

enum { CTL, TCTL, RCTL, MCTL, BR0, BR1, RXBUF, TXBUF, USART_SIZE };
enum { SWRST = 0x01, MM = 0x02, SYNC = 0x04, CHAR = 0x10, SPB = 0x20, PENA = 0x80 };
enum { TXEPT = 0x01, SSEL_SHIFT = 4, I2C = 0x20 };
enum { OE = 0x20 };
enum { IRQ_RX, IRQ_TX };

struct msp430_usart {
    struct periph periph;
    struct msp430_shift shift;
    struct sim_clock *aclk, *smclk;
    struct clock_user aclk_user, smclk_user;
    struct sfr_listener listener;
    struct msp430_line lines[2];
    struct msp430_dma_net dma_rx, dma_tx;
    unsigned ie, ifg, me;
    uint8_t rx_bit, tx_bit;
    uint8_t value[USART_SIZE];
};

static void update(void *owner)
{
    struct msp430_usart *u = owner;
    struct machine *m = u->periph.machine;
    uint8_t enabled = sfr_get(m, u->ie), flags = sfr_get(m, u->ifg);
    msp430_irq(&u->periph, IRQ_RX, &u->lines[IRQ_RX], (enabled & flags & u->rx_bit) != 0);
    msp430_irq(&u->periph, IRQ_TX, &u->lines[IRQ_TX], (enabled & flags & u->tx_bit) != 0);
    msp430_dma_net_set(&u->periph, &u->dma_rx, (flags & ~enabled & u->rx_bit) != 0);
    msp430_dma_net_set(&u->periph, &u->dma_tx, (flags & ~enabled & u->tx_bit) != 0);
}

static void can_send(struct periph *p)
{
    sfr_set(p->machine, ((struct msp430_usart *)p)->ifg, ((struct msp430_usart *)p)->tx_bit);
}

static void received(struct periph *p)
{
    struct msp430_usart *u = (struct msp430_usart *)p;
    if (u->shift.is_spi && !u->shift.receiver_on)
        return;
    if (sfr_get(p->machine, u->ifg) & u->rx_bit)
        u->value[RCTL] |= OE;
    sfr_set(p->machine, u->ifg, u->rx_bit);
}

static void rx_taken(void *owner)
{
    struct msp430_usart *u = owner;
    sfr_clear(u->periph.machine, u->ifg, u->rx_bit);
}

static void tx_taken(void *owner)
{
    struct msp430_usart *u = owner;
    sfr_clear(u->periph.machine, u->ifg, u->tx_bit);
}

/* What the registers say of frame, speed and the enables. */
static void configure(struct msp430_usart *u)
{
    static const uint8_t characters[2] = {7, 8};
    struct msp430_shift *s = &u->shift;
    uint8_t ctl = u->value[CTL], enables = sfr_get(u->periph.machine, u->me);
    unsigned source = u->value[TCTL] >> SSEL_SHIFT & 3, bits = characters[(ctl & CHAR) != 0];
    struct sim_clock *clock = source == 0 ? NULL : source == 1 ? u->aclk : u->smclk;
    uint32_t divider = (uint32_t)u->value[BR1] << 8 | u->value[BR0];
    s->is_spi = ctl & SYNC;
    s->mask = (uint8_t)((1u << bits) - 1);
    if (s->is_spi) {
        divider = divider < 2 ? 2 : divider;
        msp430_shift_clock(s, clock, (uint64_t)bits * divider);
    } else {
        divider = divider < 3 ? 3 : divider;
        bits += 2u + (ctl & SPB ? 1 : 0) + (ctl & PENA ? 1 : 0);
        msp430_shift_clock(s, clock, msp430_modulated(bits, divider, u->value[MCTL]));
    }
    bool runs = !(ctl & SWRST);
    /* USPIE is the bit of the receiver's enable, in SPI mode for both directions. */
    bool receiver = enables & u->rx_bit,
         transmitter = enables & (s->is_spi ? u->rx_bit : u->tx_bit);
    msp430_shift_enable(s, runs && transmitter, runs && receiver);
}

static void registers_changed(void *owner)
{
    configure(owner);
    update(owner);
}

static void source_changed(void *owner, uint64_t now_ps)
{
    struct msp430_usart *u = owner;
    (void)now_ps;
    msp430_shift_retime(&u->shift);
    machine_retime(u->periph.machine);
}

static enum uj_err usart_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {
        PERIPH_LOADER_KEYS, "aclk", "smclk", "ie", "ifg", "me", "bit", "dma", "note"};
    struct msp430_usart *u = (struct msp430_usart *)p;
    int64_t ie = 0, ifg = 0, me = 0, bit = 0;
    enum uj_err err = yaml_only(ctx, p->options, keys, sizeof keys / sizeof *keys);
    if (err || (err = msp430_clock_option(ctx, &u->aclk, p, "aclk")) ||
        (err = msp430_clock_option(ctx, &u->smclk, p, "smclk")) ||
        (err = yaml_need_integer(ctx, &ie, p->options, "ie", 0, 15)) ||
        (err = yaml_need_integer(ctx, &ifg, p->options, "ifg", 0, 15)) ||
        (err = yaml_need_integer(ctx, &me, p->options, "me", 0, 15)) ||
        (err = yaml_need_integer(ctx, &bit, p->options, "bit", 0, 6)))
        return err;
    u->dma_rx = (struct msp430_dma_net){.taken = rx_taken, .owner = u};
    u->dma_tx = (struct msp430_dma_net){.taken = tx_taken, .owner = u};
    if ((err = msp430_dma_net_option(ctx, &u->dma_rx, p, "rx")) ||
        (err = msp430_dma_net_option(ctx, &u->dma_tx, p, "tx")))
        return err;
    u->ie = (unsigned)ie;
    u->ifg = (unsigned)ifg;
    u->me = (unsigned)me;
    u->rx_bit = (uint8_t)(1u << bit);
    u->tx_bit = (uint8_t)(2u << bit);
    u->aclk_user = u->smclk_user = (struct clock_user){.changed = source_changed, .owner = u};
    clock_use(u->aclk, &u->aclk_user);
    clock_use(u->smclk, &u->smclk_user);
    msp430_shift_create(&u->shift, p);
    u->shift.can_send = can_send;
    u->shift.received = received;
    u->listener = (struct sfr_listener){.changed = registers_changed, .owner = u};
    sfr_listen(p->machine, &u->listener);
    return UJ_OK;
}

static void hold(struct msp430_usart *u)
{
    struct machine *m = u->periph.machine;
    msp430_shift_reset(&u->shift);
    sfr_clear(m, u->ifg, u->rx_bit);
    sfr_set(m, u->ifg, u->tx_bit);
    sfr_clear(m, u->ie, u->rx_bit | u->tx_bit);
}

static void usart_reset(struct periph *p)
{
    struct msp430_usart *u = (struct msp430_usart *)p;
    for (unsigned i = 0; i < USART_SIZE; i++)
        u->value[i] = 0;
    u->value[CTL] = SWRST;
    hold(u);
    registers_changed(u);
}

static uint8_t read_byte(struct msp430_usart *u, uint32_t offset)
{
    const struct msp430_shift *s = &u->shift;
    switch (offset) {
    case TCTL: return (uint8_t)((u->value[TCTL] & ~TXEPT) | (s->sending || s->waiting ? 0 : TXEPT));
    case RXBUF:
        u->value[RCTL] &= (uint8_t)~OE;
        sfr_clear(u->periph.machine, u->ifg, u->rx_bit);
        return s->receive_buffer;
    default: return u->value[offset];
    }
}

static uint32_t usart_read(struct periph *p, uint32_t offset, unsigned bytes)
{
    (void)bytes;
    return read_byte((struct msp430_usart *)p, offset);
}

static void usart_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes)
{
    struct msp430_usart *u = (struct msp430_usart *)p;
    uint8_t byte = (uint8_t)value;
    (void)bytes;
    if (offset == RXBUF)
        return;
    u->value[offset] = byte;
    if (offset == TXBUF) {
        sfr_clear(p->machine, u->ifg, u->tx_bit);
        msp430_shift_write(&u->shift, byte);
        return;
    }
    if (offset == CTL) {
        if (byte & SYNC && byte & I2C)
            periph_unmodelled(p, "%s: I2C mode of a USART", p->name);
        else if (byte & SYNC && !(byte & (MM | SWRST)))
            periph_unmodelled(p, "%s: SPI as a slave", p->name);
        else if (!(byte & SYNC) && byte & 0x0c)
            periph_unmodelled(p, "%s: multiprocessor format or listening to itself", p->name);
        if (byte & SWRST)
            hold(u);
    }
    configure(u);
}

static void usart_irq_taken(struct periph *p, unsigned output)
{
    struct msp430_usart *u = (struct msp430_usart *)p;
    sfr_clear(p->machine, u->ifg, output == IRQ_RX ? u->rx_bit : u->tx_bit);
}

static const char *const usart_irqs[] = {"rx", "tx", NULL};

const struct periph_class msp430_usart_class = {
    .name = "msp430_usart",
    .bytes = sizeof(struct msp430_usart),
    .window = USART_SIZE,
    .irqs = usart_irqs,
    .create = usart_create,
    .reset = usart_reset,
    .read = usart_read,
    .write = usart_write,
    .irq_taken = usart_irq_taken,
};
