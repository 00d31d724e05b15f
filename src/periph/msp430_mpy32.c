/*
 * MPY32 of the 5xx: operands of 8, 16, 24 and 32 bits, signed or not, accumulation, saturation and
 * the fractional mode. The result is there with the write that starts the operation: of OP2, or of
 * OP2H; the cycles until then are the program's to wait for, and reading too early, which gives
 * something unspecified on the chip, gives the result here.
 *
 * Sixteen-bit operations (first operand by MPY to MACS, second by OP2) accumulate in RES0 and RES1,
 * all others in 64 bits. Saturation works on the signed result of the operation's width, and shows
 * when the result is read; the fractional mode reads it shifted left by one.
 */
#include <string.h>

#include "periph/msp430_sfr.h"

enum {
    MPY,
    MPYS,
    MAC,
    MACS,
    OP2,
    RESLO,
    RESHI,
    SUMEXT,
    MPY32L,
    MPYS32L = MPY32L + 2,
    MAC32L = MPYS32L + 2,
    MACS32L = MAC32L + 2,
    OP2L = MACS32L + 2,
    OP2H,
    RES0,
    CTL0 = RES0 + 4,
    WORDS
};
enum {
    MPYC = 0x0001,
    MPYFRAC = 0x0004,
    MPYSAT = 0x0008,
    MPYM_SHIFT = 4,
    OP1_32 = 0x0040,
    OP2_32 = 0x0080,
    CTL0_WRITTEN = 0x03fc | MPYC
};
enum mode { MODE_MPY, MODE_MPYS, MODE_MAC, MODE_MACS };

struct msp430_mpy32 {
    struct periph periph;
    uint32_t op1, op2;
    uint64_t result;
    uint16_t sumext, ctl;
    enum mode mode;
    bool is_wide; /* the last operation was one of 64 bits */
};

static bool is_signed(const struct msp430_mpy32 *m)
{
    return m->mode == MODE_MPYS || m->mode == MODE_MACS;
}

static int64_t extended(uint32_t value, bool is_32)
{
    return is_32 ? (int32_t)value : (int16_t)value;
}

/* The result as the registers show it. */
static uint64_t shown(const struct msp430_mpy32 *m)
{
    uint64_t value = m->result;
    unsigned bits = m->is_wide ? 64 : 32;
    bool fractional = m->ctl & MPYFRAC;
    if (m->ctl & MPYSAT && is_signed(m)) {
        /* What the sign bit and the one above it (the carry of an accumulation) say, and in the
         * fractional mode the bit that the shift would lose. */
        bool negative = value >> (bits - 1) & 1, below = value >> (bits - 2) & 1;
        bool carried = m->mode == MODE_MACS && !!(m->ctl & MPYC) != negative;
        uint64_t most = (UINT64_C(1) << (bits - 1)) - 1;
        if (carried)
            return m->ctl & MPYC ? most + 1 : most;
        if (fractional && negative != below)
            return negative ? most + 1 : most;
    }
    return fractional ? value << 1 : value;
}

/* The carry, or of signed operations the sign as it would be in one more bit. */
static bool carry_of(const struct msp430_mpy32 *m, uint64_t before, uint64_t product,
                     uint64_t result, unsigned bits)
{
    bool adds = m->mode >= MODE_MAC;
    if (!is_signed(m))
        return adds && (bits == 64 ? result < product : result >> bits & 1);
    if (!adds)
        return result >> (bits - 1) & 1;
    bool a = before >> (bits - 1) & 1, b = product >> (bits - 1) & 1,
         sum = result >> (bits - 1) & 1;
    return a == b ? a : sum;
}

static void operate(struct msp430_mpy32 *m, bool op2_is_32)
{
    bool op1_is_32 = m->ctl & OP1_32;
    m->is_wide = op1_is_32 || op2_is_32;
    uint64_t product = is_signed(m)
                           ? (uint64_t)(extended(m->op1, op1_is_32) * extended(m->op2, op2_is_32))
                           : (uint64_t)m->op1 * m->op2;
    uint64_t mask = m->is_wide ? UINT64_MAX : UINT32_MAX, before = m->result & mask;
    product &= mask;
    uint64_t result = m->mode >= MODE_MAC ? before + product : product;
    bool carry = carry_of(m, before, product, result, m->is_wide ? 64 : 32);
    result &= mask;
    m->ctl = (uint16_t)((m->ctl & ~MPYC) | (carry ? MPYC : 0));
    m->sumext = is_signed(m) ? (carry ? 0xffff : 0) : carry;
    /* A 16-bit operation leaves the sign or the carry in the upper words. */
    if (!m->is_wide) {
        uint64_t upper = is_signed(m) ? (carry ? UINT32_MAX : 0) : 0;
        result |= upper << 32;
    }
    m->result = result;
}

