/* Accesses beyond plain memory: the CPU's own registers, and devices at their exact cycle. */
#include "isa/avr/avr_core.h"
#include "isa/avr/avr_timing.h"
#define AVR_TRACED 0 /* the loop counts the bus, not these */
#include "isa/avr/avr_semantics.h"

/* The largest distance to a deadline that is worth telling apart from never. */
#define FAR_CYCLES ((uint64_t)1 << 62)

void avr_reload(struct avr_core *c, uint64_t now)
{
    uint64_t deadline = c->core.deadline;
    if (deadline < now)
        deadline = now;
    uint64_t left = deadline - now;
    if (left > FAR_CYCLES)
        left = FAR_CYCLES;
    c->live.left = (int64_t)left;
    c->horizon = now + left;
}

/* Has this chip the CPU register at the I/O address? */
static bool has_register(const struct avr_core *c, uint32_t io)
{
    switch (io) {
    case AVR_IO_SPL:
    case AVR_IO_SPH:
    case AVR_IO_SREG: return true;
    case AVR_IO_EIND: return c->pc_bytes == 3;
    case AVR_IO_RAMPZ: return c->has_rampz;
    case AVR_IO_RAMPD:
    case AVR_IO_RAMPX:
    case AVR_IO_RAMPY: return c->wide_data;
    default: return false;
    }
}

static uint32_t read_register(const struct avr_core *c, uint32_t io)
{
    switch (io) {
    case AVR_IO_SREG: return avr_sreg(c, &c->live);
    case AVR_IO_SPL: return c->sp & 0xff;
    case AVR_IO_SPH: return c->sp >> 8;
    case AVR_IO_EIND: return c->eind;
    default: return c->ramp[io - AVR_IO_RAMPD];
    }
}

void avr_write_sp(struct avr_core *c, unsigned bit, uint32_t value)
{
    c->sp = (c->sp & ~(0xffu << bit)) | (value & 0xff) << bit;
    uint8_t half = bit ? 2 : 1;
    /* A half that is written again means that the other one is not going to be. */
    if (c->sp_halves == half || (c->sp_halves | half) == 3) {
        if (c->sp < c->core.sp_low)
            c->core.sp_low = c->sp;
        c->sp_halves = c->sp_halves == half ? half : 0;
    } else {
        c->sp_halves = half;
    }
    /* XMEGA and its successors: no interrupt for four instructions or until the next write to I/O.
     */
    c->hold_io = 0;
    if (half == 1 && c->column != AVR_E && c->i) {
        c->hold_io = 4;
        core_attention(&c->core);
        avr_reload(c, c->horizon - (uint64_t)c->live.left);
    }
}

static void write_register(struct avr_core *c, uint32_t io, uint32_t value)
{
    switch (io) {
    case AVR_IO_SREG: {
        uint8_t before = c->i;
        avr_set_sreg(c, &c->live, value);
        if (c->i > before) {
            avr_hold(c, 1);
            core_attention(&c->core);
            avr_reload(c, c->horizon - (uint64_t)c->live.left);
        }
        break;
    }
    case AVR_IO_SPL: avr_write_sp(c, 0, value); break;
    case AVR_IO_SPH: avr_write_sp(c, 8, value); break;
    case AVR_IO_EIND: c->eind = (uint8_t)value; break;
    default: c->ramp[io - AVR_IO_RAMPD] = (uint8_t)value;
    }
}

uint32_t avr_data_read(struct avr_core *c, uint32_t address, unsigned back, bool is_load)
{
    if (is_load && address < c->io_end)
        c->live.left += AVR_COST(IO_LOAD_SAVES);
    if (address < c->io_base)
        return c->r[address];
    if (has_register(c, address - c->io_base))
        return read_register(c, address - c->io_base);
    uint64_t end = c->horizon - (uint64_t)c->live.left;
    c->core.cycle = end - back;
    uint32_t value = mem_read8(c->core.data, address) & 0xff;
    avr_reload(c, end);
    return value;
}

void avr_data_write(struct avr_core *c, uint32_t address, uint32_t value, unsigned back)
{
    uint32_t io = address - c->io_base;
    if (address < c->io_base) {
        c->r[address] = (uint8_t)value;
        return;
    }
    if (has_register(c, io)) {
        write_register(c, io, value & 0xff);
        return;
    }
    c->hold_io = 0;
    uint64_t end = c->horizon - (uint64_t)c->live.left;
    c->core.cycle = end - back;
    mem_write8(c->core.data, address, value & 0xff);
    /* A signature in CCP keeps interrupts away for the four instructions that it opens. */
    if (io == AVR_IO_CCP && c->column != AVR_E && (value == 0xd8 || value == 0x9d)) {
        avr_hold(c, 4);
        core_attention(&c->core);
    }
    avr_reload(c, end);
}

uint32_t avr_code_read(struct avr_core *c, uint32_t address)
{
    uint64_t end = c->horizon - (uint64_t)c->live.left;
    c->core.cycle = end - 1;
    uint32_t value = mem_read8(c->core.code, address) & 0xff;
    avr_reload(c, end);
    return value;
}

void avr_code_write(struct avr_core *c, uint32_t address, uint32_t value)
{
    uint64_t end = c->horizon - (uint64_t)c->live.left;
    c->core.cycle = end - 1;
    mem_write16(c->core.code, address, value);
    avr_reload(c, end);
}
