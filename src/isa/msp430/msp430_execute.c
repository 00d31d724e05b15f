/* Any instruction, with every operand and effect: what the fast forms of the loop leave out. */
#include "isa/msp430/msp430_semantics.h"

/* The state of one instruction under way. */
struct at {
    struct msp430_core *c;
    struct msp430_live *s;
    const struct msp430_record *rec;
    uint32_t pc; /* where it lies */
};

static void count_bus(struct msp430_core *c, uint32_t value)
{
    c->bus_distance = (uint8_t)(c->bus_distance + __builtin_popcount((uint16_t)(value ^ c->bus)));
    c->bus = (uint16_t)value;
}

/* Memory */

static uint32_t read_bytes(struct msp430_core *c, uint32_t address, unsigned bytes, unsigned back)
{
    const uint8_t *page = c->pages[address >> MSP430_PAGE_BITS].read;
    uint32_t value;
    if (MSP430_LIKELY(page)) {
        const uint8_t *at = page + (address & MSP430_PAGE_MASK);
        value = bytes == 1 ? *at : msp430_get16(at);
    } else {
        uint64_t end = c->horizon - (uint64_t)c->live.left;
        c->core.cycle = end - back;
        value = mem_read_slow(c->core.data, address, bytes);
        msp430_reload(c, end);
        value &= bytes == 1 ? 0xff : 0xffff;
    }
    count_bus(c, value);
    return value;
}

static void write_bytes(struct msp430_core *c, uint32_t address, uint32_t value, unsigned bytes,
                        unsigned back)
{
    uint8_t *page = c->pages[address >> MSP430_PAGE_BITS].write;
    value &= bytes == 1 ? 0xff : 0xffff;
    count_bus(c, value);
    if (MSP430_LIKELY(page)) {
        uint8_t *at = page + (address & MSP430_PAGE_MASK);
        if (bytes == 1)
            *at = (uint8_t)value;
        else
            msp430_put16(at, value);
        return;
    }
    uint64_t end = c->horizon - (uint64_t)c->live.left;
    c->core.cycle = end - back;
    mem_write_slow(c->core.data, address, value, bytes);
    msp430_reload(c, end);
}

uint32_t msp430_read_word(struct msp430_core *c, uint32_t address, unsigned back)
{
    return read_bytes(c, address & ~1u, 2, back);
}

static void write_word(struct msp430_core *c, uint32_t address, uint32_t value, unsigned back)
{
    write_bytes(c, address & ~1u, value, 2, back);
}

static uint32_t next_address(const struct msp430_core *c, uint32_t address)
{
    return (address + 2) & c->register_mask;
}

/* Of the size; 20 bits are two words, the lower one `back` cycles before the end. */
static uint32_t read_sized(struct msp430_core *c, uint32_t address, unsigned bits, unsigned back)
{
    if (bits == 8)
        return read_bytes(c, address, 1, back);
    uint32_t value = msp430_read_word(c, address, back);
    if (bits == 20)
        value |= (msp430_read_word(c, next_address(c, address), back - 1) & 0xf) << 16;
    return value;
}

/* The last cycle is the one of the (upper) word. */
static void write_sized(struct msp430_core *c, uint32_t address, uint32_t value, unsigned bits)
{
    if (bits == 8) {
        write_bytes(c, address, value, 1, 1);
        return;
    }
    write_word(c, address, value, bits == 20 ? 2 : 1);
    if (bits == 20)
        write_word(c, next_address(c, address), value >> 16 & 0xf, 1);
}

/* Registers */

static uint32_t get_register(const struct msp430_core *c, unsigned number)
{
    switch (number) {
    case MSP430_PC: return 2 * msp430_index(c);
    case MSP430_SR: return msp430_sr(c, &c->live);
    default: return c->r[number];
    }
}

static void set_sp(struct msp430_core *c, uint32_t value)
{
    value &= c->register_mask & ~1u;
    c->r[MSP430_SP] = value;
    if (value < c->core.sp_low)
        c->core.sp_low = value;
}

