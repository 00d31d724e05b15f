/* The plain execution loop. */
#include "isa/msp430/msp430_core.h"

#if defined __GNUC__ && !defined __clang__
/* One dispatch a form, so that the host can predict each; gcc would share them. */
#pragma GCC optimize("no-gcse", "no-crossjumping")
#endif

#include "isa/msp430/msp430_exec_body.h"
