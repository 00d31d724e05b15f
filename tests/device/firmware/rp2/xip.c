/* Straight code, called thrice; the test watches it. */
#include "rp2.h"

#ifdef FILL
uint8_t filled[FILL];
#endif

__attribute__((naked, noinline, aligned(8))) void straight(void)
{
#ifdef __arm__
    __asm__(".rept 59\n nop\n .endr\n bx lr");
#else
    __asm__(".rept 59\n c.nop\n .endr\n ret");
#endif
}

int main(void)
{
    set_up();
    for (volatile unsigned i = 0; i < 3; i++)
        straight();
    note(1);
    for (;;)
        ;
}
