/*
 * Serial number chip DS2411 on a 1-wire net with its pull-up. Options: net, serial (48 bits).
 * Commands: READ ROM (0x33, and 0x0F of older firmware); others are not answered.
 */
#include "sim/periph.h"
#include "sim/wire.h"

#define US(n) ((uint64_t)(n) * (PS_PER_SECOND / 1000000))

enum { FAMILY = 0x01, READ_ROM = 0x33, READ_ROM_OLD = 0x0f, ROM_BITS = 64 };
/* Data sheet: a reset is low for 480 us at least; presence begins 15 to 60 us behind it and lasts
 * 60 to 240; a slot is sampled, or held low, for 15 to 60 us from its beginning. */
enum { RESET_US = 480, PRESENCE_AFTER_US = 30, PRESENCE_US = 120, SLOT_US = 30 };

enum phase { PHASE_IDLE, PHASE_PRESENCE_WAIT, PHASE_PRESENCE, PHASE_COMMAND, PHASE_ANSWER };

struct part_ds2411 {
    struct periph periph;
    struct wire pull_up, drain;
    struct net_listener listener;
    struct sim_event event;
    enum phase phase;
    uint64_t rom, fell_ps;
    unsigned bits; /* of the command or the answer, so far */
    uint8_t command;
};

static uint8_t crc8(uint64_t bytes, unsigned count)
{
    uint8_t crc = 0;
    for (unsigned i = 0; i < 8 * count; i++) {
        bool out = (crc ^ (uint8_t)(bytes >> i)) & 1;
        crc = (uint8_t)(crc >> 1 ^ (out ? 0x8c : 0));
    }
    return crc;
}

static void hold(struct part_ds2411 *d, bool low)
{
    wire_drive(d->periph.machine, &d->drain, low ? WIRE_LOW : WIRE_FREE);
}

static void due(void *owner, uint64_t when_ps)
{
    struct part_ds2411 *d = owner;
    struct machine *m = d->periph.machine;
    switch (d->phase) {
    case PHASE_PRESENCE_WAIT:
        d->phase = PHASE_PRESENCE;
        machine_at(m, &d->event, when_ps + US(PRESENCE_US));
        hold(d, true);
        break;
    case PHASE_PRESENCE:
        d->phase = PHASE_COMMAND;
        d->bits = 0;
        d->command = 0;
        hold(d, false);
        break;
    case PHASE_COMMAND:
        d->command |= (uint8_t)(net_level(d->drain.net) << d->bits);
        if (++d->bits < 8)
            break;
        d->bits = 0;
        d->phase = d->command == READ_ROM || d->command == READ_ROM_OLD ? PHASE_ANSWER : PHASE_IDLE;
        break;
    case PHASE_ANSWER:
        hold(d, false);
        if (++d->bits == ROM_BITS)
            d->phase = PHASE_IDLE;
        break;
    case PHASE_IDLE: break;
    }
}

static void net_changed(void *owner, bool level, uint64_t now_ps)
{
    struct part_ds2411 *d = owner;
    struct machine *m = d->periph.machine;
    if (!level) {
        d->fell_ps = now_ps;
        if (d->phase != PHASE_COMMAND && d->phase != PHASE_ANSWER)
            return;
        machine_at(m, &d->event, now_ps + US(SLOT_US));
        if (d->phase == PHASE_ANSWER && !(d->rom >> d->bits & 1))
            hold(d, true);
        return;
    }
    if (now_ps - d->fell_ps < US(RESET_US) * 9 / 10)
        return;
    hold(d, false);
    d->phase = PHASE_PRESENCE_WAIT;
    machine_at(m, &d->event, now_ps + US(PRESENCE_AFTER_US));
}

static enum uj_err ds2411_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {PERIPH_LOADER_KEYS, "net", "serial", "note", "source"};
    struct part_ds2411 *d = (struct part_ds2411 *)p;
    const char *name = NULL;
    int64_t serial = 0;
    enum uj_err err = yaml_only(ctx, p->options, keys, sizeof keys / sizeof *keys);
    if (err || (err = yaml_need_text(ctx, &name, p->options, "net")) ||
        (err = yaml_need_integer(ctx, &serial, p->options, "serial", 0, (INT64_C(1) << 48) - 1)))
        return err;
    d->rom = FAMILY | (uint64_t)serial << 8;
    d->rom |= (uint64_t)crc8(d->rom, 7) << 56;
    struct sim_net *net = machine_net(p->machine, name);
    wire_attach(&d->pull_up, net);
    wire_attach(&d->drain, net);
    wire_drive(p->machine, &d->pull_up, WIRE_WEAK_HIGH);
    d->listener = (struct net_listener){.changed = net_changed, .owner = d};
    net_listen(net, &d->listener);
    d->event = (struct sim_event){.fire = due, .owner = d};
    return UJ_OK;
}

const struct periph_class part_ds2411_class = {
    .name = "part_ds2411",
    .bytes = sizeof(struct part_ds2411),
    .create = ds2411_create,
};
