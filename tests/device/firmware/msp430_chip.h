/* What the test programs of the three MSP430 motes share: registers, vectors, results. */
#ifndef MSP430_CHIP_H
#define MSP430_CHIP_H

#include <stdint.h>

#define REG8(address)  (*(volatile uint8_t *)(uint16_t)(address))
#define REG16(address) (*(volatile uint16_t *)(uint16_t)(address))

#if defined(__MSP430F1611__)
#define SKY         1
#define STACK       "0x3900"
#define VECTORS     16
#define WDTCTL      0x0120
#define TIMER       0x0160
#define TIMER_IV    0x012E
#define VECTOR_CCR0 6
#define VECTOR_MAIN 5
#define VECTOR_WDT  10
#define VECTOR_P1   4
#define MPY         0x0130
#define P1IN        0x20
#define P1OUT       0x21
#define P1DIR       0x22
#define P1IFG       0x23
#define P1IES       0x24
#define P1IE        0x25
#define SFR_IE1     0x00
#define SFR_IFG1    0x02
#define FCTL1       0x0128
#define FCTL3       0x012C
#define INFO        0x1000
#elif defined(__MSP430F2617__)
#define Z1          1
#define STACK       "0x3100"
#define VECTORS     32
#define WDTCTL      0x0120
#define TIMER       0x0160
#define TIMER_IV    0x012E
#define VECTOR_CCR0 25
#define VECTOR_MAIN 24
#define VECTOR_WDT  26
#define VECTOR_P1   18
#define MPY         0x0130
#define P1IN        0x20
#define P1OUT       0x21
#define P1DIR       0x22
#define P1IFG       0x23
#define P1IES       0x24
#define P1IE        0x25
#define SFR_IE1     0x00
#define SFR_IFG1    0x02
#define FCTL1       0x0128
#define FCTL3       0x012C
#define INFO        0x1000
#else
#define WISMOTE     1
#define STACK       "0x5C00"
#define VECTORS     64
#define WDTCTL      0x015C
#define TIMER       0x0380
#define TIMER_IV    0x03AE
#define VECTOR_CCR0 49
#define VECTOR_MAIN 48
#define VECTOR_WDT  58
#define VECTOR_P1   47
#define MPY         0x04C0
#define P1IN        0x0200
#define P1OUT       0x0202
#define P1DIR       0x0204
#define P1IFG       0x021C
#define P1IES       0x0218
#define P1IE        0x021A
#define SFR_IE1     0x0100
#define SFR_IFG1    0x0102
#define FCTL1       0x0140
#define FCTL3       0x0144
#define INFO        0x1800
#endif

#define TCTL     REG16(TIMER)
#define TCCTL(n) REG16(TIMER + 2 + 2 * (n))
#define TR       REG16(TIMER + 0x10)
#define TCCR(n)  REG16(TIMER + 0x12 + 2 * (n))

#define WDT_HOLD() (REG16(WDTCTL) = 0x5A80)
#define EINT()     __asm__ volatile("nop\n\teint\n\tnop" ::: "memory")
#define DINT()     __asm__ volatile("dint\n\tnop" ::: "memory")
#define LPM3()     __asm__ volatile("bis #0xD8, r2\n\tnop" ::: "memory")
#define LPM0()     __asm__ volatile("bis #0x18, r2\n\tnop" ::: "memory")
/* In a handler: the program goes on awake. The words before are what the handler has pushed. */
#define ISR(n) __attribute__((interrupt(n))) static void

volatile uint16_t results[128];
volatile uint8_t result_count;

static inline void note(uint16_t value)
{
    results[result_count] = value;
    result_count++;
}

int main(void);

__attribute__((naked, used)) void start(void)
{
    __asm__ volatile("mov #" STACK ", r1\n\tbr #main");
}

#endif
