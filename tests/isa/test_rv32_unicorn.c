/*
 * The base set (RV32IMAC without control and status registers) against Unicorn: seeded streams of
 * valid instructions of both lengths; after each stream the same registers and the same memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <unicorn/unicorn.h>

#include "isa/rv32/rv32_table.h"
#include "rv32_rig.h"

enum { STREAMS = 400, LENGTH = 300, DATA = RIG_RAM + 0x40000, DATA_BYTES = 0x2000 };

static bool is_base(int row)
{
    switch (rv32_rows[row].class) {
    case RV32_ALU:
    case RV32_SDIV:
    case RV32_UDIV:
    case RV32_LOAD:
    case RV32_STORE:
    case RV32_BRANCH:
    case RV32_JAL:
    case RV32_AMO: break;
    default: return false;
    }
    /* Rows up to the first of Zba. */
    return row < RV32_ROW_sh1add;
}

static const uint8_t base_register = 9; /* s1 points into the data */

/* Puts a random instruction; its bytes. */
static unsigned put_random(uint8_t *at, uint64_t *seed)
{
    for (;;) {
        uint32_t code = rig_random(seed);
        struct rv32_found found;
        struct rv32_form form;
        if (rig_random(seed) % 2) {
            const struct rv32_short *s = &rv32_shorts[rig_random(seed) % RV32_SHORTS];
            rv32_form_of(&form, s->encoding);
        } else {
            rv32_form_of(&form, rv32_rows[rig_random(seed) % RV32_ROWS].encoding);
        }
        code = (code & ~form.mask) | form.match;
        rv32_find(&found, code);
        /* Not Zcb, which comes behind the shorts of C. */
        if (found.row < 0 || !is_base(found.row) || found.short_ >= RV32_SHORT_c_lbu)
            continue;
        enum rv32_class class = rv32_rows[found.row].class;
        const struct rv32_operands *o = &found.operands;
        bool memory = class == RV32_LOAD || class == RV32_STORE || class == RV32_AMO;
        if (o->d == base_register && class != RV32_STORE && class != RV32_BRANCH)
            continue;
        /* To the instruction behind the next one: of either length, filled with two c.nop. */
        if (class == RV32_BRANCH || class == RV32_JAL) {
            if (found.bytes == 2 && o->k != 6 && o->k != 4)
                continue;
            if (found.bytes == 4) {
                code = class == RV32_JAL ? (code & 0xfff) | 8u << 20 : (code & 0x01fff07f) | 8 << 7;
            }
        }
        if (memory) {
            uint32_t size = strchr("bh", rv32_rows[found.row].name[1]) ? 1 : 4;
            if (rv32_rows[found.row].name[1] == 'h')
                size = 2;
            if (o->s != base_register || (o->k & (size - 1)) != 0)
                continue;
        }
        memcpy(at, &code, found.bytes);
        unsigned bytes = found.bytes;
        if (class == RV32_BRANCH || class == RV32_JAL) {
            static const uint8_t nops[6] = {1, 0, 1, 0, 1, 0};
            unsigned fill = found.bytes == 2 ? o->k - 2 : 4;
            memcpy(at + bytes, nops, fill);
            bytes += fill;
        }
        return bytes;
    }
}

static void run_stream(uint64_t seed, uc_engine *uc)
{
    struct rv32_rig *rig = rig_new();
    static uint8_t program[8 * LENGTH + 64], memory[DATA_BYTES], theirs[DATA_BYTES];
    size_t bytes = 0;
    for (unsigned i = 0; i < LENGTH; i++)
        bytes += put_random(program + bytes, &seed);
    /* A loop on itself at the end, for both. */
    memcpy(program + bytes, (const uint8_t[]){0x01, 0xa0}, 2);
    for (size_t i = 0; i < DATA_BYTES; i++)
        memory[i] = (uint8_t)rig_random(&seed);
    rig_poke(rig, RIG_RAM, program, bytes + 2);
    rig_poke(rig, DATA, memory, DATA_BYTES);
    assert_int_equal(uc_mem_write(uc, RIG_RAM, program, bytes + 2), UC_ERR_OK);
    assert_int_equal(uc_mem_write(uc, DATA, memory, DATA_BYTES), UC_ERR_OK);
    (void)uc_ctl_remove_cache(uc, RIG_RAM, RIG_RAM + sizeof program);
    for (unsigned i = 1; i < 32; i++) {
        uint32_t value = rig_random(&seed);
        if (rig_random(&seed) % 4 == 0)
            value = (uint32_t)(int32_t)(int8_t)value;
        if (i == base_register)
            value = DATA + 0x1000;
        rig->core->class->set_register(rig->core, i, value);
        assert_int_equal(uc_reg_write(uc, UC_RISCV_REG_X0 + (int)i, &value), UC_ERR_OK);
    }
    uint32_t end = RIG_RAM + (uint32_t)bytes;
    rig->core->class->watch(rig->core, end, true);
    enum core_stop stop = rig_run(rig, 100000);
    if (stop != CORE_WATCH)
        fail_msg("stopped with %d: %s %s", stop,
                 rig->core->fault.reason ? rig->core->fault.reason : "", rig->core->fault.detail);
    uc_err err = uc_emu_start(uc, RIG_RAM, end, 0, 0);
    if (err != UC_ERR_OK)
        fail_msg("unicorn: %s", uc_strerror(err));
    for (unsigned i = 1; i < 32; i++) {
        uint32_t value;
        uc_reg_read(uc, UC_RISCV_REG_X0 + (int)i, &value);
        if (value != rig->core->class->get_register(rig->core, i))
            fail_msg("x%u: 0x%08x, unicorn 0x%08x", i, rig->core->class->get_register(rig->core, i),
                     value);
    }
    assert_int_equal(uc_mem_read(uc, DATA, theirs, DATA_BYTES), UC_ERR_OK);
    assert_memory_equal(theirs, rig->ram + (DATA - RIG_RAM), DATA_BYTES);
    rig_free(rig);
}

static void test_streams(void **state)
{
    (void)state;
    uc_engine *uc;
    assert_int_equal(uc_open(UC_ARCH_RISCV, UC_MODE_RISCV32, &uc), UC_ERR_OK);
    assert_int_equal(uc_mem_map(uc, RIG_RAM, RIG_RAM_BYTES, UC_PROT_ALL), UC_ERR_OK);
    for (unsigned i = 0; i < STREAMS; i++)
        run_stream(1000 + i, uc);
    uc_close(uc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_streams)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
