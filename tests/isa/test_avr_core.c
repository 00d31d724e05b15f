/*
 * What an AVR core does beyond its instructions: interrupts and their delays, sleep, its own
 * registers in data space, the cycle of each access, the lowest stack pointer, watches, faults,
 * changed code.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "avr_rig.h"

enum { SREG = 32, SP = 33, AT = 0x80 /* word address of the programs below */ };

static uint32_t reg(struct avr_rig *rig, unsigned number)
{
    return rig->core->class->get_register(rig->core, number);
}

static void set(struct avr_rig *rig, unsigned number, uint32_t value)
{
    rig->core->class->set_register(rig->core, number, value);
}

static uint32_t pc_word(struct avr_rig *rig)
{
    return rig->core->class->pc(rig->core) / 2;
}

/* Puts the words at AT, and the program counter there. */
#define PROGRAM(rig, ...)                                   \
    do {                                                    \
        const uint16_t words_[] = {__VA_ARGS__};            \
        for (uint32_t i_ = 0; i_ < sizeof words_ / 2; i_++) \
            rig_word(rig, AT + i_, words_[i_]);             \
        (rig)->core->class->set_pc((rig)->core, 2 * AT);    \
    } while (0)

static struct avr_rig *mega(void)
{
    return rig_new("avre", 0x8000, 0x100, 0x800, NULL);
}

static struct avr_rig *xmega(const char *options)
{
    return rig_new("avrxm", 0x22000, 0x2000, 0x2000, options);
}

static void raise_irq(struct avr_rig *rig, int number)
{
    rig->irq_number = number;
    rig->core->irq_pending = true;
}

enum {
    NOP = 0x0000,
    SEI = 0x9478,
    CLI = 0x94f8,
    RET = 0x9508,
    RETI = 0x9518,
    SLEEP = 0x9588,
    INC_R20 = 0x9543,
    OUT_SPL_R28 = 0xbfcd,
    OUT_SPH_R29 = 0xbfde,
    OUT_SREG_R16 = 0xbf0f,
    RCALL_SELF_PLUS_1 = 0xd000,
};

/* Interrupts */

static void test_interrupt_entry_on_avre(void **state)
{
    (void)state;
    struct avr_rig *rig = mega();
    PROGRAM(rig, NOP, NOP);
    set(rig, SREG, 0x80 | 0x03);
    set(rig, SP, 0x400);
    raise_irq(rig, 16);
    uint64_t before = rig->core->cycle;
    rig_step(rig);
    assert_int_equal(rig->core->cycle - before, 4);
    assert_int_equal(pc_word(rig), 32);
    assert_int_equal(reg(rig, SREG), 0x03); /* I is cleared, the rest stays */
    assert_int_equal(reg(rig, SP), 0x3fe);
    assert_int_equal(rig->ram[0x400 - 0x100], AT & 0xff);
    assert_int_equal(rig->ram[0x3ff - 0x100], AT >> 8);
    assert_int_equal(rig->core->instructions, 0);
    assert_int_equal(rig->core->isr_depth, 1);

    rig_word(rig, 32, RETI);
    rig_step(rig);
    assert_int_equal(rig->irq_returned, 1);
    assert_int_equal(reg(rig, SREG), 0x83);
    assert_int_equal(pc_word(rig), AT);
    assert_int_equal(rig->core->cycle - before, 8);
    assert_int_equal(rig->core->isr_cycles, 8);
    assert_int_equal(rig->core->isr_depth, 0);
    assert_int_equal(rig->core->instructions, 1);
    rig_free(rig);
}

static void test_interrupt_entry_on_avrxm(void **state)
{
    (void)state;
    struct avr_rig *rig = xmega("{pc_bits: 22}");
    rig_word(rig, 0x10080, NOP);
    rig->core->class->set_pc(rig->core, 0x20100);
    set(rig, SREG, 0x80);
    set(rig, SP, 0x3000);
    raise_irq(rig, 14);
    uint64_t before = rig->core->cycle;
    rig_step(rig);
    assert_int_equal(rig->core->cycle - before, 3);
    assert_int_equal(pc_word(rig), 28);
    assert_int_equal(reg(rig, SREG), 0x80); /* I stays: the controller keeps the level */
    assert_int_equal(reg(rig, SP), 0x2ffd);
    assert_int_equal(rig->ram[0x3000 - 0x2000], 0x80);
    assert_int_equal(rig->ram[0x2fff - 0x2000], 0x00);
    assert_int_equal(rig->ram[0x2ffe - 0x2000], 0x01);
    set(rig, SREG, 0); /* RETI leaves I alone */
    rig_word(rig, 28, RETI);
    rig_step(rig);
    assert_int_equal(reg(rig, SREG), 0);
    assert_int_equal(rig->core->class->pc(rig->core), 0x20100);
    assert_int_equal(rig->irq_returned, 1);
    rig_free(rig);
}

