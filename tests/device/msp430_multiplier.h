/*
 * A multiplier on the bench, after the user guides (SLAU049 chapter 7, SLAU208's MPY32), in the
 * plain forms alone: products, no accumulation. It notes what a program must not do: read a result
 * before it is there, write an operand while a product is being made, or come here with interrupts
 * on.
 */
#ifndef UJ_TESTS_MSP430_MULTIPLIER_H
#define UJ_TESTS_MSP430_MULTIPLIER_H

#include "msp430_rig.h"

enum { MULTIPLIER_BYTES = 0x30 };

struct multiplier {
    struct msp430_rig *rig;
    struct mem_region region;
    uint32_t operand;
    uint16_t low; /* of the second */
    bool wide, is_signed;
    uint64_t result, ready[4], idle;
    unsigned accesses, faults;
};

static inline int64_t multiplier_signed(uint64_t value, unsigned bits, bool is_signed)
{
    return is_signed && value >> (bits - 1) ? (int64_t)value - ((int64_t)1 << bits)
                                            : (int64_t)value;
}

static inline void multiplier_check(struct multiplier *m)
{
    m->accesses++;
    if (rig_get(m->rig, MSP430_SR) & MSP430_SR_GIE)
        m->faults++;
}

/* The product is there after so many cycles, by result word. */
static inline void multiplier_start(struct multiplier *m, uint64_t second, unsigned bits,
                                    const unsigned *after)
{
    m->result = (uint64_t)multiplier_signed(m->operand, m->wide ? 32 : 16, m->is_signed) *
                (uint64_t)multiplier_signed(second, bits, m->is_signed);
    for (unsigned i = 0; i < 4; i++)
        m->ready[i] = after[i] ? m->rig->core->cycle + after[i] : m->ready[i];
    m->idle = m->ready[3];
}

static inline void multiplier_write(void *device, uint32_t offset, uint32_t value, unsigned bytes)
{
    static const unsigned of_16[] = {3, 3, 4, 4}, of_32_16[] = {3, 5, 6, 7}, of_32[] = {0, 3, 5, 6};
    struct multiplier *m = device;
    uint64_t now = m->rig->core->cycle;
    multiplier_check(m);
    /* A second operand's lower half begins the product; the upper half comes any time after. */
    if (bytes != 2 || (now < m->idle && offset != 0x22))
        m->faults++;
    switch (offset) {
    case 0x00:
    case 0x02:
        m->operand = value;
        m->is_signed = offset == 0x02;
        m->wide = false;
        break;
    case 0x10:
    case 0x14:
        m->operand = value;
        m->is_signed = offset == 0x14;
        m->wide = true;
        break;
    case 0x12:
    case 0x16: m->operand |= value << 16; break;
    case 0x08: multiplier_start(m, value, 16, m->wide ? of_32_16 : of_16); break;
    case 0x20:
        m->low = (uint16_t)value;
        m->ready[0] = now + 3;
        break;
    case 0x22: multiplier_start(m, (uint64_t)value << 16 | m->low, 32, of_32); break;
    default: m->faults++;
    }
}

static inline uint32_t multiplier_read(void *device, uint32_t offset, unsigned bytes)
{
    struct multiplier *m = device;
    multiplier_check(m);
    unsigned word = offset >= 0x24 ? (offset - 0x24) / 2 : (offset - 0x0A) / 2;
    bool is_result = (offset >= 0x24 && offset <= 0x2A) || offset == 0x0A || offset == 0x0C;
    if (bytes != 2 || !is_result || m->rig->core->cycle < m->ready[word & 3])
        m->faults++;
    return (uint16_t)(m->result >> (16 * (word & 3)));
}

static inline void multiplier_add(struct multiplier *m, struct msp430_rig *rig, uint32_t base)
{
    static const struct mem_ops ops = {multiplier_read, multiplier_write};
    *m = (struct multiplier){
        .rig = rig,
        .region = {.name = "multiplier", .base = base, .size = MULTIPLIER_BYTES, .ops = &ops}};
    m->region.device = m;
    mem_add(&rig->data, &m->region);
}

#endif
