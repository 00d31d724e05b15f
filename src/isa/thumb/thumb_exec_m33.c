/* The execution loop of the Cortex-M33. */
#include <string.h>

#include "isa/thumb/thumb.h"

#define KIND   THUMB_M33
#define RUN    thumb_run_m33
#define TRACED 0
#include "isa/thumb/thumb_exec.h"
#undef RUN
#undef TRACED
#define RUN    thumb_run_m33_traced
#define TRACED 1
#include "isa/thumb/thumb_exec.h"
