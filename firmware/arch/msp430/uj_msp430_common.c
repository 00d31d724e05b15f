/* What the three boards share: the timer, which counts the CPU's own clock, and the DCO's tuning.
 */
#include "uj_board.h"

#if EIGHTHS < 24 || EIGHTHS > 8UL * 65535 || REAL_BAUD * 100 > UJ_BAUD * 101 || \
    REAL_BAUD * 100 < UJ_BAUD * 99
#error "UJ_BAUD cannot be made from UJ_CPU_HZ within 1 %"
#endif

volatile uint16_t uj_timer_overflows; /* the upper half of the count */

void uj_board_init(void)
{
    uj_clock_init();
    uj_serial_init();
}

void uj_timer_start(void)
{
    REG16(TIMER_CTL) = TIMER_STOPPED | TIMER_CLEAR;
    uj_timer_overflows = 0;
    uj_interrupts_on();
    REG16(TIMER_CTL) = TIMER_CONTINUOUS | TIMER_OVERFLOW_ON;
}

/* The timer is read as it runs: stopping it would be a read and a write of the register that its
 * overflow sets a bit of, and could undo that. */
uint32_t uj_timer_stop(void)
{
    uint16_t high, low;

    uj_interrupts_off();
    low = REG16(TIMER_COUNT);
    high = uj_timer_overflows;
    if ((REG16(TIMER_CTL) & TIMER_OVERFLOW) && low < 0x8000)
        high++; /* wrapped after interrupts were off and before it was read */
    REG16(TIMER_CTL) = TIMER_STOPPED;
    return (uint32_t)high << 16 | low;
}

#if UJ_MSP430_FAMILY != 5

#define DCOCTL  0x0056 /* DCO in bits 7 to 5, modulation in 4 to 0 */
#define BCSCTL1 0x0057 /* RSEL in its lowest bits */
#if UJ_MSP430_FAMILY == 1
#define RSEL 0x07
#else
#define RSEL 0x0F
#endif

#define CAPTURE_RISING 0x4000
#define CAPTURE_B      0x1000 /* the channel's input B, which is ACLK */
#define CAPTURE        0x0100
#define CAPTURED       0x0001

/* One step of RSEL, DCO and modulation together; 0 at the ends of the range. */
static uint8_t step(int16_t direction)
{
    uint8_t dco = REG8(DCOCTL), rsel = REG8(BCSCTL1) & RSEL;

    if (direction > 0) {
        if (dco == 0xFF && rsel == RSEL)
            return 0;
        REG8(DCOCTL) = ++dco;
        if (dco == 0)
            REG8(BCSCTL1)++;
    } else {
        if (dco == 0 && rsel == 0)
            return 0;
        if (dco == 0)
            REG8(BCSCTL1)--;
        REG8(DCOCTL) = --dco;
    }
    return 1;
}

static uint16_t next_capture(uint16_t timer, uint16_t capture)
{
    REG16(timer + 0x02 + 2 * capture) &= (uint16_t)~CAPTURED;
    while (!(REG16(timer + 0x02 + 2 * capture) & CAPTURED))
        ;
    return REG16(timer + 0x12 + 2 * capture);
}

/*
 * A step at a time. Where no step of the DCO gives the count exactly, the two beside it would
 * follow each other for ever, so where the direction changes the nearer one is kept.
 */
void uj_dco_tune(uint16_t timer, uint16_t capture, uint16_t source, uint16_t expected)
{
    int16_t last_error = 0;

    REG16(timer) = source | TIMER_CLEAR;
    REG16(timer + 0x02 + 2 * capture) = CAPTURE_RISING | CAPTURE_B | CAPTURE;
    (void)next_capture(timer, capture);
    for (;;) {
        uint16_t before = next_capture(timer, capture);
        int16_t error = (int16_t)(expected - (uint16_t)(next_capture(timer, capture) - before));

        if (error == 0)
            break;
        if (last_error != 0 && (error > 0) != (last_error > 0)) {
            if (error + last_error != 0 && (error > 0) == (error + last_error > 0))
                (void)step(error);
            break;
        }
        last_error = error;
        if (!step(error))
            break;
    }
    REG16(timer + 0x02 + 2 * capture) = 0;
    REG16(timer) = TIMER_STOPPED | TIMER_CLEAR;
}

#endif
