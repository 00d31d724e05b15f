/*
 * The 64-bit timer of RP2040 (TIMER) and RP2350 (TIMER0, TIMER1): counts its `clock`, a tick
 * generator's; four alarms that compare the low word. Option `locks: true`: RP2350's layout, with
 * LOCKED and SOURCE before the interrupt registers. Counting the system clock (SOURCE) ends the
 * run.
 */
#include "periph/rp2_block.h"
#include "periph/unmodelled.h"

enum {
    TIMEHW,
    TIMELW = 0x04,
    TIMEHR = 0x08,
    TIMELR = 0x0C,
    ALARM0 = 0x10,
    ARMED = 0x20,
    TIMERAWH = 0x24,
    TIMERAWL = 0x28,
    DBGPAUSE = 0x2C,
    PAUSE = 0x30,
    LOCKED = 0x34,
    SOURCE = 0x38,
    INTERRUPTS = 0x34, /* INTR, INTE, INTF, INTS; 8 more with locks */
};
enum { ALARMS = 4 };

struct rp2_timer {
    struct rp2_block block;
    uint32_t shift; /* of the interrupt registers */
    uint64_t offset;
    bool paused;
    uint64_t paused_at;
    uint32_t latched_high, written_low, dbgpause;
    uint32_t alarm[ALARMS], armed, raw, enable, force;
    struct rp2_alarm {
        struct rp2_timer *timer;
        unsigned number;
        struct sim_event event;
    } events[ALARMS];
};

static uint64_t count(const struct rp2_timer *t)
{
    const struct periph *p = &t->block.periph;
    return t->paused ? t->paused_at : clock_ticks(p->clock, machine_now(p->machine)) + t->offset;
}

static void update_irqs(struct rp2_timer *t)
{
    for (unsigned i = 0; i < ALARMS; i++)
        periph_irq(&t->block.periph, i, ((t->raw & t->enable) | t->force) >> i & 1);
}

static void schedule(struct rp2_timer *t)
{
    struct periph *p = &t->block.periph;
    for (unsigned i = 0; i < ALARMS; i++) {
        uint64_t when = SIM_NEVER;
        if (t->armed >> i & 1 && !t->paused) {
            uint32_t left = t->alarm[i] - (uint32_t)count(t);
            uint64_t ticks = clock_ticks(p->clock, machine_now(p->machine));
            when = clock_time(p->clock, ticks + (left ? left : UINT64_C(1) << 32));
        }
        machine_at(p->machine, &t->events[i].event, when);
    }
}

static void alarm_fired(void *owner, uint64_t when_ps)
{
    struct rp2_alarm *a = owner;
    (void)when_ps;
    a->timer->armed &= ~(1u << a->number);
    a->timer->raw |= 1u << a->number;
    update_irqs(a->timer);
}

static enum uj_err timer_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {RP2_BLOCK_KEYS, "locks"};
    struct rp2_timer *t = (struct rp2_timer *)p;
    const char *locks = "false";
    if (!p->clock)
        return yaml_fail(ctx, p->options, "needs a clock: a tick generator's");
    enum uj_err err = yaml_only(ctx, p->options, keys, sizeof keys / sizeof keys[0]);
    if (err || (err = yaml_get_text(ctx, &locks, p->options, "locks")))
        return err;
    t->shift = locks[0] == 't' ? 8 : 0;
    for (unsigned i = 0; i < ALARMS; i++) {
        t->events[i] = (struct rp2_alarm){.timer = t, .number = i};
        t->events[i].event = (struct sim_event){.fire = alarm_fired, .owner = &t->events[i]};
    }
    return rp2_block_create(ctx, p);
}

static void timer_reset(struct periph *p)
{
    struct rp2_timer *t = (struct rp2_timer *)p;
    t->offset = -clock_ticks(p->clock, machine_now(p->machine));
    t->paused = false;
    t->latched_high = t->written_low = 0;
    t->dbgpause = 7;
    t->armed = t->raw = t->enable = t->force = 0;
    for (unsigned i = 0; i < ALARMS; i++)
        t->alarm[i] = 0;
    schedule(t);
    update_irqs(t);
}

