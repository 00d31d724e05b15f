/*
 * What the instructions compute, as functions of values and flags; used by the execution loop and
 * fit for code that is generated from the table.
 *
 * Flags are kept as the values they are derived from: N is bit 31 of n, Z is z == 0, C is c (0 or
 * 1), V is bit 31 of v. The argument `s` is a constant: 1 sets flags.
 */
#ifndef UJ_ISA_THUMB_SEMANTICS_H
#define UJ_ISA_THUMB_SEMANTICS_H

#include <stdbool.h>
#include <stdint.h>

struct thumb_flags {
    uint32_t n, z, c, v;
};

static inline uint32_t th_apsr(const struct thumb_flags *f)
{
    return (f->n & 0x80000000) | (f->z == 0 ? 1u << 30 : 0) | f->c << 29 | (f->v & 0x80000000) >> 3;
}

static inline void th_set_apsr(struct thumb_flags *f, uint32_t value)
{
    f->n = value;
    f->z = ~value & (1u << 30);
    f->c = value >> 29 & 1;
    f->v = value << 3;
}

static inline bool th_condition(const struct thumb_flags *f, unsigned condition)
{
    bool n = f->n >> 31, z = f->z == 0, c = f->c, v = f->v >> 31;
    switch (condition) {
    case 0: return z;
    case 1: return !z;
    case 2: return c;
    case 3: return !c;
    case 4: return n;
    case 5: return !n;
    case 6: return v;
    case 7: return !v;
    case 8: return c && !z;
    case 9: return !c || z;
    case 10: return n == v;
    case 11: return n != v;
    case 12: return !z && n == v;
    case 13: return z || n != v;
    default: return true;
    }
}

static inline uint32_t th_logic(struct thumb_flags *f, int s, uint32_t value)
{
    if (s)
        f->n = f->z = value;
    return value;
}

static inline uint32_t th_add(struct thumb_flags *f, int s, uint32_t a, uint32_t b)
{
    uint32_t sum = a + b;
    if (s) {
        f->n = f->z = sum;
        f->c = sum < a;
        f->v = ~(a ^ b) & (a ^ sum);
    }
    return sum;
}

static inline uint32_t th_sub(struct thumb_flags *f, int s, uint32_t a, uint32_t b)
{
    uint32_t difference = a - b;
    if (s) {
        f->n = f->z = difference;
        f->c = a >= b;
        f->v = (a ^ b) & (a ^ difference);
    }
    return difference;
}

static inline uint32_t th_adc(struct thumb_flags *f, int s, uint32_t a, uint32_t b)
{
    uint64_t wide = (uint64_t)a + b + f->c;
    uint32_t sum = (uint32_t)wide;
    if (s) {
        f->n = f->z = sum;
        f->c = (uint32_t)(wide >> 32);
        f->v = ~(a ^ b) & (a ^ sum);
    }
    return sum;
}

static inline uint32_t th_sbc(struct thumb_flags *f, int s, uint32_t a, uint32_t b)
{
    return th_adc(f, s, a, ~b);
}

/* Shifts by a constant: left 0-31; right 1-32; ROR 0 is RRX. */
static inline uint32_t th_lsl(struct thumb_flags *f, int s, uint32_t value, uint32_t by)
{
    uint32_t result = value << by;
    if (s) {
        f->n = f->z = result;
        if (by)
            f->c = value >> (32 - by) & 1;
    }
    return result;
}

static inline uint32_t th_lsr(struct thumb_flags *f, int s, uint32_t value, uint32_t by)
{
    uint32_t result = (uint32_t)((uint64_t)value >> by);
    if (s) {
        f->n = f->z = result;
        f->c = value >> (by - 1) & 1;
    }
    return result;
}

static inline uint32_t th_asr(struct thumb_flags *f, int s, uint32_t value, uint32_t by)
{
    uint32_t result = (uint32_t)((int64_t)(int32_t)value >> by);
    if (s) {
        f->n = f->z = result;
        f->c = value >> (by - 1) & 1;
    }
    return result;
}