/* How many instructions are executed before a pending interrupt is taken. */
static unsigned delay(struct avr_rig *rig)
{
    raise_irq(rig, 7);
    for (unsigned executed = 0; executed < 20; executed++) {
        uint64_t before = rig->core->instructions;
        rig_step(rig);
        if (rig->core->instructions == before)
            return rig->irq_taken ? executed : 99;
    }
    return 99;
}

static void test_one_instruction_behind_sei(void **state)
{
    (void)state;
    struct avr_rig *rig = mega();
    PROGRAM(rig, SEI, NOP, NOP, NOP);
    assert_int_equal(delay(rig), 2); /* SEI and the one behind it */
    rig_free(rig);

    rig = mega();
    PROGRAM(rig, NOP, NOP, SEI, CLI, NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP,
            NOP, NOP, NOP, NOP, NOP, NOP, NOP);
    assert_int_equal(delay(rig), 99); /* closed again in time */
    rig_free(rig);

    /* The delay is of one instruction, not until the next interrupt. */
    rig = mega();
    PROGRAM(rig, SEI, NOP, NOP, NOP);
    rig_step(rig);
    rig_step(rig);
    rig_step(rig);
    assert_int_equal(delay(rig), 0);
    rig_free(rig);
}

static void test_one_instruction_behind_a_write_of_sreg(void **state)
{
    (void)state;
    struct avr_rig *rig = mega();
    set(rig, 16, 0x80);
    PROGRAM(rig, OUT_SREG_R16, NOP, NOP);
    assert_int_equal(delay(rig), 2);
    rig_free(rig);

    rig = mega();
    set(rig, 16, 0x80);
    PROGRAM(rig, 0x9300, 0x005f, NOP, NOP); /* sts 0x5f, r16 */
    assert_int_equal(delay(rig), 2);
    assert_int_equal(reg(rig, SREG), 0x00); /* cleared by the interrupt */
    rig_free(rig);
}

static void test_one_instruction_behind_reti(void **state)
{
    (void)state;
    const char *const cores[] = {"avre", "avrxm", "avrxt"};
    for (int i = 0; i < 3; i++) {
        struct avr_rig *rig = rig_new(cores[i], 0x8000, 0x2000, 0x1000, NULL);
        PROGRAM(rig, RETI, NOP);
        rig_word(rig, 0x200, NOP);
        rig_word(rig, 0x201, NOP);
        set(rig, SREG, 0x80);
        set(rig, SP, 0x2400);
        rig->ram[0x401] = 0x02;
        rig->ram[0x402] = 0x00;
        uint64_t before = rig->core->instructions;
        rig_step(rig);
        assert_int_equal(pc_word(rig), 0x200);
        assert_int_equal(delay(rig), 1);
        assert_int_equal(rig->core->instructions - before, 2);
        rig_free(rig);
    }
}

static void test_writes_of_spl_hold_interrupts_on_avrxm(void **state)
{
    (void)state;
    struct avr_rig *rig = xmega(NULL);
    PROGRAM(rig, OUT_SPL_R28, NOP, NOP, NOP, NOP, NOP, NOP);
    set(rig, SREG, 0x80);
    set(rig, 29, 0x30);
    rig_step(rig);
    assert_int_equal(delay(rig), 4);
    rig_free(rig);

    /* Until the next write to I/O: SPH is one. */
    rig = xmega(NULL);
    PROGRAM(rig, OUT_SPL_R28, OUT_SPH_R29, NOP, NOP, NOP, NOP);
    set(rig, SREG, 0x80);
    set(rig, 28, 0x10);
    set(rig, 29, 0x30);
    rig_step(rig);
    assert_int_equal(delay(rig), 1);
    assert_int_equal(reg(rig, SP), 0x3010 - 2);
    rig_free(rig);

    /* Not on AVRe. */
    rig = mega();
    PROGRAM(rig, OUT_SPL_R28, NOP, NOP);
    set(rig, SREG, 0x80);
    set(rig, SP, 0x400);
    rig_step(rig);
    assert_int_equal(delay(rig), 0);
    rig_free(rig);
}

static void test_a_signature_in_ccp_holds_interrupts(void **state)
{
    (void)state;
    struct avr_rig *rig = xmega(NULL);
    set(rig, 16, 0xd8);
    set(rig, SREG, 0x80);
    PROGRAM(rig, 0xbf04, NOP, NOP, NOP, NOP, NOP); /* out 0x34, r16 */
    rig_step(rig);
    assert_int_equal(delay(rig), 4);
    assert_int_equal(rig->io[0x34], 0xd8); /* and the chip sees it */
    rig_free(rig);

    /* SEI within the window does not shorten it. */
    rig = xmega(NULL);
    set(rig, 16, 0x9d);
    PROGRAM(rig, 0xbf04, SEI, NOP, NOP, NOP, NOP);
    rig_step(rig);
    assert_int_equal(delay(rig), 4);
    rig_free(rig);

    rig = xmega(NULL);
    set(rig, 16, 0x55);
    set(rig, SREG, 0x80);
    PROGRAM(rig, 0xbf04, NOP, NOP);
    rig_step(rig);
    assert_int_equal(delay(rig), 0);
    rig_free(rig);
}

