/* Zolertia Z1, MSP430F2617: 8 MHz from the DCO, USCI_A0 on P3.4/P3.5, trigger P1.0. */
#include "uj_board.h"

#if UJ_MSP430_FAMILY == 2

#define IFG2        0x0003
#define P3SEL       0x001B
#define P1OUT       0x0021
#define P1DIR       0x0022
#define DCOCTL      0x0056
#define BCSCTL1     0x0057
#define UCA0CTL1    0x0061
#define UCA0BR0     0x0062
#define UCA0BR1     0x0063
#define UCA0MCTL    0x0064
#define UCA0RXBUF   0x0066
#define UCA0TXBUF   0x0067
#define TIMER_B     0x0180
#define CALDCO_8MHZ 0x10FC
#define CALBC1_8MHZ 0x10FD

/* The clock in periods of the crystal: 244 at 8 MHz. */
#define CLOCK_PERIODS ((UJ_CPU_HZ + 16384) / 32768)

void uj_clock_init(void)
{
    uint8_t range = REG8(CALBC1_8MHZ), dco = REG8(CALDCO_8MHZ);

    if (range == 0xFF) {
        /* The segment was erased: a usual chip's values. */
        range = 0x8D;
        dco = 0x88;
    }
    REG8(DCOCTL) = 0;
    REG8(BCSCTL1) = range;
    REG8(DCOCTL) = dco;
    uj_dco_tune(TIMER_B, 6, TIMER_CONTINUOUS, CLOCK_PERIODS);
}

void uj_serial_init(void)
{
    REG8(P1OUT) &= (uint8_t)~0x01;
    REG8(P1DIR) |= 0x01;

    REG8(P3SEL) |= 0x30;
    REG8(UCA0CTL1) = 0x81; /* SMCLK, held in reset */
    REG8(UCA0BR0) = (uint8_t)(EIGHTHS / 8);
    REG8(UCA0BR1) = (uint8_t)(EIGHTHS / 8 >> 8);
    REG8(UCA0MCTL) = (uint8_t)(EIGHTHS % 8 << 1);
    REG8(UCA0CTL1) = 0x80;
}

uint8_t uj_serial_get(void)
{
    while (!(REG8(IFG2) & 0x01))
        ;
    return REG8(UCA0RXBUF);
}

void uj_serial_put(uint8_t byte)
{
    while (!(REG8(IFG2) & 0x02))
        ;
    REG8(UCA0TXBUF) = byte;
}

void uj_trigger(uint8_t on)
{
    if (on)
        REG8(P1OUT) |= 0x01;
    else
        REG8(P1OUT) &= (uint8_t)~0x01;
}

#endif
