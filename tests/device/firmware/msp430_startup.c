/* What a program finds when main() begins: initial values, cleared memory, a stack. */
#include <stdint.h>

volatile uint16_t filled[3] = {0x1234, 0xABCD, 0x5678};
volatile uint8_t odd_bytes[3] = {1, 2, 3};
volatile uint16_t cleared[5];
volatile uint16_t uj_timer_overflows; /* counted by the start-up's interrupt handler */
const char *volatile text = "in flash";

int main(void)
{
    cleared[0]++;
    __asm__ volatile("eint\n\tnop");
    for (;;)
        filled[2]++;
}
