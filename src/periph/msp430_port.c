/*
 * The digital ports of an MSP430 chip, all in one block; the pins are the nets "p1.0" to "p11.7".
 * Options: ports (their number), layout (1xx, 2xx or 5xx: where the registers lie; the 2xx adds
 * pull resistors and the second selection). Ports 1 and 2 sense edges. A pin whose selection gives
 * it to another block is left as it is. Drive strength is stored.
 */
#include <stdio.h>
#include <string.h>

#include "periph/msp430_sfr.h"
#include "sim/wire.h"

enum { PORTS_MAX = 11, PINS = 8, BASE_CLASSIC = 0x10, SIZE_CLASSIC = 0x39, SIZE_5XX = 0x140 };
enum reg { IN, OUT, DIR, REN, DS, SEL, SEL2, IES, IE, IFG, REGS, IV_LOW, IV_HIGH, NONE };
enum layout { LAYOUT_1XX, LAYOUT_2XX, LAYOUT_5XX };

struct port_pin {
    struct msp430_port *port;
    uint8_t index, number;
    struct wire wire;
    struct net_listener listener;
};

struct port {
    uint8_t value[REGS];
    uint8_t levels; /* as seen last */
    struct port_pin pin[PINS];
    struct msp430_line line;
};

struct msp430_port {
    struct periph periph;
    unsigned ports;
    enum layout layout;
    struct port port[PORTS_MAX];
};

struct place {
    unsigned port;
    enum reg reg;
};

static const char *const layouts[] = {"1xx", "2xx", "5xx"};

/* P1 and P2 have eight registers each, P3 to P6 four, P7 and P8 lie between each other. */
static struct place classic_place(const struct msp430_port *p, uint32_t address)
{
    static const enum reg wide[8] = {IN, OUT, DIR, IFG, IES, IE, SEL, REN};
    static const enum reg narrow[4] = {IN, OUT, DIR, SEL};
    struct place none = {0, NONE};
    struct place at = none;
    if (address >= 0x20 && address < 0x30)
        at = (struct place){(address - 0x20) / 8, wide[address & 7]};
    else if (address >= 0x18 && address < 0x20)
        at = (struct place){2 + (address - 0x18) / 4, narrow[address & 3]};
    else if (address >= 0x30 && address < 0x38)
        at = (struct place){4 + (address - 0x30) / 4, narrow[address & 3]};
    else if (address >= 0x38 && address < 0x40)
        at = (struct place){6 + (address & 1), narrow[(address - 0x38) / 2]};
    else if (address >= 0x10 && address < 0x16)
        at = (struct place){2 + (address - 0x10), REN};
    else if (address >= 0x41 && address < 0x49)
        at = (struct place){address - 0x41, SEL2};
    if (at.port >= p->ports || (p->layout == LAYOUT_1XX && (at.reg == REN || at.reg == SEL2)))
        return none;
    return at;
}

/* Two ports a block of 0x20, the odd one in the even bytes. */
static struct place paired_place(const struct msp430_port *p, uint32_t offset)
{
    static const enum reg regs[16] = {IN,   OUT,  DIR,  REN,  DS,  SEL, NONE, IV_LOW,
                                      NONE, NONE, NONE, NONE, IES, IE,  IFG,  NONE};
    struct place none = {0, NONE};
    unsigned port = offset / 0x20 * 2 + (offset & 1), at = offset & 0x1f;
    enum reg reg = regs[at / 2];
    if (at == 0x0e || at == 0x0f)
        return port / 2 == 0 ? (struct place){0, at & 1 ? IV_HIGH : IV_LOW} : none;
    if (at == 0x1e || at == 0x1f)
        return port / 2 == 0 ? (struct place){1, at & 1 ? IV_HIGH : IV_LOW} : none;
    if (port >= p->ports || (reg >= IES && reg <= IFG && port > 1))
        return none;
    return (struct place){port, reg};
}

static struct place place_of(const struct msp430_port *p, uint32_t offset)
{
    return p->layout == LAYOUT_5XX ? paired_place(p, offset)
                                   : classic_place(p, BASE_CLASSIC + offset);
}

static void update_irq(struct msp430_port *p, unsigned index)
{
    struct port *port = &p->port[index];
    if (index < 2)
        msp430_irq(&p->periph, index, &port->line, (port->value[IFG] & port->value[IE]) != 0);
}

static void pin_changed(void *owner, bool level, uint64_t now_ps)
{
    struct port_pin *pin = owner;
    struct msp430_port *p = pin->port;
    struct port *port = &p->port[pin->index];
    uint8_t bit = (uint8_t)(1u << pin->number);
    bool before = port->levels & bit;
    (void)now_ps;
    port->levels = (uint8_t)((port->levels & ~bit) | (level ? bit : 0));
    if (level == before || pin->index > 1 || level == !!(port->value[IES] & bit))
        return;
    port->value[IFG] |= bit;
    update_irq(p, pin->index);
}

