/* Prints the results in hexadecimal on USART0 at 500000 baud, so that any simulator can be asked.
 */
#ifndef MEGA_PRINT_H
#define MEGA_PRINT_H

#include <avr/io.h>

#include "results.h"

static inline void put(uint8_t byte)
{
    while (!(UCSR0A & _BV(UDRE0)))
        ;
    UDR0 = byte;
}

static inline void print_results(void)
{
    UBRR0 = 3;
    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(TXEN0);
    for (uint8_t i = 0; i < result_count; i++) {
        for (uint8_t shift = 16; shift > 0; shift -= 4) {
            uint8_t digit = results[i] >> (shift - 4) & 15;
            put((uint8_t)(digit < 10 ? '0' + digit : 'a' + digit - 10));
        }
        put('\n');
    }
    put('.');
}

#endif
