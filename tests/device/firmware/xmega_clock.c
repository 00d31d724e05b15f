/* Clock of the XMEGA: protection, source, prescalers. PA0 turns around every 100 cycles in each
 * state. */
#include <avr/io.h>

#include "results.h"

static void pulses(void)
{
    uint8_t bit = 1;
    __asm__ volatile("" : "+r"(bit));
    for (uint8_t i = 0; i < 2; i++) {
        STORE(PORTA.OUTSET, bit);
        WAIT(98);
        STORE(PORTA.OUTCLR, bit);
        WAIT(98);
    }
}

/* Writes the protected register with `wait` cycles between the key and the store. */
#define PROTECTED(register, value, wait)                                                \
    do {                                                                                \
        uint8_t key = CCP_IOREG_gc, new_value = (value);                                \
        __asm__ volatile("out %0, %1" : : "I"(_SFR_IO_ADDR(CCP)), "r"(key) : "memory"); \
        WAIT(wait);                                                                     \
        STORE(register, new_value);                                                     \
    } while (0)

int main(void)
{
    PORTA.DIRSET = 1;
    pulses(); /* 2 MHz */
    note(OSC.STATUS);

    note(RST.STATUS);
    RST.STATUS = 0;
    note(RST.STATUS);
    RST.STATUS = RST_PORF_bm;
    note(RST.STATUS);
    note(MCU.DEVID2);

    uint8_t both = OSC_XOSCEN_bm | OSC_RC2MEN_bm, bit = 1;
    OSC.XOSCCTRL = OSC_XOSCSEL_XTAL_16KCLK_gc; /* waits for 16384 of its own cycles */
    __asm__ volatile("" : "+r"(both), "+r"(bit));
    STORE(PORTA.OUTSET, bit);
    STORE(OSC.CTRL, both);
    while (!(OSC.STATUS & OSC_XOSCRDY_bm))
        ;
    STORE(PORTA.OUTCLR, bit);
    OSC.CTRL = OSC_RC2MEN_bm;
    OSC.XOSCCTRL = 0; /* an external clock: six cycles, less than two of the CPU's */
    STORE(OSC.CTRL, both);
    note(LOAD(OSC.STATUS));
    CLK.CTRL = CLK_SCLKSEL_XOSC_gc; /* without the key */
    note(CLK.CTRL);
    PROTECTED(CLK.CTRL, CLK_SCLKSEL_XOSC_gc, 3); /* the store is in the fifth cycle: too late */
    note(CLK.CTRL);
    PROTECTED(CLK.CTRL, CLK_SCLKSEL_RC32M_gc, 0); /* not ready */
    note(CLK.CTRL);
    PROTECTED(CLK.CTRL, CLK_SCLKSEL_XOSC_gc, 2); /* in the fourth */
    note(CLK.CTRL);
    pulses(); /* 7.3728 MHz */

    PROTECTED(CLK.PSCTRL, CLK_PSADIV_4_gc, 0);
    pulses(); /* 1.8432 MHz */
    PROTECTED(CLK.PSCTRL, CLK_PSADIV_1_gc | CLK_PSBCDIV_2_2_gc, 0);
    pulses(); /* 1.8432 MHz */
    OSC.CTRL |= OSC_RC32MEN_bm;
    while (!(OSC.STATUS & OSC_RC32MRDY_bm))
        ;
    PROTECTED(CLK.CTRL, CLK_SCLKSEL_RC32M_gc, 0);
    PROTECTED(CLK.PSCTRL, CLK_PSADIV_1_gc, 0);
    pulses();                 /* 32 MHz */
    OSC.CTRL = OSC_RC2MEN_bm; /* the source in use stays on */
    note(OSC.CTRL);

    OSC.PLLCTRL = OSC_PLLSRC_RC2M_gc | 8;
    OSC.CTRL |= OSC_PLLEN_bm;
    while (!(OSC.STATUS & OSC_PLLRDY_bm))
        ;
    PROTECTED(CLK.CTRL, CLK_SCLKSEL_PLL_gc, 0);
    pulses(); /* 16 MHz */
    PROTECTED(CLK.LOCK, CLK_LOCK_bm, 0);
    PROTECTED(CLK.CTRL, CLK_SCLKSEL_RC2M_gc, 0);
    note(CLK.CTRL);
    for (;;)
        ;
}
