/* Sleeps in LPM3; the crystal's timer wakes it 128 times a second, and it counts. */
#include "msp430_chip.h"

volatile uint16_t ticks[2]; /* low, high */

ISR(0) tick(void)
{
    REG8(P1OUT) ^= 1;
    if (REG16(TIMER_IV) != 2)
        return;
    TCCR(1) += 256;
    if (++ticks[0] == 0)
        ticks[1]++;
}

__attribute__((section(".vectors"), used)) void (*const vectors[VECTORS])(void) = {
    [VECTOR_MAIN] = tick, [VECTORS - 1] = start};

int main(void)
{
    WDT_HOLD();
    REG8(P1DIR) = 1;
    TCCR(1) = 256;
    TCCTL(1) = 0x0010;
    TCTL = 0x0124; /* ACLK, continuous, from 0 */
    for (;;)
        LPM3();
}
