/* Every core there is, one line each. */
#include "sim/core.h"

const struct core_class *const core_classes[] = {
    NULL,
};