static void test_sleep_and_wake(void **state)
{
    (void)state;
    struct avr_rig *rig = mega();
    PROGRAM(rig, SLEEP, NOP);
    set(rig, SREG, 0x80);
    assert_int_equal(rig_run(rig, 100), CORE_SLEEP);
    assert_true(rig->core->asleep);
    assert_int_equal(rig->core->cycle, 1);
    assert_int_equal(pc_word(rig), AT + 1);
    assert_int_equal(rig_run(rig, 100), CORE_SLEEP); /* nothing goes on */
    assert_int_equal(rig->core->cycle, 1);
    rig->core->asleep = false;
    rig->core->woken = true;
    raise_irq(rig, 2);
    rig_step(rig);
    assert_int_equal(rig->core->cycle, 1 + 4 + 4);
    assert_false(rig->core->woken);
    /* Without sleep before it the next one costs the plain time. */
    rig_word(rig, 4, NOP);
    set(rig, SREG, 0x80);
    raise_irq(rig, 2);
    rig_step(rig);
    assert_int_equal(rig->core->cycle, 1 + 8 + 4);
    rig_free(rig);
}

static void test_sei_sleep_sleeps_before_the_interrupt(void **state)
{
    (void)state;
    struct avr_rig *rig = mega();
    PROGRAM(rig, SEI, SLEEP, NOP);
    raise_irq(rig, 2);
    assert_int_equal(rig_run(rig, 100), CORE_SLEEP);
    assert_int_equal(pc_word(rig), AT + 2);
    assert_int_equal(rig->irq_taken, 0);
    rig_free(rig);
}

static void test_no_interrupt_after_all(void **state)
{
    (void)state;
    struct avr_rig *rig = mega();
    PROGRAM(rig, INC_R20, INC_R20);
    set(rig, SREG, 0x80);
    raise_irq(rig, -1);
    rig_step(rig);
    assert_int_equal(reg(rig, 20), 1);
    assert_int_equal(rig->core->isr_depth, 0);
    rig_free(rig);
}

/* The lowest stack pointer */

static void test_lowest_stack_pointer(void **state)
{
    (void)state;
    struct avr_rig *rig = mega();
    assert_int_equal(reg(rig, SP), 0x8ff); /* where RAM ends */
    assert_int_equal(rig->core->sp_low, 0x8ff);
    PROGRAM(rig, 0x931f, 0x931f, 0x911f, RCALL_SELF_PLUS_1, NOP); /* push, push, pop, rcall */
    for (int i = 0; i < 4; i++)
        rig_step(rig);
    assert_int_equal(reg(rig, SP), 0x8fc);
    assert_int_equal(rig->core->sp_low, 0x8fc);

    /* As avr-gcc opens a frame on ATmega: high half, SREG, low half. In between SP is meaningless.
     */
    set(rig, SP, 0x700);
    rig->core->sp_low = 0x700;
    set(rig, 28, 0xf0);
    set(rig, 29, 0x06);
    PROGRAM(rig, OUT_SPH_R29, OUT_SREG_R16, OUT_SPL_R28);
    rig_step(rig);
    assert_int_equal(rig->core->sp_low, 0x700); /* 0x600 never counted */
    rig_step(rig);
    rig_step(rig);
    assert_int_equal(rig->core->sp_low, 0x6f0);
    /* A low half alone, time and again: the second write shows that no high half belongs to it. */
    set(rig, 28, 0x80);
    PROGRAM(rig, OUT_SPL_R28, OUT_SPL_R28);
    rig_step(rig);
    rig_step(rig);
    assert_int_equal(rig->core->sp_low, 0x680);
    rig_free(rig);

    /* As avr-gcc does it on XMEGA: low half, high half. */
    rig = xmega(NULL);
    set(rig, SP, 0x3010);
    rig->core->sp_low = 0x3010;
    set(rig, 28, 0xf0);
    set(rig, 29, 0x2f);
    PROGRAM(rig, OUT_SPL_R28, OUT_SPH_R29);
    rig_step(rig);
    rig_step(rig);
    assert_int_equal(rig->core->sp_low, 0x2ff0);
    rig_free(rig);
}

static void test_a_handler_leaves_the_lowest_stack_pointer_alone(void **state)
{
    (void)state;
    struct avr_rig *rig = mega();
    PROGRAM(rig, NOP, NOP);
    set(rig, SREG, 0x80);
    rig_word(rig, 10, 0x931f); /* push r17 */
    rig_word(rig, 11, 0x911f); /* pop r17 */
    rig_word(rig, 12, RETI);
    raise_irq(rig, 5);
    for (int i = 0; i < 4; i++)
        rig_step(rig);
    assert_int_equal(pc_word(rig), AT);
    assert_int_equal(rig->core->sp_low, 0x8ff);
    rig_free(rig);
}

