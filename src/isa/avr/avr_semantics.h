/*
 * What each AVR instruction does: functions of the core, its live state and the operands. avr.isa
 * names them; the loop includes them, and so can code that was translated ahead.
 *
 * AVR_TRACED is 1 where the data bus is to be modelled (the traced loop), 0 elsewhere.
 */
#ifndef UJ_ISA_AVR_AVR_SEMANTICS_H
#define UJ_ISA_AVR_AVR_SEMANTICS_H

#include "isa/avr/avr_alu.h"
#include "isa/avr/avr_core.h"
#include "isa/avr/avr_timing.h"

/* Calls something outside the loop, which works on c->live. */
#define AVR_OUTSIDE(call) \
    do {                  \
        c->live = *s;     \
        call;             \
        *s = c->live;     \
    } while (0)

enum { AVR_X = 26, AVR_Y = 28, AVR_Z = 30 };

/* H chooses: clear encrypts, set decrypts. */
AVR_INLINE void avr_des(struct avr_core *c, const struct avr_live *s, int32_t round)
{
    avr_des_round(c->r, (unsigned)round, avr_h(s));
}

/* Data memory */

AVR_INLINE void avr_bus(struct avr_core *c, uint32_t byte)
{
#if AVR_TRACED
    c->bus_distance = (uint8_t)(c->bus_distance + __builtin_popcount((c->bus ^ byte) & 0xff));
    c->bus = (uint8_t)byte;
#else
    (void)c;
    (void)byte;
#endif
}

AVR_INLINE uint32_t avr_read(struct avr_core *c, struct avr_live *s, uint32_t address, bool is_load)
{
    const uint8_t *page = c->data_pages[address >> AVR_PAGE_BITS].read;
    uint32_t value;
    if (AVR_LIKELY(page))
        value = page[address & AVR_PAGE_MASK];
    else
        AVR_OUTSIDE(value = avr_data_read(c, address, 1, is_load));
    avr_bus(c, value);
    return value;
}

AVR_INLINE void avr_write(struct avr_core *c, struct avr_live *s, uint32_t address, uint32_t value)
{
    uint8_t *page = c->data_pages[address >> AVR_PAGE_BITS].write;
    if (AVR_LIKELY(page))
        page[address & AVR_PAGE_MASK] = (uint8_t)value;
    else
        AVR_OUTSIDE(avr_data_write(c, address, value, 1));
    avr_bus(c, value);
}

/* Pointers, with their RAMP register where data addresses have 24 bits. */
AVR_INLINE uint32_t avr_pointer(const struct avr_core *c, unsigned pair)
{
    uint32_t address = avr_pair(c, pair);
    if (!AVR_LIKELY(!c->wide_data))
        address |= (uint32_t)c->ramp[AVR_RAMPX + (pair - AVR_X) / 2] << 16;
    return address;
}

AVR_INLINE void avr_set_pointer(struct avr_core *c, unsigned pair, uint32_t address)
{
    avr_set_pair(c, pair, address);
    if (!AVR_LIKELY(!c->wide_data))
        c->ramp[AVR_RAMPX + (pair - AVR_X) / 2] = (uint8_t)(address >> 16);
}

AVR_INLINE uint32_t avr_wrap(const struct avr_core *c, uint32_t address)
{
    return address & (AVR_LIKELY(!c->wide_data) ? 0xffffu : 0xffffffu);
}

AVR_INLINE uint32_t avr_x(const struct avr_core *c)
{
    return avr_pointer(c, AVR_X);
}

AVR_INLINE uint32_t avr_y(const struct avr_core *c)
{
    return avr_pointer(c, AVR_Y);
}

AVR_INLINE uint32_t avr_z(const struct avr_core *c)
{
    return avr_pointer(c, AVR_Z);
}

AVR_INLINE uint32_t avr_add_q(const struct avr_core *c, uint32_t address, int32_t q)
{
    return avr_wrap(c, address + (uint32_t)q);
}

/* LDS and STS. */
AVR_INLINE uint32_t avr_direct(const struct avr_core *c, int32_t k)
{
    return (uint32_t)k | (AVR_LIKELY(!c->wide_data) ? 0u : (uint32_t)c->ramp[AVR_RAMPD] << 16);
}

