#include "msp430x_naive.h"

#include <stdbool.h>

enum { PC = 0, SP = 1, SR = 2, CG = 3 };
enum { FLAG_C = 0x001, FLAG_Z = 0x002, FLAG_N = 0x004, FLAG_V = 0x100 };
enum { UNKNOWN = 1 };

/* The width of an operation, in bits. */
enum size { SIZE_BYTE = 8, SIZE_WORD = 16, SIZE_ADDRESS = 20 };

/* Where an operand is. */
struct place {
    enum { IN_REGISTER, IN_MEMORY, CONSTANT } kind;
    uint32_t where; /* register number, memory address or the value itself */
};

/* What the extension word says, if there is one. */
struct extension {
    bool present;
    uint32_t word;
};

static uint32_t address_of(uint32_t sum)
{
    return sum & 0xfffff;
}

static uint32_t mask_of(enum size size)
{
    return (UINT32_C(1) << size) - 1;
}

static uint32_t top_bit_of(enum size size)
{
    return UINT32_C(1) << (size - 1);
}

/* 16 bits with sign, to 32. */
static uint32_t extend_16(uint32_t word)
{
    return (word & 0x8000) ? word | 0xffff0000u : word;
}

/* ---- memory: little endian; an address is two words, bits 31:20 of them zero ---- */

static uint32_t read_word(const struct naive *n, uint32_t address)
{
    address = address_of(address) & ~UINT32_C(1);
    return n->mem[address] | (uint32_t)n->mem[address + 1] << 8;
}

static void write_word(struct naive *n, uint32_t address, uint32_t value)
{
    address = address_of(address) & ~UINT32_C(1);
    n->mem[address] = (uint8_t)(value & 0xff);
    n->mem[address + 1] = (uint8_t)(value >> 8 & 0xff);
}

static uint32_t read_memory(const struct naive *n, uint32_t address, enum size size)
{
    if (size == SIZE_BYTE)
        return n->mem[address_of(address)];
    if (size == SIZE_WORD)
        return read_word(n, address);
    return read_word(n, address) | (read_word(n, address + 2) & 0xf) << 16;
}

static void write_memory(struct naive *n, uint32_t address, enum size size, uint32_t value)
{
    if (size == SIZE_BYTE) {
        n->mem[address_of(address)] = (uint8_t)(value & 0xff);
        return;
    }
    write_word(n, address, value & 0xffff);
    if (size == SIZE_ADDRESS)
        write_word(n, address + 2, value >> 16 & 0xf);
}

/* ---- registers ---- */

/* A register takes the result of a byte or a word with zeros above it. */
static void write_register(struct naive *n, uint32_t number, enum size size, uint32_t value)
{
    value &= mask_of(size);
    if (number == CG)
        return;
    if (number == PC || number == SP)
        value &= ~UINT32_C(1);
    if (number == SR)
        value &= 0xffff;
    n->r[number] = value;
}

static uint32_t fetch(struct naive *n)
{
    uint32_t word = read_word(n, n->r[PC]);
    n->r[PC] = address_of(n->r[PC] + 2);
    return word;
}

static void push(struct naive *n, enum size size, uint32_t value)
{
    n->r[SP] = address_of(n->r[SP] - (size == SIZE_ADDRESS ? 4 : 2));
    write_memory(n, n->r[SP], size, value); /* of a byte: the high byte of the word stays */
}

static uint32_t pop(struct naive *n, enum size size)
{
    uint32_t value = read_memory(n, n->r[SP], size);
    n->r[SP] = address_of(n->r[SP] + (size == SIZE_ADDRESS ? 4 : 2));
    return value;
}

/* ---- flags ---- */

static bool flag(const struct naive *n, uint32_t which)
{
    return (n->r[SR] & which) != 0;
}

static void put_flag(struct naive *n, uint32_t which, bool on)
{
    if (on)
        n->r[SR] |= which;
    else
        n->r[SR] &= ~which;
}

