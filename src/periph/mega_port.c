/*
 * ATmega I/O port: PIN, DDR, PORT. A one written to PIN toggles the output. Pin-change and external
 * interrupts are not modelled, nor is the input synchroniser's delay.
 */
#include "periph/avr_block.h"
#include "periph/avr_pins.h"

enum { PIN, DDR, PORT, PORT_SIZE };

struct mega_port {
    struct periph periph;
    struct avr_pins pins;
    uint8_t ddr, port;
};

static enum uj_err port_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {PERIPH_LOADER_KEYS};
    avr_pins_create(&((struct mega_port *)p)->pins, p, NULL);
    return yaml_only(ctx, p->options, keys, sizeof keys / sizeof keys[0]);
}

static void port_reset(struct periph *p)
{
    struct mega_port *port = (struct mega_port *)p;
    port->ddr = port->port = 0;
    avr_pins_reset(&port->pins);
}

static uint32_t port_read(struct periph *p, uint32_t offset, unsigned bytes)
{
    const struct mega_port *port = (const struct mega_port *)p;
    (void)bytes;
    switch (offset) {
    case PIN: return avr_pins_levels(&port->pins);
    case DDR: return port->ddr;
    default: return port->port;
    }
}

static void port_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes)
{
    struct mega_port *port = (struct mega_port *)p;
    (void)bytes;
    switch (offset) {
    case PIN: port->port ^= avr_ones(p, value); break;
    case DDR: port->ddr = (uint8_t)value; break;
    default: port->port = (uint8_t)value; break;
    }
    /* An input whose output bit is set has its pull-up on. */
    avr_pins_drive(&port->pins, port->ddr, port->port, port->port, 0);
}

const struct periph_class mega_port_class = {
    .name = "mega_port",
    .bytes = sizeof(struct mega_port),
    .window = PORT_SIZE,
    .create = port_create,
    .reset = port_reset,
    .read = port_read,
    .write = port_write,
};
