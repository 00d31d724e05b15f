/*
 * USCI of the 2xx and 5xx: module A as UART and SPI master, module B as SPI and I2C master.
 * Options: aclk, smclk (clocks; SMCLK the one that low-power modes do not stop, since the USCI
 * starts it when it needs it), kind (a or b), family (2xx or 5xx); of the 2xx: ie, ifg, bit (its
 * flags in the special function registers), address (where I2COA and I2CSA lie); dma (triggers rx,
 * tx). IrDA, automatic baud rates, multiprocessor formats and slave modes end the run.
 */
#include "periph/msp430_usci.h"

#include <string.h>

enum { SYNC = 0x01, MODE_SHIFT = 1, MODE_I2C = 3, MST = 0x08 }; /* CTL0 */
enum { PEN = 0x80, SEVEN_BIT = 0x10, SPB = 0x08 };              /* CTL0, UART */
enum { SSEL_SHIFT = 6, OS16 = 0x01, BRF_SHIFT = 4, BRS_SHIFT = 1, BUSY = 0x01, OE = 0x20 };
enum { IRQ_RX, IRQ_TX, IRQ_ANY };
enum { WINDOW_2XX = 0x08, WINDOW_5XX = 0x20, ADDRESS_OFFSET = 0x40 };

bool usci_is_i2c(const struct msp430_usci *u)
{
    return u->is_b && u->value[USCI_CTL0] & SYNC &&
           (u->value[USCI_CTL0] >> MODE_SHIFT & 3) == MODE_I2C;
}

static enum usci_reg place(const struct msp430_usci *u, uint32_t offset)
{
    static const uint8_t wide[WINDOW_5XX] = {
        USCI_CTL1,  USCI_CTL0, USCI_NONE, USCI_NONE, USCI_NONE,     USCI_NONE,     USCI_BR0,
        USCI_BR1,   USCI_MCTL, USCI_NONE, USCI_STAT, USCI_NONE,     USCI_RXBUF,    USCI_NONE,
        USCI_TXBUF, USCI_NONE, USCI_MORE, USCI_NONE, USCI_MORE + 1, USCI_MORE + 2, USCI_NONE,
        USCI_NONE,  USCI_NONE, USCI_NONE, USCI_NONE, USCI_NONE,     USCI_NONE,     USCI_NONE,
        USCI_IE,    USCI_IFG,  USCI_IV0,  USCI_IV1,
    };
    if (offset >= ADDRESS_OFFSET)
        return (enum usci_reg)(USCI_OA0 + (offset - ADDRESS_OFFSET));
    if (!u->is_5xx)
        return offset < WINDOW_2XX ? (enum usci_reg)offset : USCI_NONE;
    if (u->is_b && offset >= 0x10 && offset < 0x14)
        return (enum usci_reg)(USCI_OA0 + (offset - 0x10));
    return offset < WINDOW_5XX ? (enum usci_reg)wide[offset] : USCI_NONE;
}

/* Flags and interrupts */

uint8_t usci_flags(const struct msp430_usci *u)
{
    int flags = u->is_5xx ? u->value[USCI_IFG] : sfr_get(u->periph.machine, u->ifg) >> u->bit;
    return (uint8_t)(flags & 3);
}

static uint8_t enables(const struct msp430_usci *u)
{
    int flags = u->is_5xx ? u->value[USCI_IE] : sfr_get(u->periph.machine, u->ie) >> u->bit;
    return (uint8_t)(flags & 3);
}

static void update(void *owner)
{
    struct msp430_usci *u = owner;
    uint8_t flags = usci_flags(u), on = enables(u);
    if (u->is_5xx) {
        msp430_irq(&u->periph, IRQ_ANY, &u->lines[IRQ_ANY],
                   (u->value[USCI_IFG] & u->value[USCI_IE]) != 0);
    } else if (usci_is_i2c(u)) {
        /* Status has the receive vector, data both ways the other. */
        msp430_irq(&u->periph, IRQ_RX, &u->lines[IRQ_RX],
                   (u->value[USCI_STAT] & u->value[USCI_I2CIE] & 0x0f) != 0);
        msp430_irq(&u->periph, IRQ_TX, &u->lines[IRQ_TX], (flags & on) != 0);
    } else {
        msp430_irq(&u->periph, IRQ_RX, &u->lines[IRQ_RX], (flags & on & USCI_RX) != 0);
        msp430_irq(&u->periph, IRQ_TX, &u->lines[IRQ_TX], (flags & on & USCI_TX) != 0);
    }
    msp430_dma_net_set(&u->periph, &u->dma_rx, (flags & ~on & USCI_RX) != 0);
    msp430_dma_net_set(&u->periph, &u->dma_tx, (flags & ~on & USCI_TX) != 0);
}