static void put_n_and_z(struct naive *n, enum size size, uint32_t result)
{
    put_flag(n, FLAG_N, (result & top_bit_of(size)) != 0);
    put_flag(n, FLAG_Z, (result & mask_of(size)) == 0);
}

/* ---- arithmetic that sets the flags ---- */

static uint32_t add(struct naive *n, enum size size, uint32_t a, uint32_t b, uint32_t carry)
{
    a &= mask_of(size);
    b &= mask_of(size);
    uint32_t sum = a + b + carry;
    bool a_negative = (a & top_bit_of(size)) != 0;
    bool b_negative = (b & top_bit_of(size)) != 0;
    bool sum_negative = (sum & top_bit_of(size)) != 0;
    put_n_and_z(n, size, sum);
    put_flag(n, FLAG_C, sum > mask_of(size));
    put_flag(n, FLAG_V, a_negative == b_negative && sum_negative != a_negative);
    return sum & mask_of(size);
}

/* destination - source as the guide has it: destination + not source + 1 (or + carry). */
static uint32_t subtract(struct naive *n, enum size size, uint32_t source, uint32_t destination,
                         uint32_t carry)
{
    return add(n, size, ~source, destination, carry);
}

/* V is undefined afterwards; it is left alone. */
static uint32_t add_decimal(struct naive *n, enum size size, uint32_t a, uint32_t b, uint32_t carry)
{
    uint32_t result = 0;
    for (unsigned at = 0; at < (unsigned)size; at += 4) {
        uint32_t digit = (a >> at & 0xf) + (b >> at & 0xf) + carry;
        carry = digit > 9;
        if (carry)
            digit -= 10;
        result |= (digit & 0xf) << at;
    }
    put_n_and_z(n, size, result);
    put_flag(n, FLAG_C, carry != 0);
    return result;
}

static uint32_t logic_and(struct naive *n, enum size size, uint32_t a, uint32_t b)
{
    uint32_t result = a & b & mask_of(size);
    put_n_and_z(n, size, result);
    put_flag(n, FLAG_C, result != 0);
    put_flag(n, FLAG_V, false);
    return result;
}

static uint32_t logic_xor(struct naive *n, enum size size, uint32_t a, uint32_t b)
{
    uint32_t result = (a ^ b) & mask_of(size);
    put_n_and_z(n, size, result);
    put_flag(n, FLAG_C, result != 0);
    put_flag(n, FLAG_V, (a & b & top_bit_of(size)) != 0); /* both were negative */
    return result;
}

/* One place to the right, `top` coming in. */
static uint32_t shift_right(struct naive *n, enum size size, uint32_t value, bool top)
{
    uint32_t result = (value & mask_of(size)) >> 1;
    if (top)
        result |= top_bit_of(size);
    put_n_and_z(n, size, result);
    put_flag(n, FLAG_C, (value & 1) != 0);
    put_flag(n, FLAG_V, false);
    return result;
}

/* ---- operands ---- */

static uint32_t read_place(const struct naive *n, struct place place, enum size size)
{
    if (place.kind == IN_REGISTER)
        return (place.where == CG ? 0 : n->r[place.where]) & mask_of(size);
    if (place.kind == IN_MEMORY)
        return read_memory(n, place.where, size);
    return place.where & mask_of(size);
}

static void write_place(struct naive *n, struct place place, enum size size, uint32_t value)
{
    if (place.kind == IN_REGISTER)
        write_register(n, place.where, size, value);
    else if (place.kind == IN_MEMORY)
        write_memory(n, place.where, size, value);
}