/* Registers in data space */

static void test_own_registers_in_data_space(void **state)
{
    (void)state;
    struct avr_rig *rig = mega();
    set(rig, 20, 0xa5);
    set(rig, 26, 20); /* X = address of r20 on AVRe */
    set(rig, 27, 0);
    PROGRAM(rig, 0x910c, 0x931c);
    rig_step(rig); /* ld r16, X */
    assert_int_equal(reg(rig, 16), 0xa5);
    set(rig, 17, 0x5a);
    rig_step(rig); /* st X, r17 */
    assert_int_equal(reg(rig, 20), 0x5a);

    PROGRAM(rig, 0x9100, 0x005d, 0x9110, 0x005e, 0x9120, 0x005f); /* lds r16..r18 */
    set(rig, SP, 0x1234);
    set(rig, SREG, 0x2b);
    rig_step(rig);
    rig_step(rig);
    rig_step(rig);
    assert_int_equal(reg(rig, 16), 0x34);
    assert_int_equal(reg(rig, 17), 0x12);
    assert_int_equal(reg(rig, 18), 0x2b);
    PROGRAM(rig, 0x9300, 0x005e, 0x9300, 0x005d, 0x9320, 0x005f); /* sts */
    set(rig, 18, 0x54);
    rig_step(rig);
    rig_step(rig);
    rig_step(rig);
    assert_int_equal(reg(rig, SP), 0x3434);
    assert_int_equal(reg(rig, SREG), 0x54);
    assert_int_equal(rig->access_count, 0); /* no device saw any of it */
    rig_free(rig);

    /* On XMEGA data address = I/O address, and r0..r31 are not in data space. */
    rig = xmega("{pc_bits: 22}");
    PROGRAM(rig, 0x9300, 0x003c, 0x9300, 0x003b, 0x9110, 0x003c, 0x9120, 0x0014);
    set(rig, 16, 1);
    set(rig, 20, 0xee);
    rig->io[0x14] = 0x77;
    for (int i = 0; i < 4; i++)
        rig_step(rig);
    assert_int_equal(rig->core->class->get_register(rig->core, 39), 1); /* EIND */
    assert_int_equal(rig->core->class->get_register(rig->core, 38), 1); /* RAMPZ */
    assert_int_equal(reg(rig, 17), 1);
    assert_int_equal(reg(rig, 18), 0x77);
    rig_free(rig);
}

static void test_sreg_keeps_every_value(void **state)
{
    (void)state;
    struct avr_rig *rig = mega();
    PROGRAM(rig, OUT_SREG_R16, 0xb71f); /* out, in r17, SREG */
    for (unsigned value = 0; value < 256; value++) {
        rig->core->class->set_pc(rig->core, 2 * AT);
        set(rig, 16, value);
        rig_step(rig);
        rig_step(rig);
        assert_int_equal(reg(rig, 17), value);
        assert_int_equal(reg(rig, SREG), value);
    }
    rig_free(rig);
}

/* The cycle of an access */

static void expect_access(struct avr_rig *rig, unsigned i, uint64_t cycle, bool write)
{
    assert_true(i < rig->access_count);
    assert_int_equal(rig->accesses[i].cycle, cycle);
    assert_int_equal(rig->accesses[i].write, write);
}

static void test_cycle_of_accesses(void **state)
{
    (void)state;
    struct avr_rig *rig = mega();
    PROGRAM(rig, 0xb105, 0xb905, 0x9100, 0x0070, 0x9300, 0x0070, 0x9a2b, 0x992b, NOP);
    for (int i = 0; i < 6; i++)
        rig_step(rig);
    expect_access(rig, 0, 0, false); /* in r16, 5 */
    expect_access(rig, 1, 1, true);  /* out 5, r16 */
    expect_access(rig, 2, 3, false); /* lds: 2, 3 */
    expect_access(rig, 3, 5, true);  /* sts: 4, 5 */
    expect_access(rig, 4, 6, false); /* sbi 5, 3: 6 reads, 7 writes */
    expect_access(rig, 5, 7, true);
    expect_access(rig, 6, 8, false); /* sbic 5, 3 */
    rig_free(rig);

    rig = xmega(NULL);
    PROGRAM(rig, 0xb105, 0x9100, 0x0070, 0x9300, 0x0070, 0x9a2b, 0x992b, NOP);
    for (int i = 0; i < 5; i++)
        rig_step(rig);
    expect_access(rig, 0, 0, false); /* in */
    expect_access(rig, 1, 2, false); /* lds of I/O: 1, 2 */
    expect_access(rig, 2, 4, true);  /* sts: 3, 4 */
    expect_access(rig, 3, 5, false); /* sbi: one cycle for both */
    expect_access(rig, 4, 5, true);
    expect_access(rig, 5, 7, false); /* sbic: 6, 7 */
    rig_free(rig);
}

