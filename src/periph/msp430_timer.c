/*
 * Timer_A and Timer_B of all families. Options: channels (3, 5 or 7), aclk and smclk (clocks), kind
 * (a or b), iv (address of the vector register, where it lies outside the window), extended (true:
 * the 5xx's further divider), inputs: what the channels capture, a map as {2b: aclk, 1a: p4.1}:
 * channel and input to `aclk` or to a net; dma: triggers that channels raise, as {0: 7, 2: 1}.
 *
 * Captures take the count at the moment of the edge; what synchronising them to the timer's clock
 * adds, at most one count, is not modelled. Neither are the output units' waveforms, external
 * clocks, and compare values of Timer_B that wait in a latch: the first two do nothing, the last
 * ends the run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "periph/msp430_counter.h"
#include "periph/msp430_dma_net.h"
#include "periph/msp430_sfr.h"
#include "periph/periph_window.h"

enum { CHANNELS_MAX = 7 };
enum { CTL = 0, CCTL = 2, R = 0x10, CCR = 0x12, EX0 = 0x20, IV = 0x2e, TIMER_SIZE = 0x20 };
enum { TIFG = 0x0001, TIE = 0x0002, TCLR = 0x0004, CTL_KEPT = 0x1ff2 | TIFG | 0x0200 };
enum { MC_SHIFT = 4, ID_SHIFT = 6, SSEL_SHIFT = 8, CNTL_SHIFT = 11, CLGRP = 0x6000 };
enum { CCIFG = 0x0001, COV = 0x0002, CCI = 0x0008, CCIE = 0x0010, CAP = 0x0100, CLLD = 0x0600 };
enum { CM_SHIFT = 14, CCIS_SHIFT = 12 };
enum { IRQ_CCR0, IRQ_MAIN };

struct timer_input {
    struct msp430_timer *timer;
    unsigned channel;
    struct sim_net *net; /* NULL: nothing, or ACLK */
    bool is_aclk;
    struct net_listener listener;
};

struct timer_channel {
    uint16_t ctl, ccr;
    bool level; /* of the input, as seen last */
    struct timer_input input[2];
    struct sim_event edge; /* of ACLK */
    uint64_t edge_tick;    /* of twice ACLK */
    struct msp430_dma_net dma;
};

struct msp430_timer {
    struct periph periph;
    struct sim_clock *aclk, *smclk;
    struct clock_user aclk_user, smclk_user;
    struct periph_window iv_window;
    struct msp430_counter counter;
    struct sim_event event;
    struct msp430_line lines[2];
    struct timer_channel channel[CHANNELS_MAX];
    unsigned channels;
    bool is_b, is_extended;
    uint16_t ctl, ex0;
};

/* The clock that counts; NULL: an external one, which does not tick. */
static struct sim_clock *source(const struct msp430_timer *t)
{
    switch (t->ctl >> SSEL_SHIFT & 3) {
    case 1: return t->aclk;
    case 2: return t->smclk;
    default: return NULL;
    }
}

static uint64_t ticks_at(const struct msp430_timer *t, uint64_t ps)
{
    const struct sim_clock *c = source(t);
    return c ? clock_ticks(c, ps) : t->counter.base_tick;
}

static void update_irqs(struct msp430_timer *t)
{
    bool main = (t->ctl & (TIFG | TIE)) == (TIFG | TIE);
    for (unsigned i = 0; i < t->channels; i++) {
        unsigned ctl = t->channel[i].ctl;
        bool asks = (ctl & (CCIFG | CCIE)) == (CCIFG | CCIE);
        if (i == 0)
            msp430_irq(&t->periph, IRQ_CCR0, &t->lines[IRQ_CCR0], asks);
        else
            main |= asks;
        msp430_dma_net_set(&t->periph, &t->channel[i].dma, (ctl & (CCIFG | CCIE)) == CCIFG);
    }
    msp430_irq(&t->periph, IRQ_MAIN, &t->lines[IRQ_MAIN], main);
}

/* Sets the flags of what has happened up to now. */
static void advance(struct msp430_timer *t, uint64_t now_ps)
{
    uint64_t tick = ticks_at(t, now_ps);
    if (msp430_counter_wrap(&t->counter) <= tick)
        t->ctl |= TIFG;
    for (unsigned i = 0; i < t->channels; i++)
        if (!(t->channel[i].ctl & CAP) &&
            msp430_counter_match(&t->counter, t->channel[i].ccr) <= tick)
            t->channel[i].ctl |= CCIFG;
    msp430_counter_advance(&t->counter, tick);
}

