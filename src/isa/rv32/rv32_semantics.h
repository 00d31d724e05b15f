/*
 * What the RV32 instructions do: functions of the core, its live state and the operands. rv32.isa
 * names them; the loop includes them, and so can code that was translated ahead.
 *
 * RV32_TRACED is 1 where the data bus is to be modelled (the traced loop), 0 elsewhere.
 */
#ifndef UJ_ISA_RV32_SEMANTICS_H
#define UJ_ISA_RV32_SEMANTICS_H

#include "isa/rv32/rv32_core.h"
#include "isa/rv32/rv32_timing.h"

#define RV32_INLINE    static inline __attribute__((always_inline))
#define RV32_LIKELY(x) __builtin_expect(!!(x), 1)

/* Calls something outside the loop, which works on c->live. */
#define RV32_OUTSIDE(call) \
    do {                   \
        c->live = *s;      \
        call;              \
        *s = c->live;      \
    } while (0)

/* The model of the data bus: a word each access, its bytes where they lie in memory. */
RV32_INLINE void rv32_bus(struct rv32_core *c, uint32_t word)
{
#if RV32_TRACED
    c->bus_distance += (unsigned)__builtin_popcount(c->bus ^ word);
    c->bus = word;
#else
    (void)c;
    (void)word;
#endif
}

/* Memory */

RV32_INLINE uint32_t rv32_load(struct rv32_core *c, struct rv32_live *s,
                               const struct rv32_record *rec, uint32_t address, unsigned bytes)
{
    const uint8_t *page = c->pages[address >> RV32_PAGE_BITS].read;
    uint32_t value = 0;
    if (RV32_LIKELY(page && !(address & (bytes - 1)))) {
        const uint8_t *at = page + (address & RV32_PAGE_MASK);
        if (bytes == 1) {
            value = *at;
        } else if (bytes == 2) {
            uint16_t half;
            memcpy(&half, at, sizeof half);
            value = half;
        } else {
            memcpy(&value, at, sizeof value);
        }
    } else {
        RV32_OUTSIDE(value = rv32_load_slow(c, rec, address, bytes));
    }
    rv32_bus(c, value);
    return value;
}

RV32_INLINE void rv32_store(struct rv32_core *c, struct rv32_live *s, const struct rv32_record *rec,
                            uint32_t address, uint32_t value, unsigned bytes)
{
    uint8_t *page = c->pages[address >> RV32_PAGE_BITS].write;
    rv32_bus(c, value);
    if (RV32_LIKELY(page && !(address & (bytes - 1)))) {
        uint8_t *at = page + (address & RV32_PAGE_MASK);
        uint16_t half = (uint16_t)value;
        if (bytes == 1)
            *at = (uint8_t)value;
        else if (bytes == 2)
            memcpy(at, &half, sizeof half);
        else
            memcpy(at, &value, sizeof value);
    } else {
        RV32_OUTSIDE(rv32_store_slow(c, rec, address, value, bytes));
    }
}

RV32_INLINE uint32_t rv32_load_reserved(struct rv32_core *c, struct rv32_live *s,
                                        const struct rv32_record *rec, uint32_t address)
{
    uint32_t value;
    RV32_OUTSIDE(value = rv32_load_reserved_slow(c, rec, address));
    return value;
}

RV32_INLINE uint32_t rv32_store_conditional(struct rv32_core *c, struct rv32_live *s,
                                            const struct rv32_record *rec, uint32_t address,
                                            uint32_t value)
{
    uint32_t failed;
    RV32_OUTSIDE(failed = rv32_store_conditional_slow(c, rec, address, value));
    return failed;
}

RV32_INLINE uint32_t rv32_amo(struct rv32_core *c, struct rv32_live *s,
                              const struct rv32_record *rec, uint32_t address, uint32_t value,
                              enum rv32_amo_kind kind)
{
    uint32_t before;
    RV32_OUTSIDE(before = rv32_amo_slow(c, rec, address, value, kind));
    return before;
}

RV32_INLINE void rv32_push(struct rv32_core *c, struct rv32_live *s, const struct rv32_record *rec)
{
    RV32_OUTSIDE(rv32_push_slow(c, rec));
}

RV32_INLINE uint32_t rv32_pop(struct rv32_core *c, struct rv32_live *s,
                              const struct rv32_record *rec)
{
    uint32_t target;
    RV32_OUTSIDE(target = rv32_pop_slow(c, rec));
    return target;
}

RV32_INLINE void rv32_to_saved(struct rv32_core *c, const struct rv32_record *rec)
{
    c->x[rec->rs1] = c->x[10];
    c->x[rec->rs2] = c->x[11];
}

RV32_INLINE void rv32_from_saved(struct rv32_core *c, const struct rv32_record *rec)
{
    c->x[10] = c->x[rec->rs1];
    c->x[11] = c->x[rec->rs2];
}

/* Arithmetic */

RV32_INLINE uint32_t rv32_div(uint32_t a, uint32_t b)
{
    if (b == 0)
        return UINT32_MAX;
    return (uint32_t)((int64_t)(int32_t)a / (int32_t)b);
}

RV32_INLINE uint32_t rv32_rem(uint32_t a, uint32_t b)
{
    if (b == 0)
        return a;
    return (uint32_t)((int64_t)(int32_t)a % (int32_t)b);
}

RV32_INLINE uint32_t rv32_rotate_right(uint32_t value, uint32_t by)
{
    by &= 31;
    return value >> by | value << (-by & 31);
}

/* Bytes that are not zero become 0xff. */
RV32_INLINE uint32_t rv32_or_combine(uint32_t value)
{
    value |= value >> 4 & 0x0f0f0f0f;
    value |= value >> 2 & 0x03030303;
    value |= value >> 1 & 0x01010101;
    return (value & 0x01010101) * 0xff;
}

/* Of each byte. */
RV32_INLINE uint32_t rv32_reverse_bits(uint32_t value)
{
    value = (value & 0x0f0f0f0f) << 4 | (value >> 4 & 0x0f0f0f0f);
    value = (value & 0x33333333) << 2 | (value >> 2 & 0x33333333);
    return (value & 0x55555555) << 1 | (value >> 1 & 0x55555555);
}

RV32_INLINE uint32_t rv32_swap_bits(uint32_t value, uint32_t mask, unsigned by)
{
    uint32_t different = (value ^ value >> by) & mask;
    return value ^ different ^ different << by;
}

/* The low half to the even bits, the high half to the odd ones. */
RV32_INLINE uint32_t rv32_zip(uint32_t value)
{
    value = rv32_swap_bits(value, 0x0000ff00, 8);
    value = rv32_swap_bits(value, 0x00f000f0, 4);
    value = rv32_swap_bits(value, 0x0c0c0c0c, 2);
    return rv32_swap_bits(value, 0x22222222, 1);
}

RV32_INLINE uint32_t rv32_unzip(uint32_t value)
{
    value = rv32_swap_bits(value, 0x22222222, 1);
    value = rv32_swap_bits(value, 0x0c0c0c0c, 2);
    value = rv32_swap_bits(value, 0x00f000f0, 4);
    return rv32_swap_bits(value, 0x0000ff00, 8);
}

#endif
