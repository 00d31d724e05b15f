/*
 * Drivers of a net that can let go of it: pins that are inputs or outputs, open drains, pull-ups.
 *
 * Laws: low beats high among the strong; then comes whoever used net_drive() last; then the weak,
 * high before low; a net that nobody drives keeps its level. A net hears of the change before
 * wire_drive() returns; where a listener changes it again at once, the others hear only of that.
 */
#ifndef UJ_SIM_WIRE_H
#define UJ_SIM_WIRE_H

#include "sim/machine.h"

enum wire_drive { WIRE_FREE, WIRE_WEAK_LOW, WIRE_WEAK_HIGH, WIRE_HIGH, WIRE_LOW };

struct wire {
    struct sim_net *net;
    enum wire_drive drive;
    struct wire *next; /* of the net */
};

void wire_attach(struct wire *w, struct sim_net *net);
void wire_drive(struct machine *m, struct wire *w, enum wire_drive drive);
/* What the drivers of a net that stands for itself make of it. */
bool wire_level(const struct sim_net *net);

#endif
