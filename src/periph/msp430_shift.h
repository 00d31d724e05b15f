/*
 * The shift registers of an MSP430 serial port and the buffers before and behind them: UART and SPI
 * master, shared by USART and USCI.
 *
 * Laws
 * - A character begins with the write that finds the transmitter empty, or where the one before it
 *   ends, and lasts `char_ticks` of the source. The phase of the baud generator at the write is not
 *   modelled.
 * - can_send() is called when the buffer has become free, received() when a character is in the
 *   receive buffer; in SPI mode at the end of the character that was sent, with the slave's answer.
 * - Bytes for the UART wait in the port until the receiver is on.
 */
#ifndef UJ_PERIPH_MSP430_SHIFT_H
#define UJ_PERIPH_MSP430_SHIFT_H

#include "sim/periph.h"
#include "sim/spi.h"

struct msp430_shift {
    struct periph *periph;
    struct sim_serial *serial;
    struct sim_spi *spi;
    void (*can_send)(struct periph *p);
    void (*received)(struct periph *p);
    void (*idle)(struct periph *p); /* everything has been sent; may be NULL */

    struct sim_clock *clock; /* the source; NULL: none */
    uint64_t char_ticks;
    uint8_t mask; /* of the data bits */
    bool is_spi, transmitter_on, receiver_on;

    bool sending, waiting;
    uint8_t shift, buffer;
    uint64_t send_end_tick;
    struct sim_event send_event;

    bool receiving;
    uint8_t incoming, receive_buffer;
    uint64_t receive_end_tick;
    struct sim_event receive_event;
};

void msp430_shift_create(struct msp430_shift *s, struct periph *p);
void msp430_shift_reset(struct msp430_shift *s);
/* Sets source and length of a character, where nothing is under way that they would change. */
void msp430_shift_clock(struct msp430_shift *s, struct sim_clock *clock, uint64_t char_ticks);
void msp430_shift_enable(struct msp430_shift *s, bool transmitter, bool receiver);
void msp430_shift_write(struct msp430_shift *s, uint8_t byte);
/* For the block's listener to its clocks. */
void msp430_shift_retime(struct msp430_shift *s);

/* Source ticks of `bits` bits of `whole` ticks each, where bit i of the repeated pattern adds one.
 */
uint64_t msp430_modulated(unsigned bits, uint32_t whole, uint8_t pattern);

#endif
