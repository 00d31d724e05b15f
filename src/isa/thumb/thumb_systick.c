#include "isa/thumb/thumb.h"

/* SysTick: counts down with the core's clock; its value is computed when read. */

static uint64_t systick_wraps(const struct thumb_core *c, uint32_t *value)
{
    const struct thumb_systick *t = &c->systick;
    if (!(t->control & 1)) {
        *value = t->value;
        return 0;
    }
    uint64_t passed = c->core.cycle - t->start;
    if (passed <= t->value && t->value) {
        *value = (uint32_t)(t->value - passed);
        return *value == 0 && passed > 0 ? 1 : 0;
    }
    if (t->reload == 0) {
        *value = 0;
        return t->value ? 1 : 0;
    }
    /* From 0 the counter takes the reload value in one tick. */
    uint64_t period = (uint64_t)t->reload + 1;
    uint64_t behind = passed - t->value; /* ticks since it was at 0 */
    uint64_t in_period = behind % period;
    *value = in_period == 0 ? 0 : (uint32_t)(period - in_period);
    return behind / period + (t->value ? 1 : 0);
}

/* Brings the timer up to now: counts wraps as flag and exception, and finds the next one. */
void thumb_systick_settle(struct thumb_core *c)
{
    struct thumb_systick *t = &c->systick;
    uint32_t value;
    uint64_t wraps = systick_wraps(c, &value);
    t->value = value;
    t->start = c->core.cycle;
    if (wraps) {
        t->counted = true;
        if (t->control & 2)
            thumb_set_pending(c, EXC_SYSTICK, true);
    }
    c->own_next = UINT64_MAX;
    if ((t->control & 3) == 3) {
        if (t->value)
            c->own_next = t->start + t->value;
        else if (t->reload)
            c->own_next = t->start + t->reload + 1;
    }
}

uint32_t thumb_systick_read(struct thumb_core *c, uint32_t at)
{
    struct thumb_systick *t = &c->systick;
    thumb_systick_settle(c);
    switch (at) {
    case 0xe010: {
        uint32_t value = t->control | (uint32_t)t->counted << 16;
        t->counted = false;
        return value;
    }
    case 0xe014: return t->reload;
    case 0xe018: return t->value;
    default: return 0xc0000000; /* no reference clock, no calibration value */
    }
}

void thumb_systick_write(struct thumb_core *c, uint32_t at, uint32_t value)
{
    struct thumb_systick *t = &c->systick;
    thumb_systick_settle(c);
    switch (at) {
    case 0xe010: t->control = value & 7; break;
    case 0xe014: t->reload = value & 0xffffff; break;
    case 0xe018:
        t->value = 0;
        t->counted = false;
        break;
    default: return;
    }
    thumb_systick_settle(c);
}
