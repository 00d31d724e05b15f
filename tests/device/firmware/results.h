/* What a test program leaves for the test to read. */
#ifndef RESULTS_H
#define RESULTS_H

#include <stdint.h>

volatile uint16_t results[128];
volatile uint8_t result_count;

static inline void note(uint16_t value)
{
    results[result_count] = value;
    result_count++;
}

/* Exactly so many cycles, the same in every AVR core. */
#define WAIT(cycles) __builtin_avr_delay_cycles(cycles)

/* A store of two cycles that is neither moved nor changed. */
#define STORE(address, value) \
    __asm__ volatile("sts %0, %1" : : "n"(&(address)), "r"((uint8_t)(value)) : "memory")
/* A load of the instruction LDS. */
#define LOAD(address)                                                               \
    ({                                                                              \
        uint8_t loaded;                                                             \
        __asm__ volatile("lds %0, %1" : "=r"(loaded) : "n"(&(address)) : "memory"); \
        loaded;                                                                     \
    })

#endif
