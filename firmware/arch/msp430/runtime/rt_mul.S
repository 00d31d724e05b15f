/*
 * Multiplication without a multiplier: the first MSP430's own instructions alone. A bit of the
 * multiplier costs six or seven cycles in 16 bits; the work ends with its highest bit that is set.
 */
#include "rt_msp430.h"

/* R12 = R12 x R13 */
function __mspabi_mpyi
        mov     r12, r14
        clr     r12
        jmp     .Lmpyi_begin
.Lmpyi_add:
        add     r14, r12
.Lmpyi_next:
        add     r14, r14
.Lmpyi_begin:
        clrc
        rrc     r13
        jc      .Lmpyi_add
        jnz     .Lmpyi_next
        ret
end __mspabi_mpyi

/* R13:R12 = R13:R12 x R15:R14 */
function __mspabi_mpyl
        push    r10
        mov     r12, r10
        mov     r13, r11
        clr     r12
        clr     r13
        jmp     .Lmpyl_begin
.Lmpyl_add:
        add     r10, r12
        addc    r11, r13
.Lmpyl_next:
        add     r10, r10
        addc    r11, r11
.Lmpyl_begin:
        clrc
        rrc     r15
        rrc     r14
        jc      .Lmpyl_add
        jnz     .Lmpyl_next
        tst     r15
        jnz     .Lmpyl_next
        pop     r10
        ret
end __mspabi_mpyl

/* R13:R12 = R12 x R13, unsigned */
function __mspabi_mpyul
        mov     r13, r14
        clr     r15
        clr     r13
        br      #__mspabi_mpyl
end __mspabi_mpyul

/* The same, signed. The multiplier is made positive, that the work may end early. */
function __mspabi_mpysl
        mov     r13, r14
        mov     r12, r13
        add     r13, r13
        subc    r13, r13
        inv     r13
        clr     r15
        tst     r14
        jge     .Lmpysl_go
        inv     r14
        inc     r14
        inv     r12
        inv     r13
        inc     r12
        adc     r13
.Lmpysl_go:
        br      #__mspabi_mpyl
end __mspabi_mpysl

/* R15:R14:R13:R12 = R11:R10:R9:R8 x R15:R14:R13:R12 */
function __mspabi_mpyll
        push    r4
        push    r5
        push    r6
        push    r7
        push    r8
        push    r9
        push    r10
        clr     r4
        clr     r5
        clr     r6
        clr     r7
        jmp     .Lmpyll_begin
.Lmpyll_add:
        add     r12, r4
        addc    r13, r5
        addc    r14, r6
        addc    r15, r7
.Lmpyll_next:
        add     r12, r12
        addc    r13, r13
        addc    r14, r14
        addc    r15, r15
.Lmpyll_begin:
        clrc
        rrc     r11
        rrc     r10
        rrc     r9
        rrc     r8
        jc      .Lmpyll_add
        jnz     .Lmpyll_next
        tst     r9
        jnz     .Lmpyll_next
        tst     r10
        jnz     .Lmpyll_next
        tst     r11
        jnz     .Lmpyll_next
        mov     r4, r12
        mov     r5, r13
        mov     r6, r14
        mov     r7, r15
        pop     r10
        pop     r9
        pop     r8
        pop     r7
        pop     r6
        pop     r5
        pop     r4
        ret
end __mspabi_mpyll

/* R15:R14:R13:R12 = R13:R12 x R15:R14, unsigned */
function __mspabi_mpyull
        push    r8
        push    r9
        push    r10
        mov     r14, r8
        mov     r15, r9
        clr     r10
        clr     r11
        clr     r14
        clr     r15
        call    #__mspabi_mpyll
        pop     r10
        pop     r9
        pop     r8
        ret
end __mspabi_mpyull

/* The same, signed: a negative factor takes the other from the upper half. */
function __mspabi_mpysll
        push    r13
        push    r12
        push    r15
        push    r14
        call    #__mspabi_mpyull
        tst     2(sp)
        jge     .Lmpysll_first
        sub     4(sp), r14
        subc    6(sp), r15
.Lmpysll_first:
        tst     6(sp)
        jge     .Lmpysll_end
        sub     0(sp), r14
        subc    2(sp), r15
.Lmpysll_end:
        add     #8, sp
        ret
end __mspabi_mpysll
