/*
 * USCI of the 2xx and 5xx, shared by its two files: msp430_usci.c has the registers, UART and SPI,
 * msp430_usci_i2c.c the I2C master.
 */
#ifndef UJ_PERIPH_MSP430_USCI_H
#define UJ_PERIPH_MSP430_USCI_H

#include "periph/msp430_dma_net.h"
#include "periph/msp430_sfr.h"
#include "periph/msp430_shift.h"
#include "periph/periph_window.h"
#include "sim/i2c.h"

enum usci_reg {
    USCI_CTL0,
    USCI_CTL1,
    USCI_BR0,
    USCI_BR1,
    USCI_MCTL,
    USCI_I2CIE = USCI_MCTL,
    USCI_STAT,
    USCI_RXBUF,
    USCI_TXBUF,
    USCI_OA0,
    USCI_OA1,
    USCI_SA0,
    USCI_SA1,
    USCI_MORE, /* ABCTL, IRTCTL, IRRCTL: stored */
    USCI_IE = USCI_MORE + 3,
    USCI_IFG,
    USCI_IV0,
    USCI_IV1,
    USCI_REGS,
    USCI_NONE
};
enum { USCI_SWRST = 0x01, USCI_TXSTT = 0x02, USCI_TXSTP = 0x04, USCI_TR = 0x10 }; /* CTL1 */
enum { USCI_AL = 0x01, USCI_STT = 0x02, USCI_STP = 0x04, USCI_NACK = 0x08, USCI_BBUSY = 0x10 };
enum { USCI_RX = 0x01, USCI_TX = 0x02 };

enum usci_phase {
    I2C_IDLE,
    I2C_ADDRESS,
    I2C_WRITE,
    I2C_READ,
    I2C_HELD,      /* the clock is held until the program writes TXBUF, or says stop or start */
    I2C_HELD_READ, /* a byte waits for the receive buffer to be read */
    I2C_STOP,
};

struct msp430_usci {
    struct periph periph;
    struct msp430_shift shift;
    struct sim_clock *aclk, *smclk;
    struct clock_user aclk_user, smclk_user;
    struct sfr_listener listener;
    struct periph_window address_window;
    struct msp430_line lines[3];
    struct msp430_dma_net dma_rx, dma_tx;
    bool is_5xx, is_b;
    unsigned ie, ifg, bit; /* of the 2xx, in the special function registers */
    uint8_t value[USCI_REGS];

    struct sim_i2c *i2c;
    enum usci_phase phase;
    bool tx_full;
    uint8_t i2c_shift;
    struct sim_event i2c_event;
    uint64_t i2c_tick;
};

bool usci_is_i2c(const struct msp430_usci *u);
struct sim_clock *usci_source(const struct msp430_usci *u);
/* Receive and transmit flags, and their enables. */
uint8_t usci_flags(const struct msp430_usci *u);
void usci_flag(struct msp430_usci *u, uint8_t flag, bool on);

void usci_i2c_create(struct msp430_usci *u);
void usci_i2c_reset(struct msp430_usci *u);
void usci_i2c_control(struct msp430_usci *u); /* CTL1 was written */
void usci_i2c_written(struct msp430_usci *u); /* TXBUF */
void usci_i2c_read(struct msp430_usci *u);    /* RXBUF */
void usci_i2c_retime(struct msp430_usci *u);
/* A status flag as both families have it (USCI_NACK, ...). */
void usci_status(struct msp430_usci *u, uint8_t flag);

#endif
