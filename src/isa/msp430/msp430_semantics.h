/*
 * What the operations of msp430.isa compute, and the flags: functions of the live state and the
 * operands. The loops include them, and so can code that was translated ahead.
 *
 * Laws: operands are already cut to the size; results come cut to it.
 */
#ifndef UJ_ISA_MSP430_SEMANTICS_H
#define UJ_ISA_MSP430_SEMANTICS_H

#include "isa/msp430/msp430_core.h"

#define MSP430_INLINE    static inline __attribute__((always_inline))
#define MSP430_LIKELY(x) __builtin_expect(!!(x), 1)

/* Calls something outside the loop, which works on c->live. */
#define MSP430_OUTSIDE(call) \
    do {                     \
        c->live = *s;        \
        call;                \
        *s = c->live;        \
    } while (0)

MSP430_INLINE uint32_t msp430_mask(unsigned bits)
{
    return (1u << bits) - 1;
}

/* Status register */

MSP430_INLINE uint32_t msp430_sr(const struct msp430_core *c, const struct msp430_live *s)
{
    return s->cf | (s->z ? 0u : (uint32_t)MSP430_SR_Z) | (s->n >> 31) << 2 | c->sr |
           (s->v >> 31) << 8;
}

MSP430_INLINE void msp430_set_flags(struct msp430_live *s, uint32_t sr)
{
    s->cf = sr & MSP430_SR_C;
    s->z = ~sr & MSP430_SR_Z;
    s->n = (sr & MSP430_SR_N) << 29;
    s->v = (sr & MSP430_SR_V) << 23;
}

MSP430_INLINE void msp430_nz(struct msp430_live *s, uint32_t result, unsigned bits)
{
    s->n = s->z = result << (32 - bits);
}

/* Arithmetic */

MSP430_INLINE uint32_t msp430_add(struct msp430_live *s, uint32_t a, uint32_t b, uint32_t carry,
                                  unsigned bits)
{
    uint32_t sum = a + b + carry;
    s->cf = sum >> bits;
    msp430_nz(s, sum, bits);
    s->v = ((a ^ sum) & (b ^ sum)) << (32 - bits);
    return sum & msp430_mask(bits);
}

/* b - a; carry 1: nothing is borrowed. */
MSP430_INLINE uint32_t msp430_sub(struct msp430_live *s, uint32_t a, uint32_t b, uint32_t carry,
                                  unsigned bits)
{
    return msp430_add(s, a ^ msp430_mask(bits), b, carry, bits);
}

/* Decimal digits with carry. V is undefined after it, and kept; digits above 9 give what adding six
 * to a sum above nine gives. */
MSP430_INLINE uint32_t msp430_dadd(struct msp430_live *s, uint32_t a, uint32_t b, unsigned bits)
{
    uint32_t result = 0, carry = s->cf;
    for (unsigned at = 0; at < bits; at += 4) {
        uint32_t digit = (a >> at & 15) + (b >> at & 15) + carry;
        carry = digit > 9;
        if (carry)
            digit += 6;
        result |= (digit & 15) << at;
    }
    s->cf = carry;
    msp430_nz(s, result, bits);
    return result;
}

/* N, Z and C = not Z of a result; V is cleared. */
MSP430_INLINE uint32_t msp430_and(struct msp430_live *s, uint32_t result, unsigned bits)
{
    msp430_nz(s, result, bits);
    s->cf = s->z != 0;
    s->v = 0;
    return result;
}

/* As AND, but V is set where both operands are negative. */
MSP430_INLINE uint32_t msp430_xor(struct msp430_live *s, uint32_t a, uint32_t b, unsigned bits)
{
    uint32_t result = msp430_and(s, a ^ b, bits);
    s->v = (a & b) << (32 - bits);
    return result;
}

/* Right by one; `in` comes in at the top. */
MSP430_INLINE uint32_t msp430_shift(struct msp430_live *s, uint32_t b, uint32_t in, unsigned bits)
{
    uint32_t result = b >> 1 | in << (bits - 1);
    s->cf = b & 1;
    msp430_nz(s, result, bits);
    s->v = 0;
    return result;
}

MSP430_INLINE uint32_t msp430_swpb(uint32_t b)
{
    return (b & 0xf0000) | (b & 0xff) << 8 | (b >> 8 & 0xff);
}

/* From 8 bits to 20; a result of 16 is cut by who stores it, except in a register of CPUX. */
MSP430_INLINE uint32_t msp430_sxt(struct msp430_live *s, uint32_t b, unsigned bits)
{
    uint32_t result = ((b & 0xff) ^ 0x80) - 0x80;
    (void)msp430_and(s, result & msp430_mask(bits), bits);
    return result & 0xfffff;
}

/* Addresses */

/* Rn plus an index of 16 bits: in the lower 64 KB it does not lead out of them. */
MSP430_INLINE uint32_t msp430_indexed(uint32_t base, uint32_t index)
{
    return (base + index) & (base > 0xffff ? 0xfffffu : 0xffffu);
}

MSP430_INLINE uint32_t msp430_get16(const uint8_t *at)
{
    uint16_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

MSP430_INLINE void msp430_put16(uint8_t *at, uint32_t value)
{
    uint16_t half = (uint16_t)value;
    memcpy(at, &half, sizeof half);
}

#endif