void msp430_go(struct msp430_core *c, uint32_t target, uint32_t from)
{
    if (target & 1) {
        c->core.cycle = c->horizon - (uint64_t)c->live.left;
        core_fault(&c->core, "jump to nowhere", from, target, "0x%05x is odd", (unsigned)target);
        msp430_reload(c, c->core.cycle);
    }
    c->live.ip = c->records + (target >> 1);
}

void msp430_write_sr(struct msp430_core *c, uint32_t value)
{
    struct core *core = &c->core;
    uint32_t before = c->sr, now = value & MSP430_SR_KEPT;
    uint64_t end = c->horizon - (uint64_t)c->live.left;
    msp430_set_flags(&c->live, value);
    c->sr = now;
    if (now == before)
        return;
    core->cycle = end;
    if (now & ~before & MSP430_SR_GIE)
        c->hold = 1;
    if (now & MSP430_SR_CPUOFF) {
        /* Nothing is executed behind it that would have to come first. */
        c->hold = 0;
        core->asleep = true;
        core->sleep_mode = now & MSP430_SR_SLEEP;
        core->irq_masked = !(now & MSP430_SR_GIE);
    } else if ((now ^ before) & MSP430_SR_CLOCKS && core->port.clock_bits) {
        core->port.clock_bits(core->port.chip, now & MSP430_SR_CLOCKS);
    }
    core_attention(core);
    msp430_reload(c, end);
}

static void put_register(const struct at *i, unsigned number, uint32_t value)
{
    struct msp430_core *c = i->c;
    switch (number) {
    case MSP430_PC: msp430_go(c, value, i->pc); break;
    case MSP430_SP: set_sp(c, value); break;
    case MSP430_SR: msp430_write_sr(c, value); break;
    case MSP430_CG: break;
    default: c->r[number] = value;
    }
}

/* Operands */

static uint32_t index_address(const struct msp430_core *c, unsigned number, uint32_t index,
                              bool is_wide)
{
    uint32_t base = get_register(c, number);
    return is_wide ? (base + index) & c->register_mask : msp430_indexed(base, index);
}

/* The value of the source; *address is where it lies, UINT32_MAX: in no memory. */
static uint32_t fetch(const struct at *i, uint32_t *address)
{
    struct msp430_core *c = i->c;
    const struct msp430_record *rec = i->rec;
    unsigned bits = rec->bits;
    /* Cycles from the access to the end: it is read in cycle 2, or 3 behind an index. */
    unsigned back = rec->cycles - (rec->is_extended ? 2u : 1u);
    *address = UINT32_MAX;
    switch ((enum msp430_place)rec->source) {
    case MSP430_AT_REGISTER: return get_register(c, rec->s) & msp430_mask(bits);
    case MSP430_AT_INDEX:
        *address = index_address(c, rec->s, rec->k, rec->is_wide);
        return read_sized(c, *address, bits, back - 1);
    case MSP430_AT_ADDRESS: *address = rec->k; return read_sized(c, rec->k, bits, back - 1);
    case MSP430_AT_POINTER:
        *address = get_register(c, rec->s);
        return read_sized(c, *address, bits, back);
    case MSP430_AT_POINTER_INC: {
        *address = get_register(c, rec->s);
        unsigned step = bits == 20 ? 4 : bits == 16 || rec->s == MSP430_SP ? 2 : 1;
        uint32_t value = read_sized(c, *address, bits, back);
        put_register(i, rec->s, (*address + step) & c->register_mask);
        return value;
    }
    case MSP430_AT_CONSTANT:
    case MSP430_AT_NOTHING: break;
    }
    return rec->k;
}

/* An operation of msp430.isa on operands. */
static uint32_t operate(struct msp430_live *s, unsigned row, uint32_t a, uint32_t b, unsigned bits)
{
    switch ((enum msp430_row_id)row) {
#define INSN(name, syntax, encoding, class, cores, costs, semantics) \
    case MSP430_ROW_##name:                                          \
        return (uint32_t)(semantics);
#include "isa/msp430/msp430.isa"
#undef INSN
    case MSP430_ROWS: break;
    }
    return 0;
}

