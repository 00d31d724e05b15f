/*
 * Start-up of a Cortex-M image that lies in RAM as it is loaded: vectors, the chip's image definition behind
 * them, .bss, and main. A fault that nobody handles executes an undefined instruction, which ends the run with
 * the fault's registers.
 */
    .syntax unified
    .thumb

    .section .vectors, "a"
    .word uj_stack_top
    .word uj_start
    .rept 13
    .word uj_unhandled
    .endr
    .word uj_systick
    .rept 52
    .word uj_unhandled
    .endr

    .section .text.uj_start, "ax", %progbits
    .global uj_start
    .type uj_start, %function
    .thumb_func
uj_start:
    ldr r0, =uj_bss_start
    ldr r1, =uj_bss_end
    movs r2, #0
1:
    cmp r0, r1
    bhs 2f
    stmia r0!, {r2}
    b 1b
2:
    bl main
    .size uj_start, . - uj_start

    .type uj_unhandled, %function
    .thumb_func
uj_unhandled:
    udf #0
    .size uj_unhandled, . - uj_unhandled

    .section .text.uj_nothing, "ax", %progbits
    .global uj_nothing
    .type uj_nothing, %function
    .thumb_func
    .balign 4
uj_nothing:
    bx lr
    .size uj_nothing, . - uj_nothing