static void test_values_of_input_and_output(void **state)
{
    (void)state;
    const char *const cores[] = {"avre", "avrxm", "avrxt"};
    for (int i = 0; i < 3; i++) {
        struct avr_rig *rig = rig_new(cores[i], 0x8000, 0x2000, 0x1000, NULL);
        uint32_t base = i == 0 ? 0x20 : 0;
        rig->io[base + 0x3a] = 0xc3;
        /* in r18, 0x3a; out 0x1c, r18; sbi 0x1c, 2; cbi 0x1c, 7; sbis 0x1c, 2; inc; sbic 0x1c, 2;
         * inc; nop; wdr; break */
        PROGRAM(rig, 0xb72a, 0xbb2c, 0x9ae2, 0x98e7, 0x9be2, INC_R20, 0x99e2, INC_R20, NOP, 0x95a8,
                0x9598);
        for (int step = 0; step < 7; step++)
            rig_step(rig);
        assert_int_equal(reg(rig, 18), 0xc3);
        assert_int_equal(rig->io[base + 0x1c], 0x47);
        assert_int_equal(reg(rig, 20), 1); /* skipped where the bit is set */
        assert_int_equal(pc_word(rig), AT + 8);
        uint8_t before[32];
        memcpy(before, rig_avr(rig)->r, 32);
        uint64_t accesses = rig->access_count;
        for (int step = 0; step < 3; step++)
            rig_step(rig);
        assert_int_equal(pc_word(rig), AT + 11);
        assert_memory_equal(rig_avr(rig)->r, before, 32);
        assert_int_equal(reg(rig, SREG), 0);
        assert_int_equal(rig->access_count, accesses);
        rig_free(rig);
    }
}

static void test_a_bit_instruction_says_its_bit(void **state)
{
    (void)state;
    struct avr_rig *rig = mega();
    rig->io[0x25] = 0x81;
    PROGRAM(rig, 0x9a2b, 0x9828, 0xb905); /* sbi 5, 3; cbi 5, 0; out 5, r16 */
    rig_step(rig);
    rig_step(rig);
    rig_step(rig);
    assert_int_equal(rig->accesses[1].value, 0x89);
    assert_int_equal(rig->accesses[1].mask, 0x08);
    assert_int_equal(rig->accesses[3].value, 0x88);
    assert_int_equal(rig->accesses[3].mask, 0x01);
    assert_int_equal(rig->accesses[4].mask, UINT32_MAX);
    rig_free(rig);
}

static void test_where_io_ends_on_xmega(void **state)
{
    (void)state;
    struct avr_rig *rig = xmega(NULL);
    PROGRAM(rig, 0x9100, 0x0fff, 0x9100, 0x1000);
    rig_step(rig);
    assert_int_equal(rig->core->cycle, 2);
    rig_step(rig);
    assert_int_equal(rig->core->cycle, 2 + 3); /* mapped EEPROM is no I/O */
    rig_free(rig);
}

/* A device that changes the deadline during an access. */
static void attention_write(void *device, uint32_t offset, uint32_t value, unsigned bytes)
{
    struct avr_rig *rig = device;
    (void)offset;
    (void)value;
    (void)bytes;
    rig->core->stop_requested = true;
    core_attention(rig->core);
}

static void test_stop_after_the_instruction(void **state)
{
    (void)state;
    static const struct mem_ops ops = {rig_io_read, attention_write};
    struct avr_rig *rig = mega();
    rig->io_region.ops = &ops;
    PROGRAM(rig, INC_R20, 0xb905, INC_R20, INC_R20); /* out 5, r16 */
    assert_int_equal(rig_run(rig, 1000), CORE_STOPPED);
    assert_int_equal(rig->core->cycle, 2);
    assert_int_equal(reg(rig, 20), 1);
    assert_int_equal(rig->core->instructions, 2);
    rig_free(rig);
}

/* Watches, calls */

static void test_watches(void **state)
{
    (void)state;
    struct avr_rig *rig = mega();
    struct core *core = rig->core;
    PROGRAM(rig, INC_R20, INC_R20, INC_R20, 0xcffc); /* rjmp to the first */
    core->class->watch(core, 2 * (AT + 1), true);
    assert_int_equal(rig_run(rig, 1000), CORE_WATCH);
    assert_int_equal(pc_word(rig), AT + 1);
    assert_int_equal(core->cycle, 1);
    assert_int_equal(rig_run(rig, 1000), CORE_WATCH); /* a turn later */
    assert_int_equal(core->cycle, 1 + 5);
    assert_int_equal(reg(rig, 20), 4);
    /* It does not fire twice although an interrupt comes in between. */
    set(rig, SREG, 0x80);
    rig_word(rig, 2, RETI);
    raise_irq(rig, 1);
    assert_int_equal(rig_run(rig, 1), CORE_DEADLINE);
    assert_int_equal(reg(rig, 20), 5); /* the watched one was executed first */
    assert_int_equal(rig_run(rig, 1000), CORE_WATCH);
    assert_int_equal(rig->irq_returned, 1);
    core->class->watch(core, 2 * (AT + 1), false);
    assert_int_equal(rig_run(rig, 50), CORE_DEADLINE);
    rig_free(rig);
}

