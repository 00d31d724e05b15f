/*
 * What the programs for RP2040 and RP2350 share: start-up (by the vector table, or at the lowest
 * address), registers, results that the test reads back.
 */
#ifndef RP2_H
#define RP2_H

#include <stdint.h>

#define REG(address)   (*(volatile uint32_t *)(address))
#define REG8(address)  (*(volatile uint8_t *)(address))
#define REG16(address) (*(volatile uint16_t *)(address))
enum { XOR = 0x1000, SET = 0x2000, CLEAR = 0x3000 };

#ifdef RP2040
enum {
    RESETS = 0x4000C000,
    CLOCKS = 0x40008000,
    XOSC = 0x40024000,
    PLL_SYS = 0x40028000,
    UART0 = 0x40034000,
    TIMER = 0x40054000,
    WATCHDOG = 0x40058000,
    IO_BANK0 = 0x40014000,
    PADS = 0x4001C000,
    SYSCFG = 0x40004000,
};
#else
enum {
    RESETS = 0x40020000,
    CLOCKS = 0x40010000,
    XOSC = 0x40048000,
    PLL_SYS = 0x40050000,
    UART0 = 0x40070000,
    TIMER = 0x400B0000,
    TICKS = 0x40108000,
    IO_BANK0 = 0x40028000,
    PADS = 0x40038000,
    SHA256 = 0x400F8000,
    SYSCFG = 0x40008000,
};
#endif
enum { DMA = 0x50000000 };
#define SIO 0xD0000000u

volatile uint32_t results[256];
volatile uint32_t result_count;

static inline void note(uint32_t value)
{
    results[result_count] = value;
    result_count = result_count + 1;
}

int main(void);

/* Start as the vendor's code does: crystal, PLL, clk_ref and clk_sys, everything out of reset. */
static inline void set_up(void)
{
    REG(XOSC) = 0xAA0;
    REG(XOSC + 0x0C) = 4;
    REG(XOSC + SET) = 0xFAB << 12;
    while (!(REG(XOSC + 4) >> 31))
        ;
#ifdef RP2040
    REG(RESETS + CLEAR) = 1u << 12;
    while (!(REG(RESETS + 8) >> 12 & 1))
        ;
#else
    REG(RESETS + CLEAR) = 1u << 14;
    while (!(REG(RESETS + 8) >> 14 & 1))
        ;
#endif
    REG(PLL_SYS) = 1;
    REG(PLL_SYS + 8) = 125;
    REG(PLL_SYS + CLEAR + 4) = 0x21;
    while (!(REG(PLL_SYS) >> 31))
        ;
#ifdef RP2040
    REG(PLL_SYS + 0x0C) = 6u << 16 | 2u << 12; /* 1500 MHz / 12 = 125 MHz */
#else
    REG(PLL_SYS + 0x0C) = 5u << 16 | 2u << 12; /* 1500 MHz / 10 = 150 MHz */
#endif
    REG(PLL_SYS + CLEAR + 4) = 8;
    REG(CLOCKS + 0x30) = 2;
    while (REG(CLOCKS + 0x38) != 4)
        ;
    REG(CLOCKS + 0x3C) = 0;
    REG(CLOCKS + SET + 0x3C) = 1;
    while (REG(CLOCKS + 0x44) != 2)
        ;
    /* From the PLL. The bit alone, clk_sys, stops gcc 12 for RISC-V with Zbs by an internal error.
     */
    REG(CLOCKS + 0x48) = 1u << 11 | 1u << 5;
    REG(RESETS) = 0;
}

#ifdef __arm__
extern uint32_t stack_top[];
#ifndef OWN_VECTORS
__attribute__((section(".start"), used)) static void *const vectors[16] = {stack_top, (void *)main};
#endif
#else
__asm__(".section .start, \"ax\"\n.global _start\n_start:\nla sp, stack_top\nj main\n.text\n");
#endif

#ifdef IMAGE_TYPE /* an image definition of this type, closed by END */
__attribute__((section(".def"), used, aligned(4))) static const uint32_t definition[5] = {
    0xffffded3, IMAGE_TYPE, 0x000001ff, 0, END};
#endif

#endif
