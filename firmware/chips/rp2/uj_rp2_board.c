/* RP2040 and RP2350: the system clock from the crystal by the PLL, UART0 on GPIO 0 and 1, the
 * trigger on GPIO 2. */
#include "uj_board.h"
#include "uj_rp2.h"

enum { TRIGGER_PIN = 2, FUNCTION_UART = 2, FUNCTION_SIO = 5 };

/* XOSC: CTRL 0, STATUS 4, STARTUP 12. */
static void start_crystal(void)
{
    RP2_REGISTER(RP2_XOSC + 12) = 47; /* x 256 cycles of 12 MHz: 1 ms */
    RP2_REGISTER(RP2_XOSC) = 0xFABAA0;
    while (!(RP2_REGISTER(RP2_XOSC + 4) & UINT32_C(1) << 31))
        ;
}

/* PLL: CS 0, PWR 4, FBDIV_INT 8, PRIM 12. PWR holds PD 0, DSMPD 2, POSTDIVPD 3, VCOPD 5. */
static void start_pll(void)
{
    rp2_unreset(RESET_PLL_SYS);
    RP2_REGISTER(RP2_PLL_SYS) = 1;
    RP2_REGISTER(RP2_PLL_SYS + 8) = 125;
    RP2_REGISTER(RP2_PLL_SYS + 4 + RP2_CLEAR) = 0x21;
    while (!(RP2_REGISTER(RP2_PLL_SYS) & UINT32_C(1) << 31))
        ;
    RP2_REGISTER(RP2_PLL_SYS + 12) = RP2_PLL_DIVIDE;
    RP2_REGISTER(RP2_PLL_SYS + 4 + RP2_CLEAR) = 0x08;
}

/* CLOCKS: REF_CTRL 0x30, SYS_CTRL 0x3C, PERI_CTRL 0x48; SELECTED is 8 behind CTRL. */
static void select_clocks(void)
{
    uint32_t enable = 1;

    RP2_REGISTER(RP2_CLOCKS + 0x30) = 2; /* the crystal */
    while (!(RP2_REGISTER(RP2_CLOCKS + 0x38) & 1u << 2))
        ;
    RP2_REGISTER(RP2_CLOCKS + 0x3C) = 0; /* from ref, the auxiliary source being the PLL */
    RP2_REGISTER(RP2_CLOCKS + 0x3C) = 1;
    while (!(RP2_REGISTER(RP2_CLOCKS + 0x44) & 1u << 1))
        ;
    /* Bit 11 alone is a constant on which GCC 12 for RV32 with Zbs breaks down; so it is shifted
     * there. */
    __asm__("" : "+r"(enable));
    RP2_REGISTER(RP2_CLOCKS + 0x48) = enable << 11;
}

static void use_pin(unsigned pin, unsigned function)
{
    volatile uint32_t *pads = &RP2_REGISTER(RP2_PADS_BANK0 + 4);
    volatile uint32_t *control = &RP2_REGISTER(RP2_IO_BANK0 + 4);

    pads[pin] = 0x56; /* input, output, no isolation, 4 mA */
    control[2 * pin] = function;
}

/* UART: DR 0, FR 0x18, IBRD 0x24, FBRD 0x28, LCR_H 0x2C, CR 0x30. */
static void start_uart(void)
{
    uint32_t divisor = (8 * UJ_CPU_HZ / UJ_BAUD + 1) / 2; /* in 64ths of 16 clocks, rounded */

    rp2_unreset(RESET_UART0);
    RP2_REGISTER(RP2_UART0 + 0x24) = divisor >> 6;
    RP2_REGISTER(RP2_UART0 + 0x28) = divisor & 63;
    RP2_REGISTER(RP2_UART0 + 0x2C) = 0x70; /* 8 bits, FIFOs */
    RP2_REGISTER(RP2_UART0 + 0x30) = 0x301;
    use_pin(0, FUNCTION_UART);
    use_pin(1, FUNCTION_UART);
}

void uj_board_init(void)
{
    start_crystal();
    start_pll();
    select_clocks();
    rp2_unreset(RESET_IO_BANK0);
    rp2_unreset(RESET_PADS_BANK0);
    rp2_unreset(RESET_DMA);
#if defined(UJ_RP2350)
    rp2_unreset(RESET_SHA256);
#endif
    start_uart();
    use_pin(TRIGGER_PIN, FUNCTION_SIO);
    RP2_REGISTER(RP2_SIO_OE_SET) = 1u << TRIGGER_PIN;
}

uint8_t uj_serial_get(void)
{
    while (RP2_REGISTER(RP2_UART0 + 0x18) & 1u << 4)
        ;
    return (uint8_t)RP2_REGISTER(RP2_UART0);
}

void uj_serial_put(uint8_t byte)
{
    while (RP2_REGISTER(RP2_UART0 + 0x18) & 1u << 5)
        ;
    RP2_REGISTER(RP2_UART0) = byte;
}

void uj_trigger(uint8_t on)
{
    RP2_REGISTER(on ? RP2_SIO_SET : RP2_SIO_CLEAR) = 1u << TRIGGER_PIN;
}
