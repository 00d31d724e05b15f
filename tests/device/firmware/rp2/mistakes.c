/* What a program may do wrong; MISTAKE says which. */
#ifdef RP2040
#include "rp2.h"
#else
#include "sha.h"
#endif

__attribute__((noinline)) void culprit(void)
{
#if MISTAKE == 1 /* writes the SHA-256 block while it is busy */
    for (unsigned i = 0; i < 17; i++)
        REG(WDATA) = i;
#elif MISTAKE == 2 /* DMA to nowhere */
    REG(DMA) = 0x20000000;
    REG(DMA + 4) = 0x30000000;
    REG(DMA + 8) = 4;
    REG(DMA + 0x0C) = 1 | 2 << 2 | 0x3Fu << 17;
#elif MISTAKE == 3 /* a load where nothing is */
    (void)REG(0x30000000);
#endif
}

int main(void)
{
    set_up();
    culprit();
    note(1);
    for (;;)
        ;
}
