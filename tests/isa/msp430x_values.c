/*
 * CPUX against a second interpreter (msp430x_naive.c), written from the family guide by somebody
 * who had not seen isa/: random instructions one after the other, registers and flags after each,
 * all 1 MiB of memory after each batch. What the guide leaves undefined is not compared: V after
 * DADD and RLAM, decimal digits above 9, words at odd addresses, PC, SR and CG where nobody says
 * what they do.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "isa/msp430x_naive.h"
#include "msp430_rig.h"

enum { BATCHES = 40, TRIALS = 5000, AT = 0x8000 };
enum { FLAGS = MSP430_SR_C | MSP430_SR_Z | MSP430_SR_N | MSP430_SR_V };

struct trial {
    uint16_t words[4];
    unsigned count;
    uint32_t registers[16]; /* before */
    uint32_t address;
    uint32_t flags; /* that are compared */
};

static uint32_t pick(uint64_t *random, uint32_t count)
{
    return rig_random(random) % count;
}

/* An even address in one of the places that hold data, below 64 KB and above. */
static uint32_t data_address(uint64_t *random)
{
    static const uint32_t places[] = {0x02000, 0x0f000, 0x10000, 0x20000, 0xa0000};
    return places[pick(random, 5)] + (rig_random(random) & 0xffe);
}

static unsigned general_register(uint64_t *random)
{
    return 4 + pick(random, 12);
}

/* A register to be read: now and then SP or a constant. */
static unsigned source_register(uint64_t *random)
{
    return pick(random, 12) == 0   ? MSP430_CG
           : pick(random, 12) == 0 ? MSP430_SP
                                   : general_register(random);
}

static void add_word(struct trial *t, uint32_t word)
{
    t->words[t->count++] = (uint16_t)word;
}

/* Words and registers so that the operand in `mode` lies at data. `high`: bits 19:16 to go into the
 * extension word. */
static void point(struct trial *t, uint64_t *random, unsigned mode, unsigned reg, bool is_wide,
                  unsigned *high)
{
    uint32_t target = data_address(random);
    *high = 0;
    if (reg == MSP430_CG || mode == 0)
        return;
    if (mode >= 2) {
        t->registers[reg] = target;
        return;
    }
    if (reg == MSP430_SR) {
        if (!is_wide)
            target = 0x2000 + (target & 0xffe);
        add_word(t, target);
        *high = target >> 16;
        return;
    }
    uint32_t index =
        is_wide ? rig_random(random) & 0xffffe : (rig_random(random) & 0xffe) - 0x800; /* signed */
    uint32_t base = (target - index) & 0xfffff;
    if (!is_wide && target < 0x10000)
        base &= 0xffff;
    /* Below 64 KB the sum stays there; so a base above reaches only what lies above or just below.
     */
    t->registers[reg] = base;
    add_word(t, index);
    *high = index >> 16 & 15;
}

static void make_double(struct trial *t, uint64_t *random, bool is_extended)
{
    unsigned op = 4 + pick(random, 12), mode = pick(random, 4), to_memory = pick(random, 2);
    unsigned s = source_register(random), d = general_register(random);
    unsigned size = pick(random, is_extended ? 3 : 2); /* byte, word, address */
    bool is_byte = size == 0;
    if (mode == 1 && pick(random, 4) == 0)
        s = MSP430_SR; /* absolute */
    if (to_memory && pick(random, 4) == 0)
        d = MSP430_SR;
    if (mode == 3 && pick(random, 4) == 0)
        s = MSP430_PC; /* immediate */
    if (op == 10) {
        mode = 0, to_memory = 0;
        s = general_register(random), d = general_register(random);
        t->flags &= ~(uint32_t)MSP430_SR_V;
        for (unsigned i = 4; i < 16; i++)
            for (unsigned at = 0; at < 20; at += 4)
                t->registers[i] = (t->registers[i] & ~(15u << at)) | pick(random, 10) << at;
    }
    if (s == MSP430_SP && mode == 3 && is_byte)
        mode = 2;
    /* One register cannot be the base of two addresses. */
    if (to_memory && s == d && mode > 0 && d != MSP430_SR)
        d = d == 15 ? 4 : d + 1;
    unsigned ext_at = t->count, source_high = 0, other_high = 0;
    if (is_extended)
        add_word(t, 0);
    unsigned byte_bit = size != 1;
    add_word(t, op << 12 | s << 8 | to_memory << 7 | byte_bit << 6 | mode << 4 | d);
    if (s == MSP430_PC) {
        add_word(t, rig_random(random));
        source_high = pick(random, 16);
    } else {
        point(t, random, mode, s, is_extended, &source_high);
    }
    if (to_memory)
        point(t, random, 1, d, is_extended, &other_high);
    if (!is_extended)
        return;
    unsigned a_l = size == 2 ? 0 : 0x40;
    if (mode == 0 && to_memory == 0) {
        unsigned repeat = pick(random, 3) == 0 ? 0x80 | general_register(random) : pick(random, 16);
        t->words[ext_at] = (uint16_t)(0x1800 | a_l | repeat | (pick(random, 2) << 8));
    } else {
        t->words[ext_at] = (uint16_t)(0x1800 | a_l | source_high << 7 | other_high);
    }
}