static void test_a_watched_instruction_is_skipped_whole(void **state)
{
    (void)state;
    struct avr_rig *rig = mega();
    PROGRAM(rig, 0x1300, 0x9100, 0x0200, INC_R20); /* cpse r16, r16; lds r16, 0x200 */
    rig->core->class->watch(rig->core, 2 * (AT + 1), true);
    rig_step(rig);
    assert_int_equal(pc_word(rig), AT + 3);
    assert_int_equal(rig->core->cycle, 3);
    rig_free(rig);
}

static void test_return_address(void **state)
{
    (void)state;
    for (int wide = 0; wide < 2; wide++) {
        struct avr_rig *rig = xmega(wide ? "{pc_bits: 22}" : NULL);
        const struct core_class *class = rig->core->class;
        uint32_t at = wide ? 0x10100 : 0x100;
        rig_word(rig, at, 0xd00f); /* rcall */
        rig_word(rig, at + 0x10, RET);
        class->set_pc(rig->core, 2 * at);
        rig_step(rig);
        assert_int_equal(class->pc(rig->core), 2 * (at + 0x10));
        assert_int_equal(class->return_address(rig->core), 2 * (at + 1));
        uint32_t entry = class->sp(rig->core);
        assert_false(class->returned(rig->core, entry));
        rig_step(rig);
        assert_true(class->returned(rig->core, entry));
        assert_int_equal(class->pc(rig->core), 2 * (at + 1));
        rig_free(rig);
    }
}

/* Faults, changed code */

static void expect_fault(struct avr_rig *rig, const char *reason, uint32_t pc)
{
    assert_int_equal(rig_run(rig, 1000), CORE_FAULT);
    assert_string_equal(rig->core->fault.reason, reason);
    assert_int_equal(rig->core->fault.pc, pc);
    assert_int_equal(rig_run(rig, 1000), CORE_FAULT); /* and it stays one */
}

static void test_faults(void **state)
{
    (void)state;
    struct avr_rig *rig = mega();
    PROGRAM(rig, NOP, 0xffff);
    expect_fault(rig, "illegal instruction", 2 * (AT + 1));
    assert_int_equal(rig->core->fault.address, 0xffff);
    assert_int_equal(rig->core->fault.cycle, 1);
    rig_free(rig);

    rig = mega();
    PROGRAM(rig, 0x9409); /* ijmp to behind the flash */
    set(rig, 31, 0x45);
    expect_fault(rig, "program counter outside flash", 0x8a00);
    rig_free(rig);

    rig = mega(); /* runs over the end */
    rig_word(rig, 0x3fff, NOP);
    rig->core->class->set_pc(rig->core, 0x7ffe);
    expect_fault(rig, "program counter outside flash", 0x8000);
    rig_free(rig);

    rig = mega(); /* jumps back over the start */
    rig_word(rig, 0, 0xcffe);
    rig->core->class->set_pc(rig->core, 0);
    expect_fault(rig, "program counter outside flash", 0x8000);
    rig_free(rig);

    rig = mega(); /* XMEGA's, and those of larger program memories */
    const uint16_t words[] = {0x9204, 0x940b, 0x95f8, 0x9006, 0x9519, 0x9419};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        rig->core->class->reset(rig->core);
        PROGRAM(rig, words[i]);
        expect_fault(rig, "illegal instruction", 2 * AT);
    }
    rig_free(rig);
}

static void test_changed_code_is_decoded_anew(void **state)
{
    (void)state;
    struct avr_rig *rig = mega();
    PROGRAM(rig, 0x9100, 0x0200, 0xcffd); /* lds r16, 0x200; rjmp back */
    rig->ram[0x100] = 1;
    rig->ram[0x101] = 2;
    rig_step(rig);
    assert_int_equal(reg(rig, 16), 1);
    rig_step(rig);
    rig_word(rig, AT + 1, 0x0201); /* the second word only */
    rig_step(rig);
    assert_int_equal(reg(rig, 16), 2);

    /* SPM writes r1:r0 to where Z points; here flash takes it at once. */
    PROGRAM(rig, INC_R20, 0x95e8, 0xcffd);
    rig_step(rig);
    set(rig, 0, 0x4a); /* dec r20 */
    set(rig, 1, 0x95);
    set(rig, 30, 2 * AT & 0xff);
    set(rig, 31, 2 * AT >> 8);
    rig_step(rig);
    rig_step(rig);
    rig_step(rig);
    assert_int_equal(reg(rig, 20), 0);
    rig_free(rig);
}

/* What libsimavr does not have */

