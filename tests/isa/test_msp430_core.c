/*
 * What an instruction does beyond its operands: interrupts, sleep, the stack, calls, faults,
 * devices at their cycle, code that changes, watches, and the rules of CPUX for addresses and
 * sizes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "msp430_rig.h"

static const char *const all_cores[] = {"msp430", "msp430x", "msp430xv2"};
enum { GIE = MSP430_SR_GIE, CPUOFF = MSP430_SR_CPUOFF };

static void request(struct msp430_rig *rig, int vector)
{
    rig->irq_vector = vector;
    rig->core->irq_pending = true;
    core_attention(rig->core);
}

/* Interrupts */

static void an_interrupt_stores_and_clears(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct msp430_rig *rig = rig_new(all_cores[i], NULL);
        RIG_PUT(rig, RIG_CODE, 0x4303);
        RIG_PUT(rig, 0xffe4, 0x6000);
        RIG_PUT(rig, 0x6000, 0x1300); /* reti */
        rig_set(rig, MSP430_SP, RIG_STACK);
        rig_set(rig, MSP430_SR, 0x1ef); /* all but CPUOFF */
        rig_step(rig);
        request(rig, 0xffe4);
        rig_step(rig);
        assert_int_equal(rig_get(rig, MSP430_PC), 0x6000);
        assert_int_equal(rig_get(rig, MSP430_SP), RIG_STACK - 4);
        assert_int_equal(rig_word(rig, RIG_STACK - 2), RIG_CODE + 2);
        assert_int_equal(rig_word(rig, RIG_STACK - 4), 0x1ef);
        /* CPUXv2 keeps SCG0. */
        assert_int_equal(rig_get(rig, MSP430_SR), i == 2 ? MSP430_SR_SCG0 : 0);
        assert_int_equal(rig->core->isr_depth, 1);
        rig_step(rig);
        assert_int_equal(rig_get(rig, MSP430_PC), RIG_CODE + 2);
        assert_int_equal(rig_get(rig, MSP430_SR), 0x1ef);
        assert_int_equal(rig_get(rig, MSP430_SP), RIG_STACK);
        assert_int_equal(rig->irq_returned, 1);
        assert_int_equal(rig->core->isr_depth, 0);
        static const unsigned cycles[] = {6 + 5, 5 + 3, 6 + 5};
        assert_int_equal(rig->core->isr_cycles, cycles[i]);
        rig_free(rig);
    }
}

static void cpux_stores_pc_of_20_bits(void **state)
{
    (void)state;
    struct msp430_rig *rig = rig_new("msp430x", NULL);
    RIG_PUT(rig, 0x12340, 0x4303, 0x4303);
    RIG_PUT(rig, 0xffe4, 0x6000);
    RIG_PUT(rig, 0x6000, 0x1300);
    rig->core->class->set_pc(rig->core, 0x12340);
    rig_set(rig, MSP430_SP, RIG_STACK);
    rig_set(rig, MSP430_SR, GIE | MSP430_SR_C);
    rig_step(rig);
    request(rig, 0xffe4);
    rig_step(rig);
    assert_int_equal(rig_word(rig, RIG_STACK - 2), 0x2342);
    assert_int_equal(rig_word(rig, RIG_STACK - 4), 0x1000 | GIE | MSP430_SR_C);
    rig_step(rig);
    assert_int_equal(rig_get(rig, MSP430_PC), 0x12342);
    assert_int_equal(rig_get(rig, MSP430_SR), GIE | MSP430_SR_C);
    rig_free(rig);
}

static void the_instruction_behind_eint_comes_first(void **state)
{
    (void)state;
    struct msp430_rig *rig = rig_new("msp430", NULL);
    RIG_PUT(rig, RIG_CODE, 0xd232, 0x5315, 0x5315); /* eint; inc r5; inc r5 */
    RIG_PUT(rig, 0xffe4, 0x6000);
    RIG_PUT(rig, 0x6000, 0x5316, 0x3fff);
    rig_set(rig, MSP430_SP, RIG_STACK);
    rig->irq_vector = 0xffe4;
    rig->core->irq_pending = true;
    rig_run(rig, 20);
    assert_int_equal(rig_get(rig, 5), 1);
    assert_int_equal(rig_get(rig, 6), 1);
    assert_int_equal(rig_word(rig, RIG_STACK - 2), RIG_CODE + 4);
    rig_free(rig);
    /* EINT directly followed by DINT lets none through. */
    rig = rig_new("msp430xv2", NULL);
    RIG_PUT(rig, RIG_CODE, 0xd232, 0xc232, 0x5315, 0x3fff);
    rig_set(rig, MSP430_SP, RIG_STACK);
    rig->irq_vector = 0xffe4;
    rig->core->irq_pending = true;
    rig_run(rig, 20);
    assert_int_equal(rig->irq_taken, 0);
    assert_int_equal(rig_get(rig, 5), 1);
    rig_free(rig);
}

