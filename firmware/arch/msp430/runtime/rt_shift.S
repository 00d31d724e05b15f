/*
 * Shifts of the MSP430 EABI. slll, srll and sral are what clang calls; the rest is for code that calls
 * by the EABI itself. A count of the width or more gives 0, or the sign.
 */
#include "rt_msp430.h"

/*
 * 32 bits, value R13:R12, count R14. A table leads into one of four chains, for counts from 0, 8, 16 and
 * 24; each ends with its move by bytes or words. slll: 11 cycles, 2 a bit below 16, 1 above, and the move:
 * 6, 2 or 3.
 */
.macro left_2
        add     r12, r12
        addc    r13, r13
.endm
.macro right_2
        rra     r13
        rrc     r12
.endm

/* Seven entries back from the chain's end, `bytes` for each bit. */
.macro entries end, bytes
        .word   \end, \end - \bytes, \end - 2 * \bytes, \end - 3 * \bytes
        .word   \end - 4 * \bytes, \end - 5 * \bytes, \end - 6 * \bytes, \end - 7 * \bytes
.endm

function __mspabi_slll
        cmp     #32, r14
        jhs     .Lslll_all
        add     r14, r14
        br      .Lslll_table(r14)
        .rept   7
        left_2
        .endr
.Lslll_0:
        ret
        .rept   7
        left_2
        .endr
.Lslll_8:
        mov.b   r13, r13
        swpb    r13
        swpb    r12
        mov.b   r12, r15
        bis     r15, r13
        xor     r15, r12
        ret
        .rept   7
        add     r12, r12
        .endr
.Lslll_16:
        mov     r12, r13
        clr     r12
        ret
        .rept   7
        add     r12, r12
        .endr
.Lslll_24:
        mov.b   r12, r13
        swpb    r13
        clr     r12
        ret
.Lslll_all:
        clr     r12
        clr     r13
        ret
        .balign 2
.Lslll_table:
        entries .Lslll_0, 4
        entries .Lslll_8, 4
        entries .Lslll_16, 2
        entries .Lslll_24, 2
end __mspabi_slll

/* Value R13:R12 by a byte to the right; R14 is lost. R13's upper byte is cleared. */
.macro right_byte
        swpb    r12
        mov.b   r12, r12
        swpb    r13
        mov.b   r13, r14
        xor     r14, r13
        bis     r13, r12
        mov     r14, r13
.endm

/* The first bit is shifted in as 0; from there on the sign is 0, and arithmetic shifts, which are shorter,
 * do the rest. */
function __mspabi_srll
        cmp     #32, r14
        jhs     .Lsrll_all
        add     r14, r14        /* and the carry is clear */
        jz      .Lsrll_0
        rrc     r13
        rrc     r12
        br      .Lsrll_table - 2(r14)
        .rept   7
        right_2
        .endr
.Lsrll_0:
        ret
        .rept   7
        right_2
        .endr
.Lsrll_8:
        right_byte
        ret
        .rept   7
        rra     r13
        .endr
.Lsrll_16:
        mov     r13, r12
        clr     r13
        ret
        .rept   7
        rra     r13
        .endr
.Lsrll_24:
        swpb    r13
        mov.b   r13, r12
        clr     r13
        ret
.Lsrll_all:
        clr     r12
        clr     r13
        ret
        .balign 2
.Lsrll_table:
        entries .Lsrll_0, 4
        entries .Lsrll_8, 4
        entries .Lsrll_16, 2
        entries .Lsrll_24, 2
end __mspabi_srll

/* R13 becomes the sign of what it holds, in all bits. */
.macro sign_13
        add     r13, r13
        subc    r13, r13
        inv     r13
.endm

function __mspabi_sral
        cmp     #32, r14
        jhs     .Lsral_all
        add     r14, r14
        br      .Lsral_table(r14)
        .rept   7
        right_2
        .endr
.Lsral_0:
        ret
        .rept   7
        right_2
        .endr
.Lsral_8:
        right_byte
        sxt     r13
        ret
        .rept   7
        rra     r13
        .endr
.Lsral_16:
        mov     r13, r12
        sign_13
        ret
        .rept   7
        rra     r13
        .endr
.Lsral_24:
        swpb    r13
        sxt     r13
        mov     r13, r12
        sign_13
        ret
.Lsral_all:
        sign_13
        mov     r13, r12
        ret
        .balign 2