/* x(Rn), symbolic (Rn is the PC, at the word of the index) and absolute (Rn is SR). */
static struct place find_indexed(struct naive *n, uint32_t number,
                                 const struct extension *extension, uint32_t high)
{
    uint32_t base = number == SR || number == CG ? 0 : n->r[number];
    uint32_t index = fetch(n);
    uint32_t address;
    if (extension->present)
        address = address_of(base + (high << 16 | index));
    else if (base < 0x10000)
        address = (base + index) & 0xffff; /* the lower 64 KB close on themselves */
    else
        address = address_of(base + extend_16(index));
    return (struct place){IN_MEMORY, address};
}

/* The source of format I and the operand of format II. `high` is bits 19:16 of an index, an address
 * or an immediate, from the extension word. */
static struct place find_operand(struct naive *n, uint32_t mode, uint32_t number, enum size size,
                                 const struct extension *extension, uint32_t high)
{
    if (number == CG && mode == 0)
        return (struct place){CONSTANT, 0};
    if (number == CG && mode == 1)
        return (struct place){CONSTANT, 1};
    if (number == CG && mode == 2)
        return (struct place){CONSTANT, 2};
    if (number == CG && mode == 3)
        return (struct place){CONSTANT, 0xfffff};
    if (number == SR && mode == 2)
        return (struct place){CONSTANT, 4};
    if (number == SR && mode == 3)
        return (struct place){CONSTANT, 8};

    if (mode == 0)
        return (struct place){IN_REGISTER, number};
    if (mode == 1)
        return find_indexed(n, number, extension, high);
    if (mode == 3 && number == PC)
        return (struct place){CONSTANT, high << 16 | fetch(n)};

    uint32_t address = n->r[number];
    if (mode == 3) {
        uint32_t step = size == SIZE_ADDRESS ? 4 : size == SIZE_WORD ? 2 : 1;
        if (number == SP && step == 1)
            step = 2; /* SP stays even */
        n->r[number] = address_of(address + step);
    }
    return (struct place){IN_MEMORY, address};
}

/* How often an instruction in register mode is executed. */
static unsigned repetitions(const struct naive *n, const struct extension *extension)
{
    if (!extension->present)
        return 1;
    uint32_t low = extension->word & 0xf;
    if (extension->word & 0x80)
        return 1 + (low == CG ? 0 : n->r[low] & 0xf);
    return 1 + low;
}

/* ---- format I: two operands ---- */

static int execute_double(struct naive *n, uint32_t word, const struct extension *extension)
{
    uint32_t op = word >> 12;
    uint32_t source_number = word >> 8 & 0xf;
    bool to_memory = (word & 0x80) != 0;
    bool byte_bit = (word & 0x40) != 0;
    uint32_t mode = word >> 4 & 3;
    uint32_t destination_number = word & 0xf;

    bool register_mode = mode == 0 && !to_memory;
    enum size size = byte_bit ? SIZE_BYTE : SIZE_WORD;
    uint32_t source_high = 0, destination_high = 0;
    unsigned times = 1;
    bool zero_carry = false;
    if (extension->present) {
        bool a_l = (extension->word & 0x40) != 0;
        if (!a_l && !byte_bit)
            return UNKNOWN;
        if (!a_l)
            size = SIZE_ADDRESS;
        if (register_mode) {
            times = repetitions(n, extension);
            zero_carry = (extension->word & 0x100) != 0;
        } else {
            source_high = extension->word >> 7 & 0xf;
            destination_high = extension->word & 0xf;
        }
    }

    struct place from = find_operand(n, mode, source_number, size, extension, source_high);
    uint32_t early_source = read_place(n, from, size);
    struct place to = {IN_REGISTER, destination_number};
    if (to_memory)
        to = find_indexed(n, destination_number, extension, destination_high);

    for (unsigned i = 0; i < times; i++) {
        /* A register that is source and destination changes from one repetition to the next. */
        uint32_t source = i == 0 ? early_source : read_place(n, from, size);
        uint32_t destination = read_place(n, to, size);
        uint32_t carry = flag(n, FLAG_C) && !zero_carry ? 1 : 0;
        uint32_t result = 0;
        bool is_written = true;
        switch (op) {
        case 0x4: result = source; break;                                        /* MOV */
        case 0x5: result = add(n, size, source, destination, 0); break;          /* ADD */
        case 0x6: result = add(n, size, source, destination, carry); break;      /* ADDC */
        case 0x7: result = subtract(n, size, source, destination, carry); break; /* SUBC */
        case 0x8: result = subtract(n, size, source, destination, 1); break;     /* SUB */
        case 0x9:                                                                /* CMP */
            (void)subtract(n, size, source, destination, 1);
            is_written = false;
            break;
        case 0xa: result = add_decimal(n, size, source, destination, carry); break; /* DADD */
        case 0xb:                                                                   /* BIT */
            (void)logic_and(n, size, source, destination);
            is_written = false;
            break;
        case 0xc: result = destination & ~source; break;                   /* BIC */
        case 0xd: result = destination | source; break;                    /* BIS */
        case 0xe: result = logic_xor(n, size, source, destination); break; /* XOR */
        case 0xf: result = logic_and(n, size, source, destination); break; /* AND */
        default: return UNKNOWN;
        }
        if (is_written)
            write_place(n, to, size, result);
    }
    return 0;
}