static inline uint32_t th_rotate(uint32_t value, uint32_t by)
{
    return value >> (by & 31) | value << (-by & 31);
}

static inline uint32_t th_ror(struct thumb_flags *f, int s, uint32_t value, uint32_t by)
{
    uint32_t result = by ? th_rotate(value, by) : f->c << 31 | value >> 1;
    if (s) {
        f->n = f->z = result;
        f->c = by ? result >> 31 : value & 1;
    }
    return result;
}

/* Shifts by a register, 0-255. */
static inline uint32_t th_lsl_by(struct thumb_flags *f, int s, uint32_t value, uint32_t by)
{
    uint32_t result = by < 32 ? value << by : 0;
    if (s) {
        f->n = f->z = result;
        if (by)
            f->c = by <= 32 ? (uint32_t)((uint64_t)value << by >> 32) & 1 : 0;
    }
    return result;
}

static inline uint32_t th_lsr_by(struct thumb_flags *f, int s, uint32_t value, uint32_t by)
{
    uint32_t result = by < 32 ? value >> by : 0;
    if (s) {
        f->n = f->z = result;
        if (by)
            f->c = by <= 32 ? value >> (by - 1) & 1 : 0;
    }
    return result;
}

static inline uint32_t th_asr_by(struct thumb_flags *f, int s, uint32_t value, uint32_t by)
{
    uint32_t result = (uint32_t)((int32_t)value >> (by < 32 ? by : 31));
    if (s) {
        f->n = f->z = result;
        if (by)
            f->c = by < 32 ? value >> (by - 1) & 1 : value >> 31;
    }
    return result;
}

static inline uint32_t th_ror_by(struct thumb_flags *f, int s, uint32_t value, uint32_t by)
{
    uint32_t result = th_rotate(value, by);
    if (s) {
        f->n = f->z = result;
        if (by)
            f->c = result >> 31;
    }
    return result;
}

static inline uint32_t th_rev(uint32_t value)
{
    return __builtin_bswap32(value);
}

static inline uint32_t th_rev16(uint32_t value)
{
    return (value & 0x00ff00ff) << 8 | (value >> 8 & 0x00ff00ff);
}

static inline uint32_t th_revsh(uint32_t value)
{
    return (uint32_t)(int16_t)__builtin_bswap16((uint16_t)value);
}

static inline uint32_t th_rbit(uint32_t value)
{
    value = (value & 0x55555555) << 1 | (value >> 1 & 0x55555555);
    value = (value & 0x33333333) << 2 | (value >> 2 & 0x33333333);
    value = (value & 0x0f0f0f0f) << 4 | (value >> 4 & 0x0f0f0f0f);
    return __builtin_bswap32(value);
}

static inline uint32_t th_insert(uint32_t into, uint32_t from, unsigned low, unsigned width)
{
    uint32_t mask = (uint32_t)((1ULL << width) - 1) << low;
    return (into & ~mask) | (from << low & mask);
}

/* Saturation; *q becomes 1 where it happened. */
static inline int32_t th_clamp(uint8_t *q, int64_t value, int64_t low, int64_t high)
{
    if (value < low || value > high) {
        *q = 1;
        return (int32_t)(value < low ? low : high);
    }
    return (int32_t)value;
}

static inline uint32_t th_ssat(uint8_t *q, int32_t value, unsigned bits)
{
    int64_t limit = (int64_t)1 << (bits - 1);
    return (uint32_t)th_clamp(q, value, -limit, limit - 1);
}

static inline uint32_t th_usat(uint8_t *q, int32_t value, unsigned bits)
{
    return (uint32_t)th_clamp(q, value, 0, ((int64_t)1 << bits) - 1);
}

static inline uint32_t th_halves(uint32_t high, uint32_t low)
{
    return high << 16 | (low & 0xffff);
}

