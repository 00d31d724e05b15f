/* Cycles by mcycle: it counts the core's clock from start-up on, so no interrupt is needed. */
#include "uj_board.h"

static uint32_t started;

static uint32_t cycles(void)
{
    uint32_t now;
    __asm__ volatile("csrr %0, mcycle" : "=r"(now) : : "memory");
    return now;
}

void uj_timer_start(void)
{
    started = cycles();
}

uint32_t uj_timer_stop(void)
{
    return cycles() - started;
}
