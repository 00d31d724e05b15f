/*
 * The asynchronous line of an AVR UART, shared by XMEGA and mega: one byte being sent and one that
 * waits, bytes being received into a FIFO of two and the shift register behind it.
 *
 * Laws
 * - A byte begins with the write that finds the transmitter empty, or where the one before it ends,
 * and lasts frame_bits bits. The baud generator's phase at the write is not modelled.
 * - The port's owner is sent the byte at its end. Bytes wait in the port until the receiver is on.
 * - changed() is called after every change of the flags from here.
 */
#ifndef UJ_PERIPH_AVR_UART_H
#define UJ_PERIPH_AVR_UART_H

#include "sim/periph.h"

enum { AVR_UART_FIFO = 3 };

struct avr_uart {
    struct periph *periph;
    struct sim_serial *serial;
    void (*changed)(struct periph *p);

    /* Length of a bit in ticks of the block's clock, as a fraction; of a frame in bits. */
    uint32_t bit_ticks, bit_divisor;
    unsigned frame_bits;
    uint8_t data_mask;

    bool transmitter_on, receiver_on;
    bool sending, waiting; /* a byte is in the shift register, in the buffer */
    bool sent;             /* flag: everything has left */
    uint8_t shift, buffer;
    uint64_t send_end_tick;
    struct sim_event send_event;

    bool receiving;
    uint8_t incoming;
    uint64_t receive_end_tick;
    struct sim_event receive_event;
    uint8_t fifo[AVR_UART_FIFO];
    unsigned fifo_count;
    bool overrun; /* flag: a byte was lost; goes with the next read */
};

void avr_uart_create(struct avr_uart *u, struct periph *p, void (*changed)(struct periph *p));
void avr_uart_reset(struct avr_uart *u);
/* The frame: data bits, whether there is parity, stop bits. */
void avr_uart_frame(struct avr_uart *u, unsigned data_bits, bool parity, unsigned stop_bits);
void avr_uart_enable(struct avr_uart *u, bool transmitter, bool receiver);
/* Writes a byte to be sent; one that finds the buffer full is lost. */
void avr_uart_write(struct avr_uart *u, uint8_t byte);
uint8_t avr_uart_read(struct avr_uart *u);
void avr_uart_clock_changed(struct avr_uart *u);

static inline bool avr_uart_can_write(const struct avr_uart *u)
{
    return !u->waiting;
}

static inline bool avr_uart_can_read(const struct avr_uart *u)
{
    return u->fifo_count > 0;
}

#endif