static void set_op1(struct msp430_mpy32 *m, enum mode mode, uint32_t value, bool is_32)
{
    m->mode = mode;
    m->op1 = value;
    m->ctl = (uint16_t)((m->ctl & ~(3u << MPYM_SHIFT | OP1_32)) | (unsigned)mode << MPYM_SHIFT |
                        (is_32 ? OP1_32 : 0));
}

/* A byte takes its sign along where the operation is signed. */
static uint16_t operand(uint32_t value, unsigned bytes, bool is_signed_byte)
{
    return (uint16_t)(bytes == 1 && is_signed_byte ? (uint32_t)(int32_t)(int8_t)value : value);
}

static void write_op1(struct msp430_mpy32 *m, unsigned word, uint32_t value, unsigned bytes)
{
    if (word < OP2) {
        enum mode mode = (enum mode)word;
        set_op1(m, mode, operand(value, bytes, mode == MODE_MPYS || mode == MODE_MACS), false);
        return;
    }
    enum mode mode = (enum mode)((word - MPY32L) / 2);
    uint16_t half = operand(value, bytes, mode == MODE_MPYS || mode == MODE_MACS);
    if ((word - MPY32L) % 2 == 0) /* the lower half alone says little: the upper one follows */
        set_op1(m, mode, half, true);
    else
        set_op1(m, mode, (m->op1 & 0xffff) | (uint32_t)half << 16, true);
}

static void mpy32_reset(struct periph *p)
{
    struct msp430_mpy32 *m = (struct msp430_mpy32 *)p;
    m->op1 = m->op2 = 0;
    m->result = 0;
    m->sumext = m->ctl = 0;
    m->mode = MODE_MPY;
    m->is_wide = false;
}

static uint32_t mpy32_read(struct periph *p, uint32_t offset, unsigned bytes)
{
    const struct msp430_mpy32 *m = (const struct msp430_mpy32 *)p;
    unsigned word = offset / 2;
    uint32_t value = 0;
    (void)bytes;
    if (word <= MACS || (word >= MPY32L && word < OP2L))
        value = word > MACS && word & 1 ? m->op1 >> 16 : m->op1 & 0xffff;
    else if (word == OP2 || word == OP2L)
        value = m->op2 & 0xffff;
    else if (word == OP2H)
        value = m->op2 >> 16;
    else if (word == RESLO || word == RESHI)
        value = (uint32_t)(shown(m) >> (16 * (word - RESLO))) & 0xffff;
    else if (word == SUMEXT)
        value = m->sumext;
    else if (word >= RES0 && word < CTL0)
        value = (uint32_t)(shown(m) >> (16 * (word - RES0))) & 0xffff;
    else if (word == CTL0)
        value = m->ctl;
    return value >> (offset & 1 ? 8 : 0);
}

static void set_result(struct msp430_mpy32 *m, unsigned word, uint32_t value)
{
    m->result = (m->result & ~(UINT64_C(0xffff) << (16 * word))) | (uint64_t)(value & 0xffff)
                                                                       << (16 * word);
}

static void mpy32_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes)
{
    struct msp430_mpy32 *m = (struct msp430_mpy32 *)p;
    unsigned word = offset / 2;
    if (bytes == 1 && offset & 1)
        value <<= 8;
    value &= 0xffff;
    if (word == OP2) {
        m->op2 = operand(value, bytes, is_signed(m));
        m->ctl &= (uint16_t)~OP2_32;
        operate(m, false);
    } else if (word == OP2L) {
        m->op2 = operand(value, bytes, false);
        m->ctl |= OP2_32;
    } else if (word == OP2H) {
        m->op2 = (m->op2 & 0xffff) | (uint32_t)operand(value, bytes, is_signed(m)) << 16;
        operate(m, true);
    } else if (word < OP2 || (word >= MPY32L && word < OP2L)) {
        write_op1(m, word, value, bytes);
    } else if (word == RESLO || word == RESHI) {
        set_result(m, word - RESLO, value);
    } else if (word >= RES0 && word < CTL0) {
        set_result(m, word - RES0, value);
    } else if (word == CTL0) {
        m->ctl = value & CTL0_WRITTEN;
        m->mode = (enum mode)(value >> MPYM_SHIFT & 3);
    }
}

const struct periph_class msp430_mpy32_class = {
    .name = "msp430_mpy32",
    .bytes = sizeof(struct msp430_mpy32),
    .window = 2 * WORDS,
    .reset = mpy32_reset,
    .read = mpy32_read,
    .write = mpy32_write,
};
