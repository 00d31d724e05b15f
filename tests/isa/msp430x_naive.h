/*
 * A second interpreter of the MSP430X instruction set (CPUX and CPUXv2), as an oracle of values.
 *
 * Laws:
 * - Written from TI's family guides (SLAU144, SLAU208, SLAU445: chapter "CPUX") alone; it shares
 *   nothing with src/isa/, so that an error has to be made twice to stay unseen.
 * - It knows values, registers, flags and memory. No cycles, no interrupts, no peripherals; CPUOFF
 *   does not stop it.
 * - Registers hold 20 bits. A word at an odd address is read and written at the even one below.
 * - Slow and plain: one word after the other, in the order of the guide.
 */
#ifndef UJ_TESTS_ISA_MSP430X_NAIVE_H
#define UJ_TESTS_ISA_MSP430X_NAIVE_H

#include <stdint.h>

struct naive {
    uint32_t r[16]; /* r0 = PC, r1 = SP, r2 = SR, r3 = constant generator */
    uint8_t *mem;   /* 1 MiB */
};

/* Executes one instruction. 0: done; nonzero: no such opcode, and nothing has changed. */
int naive_step(struct naive *naive);

#endif