/* ---- format II: one operand ---- */

static void swap_bytes(struct naive *n, struct place place, enum size size)
{
    uint32_t value = read_place(n, place, size);
    uint32_t result = (value & 0xf0000) | (value & 0xff) << 8 | (value >> 8 & 0xff);
    write_place(n, place, size, result);
}

/* A register is filled up to bit 19 whatever the size. */
static void extend_sign(struct naive *n, struct place place, enum size size)
{
    if (place.kind == IN_REGISTER)
        size = SIZE_ADDRESS;
    uint32_t result = read_place(n, place, size) & 0xff;
    if (result & 0x80)
        result |= 0xfff00;
    result &= mask_of(size);
    put_n_and_z(n, size, result);
    put_flag(n, FLAG_C, result != 0);
    put_flag(n, FLAG_V, false);
    write_place(n, place, size, result);
}

static int execute_single(struct naive *n, uint32_t word, const struct extension *extension)
{
    uint32_t op = word >> 7 & 7;
    bool byte_bit = (word & 0x40) != 0;
    uint32_t mode = word >> 4 & 3;
    uint32_t number = word & 0xf;
    bool is_swpb = op == 1, is_sxt = op == 3, is_call = op == 5;

    /* These have no byte form; their .A form has both bits zero. */
    bool has_no_byte = is_swpb || is_sxt || is_call;
    if (has_no_byte && byte_bit)
        return UNKNOWN;
    if (is_call && extension->present)
        return UNKNOWN;

    enum size size = byte_bit ? SIZE_BYTE : SIZE_WORD;
    uint32_t high = 0;
    unsigned times = 1;
    bool zero_carry = false;
    if (extension->present) {
        bool a_l = (extension->word & 0x40) != 0;
        if (!a_l && !byte_bit && !has_no_byte)
            return UNKNOWN;
        if (!a_l)
            size = SIZE_ADDRESS;
        if (mode == 0) {
            times = repetitions(n, extension);
            zero_carry = (extension->word & 0x100) != 0;
        } else {
            high = extension->word & 0xf;
        }
    }

    struct place place = find_operand(n, mode, number, size, extension, high);
    for (unsigned i = 0; i < times; i++) {
        uint32_t value = read_place(n, place, size);
        bool top;
        switch (op) {
        case 0: /* RRC; RRU with the carry as zero */
            top = flag(n, FLAG_C) && !zero_carry;
            write_place(n, place, size, shift_right(n, size, value, top));
            break;
        case 1: swap_bytes(n, place, size); break;
        case 2: /* RRA */
            top = (value & top_bit_of(size)) != 0;
            write_place(n, place, size, shift_right(n, size, value, top));
            break;
        case 3: extend_sign(n, place, size); break;
        case 4: push(n, size, value); break;
        case 5: /* CALL: within the lower 64 KB */
            push(n, SIZE_WORD, n->r[PC] & 0xffff);
            write_register(n, PC, SIZE_WORD, value);
            break;
        default: return UNKNOWN;
        }
    }
    return 0;
}

