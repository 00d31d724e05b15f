/* Every core there is, one line each. */
#include "sim/core.h"

extern const struct core_class avr_core_avre, avr_core_avrxm, avr_core_avrxt;
extern const struct core_class msp430_core_msp430, msp430_core_msp430x, msp430_core_msp430xv2;
extern const struct core_class thumb_cortex_m0plus, thumb_cortex_m3, thumb_cortex_m33;
extern const struct core_class rv32_core_hazard3;

const struct core_class *const core_classes[] = {
    &avr_core_avre,
    &avr_core_avrxm,
    &avr_core_avrxt,
    &msp430_core_msp430,
    &msp430_core_msp430x,
    &msp430_core_msp430xv2,
    &thumb_cortex_m0plus,
    &thumb_cortex_m3,
    &thumb_cortex_m33,
    &rv32_core_hazard3,
    NULL,
};
