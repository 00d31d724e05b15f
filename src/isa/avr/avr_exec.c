/* The plain execution loop. */
#include "isa/avr/avr_core.h"
#include "isa/avr/avr_timing.h"

#define AVR_TRACED 0
#define AVR_RUN    avr_exec_run
#include "isa/avr/avr_exec_body.h"
