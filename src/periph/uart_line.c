#include "periph/uart_line.h"

#include "periph/avr_block.h"

static uint64_t frame_end(const struct uart_line *u, uint64_t tick)
{
    return tick + (uint64_t)u->frame_bits * u->bit_ticks / u->bit_divisor;
}

static void at_tick(struct uart_line *u, struct sim_event *e, uint64_t tick)
{
    machine_at(u->periph->machine, e, clock_time(u->periph->clock, tick));
}

static void begin_sending(struct uart_line *u, uint8_t byte, uint64_t tick)
{
    u->sending = true;
    u->shift = byte;
    u->send_end_tick = frame_end(u, tick);
    at_tick(u, &u->send_event, u->send_end_tick);
}

static void sending_done(void *owner, uint64_t when_ps)
{
    struct uart_line *u = owner;
    uint8_t byte = u->shift & u->data_mask;
    u->sending = false;
    if (u->waiting) {
        u->waiting = false;
        begin_sending(u, u->buffer, u->send_end_tick);
    } else {
        u->sent = true;
    }
    serial_sent(u->serial, byte, when_ps);
    u->changed(u->periph);
}

static void begin_receiving(struct uart_line *u, uint64_t tick)
{
    if (!u->receiver_on || u->receiving || !serial_take(u->serial, &u->incoming))
        return;
    u->receiving = true;
    u->receive_end_tick = frame_end(u, tick);
    at_tick(u, &u->receive_event, u->receive_end_tick);
}

static void receiving_done(void *owner, uint64_t when_ps)
{
    struct uart_line *u = owner;
    (void)when_ps;
    u->receiving = false;
    if (u->fifo_count < UART_LINE_FIFO)
        u->fifo[u->fifo_count++] = u->incoming & u->data_mask;
    else
        u->overrun = true;
    begin_receiving(u, u->receive_end_tick);
    u->changed(u->periph);
}

static void bytes_queued(void *uart)
{
    struct uart_line *u = uart;
    begin_receiving(u, avr_ticks(u->periph));
}

void uart_line_create(struct uart_line *u, struct periph *p, void (*changed)(struct periph *p))
{
    *u = (struct uart_line){.periph = p, .changed = changed};
    u->serial = machine_add_serial(p->machine, p->name);
    u->serial->to_receive = bytes_queued;
    u->serial->uart = u;
    u->send_event = (struct sim_event){.fire = sending_done, .owner = u};
    u->receive_event = (struct sim_event){.fire = receiving_done, .owner = u};
}

void uart_line_reset(struct uart_line *u)
{
    struct event_queue *events = &u->periph->machine->events;
    event_cancel(events, &u->send_event);
    event_cancel(events, &u->receive_event);
    u->transmitter_on = u->receiver_on = false;
    u->sending = u->waiting = u->sent = u->receiving = u->overrun = false;
    u->fifo_count = 0;
    u->bit_ticks = 16;
    u->bit_divisor = 1;
    uart_line_frame(u, 8, false, 1);
}

void uart_line_frame(struct uart_line *u, unsigned data_bits, bool parity, unsigned stop_bits)
{
    u->frame_bits = 1 + data_bits + parity + stop_bits;
    u->data_mask = (uint8_t)((1u << (data_bits > 8 ? 8 : data_bits)) - 1);
}

void uart_line_enable(struct uart_line *u, bool transmitter, bool receiver)
{
    u->transmitter_on = transmitter; /* what is on its way is sent to its end */
    if (u->receiver_on == receiver)
        return;
    u->receiver_on = receiver;
    if (receiver) {
        begin_receiving(u, avr_ticks(u->periph));
        return;
    }
    event_cancel(&u->periph->machine->events, &u->receive_event);
    u->receiving = u->overrun = false;
    u->fifo_count = 0;
}

void uart_line_write(struct uart_line *u, uint8_t byte)
{
    if (!u->transmitter_on || u->waiting)
        return;
    if (!u->sending) {
        begin_sending(u, byte, avr_ticks(u->periph));
        return;
    }
    u->buffer = byte;
    u->waiting = true;
}

uint8_t uart_line_read(struct uart_line *u)
{
    if (u->fifo_count == 0)
        return u->fifo[0];
    uint8_t byte = u->fifo[0];
    for (unsigned i = 1; i < u->fifo_count; i++)
        u->fifo[i - 1] = u->fifo[i];
    u->fifo_count--;
    u->overrun = false;
    return byte;
}

void uart_line_clock_changed(struct uart_line *u)
{
    if (u->sending)
        at_tick(u, &u->send_event, u->send_end_tick);
    if (u->receiving)
        at_tick(u, &u->receive_event, u->receive_end_tick);
}
