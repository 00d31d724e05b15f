/* ATmega 8-bit timer (Timer0, Timer2): TCCRA, TCCRB, TCNT, OCRA, OCRB at the base. See
 * mega_timer.h. */
#include "periph/mega_timer.h"

enum { TCCRA, TCCRB, TCNT, OCRA, OCRB, TIMER_SIZE };
enum { WGM_LOW = 0x03, WGM2 = 0x08, CONTROL_BITS = 0x0F };

static const struct mega_mode modes[8] = {
    {TOP_MAX, SHAPE_NORMAL}, {TOP_MAX, SHAPE_PHASE},  {TOP_OCRA, SHAPE_CTC},
    {TOP_MAX, SHAPE_FAST},   {TOP_MAX, SHAPE_NORMAL}, {TOP_OCRA, SHAPE_PHASE},
    {TOP_MAX, SHAPE_NORMAL}, {TOP_OCRA, SHAPE_FAST},
};

static enum uj_err timer_create(struct uj_ctx *ctx, struct periph *p)
{
    return mega_timer_create(ctx, (struct mega_timer *)p, 0xFF);
}

static void timer_reset(struct periph *p)
{
    mega_timer_reset((struct mega_timer *)p, modes[0]);
}

static uint32_t timer_read(struct periph *p, uint32_t offset, unsigned bytes)
{
    struct mega_timer *t = (struct mega_timer *)p;
    (void)bytes;
    mega_timer_advance(t);
    switch (offset) {
    case TCCRA: return t->tccra;
    case TCCRB: return t->tccrb;
    case TCNT: return t->ramp.value;
    case OCRA:
    case OCRB: return t->ocr_buffer[offset - OCRA];
    case MEGA_TIFR: return t->flags;
    case MEGA_TIMSK: return t->masks;
    default: return 0;
    }
}

static void set_control(struct mega_timer *t, uint8_t a, uint8_t b)
{
    mega_timer_set_control(t, a, b & CONTROL_BITS, modes[(a & WGM_LOW) | (b & WGM2) >> 1]);
}

static void timer_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes)
{
    struct mega_timer *t = (struct mega_timer *)p;
    uint8_t byte = (uint8_t)value;
    (void)bytes;
    mega_timer_advance(t);
    switch (offset) {
    case TCCRA: set_control(t, byte, t->tccrb); break;
    case TCCRB: set_control(t, t->tccra, byte); break;
    case TCNT: mega_timer_set_count(t, byte); break;
    case OCRA:
    case OCRB: mega_timer_set_ocr(t, offset - OCRA, byte); break;
    default: mega_timer_write_shared(t, offset, value); break;
    }
    mega_timer_update(t);
}

const struct periph_class mega_timer8_class = {
    .name = "mega_timer8",
    .bytes = sizeof(struct mega_timer),
    .window = TIMER_SIZE,
    .irqs = mega_timer_irqs,
    .create = timer_create,
    .reset = timer_reset,
    .read = timer_read,
    .write = timer_write,
    .clock_changed = mega_timer_clock_changed,
    .irq_taken = mega_timer_irq_taken,
};
