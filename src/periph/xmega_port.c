/*
 * XMEGA I/O port, with both of its interrupts, and its virtual port where the option `virtual`
 * gives the address that the reset mapping gives it. Wired-and, wired-or and bus keeper behave as
 * plain outputs, and the input synchroniser's two cycles are not modelled.
 */
#include "periph/avr_block.h"
#include "periph/avr_pins.h"
#include "periph/periph_window.h"

enum {
    DIR = 0x00,
    DIRSET,
    DIRCLR,
    DIRTGL,
    OUT,
    OUTSET,
    OUTCLR,
    OUTTGL,
    IN,
    INTCTRL,
    INT0MASK,
    INT1MASK,
    INTFLAGS,
    REMAP = 0x0E,
    PINCTRL = 0x10,
    PORT_SIZE = 0x18,
    VIRTUAL = 0x20, /* offset of the second window */
    VIRTUAL_SIZE = 4
};
enum { OPC_MASK = 0x38, OPC_PULL_DOWN = 0x10, OPC_PULL_UP = 0x18, INVEN = 0x40 };
enum { ISC_BOTH, ISC_RISING, ISC_FALLING, ISC_LOW, ISC_MASK = 7 };

struct xmega_port {
    struct periph periph;
    struct periph_window virtual_window;
    struct avr_pins pins;
    uint8_t dir, out, intctrl, mask[2], intflags, remap, pinctrl[8];
    uint8_t before; /* levels as the pins' own interrupts saw them last */
};

/* The input register: what is on the wires, through each pin's inverter. */
static uint8_t inputs(const struct xmega_port *port)
{
    uint8_t levels = avr_pins_levels(&port->pins);
    for (unsigned i = 0; i < 8; i++)
        if (port->pinctrl[i] & INVEN)
            levels ^= (uint8_t)(1u << i);
    return levels;
}

/* A low level requests for as long as it lasts. */
static uint8_t low_level_pins(const struct xmega_port *port)
{
    uint8_t pins = 0, levels = inputs(port);
    for (unsigned i = 0; i < 8; i++)
        if ((port->pinctrl[i] & ISC_MASK) == ISC_LOW && !(levels >> i & 1))
            pins |= (uint8_t)(1u << i);
    return pins;
}

static void update_irqs(struct xmega_port *port)
{
    uint8_t low = low_level_pins(port);
    for (unsigned i = 0; i < 2; i++) {
        if (port->mask[i] & low)
            port->intflags |= (uint8_t)(1u << i);
        xmega_irq(&port->periph, i, port->intflags >> i & 1, port->intctrl >> (2 * i) & 3);
    }
}

static void pins_changed(struct periph *p, uint8_t pins)
{
    struct xmega_port *port = (struct xmega_port *)p;
    uint8_t now = inputs(port), sensed = 0;
    for (unsigned i = 0; i < 8; i++) {
        bool level = now >> i & 1;
        unsigned sense = port->pinctrl[i] & ISC_MASK;
        if (!(pins >> i & 1) || level == (port->before >> i & 1))
            continue;
        if (sense == ISC_BOTH || sense == (level ? ISC_RISING : ISC_FALLING))
            sensed |= (uint8_t)(1u << i);
    }
    port->before = now;
    for (unsigned i = 0; i < 2; i++)
        if (port->mask[i] & sensed)
            port->intflags |= (uint8_t)(1u << i);
    update_irqs(port);
}

static enum uj_err port_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {PERIPH_LOADER_KEYS, "virtual"};
    struct xmega_port *port = (struct xmega_port *)p;
    avr_pins_create(&port->pins, p, pins_changed);
    enum uj_err err = yaml_only(ctx, p->options, keys, sizeof keys / sizeof keys[0]);
    return err ? err
               : periph_window_option(ctx, &port->virtual_window, p, "virtual", VIRTUAL_SIZE,
                                      VIRTUAL);
}