static inline uint32_t th_ssat16(uint8_t *q, uint32_t value, unsigned bits)
{
    uint32_t low = th_ssat(q, (int16_t)value, bits);
    return th_halves(th_ssat(q, (int16_t)(value >> 16), bits), low);
}

static inline uint32_t th_usat16(uint8_t *q, uint32_t value, unsigned bits)
{
    uint32_t low = th_usat(q, (int16_t)value, bits);
    return th_halves(th_usat(q, (int16_t)(value >> 16), bits), low);
}

static inline uint32_t th_qadd(uint8_t *q, uint32_t a, uint32_t b)
{
    return (uint32_t)th_clamp(q, (int64_t)(int32_t)a + (int32_t)b, INT32_MIN, INT32_MAX);
}

static inline uint32_t th_qsub(uint8_t *q, uint32_t a, uint32_t b)
{
    return (uint32_t)th_clamp(q, (int64_t)(int32_t)a - (int32_t)b, INT32_MIN, INT32_MAX);
}

/* Parallel arithmetic on halves and bytes. */
enum th_how {
    TH_SIGNED,
    TH_SIGNED_SATURATING,
    TH_SIGNED_HALVING,
    TH_UNSIGNED,
    TH_UNSIGNED_SATURATING,
    TH_UNSIGNED_HALVING
};

/* One lane of `bits`; *ge becomes its greater-or-equal bit where the operation sets them. */
static inline uint32_t th_lane(bool *ge, enum th_how how, uint32_t a, uint32_t b, unsigned bits,
                               bool subtract)
{
    uint32_t mask = (1u << bits) - 1;
    int32_t x, y;
    if (how <= TH_SIGNED_HALVING) {
        x = (int32_t)(a << (32 - bits)) >> (32 - bits);
        y = (int32_t)(b << (32 - bits)) >> (32 - bits);
    } else {
        x = (int32_t)(a & mask);
        y = (int32_t)(b & mask);
    }
    int32_t result = subtract ? x - y : x + y;
    uint8_t ignored = 0;
    int32_t half = (int32_t)1 << (bits - 1);
    switch (how) {
    case TH_SIGNED: *ge = result >= 0; break;
    case TH_UNSIGNED: *ge = subtract ? result >= 0 : result > (int32_t)mask; break;
    case TH_SIGNED_SATURATING: result = th_clamp(&ignored, result, -half, half - 1); break;
    case TH_UNSIGNED_SATURATING: result = th_clamp(&ignored, result, 0, (int32_t)mask); break;
    default: result >>= 1; break;
    }
    return (uint32_t)result & mask;
}

static inline uint32_t th_parallel8(uint8_t *ge, enum th_how how, uint32_t a, uint32_t b,
                                    bool subtract)
{
    uint32_t result = 0;
    uint8_t bits = 0;
    for (unsigned i = 0; i < 4; i++) {
        bool lane_ge = false;
        result |= th_lane(&lane_ge, how, a >> (8 * i), b >> (8 * i), 8, subtract) << (8 * i);
        bits |= (uint8_t)(lane_ge << i);
    }
    if (how == TH_SIGNED || how == TH_UNSIGNED)
        *ge = bits;
    return result;
}

/* exchange: the halves of b are swapped first. */
static inline uint32_t th_parallel16(uint8_t *ge, enum th_how how, uint32_t a, uint32_t b,
                                     bool exchange, bool subtract_low, bool subtract_high)
{
    if (exchange)
        b = th_rotate(b, 16);
    bool low_ge = false, high_ge = false;
    uint32_t low = th_lane(&low_ge, how, a, b, 16, subtract_low);
    uint32_t high = th_lane(&high_ge, how, a >> 16, b >> 16, 16, subtract_high);
    if (how == TH_SIGNED || how == TH_UNSIGNED)
        *ge = (uint8_t)(low_ge * 3 | high_ge * 12);
    return high << 16 | low;
}