void usci_flag(struct msp430_usci *u, uint8_t flag, bool on)
{
    if (!u->is_5xx) {
        if (on)
            sfr_set(u->periph.machine, u->ifg, (uint8_t)(flag << u->bit));
        else
            sfr_clear(u->periph.machine, u->ifg, (uint8_t)(flag << u->bit));
    } else if (on) {
        u->value[USCI_IFG] |= flag;
    } else {
        u->value[USCI_IFG] &= (uint8_t)~flag;
    }
    update(u);
}

void usci_status(struct msp430_usci *u, uint8_t flag)
{
    static const uint8_t wide[4] = {0x10, 0x04, 0x08, 0x20}; /* of AL, STT, STP, NACK */
    if (!u->is_5xx)
        u->value[USCI_STAT] |= flag;
    for (unsigned i = 0; u->is_5xx && i < 4; i++)
        if (flag & 1u << i)
            u->value[USCI_IFG] |= wide[i];
    update(u);
}

static uint8_t read_iv(struct msp430_usci *u)
{
    static const uint8_t plain[] = {0x01, 0x02}, i2c[] = {0x10, 0x20, 0x04, 0x08, 0x01, 0x02};
    const uint8_t *order = usci_is_i2c(u) ? i2c : plain;
    unsigned count = usci_is_i2c(u) ? sizeof i2c : sizeof plain;
    for (unsigned i = 0; i < count; i++)
        if (u->value[USCI_IFG] & u->value[USCI_IE] & order[i]) {
            u->value[USCI_IFG] &= (uint8_t)~order[i];
            update(u);
            return (uint8_t)(2 * i + 2);
        }
    return 0;
}

static void can_send(struct periph *p)
{
    usci_flag((struct msp430_usci *)p, USCI_TX, true);
}

static void received(struct periph *p)
{
    struct msp430_usci *u = (struct msp430_usci *)p;
    if (usci_flags(u) & USCI_RX)
        u->value[USCI_STAT] |= OE;
    usci_flag(u, USCI_RX, true);
}

static void rx_taken(void *owner)
{
    usci_flag(owner, USCI_RX, false);
}

static void tx_taken(void *owner)
{
    usci_flag(owner, USCI_TX, false);
}

/* Speed and frame */

struct sim_clock *usci_source(const struct msp430_usci *u)
{
    switch (u->value[USCI_CTL1] >> SSEL_SHIFT) {
    case 0: return NULL;
    case 1: return u->aclk;
    default: return u->smclk;
    }
}

/* Ticks of a frame in UART mode. */
static uint64_t frame_ticks(const struct msp430_usci *u, unsigned bits, uint32_t divider)
{
    static const uint8_t patterns[8] = {0x00, 0x02, 0x22, 0x2a, 0xaa, 0xae, 0xee, 0xfe};
    uint8_t mctl = u->value[USCI_MCTL], pattern = patterns[mctl >> BRS_SHIFT & 7];
    if (!(mctl & OS16))
        return msp430_modulated(bits, divider, pattern);
    return divider * msp430_modulated(bits, 16, pattern) +
           (uint64_t)bits * (unsigned)(mctl >> BRF_SHIFT);
}

static void configure(struct msp430_usci *u)
{
    struct msp430_shift *s = &u->shift;
    uint8_t ctl0 = u->value[USCI_CTL0];
    unsigned data = ctl0 & SEVEN_BIT && !usci_is_i2c(u) ? 7 : 8;
    uint32_t divider = (uint32_t)u->value[USCI_BR1] << 8 | u->value[USCI_BR0];
    if (divider == 0)
        divider = 1;
    s->is_spi = ctl0 & SYNC;
    s->mask = (uint8_t)((1u << data) - 1);
    unsigned bits = data + 2u + (ctl0 & SPB ? 1 : 0) + (ctl0 & PEN ? 1 : 0);
    msp430_shift_clock(s, usci_source(u),
                       s->is_spi ? (uint64_t)data * divider : frame_ticks(u, bits, divider));
    bool runs = !(u->value[USCI_CTL1] & USCI_SWRST) && !usci_is_i2c(u);
    msp430_shift_enable(s, runs, runs);
}