/* The next moment at which something is seen outside. */
static void schedule(struct msp430_timer *t)
{
    const struct sim_clock *c = source(t);
    uint64_t next = COUNTER_NEVER;
    if (t->ctl & TIE && !(t->ctl & TIFG))
        next = msp430_counter_wrap(&t->counter);
    for (unsigned i = 0; i < t->channels; i++) {
        const struct timer_channel *ch = &t->channel[i];
        if (ch->ctl & (CAP | CCIFG) || (!(ch->ctl & CCIE) && !ch->dma.net))
            continue;
        uint64_t tick = msp430_counter_match(&t->counter, ch->ccr);
        next = tick < next ? tick : next;
    }
    machine_at(t->periph.machine, &t->event,
               c && next != COUNTER_NEVER ? clock_time(c, next) : SIM_NEVER);
}

static void settle(struct msp430_timer *t)
{
    schedule(t);
    update_irqs(t);
}

static void timer_due(void *owner, uint64_t when_ps)
{
    struct msp430_timer *t = owner;
    advance(t, when_ps);
    settle(t);
}

/* Capture */

static void capture(struct msp430_timer *t, struct timer_channel *ch, bool level, uint64_t now_ps)
{
    bool before = ch->level;
    ch->level = level;
    unsigned edges = ch->ctl >> CM_SHIFT;
    if (level == before || !(ch->ctl & CAP) || !(edges & (level ? 1 : 2)))
        return;
    advance(t, now_ps);
    if (ch->ctl & CCIFG)
        ch->ctl |= COV;
    ch->ccr = (uint16_t)t->counter.value;
    ch->ctl |= CCIFG;
    settle(t);
}

static struct timer_input *selected(struct timer_channel *ch)
{
    unsigned ccis = ch->ctl >> CCIS_SHIFT & 3;
    return ccis < 2 ? &ch->input[ccis] : NULL;
}

/* Half periods of ACLK; the first half of each period is high. */
static uint64_t half_time(const struct sim_clock *c, uint64_t half)
{
    uint64_t whole = clock_time(c, half / 2);
    if (!(half & 1) || whole == SIM_NEVER)
        return whole;
    uint64_t next = clock_time(c, half / 2 + 1);
    return next == SIM_NEVER ? SIM_NEVER : whole + (next - whole) / 2;
}

static uint64_t half_at(const struct sim_clock *c, uint64_t now_ps)
{
    uint64_t half = 2 * clock_ticks(c, now_ps);
    return half_time(c, half + 1) <= now_ps ? half + 1 : half;
}

static bool level_now(const struct msp430_timer *t, struct timer_channel *ch, uint64_t now_ps)
{
    const struct timer_input *in = selected(ch);
    if (!in)
        return (ch->ctl >> CCIS_SHIFT & 3) == 3;
    if (in->is_aclk)
        return !(half_at(t->aclk, now_ps) & 1);
    return in->net && net_level(in->net);
}

/* Edges of ACLK are events only while a channel captures them. */
static void follow_aclk(struct msp430_timer *t, struct timer_channel *ch, uint64_t now_ps)
{
    const struct timer_input *in = selected(ch);
    uint64_t next = SIM_NEVER;
    if (in && in->is_aclk && ch->ctl & CAP && ch->ctl >> CM_SHIFT) {
        ch->edge_tick = half_at(t->aclk, now_ps) + 1;
        /* Where only one kind of edge counts, the other is passed over. */
        unsigned edges = ch->ctl >> CM_SHIFT;
        if (edges != 3 && !(edges & (ch->edge_tick & 1 ? 2 : 1)))
            ch->edge_tick++;
        next = half_time(t->aclk, ch->edge_tick);
    }
    machine_at(t->periph.machine, &ch->edge, next);
}

static void aclk_edge(void *owner, uint64_t when_ps)
{
    struct timer_input *in = owner;
    struct timer_channel *ch = &in->timer->channel[in->channel];
    bool rises = !(ch->edge_tick & 1);
    ch->level = !rises;
    capture(in->timer, ch, rises, when_ps);
    follow_aclk(in->timer, ch, when_ps);
}

static void input_changed(void *owner, bool level, uint64_t now_ps)
{
    struct timer_input *in = owner;
    struct timer_channel *ch = &in->timer->channel[in->channel];
    if (selected(ch) == in)
        capture(in->timer, ch, level, now_ps);
}

/* Life */

static void dma_taken(void *owner)
{
    struct timer_input *in = owner;
    in->timer->channel[in->channel].ctl &= (uint16_t)~CCIFG;
    schedule(in->timer);
}

static void aclk_changed(void *owner, uint64_t now_ps)
{
    struct msp430_timer *t = owner;
    for (unsigned i = 0; i < t->channels; i++)
        if (t->channel[i].edge.queued)
            follow_aclk(t, &t->channel[i], now_ps);
    if (source(t) == t->aclk)
        schedule(t);
    machine_retime(t->periph.machine);
}

static void smclk_changed(void *owner, uint64_t now_ps)
{
    struct msp430_timer *t = owner;
    (void)now_ps;
    if (source(t) == t->smclk)
        schedule(t);
    machine_retime(t->periph.machine);
}

