/* Timer, ports, watchdog, multiplier, flash, sleep of the three motes; notes what it sees. The chip
 * runs on its clock after reset. */
#include "msp430_chip.h"

volatile uint16_t main_iv[8], main_count, ccr0_count, p1_flags, wdt_count;

ISR(0) on_main(void)
{
    uint16_t iv = REG16(TIMER_IV);
    if (main_count < 8)
        main_iv[main_count] = iv;
    main_count++;
}

ISR(2) on_ccr0(void)
{
    ccr0_count++;
}

ISR(4) on_p1(void)
{
    p1_flags |= REG8(P1IFG);
    REG8(P1IFG) = 0;
}

ISR(6) on_wdt(void)
{
    wdt_count++;
}

__attribute__((section(".vectors"), used)) void (*const vectors[VECTORS])(void) = {
    [VECTOR_MAIN] = on_main,
    [VECTOR_CCR0] = on_ccr0,
    [VECTOR_P1] = on_p1,
    [VECTOR_WDT] = on_wdt,
    [VECTORS - 1] = start};

static void timer(void)
{
    /* Up mode on SMCLK: 0 to 99; three rounds of 100 clocks. */
    TCCR(0) = 99;
    TCTL = 0x0214;
    while (!(TCTL & 1))
        ;
    TCTL = 0x0204;
    note(TCCTL(0) & 1); /* 99 was reached */
    TCCTL(0) = 0;

    /* Continuous: two compares with interrupts, and the overflow; in IV's order. */
    TCTL = 0x0204;
    TCCR(1) = 500;
    TCCR(2) = 300;
    TCCR(0) = 400;
    TCCTL(0) = TCCTL(1) = TCCTL(2) = 0x0010;
    EINT();
    TCTL = 0x0222;
    while (main_count < 3)
        ;
    DINT();
    TCTL = 0x0204;
    TCCTL(0) = TCCTL(1) = TCCTL(2) = 0;
    note(main_iv[0]);
    note(main_iv[1]);
    note(main_iv[2]);
    note(ccr0_count);

    /* Up and down between 0 and 50, both flags; the second match comes on the way down. */
    TCCR(0) = 50;
    TCCR(1) = 20;
    TCTL = 0x0234;
    while (!(TCTL & 1))
        ;
    note(TCCTL(1) & 1);
    TCTL = 0x0204;
    note(TR);
    TCCTL(1) = 0;

    /* Captures by software: CCIS from GND to VCC. */
    TCCTL(1) = 0x6900; /* rising, GND, synchronous, capture */
    TCTL = 0x0224;
    TCCTL(1) = 0x7900;
    note(TCCTL(1) & 0x0103);
    TCCTL(1) = 0x6900;
    TCCTL(1) = 0x7900 | 1;
    note(TCCTL(1) & 3); /* overflowed: the first was not cleared */
    TCTL = 0;
    TCCTL(1) = 0;
}

static void ports(void)
{
    REG8(P1DIR) = 0x01;
    REG8(P1OUT) = 0x00;
    REG8(P1IES) = 0x00;
    REG8(P1IFG) = 0;
    REG8(P1IE) = 0x05;
    EINT();
    REG8(P1OUT) = 0x01; /* a rising edge of its own pin */
    __asm__ volatile("nop\n\tnop");
    DINT();
    note(p1_flags);
    note(REG8(P1IN) & 1);
    p1_flags = 0;
    note(0x1111); /* now the test moves P1.2 */
    EINT();
    while (!p1_flags)
        ;
    DINT();
    note(p1_flags);
    REG8(P1IE) = 0;
}

/* Interval mode on ACLK: 64 periods are 1/512 s. */
static void watchdog(void)
{
#ifdef WISMOTE
    REG16(WDTCTL) = 0x5A00 | 0x20 | 0x10 | 0x08 | 7;
#else
    REG16(WDTCTL) = 0x5A00 | 0x10 | 0x08 | 0x04 | 3;
#endif
    REG8(SFR_IFG1) &= (uint8_t)~1;
    REG8(SFR_IE1) |= 1;
    EINT();
    while (wdt_count < 4)
        ;
    DINT();
    WDT_HOLD();
    note(wdt_count);
    note(REG16(WDTCTL));
    REG8(SFR_IE1) &= (uint8_t)~1;
}

static void multiplier(void)
{
    REG16(MPY) = 0x1234;
    REG16(MPY + 8) = 0xABCD;
    note(REG16(MPY + 10));
    note(REG16(MPY + 12));
    note(REG16(MPY + 14));
    REG16(MPY + 2) = 0x8000; /* signed */
    REG16(MPY + 8) = 0x7FFF;
    note(REG16(MPY + 10));
    note(REG16(MPY + 12));
    note(REG16(MPY + 14));
    REG16(MPY + 4) = 0xFFFF; /* adds to it, without sign */
    REG16(MPY + 8) = 0xFFFF;
    note(REG16(MPY + 10));
    note(REG16(MPY + 12));
    note(REG16(MPY + 14));
    REG16(MPY + 6) = 0xFFFF; /* adds -1 x 2 */
    REG16(MPY + 8) = 2;
    note(REG16(MPY + 10));
    note(REG16(MPY + 12));
    note(REG16(MPY + 14));
    *(volatile uint8_t *)(MPY) = 0xFE; /* bytes */
    *(volatile uint8_t *)(MPY + 8) = 0x10;
    note(REG16(MPY + 10));
    note(REG16(MPY + 12));
}

static void flash(void)
{
    volatile uint16_t *at = (volatile uint16_t *)INFO;
#ifndef WISMOTE
    REG16(0x012A) = 0xA500 | 0x40 | 2; /* MCLK / 3 */
#endif
    *at = 0; /* locked: nothing, but a violation */
    note(*at);
    note(REG16(FCTL3) & 0x14);
    REG16(FCTL3) = 0xA500;
    REG16(FCTL1) = 0xA540;
    REG8(P1OUT) = 0;
    *at = 0x1234;
    REG8(P1OUT) = 1;
    *at = 0x0F0F; /* ones do not come back */
    note(*at);
    REG16(FCTL1) = 0xA502;
    REG8(P1OUT) = 0;
    *at = 0;
    REG8(P1OUT) = 1;
    note(*at);
    REG16(FCTL1) = 0xA500;
    REG16(FCTL3) = 0xA510;
    note(REG16(FCTL1));
}

int main(void)
{
    WDT_HOLD();
    timer();
    ports();
    watchdog();
    multiplier();
    flash();
    note(0x4444);
    for (;;)
        ;
}
