/* USART of the ATmega: sending back to back, flags, frames, receiving, interrupts. */
#include <avr/interrupt.h>

#include "mega_print.h"

static void drain(void)
{
    while (!(UCSR0A & _BV(TXC0)))
        ;
    UCSR0A |= _BV(TXC0);
}

static uint16_t get(void)
{
    for (uint16_t i = 0; i < 5000; i++)
        if (UCSR0A & _BV(RXC0))
            return UDR0;
    return 0xEEEE;
}

static volatile uint8_t echoes, sent;
static const char text[] = "UDRE";

ISR(USART_RX_vect)
{
    UDR0 = UDR0 ^ 0x20;
    echoes++;
}

ISR(USART_UDRE_vect)
{
    if (text[sent])
        UDR0 = (uint8_t)text[sent++];
    else
        UCSR0B = _BV(TXEN0) | _BV(RXEN0) | _BV(TXCIE0);
}

ISR(USART_TX_vect)
{
    note(0x7C7C);
}

int main(void)
{
    uint8_t byte = 'a';

    note(UCSR0A);
    note(UCSR0C);
    UBRR0 = 103; /* 9615 baud */
    UCSR0B = _BV(TXEN0) | _BV(RXEN0);
    DDRB = 1;
    __asm__ volatile("" : "+r"(byte));
    __asm__ volatile("sbi %0, 0" : : "I"(_SFR_IO_ADDR(PORTB))); /* 2 cycles before the byte */
    STORE(UDR0, byte);
    note(UCSR0A);
    UDR0 = 'b';
    note(UCSR0A);
    put('c');
    drain();
    note(UCSR0A);

    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UPM01) | _BV(USBS0) | _BV(UCSZ01) | _BV(UCSZ00); /* 12 bits of half the time */
    put('d');
    put('e');
    drain();
    UCSR0C = _BV(UCSZ01); /* 7 data bits */
    put(0xE6);
    drain();
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);

    note(0x1111); /* one byte is fed */
    note(get());
    note(0x2222); /* five bytes, and nobody reads */
    WAIT(60000UL);
    note(UCSR0A);
    note(get());
    note(UCSR0A);
    note(get());
    note(get());
    note(get());

    UCSR0B = _BV(TXEN0) | _BV(RXEN0) | _BV(RXCIE0);
    sei();
    note(0x3333); /* "Echo" is fed */
    while (echoes < 4)
        ;
    drain();
    UCSR0B = _BV(TXEN0) | _BV(RXEN0) | _BV(UDRIE0);
    while (sent < 4)
        ;
    for (;;)
        ;
}
