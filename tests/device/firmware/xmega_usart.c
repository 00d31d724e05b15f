/* USART of the XMEGA: sending back to back, flags, fractional baud rate, receiving, interrupts. */
#include <avr/interrupt.h>
#include <avr/io.h>

#include "results.h"

static void put(uint8_t byte)
{
    while (!(USARTC0.STATUS & USART_DREIF_bm))
        ;
    USARTC0.DATA = byte;
}

static void drain(void)
{
    while (!(USARTC0.STATUS & USART_TXCIF_bm))
        ;
    USARTC0.STATUS = USART_TXCIF_bm;
}

/* A received byte or, past the time of a few bytes, 0xEEEE. */
static uint16_t get(void)
{
    for (uint16_t i = 0; i < 5000; i++)
        if (USARTC0.STATUS & USART_RXCIF_bm)
            return USARTC0.DATA;
    return 0xEEEE;
}

static volatile uint8_t echoes;

ISR(USARTC0_RXC_vect)
{
    USARTC0.DATA = (uint8_t)(USARTC0.DATA ^ 0x20);
    echoes++;
}

static const char text[] = "DRE";
static volatile uint8_t sent;

ISR(USARTC0_DRE_vect)
{
    if (text[sent])
        USARTC0.DATA = (uint8_t)text[sent++];
    else
        USARTC0.CTRLA = USART_TXCINTLVL_LO_gc;
}

ISR(USARTC0_TXC_vect)
{
    note(0x7C7C);
}

int main(void)
{
    note(USARTC0.STATUS);
    PORTC.OUTSET = PIN3_bm;
    PORTC.DIRSET = PIN3_bm;
    USARTC0.CTRLC = USART_CHSIZE_8BIT_gc;
    USARTC0.BAUDCTRLA = 12; /* 16 x 13 cycles a bit: 9615 baud */
    USARTC0.CTRLB = USART_TXEN_bm | USART_RXEN_bm;

    PORTA.DIRSET = 1; /* PA0 tells when the first byte is written: one store, 2 cycles before */
    uint8_t one = 1, byte = 'a';
    __asm__ volatile("" : "+r"(one), "+r"(byte));
    STORE(PORTA.OUTSET, one);
    STORE(USARTC0.DATA, byte);
    note(USARTC0.STATUS); /* in the shift register: the buffer is free */
    USARTC0.DATA = 'b';
    note(USARTC0.STATUS); /* full */
    put('c');
    drain();
    note(USARTC0.STATUS);

    USARTC0.CTRLC = USART_CHSIZE_8BIT_gc | USART_PMODE_EVEN_gc | USART_SBMODE_bm; /* 12 bits */
    USARTC0.CTRLB |= USART_CLK2X_bm;
    put('d');
    put('e');
    drain();
    USARTC0.CTRLC = USART_CHSIZE_7BIT_gc;
    put(0xE6); /* 0x66, 9 bits */
    drain();
    USARTC0.CTRLC = USART_CHSIZE_8BIT_gc;
    USARTC0.CTRLB = USART_TXEN_bm | USART_RXEN_bm;
    USARTC0.BAUDCTRLA = 11; /* BSEL 11, BSCALE -7: 16 x (1 + 11/128) */
    USARTC0.BAUDCTRLB = 9 << 4;
    put('g');
    put('h');
    drain();
    USARTC0.BAUDCTRLA = 1; /* BSEL 1, BSCALE 3: 16 x 2 x 8 */
    USARTC0.BAUDCTRLB = 3 << 4;
    put('i');
    put('j');
    drain();
    USARTC0.BAUDCTRLA = 12;
    USARTC0.BAUDCTRLB = 0;

    note(0x1111); /* now the test feeds one byte */
    while (!(USARTC0.STATUS & USART_RXCIF_bm))
        ;
    STORE(PORTA.OUTCLR, one);
    note(USARTC0.DATA);
    note(USARTC0.STATUS);
    note(0x2222); /* now five bytes, and nobody reads */
    WAIT(16000);
    note(USARTC0.STATUS);
    note(get());
    note(USARTC0.STATUS);
    note(get());
    note(get());
    note(get());

    PMIC.CTRL = PMIC_LOLVLEN_bm;
    USARTC0.CTRLA = USART_RXCINTLVL_LO_gc;
    sei();
    note(0x3333); /* now the test feeds "Echo" */
    while (echoes < 4)
        ;
    drain();
    USARTC0.CTRLA = USART_DREINTLVL_LO_gc;
    while (sent < 3)
        ;
    for (;;)
        ;
}
