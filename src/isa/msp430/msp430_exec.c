/* The plain execution loop. */
#include "isa/msp430/msp430_core.h"

#if defined __has_feature
#if __has_feature(address_sanitizer)
#define MSP430_SANITIZED 1
#endif
#elif defined __SANITIZE_ADDRESS__
#define MSP430_SANITIZED 1
#endif

/* Checks in every form make compilers take minutes; there speed is nothing. Otherwise: one dispatch
 * a form, so that the host can predict each; gcc would share them, and vectorised copies of the
 * live state would keep it from splitting them. */
#if defined __clang__
#ifdef MSP430_SANITIZED
#pragma clang optimize off
#endif
#elif defined MSP430_SANITIZED
#pragma GCC optimize("O0")
#elif defined __GNUC__
#pragma GCC optimize("no-gcse", "no-crossjumping", "no-tree-vectorize", "no-tree-slp-vectorize")
#endif

#include "isa/msp430/msp430_exec_body.h"
