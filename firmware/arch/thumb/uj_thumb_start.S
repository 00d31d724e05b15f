/*
 * Start-up of a Cortex-M image, in RAM as it is loaded or in flash: vectors, the chip's image definition behind
 * them, .data where it does not lie in place, .bss, and main. A fault that nobody handles executes an undefined instruction, which ends the run with
 * the fault's registers.
 */
    .syntax unified
    .thumb

    .section .vectors, "a"
uj_vectors:
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
#ifdef UJ_RP2040
    /*
     * The RP2040's boot ROM enters an image in RAM at its lowest address, as code. The vectors are
     * executed: their halves are moves and shifts of low registers as long as the handlers lie low,
     * which the linker script sees to, and what follows them is this. Vectors and stack are still the
     * ROM's.
     */
    ldr r0, =0xE000ED08
    ldr r1, =uj_vectors
    str r1, [r0]
    ldr r1, [r1]
    mov sp, r1
#endif
    ldr r0, =uj_data_start
    ldr r1, =uj_data_end
    ldr r2, =uj_data_load
    cmp r0, r2
    beq 4f
3:
    cmp r0, r1
    bhs 4f
    ldmia r2!, {r3}
    stmia r0!, {r3}
    b 3b
4:
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
