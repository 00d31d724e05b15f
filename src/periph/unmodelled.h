/*
 * The program asks a block for something that the model does not have: the run ends with a fault,
 * rather than go on with results that the chip would not give.
 */
#ifndef UJ_PERIPH_UNMODELLED_H
#define UJ_PERIPH_UNMODELLED_H

#include "sim/periph.h"

#define periph_unmodelled(p, ...)                                   \
    core_fault((p)->machine->core, "hardware that is not modelled", \
               (p)->machine->core->class->pc((p)->machine->core), (p)->base, __VA_ARGS__)

#endif
