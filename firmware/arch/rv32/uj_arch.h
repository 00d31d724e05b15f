/* RISC-V: interrupts and the return instruction; constants may lie anywhere. See uj_board.h. */
#ifndef UJ_ARCH_H
#define UJ_ARCH_H

#define UJ_FLASH
#define uj_flash_byte(p) (*(const unsigned char *)(p))

/* Bit 3 of mstatus: MIE. */
#define uj_interrupts_off()          __asm__ volatile("csrci mstatus, 8" ::: "memory")
#define UJ_RESULT_REGISTER           __asm__("a0")
#define uj_interrupts_off_keeping(x) __asm__ volatile("csrci mstatus, 8" : "+r"(x) : : "memory")

/* RET right behind the call. */
#define UJ_NOTHING_CYCLES 2

#endif
