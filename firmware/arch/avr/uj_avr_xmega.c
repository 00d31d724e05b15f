/* XMEGA A and D: external clock, USARTC0 on PC2/PC3, timer TCC0, trigger PA0. */
#include "uj_board.h"

#ifdef __AVR_XMEGA__

#include <avr/io.h>

/* 16 x (BSEL + 1) clocks a bit. */
#define BSEL      ((UJ_CPU_HZ + 8UL * UJ_BAUD) / (16UL * UJ_BAUD) - 1)
#define REAL_BAUD (UJ_CPU_HZ / (16UL * (BSEL + 1)))
#if BSEL > 4095 || REAL_BAUD * 100 > UJ_BAUD * 101 || REAL_BAUD * 100 < UJ_BAUD * 99
#error "UJ_BAUD cannot be made from UJ_CPU_HZ within 1 %"
#endif

static volatile uint16_t overflows; /* of the timer: the upper half of its count */

ISR(TCC0_OVF_vect)
{
    overflows++;
}

/* The protected write must follow its key within four cycles, whatever the compiler's flags. */
static void select_clock(uint8_t source)
{
    __asm__ volatile("out %[ccp], %[key]\n\t"
                     "sts %[ctrl], %[source]"
                     :
                     : [ccp] "I"(_SFR_IO_ADDR(CCP)), [key] "r"((uint8_t)CCP_IOREG_gc),
                       [ctrl] "n"(_SFR_MEM_ADDR(CLK_CTRL)), [source] "r"(source)
                     : "memory");
}

void uj_board_init(void)
{
    OSC.XOSCCTRL = 0; /* an external clock, no crystal */
    OSC.CTRL |= OSC_XOSCEN_bm;
    while (!(OSC.STATUS & OSC_XOSCRDY_bm))
        ;
    select_clock(CLK_SCLKSEL_XOSC_gc);

    PORTA.OUTCLR = PIN0_bm;
    PORTA.DIRSET = PIN0_bm;

    PORTC.OUTSET = PIN3_bm;
    PORTC.DIRSET = PIN3_bm;
    USARTC0.CTRLC = USART_CHSIZE_8BIT_gc;
    USARTC0.BAUDCTRLA = (uint8_t)BSEL;
    USARTC0.BAUDCTRLB = (uint8_t)(BSEL >> 8);
    USARTC0.CTRLB = USART_RXEN_bm | USART_TXEN_bm;

    TCC0.INTCTRLA = TC_OVFINTLVL_LO_gc;
    PMIC.CTRL = PMIC_LOLVLEN_bm;
}

uint8_t uj_serial_get(void)
{
    while (!(USARTC0.STATUS & USART_RXCIF_bm))
        ;
    return USARTC0.DATA;
}

void uj_serial_put(uint8_t byte)
{
    while (!(USARTC0.STATUS & USART_DREIF_bm))
        ;
    USARTC0.DATA = byte;
}

void uj_timer_start(void)
{
    overflows = 0;
    TCC0.CNT = 0;
    TCC0.INTFLAGS = TC0_OVFIF_bm;
    sei();
    TCC0.CTRLA = TC_CLKSEL_DIV1_gc;
}

uint32_t uj_timer_stop(void)
{
    uint16_t high;

    TCC0.CTRLA = TC_CLKSEL_OFF_gc;
    cli();
    high = overflows;
    if (TCC0.INTFLAGS & TC0_OVFIF_bm)
        high++; /* wrapped after interrupts were off */
    return (uint32_t)high << 16 | TCC0.CNT;
}

void uj_trigger(uint8_t on)
{
    if (on)
        PORTA.OUTSET = PIN0_bm;
    else
        PORTA.OUTCLR = PIN0_bm;
}

#endif