AVR_INLINE void avr_ld(struct avr_core *c, struct avr_live *s, unsigned d, uint32_t address)
{
    c->r[d] = (uint8_t)avr_read(c, s, address, true);
}

/* The pointer is changed first, then the register written: what a load into its own pointer gives
 * the manual leaves undefined. */
AVR_INLINE void avr_ld_inc(struct avr_core *c, struct avr_live *s, unsigned d, unsigned pair)
{
    uint32_t address = avr_pointer(c, pair);
    avr_set_pointer(c, pair, address + 1);
    avr_ld(c, s, d, address);
}

AVR_INLINE void avr_ld_dec(struct avr_core *c, struct avr_live *s, unsigned d, unsigned pair)
{
    uint32_t address = avr_wrap(c, avr_pointer(c, pair) - 1);
    avr_set_pointer(c, pair, address);
    avr_ld(c, s, d, address);
}

AVR_INLINE void avr_st(struct avr_core *c, struct avr_live *s, unsigned d, uint32_t address)
{
    avr_write(c, s, address, c->r[d]);
}

/* The value stored is the one from before the pointer moves. */
AVR_INLINE void avr_st_inc(struct avr_core *c, struct avr_live *s, unsigned d, unsigned pair)
{
    uint32_t address = avr_pointer(c, pair), value = c->r[d];
    avr_set_pointer(c, pair, address + 1);
    avr_write(c, s, address, value);
}

AVR_INLINE void avr_st_dec(struct avr_core *c, struct avr_live *s, unsigned d, unsigned pair)
{
    uint32_t address = avr_wrap(c, avr_pointer(c, pair) - 1), value = c->r[d];
    avr_set_pointer(c, pair, address);
    avr_write(c, s, address, value);
}

enum avr_rmw_kind { AVR_XCH, AVR_LAS, AVR_LAC, AVR_LAT };

/* Rd gets what was at Z; Z gets Rd, or its bits set, cleared or toggled by Rd. */
AVR_INLINE void avr_rmw(struct avr_core *c, struct avr_live *s, unsigned d, enum avr_rmw_kind kind)
{
    uint32_t address = avr_z(c), old = avr_read(c, s, address, false), operand = c->r[d];
    uint32_t value = kind == AVR_XCH   ? operand
                     : kind == AVR_LAS ? old | operand
                     : kind == AVR_LAC ? old & ~operand
                                       : old ^ operand;
    c->r[d] = (uint8_t)old;
    avr_write(c, s, address, value);
}

/* Stack: SP points at the next free byte */

AVR_INLINE void avr_push(struct avr_core *c, struct avr_live *s, uint32_t value)
{
    uint32_t sp = c->sp, below = (sp - 1) & 0xffff;
    c->sp = below;
    if (below < c->core.sp_low)
        c->core.sp_low = below;
    avr_write(c, s, sp, value);
}

AVR_INLINE uint32_t avr_pop(struct avr_core *c, struct avr_live *s)
{
    uint32_t sp = (c->sp + 1) & 0xffff;
    c->sp = sp;
    return avr_read(c, s, sp, false);
}

/* A word address, its low byte first and highest. */
AVR_INLINE void avr_push_pc(struct avr_core *c, struct avr_live *s, uint32_t index)
{
    avr_push(c, s, index & 0xff);
    avr_push(c, s, index >> 8 & 0xff);
    if (c->pc_bytes == 3)
        avr_push(c, s, index >> 16);
}

AVR_INLINE uint32_t avr_pop_pc(struct avr_core *c, struct avr_live *s)
{
    uint32_t index = c->pc_bytes == 3 ? avr_pop(c, s) << 16 : 0;
    index |= avr_pop(c, s) << 8;
    return index | avr_pop(c, s);
}

/* Program memory */

AVR_INLINE uint32_t avr_z16(const struct avr_core *c)
{
    return avr_pair(c, AVR_Z);
}

AVR_INLINE uint32_t avr_rampz_z(const struct avr_core *c)
{
    return avr_pair(c, AVR_Z) | (uint32_t)c->ramp[AVR_RAMPZ] << 16;
}