static void test_des(void **state)
{
    (void)state;
    static const uint8_t plain[8] = {0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef};
    static const uint8_t key[8] = {0x13, 0x34, 0x57, 0x79, 0x9b, 0xbc, 0xdf, 0xf1};
    static const uint8_t cipher[8] = {0x85, 0xe8, 0x13, 0x54, 0x0f, 0x0a, 0xb4, 0x05};
    struct avr_rig *rig = xmega("{des: true}");
    for (unsigned round = 0; round < 16; round++)
        rig_word(rig, AT + round, (uint16_t)(0x940b | round << 4));
    for (int decrypt = 0; decrypt < 2; decrypt++) {
        const uint8_t *in = decrypt ? cipher : plain, *out = decrypt ? plain : cipher;
        for (unsigned i = 0; i < 8; i++) {
            set(rig, i, in[7 - i]); /* the first byte is the most significant */
            set(rig, 8 + i, key[7 - i]);
        }
        set(rig, SREG, decrypt ? 0x20 : 0);
        rig->core->class->set_pc(rig->core, 2 * AT);
        uint64_t before = rig->core->cycle;
        for (unsigned round = 0; round < 16; round++)
            rig_step(rig);
        for (unsigned i = 0; i < 8; i++)
            assert_int_equal(reg(rig, i), out[7 - i]);
        assert_int_equal(rig->core->cycle - before, decrypt ? 16 : 17);
    }
    rig_free(rig);
}

static void test_read_modify_write(void **state)
{
    (void)state;
    static const struct {
        uint16_t word;
        uint8_t memory;
    } cases[] = {{0x9304, 0x0f}, {0x9305, 0x3f}, {0x9306, 0x30}, {0x9307, 0x3c}};
    for (size_t i = 0; i < 4; i++) {
        struct avr_rig *rig = xmega("{rmw: true}");
        PROGRAM(rig, cases[i].word); /* of Z and r16: memory 0x33, register 0x0f */
        set(rig, 16, 0x0f);
        set(rig, 30, 0x10);
        set(rig, 31, 0x20);
        rig->ram[0x10] = 0x33;
        rig_step(rig);
        assert_int_equal(reg(rig, 16), 0x33);
        assert_int_equal(rig->ram[0x10], cases[i].memory);
        rig_free(rig);
    }
}

static void test_wide_data(void **state)
{
    (void)state;
    struct avr_rig *rig = xmega("{data_bits: 24}");
    static uint8_t far[0x200];
    struct mem_region region = {.name = "far", .base = 0x1ff00, .size = 0x200, .host = far};
    mem_add(&rig->data, &region);
    far[0xff] = 0x11;
    far[0x100] = 0x22;
    set(rig, 26, 0xff); /* X = 0x01ffff */
    set(rig, 27, 0xff);
    set(rig, 36, 0x01);
    PROGRAM(rig, 0x910d, 0x910d, 0x911e, 0x9120, 0xff00); /* ld r16, X+ twice; ld r17, -X; lds */
    rig_step(rig);
    assert_int_equal(reg(rig, 16), 0x11);
    assert_int_equal(reg(rig, 36), 0x02); /* RAMPX counts along */
    rig_step(rig);
    assert_int_equal(reg(rig, 16), 0x22);
    rig_step(rig);
    assert_int_equal(reg(rig, 17), 0x22);
    set(rig, 35, 0x01); /* RAMPD */
    far[0] = 0x33;
    rig_step(rig);
    assert_int_equal(reg(rig, 18), 0x33);
    rig_free(rig);

    /* Without it the RAMP registers do not exist, and pointers stay in 64 KB. */
    rig = xmega("{pc_bits: 22}");
    set(rig, 38, 0x01);
    rig->ram[0] = 0x44;
    set(rig, 31, 0x20);
    PROGRAM(rig, 0x8100); /* ld r16, Z */
    rig_step(rig);
    assert_int_equal(reg(rig, 16), 0x44);
    rig_free(rig);
}

static void test_spm_z_increments(void **state)
{
    (void)state;
    struct avr_rig *rig = xmega("{pc_bits: 22}");
    PROGRAM(rig, 0x95f8);
    set(rig, 0, 0x12);
    set(rig, 1, 0x34);
    set(rig, 30, 0xfe);
    set(rig, 31, 0xff);
    set(rig, 38, 0);
    rig_step(rig);
    assert_int_equal(rig->flash[0xfffe], 0x12);
    assert_int_equal(rig->flash[0xffff], 0x34);
    assert_int_equal(reg(rig, 30), 0);
    assert_int_equal(reg(rig, 31), 0);
    assert_int_equal(reg(rig, 38), 1);
    rig_free(rig);
}

/* The traced loop */

struct tally {
    unsigned count, cycles[8], distance[8];
};

static void note(void *owner, const struct core *c, unsigned cycles, unsigned distance)
{
    struct tally *tally = owner;
    (void)c;
    if (tally->count < 8) {
        tally->cycles[tally->count] = cycles;
        tally->distance[tally->count] = distance;
    }
    tally->count++;
}

