/* Interrupts of timer, DMA and UART, each waited for asleep. */
#define OWN_VECTORS
#include "rp2.h"

#ifdef RP2040
enum { TIMER_IRQ = 0, DMA_IRQ = 11, UART_IRQ = 20, INTE = 0x38, INTR = 0x34 };
enum { WRITE_INCREMENT = 1 << 5, CHAIN = 11, FORCE = 0x3F << 15 };
#else
enum { TIMER_IRQ = 0, DMA_IRQ = 10, UART_IRQ = 33, INTE = 0x40, INTR = 0x3C };
enum { WRITE_INCREMENT = 1 << 6, CHAIN = 13, FORCE = 0x3F << 17 };
#endif

static volatile uint32_t seen[3];
static uint32_t from[16], to[16];

void on_timer(void)
{
    seen[0]++;
    REG(TIMER + INTR) = 1;
}

void on_dma(void)
{
    seen[1]++;
    REG(DMA + 0x40C) = 1;
}

void on_uart(void)
{
    seen[2]++;
    note(REG(UART0) & 0xFF);
    REG(UART0 + 0x44) = 0x50;
}

#ifdef __arm__
__attribute__((section(".start"), used)) static void *const vectors[16 + 52] = {
    stack_top,
    (void *)main,
    [16 + TIMER_IRQ] = (void *)on_timer,
    [16 + DMA_IRQ] = (void *)on_dma,
    [16 + UART_IRQ] = (void *)on_uart,
};
static void allow(unsigned irq)
{
    REG(0xE000E100 + irq / 32 * 4) = 1u << irq % 32;
}
static void begin(void)
{
}
#else
__attribute__((interrupt, aligned(4))) static void trap(void)
{
    uint32_t next;
    __asm__ volatile("csrrsi %0, 0xbe4, 1" : "=r"(next)); /* meinext */
    switch (next >> 2) {
    case TIMER_IRQ: on_timer(); break;
    case DMA_IRQ: on_dma(); break;
    case UART_IRQ: on_uart(); break;
    }
}
static void allow(unsigned irq)
{
    uint32_t window = 1u << (16 + irq % 16) | irq / 16;
    __asm__ volatile("csrs 0xbe0, %0" : : "r"(window)); /* meiea */
}
static void begin(void)
{
    __asm__ volatile("csrw mtvec, %0\n li t0, 0x800\n csrs mie, t0\n csrsi mstatus, 8"
                     :
                     : "r"(trap)
                     : "t0");
}
#endif

/* Sleeps until an interrupt was served. The condition is looked at with interrupts off. */
static void wait_for(unsigned which, uint32_t count)
{
    while (seen[which] < count) {
#ifdef __arm__
        __asm__ volatile("cpsid i");
        if (seen[which] < count)
            __asm__ volatile("wfi");
        __asm__ volatile("cpsie i\n isb");
#else
        __asm__ volatile("csrci mstatus, 8");
        if (seen[which] < count)
            __asm__ volatile("wfi");
        __asm__ volatile("csrsi mstatus, 8");
#endif
    }
}

int main(void)
{
    set_up();
    begin();
    allow(TIMER_IRQ);
    allow(DMA_IRQ);
    allow(UART_IRQ);
#ifdef RP2040
    REG(0x40058000 + 0x2C) = 12 | 1 << 9;
#else
    REG(TICKS + 0x1C) = 12;
    REG(TICKS + 0x18) = 1;
#endif
    REG(TIMER + INTE) = 1;
    uint32_t start = REG(TIMER + 0x28);
    for (unsigned i = 1; i <= 3; i++) {
        REG(TIMER + 0x10) = start + 1000 * i;
        wait_for(0, i);
        note(REG(TIMER + 0x28) - start);
    }
    REG(DMA + 0x404) = 1; /* INTE0 */
    REG(DMA) = (uint32_t)from;
    REG(DMA + 4) = (uint32_t)to;
    REG(DMA + 8) = 16;
    REG(DMA + 0x0C) = 1 | 2 << 2 | 1 << 4 | WRITE_INCREMENT | FORCE;
    wait_for(1, 1);
    note(seen[1]);
    REG(UART0 + 0x24) = 10;
    REG(UART0 + 0x28) = 11;
    REG(UART0 + 0x2C) = 0x70;
    REG(UART0 + 0x38) = 0x50; /* received, or waiting for 32 bits */
    REG(UART0 + 0x30) = 0x301;
    note(0x5E4D);
    wait_for(2, 1);
    note(0xD09E);
    for (;;)
        ;
}
