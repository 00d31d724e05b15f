/* Every core there is, one line each. */
#include "sim/core.h"

extern const struct core_class avr_core_avre, avr_core_avrxm, avr_core_avrxt;

const struct core_class *const core_classes[] = {
    &avr_core_avre,
    &avr_core_avrxm,
    &avr_core_avrxt,
    NULL,
};
