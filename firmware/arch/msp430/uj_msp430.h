/*
 * Registers of the chips that the harness uses, for C and assembly. The chip is the compiler's
 * -mmcu. Addresses: user guides SLAU049 (1xx), SLAU144 (2xx), SLAU208 (5xx) and the chips' data
 * sheets.
 */
#ifndef UJ_MSP430_H
#define UJ_MSP430_H

/*
 * VECTORS: number of interrupt vectors, the last of which is reset. The timer of the cycle count:
 * its registers' base and the vector of its overflow.
 */
#if defined(__MSP430F1611__)
#define UJ_MSP430_FAMILY 1
#define WDTCTL           0x0120
#define VECTORS          16
#define TIMER            0x0160 /* Timer_A */
#define TIMER_VECTOR     5
#elif defined(__MSP430F2617__)
#define UJ_MSP430_FAMILY 2
#define WDTCTL           0x0120
#define VECTORS          32
#define TIMER            0x0160 /* Timer_A */
#define TIMER_VECTOR     24
#elif defined(__MSP430F5437__)
#define UJ_MSP430_FAMILY 5
#define WDTCTL           0x015C
#define VECTORS          64
#define TIMER            0x0380 /* Timer1_A */
#define TIMER_VECTOR     48
#else
#error "the harness knows the MSP430F1611, F2617 and F5437"
#endif

#define WDT_HOLD 0x5A80

/* Timer_A, Timer_B: registers behind the base, alike in the three families. */
#define TIMER_CTL         TIMER
#define TIMER_COUNT       (TIMER + 0x10)
#define TIMER_STOPPED     0x0200 /* SMCLK, not divided; mode 0 */
#define TIMER_CLEAR       0x0004
#define TIMER_CONTINUOUS  0x0220
#define TIMER_OVERFLOW_ON 0x0002
#define TIMER_OVERFLOW    0x0001

#ifndef __ASSEMBLER__

#include <stdint.h>

#define REG8(address)  (*(volatile uint8_t *)(uint16_t)(address))
#define REG16(address) (*(volatile uint16_t *)(uint16_t)(address))

/* Of the serial port: clocks a bit, in eighths. */
#define EIGHTHS   ((8UL * UJ_CPU_HZ + UJ_BAUD / 2) / UJ_BAUD)
#define REAL_BAUD (8UL * UJ_CPU_HZ / EIGHTHS)

/* A chip's own part of uj_board_init(). */
void uj_clock_init(void);
void uj_serial_init(void);

/*
 * Tunes the DCO by its own control registers until `expected` of its cycles lie between two
 * captures of the crystal: channel `capture` of the timer at `timer`, whose control word is
 * `source`.
 */
void uj_dco_tune(uint16_t timer, uint16_t capture, uint16_t source, uint16_t expected);

#endif
#endif