static void check_mode(struct msp430_usci *u)
{
    struct periph *p = &u->periph;
    uint8_t ctl0 = u->value[USCI_CTL0];
    unsigned mode = ctl0 >> MODE_SHIFT & 3;
    if (u->value[USCI_CTL1] & USCI_SWRST)
        return;
    if (ctl0 & SYNC && !(ctl0 & MST))
        periph_unmodelled(p, "%s: SPI or I2C as a slave", p->name);
    else if (ctl0 & SYNC && !u->is_b && mode == MODE_I2C)
        periph_unmodelled(p, "%s: I2C on module A", p->name);
    else if (!(ctl0 & SYNC) && (mode != 0 || u->is_b))
        periph_unmodelled(p, "%s: multiprocessor format or automatic baud rate", p->name);
}

static void source_changed(void *owner, uint64_t now_ps)
{
    struct msp430_usci *u = owner;
    (void)now_ps;
    msp430_shift_retime(&u->shift);
    usci_i2c_retime(u);
    machine_retime(u->periph.machine);
}

static enum uj_err read_places(struct uj_ctx *ctx, struct msp430_usci *u)
{
    struct periph *p = &u->periph;
    int64_t ie = 0, ifg = 0, bit = 0;
    enum uj_err err;
    if (u->is_5xx)
        return UJ_OK;
    if ((err = yaml_need_integer(ctx, &ie, p->options, "ie", 0, 15)) ||
        (err = yaml_need_integer(ctx, &ifg, p->options, "ifg", 0, 15)) ||
        (err = yaml_need_integer(ctx, &bit, p->options, "bit", 0, 6)) ||
        (err = periph_window_option(ctx, &u->address_window, p, "address", 4, ADDRESS_OFFSET)))
        return err;
    u->ie = (unsigned)ie;
    u->ifg = (unsigned)ifg;
    u->bit = (unsigned)bit;
    u->listener = (struct sfr_listener){.changed = update, .owner = u};
    sfr_listen(p->machine, &u->listener);
    return UJ_OK;
}

static enum uj_err usci_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {PERIPH_LOADER_KEYS, "aclk", "smclk", "kind",
                                       "family",           "ie",   "ifg",   "bit",
                                       "address",          "dma",  "note"};
    struct msp430_usci *u = (struct msp430_usci *)p;
    const char *kind = NULL, *family = NULL;
    enum uj_err err = yaml_only(ctx, p->options, keys, sizeof keys / sizeof *keys);
    if (err || (err = msp430_clock_option(ctx, &u->aclk, p, "aclk")) ||
        (err = msp430_clock_option(ctx, &u->smclk, p, "smclk")) ||
        (err = yaml_need_text(ctx, &kind, p->options, "kind")) ||
        (err = yaml_need_text(ctx, &family, p->options, "family")))
        return err;
    u->is_b = strcmp(kind, "b") == 0;
    u->is_5xx = strcmp(family, "5xx") == 0;
    if ((!u->is_b && strcmp(kind, "a") != 0) || (!u->is_5xx && strcmp(family, "2xx") != 0))
        return yaml_fail(ctx, p->options, "kind is a or b, family 2xx or 5xx");
    u->dma_rx = (struct msp430_dma_net){.taken = rx_taken, .owner = u};
    u->dma_tx = (struct msp430_dma_net){.taken = tx_taken, .owner = u};
    if ((err = msp430_dma_net_option(ctx, &u->dma_rx, p, "rx")) ||
        (err = msp430_dma_net_option(ctx, &u->dma_tx, p, "tx")) || (err = read_places(ctx, u)))
        return err;
    u->aclk_user = u->smclk_user = (struct clock_user){.changed = source_changed, .owner = u};
    clock_use(u->aclk, &u->aclk_user);
    clock_use(u->smclk, &u->smclk_user);
    msp430_shift_create(&u->shift, p);
    u->shift.can_send = can_send;
    u->shift.received = received;
    if (u->is_b)
        usci_i2c_create(u);
    return UJ_OK;
}

