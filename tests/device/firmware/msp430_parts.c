/* Serial port, SPI flash, 1-wire serial number (Sky), accelerometer by I2C (Z1), DMA from the
 * serial port (Sky), the 32-bit multiplier (WiSMote), and a reset by the watchdog at the end. */
#include "msp430_chip.h"

__attribute__((section(".vectors"), used)) void (*const vectors[VECTORS])(void) = {
    [VECTORS - 1] = start};

/* All three ports at the same divider: bits of 8 periods of the clock after reset. */
#ifdef SKY
static void serial_init(void)
{
    REG8(0x78) = 0x11;
    REG8(0x79) = 0x20;
    REG8(0x7C) = 8;
    REG8(0x7D) = 0;
    REG8(0x7B) = 0;
    REG8(0x05) |= 0x30;
    REG8(0x78) = 0x10;
}

static void put(uint8_t c)
{
    while (!(REG8(0x03) & 0x20))
        ;
    REG8(0x7F) = c;
}

static void spi_init(void)
{
    REG8(0x70) = 0x17;
    REG8(0x71) = 0xA2;
    REG8(0x74) = 2;
    REG8(0x75) = 0;
    REG8(0x73) = 0;
    REG8(0x04) |= 0x40;
    REG8(0x70) = 0x16;
}

static uint8_t spi(uint8_t c)
{
    REG8(0x77) = c;
    while (!(REG8(0x02) & 0x40))
        ;
    return REG8(0x76);
}
#elif defined(Z1)
static void serial_init(void)
{
    REG8(0x61) = 0x81;
    REG8(0x62) = 8;
    REG8(0x63) = 0;
    REG8(0x64) = 0;
    REG8(0x61) = 0x80;
}

static void put(uint8_t c)
{
    while (!(REG8(0x03) & 0x02))
        ;
    REG8(0x67) = c;
}

static void spi_init(void)
{
    REG8(0x69) = 0x81;
    REG8(0x68) = 0xA9;
    REG8(0x6A) = 2;
    REG8(0x6B) = 0;
    REG8(0x69) = 0x80;
}

static uint8_t spi(uint8_t c)
{
    REG8(0x6F) = c;
    while (!(REG8(0x03) & 0x04))
        ;
    return REG8(0x6E);
}
#else
static void serial_init(void)
{
    REG8(0x600) = 0x81;
    REG8(0x606) = 8;
    REG8(0x607) = 0;
    REG8(0x608) = 0;
    REG8(0x600) = 0x80;
}

static void put(uint8_t c)
{
    while (!(REG8(0x61D) & 0x02))
        ;
    REG8(0x60E) = c;
}

static void spi_init(void)
{
    REG8(0x5E0) = 0x81;
    REG8(0x5E1) = 0x69;
    REG8(0x5E6) = 2;
    REG8(0x5E7) = 0;
    REG8(0x5E0) = 0x80;
}

static uint8_t spi(uint8_t c)
{
    REG8(0x5EE) = c;
    while (!(REG8(0x5FD) & 0x01))
        ;
    return REG8(0x5EC);
}
#endif

#ifndef WISMOTE
static void select(uint8_t on)
{
    if (on)
        REG8(0x1D) &= (uint8_t)~0x10;
    else
        REG8(0x1D) |= 0x10;
}

static void command(uint8_t c)
{
    select(1);
    spi(c);
    select(0);
}

static void address(uint8_t c)
{
    select(1);
    spi(c);
    spi(0x01);
    spi(0x02);
    spi(0xFE);
}

static void wait_written(void)
{
    select(1);
    spi(0x05);
    while (spi(0) & 1)
        ;
    select(0);
}

/* Identity; a page that wraps at its end; and nothing without WREN. */
static void serial_flash(void)
{
    REG8(0x1D) |= 0x10;
    REG8(0x1E) |= 0x10;
    select(1);
    spi(0x9F);
    note(spi(0));
    note(spi(0));
    note(spi(0));
    select(0);
    address(0x02);
    spi(0x11);
    select(0);
    command(0x06);
    address(0x02);
    spi(0xAA);
    spi(0xBB);
    spi(0xCC);
    select(0);
    wait_written();
    address(0x03);
    note(spi(0));
    note(spi(0));
    note(spi(0));
    select(0);
    select(1);
    spi(0x03);
    spi(0x01);
    spi(0x02);
    spi(0x00);
    note(spi(0));
    select(0);
}
#endif

#ifdef SKY
static void wait_us(uint16_t us) /* about, by Timer_A at the clock after reset, 0.8 MHz */
{
    TCTL = 0x0224;
    while (TR < us - us / 4)
        ;
}

#define LOW()  (REG8(0x2A) |= 0x10)
#define HIGH() (REG8(0x2A) &= (uint8_t)~0x10)

static void serial_number(void)
{
    uint8_t i, k, byte;

    REG8(0x29) &= (uint8_t)~0x10;
    LOW();
    wait_us(600);
    HIGH();
    wait_us(70);
    note(REG8(0x28) >> 4 & 1); /* presence: low */
    wait_us(400);
    for (i = 0, byte = 0x33; i < 8; i++, byte >>= 1) {
        LOW();
        if (byte & 1)
            HIGH();
        wait_us(80);
        HIGH();
        wait_us(10);
    }
    for (k = 0; k < 8; k++) {
        for (i = 0, byte = 0; i < 8; i++) {
            LOW();
            HIGH();
            byte >>= 1;
            if (REG8(0x28) & 0x10)
                byte |= 0x80;
            wait_us(80);
        }
        note(byte);
    }
}

