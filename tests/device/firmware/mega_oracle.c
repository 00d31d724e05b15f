/* What libsimavr models as well: running counters, interrupts at their rate, ports, the UART. */
#include <avr/interrupt.h>
#include <avr/io.h>

#include "mega_print.h"

static uint16_t read16(void)
{
    uint8_t low = LOAD(TCNT1L), high = LOAD(TCNT1H);

    return (uint16_t)(high << 8 | low);
}

#define DISTANCE1(select, cycles)            \
    do {                                     \
        TCCR1B = (select);                   \
        TCNT1 = 0;                           \
        uint16_t before = read16();          \
        WAIT(cycles);                        \
        note((uint16_t)(read16() - before)); \
        TCCR1B = 0;                          \
    } while (0)

#define DISTANCE8(tccrb, tcnt, select, cycles) \
    do {                                       \
        tccrb = (select);                      \
        tcnt = 0;                              \
        uint8_t before = LOAD(tcnt);           \
        WAIT(cycles);                          \
        note((uint8_t)(LOAD(tcnt) - before));  \
        tccrb = 0;                             \
    } while (0)

static volatile uint16_t ticks, overflows, matches;

ISR(TIMER0_COMPA_vect)
{
    ticks++;
}

ISR(TIMER1_OVF_vect)
{
    overflows++;
}

ISR(TIMER2_COMPA_vect)
{
    matches++;
}

int main(void)
{
    DISTANCE1(_BV(CS10), 1000);
    DISTANCE1(_BV(CS10), 70000UL);
    DISTANCE1(_BV(CS11), 8UL * 1000 - 6);
    DISTANCE1(_BV(CS11) | _BV(CS10), 64UL * 1000 - 6);
    DISTANCE1(_BV(CS12), 256UL * 1000 - 6);
    DISTANCE8(TCCR0B, TCNT0, _BV(CS00), 100);
    DISTANCE8(TCCR0B, TCNT0, _BV(CS01), 8UL * 100 - 2);
    DISTANCE8(TCCR2B, TCNT2, _BV(CS21) | _BV(CS20), 32UL * 100 - 2);
    DISTANCE8(TCCR2B, TCNT2, _BV(CS22) | _BV(CS20), 128UL * 100 - 2);

    TCCR0A = _BV(WGM01); /* CTC: 1 kHz */
    OCR0A = 249;
    TIMSK0 = _BV(OCIE0A);
    TIMSK1 = _BV(TOIE1);
    TCCR2A = _BV(WGM21);
    OCR2A = 99;
    TIMSK2 = _BV(OCIE2A);
    TIFR0 = TIFR1 = TIFR2 = 0xFF;
    TCNT0 = TCNT2 = 0;
    TCNT1 = 0;
    sei();
    TCCR0B = _BV(CS01) | _BV(CS00);
    TCCR1B = _BV(CS10);
    TCCR2B = _BV(CS22); /* 64 */
    WAIT(16UL * 10000 - 4000);
    note(ticks);
    note(overflows);
    note(matches);
    WAIT(4000);
    note(ticks);
    WAIT(40000UL);
    note(ticks);
    note(overflows);
    note(matches);
    cli();

    DDRB = 0x0F;
    PORTB = 0x05;
    note(PORTB);
    note(PINB & 0x0F);
    PINB = 0x03;
    note(PORTB);
    DDRB = 0;
    print_results();
    for (;;)
        ;
}
