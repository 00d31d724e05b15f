/*
 * Multiplication by the hardware multiplier: MPY of 16 bits at 0x0130, MPY32 there or at 0x04C0.
 *
 * Its registers are one for all, so interrupts are off from the first that is written to the last that is
 * read. What follows DINT may still be interrupted, so that a NOP or work of another kind does. Results
 * are read by absolute address, in time for the next instruction: RES0 and RESLO three cycles after OP2
 * was written, RES2 and RES3 of 32 by 32 bits five and six after OP2H.
 *
 * mpyll takes its second factor from the stack, as clang passes it to these functions (but not to
 * __mspabi_mpyll without hardware, nor to the divisions).
 */
#include "rt_msp430.h"

.set MPY,    0x0        /* behind the multiplier's base */
.set MPYS,   0x2
.set OP2,    0x8
.set RESLO,  0xA
.set RESHI,  0xC
.set MPY32L, 0x10
.set MPY32H, 0x12
.set MPYS32L, 0x14
.set MPYS32H, 0x16
.set OP2L,   0x20
.set OP2H,   0x22
.set RES0,   0x24
.set RES1,   0x26
.set RES2,   0x28
.set RES3,   0x2A

/* R12 = R12 x R13: 15 cycles and RET */
.macro mpyi suffix, base
function __mspabi_mpyi\suffix
        mov     sr, r15
        dint
        nop
        mov     r12, &\base + MPY
        mov     r13, &\base + OP2
        mov     &\base + RESLO, r12
        mov     r15, sr
        ret
end __mspabi_mpyi\suffix
.endm

/* R13:R12 = R12 x R13 */
.macro mpy_wide name, suffix, base, operation
function __mspabi_\name\suffix
        mov     sr, r15
        dint
        nop
        mov     r12, &\base + \operation
        mov     r13, &\base + OP2
        mov     &\base + RESLO, r12
        mov     &\base + RESHI, r13
        mov     r15, sr
        ret
end __mspabi_\name\suffix
.endm

/* R13:R12 = R13:R12 x R15:R14 in products of 16 bits: 36 cycles and RET */
.macro mpyl suffix, base
function __mspabi_mpyl\suffix
        mov     sr, r11
        dint
        nop
        mov     r13, &\base + MPY
        mov     r14, &\base + OP2
        mov     &\base + RESLO, r13
        mov     r12, &\base + MPY
        mov     r15, &\base + OP2
        add     &\base + RESLO, r13
        mov     r14, &\base + OP2
        mov     &\base + RESLO, r12
        add     &\base + RESHI, r13
        mov     r11, sr
        ret
end __mspabi_mpyl\suffix
.endm

/* R15:R14:R13:R12 = R13:R12 x R15:R14; the four products and, signed, what a negative factor takes. */
.macro mpyull suffix, base
function __mspabi_mpyull\suffix
        push    sr
        dint
        push    r10
        mov     r12, &\base + MPY
        mov     r15, &\base + OP2
        mov     &\base + RESLO, r10
        mov     &\base + RESHI, r11
        mov     r14, &\base + OP2
        mov     &\base + RESLO, r12
        add     &\base + RESHI, r10
        adc     r11
        mov     r13, &\base + MPY
        mov     r14, &\base + OP2
        add     &\base + RESLO, r10
        addc    &\base + RESHI, r11
        mov     r15, &\base + OP2
        mov     r10, r13
        clr     r15
        rlc     r15
        mov     r11, r14
        add     &\base + RESLO, r14
        addc    &\base + RESHI, r15
        pop     r10
        pop     sr
        ret
end __mspabi_mpyull\suffix

function __mspabi_mpysll\suffix
        push    r13
        push    r12
        push    r15
        push    r14
        call    #__mspabi_mpyull\suffix
        tst     2(sp)
        jge     .Lfirst\suffix
        sub     4(sp), r14
        subc    6(sp), r15
.Lfirst\suffix:
        tst     6(sp)
        jge     .Lend\suffix
        sub     0(sp), r14
        subc    2(sp), r15
.Lend\suffix:
        add     #8, sp
        ret
end __mspabi_mpysll\suffix
.endm

/*
 * R15:R14:R13:R12 times the 64 bits on the stack. From the highest word of the first factor down: a word
 * is not needed once it was multiplied, and takes the result's word of the same weight. 132 cycles and RET.
 */
