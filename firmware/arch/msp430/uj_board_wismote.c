/* WiSMote, MSP430F5437: 16 MHz from the FLL, USCI_A1 on P5.6/P5.7, trigger P6.0. */
#include "uj_board.h"

#if UJ_MSP430_FAMILY == 5

#define SFRIFG1   0x0102
#define PMMCTL0   0x0120
#define SVSMHCTL  0x0124
#define SVSMLCTL  0x0126
#define PMMIFG    0x012C
#define UCSCTL0   0x0160
#define UCSCTL1   0x0162
#define UCSCTL2   0x0164
#define UCSCTL4   0x0168
#define UCSCTL7   0x016E
#define P5SEL     0x024A
#define P6OUT     0x0243
#define P6DIR     0x0245
#define P7SEL     0x026A
#define UCA1CTL1  0x0600
#define UCA1BR0   0x0606
#define UCA1BR1   0x0607
#define UCA1MCTL  0x0608
#define UCA1RXBUF 0x060C
#define UCA1TXBUF 0x060E
#define UCA1IFG   0x061D

/* The clock in periods of the crystal: 489, 16.02 MHz. */
#define CLOCK_PERIODS ((UJ_CPU_HZ + 16384) / 32768)

#define PATIENCE 10000

/* Waits for a bit of the power module, but not for ever: a chip that has been there already does
 * not set it. */
static void wait_for(uint16_t flag)
{
    uint16_t left;

    for (left = PATIENCE; left > 0 && !(REG16(PMMIFG) & flag); left--)
        ;
}

/*
 * The core voltage, which the clock needs, one level up: the supervisors' thresholds of the high
 * side, then of the low side's monitor, the voltage, and the low side's supervisor.
 */
static void core_voltage_up(uint16_t level)
{
    REG8(PMMCTL0 + 1) = 0xA5; /* unlocked */
    REG16(SVSMHCTL) = (uint16_t)(0x4400 | level << 8 | level);
    REG16(SVSMLCTL) = (uint16_t)(0x4400 | (level - 1) << 8 | level);
    wait_for(0x0001); /* SVSMLDLYIFG */
    REG16(PMMIFG) &= (uint16_t)~0x0006;
    REG8(PMMCTL0) = (uint8_t)level;
    if (REG16(PMMIFG) & 0x0002) /* SVMLIFG: not yet there */
        wait_for(0x0004);       /* SVMLVLRIFG */
    REG16(SVSMLCTL) = (uint16_t)(0x4400 | level << 8 | level);
    REG8(PMMCTL0 + 1) = 0;
}

void uj_clock_init(void)
{
    uint16_t left;

    core_voltage_up(1);
    core_voltage_up(2);

    REG8(P7SEL) |= 0x03; /* the crystal's pins */
    REG16(UCSCTL0) = 0;  /* the FLL begins at the lowest tap */
    REG16(UCSCTL1) = 0x0040;
    REG16(UCSCTL2) = CLOCK_PERIODS - 1;
    REG16(UCSCTL4) = 0x0033; /* ACLK the crystal; SMCLK and MCLK the DCO */

    /* Until crystal and DCO have no fault any more: the FLL has settled. */
    for (left = PATIENCE; left > 0; left--) {
        REG16(UCSCTL7) &= (uint16_t)~0x000F;
        REG16(SFRIFG1) &= (uint16_t)~0x0002;
        if (!(REG16(SFRIFG1) & 0x0002))
            break;
    }
}

void uj_serial_init(void)
{
    REG8(P6OUT) &= (uint8_t)~0x01;
    REG8(P6DIR) |= 0x01;

    REG8(P5SEL) |= 0xC0;
    REG8(UCA1CTL1) = 0x81; /* SMCLK, held in reset */
    REG8(UCA1BR0) = (uint8_t)(EIGHTHS / 8);
    REG8(UCA1BR1) = (uint8_t)(EIGHTHS / 8 >> 8);
    REG8(UCA1MCTL) = (uint8_t)(EIGHTHS % 8 << 1);
    REG8(UCA1CTL1) = 0x80;
}

uint8_t uj_serial_get(void)
{
    while (!(REG8(UCA1IFG) & 0x01))
        ;
    return REG8(UCA1RXBUF);
}

void uj_serial_put(uint8_t byte)
{
    while (!(REG8(UCA1IFG) & 0x02))
        ;
    REG8(UCA1TXBUF) = byte;
}

void uj_trigger(uint8_t on)
{
    if (on)
        REG8(P6OUT) |= 0x01;
    else
        REG8(P6OUT) &= (uint8_t)~0x01;
}

#endif