.Lsral_table:
        entries .Lsral_0, 4
        entries .Lsral_8, 4
        entries .Lsral_16, 2
        entries .Lsral_24, 2
end __mspabi_sral

/* 16 bits, value R12, count R13: into a chain of one word a bit. */
.macro shift_16 chain
        mov     #\chain, r14
        add     r13, r13
        sub     r13, r14
        br      r14
.endm

function __mspabi_slli
        cmp     #16, r13
        jhs     .Lslli_all
        shift_16 .Lslli_end
        .rept   15
        add     r12, r12
        .endr
.Lslli_end:
        ret
.Lslli_all:
        clr     r12
        ret
end __mspabi_slli

function __mspabi_srli
        cmp     #16, r13
        jhs     .Lsrli_all
        dec     r13
        jn      .Lsrli_end
        clrc
        rrc     r12
        shift_16 .Lsrli_end
        .rept   14
        rra     r12
        .endr
.Lsrli_end:
        ret
.Lsrli_all:
        clr     r12
        ret
end __mspabi_srli

function __mspabi_srai
        cmp     #16, r13
        jlo     .Lsrai_some
        mov     #15, r13
.Lsrai_some:
        shift_16 .Lsrai_end
        .rept   15
        rra     r12
        .endr
.Lsrai_end:
        ret
end __mspabi_srai

/* By a constant: an entry a count, each one step before the next lower one. */
.macro constants name, step:vararg
        .section .text.\name\()_n, "ax", @progbits
        .balign 2
        .irp    n, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
        entry   \name\()_\n
        \step
        .endr
        entry   \name\()_1
        \step
        ret
        .irp    n, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1
        end     \name\()_\n
        .endr
.endm
.macro right_zero
        clrc
        rrc     r12
.endm
.macro right_zero_2
        clrc
        rrc     r13
        rrc     r12
.endm
        constants __mspabi_slli, add r12, r12
        constants __mspabi_srli, right_zero
        constants __mspabi_srai, rra r12
        constants __mspabi_slll, left_2
        constants __mspabi_srll, right_zero_2
        constants __mspabi_sral, right_2

/* 64 bits, value R11:R10:R9:R8, count R12, result R15:R14:R13:R12: by words, then bit by bit. */
.macro take_64
        mov     r12, r11
        mov     r10, r14
        mov     r9, r13
        mov     r8, r12
.endm

function __mspabi_sllll
        mov     r11, r15
        take_64
        sub     #16, r11
        jlo     .Lsllll_bits
.Lsllll_word:
        mov     r14, r15
        mov     r13, r14
        mov     r12, r13
        clr     r12
        sub     #16, r11
        jhs     .Lsllll_word
.Lsllll_bits:
        add     #16, r11
        jz      .Lsllll_end
.Lsllll_bit:
        add     r12, r12
        addc    r13, r13
        addc    r14, r14
        addc    r15, r15
        dec     r11
        jnz     .Lsllll_bit
.Lsllll_end:
        ret
end __mspabi_sllll

function __mspabi_srlll
        mov     r11, r15
        take_64
        sub     #16, r11
        jlo     .Lsrlll_bits
.Lsrlll_word:
        mov     r13, r12
        mov     r14, r13
        mov     r15, r14
        clr     r15
        sub     #16, r11
        jhs     .Lsrlll_word
.Lsrlll_bits:
        add     #16, r11
        jz      .Lsrlll_end
.Lsrlll_bit:
        clrc
        rrc     r15
        rrc     r14
        rrc     r13
        rrc     r12
        dec     r11
        jnz     .Lsrlll_bit
.Lsrlll_end:
        ret
end __mspabi_srlll

function __mspabi_srall
        mov     r11, r15
        take_64
        sub     #16, r11
        jlo     .Lsrall_bits
.Lsrall_word:
        mov     r13, r12
        mov     r14, r13
        mov     r15, r14
        add     r15, r15
        subc    r15, r15
        inv     r15
        sub     #16, r11
        jhs     .Lsrall_word
.Lsrall_bits:
        add     #16, r11
        jz      .Lsrall_end
.Lsrall_bit:
        rra     r15
        rrc     r14
        rrc     r13
        rrc     r12
        dec     r11
        jnz     .Lsrall_bit
.Lsrall_end:
        ret
end __mspabi_srall
