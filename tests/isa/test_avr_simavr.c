/*
 * Random instructions on our avre core and on libsimavr: registers, SREG, SP, PC, data memory and
 * cycles equal after each. Both get the same adjustments before a step, so that pointers and the
 * stack stay in RAM; what the registers held before otherwise stays, from one instruction to the
 * next.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sim_avr.h>
#include <sim_core.h>

#include "avr_rig.h"
#include "isa/simavr_leaks.h"

enum { DATA_SREG = 0x5f, DATA_SPL = 0x5d, DATA_SPH = 0x5e, DATA_RAMPZ = 0x5b, DATA_EIND = 0x5c };

struct pair {
    struct avr_rig *rig;
    avr_t *avr;
    uint32_t flash_bytes, ram_base, ram_bytes;
    bool pc22;
    uint64_t random;
    unsigned executed[AVR_ROWS];
};

static void pair_open(struct pair *p, const char *mcu, uint32_t flash_bytes, uint32_t ram_base,
                      uint32_t ram_bytes, bool pc22, uint64_t seed)
{
    *p = (struct pair){.flash_bytes = flash_bytes,
                       .ram_base = ram_base,
                       .ram_bytes = ram_bytes,
                       .pc22 = pc22,
                       .random = seed};
    p->rig = rig_new("avre", flash_bytes, ram_base, ram_bytes, pc22 ? "{pc_bits: 22}" : NULL);
    p->avr = avr_make_mcu_by_name(mcu);
    assert_non_null(p->avr);
    avr_init(p->avr);
    p->avr->log = LOG_ERROR;
    p->avr->codeend = flash_bytes;
}

static void pair_close(struct pair *p)
{
    avr_terminate(p->avr);
    free(p->avr);
    rig_free(p->rig);
}

static void set_word(struct pair *p, uint32_t index, uint16_t word)
{
    rig_word(p->rig, index, word);
    p->avr->flash[2 * index] = (uint8_t)word;
    p->avr->flash[2 * index + 1] = (uint8_t)(word >> 8);
}

static void set_register(struct pair *p, unsigned number, uint8_t value)
{
    rig_avr(p->rig)->r[number] = value;
    p->avr->data[number] = value;
}

static void set_sp(struct pair *p, uint16_t sp)
{
    p->rig->core->class->set_register(p->rig->core, 33, sp);
    p->avr->data[DATA_SPL] = (uint8_t)sp;
    p->avr->data[DATA_SPH] = (uint8_t)(sp >> 8);
}

static void set_pc(struct pair *p, uint32_t address)
{
    p->rig->core->class->set_pc(p->rig->core, address);
    p->avr->pc = address;
}

static uint8_t simavr_sreg(const struct pair *p)
{
    unsigned sreg = 0;
    for (unsigned bit = 0; bit < 8; bit++)
        sreg |= (unsigned)(p->avr->sreg[bit] & 1) << bit;
    return (uint8_t)sreg;
}

/* Would this instruction leave plain memory or what libsimavr knows? Adjusts what it can. */
static bool prepare(struct pair *p, const struct avr_row *row, const struct avr_operands *o,
                    uint32_t index)
{
    uint32_t middle = p->ram_base + 256 + rig_random(&p->random) % (p->ram_bytes - 512);
    switch (row->class) {
    case AVR_LOAD:
    case AVR_STORE:
        if (strstr(row->name, "lds") || strstr(row->name, "sts")) {
            set_word(p, index + 1, (uint16_t)middle);
            return true;
        }
        for (unsigned pair = 26; pair <= 30; pair += 2) {
            set_register(p, pair, (uint8_t)middle);
            set_register(p, pair + 1, (uint8_t)(middle >> 8));
        }
        return true;
    case AVR_RCALL:
    case AVR_CALL:
    case AVR_ECALL:
    case AVR_RET:
        set_sp(p, (uint16_t)middle);
        if (row->class == AVR_RET) {
            uint32_t to = rig_random(&p->random) % (p->flash_bytes / 2 - 64) + 32;
            for (unsigned i = 0, bytes = p->pc22 ? 3 : 2; i < bytes; i++) {
                uint8_t byte = (uint8_t)(to >> 8 * (bytes - 1 - i));
                p->rig->ram[middle + 1 + i - p->ram_base] = byte;
                p->avr->data[middle + 1 + i] = byte;
            }
        }
        break;
    default: break;
    }
    if (strcmp(row->name, "push") == 0 || strcmp(row->name, "pop") == 0)
        set_sp(p, (uint16_t)middle);
    if (row->class == AVR_JUMP || row->class == AVR_CALL || row->class == AVR_EJUMP ||
        row->class == AVR_ECALL || strstr(row->name, "lpm")) {
        uint32_t to = rig_random(&p->random) % (p->flash_bytes / 2 - 64) + 32;
        set_register(p, 30, (uint8_t)to);
        set_register(p, 31, (uint8_t)(to >> 8));
        if (strcmp(row->name, "jmp") == 0 || strcmp(row->name, "call") == 0) {
            set_word(p, index, (uint16_t)(0x940c | (row->class == AVR_CALL ? 2 : 0) | to >> 16));
            set_word(p, index + 1, (uint16_t)to);
        }
        if (p->pc22) {
            rig_avr(p->rig)->eind = p->avr->data[DATA_EIND] = (uint8_t)(to >> 16);
            rig_avr(p->rig)->ramp[AVR_RAMPZ] = p->avr->data[DATA_RAMPZ] = (uint8_t)(to >> 16);
        }
    }
    (void)o;
    return true;
}

