/* Registers of RP2040 and RP2350 that the harness touches. Addresses: RP2040 data sheet 2.2, RP2350
 * data sheet 2.2. */
#ifndef UJ_RP2_H
#define UJ_RP2_H

#include <stdint.h>

#define RP2_REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))
/* Writing there clears the bits given. */
#define RP2_CLEAR 0x3000u

#if defined(UJ_RP2040)
#define RP2_CLOCKS     0x40008000u
#define RP2_RESETS     0x4000C000u
#define RP2_IO_BANK0   0x40014000u
#define RP2_PADS_BANK0 0x4001C000u
#define RP2_XOSC       0x40024000u
#define RP2_PLL_SYS    0x40028000u
#define RP2_UART0      0x40034000u
#define RP2_SIO_SET    0xD0000014u
#define RP2_SIO_CLEAR  0xD0000018u
#define RP2_SIO_OE_SET 0xD0000024u
#define RP2_PLL_DIVIDE (UINT32_C(6) << 16 | UINT32_C(2) << 12) /* 12 MHz x 125 / 12 = 125 MHz */
enum {
    RESET_DMA = 2,
    RESET_IO_BANK0 = 5,
    RESET_PADS_BANK0 = 8,
    RESET_PLL_SYS = 12,
    RESET_UART0 = 22
};
#elif defined(UJ_RP2350)
#define RP2_CLOCKS     0x40010000u
#define RP2_RESETS     0x40020000u
#define RP2_IO_BANK0   0x40028000u
#define RP2_PADS_BANK0 0x40038000u
#define RP2_XOSC       0x40048000u
#define RP2_PLL_SYS    0x40050000u
#define RP2_UART0      0x40070000u
#define RP2_SIO_SET    0xD0000018u
#define RP2_SIO_CLEAR  0xD0000020u
#define RP2_SIO_OE_SET 0xD0000038u
#define RP2_PLL_DIVIDE (UINT32_C(5) << 16 | UINT32_C(2) << 12) /* 12 MHz x 125 / 10 = 150 MHz */
enum {
    RESET_DMA = 2,
    RESET_IO_BANK0 = 6,
    RESET_PADS_BANK0 = 9,
    RESET_PLL_SYS = 14,
    RESET_SHA256 = 17,
    RESET_UART0 = 26
};
#else
#error "define UJ_RP2040 or UJ_RP2350"
#endif

/* Takes a block out of reset and waits until it answers. */
static inline void rp2_unreset(unsigned block)
{
    RP2_REGISTER(RP2_RESETS + RP2_CLEAR) = UINT32_C(1) << block;
    while (!(RP2_REGISTER(RP2_RESETS + 8) & UINT32_C(1) << block))
        ;
}

#endif
