/* ATmega48 to ATmega328: USART0, timer 1, trigger PB0. The clock is the board's. */
#include "uj_board.h"

#ifndef __AVR_XMEGA__

#include <avr/io.h>

/* 8 x (UBRR + 1) clocks a bit at double speed. */
#define UBRR      ((UJ_CPU_HZ + 4UL * UJ_BAUD) / (8UL * UJ_BAUD) - 1)
#define REAL_BAUD (UJ_CPU_HZ / (8UL * (UBRR + 1)))
#if UBRR > 4095 || REAL_BAUD * 100 > UJ_BAUD * 101 || REAL_BAUD * 100 < UJ_BAUD * 99
#error "UJ_BAUD cannot be made from UJ_CPU_HZ within 1 %"
#endif

static volatile uint16_t overflows; /* of the timer: the upper half of its count */

ISR(TIMER1_OVF_vect)
{
    overflows++;
}

void uj_board_init(void)
{
    PORTB &= (uint8_t)~_BV(PORTB0);
    DDRB |= _BV(DDB0);

    UBRR0 = UBRR;
    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0);

    TCCR1A = 0;
    TIMSK1 = _BV(TOIE1);
}

uint8_t uj_serial_get(void)
{
    while (!(UCSR0A & _BV(RXC0)))
        ;
    return UDR0;
}

void uj_serial_put(uint8_t byte)
{
    while (!(UCSR0A & _BV(UDRE0)))
        ;
    UDR0 = byte;
}

void uj_timer_start(void)
{
    overflows = 0;
    TCNT1 = 0;
    TIFR1 = _BV(TOV1);
    sei();
    TCCR1B = _BV(CS10);
}

uint32_t uj_timer_stop(void)
{
    uint16_t high;

    TCCR1B = 0;
    cli();
    high = overflows;
    if (TIFR1 & _BV(TOV1))
        high++; /* wrapped after interrupts were off */
    return (uint32_t)high << 16 | TCNT1;
}

void uj_trigger(uint8_t on)
{
    if (on)
        PORTB |= _BV(PORTB0);
    else
        PORTB &= (uint8_t)~_BV(PORTB0);
}

#endif
