/* MSP430: constants stand in flash, interrupts, and the return instruction; see uj_board.h. */
#ifndef UJ_ARCH_H
#define UJ_ARCH_H

#include "uj_msp430.h"

#define UJ_FLASH
#define uj_flash_byte(p) (*(const unsigned char *)(p))
/* An interrupt may still come behind DINT, so the next instruction is one that does nothing. */
#define uj_interrupts_off()          __asm__ volatile("dint\n\tnop" ::: "memory")
#define UJ_RESULT_REGISTER           __asm__("r12")
#define uj_interrupts_off_keeping(x) __asm__ volatile("dint\n\tnop" : "+r"(x) : : "memory")
#define uj_interrupts_on()           __asm__ volatile("nop\n\teint\n\tnop" ::: "memory")

/* RET: 3 cycles, of the 5xx family 4. */
#if UJ_MSP430_FAMILY == 5
#define UJ_NOTHING_CYCLES 4
#else
#define UJ_NOTHING_CYCLES 3
#endif

#endif