/* Rows that are not compared here, each with the reason. */
static bool is_excluded(const struct avr_row *row)
{
    static const char *const names[] = {
        "in",      "out",    "sbi",    "cbi",      "sbic",    "sbis", /* devices: tests of their own
                                                                       */
        "in_sreg", "in_spl", "in_sph", "out_sreg", "out_spl", "out_sph", "sei",
        "reti",    "sleep", /* interrupts: tests of their own */
        "spm",     "break",  "wdr",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(row->name, names[i]) == 0)
            return true;
    return row->cycles[AVR_E] == 0;
}

static bool is_compared(const struct pair *p, const struct avr_row *row)
{
    bool wide = row->class == AVR_ELPM || row->class == AVR_EJUMP || row->class == AVR_ECALL;
    return !is_excluded(row) && (p->pc22 || !wide);
}

/* The manual leaves undefined what a pointer holds that an instruction both moves and loads or
 * stores. */
static bool is_undefined(const struct avr_row *row, uint16_t word)
{
    struct avr_operands o;
    avr_operands_of(&o, row, word, 0);
    bool moves = strstr(row->name, "_inc") || strstr(row->name, "_dec");
    unsigned pair = strstr(row->name, "_x_") ? 26 : strstr(row->name, "_y_") ? 28 : 30;
    return moves && (o.d & ~1u) == pair;
}

/* A random instruction of a row of the table, its operands at random. */
static uint16_t random_word(struct pair *p, const struct avr_row **row)
{
    for (;;) {
        uint16_t word = (uint16_t)rig_random(&p->random);
        unsigned id = rig_random(&p->random) % AVR_ROWS;
        struct avr_form form;
        avr_form_of(&form, avr_rows[id].encoding);
        word = (uint16_t)((word & ~form.mask) | form.match);
        int found = avr_row_find(word);
        *row = &avr_rows[found];
        if (is_excluded(*row) || is_undefined(*row, word))
            continue;
        if (!p->pc22 &&
            ((*row)->class == AVR_ELPM || (*row)->class == AVR_EJUMP || (*row)->class == AVR_ECALL))
            continue;
        return word;
    }
}

