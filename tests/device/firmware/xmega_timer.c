/* Timer/Counter of the XMEGA: divisions, 16-bit access, flags at their cycle, buffers, modes,
 * commands. */
#include <avr/interrupt.h>
#include <avr/io.h>

#include "results.h"

static uint16_t counted;

/* The counter after WAIT(cycles) between a store that starts and one that stops it, 2 cycles apart.
 */
#define MEASURE(clksel, cycles)                     \
    do {                                            \
        TCC0.CTRLFSET = TC_CMD_RESTART_gc;          \
        uint8_t on = (clksel), off = 0;             \
        __asm__ volatile("" : "+r"(on), "+r"(off)); \
        STORE(TCC0.CTRLA, on);                      \
        WAIT((cycles)-2);                           \
        STORE(TCC0.CTRLA, off);                     \
        counted = TCC0.CNT;                         \
    } while (0)

static void divisions(void)
{
    MEASURE(TC_CLKSEL_DIV1_gc, 1000);
    note(counted);
    MEASURE(TC_CLKSEL_DIV2_gc, 1000);
    note(counted);
    MEASURE(TC_CLKSEL_DIV4_gc, 1000);
    note(counted);
    MEASURE(TC_CLKSEL_DIV8_gc, 8000);
    note(counted);
    MEASURE(TC_CLKSEL_DIV64_gc, 64000);
    note(counted);
    MEASURE(TC_CLKSEL_DIV256_gc, 256000);
    note(counted);
    MEASURE(TC_CLKSEL_DIV1024_gc, 1024000);
    note(counted);
    MEASURE(TC_CLKSEL_DIV1_gc, 65536UL + 5);
    note(counted);
}

static void access_by_bytes(void)
{
    uint8_t on = TC_CLKSEL_DIV1_gc, off = 0;

    TCC0.CTRLA = 0;
    TCC0.CNT = 0x00FE;
    __asm__ volatile("" : "+r"(on), "+r"(off));
    STORE(TCC0.CTRLA, on); /* counts 2 until the access of the next LDS */
    uint8_t low = LOAD(TCC0.CNTL);
    WAIT(300);
    uint8_t high = LOAD(TCC0.CNTH); /* as it was with the low byte */
    STORE(TCC0.CTRLA, off);
    note(low);
    note(high);
    TCC0.CNTL = 0x34; /* waits in TEMP */
    note(TCC0.TEMP);
    TCC0.CNTH = 0x12;
    note(TCC0.CNT);
    TCC0.PER = 0xABCD;
    note(TCC0.PER);
    note(TCC0.TEMP);
}

/* INTFLAGS by an LDS whose access is `cycles` behind the start of the counter. */
#define FLAGS_AFTER(cycles)                \
    do {                                   \
        uint8_t on = TC_CLKSEL_DIV1_gc;    \
        TCC0.CTRLA = 0;                    \
        TCC0.CTRLFSET = TC_CMD_RESTART_gc; \
        TCC0.INTFLAGS = 0xFF;              \
        __asm__ volatile("" : "+r"(on));   \
        STORE(TCC0.CTRLA, on);             \
        WAIT((cycles)-2);                  \
        note(LOAD(TCC0.INTFLAGS));         \
    } while (0)

static void flags(void)
{
    TCC0.PER = 9;
    TCC0.CCA = 4;
    TCC0.CCB = 9;
    TCC0.CCC = 10; /* never reached */
    TCC0.CCD = 0;
    FLAGS_AFTER(4);  /* CNT 4: D has been left */
    FLAGS_AFTER(5);  /* CNT 5: A too */
    FLAGS_AFTER(9);  /* CNT 9 */
    FLAGS_AFTER(10); /* wrapped to 0: B and the overflow too */
    TCC0.CTRLA = 0;
    TCC0.INTFLAGS = TC0_OVFIF_bm | TC0_CCBIF_bm;
    note(TCC0.INTFLAGS);
}

static void buffers_and_modes(void)
{
    TCC0.CTRLA = 0;
    TCC0.PER = 99;
    TCC0.PERBUF = 49;
    note(TCC0.CTRLGSET);
    MEASURE(TC_CLKSEL_DIV1_gc, 100 + 50 + 7); /* one period of 100, then of 50 */
    note(counted);
    note(TCC0.PER);
    note(TCC0.CTRLGSET);

    TCC0.CTRLFSET = TC0_LUPD_bm; /* locked: the buffer waits */
    TCC0.PERBUF = 19;
    MEASURE(TC_CLKSEL_DIV1_gc, 50 + 30);
    note(counted);
    TCC0.CTRLFCLR = TC0_LUPD_bm;
    TCC0.CTRLFSET = TC_CMD_UPDATE_gc;
    note(TCC0.PER);

    TCC0.PER = 0xFFFF;
    TCC0.CTRLB = TC_WGMODE_FRQ_gc; /* the top is CCA */
    TCC0.CCA = 24;
    MEASURE(TC_CLKSEL_DIV1_gc, 4 * 25 + 3);
    note(counted);

    TCC0.PER = 100;
    TCC0.CTRLB = TC_WGMODE_DSBOTTOM_gc;
    MEASURE(TC_CLKSEL_DIV1_gc, 130); /* up to 100, down by 30 */
    note(counted);

    TCC0.CTRLB = 0;
    TCC0.PER = 50;
    TCC0.CNT = 0xFFF0; /* above the period: on to the maximum, then 0 */
    uint8_t on = TC_CLKSEL_DIV1_gc, off = 0;
    __asm__ volatile("" : "+r"(on), "+r"(off));
    STORE(TCC0.CTRLA, on);
    WAIT(18);
    STORE(TCC0.CTRLA, off);
    note(TCC0.CNT);

    TCC0.CTRLFSET = TC_CMD_RESET_gc;
    note(TCC0.PER);
    note(TCC0.CNT);
    note(TCC1.PER); /* another timer is not concerned */
}

static volatile uint16_t overflows, matches;

ISR(TCC1_OVF_vect)
{
    overflows++;
}

ISR(TCC1_CCA_vect)
{
    matches++;
}

static void interrupts(void)
{
    TCC1.PER = 999;
    TCC1.CCA = 500;
    TCC1.INTCTRLA = TC_OVFINTLVL_LO_gc;
    TCC1.INTCTRLB = TC_CCAINTLVL_MED_gc;
    PMIC.CTRL = PMIC_LOLVLEN_bm | PMIC_MEDLVLEN_bm;
    sei();
    TCC1.CTRLA = TC_CLKSEL_DIV1_gc;
    while (overflows < 100)
        ;
    TCC1.CTRLA = 0;
    cli();
    note(matches);
    note(overflows);
    note(TCC1.INTFLAGS); /* the vectors have cleared them */
}

int main(void)
{
    divisions();
    access_by_bytes();
    flags();
    buffers_and_modes();
    interrupts();
    for (;;)
        ;
}