static void test_what_the_traced_loop_reports(void **state)
{
    (void)state;
    struct avr_rig *rig = mega();
    struct core *core = rig->core;
    struct tally tally = {0};
    /* ldi r16, 0xff; sts 0x200, r16; ldi r16, 0x0f; lds r17, 0x200; out 5, r16; brcc .+0 */
    PROGRAM(rig, 0xef0f, 0x9300, 0x0200, 0xe00f, 0x9110, 0x0200, 0xb905, 0xf400);
    core->trace = note;
    core->trace_owner = &tally;
    core->limit = core->deadline = 9;
    assert_int_equal(core->class->run_traced(core), CORE_DEADLINE);
    static const unsigned cycles[] = {1, 2, 1, 2, 1, 2};
    static const unsigned distance[] = {
        8,     /* r16: 00 -> ff */
        8,     /* bus: 00 -> ff */
        4,     /* r16: ff -> 0f */
        8 + 0, /* r17: 00 -> ff, bus: ff -> ff */
        4,     /* bus: ff -> 0f */
        0,
    };
    assert_int_equal(tally.count, 6);
    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(tally.cycles[i], cycles[i]);
        assert_int_equal(tally.distance[i], distance[i]);
    }
    /* An interrupt's entry is reported too, so that no cycle is missing. */
    set(rig, SREG, 0x80);
    rig_word(rig, 2, NOP);
    raise_irq(rig, 1);
    tally = (struct tally){0};
    core->limit = core->cycle + 5;
    core->deadline = 0;
    assert_int_equal(core->class->run_traced(core), CORE_DEADLINE);
    assert_int_equal(tally.count, 2);
    assert_int_equal(tally.cycles[0], 4);
    assert_int_equal(tally.cycles[1], 1);
    rig_free(rig);
}

/* Options */

static void refuse(const char *class_name, const char *options)
{
    struct uj_ctx ctx = {0};
    struct yaml *yaml = NULL;
    struct mem_space data, code;
    const struct core_class *class = core_class_named(class_name);
    mem_init(&data, "data", class->data_address_bits, class->page_bits);
    mem_init(&code, "code", class->code_address_bits, class->page_bits);
    struct core *core = calloc(1, class->bytes);
    assert_non_null(core);
    *core = (struct core){.class = class, .data = &data, .code = &code};
    assert_int_equal(yaml_parse(&ctx, &yaml, "options", options, strlen(options)), UJ_OK);
    assert_int_equal(class->create(&ctx, core, yaml_root(yaml)), UJ_ERR_INPUT);
    class->destroy(core);
    free(core);
    yaml_close(yaml);
    mem_free(&data);
    mem_free(&code);
}

static void test_options(void **state)
{
    (void)state;
    refuse("avre", "{pc_bits: 17}");
    refuse("avre", "{pc_bit: 16}");
    refuse("avre", "{data_bits: 24}");
    refuse("avrxm", "{data_bits: 20}");
    refuse("avrxm", "{vector_bytes: 3}");
    refuse("avrxm", "{des: 7}");
    struct avr_rig *rig = rig_new("avre", 0x2000, 0x100, 0x400, NULL);
    assert_int_equal(rig_avr(rig)->vector_words, 1); /* 8 KB and less: RJMP at the vectors */
    rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interrupt_entry_on_avre),
        cmocka_unit_test(test_interrupt_entry_on_avrxm),
        cmocka_unit_test(test_one_instruction_behind_sei),
        cmocka_unit_test(test_one_instruction_behind_a_write_of_sreg),
        cmocka_unit_test(test_one_instruction_behind_reti),
        cmocka_unit_test(test_writes_of_spl_hold_interrupts_on_avrxm),
        cmocka_unit_test(test_a_signature_in_ccp_holds_interrupts),
        cmocka_unit_test(test_sleep_and_wake),
        cmocka_unit_test(test_sei_sleep_sleeps_before_the_interrupt),
        cmocka_unit_test(test_no_interrupt_after_all),
        cmocka_unit_test(test_lowest_stack_pointer),
        cmocka_unit_test(test_a_handler_leaves_the_lowest_stack_pointer_alone),
        cmocka_unit_test(test_own_registers_in_data_space),
        cmocka_unit_test(test_sreg_keeps_every_value),
        cmocka_unit_test(test_cycle_of_accesses),
        cmocka_unit_test(test_values_of_input_and_output),
        cmocka_unit_test(test_a_bit_instruction_says_its_bit),
        cmocka_unit_test(test_where_io_ends_on_xmega),
        cmocka_unit_test(test_stop_after_the_instruction),
        cmocka_unit_test(test_watches),
        cmocka_unit_test(test_a_watched_instruction_is_skipped_whole),
        cmocka_unit_test(test_return_address),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_changed_code_is_decoded_anew),
        cmocka_unit_test(test_des),
        cmocka_unit_test(test_read_modify_write),
        cmocka_unit_test(test_wide_data),
        cmocka_unit_test(test_spm_z_increments),
        cmocka_unit_test(test_what_the_traced_loop_reports),
        cmocka_unit_test(test_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
