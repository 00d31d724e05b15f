#include "sim/wire.h"

bool wire_level(const struct sim_net *net)
{
    enum wire_drive most = WIRE_FREE;
    for (const struct wire *w = net->wires; w; w = w->next)
        if (w->drive > most)
            most = w->drive;
    if (most >= WIRE_HIGH)
        return most == WIRE_HIGH;
    if (net->is_driven)
        return net->driven;
    return most == WIRE_FREE ? net->level : most == WIRE_WEAK_HIGH;
}
