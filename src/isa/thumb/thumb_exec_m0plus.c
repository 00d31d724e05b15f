/* The execution loop of the Cortex-M0+. */
#include <string.h>

#include "isa/thumb/thumb.h"

#define KIND   THUMB_M0PLUS
#define RUN    thumb_run_m0plus
#define TRACED 0
#include "isa/thumb/thumb_exec.h"
#undef RUN
#undef TRACED
#define RUN    thumb_run_m0plus_traced
#define TRACED 1
#include "isa/thumb/thumb_exec.h"