static void masked_interrupts_wait_unmaskable_ones_do_not(void **state)
{
    (void)state;
    struct msp430_rig *rig = rig_new("msp430", NULL);
    RIG_PUT(rig, RIG_CODE, 0x5315, 0x3ffe);
    RIG_PUT(rig, 0xfffc, 0x6000);
    RIG_PUT(rig, 0x6000, 0x3fff);
    rig_set(rig, MSP430_SP, RIG_STACK);
    request(rig, 0xffe4);
    rig_run(rig, 30);
    assert_int_equal(rig->irq_taken, 0);
    rig->irq_vector = 0xfffc;
    rig->core->nmi_pending = true;
    rig_run(rig, 8);
    assert_int_equal(rig->irq_taken, 1);
    assert_int_equal(rig_get(rig, MSP430_PC), 0x6000);
    rig_free(rig);
}

/* Sleep */

static void sleep_ends_where_the_handler_clears_the_stacked_bits(void **state)
{
    (void)state;
    for (int leaves = 0; leaves < 2; leaves++) {
        struct msp430_rig *rig = rig_new("msp430x", NULL);
        struct core *core = rig->core;
        /* bis #0xd8, sr (LPM3, GIE); inc r5; jmp $ */
        RIG_PUT(rig, RIG_CODE, 0xd032, 0x00d8, 0x5315, 0x3fff);
        RIG_PUT(rig, 0xffe4, 0x6000);
        if (leaves)
            RIG_PUT(rig, 0x6000, 0xc0b1, 0x00f0, 0x0000, 0x1300); /* bic #0xf0, 0(sp); reti */
        else
            RIG_PUT(rig, 0x6000, 0x4303, 0x4303, 0x4303, 0x1300);
        rig_set(rig, MSP430_SP, RIG_STACK);
        assert_int_equal(rig_run(rig, 100), CORE_SLEEP);
        assert_true(core->asleep);
        assert_false(core->irq_masked);
        assert_int_equal(core->sleep_mode, 0xd0);
        assert_int_equal(core->cycle, 2);
        /* The chip wakes it. */
        core->asleep = false;
        rig->irq_vector = 0xffe4;
        core->irq_pending = true;
        enum core_stop stop = rig_run(rig, 100);
        assert_int_equal(rig->irq_taken, 1);
        assert_int_equal(stop, leaves ? CORE_DEADLINE : CORE_SLEEP);
        assert_int_equal(core->asleep, !leaves);
        assert_int_equal(rig_get(rig, 5), leaves);
        assert_int_equal(rig_get(rig, MSP430_SR) & MSP430_SR_SLEEP, leaves ? 0 : 0xd0);
        /* In the handler the clocks run; falling asleep again is told by sleep() alone. */
        assert_int_equal(rig->clock_bits_calls, 1);
        assert_int_equal(rig->clock_bits, 0);
        rig_free(rig);
    }
}

static void a_waiting_interrupt_comes_before_sleep(void **state)
{
    (void)state;
    struct msp430_rig *rig = rig_new("msp430", NULL);
    RIG_PUT(rig, RIG_CODE, 0xd032, 0x0018, 0x3fff); /* bis #GIE+CPUOFF, sr */
    RIG_PUT(rig, 0xffe4, 0x6000);
    RIG_PUT(rig, 0x6000, 0x3fff);
    rig_set(rig, MSP430_SP, RIG_STACK);
    rig->irq_vector = 0xffe4;
    rig->core->irq_pending = true;
    assert_int_equal(rig_run(rig, 20), CORE_DEADLINE);
    assert_int_equal(rig_get(rig, MSP430_PC), 0x6000);
    assert_int_equal(rig_word(rig, RIG_STACK - 4), GIE | CPUOFF);
    rig_free(rig);
}

