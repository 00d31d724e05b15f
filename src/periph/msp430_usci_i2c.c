/* The I2C master of a USCI module B: each phase lasts its bits; bytes come and go at its end. */
#include "periph/msp430_usci.h"

enum { START_BITS = 1, BYTE_BITS = 9, STOP_BITS = 1 };

static void enter(struct msp430_usci *u, enum usci_phase phase, unsigned bits)
{
    struct machine *m = u->periph.machine;
    struct sim_clock *c = usci_source(u);
    uint32_t divider = (uint32_t)u->value[USCI_BR1] << 8 | u->value[USCI_BR0];
    u->phase = phase;
    if (bits == 0 || !c) {
        event_cancel(&m->events, &u->i2c_event);
        return;
    }
    u->i2c_tick = clock_ticks(c, machine_now(m)) + (uint64_t)bits * (divider ? divider : 1);
    machine_at(m, &u->i2c_event, clock_time(c, u->i2c_tick));
}

static void start(struct msp430_usci *u)
{
    u->value[USCI_STAT] |= USCI_BBUSY;
    u->tx_full = false;
    enter(u, I2C_ADDRESS, START_BITS + BYTE_BITS);
    if (u->value[USCI_CTL1] & USCI_TR)
        usci_flag(u, USCI_TX, true);
}

/* Behind an acknowledge: what the program wants next. */
static void next(struct msp430_usci *u)
{
    uint8_t ctl1 = u->value[USCI_CTL1];
    if (ctl1 & USCI_TXSTT) {
        start(u);
    } else if (ctl1 & USCI_TR && u->tx_full) {
        u->tx_full = false;
        u->i2c_shift = u->value[USCI_TXBUF];
        enter(u, I2C_WRITE, BYTE_BITS);
        usci_flag(u, USCI_TX, true);
    } else if (ctl1 & USCI_TXSTP && ctl1 & USCI_TR) {
        enter(u, I2C_STOP, STOP_BITS);
    } else if (!(ctl1 & USCI_TR)) {
        enter(u, I2C_READ, BYTE_BITS);
    } else {
        enter(u, I2C_HELD, 0);
    }
}

static void not_acknowledged(struct msp430_usci *u)
{
    u->tx_full = false;
    usci_flag(u, USCI_TX, false);
    if (u->value[USCI_CTL1] & USCI_TXSTP)
        enter(u, I2C_STOP, STOP_BITS);
    else
        enter(u, I2C_HELD, 0);
    usci_status(u, USCI_NACK);
}

static void byte_read(struct msp430_usci *u)
{
    if (usci_flags(u) & USCI_RX) {
        enter(u, I2C_HELD_READ, 0);
        return;
    }
    u->value[USCI_RXBUF] = i2c_read(u->i2c);
    if (u->value[USCI_CTL1] & USCI_TXSTT)
        start(u);
    else if (u->value[USCI_CTL1] & USCI_TXSTP)
        enter(u, I2C_STOP, STOP_BITS);
    else
        enter(u, I2C_READ, BYTE_BITS);
    usci_flag(u, USCI_RX, true);
}

static void phase_done(void *owner, uint64_t when_ps)
{
    struct msp430_usci *u = owner;
    (void)when_ps;
    switch (u->phase) {
    case I2C_ADDRESS: {
        bool is_read = !(u->value[USCI_CTL1] & USCI_TR);
        u->value[USCI_CTL1] &= (uint8_t)~USCI_TXSTT;
        if (i2c_start(u->i2c, u->value[USCI_SA0] & 0x7f, is_read))
            next(u);
        else
            not_acknowledged(u);
        break;
    }
    case I2C_WRITE:
        if (i2c_write(u->i2c, u->i2c_shift))
            next(u);
        else
            not_acknowledged(u);
        break;
    case I2C_READ: byte_read(u); break;
    case I2C_STOP:
        i2c_stop(u->i2c);
        u->value[USCI_CTL1] &= (uint8_t)~USCI_TXSTP;
        u->value[USCI_STAT] &= (uint8_t)~USCI_BBUSY;
        enter(u, I2C_IDLE, 0);
        if (u->value[USCI_CTL1] & USCI_TXSTT)
            start(u);
        break;
    case I2C_IDLE:
    case I2C_HELD:
    case I2C_HELD_READ: break;
    }
}

void usci_i2c_create(struct msp430_usci *u)
{
    u->i2c = machine_add_i2c(u->periph.machine, u->periph.name);
    u->i2c_event = (struct sim_event){.fire = phase_done, .owner = u};
}

void usci_i2c_reset(struct msp430_usci *u)
{
    if (!u->is_b)
        return;
    if (u->phase != I2C_IDLE)
        i2c_stop(u->i2c);
    enter(u, I2C_IDLE, 0);
    u->tx_full = false;
    u->value[USCI_CTL1] &= (uint8_t) ~(USCI_TXSTT | USCI_TXSTP);
}

void usci_i2c_control(struct msp430_usci *u)
{
    uint8_t ctl1 = u->value[USCI_CTL1];
    if (u->phase == I2C_IDLE) {
        if (ctl1 & USCI_TXSTT)
            start(u);
        else if (ctl1 & USCI_TXSTP)
            u->value[USCI_CTL1] &= (uint8_t)~USCI_TXSTP;
    } else if (u->phase == I2C_HELD) {
        if (ctl1 & USCI_TXSTT)
            start(u);
        else if (ctl1 & USCI_TXSTP)
            enter(u, I2C_STOP, STOP_BITS);
    }
}

void usci_i2c_written(struct msp430_usci *u)
{
    u->tx_full = true;
    if (u->phase == I2C_HELD)
        next(u);
}

void usci_i2c_read(struct msp430_usci *u)
{
    if (u->phase == I2C_HELD_READ)
        byte_read(u);
}

void usci_i2c_retime(struct msp430_usci *u)
{
    struct sim_clock *c = usci_source(u);
    if (u->is_b && c && u->i2c_event.queued)
        machine_at(u->periph.machine, &u->i2c_event, clock_time(c, u->i2c_tick));
}
