/*
 * Tick generators: RP2350's TICKS (option `outputs`: the clocks that its generators make, in the
 * order of their registers) and the one in RP2040's WATCHDOG (class rp2_watchdog, its `clock`).
 * A generator divides clk_ref by CYCLES while it is enabled. Of the watchdog itself the registers
 * are stored, its counter does not run; TRIGGER and ENABLE end the run.
 */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "periph/rp2_block.h"
#include "periph/unmodelled.h"

enum { CTRL, CYCLES = 4, COUNT = 8, STRIDE = 12, GENERATORS = 6 };
enum { ENABLE = 1, RUNNING = 2 };

struct rp2_ticks {
    struct rp2_block block;
    struct sim_clock *clock[GENERATORS];
    uint32_t ctrl[GENERATORS], cycles[GENERATORS];
};

static void generate(struct periph *p, struct sim_clock *clock, bool on, uint32_t cycles)
{
    uint64_t now = machine_now(p->machine);
    if (!clock)
        return;
    if (cycles && clock->divide != cycles)
        clock_set_ratio(clock, 1, cycles, now);
    on = on && cycles;
    if (clock->gated == on)
        clock_set_gate(clock, !on, now);
}

static enum uj_err ticks_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {RP2_BLOCK_KEYS, "outputs"};
    struct rp2_ticks *t = (struct rp2_ticks *)p;
    const struct yaml_node *outputs = NULL;
    enum uj_err err = yaml_only(ctx, p->options, keys, sizeof keys / sizeof keys[0]);
    if (err || (err = yaml_need(ctx, &outputs, p->options, "outputs")))
        return err;
    for (size_t i = 0; i < outputs->count && i < GENERATORS; i++) {
        const char *name;
        if ((err = yaml_text(ctx, &name, &outputs->items[i])))
            return err;
        t->clock[i] = machine_clock(p->machine, name);
        if (!t->clock[i])
            return yaml_fail(ctx, &outputs->items[i], "no clock \"%s\"", name);
    }
    return rp2_block_create(ctx, p);
}

static void ticks_reset(struct periph *p)
{
    struct rp2_ticks *t = (struct rp2_ticks *)p;
    for (unsigned i = 0; i < GENERATORS; i++) {
        t->ctrl[i] = t->cycles[i] = 0;
        generate(p, t->clock[i], false, 0);
    }
}

static uint32_t ticks_get(struct periph *p, uint32_t at)
{
    const struct rp2_ticks *t = (const struct rp2_ticks *)p;
    unsigned i = at / STRIDE;
    if (i >= GENERATORS)
        return 0;
    switch (at % STRIDE) {
    case CTRL: return t->ctrl[i] | (t->ctrl[i] & ENABLE ? RUNNING : 0);
    case CYCLES: return t->cycles[i];
    default: return 0;
    }
}

static void ticks_set(struct periph *p, uint32_t at, uint32_t value)
{
    struct rp2_ticks *t = (struct rp2_ticks *)p;
    unsigned i = at / STRIDE;
    if (i >= GENERATORS)
        return;
    if (at % STRIDE == CTRL)
        t->ctrl[i] = value & ENABLE;
    else if (at % STRIDE == CYCLES)
        t->cycles[i] = value & 0x1FF;
    generate(p, t->clock[i], t->ctrl[i] & ENABLE, t->cycles[i]);
}

static uint32_t ticks_read(struct periph *p, uint32_t offset, unsigned bytes)
{
    return rp2_block_read(p, offset, bytes, ticks_get);
}

static void ticks_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes)
{
    rp2_block_write(p, offset, value, bytes, ticks_get, ticks_set);
}

const struct periph_class rp2_ticks_class = {
    .name = "rp2_ticks",
    .bytes = sizeof(struct rp2_ticks),
    .window = RP2_WINDOW,
    .create = ticks_create,
    .reset = ticks_reset,
    .read = ticks_read,
    .write = ticks_write,
};

/* RP2040 and RP2350 WATCHDOG */

enum { WD_CTRL, WD_LOAD = 4, WD_REASON = 8, WD_SCRATCH0 = 0x0C, WD_TICK = 0x2C };
#define WD_TRIGGER (1u << 31)
enum { WD_ENABLE = 1 << 30, TICK_ENABLE = 1 << 9, TICK_RUNNING = 1 << 10 };

struct rp2_watchdog {
    struct rp2_block block;
    uint32_t ctrl, load, scratch[8], tick;
};

static enum uj_err watchdog_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {RP2_BLOCK_KEYS};
    enum uj_err err = yaml_only(ctx, p->options, keys, sizeof keys / sizeof keys[0]);
    return err ? err : rp2_block_create(ctx, p);
}

static void watchdog_reset(struct periph *p)
{
    struct rp2_watchdog *w = (struct rp2_watchdog *)p;
    w->ctrl = 7u << 24;
    w->load = 0;
    memset(w->scratch, 0, sizeof w->scratch);
    w->tick = TICK_ENABLE;
    generate(p, p->clock, false, 0);
}

static uint32_t watchdog_get(struct periph *p, uint32_t at)
{
    const struct rp2_watchdog *w = (const struct rp2_watchdog *)p;
    if (at >= WD_SCRATCH0 && at < WD_TICK)
        return w->scratch[(at - WD_SCRATCH0) / 4];
    switch (at) {
    case WD_CTRL: return w->ctrl;
    case WD_TICK: return p->clock ? w->tick | (w->tick & TICK_ENABLE ? TICK_RUNNING : 0) : 0;
    default: return 0;
    }
}

static void watchdog_set(struct periph *p, uint32_t at, uint32_t value)
{
    struct rp2_watchdog *w = (struct rp2_watchdog *)p;
    if (at >= WD_SCRATCH0 && at < WD_TICK)
        w->scratch[(at - WD_SCRATCH0) / 4] = value;
    if (at == WD_CTRL) {
        if (value & (WD_TRIGGER | WD_ENABLE))
            periph_unmodelled(p, "%s: started or triggered", p->name);
        w->ctrl = value & ~WD_TRIGGER;
    }
    if (at == WD_TICK && p->clock) {
        w->tick = value & 0x3FF;
        generate(p, p->clock, value & TICK_ENABLE, value & 0x1FF);
    }
}

static uint32_t watchdog_read(struct periph *p, uint32_t offset, unsigned bytes)
{
    return rp2_block_read(p, offset, bytes, watchdog_get);
}

static void watchdog_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes)
{
    rp2_block_write(p, offset, value, bytes, watchdog_get, watchdog_set);
}

const struct periph_class rp2_watchdog_class = {
    .name = "rp2_watchdog",
    .bytes = sizeof(struct rp2_watchdog),
    .window = RP2_WINDOW,
    .create = watchdog_create,
    .reset = watchdog_reset,
    .read = watchdog_read,
    .write = watchdog_write,
};