static inline uint32_t th_sel(uint8_t ge, uint32_t a, uint32_t b)
{
    uint32_t mask = (ge & 1) * 0xffu | (ge >> 1 & 1) * 0xff00u | (ge >> 2 & 1) * 0xff0000u |
                    (ge >> 3 & 1) * 0xff000000u;
    return (a & mask) | (b & ~mask);
}

static inline uint32_t th_sxtb16(uint32_t value)
{
    return th_halves((uint32_t)(int8_t)(value >> 16), (uint32_t)(int8_t)value);
}

static inline uint32_t th_add16(uint32_t a, uint32_t b)
{
    return th_halves((a >> 16) + (b >> 16), a + b);
}

/* Multiplication */
static inline int32_t th_half(uint32_t value, int high)
{
    return (int16_t)(high ? value >> 16 : value);
}

static inline uint32_t th_accumulate(uint8_t *q, uint32_t into, int32_t product)
{
    int64_t sum = (int64_t)(int32_t)into + product;
    if (sum != (int32_t)sum)
        *q = 1;
    return (uint32_t)sum;
}

static inline uint32_t th_smlad(uint8_t *q, uint32_t a, uint32_t b, uint32_t into, bool exchange)
{
    if (exchange)
        b = th_rotate(b, 16);
    int64_t sum = (int64_t)th_half(a, 0) * th_half(b, 0) + (int64_t)th_half(a, 1) * th_half(b, 1) +
                  (int32_t)into;
    if (sum != (int32_t)sum)
        *q = 1;
    return (uint32_t)sum;
}

static inline uint32_t th_smuad(uint8_t *q, uint32_t a, uint32_t b, bool exchange)
{
    return th_smlad(q, a, b, 0, exchange);
}

static inline int32_t th_smusd(uint32_t a, uint32_t b, bool exchange)
{
    if (exchange)
        b = th_rotate(b, 16);
    return th_half(a, 0) * th_half(b, 0) - th_half(a, 1) * th_half(b, 1);
}

static inline uint64_t th_dual64(uint32_t a, uint32_t b, bool exchange, bool subtract)
{
    if (exchange)
        b = th_rotate(b, 16);
    int64_t low = (int64_t)th_half(a, 0) * th_half(b, 0);
    int64_t high = (int64_t)th_half(a, 1) * th_half(b, 1);
    return (uint64_t)(subtract ? low - high : low + high);
}

static inline int32_t th_smulw(uint32_t a, int32_t half)
{
    return (int32_t)((int64_t)(int32_t)a * half >> 16);
}

static inline uint32_t th_top(uint32_t into, uint32_t a, uint32_t b, bool round, bool subtract)
{
    uint64_t product = (uint64_t)((int64_t)(int32_t)a * (int32_t)b);
    uint64_t sum = ((uint64_t)into << 32) + (subtract ? -product : product);
    if (round)
        sum += 0x80000000;
    return (uint32_t)(sum >> 32);
}

static inline uint32_t th_usad8(uint32_t a, uint32_t b)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < 32; i += 8) {
        int32_t difference = (int32_t)(a >> i & 0xff) - (int32_t)(b >> i & 0xff);
        sum += (uint32_t)(difference < 0 ? -difference : difference);
    }
    return sum;
}

static inline uint32_t th_sdiv(uint32_t a, uint32_t b)
{
    return a == 0x80000000 && b == 0xffffffff ? a : (uint32_t)((int32_t)a / (int32_t)b);
}

/* Bits of the quotient, which decide how long a division takes. b is not 0. */
static inline unsigned th_divide_bits(uint32_t a, uint32_t b)
{
    return a < b ? 0 : (unsigned)(__builtin_clz(b) - __builtin_clz(a)) + 1;
}

static inline unsigned th_divide_bits_signed(uint32_t a, uint32_t b)
{
    return th_divide_bits(a >> 31 ? -a : a, b >> 31 ? -b : b);
}

/* Test target in secure state without MPU and SAU: readable, writable, secure. */
static inline uint32_t th_test_target(void)
{
    return 0x004c0000;
}

#endif