static enum uj_err read_inputs(struct uj_ctx *ctx, struct msp430_timer *t)
{
    const struct yaml_node *map = yaml_get(t->periph.options, "inputs");
    for (size_t i = 0; map && i < map->count; i++) {
        const char *what = NULL, *key = map->items[i].key;
        enum uj_err err = yaml_text(ctx, &what, &map->items[i]);
        if (err)
            return err;
        unsigned channel = key ? (unsigned)(key[0] - '0') : CHANNELS_MAX;
        if (channel >= t->channels || (key[1] != 'a' && key[1] != 'b') || key[2])
            return yaml_fail(ctx, &map->items[i], "is no channel and input, as 2b");
        struct timer_input *in = &t->channel[channel].input[key[1] - 'a'];
        in->is_aclk = strcmp(what, "aclk") == 0;
        if (in->is_aclk)
            continue;
        in->net = machine_net(t->periph.machine, what);
        net_listen(in->net, &in->listener);
    }
    return UJ_OK;
}

static enum uj_err timer_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {
        PERIPH_LOADER_KEYS, "channels", "aclk", "smclk", "kind", "iv",
        "extended",         "inputs",   "dma",  "note"};
    struct msp430_timer *t = (struct msp430_timer *)p;
    int64_t channels = 3;
    const char *kind = "a";
    enum uj_err err = yaml_only(ctx, p->options, keys, sizeof keys / sizeof *keys);
    if (err || (err = msp430_clock_option(ctx, &t->aclk, p, "aclk")) ||
        (err = msp430_clock_option(ctx, &t->smclk, p, "smclk")) ||
        (err = yaml_need_integer(ctx, &channels, p->options, "channels", 1, CHANNELS_MAX)) ||
        (err = yaml_get_text(ctx, &kind, p->options, "kind")) ||
        (err = yaml_get_bool(ctx, &t->is_extended, p->options, "extended")) ||
        (err = periph_window_option(ctx, &t->iv_window, p, "iv", 2, IV)))
        return err;
    t->channels = (unsigned)channels;
    t->is_b = strcmp(kind, "b") == 0;
    if (!t->is_b && strcmp(kind, "a") != 0)
        return yaml_fail(ctx, yaml_get(p->options, "kind"), "\"%s\" is neither a nor b", kind);
    t->event = (struct sim_event){.fire = timer_due, .owner = t};
    for (unsigned i = 0; i < CHANNELS_MAX; i++) {
        struct timer_channel *ch = &t->channel[i];
        for (unsigned k = 0; k < 2; k++) {
            struct timer_input *in = &ch->input[k];
            *in = (struct timer_input){.timer = t, .channel = i};
            in->listener = (struct net_listener){.changed = input_changed, .owner = in};
        }
        ch->edge = (struct sim_event){.fire = aclk_edge, .owner = &ch->input[0]};
        ch->dma.taken = dma_taken;
        ch->dma.owner = &ch->input[0];
        char name[2] = {(char)('0' + i), 0};
        if ((err = msp430_dma_net_option(ctx, &ch->dma, p, name)))
            return err;
    }
    t->aclk_user = (struct clock_user){.changed = aclk_changed, .owner = t};
    t->smclk_user = (struct clock_user){.changed = smclk_changed, .owner = t};
    clock_use(t->aclk, &t->aclk_user);
    clock_use(t->smclk, &t->smclk_user);
    return read_inputs(ctx, t);
}

/* Mode, divider, length and top from the registers, at a base that is now. */
static void configure(struct msp430_timer *t)
{
    static const uint32_t lengths[4] = {0xffff, 0xfff, 0x3ff, 0xff};
    struct msp430_counter *c = &t->counter;
    c->mode = (enum counter_mode)(t->ctl >> MC_SHIFT & 3);
    c->divider = (1u << (t->ctl >> ID_SHIFT & 3)) * (t->is_extended ? (t->ex0 & 7u) + 1 : 1);
    c->max = t->is_b ? lengths[t->ctl >> CNTL_SHIFT & 3] : 0xffff;
    c->top = t->channel[0].ccr & c->max;
}

static void timer_reset(struct periph *p)
{
    struct msp430_timer *t = (struct msp430_timer *)p;
    t->ctl = t->ex0 = 0;
    for (unsigned i = 0; i < t->channels; i++) {
        t->channel[i].ctl = t->channel[i].ccr = 0;
        event_cancel(&p->machine->events, &t->channel[i].edge);
    }
    msp430_counter_set(&t->counter, 0, 0);
    configure(t);
    settle(t);
}