static void make_single(struct trial *t, uint64_t *random, bool is_extended)
{
    unsigned op = pick(random, is_extended ? 5 : 6), mode = pick(random, 4);
    unsigned s = general_register(random), size = pick(random, is_extended ? 3 : 2), high = 0;
    bool is_shift = op < 4, has_byte = op == 0 || op == 2 || op == 4;
    if (!has_byte && size == 0)
        size = 1;
    if (op == 5)
        size = 1;
    if (!is_shift && mode == 3 && pick(random, 3) == 0)
        s = MSP430_PC;
    unsigned ext_at = t->count;
    if (is_extended)
        add_word(t, 0);
    unsigned byte_bit = has_byte ? size != 1 : 0;
    add_word(t, 0x1000 | op << 7 | byte_bit << 6 | mode << 4 | s);
    if (s == MSP430_PC) {
        add_word(t, rig_random(random) & 0xfffe);
        high = is_extended ? pick(random, 16) : 0;
    } else {
        point(t, random, mode, s, is_extended, &high);
    }
    if (!is_extended)
        return;
    unsigned a_l = size == 2 ? 0 : 0x40;
    unsigned repeat = op == 4 ? 0 : pick(random, 16) | (op == 0 ? pick(random, 2) << 8 : 0);
    t->words[ext_at] = (uint16_t)(0x1800 | a_l | (mode == 0 ? repeat : high));
}

