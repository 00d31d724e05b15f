/* UART, timer, GPIO, aliases, DMA, divider, core 1's handshake. */
#include "rp2.h"

#ifdef RP2040
enum { OUT_SET = 0x14, OUT_CLEAR = 0x18, OUT_XOR = 0x1C, OE_SET = 0x24, INTE = 0x38, INTR = 0x34 };
enum { WRITE_INCREMENT = 1 << 5, RING = 6, RING_WRITE = 1 << 10, CHAIN = 11, FORCE = 0x3F << 15 };
enum { SWAP = 1 << 22, UART_TX = 20 << 15 };
#define BUSY (1u << 24)
#else
enum { OUT_SET = 0x18, OUT_CLEAR = 0x20, OUT_XOR = 0x28, OE_SET = 0x38, INTE = 0x40, INTR = 0x3C };
enum { WRITE_INCREMENT = 1 << 6, RING = 8, RING_WRITE = 1 << 12, CHAIN = 13, FORCE = 0x3F << 17 };
enum { SWAP = 1 << 24, UART_TX = 28 << 17 };
#define BUSY (1u << 26)
#endif
enum { WORD = 2 << 2, READ_INCREMENT = 1 << 4 };
#define CH(n, r) REG(DMA + 0x40 * (n) + 4 * (r))

static void aliases(void)
{
    REG(PADS + 4) = 0x55;
    REG(PADS + 4 + SET) = 0x0A;
    note(REG(PADS + 4)); /* 5F */
    REG(PADS + 4 + CLEAR) = 0x05;
    note(REG(PADS + 4)); /* 5A */
    REG(PADS + 4 + XOR) = 0xFF;
    note(REG(PADS + 4 + SET)); /* A5, read where writes set */
    REG8(PADS + 4) = 0x12;
    note(REG(PADS + 4)); /* 12121212: a narrow write repeats over the word */
    note(REG8(PADS + 5));
}

static void serial(void)
{
    REG(UART0 + 0x24) = 10; /* 125 or 150 MHz / 16 / (10 + 11/64) */
    REG(UART0 + 0x28) = 11;
    REG(UART0 + 0x2C) = 0x70;
    note(REG(UART0 + 0x18) & 0xF8); /* empty */
    REG(UART0 + 0x30) = 0x301;
    for (unsigned i = 0; i < 40; i++) {
        while (REG(UART0 + 0x18) & 0x20)
            ;
        REG(UART0) = 'A' + i;
        if (i == 32)
            note(REG(UART0 + 0x18) & 0xE8); /* one on the line, 32 in the FIFO: busy and full */
    }
    while (REG(UART0 + 0x18) & 8)
        ;
    for (unsigned i = 0; i < 3; i++) { /* what the test has sent meanwhile */
        while (REG(UART0 + 0x18) & 0x10)
            ;
        note(REG(UART0));
    }
}

static void timer(void)
{
#ifdef RP2040
    REG(WATCHDOG + 0x2C) = 12 | 1 << 9;
#else
    REG(TICKS + 0x1C) = 12;
    REG(TICKS + 0x18) = 1;
#endif
    REG(TIMER + INTE) = 1;
    uint32_t start = REG(TIMER + 0x28);
    REG(TIMER + 0x10) = start + 100;
    REG(SIO + OE_SET) = 1 << 3;
    REG(SIO + OUT_SET) = 1 << 3;
    while (!(REG(TIMER + INTR + 0x0C) & 1))
        ;
    REG(SIO + OUT_CLEAR) = 1 << 3; /* the test sees a pulse of 100 us */
    note(REG(TIMER + 0x28) - start);
    note(REG(TIMER + 0x20)); /* no longer armed */
    REG(TIMER + INTR) = 1;
    note(REG(TIMER + INTR + 0x0C));
    REG(TIMER + 4) = 0xFFFFFFFF; /* the low word latches the high one */
    REG(TIMER) = 0;
    while (REG(TIMER + 0x28) > 100)
        ;
    uint32_t low = REG(TIMER + 0x0C);
    note(REG(TIMER + 8));
    note(low < 100);
}

static void gpio(void)
{
    REG(SIO + OE_SET) = 1 << 2;
    for (unsigned i = 0; i < 4; i++)
        REG(SIO + OUT_XOR) = 1 << 2;
    REG(SIO + OUT_SET) = 1 << 2;
    note(REG(SIO + 4) >> 2 & 1);
    REG(SIO + OUT_CLEAR) = 1 << 2;
    note(REG(SIO + 4) >> 2 & 1);
}

