/* Timers of the ATmega: divisions, 16-bit access, flags at their cycle, modes, interrupts. */
#include <avr/interrupt.h>
#include <avr/io.h>

#include "mega_print.h"

static uint16_t counted;

/* The counter after `cycles` between the store that starts it and the one that stops it. */
#define MEASURE1(select, cycles)                    \
    do {                                            \
        TCNT1 = 0;                                  \
        uint8_t on = (select), off = on & 0xF8;     \
        __asm__ volatile("" : "+r"(on), "+r"(off)); \
        STORE(TCCR1B, on);                          \
        WAIT((cycles)-2);                           \
        STORE(TCCR1B, off);                         \
        counted = TCNT1;                            \
    } while (0)
#define MEASURE(tccrb, tcnt, select, cycles)        \
    do {                                            \
        tcnt = 0;                                   \
        uint8_t on = (select), off = on & 0xF8;     \
        __asm__ volatile("" : "+r"(on), "+r"(off)); \
        STORE(tccrb, on);                           \
        WAIT((cycles)-2);                           \
        STORE(tccrb, off);                          \
        counted = tcnt;                             \
    } while (0)

static void divisions(void)
{
    MEASURE1(_BV(CS10), 1000);
    note(counted);
    MEASURE1(_BV(CS11), 8000);
    note(counted);
    MEASURE1(_BV(CS11) | _BV(CS10), 64000);
    note(counted);
    MEASURE1(_BV(CS12), 256000);
    note(counted);
    MEASURE1(_BV(CS12) | _BV(CS10), 1024000);
    note(counted);
    MEASURE1(_BV(CS10), 65536UL + 5);
    note(counted);

    MEASURE(TCCR0B, TCNT0, _BV(CS00), 250);
    note(counted);
    MEASURE(TCCR0B, TCNT0, _BV(CS01), 8 * 200);
    note(counted);
    MEASURE(TCCR0B, TCNT0, _BV(CS01) | _BV(CS00), 64 * 200);
    note(counted);
    MEASURE(TCCR0B, TCNT0, _BV(CS02) | _BV(CS00), 1024UL * 200);
    note(counted);
    MEASURE(TCCR2B, TCNT2, _BV(CS21) | _BV(CS20), 32UL * 200);
    note(counted);
    MEASURE(TCCR2B, TCNT2, _BV(CS22) | _BV(CS20), 128UL * 200);
    note(counted);
    MEASURE(TCCR2B, TCNT2, _BV(CS22) | _BV(CS21) | _BV(CS20), 1024UL * 200);
    note(counted);
}

static void access_by_bytes(void)
{
    uint8_t on = _BV(CS10), off = 0;

    TCNT1 = 0x00FE;
    __asm__ volatile("" : "+r"(on), "+r"(off));
    STORE(TCCR1B, on);
    uint8_t low = LOAD(TCNT1L); /* 2 cycles on: wrapped to 0x0100 */
    WAIT(300);
    uint8_t high = LOAD(TCNT1H);
    STORE(TCCR1B, off);
    note(low);
    note(high);
    OCR1AH = 0x12; /* waits in TEMP, which all registers share */
    OCR1BL = 0x34;
    note(OCR1B);
    note(OCR1A);
    OCR1AL = 0x56;
    note(OCR1A);
}

#define FLAGS_AFTER(cycles)                              \
    do {                                                 \
        uint8_t on = control | _BV(CS10), off = control; \
        TCNT1 = 0;                                       \
        TIFR1 = 0xFF;                                    \
        __asm__ volatile("" : "+r"(on), "+r"(off));      \
        STORE(TCCR1B, on);                               \
        WAIT((cycles)-2);                                \
        uint8_t seen = LOAD(TIFR1);                      \
        STORE(TCCR1B, off);                              \
        note(seen);                                      \
    } while (0)

static void flags(void)
{
    uint8_t control = _BV(WGM12); /* CTC, top OCR1A */

    TCCR1B = control;
    OCR1A = 9;
    OCR1B = 4;
    FLAGS_AFTER(4);
    FLAGS_AFTER(5);
    FLAGS_AFTER(9);
    FLAGS_AFTER(10);     /* wrapped, which is no overflow in this mode */
    TIFR1 |= _BV(OCF1A); /* SBI: this flag only */
    note(TIFR1);
    TIFR1 = TIFR1;
    note(TIFR1);
    OCR1B = 10; /* above the top: never */
    FLAGS_AFTER(40);
    TCNT1 = 0xFFF0; /* above the top: on to the maximum, which is the overflow */
    uint8_t on = control | _BV(CS10), off = control;
    TIFR1 = 0xFF;
    __asm__ volatile("" : "+r"(on), "+r"(off));
    STORE(TCCR1B, on);
    WAIT(16);
    STORE(TCCR1B, off);
    note(TCNT1);
    note(TIFR1);
    TCCR1B = 0;
    TIFR1 = 0xFF;
}