static volatile uint8_t received[8] __attribute__((aligned(2)));

/* Four bytes from the serial port by DMA, while the core sleeps in LPM0; then a block by request.
 */
static void dma(void)
{
    REG16(0x0122) = 9;
    REG16(0x01E2) = 0x7E;
    REG16(0x01E4) = (uint16_t)received;
    REG16(0x01E6) = 4;
    REG16(0x01E0) = 0x0CD0; /* to the next byte, bytes, single, on */
    note(0x5555);
    while (!(REG16(0x01E0) & 8))
        ;
    note((uint16_t)(received[0] | received[1] << 8));
    note((uint16_t)(received[2] | received[3] << 8));
    note(REG16(0x01E0) & 0x10);
    REG16(0x0122) = 0;
    REG16(0x01EA) = (uint16_t)results;
    REG16(0x01EC) = (uint16_t)received;
    REG16(0x01EE) = 4;
    REG16(0x01E8) = 0x1F11; /* a block of words, both addresses up, request */
    note((uint16_t)(received[0] | received[1] << 8));
    note((uint16_t)(received[6] | received[7] << 8));
}
#endif

#ifdef Z1
static void i2c_start(uint8_t transmit)
{
    if (transmit)
        REG8(0xD9) |= 0x10;
    else
        REG8(0xD9) &= (uint8_t)~0x10;
    REG8(0xD9) |= 0x02;
}

static uint8_t accelerometer(uint8_t reg)
{
    i2c_start(1);
    while (!(REG8(0x07) & 0x08))
        ;
    REG8(0xDF) = reg;
    while (REG8(0xD9) & 0x02)
        ;
    while (!(REG8(0x07) & 0x08))
        ;
    i2c_start(0);
    while (REG8(0xD9) & 0x02)
        ;
    REG8(0xD9) |= 0x04;
    while (REG8(0xD9) & 0x04)
        ;
    return REG8(0xDE);
}

static void i2c(void)
{
    REG8(0xD9) = 0x81;
    REG8(0xD8) = 0x0F;
    REG8(0xDA) = 11;
    REG8(0xDB) = 0;
    REG16(0x17E) = 0x53;
    REG8(0xD9) = 0x80;
    note(accelerometer(0x00));
    note(accelerometer(0x2C));
    note(accelerometer(0x37));
    REG16(0x17E) = 0x2A; /* nobody */
    i2c_start(1);
    while (REG8(0xD9) & 0x02)
        ;
    note(REG8(0xDD) & 0x18);
    REG8(0xD9) |= 0x04;
    while (REG8(0xD9) & 0x04)
        ;
    note(REG8(0xDD) & 0x10);
}
#endif

#ifdef WISMOTE
static void results64(void)
{
    note(REG16(0x4E4));
    note(REG16(0x4E6));
    note(REG16(0x4E8));
    note(REG16(0x4EA));
}

static void op(uint16_t at, uint32_t a, uint32_t b)
{
    REG16(at) = (uint16_t)a;
    REG16(at + 2) = (uint16_t)(a >> 16);
    REG16(0x4E0) = (uint16_t)b;
    REG16(0x4E2) = (uint16_t)(b >> 16);
}

static void multiplier(void)
{
    op(0x4D0, 0xFFFFFFFF, 0xFFFFFFFF);
    results64();
    note(REG16(0x4EC) & 1);
    op(0x4D8, 0xFFFFFFFF, 0xFFFFFFFF); /* adds: the carry */
    results64();
    note(REG16(0x4EC) & 1);
    op(0x4D4, 0x80000000, 0x7FFFFFFF); /* signed */
    results64();
    op(0x4DC, 0xFFFFFFFF, 1); /* adds -1 */
    results64();
    REG16(0x4EC) = 0x000C; /* fractional, saturating: -1 x -1 */
    REG16(0x4C2) = 0x8000;
    REG16(0x4C8) = 0x8000;
    note(REG16(0x4CA));
    note(REG16(0x4CC));
    REG16(0x4C2) = 0x4000; /* a half of a half */
    REG16(0x4C8) = 0x4000;
    note(REG16(0x4CA));
    note(REG16(0x4CC));
    REG16(0x4EC) = 0;
    REG8(0x4C2) = 0x00; /* bytes with their sign, by the byte address */
    *(volatile uint8_t *)0x4C2 = 0xFF;
    *(volatile uint8_t *)0x4C8 = 0x02;
    note(REG16(0x4CA));
    note(REG16(0x4CC));
}
#endif

int main(void)
{
    static const char text[] = "mote 1\n";
    const char *at;

    WDT_HOLD();
    serial_init();
    for (at = text; *at; at++)
        put((uint8_t)*at);
    spi_init();
#ifdef WISMOTE
    note(spi(0x55)); /* nobody answers */
    multiplier();
#else
    serial_flash();
#endif
#ifdef SKY
    serial_number();
    dma();
#endif
#ifdef Z1
    i2c();
#endif
    note(0x6666);
    REG16(WDTCTL) = 0x1234; /* no password */
    for (;;)
        ;
}