static void drive(struct msp430_port *p, unsigned index)
{
    struct port *port = &p->port[index];
    uint8_t selected = port->value[SEL] | port->value[SEL2];
    for (unsigned i = 0; i < PINS; i++) {
        uint8_t bit = (uint8_t)(1u << i);
        bool high = port->value[OUT] & bit;
        enum wire_drive how = WIRE_FREE;
        if (selected & bit)
            continue;
        if (port->value[DIR] & bit)
            how = high ? WIRE_HIGH : WIRE_LOW;
        else if (port->value[REN] & bit)
            how = high ? WIRE_WEAK_HIGH : WIRE_WEAK_LOW;
        wire_drive(p->periph.machine, &port->pin[i].wire, how);
    }
}

static enum uj_err port_create(struct uj_ctx *ctx, struct periph *periph)
{
    static const char *const keys[] = {PERIPH_LOADER_KEYS, "ports", "layout", "note"};
    struct msp430_port *p = (struct msp430_port *)periph;
    const char *layout = NULL;
    int64_t ports = 0;
    enum uj_err err = yaml_only(ctx, periph->options, keys, sizeof keys / sizeof *keys);
    if (err || (err = yaml_need_text(ctx, &layout, periph->options, "layout")) ||
        (err = yaml_need_integer(ctx, &ports, periph->options, "ports", 2, PORTS_MAX)))
        return err;
    unsigned at = 0;
    while (at < 3 && strcmp(layouts[at], layout) != 0)
        at++;
    if (at == 3)
        return yaml_fail(ctx, yaml_get(periph->options, "layout"), "one of 1xx, 2xx, 5xx");
    p->layout = (enum layout)at;
    p->ports = (unsigned)ports;
    if (periph->region.size > (p->layout == LAYOUT_5XX ? SIZE_5XX : SIZE_CLASSIC))
        return yaml_fail(ctx, periph->options, "is smaller");
    for (unsigned i = 0; i < p->ports; i++)
        for (unsigned k = 0; k < PINS; k++) {
            struct port_pin *pin = &p->port[i].pin[k];
            char name[16];
            (void)snprintf(name, sizeof name, "p%u.%u", i + 1, k);
            pin->port = p;
            pin->index = (uint8_t)i;
            pin->number = (uint8_t)k;
            pin->listener = (struct net_listener){.changed = pin_changed, .owner = pin};
            struct sim_net *net = machine_net(periph->machine, name);
            wire_attach(&pin->wire, net);
            net_listen(net, &pin->listener);
        }
    return UJ_OK;
}

static void port_reset(struct periph *periph)
{
    struct msp430_port *p = (struct msp430_port *)periph;
    for (unsigned i = 0; i < p->ports; i++) {
        memset(p->port[i].value, 0, sizeof p->port[i].value);
        drive(p, i);
        for (unsigned k = 0; k < PINS; k++)
            if (net_level(p->port[i].pin[k].wire.net))
                p->port[i].levels |= (uint8_t)(1u << k);
            else
                p->port[i].levels &= (uint8_t) ~(1u << k);
        p->port[i].value[IFG] = 0;
        update_irq(p, i);
    }
}

/* The lowest flag that is enabled, as 2, 4, ...; it is cleared. */
static uint8_t read_iv(struct msp430_port *p, unsigned index)
{
    struct port *port = &p->port[index];
    for (unsigned i = 0; i < PINS; i++)
        if (port->value[IFG] & port->value[IE] & 1u << i) {
            port->value[IFG] &= (uint8_t) ~(1u << i);
            update_irq(p, index);
            return (uint8_t)(2 * i + 2);
        }
    return 0;
}

static uint8_t read_byte(struct msp430_port *p, uint32_t offset)
{
    struct place at = place_of(p, offset);
    switch (at.reg) {
    case NONE:
    case REGS:
    case IV_HIGH: return 0;
    case IV_LOW: return read_iv(p, at.port);
    case IN: return p->port[at.port].levels;
    default: return p->port[at.port].value[at.reg];
    }
}

static void write_byte(struct msp430_port *p, uint32_t offset, uint8_t value)
{
    struct place at = place_of(p, offset);
    if (at.reg == IV_LOW)
        (void)read_iv(p, at.port);
    if (at.reg == IN || at.reg >= REGS)
        return;
    struct port *port = &p->port[at.port];
    uint8_t changed = port->value[at.reg] ^ value;
    port->value[at.reg] = value;
    /* Turning the sense over looks like an edge where the level is what the new edge leads to. */
    if (at.reg == IES)
        port->value[IFG] |= changed & (port->levels ^ value);
    if (at.reg == IES || at.reg == IE || at.reg == IFG)
        update_irq(p, at.port);
    else
        drive(p, at.port);
}

static uint32_t port_read(struct periph *periph, uint32_t offset, unsigned bytes)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < MSP430_BYTES(bytes); i++)
        value |= (uint32_t)read_byte((struct msp430_port *)periph, offset + i) << (8 * i);
    return value;
}

static void port_write(struct periph *periph, uint32_t offset, uint32_t value, unsigned bytes)
{
    for (unsigned i = 0; i < MSP430_BYTES(bytes); i++)
        write_byte((struct msp430_port *)periph, offset + i, (uint8_t)(value >> (8 * i)));
}

static const char *const port_irqs[] = {"p1", "p2", NULL};

const struct periph_class msp430_port_class = {
    .name = "msp430_port",
    .bytes = sizeof(struct msp430_port),
    .irqs = port_irqs,
    .create = port_create,
    .reset = port_reset,
    .read = port_read,
    .write = port_write,
};
