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
#ifndef UJ_PERIPH_UART_LINE_H
#define UJ_PERIPH_UART_LINE_H

#include "sim/periph.h"

enum { UART_LINE_FIFO = 3 };

struct uart_line {
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
    uint8_t fifo[UART_LINE_FIFO];
    unsigned fifo_count;
    bool overrun; /* flag: a byte was lost; goes with the next read */
};

void uart_line_create(struct uart_line *u, struct periph *p, void (*changed)(struct periph *p));
void uart_line_reset(struct uart_line *u);
/* The frame: data bits, whether there is parity, stop bits. */
void uart_line_frame(struct uart_line *u, unsigned data_bits, bool parity, unsigned stop_bits);
void uart_line_enable(struct uart_line *u, bool transmitter, bool receiver);
/* Writes a byte to be sent; one that finds the buffer full is lost. */
void uart_line_write(struct uart_line *u, uint8_t byte);
uint8_t uart_line_read(struct uart_line *u);
void uart_line_clock_changed(struct uart_line *u);

static inline bool uart_line_can_write(const struct uart_line *u)
{
    return !u->waiting;
}

static inline bool uart_line_can_read(const struct uart_line *u)
{
    return u->fifo_count > 0;
}

#endif