static void asleep_with_gie_clear_only_unmaskable_ones_wake(void **state)
{
    (void)state;
    struct msp430_rig *rig = rig_new("msp430", NULL);
    RIG_PUT(rig, RIG_CODE, 0xd032, 0x0010);
    assert_int_equal(rig_run(rig, 20), CORE_SLEEP);
    assert_true(rig->core->irq_masked);
    rig_free(rig);
}

static void the_chip_hears_of_clock_bits(void **state)
{
    (void)state;
    struct msp430_rig *rig = rig_new("msp430xv2", NULL);
    RIG_PUT(rig, RIG_CODE, 0xd032, 0x0040, 0xc032, 0x0040); /* bis, bic #SCG0, sr */
    rig_step(rig);
    assert_int_equal(rig->clock_bits, MSP430_SR_SCG0);
    rig_step(rig);
    assert_int_equal(rig->clock_bits, 0);
    assert_int_equal(rig->clock_bits_calls, 2);
    rig_free(rig);
}

/* Reset and faults */

static void reset_fetches_its_vector(void **state)
{
    (void)state;
    struct msp430_rig *rig = rig_new("msp430", NULL);
    rig->core->class->reset(rig->core);
    RIG_PUT(rig, 0xfffe, 0x6000);
    RIG_PUT(rig, 0x6000, 0x5315, 0x3fff);
    assert_int_equal(rig->core->class->pc(rig->core), 0x6000);
    rig_run(rig, 5);
    assert_int_equal(rig_get(rig, 5), 1);
    /* An erased vector leads nowhere. */
    rig->core->class->reset(rig->core);
    RIG_PUT(rig, 0xfffe, 0xffff);
    assert_int_equal(rig_run(rig, 5), CORE_FAULT);
    assert_string_equal(rig->core->fault.reason, "jump to nowhere");
    assert_int_equal(rig->core->fault.address, 0xffff);
    rig_free(rig);
}

static void fault_of(const char *core, const uint16_t *words, unsigned count, const char *reason,
                     uint32_t pc, uint32_t address)
{
    struct msp430_rig *rig = rig_new(core, NULL);
    rig_put(rig, RIG_CODE, words, count);
    rig_set(rig, MSP430_SP, RIG_STACK);
    rig_set(rig, 5, 0x5001);
    assert_int_equal(rig_run(rig, 30), CORE_FAULT);
    assert_string_equal(rig->core->fault.reason, reason);
    assert_int_equal(rig->core->fault.pc, pc);
    assert_int_equal(rig->core->fault.address, address);
    rig_free(rig);
}

static void faults_say_where(void **state)
{
    (void)state;
    static const uint16_t mova[] = {0x4303, 0x00c5}, br_odd[] = {0x4500}, swpb_b[] = {0x10c5},
                          call_odd[] = {0x4303, 0x1285}, extension_jump[] = {0x1840, 0x3c00},
                          device[] = {0x4030, 0x0110}, rra_immediate[] = {0x1130, 0x1234};
    fault_of("msp430", mova, 2, "illegal instruction", RIG_CODE + 2, 0x00c5);
    fault_of("msp430", swpb_b, 1, "illegal instruction", RIG_CODE, 0x10c5);
    fault_of("msp430x", extension_jump, 2, "illegal instruction", RIG_CODE, 0x1840);
    fault_of("msp430x", rra_immediate, 2, "illegal instruction", RIG_CODE, 0x1130);
    fault_of("msp430", br_odd, 1, "jump to nowhere", RIG_CODE, 0x5001);
    fault_of("msp430x", call_odd, 2, "jump to nowhere", RIG_CODE + 2, 0x5001);
    fault_of("msp430", device, 2, "jump to nowhere", 0x0110, 0x0110);
}

/* Devices */

struct timed {
    uint16_t words[4];
    const char *what, *core;
    unsigned count;
    struct {
        unsigned at; /* cycles from the start of the instruction */
        uint32_t offset;
        unsigned bytes;
        bool write;
    } accesses[4];
};

