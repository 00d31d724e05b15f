#include "periph/msp430_shift.h"

static void at_tick(struct msp430_shift *s, struct sim_event *e, uint64_t tick)
{
    machine_at(s->periph->machine, e, s->clock ? clock_time(s->clock, tick) : SIM_NEVER);
}

static uint64_t ticks_now(const struct msp430_shift *s)
{
    return s->clock ? clock_ticks(s->clock, machine_now(s->periph->machine)) : 0;
}

static void begin_sending(struct msp430_shift *s, uint8_t byte, uint64_t tick)
{
    s->sending = true;
    s->shift = byte;
    s->send_end_tick = tick + s->char_ticks;
    at_tick(s, &s->send_event, s->send_end_tick);
}

static void sending_done(void *owner, uint64_t when_ps)
{
    struct msp430_shift *s = owner;
    uint8_t byte = s->shift & s->mask;
    bool more = s->waiting;
    s->sending = s->waiting = false;
    if (more)
        begin_sending(s, s->buffer, s->send_end_tick);
    if (s->is_spi) {
        s->receive_buffer = spi_exchange(s->spi, byte, when_ps);
        s->received(s->periph);
    } else {
        serial_sent(s->serial, byte, when_ps);
    }
    if (more)
        s->can_send(s->periph);
    else if (s->idle)
        s->idle(s->periph);
}

static void begin_receiving(struct msp430_shift *s, uint64_t tick)
{
    if (s->is_spi || !s->receiver_on || s->receiving || !serial_take(s->serial, &s->incoming))
        return;
    s->receiving = true;
    s->receive_end_tick = tick + s->char_ticks;
    at_tick(s, &s->receive_event, s->receive_end_tick);
}

static void receiving_done(void *owner, uint64_t when_ps)
{
    struct msp430_shift *s = owner;
    (void)when_ps;
    s->receiving = false;
    s->receive_buffer = s->incoming & s->mask;
    begin_receiving(s, s->receive_end_tick);
    s->received(s->periph);
}

static void bytes_queued(void *uart)
{
    struct msp430_shift *s = uart;
    begin_receiving(s, ticks_now(s));
}

void msp430_shift_create(struct msp430_shift *s, struct periph *p)
{
    s->periph = p;
    s->serial = machine_add_serial(p->machine, p->name);
    s->serial->to_receive = bytes_queued;
    s->serial->uart = s;
    s->spi = machine_add_spi(p->machine, p->name);
    s->send_event = (struct sim_event){.fire = sending_done, .owner = s};
    s->receive_event = (struct sim_event){.fire = receiving_done, .owner = s};
    s->mask = 0xff;
}

void msp430_shift_reset(struct msp430_shift *s)
{
    struct event_queue *events = &s->periph->machine->events;
    event_cancel(events, &s->send_event);
    event_cancel(events, &s->receive_event);
    s->transmitter_on = s->receiver_on = false;
    s->sending = s->waiting = s->receiving = false;
}

void msp430_shift_clock(struct msp430_shift *s, struct sim_clock *clock, uint64_t char_ticks)
{
    s->char_ticks = char_ticks;
    s->clock = clock;
}

void msp430_shift_enable(struct msp430_shift *s, bool transmitter, bool receiver)
{
    s->transmitter_on = transmitter;
    if (s->receiver_on == receiver)
        return;
    s->receiver_on = receiver;
    if (receiver) {
        begin_receiving(s, ticks_now(s));
        return;
    }
    event_cancel(&s->periph->machine->events, &s->receive_event);
    s->receiving = false;
}

void msp430_shift_write(struct msp430_shift *s, uint8_t byte)
{
    if (!s->transmitter_on)
        return;
    s->buffer = byte;
    if (s->sending) {
        s->waiting = true;
        return;
    }
    begin_sending(s, byte, ticks_now(s));
    s->can_send(s->periph);
}

void msp430_shift_retime(struct msp430_shift *s)
{
    if (s->sending)
        at_tick(s, &s->send_event, s->send_end_tick);
    if (s->receiving)
        at_tick(s, &s->receive_event, s->receive_end_tick);
}

uint64_t msp430_modulated(unsigned bits, uint32_t whole, uint8_t pattern)
{
    uint64_t ticks = (uint64_t)bits * whole;
    for (unsigned i = 0; i < bits; i++)
        ticks += pattern >> (i % 8) & 1;
    return ticks;
}