static void modes(void)
{
    OCR1A = 99;
    MEASURE1(_BV(WGM12) | _BV(CS10), 250);
    note(counted);

    TCCR1A = _BV(WGM10); /* fast PWM, 8 bits */
    MEASURE1(_BV(WGM12) | _BV(CS10), 256 + 44);
    note(counted);

    TCCR1A = 0; /* phase and frequency correct, top ICR1 */
    TCCR1B = _BV(WGM13);
    ICR1 = 100;
    MEASURE1(_BV(WGM13) | _BV(CS10), 130);
    note(counted);

    TCCR1A = _BV(WGM11); /* fast PWM, top ICR1; OCR1A waits for the bottom */
    TCCR1B = _BV(WGM13) | _BV(WGM12);
    ICR1 = 49;
    OCR1A = 10;
    MEASURE1(_BV(WGM13) | _BV(WGM12) | _BV(CS10), 103);
    note(counted);
    OCR1A = 30;
    TCNT1 = 20;
    TIFR1 = 0xFF;
    uint8_t on = _BV(WGM13) | _BV(WGM12) | _BV(CS10), off = on & 0xF8;
    __asm__ volatile("" : "+r"(on), "+r"(off));
    STORE(TCCR1B, on);
    WAIT(20 - 2);
    uint8_t early = LOAD(TIFR1); /* at 40: the old value, 10, still holds */
    WAIT(50 - 2);
    uint8_t late = LOAD(TIFR1);
    STORE(TCCR1B, off);
    note(early);
    note(late);
    TCCR1A = 0;
    TCCR1B = 0;

    /* Phase correct, top ICR1: OCR1B is taken at the top, and matches on the way down. */
    TCCR1A = _BV(WGM11);
    TCCR1B = _BV(WGM13);
    ICR1 = 100;
    OCR1B = 20;
    MEASURE1(_BV(WGM13) | _BV(CS10), 250);
    note(counted);
    TCNT1 = 50;
    OCR1B = 60;
    TIFR1 = 0xFF;
    on = _BV(WGM13) | _BV(CS10);
    off = on & 0xF8;
    __asm__ volatile("" : "+r"(on), "+r"(off));
    STORE(TCCR1B, on);
    WAIT(90 - 2);
    early = LOAD(TIFR1); /* at 60 on the way down */
    uint8_t leaving = LOAD(TIFR1);
    STORE(TCCR1B, off);
    note(early);
    note(leaving);
    TCCR1A = 0;
    TCCR1B = 0;
    OCR1B = 10;

    /* A write to the counter holds back the match at the very next count. */
    OCR1A = 30;
    TCNT1 = 30;
    TIFR1 = 0xFF;
    uint8_t start = _BV(CS10), stop = 0;
    __asm__ volatile("" : "+r"(start), "+r"(stop));
    STORE(TCCR1B, start);
    WAIT(18);
    STORE(TCCR1B, stop);
    note(TIFR1);
}

static volatile uint16_t ticks, matches;

ISR(TIMER0_COMPA_vect)
{
    ticks++;
}

ISR(TIMER0_COMPB_vect)
{
    matches++;
}

static void interrupts(void)
{
    TCCR0A = _BV(WGM01); /* CTC: 16 MHz / 64 / 250 = 1 kHz */
    OCR0A = 249;
    OCR0B = 100;
    TIMSK0 = _BV(OCIE0A) | _BV(OCIE0B);
    TCNT0 = 0;
    TIFR0 = 0xFF;
    sei();
    TCCR0B = _BV(CS01) | _BV(CS00);
    WAIT(16UL * 10000 - 2000); /* the handlers take some 900 cycles beside */
    note(ticks);
    WAIT(2000);
    note(ticks);
    cli();
    TCCR0B = 0;
    note(matches);
    note(TIFR0); /* the vectors have cleared them */
}

int main(void)
{
    divisions();
    access_by_bytes();
    flags();
    modes();
    interrupts();
    print_results();
    for (;;)
        ;
}
