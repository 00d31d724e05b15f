/* The plain execution loop. */
#include "isa/rv32/rv32_core.h"
#include "isa/rv32/rv32_timing.h"

#define RV32_TRACED 0
#define RV32_RUN    rv32_exec_run
#include "isa/rv32/rv32_exec_body.h"