.macro mpyll suffix, base
function __mspabi_mpyll\suffix
        mov     sr, r11
        dint
        nop
        mov     r15, &\base + MPY
        mov     2(sp), &\base + OP2
        mov     &\base + RESLO, r15

        mov     r14, &\base + MPY
        mov     2(sp), &\base + OP2
        mov     &\base + RESLO, r14
        add     &\base + RESHI, r15
        mov     4(sp), &\base + OP2
        add     &\base + RESLO, r15

        mov     r13, &\base + MPY
        mov     2(sp), &\base + OP2
        mov     &\base + RESLO, r13
        add     &\base + RESHI, r14
        adc     r15
        mov     4(sp), &\base + OP2
        add     &\base + RESLO, r14
        addc    &\base + RESHI, r15
        mov     6(sp), &\base + OP2
        add     &\base + RESLO, r15

        mov     r12, &\base + MPY
        mov     2(sp), &\base + OP2
        mov     &\base + RESLO, r12
        add     &\base + RESHI, r13
        adc     r14
        adc     r15
        mov     4(sp), &\base + OP2
        add     &\base + RESLO, r13
        addc    &\base + RESHI, r14
        adc     r15
        mov     6(sp), &\base + OP2
        add     &\base + RESLO, r14
        addc    &\base + RESHI, r15
        mov     8(sp), &\base + OP2
        add     &\base + RESLO, r15
        mov     r11, sr
        ret
end __mspabi_mpyll\suffix
.endm

/* MPY32: R13:R12 = R13:R12 x R15:R14 */
.macro mpyl_32 suffix, base
function __mspabi_mpyl\suffix
        mov     sr, r11
        dint
        nop
        mov     r12, &\base + MPY32L
        mov     r13, &\base + MPY32H
        mov     r14, &\base + OP2L
        mov     r15, &\base + OP2H
        mov     &\base + RES0, r12
        mov     &\base + RES1, r13
        mov     r11, sr
        ret
end __mspabi_mpyl\suffix
.endm

/* MPY32: R15:R14:R13:R12 = R13:R12 x R15:R14 */
.macro mpy_double_32 name, suffix, base, operation
function __mspabi_\name\suffix
        mov     sr, r11
        dint
        nop
        mov     r12, &\base + \operation\()L
        mov     r13, &\base + \operation\()H
        mov     r14, &\base + OP2L
        mov     r15, &\base + OP2H
        mov     &\base + RES0, r12
        mov     &\base + RES1, r13
        mov     &\base + RES2, r14
        mov     &\base + RES3, r15
        mov     r11, sr
        ret
end __mspabi_\name\suffix
.endm

/*
 * MPY32: R15:R14:R13:R12 times the 64 bits on the stack. Two reads of three cycles lie between a product
 * and the next write, as long as the multiplier works at it.
 */
.macro mpyll_32 suffix, base
function __mspabi_mpyll\suffix
        mov     sr, r11
        dint
        nop
        mov     r14, &\base + MPY32L
        mov     r15, &\base + MPY32H
        mov     2(sp), &\base + OP2L
        mov     4(sp), &\base + OP2H
        mov     &\base + RES0, r14
        mov     &\base + RES1, r15
        mov     r12, &\base + MPY32L
        mov     r13, &\base + MPY32H
        mov     6(sp), &\base + OP2L
        mov     8(sp), &\base + OP2H
        add     &\base + RES0, r14
        addc    &\base + RES1, r15
        mov     2(sp), &\base + OP2L
        mov     4(sp), &\base + OP2H
        mov     &\base + RES0, r12
        mov     &\base + RES1, r13
        add     &\base + RES2, r14
        addc    &\base + RES3, r15
        mov     r11, sr
        ret
end __mspabi_mpyll\suffix
.endm

/* MPY */
        mpyi _hw, 0x130
        mpy_wide mpyul, _hw, 0x130, MPY
        mpy_wide mpysl, _hw, 0x130, MPYS
        mpyl _hw, 0x130
        mpyull _hw, 0x130
        mpyll _hw, 0x130

/* MPY32 where MPY was: the functions of 16 bits are the same. */
        mpyl_32 _hw32, 0x130
        mpy_double_32 mpyull, _hw32, 0x130, MPY32
        mpy_double_32 mpysll, _hw32, 0x130, MPYS32
        mpyll_32 _hw32, 0x130

/* MPY32 of the 5xx family */
        mpyi _f5hw, 0x4C0
        mpy_wide mpyul, _f5hw, 0x4C0, MPY
        mpy_wide mpysl, _f5hw, 0x4C0, MPYS
        mpyl_32 _f5hw, 0x4C0
        mpy_double_32 mpyull, _f5hw, 0x4C0, MPY32
        mpy_double_32 mpysll, _f5hw, 0x4C0, MPYS32
        mpyll_32 _f5hw, 0x4C0