static void drive(struct xmega_port *port)
{
    uint8_t inverted = 0, up = 0, down = 0;
    for (unsigned i = 0; i < 8; i++) {
        uint8_t bit = (uint8_t)(1u << i), opc = port->pinctrl[i] & OPC_MASK;
        inverted |= port->pinctrl[i] & INVEN ? bit : 0;
        up |= opc == OPC_PULL_UP ? bit : 0;
        down |= opc == OPC_PULL_DOWN ? bit : 0;
    }
    avr_pins_drive(&port->pins, port->dir, port->out ^ inverted, up, down);
}

static void port_reset(struct periph *p)
{
    struct xmega_port *port = (struct xmega_port *)p;
    port->dir = port->out = port->intctrl = port->intflags = port->remap = 0;
    for (unsigned i = 0; i < 8; i++)
        port->pinctrl[i] = 0;
    port->mask[0] = port->mask[1] = 0;
    avr_pins_reset(&port->pins);
    port->before = inputs(port);
    update_irqs(port);
}

static uint32_t port_read(struct periph *p, uint32_t offset, unsigned bytes)
{
    static const uint8_t virtual_registers[VIRTUAL_SIZE] = {DIR, OUT, IN, INTFLAGS};
    struct xmega_port *port = (struct xmega_port *)p;
    (void)bytes;
    if (offset >= VIRTUAL)
        offset = virtual_registers[offset - VIRTUAL];
    switch (offset) {
    case DIR:
    case DIRSET:
    case DIRCLR:
    case DIRTGL: return port->dir;
    case OUT:
    case OUTSET:
    case OUTCLR:
    case OUTTGL: return port->out;
    case IN: return inputs(port);
    case INTCTRL: return port->intctrl;
    case INT0MASK:
    case INT1MASK: return port->mask[offset - INT0MASK];
    case INTFLAGS: return port->intflags;
    case REMAP: return port->remap;
    default: return offset >= PINCTRL ? port->pinctrl[offset - PINCTRL] : 0;
    }
}

static void port_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes)
{
    static const uint8_t virtual_registers[VIRTUAL_SIZE] = {DIR, OUT, IN, INTFLAGS};
    struct xmega_port *port = (struct xmega_port *)p;
    uint8_t byte = (uint8_t)value, ones = avr_ones(p, value);
    (void)bytes;
    if (offset >= VIRTUAL)
        offset = virtual_registers[offset - VIRTUAL];
    switch (offset) {
    case DIR: port->dir = byte; break;
    case DIRSET: port->dir |= ones; break;
    case DIRCLR: port->dir &= (uint8_t)~ones; break;
    case DIRTGL: port->dir ^= ones; break;
    case OUT: port->out = byte; break;
    case OUTSET: port->out |= ones; break;
    case OUTCLR: port->out &= (uint8_t)~ones; break;
    case OUTTGL: port->out ^= ones; break;
    case INTCTRL: port->intctrl = byte & 0x0F; break;
    case INT0MASK:
    case INT1MASK: port->mask[offset - INT0MASK] = byte; break;
    case INTFLAGS: port->intflags &= (uint8_t)~ones; break;
    case REMAP: port->remap = byte; break;
    default:
        if (offset < PINCTRL)
            return;
        port->pinctrl[offset - PINCTRL] = byte;
        port->before = inputs(port);
        break;
    }
    drive(port);
    update_irqs(port);
}

static void port_irq_taken(struct periph *p, unsigned output)
{
    struct xmega_port *port = (struct xmega_port *)p;
    port->intflags &= (uint8_t) ~(1u << output);
    update_irqs(port);
}

static const char *const port_irqs[] = {"int0", "int1", NULL};

const struct periph_class xmega_port_class = {
    .name = "xmega_port",
    .bytes = sizeof(struct xmega_port),
    .window = PORT_SIZE,
    .irqs = port_irqs,
    .create = port_create,
    .reset = port_reset,
    .read = port_read,
    .write = port_write,
    .irq_taken = port_irq_taken,
};
