/*
 * Start-up of a RISC-V image, in RAM as it is loaded or in flash: entered at its lowest address, with the chip's
 * image definition behind the jump. A trap that nobody handles finds no vector, which ends the run with the
 * trap's registers.
 */
    .section .vectors, "ax", @progbits
    .global uj_start
    .type uj_start, @function
    .option push
    .option norelax
uj_start:
    la gp, __global_pointer$
    .option pop
    la sp, uj_stack_top
    csrwi 0x320, 0 /* mcountinhibit: the counters run */
    la t0, uj_data_start
    la t1, uj_data_end
    la t2, uj_data_load
    beq t0, t2, 5f
4:
    bgeu t0, t1, 5f
    lw t3, 0(t2)
    sw t3, 0(t0)
    addi t0, t0, 4
    addi t2, t2, 4
    j 4b
5:
    la t0, uj_bss_start
    la t1, uj_bss_end
1:
    bgeu t0, t1, 2f
    sw zero, 0(t0)
    addi t0, t0, 4
    j 1b
2:
    call main
3:
    j 3b
    .size uj_start, . - uj_start
    .balign 4

    .section .text.uj_nothing, "ax", @progbits
    .global uj_nothing
    .type uj_nothing, @function
    .balign 4
uj_nothing:
    ret
    .size uj_nothing, . - uj_nothing