/* 0x1300 and up: RETI and CALLA. */
static int execute_reti_or_calla(struct naive *n, uint32_t word)
{
    uint32_t low = word & 0xf, target, base, status;
    switch (word >> 4 & 0xf) {
    case 0x0: /* RETI */
        if (low != 0)
            return UNKNOWN;
        status = pop(n, SIZE_WORD);
        n->r[PC] = (status & 0xf000) << 4 | (pop(n, SIZE_WORD) & 0xfffe);
        n->r[SR] = status & 0x0fff;
        return 0;
    case 0x4: target = low == CG ? 0 : n->r[low]; break;
    case 0x5:
        base = n->r[low];
        target = read_memory(n, base + extend_16(fetch(n)), SIZE_ADDRESS);
        break;
    case 0x6: target = read_memory(n, n->r[low], SIZE_ADDRESS); break;
    case 0x7:
        target = read_memory(n, n->r[low], SIZE_ADDRESS);
        n->r[low] = address_of(n->r[low] + 4);
        break;
    case 0x8: target = read_memory(n, low << 16 | fetch(n), SIZE_ADDRESS); break;
    case 0x9:
        base = n->r[PC];
        target = read_memory(n, base + (low << 16 | fetch(n)), SIZE_ADDRESS);
        break;
    case 0xb: target = low << 16 | fetch(n); break;
    default: return UNKNOWN;
    }
    push(n, SIZE_ADDRESS, n->r[PC]);
    write_register(n, PC, SIZE_ADDRESS, target);
    return 0;
}

/* ---- 0x0000 to 0x0fff: address instructions and the shifts by 1 to 4 ---- */

static void shift_multiple(struct naive *n, uint32_t word)
{
    uint32_t number = word & 0xf;
    enum size size = (word & 0x10) ? SIZE_WORD : SIZE_ADDRESS;
    uint32_t value = n->r[number] & mask_of(size);
    for (uint32_t times = 1 + (word >> 10 & 3); times > 0; times--) {
        bool top = (value & top_bit_of(size)) != 0;
        switch (word >> 8 & 3) {
        case 0: value = shift_right(n, size, value, flag(n, FLAG_C)); break; /* RRCM */
        case 1: value = shift_right(n, size, value, top); break;             /* RRAM */
        case 2:                                                              /* RLAM */
            value = value << 1 & mask_of(size);
            put_n_and_z(n, size, value);
            put_flag(n, FLAG_C, top);
            break;
        default: value = shift_right(n, size, value, false); break; /* RRUM */
        }
    }
    write_register(n, number, size, value);
}

