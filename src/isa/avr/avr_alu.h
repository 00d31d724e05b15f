/*
 * Flags and arithmetic of the AVR instructions: the part of avr_semantics.h that touches registers
 * only.
 *
 * Laws: live.cf, nz and xf are what the flags are computed from (avr_core.h); each operation leaves
 * the flags alone that the manual says it does.
 */
#ifndef UJ_ISA_AVR_AVR_ALU_H
#define UJ_ISA_AVR_AVR_ALU_H

#include "isa/avr/avr_core.h"

/* Under sanitizers functions stay functions: compilers take minutes over what they make of it all
 * in one. */
#if defined(__SANITIZE_ADDRESS__)
#define AVR_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(coverage_sanitizer)
#define AVR_SANITIZED 1
#endif
#endif
#if defined(AVR_SANITIZED)
#define AVR_INLINE static __attribute__((noinline, unused))
#else
#define AVR_INLINE static inline __attribute__((always_inline))
#endif
#define AVR_LIKELY(x) __builtin_expect(!!(x), 1)

/* Flags */

AVR_INLINE uint32_t avr_c(const struct avr_live *s)
{
    return s->cf >> 8 & 1;
}

AVR_INLINE uint32_t avr_n(const struct avr_live *s)
{
    return (s->nz >> 7 ^ s->nz >> 29) & 1;
}

AVR_INLINE uint32_t avr_v(const struct avr_live *s)
{
    return (s->xf >> 7 ^ s->xf >> 8) & 1;
}

AVR_INLINE uint32_t avr_s(const struct avr_live *s)
{
    return avr_n(s) ^ avr_v(s) ^ s->nz >> 31;
}

AVR_INLINE uint32_t avr_h(const struct avr_live *s)
{
    return s->xf >> 4 & 1;
}

AVR_INLINE uint32_t avr_sreg(const struct avr_core *c, const struct avr_live *s)
{
    return avr_c(s) << SREG_C | (uint32_t) !(s->nz & AVR_NOT_ZERO) << SREG_Z | avr_n(s) << SREG_N |
           avr_v(s) << SREG_V | avr_s(s) << SREG_S | avr_h(s) << SREG_H | (uint32_t)c->t << SREG_T |
           (uint32_t)c->i << SREG_I;
}

AVR_INLINE void avr_set_sreg(struct avr_core *c, struct avr_live *s, uint32_t value)
{
    uint32_t n = value >> SREG_N & 1, v = value >> SREG_V & 1, sign = value >> SREG_S & 1;
    s->cf = value << 8 & AVR_CF;
    s->nz = (value >> SREG_Z & 1 ? 0 : 0x100) | n << 29 | (n ^ v ^ sign) << 31;
    s->xf = v << 7 | (value >> SREG_H & 1) << 4;
    c->t = value >> SREG_T & 1;
    c->i = value >> SREG_I & 1;
}

/* SEx and CLx of one flag. */
AVR_INLINE void avr_flag(struct avr_core *c, struct avr_live *s, unsigned flag, bool on)
{
    uint32_t sreg = avr_sreg(c, s), bit = 1u << flag;
    avr_set_sreg(c, s, on ? sreg | bit : sreg & ~bit);
}

/* Arithmetic and logic */

AVR_INLINE void avr_add(struct avr_core *c, struct avr_live *s, unsigned d, uint32_t b,
                        uint32_t carry)
{
    uint32_t a = c->r[d], sum = a + b + carry;
    c->r[d] = (uint8_t)sum;
    s->cf = sum;
    s->nz = (uint8_t)sum;
    s->xf = a ^ b ^ sum;
}

/* Compares, and gives the difference. */
AVR_INLINE uint32_t avr_cp(struct avr_live *s, uint32_t a, uint32_t b)
{
    uint32_t difference = a - b;
    s->cf = difference;
    s->nz = (uint8_t)difference;
    s->xf = a ^ b ^ difference;
    return difference;
}

/* The same with borrow; Z only stays. */
AVR_INLINE uint32_t avr_cpc(struct avr_live *s, uint32_t a, uint32_t b)
{
    uint32_t difference = a - b - avr_c(s);
    s->cf = difference;
    s->nz = (uint8_t)difference | (s->nz & AVR_NOT_ZERO ? 0x100u : 0u);
    s->xf = a ^ b ^ difference;
    return difference;
}

AVR_INLINE void avr_sub(struct avr_core *c, struct avr_live *s, unsigned d, uint32_t b)
{
    c->r[d] = (uint8_t)avr_cp(s, c->r[d], b);
}