static uint32_t from[64], to[64];
static uint32_t __attribute__((aligned(16))) ring[4];

static void wait(unsigned channel)
{
    while (CH(channel, 4) & BUSY)
        ;
}

static void dma(void)
{
    for (unsigned i = 0; i < 64; i++)
        from[i] = i * 0x01020304;
    CH(1, 0) = (uint32_t)from; /* word by word, swapped; then channel 2 by chaining, into a ring */
    CH(1, 1) = (uint32_t)to;
    CH(1, 2) = 64;
    CH(2, 0) = (uint32_t)from;
    CH(2, 1) = (uint32_t)ring;
    CH(2, 2) = 6;
    CH(2, 4) =
        1 | WORD | READ_INCREMENT | WRITE_INCREMENT | 4 << RING | RING_WRITE | 2 << CHAIN | FORCE;
    CH(1, 3) = 1 | WORD | READ_INCREMENT | WRITE_INCREMENT | SWAP | 2 << CHAIN | FORCE;
    wait(1);
    wait(2);
    note(to[63]);
    note(ring[0]);
    note(ring[1]);
    note(ring[2]);
    note(CH(1, 0) - (uint32_t)from);
    note(REG(DMA + 0x400) & 6); /* both have raised their flag */
    REG(DMA + 0x400) = 6;
    note(REG(DMA + 0x400));
    /* a null trigger, quiet: the flag alone */
    CH(3, 4) = 1 | 3 << CHAIN | FORCE |
#ifdef RP2040
               1 << 21;
#else
               1 << 23;
#endif
    CH(3, 7) = 0;
    note(REG(DMA + 0x400));
    /* the UART takes its bytes by request */
    REG(UART0 + 0x48) = 2;
    CH(4, 0) = (uint32_t) "by request";
    CH(4, 1) = UART0;
    CH(4, 2) = 10;
    CH(4, 3) = 1 | READ_INCREMENT | 4 << CHAIN | UART_TX;
    wait(4);
    while (REG(UART0 + 0x18) & 8)
        ;
    /* bytes, for the time of an element: the test watches the pins */
    REG(SIO + OUT_SET) = 1 << 2;
    CH(5, 0) = (uint32_t)from;
    CH(5, 1) = (uint32_t)to;
    CH(5, 2) = 4000;
    CH(5, 3) = 1 | WORD | 5 << CHAIN | FORCE;
    wait(5);
    REG(SIO + OUT_CLEAR) = 1 << 2;
}

static void core1(void)
{
    static const uint32_t words[6] = {0, 0, 1, 0x20000000, 0x20030000, 0x20000101};
    while (REG(SIO + 0x50) & 1)
        (void)REG(SIO + 0x58);
    uint32_t good = 0;
    for (unsigned i = 0; i < 6; i++) {
        REG(SIO + 0x54) = words[i];
        while (!(REG(SIO + 0x50) & 1))
            ;
        good += REG(SIO + 0x58) == words[i];
    }
    note(good);
    note(REG(SIO + 0x114) != 0); /* spinlock 5: claimed, then taken, then free again */
    note(REG(SIO + 0x114));
    REG(SIO + 0x114) = 1;
    note(REG(SIO + 0x114) != 0);
}

#ifdef RP2040
static void divider(void)
{
    REG(SIO + 0x68) = (uint32_t)-100;
    REG(SIO + 0x6C) = 7;
    note(REG(SIO + 0x78) & 1); /* not ready */
    while (!(REG(SIO + 0x78) & 1))
        ;
    note(REG(SIO + 0x74));
    note(REG(SIO + 0x70));
    REG(SIO + 0x60) = 100;
    REG(SIO + 0x64) = 0;
    __asm__ volatile("b 1f\n1: b 1f\n1: b 1f\n1: b 1f\n1:"); /* 8 cycles */
    note(REG(SIO + 0x70));
    note(REG(SIO + 0x74));
}
#endif

int main(void)
{
    note(REG(RESETS));
    note(REG(UART0 + 0x18)); /* held in reset: nothing */
    set_up();
    aliases();
    serial();
    timer();
    gpio();
    dma();
    core1();
#ifdef RP2040
    divider();
#endif
    note(0xD09E);
    for (;;)
        ;
}