/* Repetitions of an instruction in registers; takes the cycles that a register counts. */
static unsigned repetitions(const struct at *i)
{
    unsigned repeat = i->rec->x & (MSP430_REPEAT_REGISTER | MSP430_REPEAT_COUNT);
    unsigned again = repeat & MSP430_REPEAT_COUNT;
    if (repeat & MSP430_REPEAT_REGISTER) {
        again = get_register(i->c, again) & MSP430_REPEAT_COUNT;
        i->c->live.left -= again * MSP430X_REPEAT_EACH_CYCLES;
    }
    return again + 1;
}

/* ZC: those that use the carry use 0, and all of them define it anew. To the others, some of which
 * leave the carry alone, ZC is nothing. */
static void clear_carry(const struct at *i)
{
    if (!(i->rec->x & MSP430_REPEAT_ZC))
        return;
    switch ((enum msp430_row_id)i->rec->row) {
    case MSP430_ROW_addc:
    case MSP430_ROW_subc:
    case MSP430_ROW_dadd:
    case MSP430_ROW_rrc: i->s->cf = 0; break;
    default: break;
    }
}

static void execute_double(const struct at *i, enum msp430_class class)
{
    struct msp430_core *c = i->c;
    const struct msp430_record *rec = i->rec;
    unsigned bits = rec->bits;
    uint32_t address, a = fetch(i, &address);
    if (rec->destination == MSP430_AT_REGISTER) {
        bool is_repeated = rec->is_extended && rec->source <= MSP430_AT_CONSTANT;
        for (unsigned n = is_repeated ? repetitions(i) : 1; n > 0; n--) {
            uint32_t b = get_register(c, rec->d) & msp430_mask(bits);
            if (is_repeated) {
                a = fetch(i, &address);
                clear_carry(i);
            }
            uint32_t result = operate(i->s, rec->row, a, b, bits);
            if (class != MSP430_TEST)
                put_register(i, rec->d, result & msp430_mask(bits));
        }
        return;
    }
    address = rec->destination == MSP430_AT_INDEX ? index_address(c, rec->d, rec->x, rec->is_wide)
                                                  : rec->x;
    uint32_t b = 0;
    if (class != MSP430_MOVE) {
        unsigned last = bits == 20 ? 2 : 1; /* cycles of an access */
        bool is_last = class == MSP430_TEST && c->is_cpux;
        b = read_sized(c, address, bits, is_last ? last : 2 * last);
    }
    uint32_t result = operate(i->s, rec->row, a, b, bits);
    if (class != MSP430_TEST)
        write_sized(c, address, result, bits);
}

static void execute_shift(const struct at *i)
{
    struct msp430_core *c = i->c;
    const struct msp430_record *rec = i->rec;
    unsigned bits = rec->bits;
    if (rec->source == MSP430_AT_REGISTER) {
        /* SXT of a word reaches bit 19 in a register of CPUX. */
        uint32_t keep = rec->row == MSP430_ROW_sxt ? c->register_mask : msp430_mask(bits);
        for (unsigned n = rec->is_extended ? repetitions(i) : 1; n > 0; n--) {
            uint32_t b = get_register(c, rec->s) & msp430_mask(bits);
            clear_carry(i);
            put_register(i, rec->s, operate(i->s, rec->row, 0, b, bits) & keep);
        }
        return;
    }
    uint32_t address, b = fetch(i, &address);
    uint32_t result = operate(i->s, rec->row, 0, b, bits);
    if (address != UINT32_MAX)
        write_sized(c, address, result, bits);
}

/* The stack */

void msp430_push_word(struct msp430_core *c, uint32_t value, unsigned back)
{
    set_sp(c, (c->r[MSP430_SP] - 2) & c->register_mask);
    write_word(c, c->r[MSP430_SP], value, back);
}

/* `back` of the last word. */
static void push_sized(struct msp430_core *c, uint32_t value, unsigned bits, unsigned back)
{
    if (bits == 8) {
        set_sp(c, (c->r[MSP430_SP] - 2) & c->register_mask);
        write_bytes(c, c->r[MSP430_SP], value, 1, back);
        return;
    }
    if (bits == 20)
        msp430_push_word(c, value >> 16 & 0xf, back + 1);
    msp430_push_word(c, value, back);
}

static uint32_t pop_sized(struct msp430_core *c, unsigned bits, unsigned back)
{
    uint32_t value = read_sized(c, c->r[MSP430_SP], bits, back);
    set_sp(c, c->r[MSP430_SP] + (bits == 20 ? 4 : 2));
    return value;
}

