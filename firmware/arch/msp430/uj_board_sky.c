/* Tmote Sky, MSP430F1611: 3.9 MHz from the DCO, USART1 on P3.6/P3.7, trigger P2.0. */
#include "uj_board.h"

#if UJ_MSP430_FAMILY == 1

#define IFG2    0x0003
#define ME2     0x0005
#define P3DIR   0x001A
#define P3SEL   0x001B
#define P2OUT   0x0029
#define P2DIR   0x002A
#define DCOCTL  0x0056
#define BCSCTL1 0x0057
#define U1CTL   0x0078
#define U1TCTL  0x0079
#define U1MCTL  0x007B
#define U1BR0   0x007C
#define U1BR1   0x007D
#define U1RXBUF 0x007E
#define U1TXBUF 0x007F

/* The clock in periods of the crystal's eighth, 4096 Hz: 952 at 3.9 MHz. */
#define CLOCK_PERIODS ((UJ_CPU_HZ + 2048) / 4096)

/* The modulation register has a one for each eighth. */
static const uint8_t modulation[8] = {0x00, 0x08, 0x44, 0x4A, 0x55, 0x6D, 0x77, 0xF7};

void uj_clock_init(void)
{
    REG8(DCOCTL) = 0;
    REG8(BCSCTL1) =
        0xB7; /* no second crystal, ACLK an eighth of the first, the DCO's upper range */
    uj_dco_tune(TIMER, 2, TIMER_CONTINUOUS, CLOCK_PERIODS);
    REG8(BCSCTL1) &= (uint8_t)~0x30;
}

void uj_serial_init(void)
{
    REG8(P2OUT) &= (uint8_t)~0x01;
    REG8(P2DIR) |= 0x01;

    REG8(P3SEL) |= 0xC0;
    REG8(P3DIR) |= 0x40;
    REG8(U1CTL) = 0x11;  /* 8 bits, held in reset */
    REG8(U1TCTL) = 0x20; /* SMCLK */
    REG8(U1BR0) = (uint8_t)(EIGHTHS / 8);
    REG8(U1BR1) = (uint8_t)(EIGHTHS / 8 >> 8);
    REG8(U1MCTL) = modulation[EIGHTHS % 8];
    REG8(ME2) |= 0x30;
    REG8(U1CTL) = 0x10;
}

uint8_t uj_serial_get(void)
{
    while (!(REG8(IFG2) & 0x10))
        ;
    return REG8(U1RXBUF);
}

void uj_serial_put(uint8_t byte)
{
    while (!(REG8(IFG2) & 0x20))
        ;
    REG8(U1TXBUF) = byte;
}

void uj_trigger(uint8_t on)
{
    if (on)
        REG8(P2OUT) |= 0x01;
    else
        REG8(P2OUT) &= (uint8_t)~0x01;
}

#endif
