/*
 * What the harness asks of a family of chips; arch/<name>/ gives it.
 *
 * Laws
 * - The timed path of uj_timed.c costs the same whatever is called in it: what lies between the
 * moment the timer starts, the call, and the moment it stops, does not depend on data or on earlier
 * calls.
 * - uj_arch.h defines, as macros or inline functions:
 *   UJ_FLASH, uj_flash_byte(p): constants that take no RAM, and how to read one;
 *   uj_interrupts_off(): at once; uj_timer_start() allows them again where the timer needs them;
 *   UJ_RESULT_REGISTER, uj_interrupts_off_keeping(x): the register of a function's result, and the
 *     same for when x lies there;
 *   UJ_NOTHING_CYCLES: what uj_nothing() takes, from its first instruction to its return.
 */
#ifndef UJ_BOARD_H
#define UJ_BOARD_H

#include <stdint.h>

#include "uj_arch.h"

/* Clocks, pins, serial port at UJ_BAUD, timer; interrupts stay off. */
void uj_board_init(void);

/* Waits for a byte; waits until a byte can be sent. */
uint8_t uj_serial_get(void);
void uj_serial_put(uint8_t byte);

/* CPU cycles since uj_timer_start(). Stopping leaves interrupts off. */
void uj_timer_start(void);
uint32_t uj_timer_stop(void);

/* The pin that is high while an operation runs. */
void uj_trigger(uint8_t on);

/* Returns, and nothing else: one instruction, whatever the compiler's flags. */
void uj_nothing(void);

#endif