static void compare(struct pair *p, const char *text, uint64_t cycles, uint64_t simavr_cycles)
{
    struct core *core = p->rig->core;
    const struct core_class *class = core->class;
    if (cycles != simavr_cycles)
        fail_msg("%s: %u cycles, simavr %u", text, (unsigned)cycles, (unsigned)simavr_cycles);
    if (class->pc(core) != p->avr->pc)
        fail_msg("%s: pc 0x%x, simavr 0x%x", text, class->pc(core), p->avr->pc);
    for (unsigned i = 0; i < 32; i++)
        if (class->get_register(core, i) != p->avr->data[i])
            fail_msg("%s: r%u 0x%x, simavr 0x%x", text, i, class->get_register(core, i),
                     p->avr->data[i]);
    if (class->get_register(core, 32) != simavr_sreg(p))
        fail_msg("%s: SREG 0x%02x, simavr 0x%02x", text, class->get_register(core, 32),
                 simavr_sreg(p));
    uint32_t sp = p->avr->data[DATA_SPL] | (uint32_t)p->avr->data[DATA_SPH] << 8;
    if (class->sp(core) != sp)
        fail_msg("%s: SP 0x%x, simavr 0x%x", text, class->sp(core), sp);
    if (memcmp(p->rig->ram, p->avr->data + p->ram_base, p->ram_bytes) != 0)
        fail_msg("%s: data memory differs", text);
    if (p->pc22 && rig_avr(p->rig)->ramp[AVR_RAMPZ] != p->avr->data[DATA_RAMPZ])
        fail_msg("%s: RAMPZ differs", text);
}

static void step(struct pair *p)
{
    const struct avr_row *row;
    uint32_t index = rig_avr(p->rig)->records ? avr_index(rig_avr(p->rig)) : 0;
    if (index < 3000 || index + 3000 > p->flash_bytes / 2) {
        index = p->flash_bytes / 4;
        set_pc(p, 2 * index);
    }
    uint16_t word = random_word(p, &row);
    set_word(p, index, word);
    /* What may be skipped has one word or two. */
    set_word(p, index + 1, rig_random(&p->random) & 1 ? 0x9000 : 0x0000);
    set_word(p, index + 2, 0x0000);
    struct avr_operands operands;
    avr_operands_of(&operands, row, word, 0);
    if (rig_random(&p->random) % 4 == 0) {
        set_register(p, operands.d, (uint8_t)rig_random(&p->random));
        set_register(p, operands.r & 31, (uint8_t)rig_random(&p->random));
    }
    if (!prepare(p, row, &operands, index))
        return;

    char text[64];
    p->rig->core->class->disassemble(p->rig->core->class, text, sizeof text,
                                     p->rig->flash + 2 * index, 4, 2 * index);
    uint64_t before = p->rig->core->cycle, simavr_before = p->avr->cycle;
    assert_int_equal(rig_step(p->rig), CORE_DEADLINE);
    p->avr->run_cycle_count = 1;
    p->avr->pc = avr_run_one(p->avr);
    p->executed[row - avr_rows]++;
    compare(p, text, p->rig->core->cycle - before, p->avr->cycle - simavr_before);
}

static void random_stream(const char *mcu, uint32_t flash_bytes, uint32_t ram_base,
                          uint32_t ram_bytes, bool pc22, uint64_t seed, unsigned count)
{
    struct pair p;
    pair_open(&p, mcu, flash_bytes, ram_base, ram_bytes, pc22, seed);
    for (unsigned i = 0; i < 32; i++)
        set_register(&p, i, (uint8_t)rig_random(&p.random));
    memcpy(p.rig->ram, p.avr->data + ram_base, ram_bytes);
    set_sp(&p, (uint16_t)(ram_base + ram_bytes - 1));
    for (unsigned i = 0; i < count; i++)
        step(&p);
    assert_true(p.rig->core->instructions == count);
    for (int row = 0; row < AVR_ROWS; row++)
        if (is_compared(&p, &avr_rows[row]) && p.executed[row] < count / 1000)
            fail_msg("%s: executed %u times only", avr_rows[row].name, p.executed[row]);
    pair_close(&p);
}

static void test_random_atmega328p(void **state)
{
    (void)state;
    random_stream("atmega328p", 0x8000, 0x100, 0x800, false, 328, 100000);
}

static void test_random_atmega2560(void **state)
{
    (void)state;
    random_stream("atmega2560", 0x40000, 0x200, 0x2000, true, 2560, 100000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_atmega328p),
        cmocka_unit_test(test_random_atmega2560),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