static void devices_see_their_cycle(void **state)
{
    static const struct timed cases[] = {
        {{0x4525}, "mov @r5, r5", "msp430", 1, {{1, 0x10, 2, false}}},
        {{0x4215, 0x0110}, "mov &dev, r5", "msp430", 1, {{2, 0x10, 2, false}}},
        {{0x4255, 0x0111}, "mov.b &dev+1, r5", "msp430x", 1, {{2, 0x11, 1, false}}},
        {{0x4582, 0x0120}, "mov r5, &dev", "msp430", 1, {{3, 0x20, 2, true}}},
        {{0x4582, 0x0120}, "mov r5, &dev", "msp430x", 1, {{2, 0x20, 2, true}}},
        {{0x5582, 0x0120}, "add r5, &dev", "msp430x", 2, {{2, 0x20, 2, false}, {3, 0x20, 2, true}}},
        {{0x4292, 0x0110, 0x0120},
         "mov &dev, &dev",
         "msp430",
         2,
         {{2, 0x10, 2, false}, {5, 0x20, 2, true}}},
        {{0xe2d2, 0x0110, 0x0121},
         "xor.b &dev, &dev",
         "msp430xv2",
         3,
         {{2, 0x10, 1, false}, {4, 0x21, 1, false}, {5, 0x21, 1, true}}},
        {{0xb582, 0x0120}, "bit r5, &dev", "msp430", 1, {{2, 0x20, 2, false}}},
        {{0xb582, 0x0120}, "bit r5, &dev", "msp430x", 1, {{2, 0x20, 2, false}}},
        {{0x1192, 0x0110}, "sxt &dev", "msp430", 2, {{2, 0x10, 2, false}, {3, 0x10, 2, true}}},
        {{0x1800, 0x4256, 0x0110},
         "movx.a &dev, r6",
         "msp430x",
         2,
         {{3, 0x10, 2, false}, {4, 0x12, 2, false}}},
        {{0x1800, 0x45c2, 0x0120},
         "movx.a r5, &dev",
         "msp430x",
         2,
         {{3, 0x20, 2, true}, {4, 0x22, 2, true}}},
        {{0x1800, 0x55c2, 0x0120},
         "addx.a r5, &dev",
         "msp430xv2",
         4,
         {{3, 0x20, 2, false}, {4, 0x22, 2, false}, {5, 0x20, 2, true}, {6, 0x22, 2, true}}},
        {{0x0026, 0x0110},
         "mova &dev, r6",
         "msp430x",
         2,
         {{2, 0x10, 2, false}, {3, 0x12, 2, false}}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct timed *t = &cases[i];
        struct msp430_rig *rig = rig_new(t->core, NULL);
        RIG_PUT(rig, RIG_CODE, 0x4303);
        rig_put(rig, RIG_CODE + 2, t->words, 4);
        rig_set(rig, 5, RIG_DEVICE + 0x10);
        rig_step(rig);
        uint64_t start = rig->core->cycle;
        rig_step(rig);
        if (rig->access_count != t->count)
            fail_msg("%s on %s: %u accesses", t->what, t->core, rig->access_count);
        for (unsigned n = 0; n < t->count; n++) {
            const struct rig_access *a = &rig->accesses[n];
            if (a->cycle - start != t->accesses[n].at || a->offset != t->accesses[n].offset ||
                a->bytes != t->accesses[n].bytes || a->write != t->accesses[n].write)
                fail_msg("%s on %s: access %u is at %u, offset 0x%x", t->what, t->core, n,
                         (unsigned)(a->cycle - start), (unsigned)a->offset);
        }
        rig_free(rig);
    }
}

static void words_at_odd_addresses_are_aligned(void **state)
{
    (void)state;
    struct msp430_rig *rig = rig_new("msp430", NULL);
    RIG_PUT(rig, RIG_CODE, 0x4526, 0x4685, 0x0003, 0x4217, 0x0111);
    RIG_PUT(rig, 0x2000, 0x1234, 0x5678);
    rig->device[0x10] = 0xcd, rig->device[0x11] = 0xab;
    rig_set(rig, 5, 0x2001);
    rig_step(rig);
    assert_int_equal(rig_get(rig, 6), 0x1234);
    rig_step(rig);
    assert_int_equal(rig_word(rig, 0x2004), 0x1234);
    rig_step(rig);
    assert_int_equal(rig_get(rig, 7), 0xabcd);
    assert_int_equal(rig->accesses[0].offset, 0x10);
    rig_free(rig);
}

/* Stack and calls */

static void sp_low_follows_every_write_to_sp(void **state)
{
    static const struct {
        uint16_t words[2];
        uint32_t low;
    } cases[] = {
        {{0x8031, 0x0010}, RIG_STACK - 0x10}, /* sub #16, sp */
        {{0x8321, 0x4303}, RIG_STACK - 2},    /* decd sp */
        {{0x1205, 0x4303}, RIG_STACK - 2},    /* push r5 */
        {{0x1230, 0x1234}, RIG_STACK - 2},    /* push #N */
        {{0x1245, 0x4303}, RIG_STACK - 2},    /* push.b r5 */
        {{0x1225, 0x4303}, RIG_STACK - 2},    /* push #4 */
        {{0x12b0, 0x5000}, RIG_STACK - 2},    /* call #N */
        {{0x1285, 0x4303}, RIG_STACK - 2},    /* call r5 */
        {{0x5031, 0xfff0}, RIG_STACK - 0x10}, /* add #-16, sp */
        {{0x4501, 0x4303}, 0x2800},           /* mov r5, sp */
        {{0x5321, 0x4303}, RIG_STACK},        /* incd sp */
    };
    (void)state;
    for (int traced = 0; traced < 2; traced++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            struct msp430_rig *rig = rig_new("msp430x", NULL);
            rig_put(rig, RIG_CODE, cases[i].words, 2);
            rig_set(rig, 5, 0x2800);
            rig_set(rig, MSP430_SP, RIG_STACK);
            rig->core->sp_low = RIG_STACK;
            struct core *core = rig->core;
            core->limit = core->deadline = core->cycle + 1;
            (void)(traced ? core->class->run_traced(core) : core->class->run(core));
            if (core->sp_low != cases[i].low)
                fail_msg("case %u: sp_low is 0x%04x", (unsigned)i, (unsigned)core->sp_low);
            rig_free(rig);
        }
}

static void return_addresses_have_two_bytes_or_four(void **state)
{
    (void)state;
    struct msp430_rig *rig = rig_new("msp430x", NULL);
    struct core *core = rig->core;
    RIG_PUT(rig, RIG_CODE, 0x12b0, 0x5000);
    RIG_PUT(rig, 0x5000, 0x4130);
    rig_set(rig, MSP430_SP, RIG_STACK);
    rig_step(rig);
    uint32_t entry = core->class->sp(core);
    assert_int_equal(core->class->return_address(core), RIG_CODE + 4);
    assert_false(core->class->returned(core, entry));
    rig_step(rig);
    assert_true(core->class->returned(core, entry));
    /* CALLA #0x25000 from above 64 KB; RETA. */
    RIG_PUT(rig, 0x14000, 0x13b2, 0x5000);
    RIG_PUT(rig, 0x25000, 0x0110);
    core->class->set_pc(core, 0x14000);
    rig_step(rig);
    entry = core->class->sp(core);
    assert_int_equal(entry, RIG_STACK - 4);
    assert_int_equal(rig_word(rig, RIG_STACK - 2), 1);
    assert_int_equal(rig_word(rig, RIG_STACK - 4), 0x4004);
    assert_int_equal(core->class->return_address(core), 0x14004);
    assert_false(core->class->returned(core, entry));
    rig_step(rig);
    assert_int_equal(rig_get(rig, MSP430_PC), 0x14004);
    assert_true(core->class->returned(core, entry));
    rig_free(rig);
}

/* Code */

static void code_in_ram_may_change(void **state)
{
    (void)state;
    struct msp430_rig *rig = rig_new("msp430", NULL);
    /* inc r6; mov #0x5317 (inc r7), &RIG_CODE; jmp to the start */
    RIG_PUT(rig, RIG_CODE, 0x5316, 0x40b2, 0x5317, RIG_CODE, 0x3ffb);
    for (int i = 0; i < 6; i++)
        rig_step(rig);
    assert_int_equal(rig_get(rig, 6), 1);
    assert_int_equal(rig_get(rig, 7), 1);
    /* A word in the middle of an instruction, from above. */
    RIG_PUT(rig, 0x5000, 0x40b2, 0x1111, 0x2000, 0x40b2, 0x2222, 0x5002, 0x4030, 0x5000);
    rig->core->class->set_pc(rig->core, 0x5000);
    for (int i = 0; i < 4; i++)
        rig_step(rig);
    assert_int_equal(rig_word(rig, 0x2000), 0x2222);
    rig_free(rig);
}

static void a_watch_stops_before_its_instruction(void **state)
{
    (void)state;
    for (int traced = 0; traced < 2; traced++) {
        struct msp430_rig *rig = rig_new("msp430", NULL);
        struct core *core = rig->core;
        RIG_PUT(rig, RIG_CODE, 0x5315, 0x5315, 0x5315, 0x3fff);
        core->class->watch(core, RIG_CODE + 2, true);
        core->limit = core->deadline = 100;
        enum core_stop (*run)(struct core *) = traced ? core->class->run_traced : core->class->run;
        assert_int_equal(run(core), CORE_WATCH);
        assert_int_equal(rig_get(rig, 5), 1);
        assert_int_equal(core->cycle, 1);
        assert_int_equal(run(core), CORE_DEADLINE);
        assert_int_equal(rig_get(rig, 5), 3);
        core->class->watch(core, RIG_CODE + 2, false);
        core->class->set_pc(core, RIG_CODE);
        core->limit = core->deadline = core->cycle + 10;
        assert_int_equal(run(core), CORE_DEADLINE);
        assert_int_equal(rig_get(rig, 5), 6);
        rig_free(rig);
    }
}

static void note_trace(void *owner, const struct core *core, unsigned cycles, unsigned distance)
{
    unsigned *sums = owner;
    (void)core;
    sums[0] += cycles;
    sums[1] += distance;
    sums[2]++;
}

static void the_traced_loop_reports_each_instruction(void **state)
{
    (void)state;
    struct msp430_rig *rig = rig_new("msp430", NULL);
    unsigned sums[3] = {0};
    /* mov #0x00ff, r5: 8 bits of the register; mov r5, &0x2000: 8 of the bus. */
    RIG_PUT(rig, RIG_CODE, 0x4035, 0x00ff, 0x4582, 0x2000, 0x4303, 0x3fff);
    rig->core->trace = note_trace;
    rig->core->trace_owner = sums;
    rig_run(rig, 7);
    assert_int_equal(sums[0], 7);
    assert_int_equal(sums[1], 16);
    assert_int_equal(sums[2], 3);
    assert_int_equal(rig->core->instructions, 3);
    rig_free(rig);
}

/* CPUX */

struct cpux {
    const char *what;
    uint16_t words[4];
    uint32_t r5, r6, sr;             /* before */
    uint32_t after5, after6, flags;  /* UINT32_MAX: not looked at */
    uint32_t address, memory, holds; /* 20 bits at `address`: before, and after */
};

#define ANY UINT32_MAX
static const struct cpux cpux_cases[] = {
    {"mov.w clears 19:16", {0x4506}, 0xabcde, 0x12345, 0, ANY, 0xbcde, 0, 0, 0, 0},
    {"mov.b clears 19:8", {0x4546}, 0xabcde, 0x12345, 0, ANY, 0xde, 0, 0, 0, 0},
    {"mova moves 20", {0x05c6}, 0xabcde, 0x12345, 0, ANY, 0xabcde, 0, 0, 0, 0},
    {"add.w works in 16", {0x5506}, 0xf0001, 0xfffff, 0, ANY, 0x0000, 3, 0, 0, 0},
    {"adda carries out of bit 19", {0x05e6}, 0x00001, 0xfffff, 0, ANY, 0, 3, 0, 0, 0},
    {"adda overflows", {0x05e6}, 0x7ffff, 0x00001, 0, ANY, 0x80000, 0x104, 0, 0, 0},
    {"suba borrows", {0x05f6}, 0x00001, 0x00000, 0, ANY, 0xfffff, 4, 0, 0, 0},
    {"cmpa #imm20", {0x0f96, 0xffff}, 0, 0xfffff, 0, ANY, 0xfffff, 3, 0, 0, 0},
    {"indexed wraps in the lower 64 KB",
     {0x4516, 0x0010},
     0xfff8,
     0,
     0,
     ANY,
     0x1234,
     0,
     0x00008,
     0x1234,
     0x1234},
    {"indexed above goes on",
     {0x4516, 0x0010},
     0x1fff8,
     0,
     0,
     ANY,
     0x1234,
     0,
     0x20008,
     0x1234,
     0x1234},
    {"indexed above goes back",
     {0x4516, 0xfff0},
     0x10008,
     0,
     0,
     ANY,
     0x1234,
     0,
     0x0fff8,
     0x1234,
     0x1234},
    {"indexed of 20 bits leaves the lower 64 KB",
     {0x1840, 0x4516, 0x0010},
     0xfff8,
     0,
     0,
     ANY,
     0x1234,
     0,
     0x10008,
     0x1234,
     0x1234},
    {"indexed of 20 bits",
     {0x18c0, 0x4516, 0x2000},
     0x02345,
     0,
     0,
     ANY,
     0x1234,
     0,
     0x14344,
     0x1234,
     0x1234},
    {"movx.a loads 20", {0x1800, 0x4566}, 0x2000, 0, 0, ANY, 0xf1234, 0, 0x2000, 0xf1234, 0xf1234},
    {"movx.a stores 20",
     {0x1800, 0x45c6, 0x0004},
     0xabcde,
     0x2000,
     0,
     ANY,
     ANY,
     0,
     0x2004,
     0xfffff,
     0xabcde},
    {"@Rn+ of 20 bits moves by 4",
     {0x1800, 0x4576},
     0x2000,
     0,
     0,
     0x2004,
     0xf1234,
     0,
     0x2000,
     0xf1234,
     0xf1234},
    {"rrux shifts a zero in", {0x1940, 0x1005}, 0x8001, 0, 1, 0x4000, ANY, 1, 0, 0, 0},
    {"addcx with ZC adds no carry", {0x1940, 0x6506}, 0x0001, 0x0002, 1, ANY, 3, 0, 0, 0, 0},
    {"subcx with ZC borrows", {0x1940, 0x7506}, 0x0001, 0x0003, 1, ANY, 1, 1, 0, 0, 0},
    {"daddx with ZC adds no carry", {0x1940, 0xa506}, 0x0001, 0x0009, 1, ANY, 0x10, 0, 0, 0, 0},
    {"movx with ZC keeps the carry", {0x1940, 0x4506}, 0x1234, 0, 1, ANY, 0x1234, 1, 0, 0, 0},
    {"bicx with ZC keeps the carry", {0x1940, 0xc506}, 0x0001, 0x0003, 1, ANY, 2, 1, 0, 0, 0},
    {"bisx with ZC keeps the carry", {0x1940, 0xd506}, 0x0001, 0x0002, 1, ANY, 3, 1, 0, 0, 0},
    {"addcx.a sr with ZC reads sr before", {0x1900, 0x6246}, 0, 0x10, 1, ANY, 0x11, 0, 0, 0, 0},
    {"swpbx with ZC keeps the carry", {0x1940, 0x1085}, 0x1234, 0, 1, 0x3412, ANY, 1, 0, 0, 0},
    {"rpt #4 rrax.a", {0x1803, 0x1145}, 0x80010, 0, 0, 0xf8001, ANY, 4, 0, 0, 0},
    {"rpt r6 addx.a r5, r5", {0x1886, 0x5545}, 0x00001, 0x3, 0, 0x10, 3, 0, 0, 0, 0},
    {"rlam.a #4 (V is undefined; as ADD leaves it)",
     {0x0e45},
     0x11111,
     0,
     0,
     0x11110,
     ANY,
     0x101,
     0,
     0,
     0},
    {"rrcm.w #2", {0x0455}, 0xf0001, 0, 1, 0xc000, ANY, 4, 0, 0, 0},
    {"rrum.a #1", {0x0345}, 0xfffff, 0, 0, 0x7ffff, ANY, 1, 0, 0, 0},
    {"sxt reaches bit 19", {0x1185}, 0x00080, 0, 0, 0xfff80, ANY, 5, 0, 0, 0},
    {"swpb clears 19:16", {0x1085}, 0xf1234, 0, 0, 0x3412, ANY, 0, 0, 0, 0},
    {"swpbx.a keeps 19:16", {0x1800, 0x1085}, 0xf1234, 0, 0, 0xf3412, ANY, 0, 0, 0, 0},
    {"daddx.a", {0x1800, 0xa546}, 0x12345, 0x98765, 1, ANY, 0x11111, 1, 0, 0, 0},
    {"dadd", {0xa506}, 0x1999, 0x0001, 0, ANY, 0x2000, 0, 0, 0, 0},
    {"dadd.b", {0xa546}, 0x99, 0x01, 0, ANY, 0x00, 3, 0, 0, 0},
};

static void cpux_follows_the_guide(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cpux_cases / sizeof *cpux_cases; i++) {
        const struct cpux *t = &cpux_cases[i];
        struct msp430_rig *rig = rig_new("msp430x", NULL);
        rig_put(rig, RIG_CODE, t->words, 4);
        const uint16_t before[] = {(uint16_t)t->memory, (uint16_t)(t->memory >> 16)};
        if (t->address)
            rig_put(rig, t->address, before, 2);
        rig_set(rig, 5, t->r5);
        rig_set(rig, 6, t->r6);
        rig_set(rig, MSP430_SR, t->sr);
        rig_step(rig);
        if (t->after5 != ANY && rig_get(rig, 5) != t->after5)
            fail_msg("%s: R5 is 0x%05x", t->what, (unsigned)rig_get(rig, 5));
        if (t->after6 != ANY && rig_get(rig, 6) != t->after6)
            fail_msg("%s: R6 is 0x%05x", t->what, (unsigned)rig_get(rig, 6));
        if (rig_get(rig, MSP430_SR) != t->flags)
            fail_msg("%s: SR is 0x%03x", t->what, (unsigned)rig_get(rig, MSP430_SR));
        uint32_t holds = rig_word(rig, t->address) | rig_word(rig, t->address + 2) << 16;
        if (t->address && holds != t->holds)
            fail_msg("%s: 0x%05x in memory", t->what, (unsigned)holds);
        rig_free(rig);
    }
}