AVR_INLINE void avr_sbc(struct avr_core *c, struct avr_live *s, unsigned d, uint32_t b)
{
    c->r[d] = (uint8_t)avr_cpc(s, c->r[d], b);
}

AVR_INLINE void avr_neg(struct avr_core *c, struct avr_live *s, unsigned d)
{
    c->r[d] = (uint8_t)avr_cp(s, 0, c->r[d]);
}

/* N and Z from the result, V cleared, C and H as they are. */
AVR_INLINE void avr_logic(struct avr_core *c, struct avr_live *s, unsigned d, uint32_t result)
{
    c->r[d] = (uint8_t)result;
    s->nz = (uint8_t)result;
    s->xf &= AVR_XF_H;
}

AVR_INLINE void avr_com(struct avr_core *c, struct avr_live *s, unsigned d)
{
    avr_logic(c, s, d, ~(uint32_t)c->r[d]);
    s->cf = AVR_CF;
}

AVR_INLINE void avr_inc(struct avr_core *c, struct avr_live *s, unsigned d)
{
    uint32_t a = c->r[d], result = a + 1;
    avr_logic(c, s, d, result);
    s->xf |= ~a & result & AVR_XF_V;
}

AVR_INLINE void avr_dec(struct avr_core *c, struct avr_live *s, unsigned d)
{
    uint32_t a = c->r[d], result = a - 1;
    avr_logic(c, s, d, result);
    s->xf |= a & ~result & AVR_XF_V;
}

/* Right by one, `high` comes in at bit 7; V = N xor C. */
AVR_INLINE void avr_shift(struct avr_core *c, struct avr_live *s, unsigned d, uint32_t high)
{
    uint32_t a = c->r[d];
    avr_logic(c, s, d, a >> 1 | high);
    s->cf = a << 8;
    s->xf |= high | (s->cf & AVR_CF);
}

AVR_INLINE uint32_t avr_pair(const struct avr_core *c, unsigned d)
{
    return c->r[d] | (uint32_t)c->r[d + 1] << 8;
}

AVR_INLINE void avr_set_pair(struct avr_core *c, unsigned d, uint32_t value)
{
    c->r[d] = (uint8_t)value;
    c->r[d + 1] = (uint8_t)(value >> 8);
}

/* Flags of a 16-bit result, `overflow` in bit 15. */
AVR_INLINE void avr_word_flags(struct avr_live *s, uint32_t result, uint32_t overflow)
{
    s->cf = result >> 8;
    s->nz = (result >> 8 & 0xff) | (result & 0xff ? 0x100u : 0u);
    s->xf = (s->xf & AVR_XF_H) | (overflow >> 8 & AVR_XF_V);
}

AVR_INLINE void avr_adiw(struct avr_core *c, struct avr_live *s, unsigned d, uint32_t k)
{
    uint32_t a = avr_pair(c, d), sum = a + k;
    avr_set_pair(c, d, sum);
    avr_word_flags(s, sum, sum & ~a);
}

AVR_INLINE void avr_sbiw(struct avr_core *c, struct avr_live *s, unsigned d, uint32_t k)
{
    uint32_t a = avr_pair(c, d), difference = a - k;
    avr_set_pair(c, d, difference);
    avr_word_flags(s, difference, a & ~difference);
}

/* C is bit 15 of the product before FMUL's shift; N, V, S and H stay. */
AVR_INLINE void avr_mul(struct avr_core *c, struct avr_live *s, int32_t product, unsigned shift)
{
    uint32_t result = (uint32_t)product << shift & 0xffff;
    avr_set_pair(c, 0, result);
    s->cf = (uint32_t)product >> 7;
    s->nz = (result ? 0x100u : 0u) | avr_n(s) << 29 | (s->nz & AVR_NZ_FLIP_S);
}

AVR_INLINE void avr_swap(struct avr_core *c, unsigned d)
{
    c->r[d] = (uint8_t)(c->r[d] << 4 | c->r[d] >> 4);
}

AVR_INLINE void avr_bst(struct avr_core *c, unsigned d, unsigned bit)
{
    c->t = c->r[d] >> bit & 1;
}

AVR_INLINE void avr_bld(struct avr_core *c, unsigned d, unsigned bit)
{
    c->r[d] = (uint8_t)((c->r[d] & ~(1u << bit)) | (uint32_t)c->t << bit);
}

AVR_INLINE void avr_movw(struct avr_core *c, unsigned d, unsigned r)
{
    c->r[d] = c->r[r];
    c->r[d + 1] = c->r[r + 1];
}

#endif
