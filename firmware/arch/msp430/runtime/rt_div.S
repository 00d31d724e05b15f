/*
 * Division and remainder, of 16, 32 and 64 bits.
 *
 * The quotient moves into the dividend's register as the dividend moves out of it: the carry of the
 * comparison is the quotient's next bit. So the loop carries it from one step into the next, and the
 * remainder comes out doubled. This asks for a divisor below half of the range, that no bit of the doubled
 * remainder is lost; the others are handled apart. What a division by 0 gives is nobody's promise, but it
 * ends.
 */
#include "rt_msp430.h"

/* One bit: 5 or 6 cycles. */
.macro step_16 quotient, divisor, remainder
        cmp     \divisor, \remainder
        jlo     .Lless\@
        sub     \divisor, \remainder
.Lless\@:
        rlc     \quotient
        rlc     \remainder
.endm

/* R12 / R13: the quotient in R12, the remainder in R14; R15 is lost. 109 to 124 cycles, RET
 * included, and some 67 where the dividend is below 256. */
function __mspabi_divu
entry rt_divide_16
        tst     r13
        jn      .Ldivide_16_large
        clr     r14
        mov     #4, r15
        cmp     #256, r12
        jhs     .Ldivide_16_begin
        swpb    r12
        mov     #2, r15
.Ldivide_16_begin:
        add     r12, r12
        rlc     r14
.Ldivide_16_next:
        .rept   4
        step_16 r12, r13, r14
        .endr
        dec     r15
        jnz     .Ldivide_16_next
        clrc
        rrc     r14
        ret
.Ldivide_16_large:
        mov     r12, r14
        clr     r12
        cmp     r13, r14
        jlo     .Ldivide_16_end
        sub     r13, r14
        inc     r12
.Ldivide_16_end:
        ret
end rt_divide_16
end __mspabi_divu

function __mspabi_remu
        call    #rt_divide_16
        mov     r14, r12
        ret
end __mspabi_remu

.macro negate_16 low
        inv     \low
        inc     \low
.endm
.macro negate_32 low, high
        inv     \low
        inv     \high
        inc     \low
        adc     \high
.endm
.macro negate_64 w0, w1, w2, w3
        inv     \w0
        inv     \w1
        inv     \w2
        inv     \w3
        inc     \w0
        adc     \w1
        adc     \w2
        adc     \w3
.endm

/* The absolute values; R11 keeps the sign asked for. */
.macro positive_16
        tst     r12
        jge     .Lfirst\@
        negate_16 r12
.Lfirst\@:
        tst     r13
        jge     .Lsecond\@
        negate_16 r13
.Lsecond\@:
.endm

function __mspabi_divi
        mov     r12, r11
        xor     r13, r11
        positive_16
        call    #rt_divide_16
        tst     r11
        jge     .Ldivi_end
        negate_16 r12
.Ldivi_end:
        ret
end __mspabi_divi

function __mspabi_remi
        mov     r12, r11
        positive_16
        call    #rt_divide_16
        mov     r14, r12
        tst     r11
        jge     .Lremi_end
        negate_16 r12
.Lremi_end:
        ret
end __mspabi_remi

/* R13:R12 / R15:R14: the quotient in R13:R12, the remainder in R15:R14; R11 is lost. By a divisor
 * of 15 bits 120 to 230 cycles, by one of 17 and more 180 to 250. */
function __mspabi_divul
entry rt_divide_32
        tst     r15
        jnz     .Ldivide_32_wide
        tst     r14
        jn      .Ldivide_32_half

        /* A divisor of 15 bits: the two words one after the other; the remainder is R15. */
        cmp     r14, r13
        jhs     .Ldivide_32_upper
        mov     r13, r15
        clr     r13
        jmp     .Ldivide_32_lower
.Ldivide_32_upper:
        mov     #4, r11
        add     r13, r13
        rlc     r15
.Ldivide_32_upper_next:
        .rept   4
        step_16 r13, r14, r15
        .endr
        dec     r11
        jnz     .Ldivide_32_upper_next
        clrc
        rrc     r15
.Ldivide_32_lower:
        mov     #4, r11
        add     r12, r12
        rlc     r15
.Ldivide_32_lower_next:
        .rept   4
        step_16 r12, r14, r15
        .endr
        dec     r11
        jnz     .Ldivide_32_lower_next
        clrc
        rrc     r15
        mov     r15, r14
        clr     r15
        ret

        /* A divisor of 16 bits: the doubled remainder has 17. */
.Ldivide_32_half:
        mov     r13, r15
        clr     r13
        cmp     r14, r15
        jlo     .Ldivide_32_half_lower
        sub     r14, r15
        inc     r13
.Ldivide_32_half_lower:
        mov     #16, r11
.Ldivide_32_half_next:
        add     r12, r12
        rlc     r15
        jc      .Ldivide_32_half_one
        cmp     r14, r15
        jlo     .Ldivide_32_half_zero
.Ldivide_32_half_one:
        sub     r14, r15
        inc     r12
.Ldivide_32_half_zero:
        dec     r11
        jnz     .Ldivide_32_half_next
        mov     r15, r14
        clr     r15
        ret

        /* A divisor of more than 16 bits: the quotient has 16; the remainder R11:R10 begins with the
         * dividend's upper word. */
.Ldivide_32_wide:
        jn      .Ldivide_32_large
        push    r10
        mov     r13, r10
        clr     r11
        mov     #16, r13
        add     r12, r12
        rlc     r10
        rlc     r11
