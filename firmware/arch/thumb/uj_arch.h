/* Cortex-M: interrupts and the return instruction; constants may lie anywhere. See uj_board.h. */
#ifndef UJ_ARCH_H
#define UJ_ARCH_H

#define UJ_FLASH
#define uj_flash_byte(p) (*(const unsigned char *)(p))

#define uj_interrupts_off()          __asm__ volatile("cpsid i" ::: "memory")
#define uj_interrupts_on()           __asm__ volatile("cpsie i" ::: "memory")
#define UJ_RESULT_REGISTER           __asm__("r0")
#define uj_interrupts_off_keeping(x) __asm__ volatile("cpsid i" : "+r"(x) : : "memory")

/* BX LR right behind the call. */
#define UJ_NOTHING_CYCLES 2

#endif