static void execute_push(const struct at *i)
{
    const struct msp430_record *rec = i->rec;
    uint32_t address, value = fetch(i, &address);
    bool is_repeated = rec->is_extended && rec->source <= MSP430_AT_CONSTANT;
    for (unsigned n = is_repeated ? repetitions(i) : 1; n > 0; n--)
        push_sized(i->c, is_repeated ? fetch(i, &address) : value, rec->bits, n);
}

static void execute_call(const struct at *i, unsigned bits)
{
    struct msp430_core *c = i->c;
    uint32_t address, target = fetch(i, &address);
    push_sized(c, 2 * msp430_index(c), bits, 1);
    c->last_call_bytes = bits == 20 ? 4 : 2;
    msp430_go(c, target, i->pc);
}

static void execute_reti(const struct at *i)
{
    struct msp430_core *c = i->c;
    struct core *core = &c->core;
    unsigned cycles = i->rec->cycles;
    uint32_t sr = pop_sized(c, 16, cycles - 1), pc = pop_sized(c, 16, cycles - 2);
    if (c->is_cpux)
        pc |= (sr & 0xf000) << 4;
    msp430_go(c, pc, i->pc);
    core->cycle = c->horizon - (uint64_t)c->live.left;
    if (core->port.irq_return)
        core->port.irq_return(core->port.chip);
    core_isr_leave(core);
    msp430_write_sr(c, sr);
    /* The next interrupt need not wait for an instruction. */
    c->hold = 0;
    core_attention(core);
    msp430_reload(c, core->cycle);
}

static void execute_rotate(const struct at *i)
{
    const struct msp430_record *rec = i->rec;
    unsigned bits = rec->bits;
    uint32_t b = get_register(i->c, rec->d) & msp430_mask(bits);
    for (unsigned n = rec->k; n > 0; n--)
        b = operate(i->s, rec->row, 0, b, bits) & msp430_mask(bits);
    put_register(i, rec->d, b);
}

static void execute_pushm(const struct at *i)
{
    struct msp430_core *c = i->c;
    const struct msp430_record *rec = i->rec;
    unsigned words = rec->bits == 20 ? 2 : 1;
    for (unsigned n = 0; n < rec->k; n++)
        push_sized(c, get_register(c, (rec->d - n) & 15) & msp430_mask(rec->bits), rec->bits,
                   (rec->k - 1 - n) * words + 1);
}

static void execute_popm(const struct at *i)
{
    const struct msp430_record *rec = i->rec;
    unsigned words = rec->bits == 20 ? 2 : 1;
    for (unsigned n = 0; n < rec->k; n++)
        put_register(i, (rec->d + n) & 15, pop_sized(i->c, rec->bits, rec->cycles - 1 - n * words));
}

void msp430_execute(struct msp430_core *c, const struct msp430_record *rec)
{
    struct at i = {c, &c->live, rec, (2 * msp430_index(c) - 2u * rec->words) & c->register_mask};
    switch (msp430_rows[rec->row].class) {
    case MSP430_MOVE:
    case MSP430_ADDR_MOVE: execute_double(&i, MSP430_MOVE); break;
    case MSP430_RMW:
    case MSP430_ADDR_RMW: execute_double(&i, MSP430_RMW); break;
    case MSP430_TEST:
    case MSP430_ADDR_TEST: execute_double(&i, MSP430_TEST); break;
    case MSP430_SHIFT: execute_shift(&i); break;
    case MSP430_PUSH: execute_push(&i); break;
    case MSP430_CALL: execute_call(&i, 16); break;
    case MSP430_CALLA: execute_call(&i, 20); break;
    case MSP430_RETI: execute_reti(&i); break;
    case MSP430_JUMP:
        if (operate(i.s, rec->row, 0, 0, 16))
            c->live.ip += (int32_t)rec->k - 1;
        break;
    case MSP430_ROTATE: execute_rotate(&i); break;
    case MSP430_PUSHM: execute_pushm(&i); break;
    case MSP430_POPM: execute_popm(&i); break;
    case MSP430_EXTENSION: break;
    }
}
