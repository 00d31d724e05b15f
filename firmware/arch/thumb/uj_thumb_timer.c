/* Cycles by SysTick, which every Cortex-M has: 24 bits at the core's clock, counting down, and its
 * interrupt. */
#include "uj_board.h"

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define SYST_CSR          REGISTER(0xE000E010u) /* 0 enable, 1 interrupt, 2 core clock */
#define SYST_RVR          REGISTER(0xE000E014u)
#define SYST_CVR          REGISTER(0xE000E018u)
#define ICSR              REGISTER(0xE000ED04u)

#define SYST_RUN       7u
#define ICSR_PENDSTCLR (UINT32_C(1) << 25)
#define ICSR_PENDSTSET (UINT32_C(1) << 26)

enum { COUNTER_BITS = 24 };
#define COUNTER_SPAN (UINT32_C(1) << COUNTER_BITS)

static volatile uint32_t wraps; /* of the counter: what lies above its 24 bits */

void uj_systick(void)
{
    wraps++;
}

void uj_timer_start(void)
{
    wraps = 0;
    SYST_CSR = 0;
    SYST_RVR = COUNTER_SPAN - 1;
    SYST_CVR = 0; /* whatever is written, it begins with a reload */
    ICSR = ICSR_PENDSTCLR;
    uj_interrupts_on();
    SYST_CSR = SYST_RUN;
}

uint32_t uj_timer_stop(void)
{
    uint32_t left, high;

    SYST_CSR = 0;
    left = SYST_CVR;
    high = wraps;
    if (ICSR & ICSR_PENDSTSET)
        high++; /* wrapped after interrupts were off */
    return (high << COUNTER_BITS) + (COUNTER_SPAN - left);
}
