/*
 * ATmega 16-bit timer (Timer1). See mega_timer.h. A 16-bit register is written high byte first,
 * which waits in TEMP, and read low byte first, which takes the high byte along to TEMP; OCR is
 * read without it.
 */
#include "periph/mega_timer.h"

enum { TCCRA, TCCRB, TCCRC, TCNT = 4, ICR = 6, OCRA = 8, OCRB = 10, TIMER_SIZE = 12 };
enum { WGM_LOW = 0x03, WGM_HIGH = 0x18, CONTROL_BITS = 0xDF };

static const struct mega_mode modes[16] = {
    {TOP_MAX, SHAPE_NORMAL},
    {TOP_FF, SHAPE_PHASE},
    {TOP_1FF, SHAPE_PHASE},
    {TOP_3FF, SHAPE_PHASE},
    {TOP_OCRA, SHAPE_CTC},
    {TOP_FF, SHAPE_FAST},
    {TOP_1FF, SHAPE_FAST},
    {TOP_3FF, SHAPE_FAST},
    {TOP_ICR, SHAPE_PHASE_FREQUENCY},
    {TOP_OCRA, SHAPE_PHASE_FREQUENCY},
    {TOP_ICR, SHAPE_PHASE},
    {TOP_OCRA, SHAPE_PHASE},
    {TOP_ICR, SHAPE_CTC},
    {TOP_MAX, SHAPE_NORMAL},
    {TOP_ICR, SHAPE_FAST},
    {TOP_OCRA, SHAPE_FAST},
};

static enum uj_err timer_create(struct uj_ctx *ctx, struct periph *p)
{
    return mega_timer_create(ctx, (struct mega_timer *)p, 0xFFFF);
}

static void timer_reset(struct periph *p)
{
    mega_timer_reset((struct mega_timer *)p, modes[0]);
}

static uint8_t read_low(struct mega_timer *t, uint32_t value)
{
    t->temp = (uint8_t)(value >> 8);
    return (uint8_t)value;
}

static uint32_t timer_read(struct periph *p, uint32_t offset, unsigned bytes)
{
    struct mega_timer *t = (struct mega_timer *)p;
    (void)bytes;
    mega_timer_advance(t);
    switch (offset) {
    case TCCRA: return t->tccra;
    case TCCRB: return t->tccrb;
    case TCNT: return read_low(t, t->ramp.value);
    case ICR: return read_low(t, t->icr);
    case TCNT + 1:
    case ICR + 1: return t->temp;
    case OCRA:
    case OCRB: return t->ocr_buffer[(offset - OCRA) / 2] & 0xFF;
    case OCRA + 1:
    case OCRB + 1: return t->ocr_buffer[(offset - OCRA) / 2] >> 8;
    case MEGA_TIFR: return t->flags;
    case MEGA_TIMSK: return t->masks;
    default: return 0;
    }
}

static void set_control(struct mega_timer *t, uint8_t a, uint8_t b)
{
    mega_timer_set_control(t, a, b & CONTROL_BITS, modes[(a & WGM_LOW) | (b & WGM_HIGH) >> 1]);
}

static void timer_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes)
{
    struct mega_timer *t = (struct mega_timer *)p;
    uint8_t byte = (uint8_t)value;
    uint16_t word = (uint16_t)(t->temp << 8 | byte);
    (void)bytes;
    mega_timer_advance(t);
    switch (offset) {
    case TCCRA: set_control(t, byte, t->tccrb); break;
    case TCCRB: set_control(t, t->tccra, byte); break;
    case TCCRC: break;
    case TCNT: mega_timer_set_count(t, word); break;
    case ICR: mega_timer_set_icr(t, word); break;
    case OCRA:
    case OCRB: mega_timer_set_ocr(t, (offset - OCRA) / 2, word); break;
    case TCNT + 1:
    case ICR + 1:
    case OCRA + 1:
    case OCRB + 1: t->temp = byte; break;
    default: mega_timer_write_shared(t, offset, value); break;
    }
    mega_timer_update(t);
}

const struct periph_class mega_timer16_class = {
    .name = "mega_timer16",
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
