/*
 * Macros for the runtime's assembly. Every function lies in a section of its own, so that an image
 * holds those that are called.
 *
 * Laws: R4 to R10 are preserved; R11 to R15 are not; no function keeps state or needs alignment of
 * its stack. Cycles in comments are those of the first MSP430, call not counted.
 */
#ifndef RT_MSP430_H
#define RT_MSP430_H

/* clang-format off */
.macro function name
        .section .text.\name, "ax", @progbits
        .balign 2
        .global \name
        .type   \name, @function
\name:
.endm

/* Another name of the place; both are the function's. */
.macro entry name
        .global \name
        .type   \name, @function
\name:
.endm

.macro end name
        .size   \name, . - \name
.endm
/* clang-format on */

#endif
