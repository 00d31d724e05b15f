/* Interrupts and sleep of the XMEGA: response, levels, priority, round-robin, idle, power-down. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

#include "results.h"

static volatile uint8_t woken;

/* The counter at the first instruction of the handler: how long the response took. */
ISR(TCC0_OVF_vect, ISR_NAKED)
{
    __asm__ volatile("push r24\n\t"
                     "lds r24, %0\n\t"
                     "sts results + 126 * 2, r24\n\t"
                     "ldi r24, 1\n\t"
                     "sts woken, r24\n\t"
                     "pop r24\n\t"
                     "reti"
                     :
                     : "n"(&TCC0.CNTL));
}

static volatile uint8_t order[16], order_count;

static void log_entry(uint8_t name)
{
    order[order_count++] = name;
}

/* A low one that is interrupted by a high one half-way. */
ISR(TCC0_CCA_vect)
{
    log_entry(0x10);
    note(PMIC.STATUS);
    TCC0.INTCTRLB |= TC_CCBINTLVL_HI_gc;
    WAIT(20);
    log_entry(0x11);
}

ISR(TCC0_CCB_vect)
{
    log_entry(0x20);
    note(PMIC.STATUS);
    TCC0.INTCTRLB &= (uint8_t)~TC0_CCBINTLVL_gm;
}

ISR(TCC0_CCC_vect)
{
    log_entry(0x30);
}

ISR(TCC0_CCD_vect)
{
    log_entry(0x40);
}

static void show_order(void)
{
    for (uint8_t i = 0; i < order_count; i++)
        note(order[i]);
    order_count = 0;
}

/* Eleven cycles. */
ISR(PORTD_INT0_vect, ISR_NAKED)
{
    __asm__ volatile("push r24\n\t"
                     "ldi r24, 1\n\t"
                     "sts woken, r24\n\t"
                     "pop r24\n\t"
                     "reti");
}

int main(void)
{
    PMIC.CTRL = PMIC_LOLVLEN_bm | PMIC_MEDLVLEN_bm | PMIC_HILVLEN_bm;

    /* A: out of idle, the overflow comes at CNT = 0. */
    SLEEP.CTRL = SLEEP_SMODE_IDLE_gc | SLEEP_SEN_bm;
    TCC0.PER = 199;
    TCC0.INTCTRLA = TC_OVFINTLVL_LO_gc;
    sei();
    TCC0.CTRLA = TC_CLKSEL_DIV1_gc;
    __asm__ volatile("sleep");
    TCC0.CTRLA = 0;
    note(results[126]);
    note(woken);

    /* B: while the core runs NOPs of one cycle. */
    woken = 0;
    TCC0.CNT = 150;
    TCC0.CTRLA = TC_CLKSEL_DIV1_gc;
    __asm__ volatile(".rept 100\n\tnop\n\t.endr");
    TCC0.CTRLA = 0;
    note(results[126]);

    /* Sleep is not entered without SEN. */
    SLEEP.CTRL = SLEEP_SMODE_IDLE_gc;
    TCC0.INTCTRLA = 0;
    __asm__ volatile("sleep");
    note(0x5EE9);

    /* C: all four channels are flagged; then they are let in. */
    cli();
    TCC0.CCA = TCC0.CCB = TCC0.CCC = TCC0.CCD = 1;
    TCC0.CNT = 0;
    TCC0.CTRLA = TC_CLKSEL_DIV1_gc;
    WAIT(20);
    TCC0.CTRLA = 0;
    note(TCC0.INTFLAGS);
    TCC0.INTCTRLB = TC_CCAINTLVL_LO_gc | TC_CCCINTLVL_LO_gc | TC_CCDINTLVL_MED_gc;
    sei();
    __asm__ volatile("nop\n\tnop\n\tnop");
    show_order();
    note(TCC0.INTFLAGS);
    note(PMIC.STATUS);

    /* D: round-robin in the low level: behind channel A, which was the last, comes C, then A. */
    cli();
    PMIC.CTRL |= PMIC_RREN_bm;
    PMIC.INTPRI = TCC0_CCA_vect_num;
    TCC0.INTCTRLB = 0;
    TCC0.CNT = 0;
    TCC0.CTRLA = TC_CLKSEL_DIV1_gc;
    WAIT(20);
    TCC0.CTRLA = 0;
    TCC0.INTCTRLB = TC_CCAINTLVL_LO_gc | TC_CCCINTLVL_LO_gc;
    sei();
    __asm__ volatile("nop\n\tnop\n\tnop");
    show_order();

    /* E: power-down; the timer stands still, the test wakes by PD2. */
    TCC0.INTCTRLB = 0;
    PORTD.PIN2CTRL = PORT_ISC_BOTHEDGES_gc;
    PORTD.INT0MASK = 0x04;
    PORTD.INTCTRL = PORT_INT0LVL_LO_gc;
    SLEEP.CTRL = SLEEP_SMODE_PDOWN_gc | SLEEP_SEN_bm;
    TCC0.PER = 0xFFFF;
    TCC0.CNT = 0;
    woken = 0;
    note(0x1111);
    uint8_t on = TC_CLKSEL_DIV1_gc, off = 0;
    __asm__ volatile("" : "+r"(on), "+r"(off));
    STORE(TCC0.CTRLA, on);
    __asm__ volatile("sleep");
    STORE(TCC0.CTRLA, off);
    note(woken);
    note(TCC0.CNT);
    for (;;)
        ;
}