/* What UCSWRST does. */
static void hold(struct msp430_usci *u)
{
    msp430_shift_reset(&u->shift);
    usci_i2c_reset(u);
    u->value[USCI_STAT] &= 0x80;
    if (u->is_5xx) {
        u->value[USCI_IE] = 0;
        u->value[USCI_IFG] = 0;
    } else {
        sfr_clear(u->periph.machine, u->ie, (uint8_t)(3 << u->bit));
        if (u->is_b)
            u->value[USCI_I2CIE] = 0;
    }
    usci_flag(u, USCI_RX, false);
    usci_flag(u, USCI_TX, true);
}

static void usci_reset(struct periph *p)
{
    struct msp430_usci *u = (struct msp430_usci *)p;
    memset(u->value, 0, sizeof u->value);
    u->value[USCI_CTL1] = USCI_SWRST;
    if (u->is_b)
        u->value[USCI_CTL0] = SYNC;
    hold(u);
    configure(u);
}

static uint8_t read_byte(struct msp430_usci *u, enum usci_reg reg)
{
    const struct msp430_shift *s = &u->shift;
    switch (reg) {
    case USCI_STAT:
        if (usci_is_i2c(u))
            return u->value[USCI_STAT];
        return (uint8_t)((u->value[USCI_STAT] & ~BUSY) | (s->sending || s->receiving ? BUSY : 0));
    case USCI_RXBUF: {
        uint8_t byte = usci_is_i2c(u) ? u->value[USCI_RXBUF] : s->receive_buffer;
        if (!usci_is_i2c(u))
            u->value[USCI_STAT] &= (uint8_t)~OE;
        usci_flag(u, USCI_RX, false);
        if (usci_is_i2c(u))
            usci_i2c_read(u);
        return byte;
    }
    case USCI_IV0: return read_iv(u);
    case USCI_IV1: return 0;
    default: return reg < USCI_REGS ? u->value[reg] : 0;
    }
}

static void write_byte(struct msp430_usci *u, enum usci_reg reg, uint8_t byte)
{
    if (reg >= USCI_REGS || reg == USCI_RXBUF)
        return;
    if (reg == USCI_IV0 || reg == USCI_IV1) {
        (void)read_iv(u);
        return;
    }
    u->value[reg] = byte;
    if (reg == USCI_TXBUF) {
        if (u->value[USCI_CTL1] & USCI_SWRST)
            return;
        usci_flag(u, USCI_TX, false);
        if (usci_is_i2c(u))
            usci_i2c_written(u);
        else
            msp430_shift_write(&u->shift, byte);
        return;
    }
    if (reg == USCI_CTL1 && byte & USCI_SWRST)
        hold(u);
    if (reg == USCI_CTL0 || reg == USCI_CTL1)
        check_mode(u);
    configure(u);
    if (reg == USCI_CTL1 && usci_is_i2c(u) && !(byte & USCI_SWRST))
        usci_i2c_control(u);
    update(u);
}

static uint32_t usci_read(struct periph *p, uint32_t offset, unsigned bytes)
{
    struct msp430_usci *u = (struct msp430_usci *)p;
    uint32_t value = 0;
    for (unsigned i = 0; i < MSP430_BYTES(bytes); i++)
        value |= (uint32_t)read_byte(u, place(u, offset + i)) << (8 * i);
    return value;
}

/* The upper byte first: it holds the mode that the lower one starts. */
static void usci_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes)
{
    struct msp430_usci *u = (struct msp430_usci *)p;
    for (unsigned i = MSP430_BYTES(bytes); i-- > 0;)
        write_byte(u, place(u, offset + i), (uint8_t)(value >> (8 * i)));
}

static const char *const usci_irqs[] = {"rx", "tx", "any", NULL};

const struct periph_class msp430_usci_class = {
    .name = "msp430_usci",
    .bytes = sizeof(struct msp430_usci),
    .window = WINDOW_2XX,
    .irqs = usci_irqs,
    .create = usci_create,
    .reset = usci_reset,
    .read = usci_read,
    .write = usci_write,
};
