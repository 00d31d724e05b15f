/* Ports of the XMEGA: outputs at their cycle, inputs, inversion, pulls, virtual port, interrupts.
 */
#include <avr/interrupt.h>
#include <avr/io.h>

#include "results.h"

static volatile uint8_t edges, lows;

ISR(PORTB_INT0_vect)
{
    edges++;
}

ISR(PORTB_INT1_vect)
{
    lows++;
    PORTB.INTCTRL = PORT_INT0LVL_LO_gc; /* a low level would ask again */
}

/* Waits until the test has changed the wire of PB7. */
static void next(uint8_t level)
{
    while ((PORTB.IN >> 7 & 1) != level)
        ;
}

int main(void)
{
    /* PC0: on, off, on at distances of 2, 12 and 102 cycles. */
    PORTC.DIRSET = 0x03;
    uint8_t bit = 0x01;
    __asm__ volatile("" : "+r"(bit));
    STORE(PORTC.OUTTGL, bit);
    STORE(PORTC.OUTTGL, bit);
    WAIT(10);
    STORE(PORTC.OUTSET, bit);
    WAIT(100);
    STORE(PORTC.OUTCLR, bit);
    note(PORTC.OUT);
    PORTC.OUT = 0x02;
    note(PORTC.IN);
    note(PORTC.DIRTGL);
    VPORT2.OUT |= 0x01; /* SBI on the virtual port of PORTC: PC0 only */
    note(PORTC.OUT);
    PORTC.PIN1CTRL = PORT_INVEN_bm; /* the wire of PC1 falls, the register does not */
    note(PORTC.OUT);
    note(PORTC.IN);
    PORTC.DIRCLR = 0x03;
    note(PORTC.DIR);

    PORTD.PIN4CTRL = PORT_OPC_PULLUP_gc;
    note(PORTD.IN);
    PORTD.PIN4CTRL = PORT_OPC_PULLDOWN_gc;
    note(PORTD.IN);

    /* Inputs: the test drives PB0 and PB1, and says so by PB7. */
    PORTB.PIN0CTRL = PORT_ISC_RISING_gc;
    PORTB.PIN1CTRL = PORT_ISC_LEVEL_gc;
    PORTB.INT0MASK = 0x01;
    PORTB.INTCTRL = PORT_INT0LVL_LO_gc;
    PMIC.CTRL = PMIC_LOLVLEN_bm;
    sei();
    note(0x1111);
    next(1); /* two rising and two falling edges of PB0 */
    note(edges);
    PORTB.PIN0CTRL = PORT_ISC_BOTHEDGES_gc;
    note(0x2222);
    next(0); /* two and two */
    note(edges);
    PORTB.INT1MASK = 0x02;
    PORTB.INTCTRL = PORT_INT0LVL_LO_gc | PORT_INT1LVL_LO_gc;
    note(0x3333);
    next(1); /* PB1 fell */
    note(lows);
    note(PORTB.INTFLAGS);
    for (;;)
        ;
}
