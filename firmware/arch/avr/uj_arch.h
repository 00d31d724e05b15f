/* AVR: constants in flash, interrupts, and the return instruction; see uj_board.h. */
#ifndef UJ_ARCH_H
#define UJ_ARCH_H

#include <avr/interrupt.h>
#include <avr/pgmspace.h>

#define UJ_FLASH            PROGMEM
#define uj_flash_byte(p)    pgm_read_byte(p)
#define uj_interrupts_off() cli()

#define UJ_RESULT_REGISTER           __asm__("r24")
#define uj_interrupts_off_keeping(x) __asm__ volatile("cli" : "+r"(x) : : "memory")

/* RET with a program counter of three bytes, or of two. */
#ifdef __AVR_3_BYTE_PC__
#define UJ_NOTHING_CYCLES 5
#else
#define UJ_NOTHING_CYCLES 4
#endif

#endif
