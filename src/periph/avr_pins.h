/*
 * The eight pins of an AVR port: what the chip drives, and what is on the wires "NAME.0" to
 * "NAME.7".
 *
 * Laws: an output drives its wire whenever its level changes; an input with a pull drives it too,
 * until somebody outside has driven it; a floating input keeps the wire's last level.
 */
#ifndef UJ_PERIPH_AVR_PINS_H
#define UJ_PERIPH_AVR_PINS_H

#include "sim/periph.h"

struct avr_pins {
    struct periph *periph;
    struct avr_pin {
        struct avr_pins *pins;
        unsigned number;
        struct sim_net *net;
        struct net_listener listener;
    } pin[8];
    uint8_t direction, out; /* as driven now */
    uint8_t pull_up, pull_down;
    uint8_t outside; /* pins that somebody else has driven */
    bool driving;
    /* The levels of these pins have changed; may be NULL. */
    void (*changed)(struct periph *p, uint8_t pins);
};

void avr_pins_create(struct avr_pins *pins, struct periph *p,
                     void (*changed)(struct periph *p, uint8_t pins));
void avr_pins_reset(struct avr_pins *pins);
/* Sets all pins; what changed reaches the wires. */
void avr_pins_drive(struct avr_pins *pins, uint8_t direction, uint8_t out, uint8_t pull_up,
                    uint8_t pull_down);
/* The levels on the wires. */
uint8_t avr_pins_levels(const struct avr_pins *pins);

#endif