static uint32_t interrupt_get(const struct rp2_timer *t, uint32_t index)
{
    switch (index) {
    case 0: return t->raw;
    case 1: return t->enable;
    case 2: return t->force;
    case 3: return (t->raw & t->enable) | t->force;
    default: return 0;
    }
}

static uint32_t peek(struct periph *p, uint32_t at)
{
    const struct rp2_timer *t = (const struct rp2_timer *)p;
    if (at >= ALARM0 && at < ARMED)
        return t->alarm[(at - ALARM0) / 4];
    if (at >= INTERRUPTS + t->shift)
        return interrupt_get(t, (at - INTERRUPTS - t->shift) / 4);
    switch (at) {
    case TIMEHR: return t->latched_high;
    case ARMED: return t->armed;
    case TIMERAWH: return (uint32_t)(count(t) >> 32);
    case TIMELR:
    case TIMERAWL: return (uint32_t)count(t);
    case DBGPAUSE: return t->dbgpause;
    case PAUSE: return t->paused;
    default: return 0;
    }
}

static uint32_t get(struct periph *p, uint32_t at)
{
    struct rp2_timer *t = (struct rp2_timer *)p;
    if (at == TIMELR)
        t->latched_high = (uint32_t)(count(t) >> 32);
    return peek(p, at);
}

static void set_pause(struct rp2_timer *t, bool paused)
{
    uint64_t now = count(t);
    if (paused == t->paused)
        return;
    t->paused = paused;
    t->paused_at = now;
    if (!paused)
        t->offset +=
            now -
            (clock_ticks(t->block.periph.clock, machine_now(t->block.periph.machine)) + t->offset);
}

static void set_interrupt(struct rp2_timer *t, uint32_t index, uint32_t value)
{
    value &= 0xF;
    if (index == 0)
        t->raw &= ~value;
    else if (index == 1)
        t->enable = value;
    else if (index == 2)
        t->force = value;
    update_irqs(t);
}

static void set(struct periph *p, uint32_t at, uint32_t value)
{
    struct rp2_timer *t = (struct rp2_timer *)p;
    if (at >= ALARM0 && at < ARMED) {
        t->alarm[(at - ALARM0) / 4] = value;
        t->armed |= 1u << (at - ALARM0) / 4;
    } else if (at >= INTERRUPTS + t->shift) {
        set_interrupt(t, (at - INTERRUPTS - t->shift) / 4, value);
        return;
    }
    switch (at) {
    case TIMELW: t->written_low = value; return;
    case TIMEHW: {
        uint64_t time = (uint64_t)value << 32 | t->written_low;
        t->offset += time - count(t);
        t->paused_at = time;
        break;
    }
    case ARMED: t->armed &= ~value; break;
    case DBGPAUSE: t->dbgpause = value; return;
    case PAUSE: set_pause(t, value & 1); break;
    case SOURCE:
        if (value & 1)
            periph_unmodelled(p, "%s: counting the system clock", p->name);
        return;
    default: break;
    }
    schedule(t);
}

static uint32_t timer_read(struct periph *p, uint32_t offset, unsigned bytes)
{
    return rp2_block_read(p, offset, bytes, get);
}

static void timer_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes)
{
    rp2_block_write(p, offset, value, bytes, peek, set);
}

static void timer_clock_changed(struct periph *p, uint64_t now_ps)
{
    (void)now_ps;
    schedule((struct rp2_timer *)p);
}

static const char *const timer_irqs[] = {"alarm0", "alarm1", "alarm2", "alarm3", NULL};

const struct periph_class rp2_timer_class = {
    .name = "rp2_timer",
    .bytes = sizeof(struct rp2_timer),
    .window = RP2_WINDOW,
    .irqs = timer_irqs,
    .create = timer_create,
    .reset = timer_reset,
    .read = timer_read,
    .write = timer_write,
    .clock_changed = timer_clock_changed,
};