.Ldivide_32_wide_next:
        cmp     r15, r11
        jlo     .Ldivide_32_wide_less
        jnz     .Ldivide_32_wide_more
        cmp     r14, r10
        jlo     .Ldivide_32_wide_less
.Ldivide_32_wide_more:
        sub     r14, r10
        subc    r15, r11
.Ldivide_32_wide_less:
        rlc     r12
        rlc     r10
        rlc     r11
        dec     r13
        jnz     .Ldivide_32_wide_next
        clrc
        rrc     r11
        rrc     r10
        mov     r10, r14
        mov     r11, r15
        pop     r10
        ret

        /* A divisor of 32 bits: the quotient is 0 or 1. */
.Ldivide_32_large:
        cmp     r15, r13
        jlo     .Ldivide_32_large_zero
        jnz     .Ldivide_32_large_one
        cmp     r14, r12
        jlo     .Ldivide_32_large_zero
.Ldivide_32_large_one:
        sub     r14, r12
        subc    r15, r13
        mov     r12, r14
        mov     r13, r15
        mov     #1, r12
        clr     r13
        ret
.Ldivide_32_large_zero:
        mov     r12, r14
        mov     r13, r15
        clr     r12
        clr     r13
        ret
end rt_divide_32
end __mspabi_divul

function __mspabi_remul
        call    #rt_divide_32
        mov     r14, r12
        mov     r15, r13
        ret
end __mspabi_remul

.macro positive_32
        tst     r13
        jge     .Lfirst\@
        negate_32 r12, r13
.Lfirst\@:
        tst     r15
        jge     .Lsecond\@
        negate_32 r14, r15
.Lsecond\@:
.endm

function __mspabi_divli
        mov     r13, r11
        xor     r15, r11
        push    r11
        positive_32
        call    #rt_divide_32
        pop     r11
        tst     r11
        jge     .Ldivli_end
        negate_32 r12, r13
.Ldivli_end:
        ret
end __mspabi_divli

function __mspabi_remli
        push    r13
        positive_32
        call    #rt_divide_32
        mov     r14, r12
        mov     r15, r13
        pop     r11
        tst     r11
        jge     .Lremli_end
        negate_32 r12, r13
.Lremli_end:
        ret
end __mspabi_remli

/*
 * R11:R10:R9:R8 / R15:R14:R13:R12 as the caller has them, but R8 to R10 and R4 to R7 are lost: the quotient
 * in R11..R8, the remainder in R7..R4. Words of the dividend that are 0 cost nothing.
 */
function rt_divide_64
        clr     r4
        clr     r5
        clr     r6
        clr     r7
        push    #64
.Ldivide_64_skip:
        tst     r11
        jnz     .Ldivide_64_next
        mov     r10, r11
        mov     r9, r10
        mov     r8, r9
        clr     r8
        sub     #16, 0(sp)
        jnz     .Ldivide_64_skip
        jmp     .Ldivide_64_end
.Ldivide_64_next:
        add     r8, r8
        rlc     r9
        rlc     r10
        rlc     r11
        rlc     r4
        rlc     r5
        rlc     r6
        rlc     r7
        jc      .Ldivide_64_more
        cmp     r15, r7
        jlo     .Ldivide_64_less
        jnz     .Ldivide_64_more
        cmp     r14, r6
        jlo     .Ldivide_64_less
        jnz     .Ldivide_64_more
        cmp     r13, r5
        jlo     .Ldivide_64_less
        jnz     .Ldivide_64_more
        cmp     r12, r4
        jlo     .Ldivide_64_less
.Ldivide_64_more:
        sub     r12, r4
        subc    r13, r5
        subc    r14, r6
        subc    r15, r7
        inc     r8
.Ldivide_64_less:
        dec     0(sp)
        jnz     .Ldivide_64_next
.Ldivide_64_end:
        add     #2, sp
        ret
end rt_divide_64

.macro push_4_to_10
        push    r4
        push    r5
        push    r6
        push    r7
        push    r8
        push    r9
        push    r10
.endm
.macro pop_10_to_4
        pop     r10
        pop     r9
        pop     r8
        pop     r7
        pop     r6
        pop     r5
        pop     r4
.endm
.macro positive_64
        tst     r11
        jge     .Lfirst\@
        negate_64 r8, r9, r10, r11
.Lfirst\@:
        tst     r15
        jge     .Lsecond\@
        negate_64 r12, r13, r14, r15
.Lsecond\@:
.endm
.macro take_64 w0, w1, w2, w3
        mov     \w0, r12
        mov     \w1, r13
        mov     \w2, r14
        mov     \w3, r15
.endm
.macro sign_64
        pop     r11
        tst     r11
        jge     .Lend\@
        negate_64 r12, r13, r14, r15
.Lend\@:
.endm

function __mspabi_divull
        push_4_to_10
        call    #rt_divide_64
        take_64 r8, r9, r10, r11
        pop_10_to_4
        ret
end __mspabi_divull

function __mspabi_remull
        push_4_to_10
        call    #rt_divide_64
        take_64 r4, r5, r6, r7
        pop_10_to_4
        ret
end __mspabi_remull

function __mspabi_divlli
        push_4_to_10
        mov     r11, r4
        xor     r15, r4
        push    r4
        positive_64
        call    #rt_divide_64
        take_64 r8, r9, r10, r11
        sign_64
        pop_10_to_4
        ret
end __mspabi_divlli

function __mspabi_remlli
        push_4_to_10
        push    r11
        positive_64
        call    #rt_divide_64
        take_64 r4, r5, r6, r7
        sign_64
        pop_10_to_4
        ret
end __mspabi_remlli