/* The highest flag that is enabled, as its number in IV; it is cleared. */
static uint16_t read_iv(struct msp430_timer *t)
{
    for (unsigned i = 1; i < t->channels; i++)
        if ((t->channel[i].ctl & (CCIFG | CCIE)) == (CCIFG | CCIE)) {
            t->channel[i].ctl &= (uint16_t)~CCIFG;
            return (uint16_t)(2 * i);
        }
    if ((t->ctl & (TIFG | TIE)) != (TIFG | TIE))
        return 0;
    t->ctl &= (uint16_t)~TIFG;
    return t->is_b || t->is_extended ? 0x0e : 0x0a;
}

static void write_ctl(struct msp430_timer *t, uint16_t value, uint64_t now_ps)
{
    const struct sim_clock *before = source(t);
    bool clear = value & TCLR;
    t->ctl = value & (uint16_t)(t->is_b ? CTL_KEPT | CLGRP : CTL_KEPT) & (uint16_t)~TCLR;
    if (t->is_b && value & CLGRP)
        periph_unmodelled(&t->periph, "%s: compare latches in groups", t->periph.name);
    configure(t);
    if (source(t) != before || clear)
        msp430_counter_set(&t->counter, ticks_at(t, now_ps), clear ? 0 : t->counter.value);
}

static void write_cctl(struct msp430_timer *t, struct timer_channel *ch, uint16_t value,
                       uint64_t now_ps)
{
    if (t->is_b && value & CLLD && !(value & CAP))
        periph_unmodelled(&t->periph, "%s: a compare latch that loads later", t->periph.name);
    bool captured = ch->ctl & CAP;
    ch->level = level_now(t, ch, now_ps);
    ch->ctl = value & (uint16_t)~CCI;
    bool level = level_now(t, ch, now_ps);
    if (captured)
        capture(t, ch, level, now_ps); /* an edge that the program makes with CCIS */
    ch->level = level;
    follow_aclk(t, ch, now_ps);
}

static uint32_t timer_read(struct periph *p, uint32_t offset, unsigned bytes)
{
    struct msp430_timer *t = (struct msp430_timer *)p;
    uint64_t now_ps = machine_now(p->machine);
    unsigned shift = offset & 1 ? 8 : 0;
    uint16_t value = 0;
    offset &= ~1u;
    (void)bytes;
    advance(t, now_ps);
    if (offset == CTL)
        value = t->ctl;
    else if (offset == R)
        value = (uint16_t)t->counter.value;
    else if (offset == IV)
        value = read_iv(t);
    else if (offset == EX0)
        value = t->ex0;
    else if (offset < R && (offset - CCTL) / 2 < t->channels) {
        struct timer_channel *ch = &t->channel[(offset - CCTL) / 2];
        value = ch->ctl | (level_now(t, ch, now_ps) ? CCI : 0);
    } else if (offset >= CCR && (offset - CCR) / 2 < t->channels)
        value = t->channel[(offset - CCR) / 2].ccr;
    settle(t);
    return value >> shift;
}

static void timer_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes)
{
    struct msp430_timer *t = (struct msp430_timer *)p;
    uint64_t now_ps = machine_now(p->machine);
    uint16_t word = (uint16_t)value;
    advance(t, now_ps);
    if (bytes == 1) { /* the other half stays */
        uint32_t other = timer_read(p, offset ^ 1, 1) & 0xff;
        word = (uint16_t)(offset & 1 ? (value & 0xff) << 8 | other : (value & 0xff) | other << 8);
    }
    offset &= ~1u;
    if (offset == CTL)
        write_ctl(t, word, now_ps);
    else if (offset == R)
        msp430_counter_set(&t->counter, ticks_at(t, now_ps), word & t->counter.max);
    else if (offset == IV)
        (void)read_iv(t);
    else if (offset == EX0 && t->is_extended) {
        t->ex0 = word & 7;
        configure(t);
    } else if (offset < R && (offset - CCTL) / 2 < t->channels)
        write_cctl(t, &t->channel[(offset - CCTL) / 2], word, now_ps);
    else if (offset >= CCR && (offset - CCR) / 2 < t->channels) {
        t->channel[(offset - CCR) / 2].ccr = word;
        configure(t);
    }
    settle(t);
}

static void timer_irq_taken(struct periph *p, unsigned output)
{
    struct msp430_timer *t = (struct msp430_timer *)p;
    if (output != IRQ_CCR0)
        return;
    advance(t, machine_now(p->machine));
    t->channel[0].ctl &= (uint16_t)~CCIFG;
    settle(t);
}

static const char *const timer_irqs[] = {"ccr0", "main", NULL};

const struct periph_class msp430_timer_class = {
    .name = "msp430_timer",
    .bytes = sizeof(struct msp430_timer),
    .window = TIMER_SIZE,
    .irqs = timer_irqs,
    .create = timer_create,
    .reset = timer_reset,
    .read = timer_read,
    .write = timer_write,
    .irq_taken = timer_irq_taken,
};