static int execute_address(struct naive *n, uint32_t word)
{
    uint32_t s = word >> 8 & 0xf, d = word & 0xf, value, base;
    uint32_t source = s == CG ? 0 : n->r[s];
    switch (word >> 4 & 0xf) {
    case 0x0: /* MOVA @Rs,Rd */
        write_register(n, d, SIZE_ADDRESS, read_memory(n, n->r[s], SIZE_ADDRESS));
        return 0;
    case 0x1: /* MOVA @Rs+,Rd */
        value = read_memory(n, n->r[s], SIZE_ADDRESS);
        n->r[s] = address_of(n->r[s] + 4);
        write_register(n, d, SIZE_ADDRESS, value);
        return 0;
    case 0x2: /* MOVA &abs,Rd */
        value = read_memory(n, s << 16 | fetch(n), SIZE_ADDRESS);
        write_register(n, d, SIZE_ADDRESS, value);
        return 0;
    case 0x3: /* MOVA x(Rs),Rd */
        base = n->r[s];
        value = read_memory(n, base + extend_16(fetch(n)), SIZE_ADDRESS);
        write_register(n, d, SIZE_ADDRESS, value);
        return 0;
    case 0x4:
    case 0x5: shift_multiple(n, word); return 0;
    case 0x6: /* MOVA Rs,&abs */
        write_memory(n, d << 16 | fetch(n), SIZE_ADDRESS, source);
        return 0;
    case 0x7: /* MOVA Rs,x(Rd) */
        base = n->r[d];
        write_memory(n, base + extend_16(fetch(n)), SIZE_ADDRESS, source);
        return 0;
    case 0x8:
    case 0x9:
    case 0xa:
    case 0xb: source = s << 16 | fetch(n); break; /* immediate */
    default: break;                               /* register */
    }
    switch (word >> 4 & 3) {
    case 0: value = source; break; /* MOVA */
    case 1: /* CMPA */ (void)subtract(n, SIZE_ADDRESS, source, n->r[d], 1); return 0;
    case 2: value = add(n, SIZE_ADDRESS, source, n->r[d], 0); break;       /* ADDA */
    default: value = subtract(n, SIZE_ADDRESS, source, n->r[d], 1); break; /* SUBA */
    }
    write_register(n, d, SIZE_ADDRESS, value);
    return 0;
}

/* ---- 0x1400 to 0x17ff: PUSHM and POPM ---- */

static int execute_push_pop_multiple(struct naive *n, uint32_t word)
{
    bool is_pop = (word & 0x200) != 0;
    enum size size = (word & 0x100) ? SIZE_WORD : SIZE_ADDRESS;
    uint32_t count = 1 + (word >> 4 & 0xf), number = word & 0xf;
    for (uint32_t i = 0; i < count; i++) {
        if (is_pop)
            write_register(n, (number + i) & 0xf, size, pop(n, size));
        else
            push(n, size, n->r[(number - i) & 0xf]);
    }
    return 0;
}

/* ---- 0x2000 to 0x3fff: jumps ---- */

static int execute_jump(struct naive *n, uint32_t word)
{
    bool is_taken = true;
    switch (word >> 10 & 7) {
    case 0: is_taken = !flag(n, FLAG_Z); break;
    case 1: is_taken = flag(n, FLAG_Z); break;
    case 2: is_taken = !flag(n, FLAG_C); break;
    case 3: is_taken = flag(n, FLAG_C); break;
    case 4: is_taken = flag(n, FLAG_N); break;
    case 5: is_taken = flag(n, FLAG_N) == flag(n, FLAG_V); break;
    case 6: is_taken = flag(n, FLAG_N) != flag(n, FLAG_V); break;
    default: break;
    }
    uint32_t offset = word & 0x3ff;
    if (offset & 0x200)
        offset |= 0xfffffc00u;
    if (is_taken)
        n->r[PC] = address_of(n->r[PC] + offset * 2);
    return 0;
}

static int execute(struct naive *n)
{
    struct extension extension = {false, 0};
    uint32_t word = fetch(n);
    if ((word & 0xf800) == 0x1800) {
        extension = (struct extension){true, word};
        word = fetch(n);
    }
    if (word >= 0x4000)
        return execute_double(n, word, &extension);
    if (word >= 0x1000 && word < 0x1300)
        return execute_single(n, word, &extension);
    if (extension.present)
        return UNKNOWN;
    if (word < 0x1000)
        return execute_address(n, word);
    if (word < 0x1400)
        return execute_reti_or_calla(n, word);
    if (word < 0x1800)
        return execute_push_pop_multiple(n, word);
    if (word < 0x2000)
        return UNKNOWN;
    return execute_jump(n, word);
}

int naive_step(struct naive *naive)
{
    /* Nothing is written to memory before the opcode is known. */
    struct naive before = *naive;
    int status = execute(naive);
    if (status != 0)
        *naive = before;
    return status;
}
