/* Ports, interrupts, sleep and clock prescaler of the ATmega. */
#include <avr/interrupt.h>
#include <avr/io.h>

#include "mega_print.h"

static volatile uint8_t order[8], order_count;

/* The counter at the first LDS of the handler: how long the response took. */
ISR(TIMER1_OVF_vect, ISR_NAKED)
{
    __asm__ volatile("push r24\n\t"
                     "lds r24, %0\n\t"
                     "sts results + 126 * 2, r24\n\t"
                     "pop r24\n\t"
                     "reti"
                     :
                     : "n"(&TCNT1L));
}

ISR(TIMER2_COMPA_vect)
{
    order[order_count++] = 7;
}

ISR(TIMER1_COMPA_vect)
{
    order[order_count++] = 11;
}

ISR(TIMER0_OVF_vect)
{
    order[order_count++] = 16;
}

ISR(USART_TX_vect)
{
    order[order_count++] = 20;
}

static void ports(void)
{
    uint8_t bit = 0x01;

    DDRC = 0x03;
    __asm__ volatile("" : "+r"(bit));
    STORE(PINC, bit);
    STORE(PINC, bit);
    WAIT(10);
    __asm__ volatile("sbi %0, 0" : : "I"(_SFR_IO_ADDR(PORTC)));
    WAIT(98);
    __asm__ volatile("cbi %0, 0" : : "I"(_SFR_IO_ADDR(PORTC)));
    PORTC = 0x02;
    __asm__ volatile("sbi %0, 0" : : "I"(_SFR_IO_ADDR(PINC))); /* turns PC0, and not PC1 with it */
    note(PORTC);
    __asm__ volatile("nop");
    note(PINC & 0x0F);
    DDRC = 0;
    PORTC = 0;
}

static void response(void)
{
    uint8_t on = _BV(CS10);

    SMCR = _BV(SE); /* idle */
    TCNT1 = 0xFF00;
    TIMSK1 = _BV(TOIE1);
    TIFR1 = 0xFF;
    sei();
    TCCR1B = on;
    __asm__ volatile("sleep");
    TCCR1B = 0;
    note(results[126]);
    TCNT1 = 0xFFD0;
    TCCR1B = on;
    __asm__ volatile(".rept 100\n\tnop\n\t.endr");
    TCCR1B = 0;
    note(results[126]);
    SMCR = 0;
    TIMSK1 = 0;
}

static void priority(void)
{
    cli();
    TCNT1 = 0;
    OCR1A = 1;
    TCNT0 = 0xFE;
    TCNT2 = 0;
    OCR2A = 1;
    TCCR0B = TCCR1B = TCCR2B = 1;
    WAIT(20);
    TCCR0B = TCCR1B = TCCR2B = 0;
    TIMSK0 = _BV(TOIE0);
    TIMSK1 = _BV(OCIE1A);
    TIMSK2 = _BV(OCIE2A);
    sei();
    __asm__ volatile("nop\n\tnop\n\tnop\n\tnop");
    cli();
    for (uint8_t i = 0; i < order_count; i++)
        note(order[i]);
    note(TIFR0 & 1);
    TIMSK0 = TIMSK1 = TIMSK2 = 0;
}

/* PD2 is up for 100 cycles at each speed. */
static void prescaler(void)
{
    uint8_t key = _BV(CLKPCE), eight = 3, one = 0;

    DDRD = 0x04;
    __asm__ volatile("" : "+r"(key), "+r"(eight), "+r"(one));
    for (uint8_t i = 0; i < 3; i++) {
        __asm__ volatile("sbi %0, 2" : : "I"(_SFR_IO_ADDR(PORTD)));
        WAIT(98);
        __asm__ volatile("cbi %0, 2" : : "I"(_SFR_IO_ADDR(PORTD)));
        if (i == 0) {
            STORE(CLKPR, eight); /* without the key */
            note(CLKPR);
            STORE(CLKPR, key);
            WAIT(3); /* the store would be in the fifth cycle */
            STORE(CLKPR, eight);
            note(CLKPR);
            STORE(CLKPR, key);
            WAIT(2);
            STORE(CLKPR, eight);
            note(CLKPR);
        } else {
            STORE(CLKPR, key);
            STORE(CLKPR, one);
        }
    }
}

int main(void)
{
    note(MCUSR);
    note(SPMCSR);
    ports();
    response();
    priority();
    prescaler();
    print_results();
    __asm__ volatile("sleep"); /* not without SE */
    note(0x5EE9);
    for (;;)
        ;
}
