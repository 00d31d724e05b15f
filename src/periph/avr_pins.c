#include "periph/avr_pins.h"

#include <stdlib.h>

#include "base/str.h"

static void wire_changed(void *owner, bool level, uint64_t now_ps)
{
    struct avr_pin *pin = owner;
    struct avr_pins *pins = pin->pins;
    (void)level, (void)now_ps;
    if (!pins->driving)
        pins->outside |= (uint8_t)(1u << pin->number);
    if (pins->changed)
        pins->changed(pins->periph, (uint8_t)(1u << pin->number));
}

void avr_pins_create(struct avr_pins *pins, struct periph *p,
                     void (*changed)(struct periph *p, uint8_t pins))
{
    *pins = (struct avr_pins){.periph = p, .changed = changed};
    for (unsigned i = 0; i < 8; i++) {
        char *name = uj_format("%s.%u", p->name, i);
        struct avr_pin *pin = &pins->pin[i];
        *pin = (struct avr_pin){.pins = pins, .number = i, .net = machine_net(p->machine, name)};
        pin->listener = (struct net_listener){.changed = wire_changed, .owner = pin};
        net_listen(pin->net, &pin->listener);
        free(name);
    }
}

void avr_pins_reset(struct avr_pins *pins)
{
    pins->direction = pins->out = pins->pull_up = pins->pull_down = 0;
}

void avr_pins_drive(struct avr_pins *pins, uint8_t direction, uint8_t out, uint8_t pull_up,
                    uint8_t pull_down)
{
    uint8_t pulled = (uint8_t)((pull_up | pull_down) & ~direction & ~pins->outside);
    uint8_t driven = direction | pulled;
    uint8_t levels = (uint8_t)((out & direction) | (pull_up & pulled));
    pins->direction = direction;
    pins->out = out;
    pins->pull_up = pull_up;
    pins->pull_down = pull_down;
    pins->driving = true;
    for (unsigned i = 0; i < 8; i++)
        if (driven >> i & 1)
            net_drive(pins->periph->machine, pins->pin[i].net, levels >> i & 1);
    pins->driving = false;
}

uint8_t avr_pins_levels(const struct avr_pins *pins)
{
    uint8_t levels = 0;
    for (unsigned i = 0; i < 8; i++)
        levels |= (uint8_t)(net_level(pins->pin[i].net) << i);
    return levels;
}