static void make_address(struct trial *t, uint64_t *random)
{
    static const unsigned forms[] = {0, 1, 2, 3, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    unsigned form = forms[pick(random, 14)], s = general_register(random),
             d = general_register(random);
    uint32_t target = data_address(random);
    switch (form) {
    case 0:
    case 1:
        t->registers[s] = target;
        add_word(t, s << 8 | form << 4 | d);
        break;
    case 2:
        add_word(t, target >> 16 << 8 | 0x20 | d);
        add_word(t, target);
        break;
    case 6:
        add_word(t, s << 8 | 0x60 | target >> 16);
        add_word(t, target);
        break;
    case 3:
    case 7: {
        /* No sum that leaves its 64 KB. */
        uint32_t index = (rig_random(random) & 0xffe) - 0x800;
        unsigned base = form == 3 ? s : d;
        if (form == 7 && s == d)
            s = s == 15 ? 4 : s + 1;
        target = (target & 0xf0000) | 0x4000 | (target & 0xffe);
        t->registers[base] = target - index;
        add_word(t, s << 8 | form << 4 | d);
        add_word(t, index);
        break;
    }
    case 8:
    case 9:
    case 10:
    case 11:
        add_word(t, pick(random, 16) << 8 | form << 4 | d);
        add_word(t, rig_random(random));
        break;
    default: add_word(t, s << 8 | form << 4 | d);
    }
}

static void make_other(struct trial *t, uint64_t *random)
{
    unsigned r = general_register(random), n, wide = pick(random, 2);
    switch (pick(random, 5)) {
    case 0:
        n = pick(random, 4);
        add_word(t, n << 10 | (rig_random(random) & 0x300) | 0x40 | wide << 4 | r);
        if ((t->words[0] >> 8 & 3) == 2)
            t->flags &= ~(uint32_t)MSP430_SR_V;
        break;
    case 1: /* PUSHM, downwards from r */
        n = 1 + pick(random, r - 3);
        add_word(t, 0x1400 | wide << 8 | (n - 1) << 4 | r);
        break;
    case 2: /* POPM, upwards from r */
        n = 1 + pick(random, 16 - r);
        add_word(t, 0x1600 | wide << 8 | (n - 1) << 4 | r);
        break;
    case 3: {
        static const unsigned forms[] = {4, 6, 7, 8, 11};
        unsigned form = forms[pick(random, 5)];
        uint32_t target = data_address(random);
        t->registers[r] = target;
        add_word(t, 0x1300 | form << 4 | (form >= 8 ? target >> 16 : r));
        if (form >= 8)
            add_word(t, target);
        break;
    }
    default: add_word(t, 0x2000 + pick(random, 0x2000));
    }
}

static void make(struct trial *t, uint64_t *random)
{
    *t = (struct trial){.flags = FLAGS, .address = AT + (pick(random, 4) == 0 ? 0x30000 : 0)};
    t->address += rig_random(random) & 0x3ff8;
    for (unsigned i = 4; i < 16; i++)
        t->registers[i] = rig_random(random) & 0xfffff;
    t->registers[MSP430_SP] = data_address(random) | 0x100;
    t->registers[MSP430_SP] &= 0xffffeu;
    t->registers[MSP430_SR] = rig_random(random) & FLAGS;
    switch (pick(random, 6)) {
    case 0: make_double(t, random, false); break;
    case 1:
    case 2: make_double(t, random, true); break;
    case 3: make_single(t, random, pick(random, 2)); break;
    case 4: make_address(t, random); break;
    default: make_other(t, random);
    }
}

static void compare(struct msp430_rig *rig, const struct naive *naive, const struct trial *t,
                    unsigned n)
{
    char text[100];
    uint8_t code[8];
    memcpy(code, t->words, sizeof code);
    (void)rig->core->class->disassemble(rig->core->class, text, sizeof text, code, 8, t->address);
    for (unsigned i = 0; i < 16; i++) {
        uint32_t ours = rig_get(rig, i), theirs = naive->r[i], mask = 0xfffff;
        if (i == MSP430_CG)
            continue;
        /* An odd program counter is a fault of ours, and even again there. */
        if (i == MSP430_PC || i == MSP430_SP)
            mask = 0xffffe;
        if (i == MSP430_SR)
            mask = t->flags;
        if ((ours & mask) != (theirs & mask))
            fail_msg("trial %u, %s at 0x%05x: %s is 0x%05x, the naive interpreter has 0x%05x", n,
                     text, (unsigned)t->address, rig->core->class->register_name(i), (unsigned)ours,
                     (unsigned)theirs);
    }
}

static void one_batch(const char *core_name, uint64_t seed)
{
    uint64_t random = seed;
    struct msp430_rig *rig = rig_new(core_name, NULL);
    struct core *core = rig->core;
    struct naive naive = {.mem = malloc(rig->memory_bytes)};
    assert_non_null(naive.mem);
    for (uint32_t i = 0x200; i < rig->memory_bytes; i++)
        rig->memory[i] = (uint8_t)rig_random(&random);
    memcpy(naive.mem, rig->memory, rig->memory_bytes);
    for (unsigned n = 0; n < TRIALS; n++) {
        struct trial t;
        make(&t, &random);
        rig_put(rig, t.address, t.words, 4);
        memcpy(naive.mem + t.address, rig->memory + t.address, 8);
        for (unsigned i = 1; i < 16; i++) {
            rig_set(rig, i, t.registers[i]);
            naive.r[i] = t.registers[i];
        }
        core->class->set_pc(core, t.address);
        naive.r[0] = t.address;
        core->fault = (struct core_fault){0};
        core->asleep = false;
        (void)rig_step(rig);
        if (core->fault.reason && strcmp(core->fault.reason, "illegal instruction") == 0)
            fail_msg("trial %u: ours has no 0x%04x 0x%04x", n, t.words[0], t.words[1]);
        if (naive_step(&naive) != 0)
            fail_msg("trial %u: the naive interpreter has no 0x%04x 0x%04x", n, t.words[0],
                     t.words[1]);
        compare(rig, &naive, &t, n);
    }
    for (uint32_t i = 0x200; i < rig->memory_bytes; i++)
        if (rig->memory[i] != naive.mem[i])
            fail_msg("memory at 0x%05x is 0x%02x, the naive interpreter has 0x%02x", (unsigned)i,
                     rig->memory[i], naive.mem[i]);
    free(naive.mem);
    rig_free(rig);
}

static void cpux_equals_the_naive_interpreter(void **state)
{
    (void)state;
    for (unsigned batch = 0; batch < BATCHES; batch++)
        one_batch(batch & 1 ? "msp430xv2" : "msp430x", 1 + batch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cpux_equals_the_naive_interpreter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