AVR_INLINE uint32_t avr_eind_z(const struct avr_core *c)
{
    return avr_pair(c, AVR_Z) | (uint32_t)c->eind << 16;
}

AVR_INLINE void avr_lpm(struct avr_core *c, struct avr_live *s, unsigned d, uint32_t address)
{
    const uint8_t *page = c->code_pages[address >> AVR_PAGE_BITS].read;
    uint32_t value;
    if (AVR_LIKELY(page))
        value = page[address & AVR_PAGE_MASK];
    else
        AVR_OUTSIDE(value = avr_code_read(c, address));
    c->r[d] = (uint8_t)value;
    avr_bus(c, value);
}

AVR_INLINE void avr_lpm_inc(struct avr_core *c, struct avr_live *s, unsigned d)
{
    uint32_t address = avr_z16(c);
    avr_set_pair(c, AVR_Z, address + 1);
    avr_lpm(c, s, d, address);
}

AVR_INLINE void avr_elpm_inc(struct avr_core *c, struct avr_live *s, unsigned d)
{
    uint32_t address = avr_rampz_z(c);
    avr_set_pair(c, AVR_Z, address + 1);
    c->ramp[AVR_RAMPZ] = (uint8_t)((address + 1) >> 16);
    avr_lpm(c, s, d, address);
}

AVR_INLINE void avr_spm(struct avr_core *c, struct avr_live *s, bool increment)
{
    uint32_t address = avr_z16(c) | (c->has_rampz ? (uint32_t)c->ramp[AVR_RAMPZ] << 16 : 0);
    AVR_OUTSIDE(avr_code_write(c, address & ~1u, avr_pair(c, 0)));
    if (increment) {
        avr_set_pair(c, AVR_Z, address + 2);
        if (c->has_rampz)
            c->ramp[AVR_RAMPZ] = (uint8_t)((address + 2) >> 16);
    }
}

/* Input and output; addresses are I/O addresses */

AVR_INLINE uint32_t avr_in(struct avr_core *c, struct avr_live *s, int32_t io)
{
    uint32_t value;
    AVR_OUTSIDE(value = avr_data_read(c, c->io_base + (uint32_t)io, 1, false));
    avr_bus(c, value);
    return value;
}

AVR_INLINE void avr_out(struct avr_core *c, struct avr_live *s, int32_t io, uint32_t value)
{
    AVR_OUTSIDE(avr_data_write(c, c->io_base + (uint32_t)io, value, 1));
    avr_bus(c, value);
}

AVR_INLINE void avr_out_sp(struct avr_core *c, struct avr_live *s, unsigned bit, uint32_t value)
{
    AVR_OUTSIDE(avr_write_sp(c, bit, value));
    avr_bus(c, value);
}

/* Reads, then writes with one bit changed; core.write_mask tells the device which one it is. */
AVR_INLINE void avr_io_bit(struct avr_core *c, struct avr_live *s, int32_t io, unsigned bit,
                           bool on)
{
    uint32_t address = c->io_base + (uint32_t)io, mask = 1u << bit, value;
    AVR_OUTSIDE(value = avr_data_read(c, address, c->column == AVR_E ? 2 : 1, false));
    value = on ? value | mask : value & ~mask;
    c->core.write_mask = mask;
    AVR_OUTSIDE(avr_data_write(c, address, value, 1));
    c->core.write_mask = UINT32_MAX;
    avr_bus(c, value);
}

/* The machine itself */

/* The instruction behind SEI is executed before an interrupt is accepted. */
AVR_INLINE void avr_enable_interrupts(struct avr_core *c)
{
    c->i = 1;
    avr_hold(c, 1);
}

/* So it is behind a write to SREG that sets I. */
AVR_INLINE void avr_out_sreg(struct avr_core *c, struct avr_live *s, uint32_t value)
{
    uint8_t before = c->i;
    avr_set_sreg(c, s, value);
    if (c->i > before)
        avr_hold(c, 1);
    avr_bus(c, value);
}

AVR_INLINE void avr_sleep(struct avr_core *c)
{
    c->core.asleep = true;
}

#endif