static void register_lists_keep_their_order(void **state)
{
    (void)state;
    struct msp430_rig *rig = rig_new("msp430xv2", NULL);
    RIG_PUT(rig, RIG_CODE, 0x142f, 0x162a); /* pushm.a #3, r15; popm.a #3, r12 */
    rig_set(rig, MSP430_SP, RIG_STACK);
    for (unsigned i = 13; i < 16; i++)
        rig_set(rig, i, 0xa0000 + i);
    rig_step(rig);
    assert_int_equal(rig_get(rig, MSP430_SP), RIG_STACK - 12);
    assert_int_equal(rig_word(rig, RIG_STACK - 4), 15);
    assert_int_equal(rig_word(rig, RIG_STACK - 2), 10);
    assert_int_equal(rig_word(rig, RIG_STACK - 12), 13);
    rig_step(rig);
    for (unsigned i = 10; i < 13; i++)
        assert_int_equal(rig_get(rig, i), 0xa0000 + i + 3);
    assert_int_equal(rig_get(rig, MSP430_SP), RIG_STACK);
    rig_free(rig);
}

static void symbolic_counts_from_its_own_word(void **state)
{
    (void)state;
    struct msp430_rig *rig = rig_new("msp430", NULL);
    /* mov EDE, TONI with EDE = 0x2000, TONI = 0x2002, as the assembler lays it out */
    RIG_PUT(rig, RIG_CODE, 0x4090, 0x2000 - (RIG_CODE + 2) + 0x10000,
            0x2002 - (RIG_CODE + 4) + 0x10000);
    RIG_PUT(rig, 0x2000, 0x1234, 0);
    rig_step(rig);
    assert_int_equal(rig_word(rig, 0x2002), 0x1234);
    rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_interrupt_stores_and_clears),
        cmocka_unit_test(cpux_stores_pc_of_20_bits),
        cmocka_unit_test(the_instruction_behind_eint_comes_first),
        cmocka_unit_test(masked_interrupts_wait_unmaskable_ones_do_not),
        cmocka_unit_test(sleep_ends_where_the_handler_clears_the_stacked_bits),
        cmocka_unit_test(a_waiting_interrupt_comes_before_sleep),
        cmocka_unit_test(asleep_with_gie_clear_only_unmaskable_ones_wake),
        cmocka_unit_test(the_chip_hears_of_clock_bits),
        cmocka_unit_test(reset_fetches_its_vector),
        cmocka_unit_test(faults_say_where),
        cmocka_unit_test(devices_see_their_cycle),
        cmocka_unit_test(words_at_odd_addresses_are_aligned),
        cmocka_unit_test(sp_low_follows_every_write_to_sp),
        cmocka_unit_test(return_addresses_have_two_bytes_or_four),
        cmocka_unit_test(code_in_ram_may_change),
        cmocka_unit_test(a_watch_stops_before_its_instruction),
        cmocka_unit_test(the_traced_loop_reports_each_instruction),
        cmocka_unit_test(cpux_follows_the_guide),
        cmocka_unit_test(register_lists_keep_their_order),
        cmocka_unit_test(symbolic_counts_from_its_own_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
