/* The plain execution loop. */
#include "isa/msp430/msp430_core.h"

#if defined __GNUC__ && !defined __clang__
/* One dispatch a form, so that the host can predict each; gcc would share them, and vectorised
 * copies of the live state would keep it from splitting them. */
#pragma GCC optimize("no-gcse", "no-crossjumping", "no-tree-vectorize", "no-tree-slp-vectorize")
#endif

#include "isa/msp430/msp430_exec_body.h"
