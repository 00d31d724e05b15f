/* Tunes the DCO to 3.9 MHz (952 periods in eight of the crystal) or 8 MHz (244 in one), step by
 * step until the count is exact, as the motes' usual firmware does. Notes the steps and the
 * setting. */
#include "msp430_chip.h"

#define DCOCTL  REG8(0x56)
#define BCSCTL1 REG8(0x57)
#define CCIFG   0x0001

#ifdef SKY
#define WANTED  952
#define CHANNEL 2
#define BASE    0x0160 /* Timer_A */
#else
#define WANTED  244
#define CHANNEL 6
#define BASE    0x0180 /* Timer_B */
#endif
#define CTL  REG16(BASE)
#define CCTL REG16(BASE + 2 + 2 * CHANNEL)
#define CCR  REG16(BASE + 0x12 + 2 * CHANNEL)

__attribute__((section(".vectors"), used)) void (*const vectors[VECTORS])(void) = {
    [VECTORS - 1] = start};

int main(void)
{
    uint16_t before = 0, steps = 0;

    WDT_HOLD();
#ifdef SKY
    BCSCTL1 = 0xB4; /* RSEL 4, ACLK an eighth */
#else
    DCOCTL = 0;
    if (REG8(0x10FD) != 0xFF) {
        BCSCTL1 = REG8(0x10FD);
        DCOCTL = REG8(0x10FC);
    } else {
        BCSCTL1 = 0x8D;
        DCOCTL = 0x88;
    }
#endif
    CCTL = 0x5100;
    CTL = 0x0224;
    for (;;) {
        uint16_t now, count;
        while (!(CCTL & CCIFG))
            ;
        CCTL &= (uint16_t)~CCIFG;
        now = CCR;
        count = now - before;
        before = now;
        if (count == WANTED)
            break;
        steps++;
        if (count > WANTED) {
            if (--DCOCTL == 0xFF)
                BCSCTL1--;
        } else if (++DCOCTL == 0) {
            BCSCTL1++;
        }
    }
    CCTL = 0;
    CTL = 0;
#ifdef SKY
    BCSCTL1 &= (uint8_t)~0x30;
#endif
    note(steps);
    note(DCOCTL);
    note(BCSCTL1);
    for (;;)
        ;
}
