/*
 * From reset to main(), the vectors, and the timer's interrupt. Names of the linker script begin with
 * uj_: the stack's top, the parts of RAM that are filled and cleared.
 */
#include "uj_msp430.h"

        .section .text.uj_start, "ax", @progbits
        .global uj_start
        .type   uj_start, @function
uj_start:
        mov     #WDT_HOLD, &WDTCTL
        mov     #uj_stack_top, sp
        mov     #uj_data_load, r12
        mov     #uj_data_start, r13
        jmp     .Ldata
.Ldata_word:
        mov     @r12, 0(r13)
        incd    r12
        incd    r13
.Ldata:
        cmp     #uj_data_end, r13
        jlo     .Ldata_word
        mov     #uj_bss_start, r13
        jmp     .Lbss
.Lbss_word:
        clr     0(r13)
        incd    r13
.Lbss:
        cmp     #uj_bss_end, r13
        jlo     .Lbss_word
        call    #main
        .size   uj_start, . - uj_start

        /* An interrupt that nobody asked for, and the end of main(). */
        .type   uj_stop, @function
uj_stop:
        jmp     uj_stop
        .size   uj_stop, . - uj_stop

        .section .text.uj_timer_overflow, "ax", @progbits
        .type   uj_timer_overflow, @function
uj_timer_overflow:
        bic     #TIMER_OVERFLOW, &TIMER_CTL
        inc     &uj_timer_overflows
        reti
        .size   uj_timer_overflow, . - uj_timer_overflow

        .section .text.uj_nothing, "ax", @progbits
        .global uj_nothing
        .type   uj_nothing, @function
uj_nothing:
        ret
        .size   uj_nothing, . - uj_nothing

        .section .vectors, "a", @progbits
        .rept   TIMER_VECTOR
        .word   uj_stop
        .endr
        .word   uj_timer_overflow
        .rept   VECTORS - 2 - TIMER_VECTOR
        .word   uj_stop
        .endr
        .word   uj_start
