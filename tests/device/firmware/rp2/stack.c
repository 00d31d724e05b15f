/* A function whose stack is known: 56 bytes on Arm, 2064 on RISC-V, by each instruction that opens
 * frames. */
#include "rp2.h"

__attribute__((naked, noinline)) void frames(void)
{
#ifdef __arm__
    __asm__("push {r4, lr}\n sub sp, #48\n add sp, #48\n pop {r4, pc}");
#else
    __asm__("addi sp, sp, -16\n sw ra, 12(sp)\n"
            "li t0, -2000\n add sp, sp, t0\n"
            "li t0, 32\n sub sp, sp, t0\n"
            ".half 0xb842\n .half 0xba42\n" /* cm.push {ra}, -16; cm.pop {ra}, 16 */
            "addi sp, sp, 2032\n lw ra, 12(sp)\n addi sp, sp, 16\n ret");
#endif
}

int main(void)
{
    frames();
    note(1);
    for (;;)
        ;
}
