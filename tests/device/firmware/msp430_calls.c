/*
 * Every operation for which the compiler may call its runtime, as one function each. Compiled once
 * a kind of multiplier, with CALL(name) giving it a name of its own.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define OPERATION(name, result, left, right, expression) \
    result CALL(name)(left a, right b)                   \
    {                                                    \
        return expression;                               \
    }

OPERATION(mul16, uint16_t, uint16_t, uint16_t, a *b)
OPERATION(mul16_32, uint32_t, uint16_t, uint16_t, (uint32_t)a *b)
OPERATION(mul16_32s, int32_t, int16_t, int16_t, (int32_t)a *b)
OPERATION(mul32, uint32_t, uint32_t, uint32_t, a *b)
OPERATION(mul32_64, uint64_t, uint32_t, uint32_t, (uint64_t)a *b)
OPERATION(mul32_64s, int64_t, int32_t, int32_t, (int64_t)a *b)
OPERATION(mul64, uint64_t, uint64_t, uint64_t, a *b)
OPERATION(div16, uint16_t, uint16_t, uint16_t, a / b)
OPERATION(rem16, uint16_t, uint16_t, uint16_t, a % b)
OPERATION(div16s, int16_t, int16_t, int16_t, a / b)
OPERATION(rem16s, int16_t, int16_t, int16_t, a % b)
OPERATION(div32, uint32_t, uint32_t, uint32_t, a / b)
OPERATION(rem32, uint32_t, uint32_t, uint32_t, a % b)
OPERATION(div32s, int32_t, int32_t, int32_t, a / b)
OPERATION(rem32s, int32_t, int32_t, int32_t, a % b)
OPERATION(div64, uint64_t, uint64_t, uint64_t, a / b)
OPERATION(rem64, uint64_t, uint64_t, uint64_t, a % b)
OPERATION(div64s, int64_t, int64_t, int64_t, a / b)
OPERATION(rem64s, int64_t, int64_t, int64_t, a % b)
OPERATION(shl16, uint16_t, uint16_t, uint16_t, a << b)
OPERATION(shr16, uint16_t, uint16_t, uint16_t, a >> b)
OPERATION(sar16, int16_t, int16_t, uint16_t, a >> b)
OPERATION(shl32, uint32_t, uint32_t, uint16_t, a << b)
OPERATION(shr32, uint32_t, uint32_t, uint16_t, a >> b)
OPERATION(sar32, int32_t, int32_t, uint16_t, a >> b)
OPERATION(shl64, uint64_t, uint64_t, uint16_t, a << b)
OPERATION(shr64, uint64_t, uint64_t, uint16_t, a >> b)
OPERATION(sar64, int64_t, int64_t, uint16_t, a >> b)
OPERATION(less64, uint16_t, uint64_t, uint64_t, a < b)
OPERATION(less64s, uint16_t, int64_t, int64_t, a < b)
OPERATION(equal64, uint16_t, uint64_t, uint64_t, a == b)
