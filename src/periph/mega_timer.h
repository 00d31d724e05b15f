/*
 * What the timers of ATmega chips share: mega_timer8.c and mega_timer16.c give their registers a
 * place. Counting in all modes, up and dual slope, compare matches and their interrupts; OCR is
 * buffered in the PWM modes. Waveforms do not reach the pins; capture, and a pin as clock, are not
 * modelled.
 *
 * Options: `flags` and `masks`, the addresses of TIFR and TIMSK; `dividers`, the clock selections 1
 * to 7, where 0 is one that the model does not have.
 */
#ifndef UJ_PERIPH_MEGA_TIMER_H
#define UJ_PERIPH_MEGA_TIMER_H

#include "periph/avr_block.h"
#include "periph/periph_window.h"
#include "periph/ramp_counter.h"

enum { MEGA_TIFR = 0x20, MEGA_TIMSK = 0x21 }; /* offsets of the two further windows */
enum mega_top { TOP_MAX, TOP_FF, TOP_1FF, TOP_3FF, TOP_OCRA, TOP_ICR };
enum mega_shape { SHAPE_NORMAL, SHAPE_CTC, SHAPE_FAST, SHAPE_PHASE, SHAPE_PHASE_FREQUENCY };

struct mega_mode {
    uint8_t top, shape;
};

struct mega_timer {
    struct periph periph;
    struct periph_window flags_window, masks_window;
    struct ramp_counter ramp;
    struct sim_event event;
    struct mega_mode mode;
    uint16_t max;
    uint16_t dividers[8];
    uint8_t tccra, tccrb, flags, masks, temp;
    uint16_t ocr[2], ocr_buffer[2], icr;
};

enum uj_err mega_timer_create(struct uj_ctx *ctx, struct mega_timer *t, uint16_t max) UJ_CHECK;
void mega_timer_reset(struct mega_timer *t, struct mega_mode mode);
/* Counts up to now; before every access. */
void mega_timer_advance(struct mega_timer *t);
/* Interrupts and the next event; after every write. */
void mega_timer_update(struct mega_timer *t);
/* Writes to the registers that both widths have, and to TIFR and TIMSK. */
void mega_timer_set_control(struct mega_timer *t, uint8_t tccra, uint8_t tccrb,
                            struct mega_mode mode);
void mega_timer_set_count(struct mega_timer *t, uint16_t value);
void mega_timer_set_ocr(struct mega_timer *t, unsigned channel, uint16_t value);
void mega_timer_set_icr(struct mega_timer *t, uint16_t value);
void mega_timer_write_shared(struct mega_timer *t, uint32_t offset, uint32_t value);

void mega_timer_clock_changed(struct periph *p, uint64_t now_ps);
void mega_timer_irq_taken(struct periph *p, unsigned output);
void mega_timer_fire(void *owner, uint64_t when_ps);

extern const char *const mega_timer_irqs[];

#endif
