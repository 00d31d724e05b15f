/*
 * The times of the MSP430 cores: the whole list, and the figures that other simulators are known to
 * have wrong, each beside theirs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cycles/msp430_cycles_check.h"

static void the_list_holds(void **state)
{
    static struct cycles_list list;
    unsigned cases;
    (void)state;
    assert_true(cycles_read(&list, UJ_SOURCE_DIR "/tests/cycles/msp430_cycles.tsv"));
    assert_int_equal(cycles_check(&list, true, &cases), 0);
    print_message("%u combinations\n", cases);
    for (int row = 0; row < MSP430_ROWS; row++)
        if (row != MSP430_ROW_extension && list.row_cases[row] == 0)
            fail_msg("no line times %s", msp430_rows[row].name);
    cycles_free(&list);
}

/* What others count, and what it is. */
struct mistake {
    const char *who, *what, *core;
    uint16_t words[4];
    unsigned right, theirs;
};

static const struct mistake mistakes[] = {
    {"MSPSim", "PUSH #N", "msp430", {0x1230, 0x5000}, 4, 5},
    {"MSPSim", "PUSH #N", "msp430x", {0x1230, 0x5000}, 3, 5},
    {"MSPSim", "PUSH #1", "msp430", {0x1213}, 3, 2},
    {"MSPSim", "PUSH #2", "msp430xv2", {0x1223}, 3, 2},
    {"MSPSim", "MOV R5, EDE: not longer than x(Rn)", "msp430", {0x4580, 0xe000}, 4, 5},
    {"MSPSim", "MOV R5, 2(R6)", "msp430x", {0x4586, 0x0002}, 3, 4},
    {"MSPSim", "BIT #1, &EDE", "msp430xv2", {0xb392, 0x2300}, 3, 4},
    {"MSPSim", "CMP @R5, &EDE", "msp430x", {0x95a2, 0x2300}, 4, 5},
    {"MSPSim", "BR #8 from the constant generator", "msp430", {0x4230}, 2, 1},
    {"MSPSim", "POPM.W #4", "msp430x", {0x1734}, 6, 8},
    {"MSPSim", "PUSHM.W #4", "msp430xv2", {0x153f}, 6, 8},
    {"MSPSim", "RRCM.W #2", "msp430x", {0x0455}, 2, 3},
    {"MSPSim", "RLAM.A #4", "msp430xv2", {0x0e45}, 4, 5},
    /* From memory BRA #imm20 was once noted as 4; both tables say 3. */
    {"MSPSim", "BRA #imm20", "msp430x", {0x0080, 0x5000}, 3, 2},
    {"MSPSim", "BRA #imm20", "msp430xv2", {0x0080, 0x5000}, 3, 2},
    {"MSPSim", "MOVX R5, R6", "msp430x", {0x1840, 0x4506}, 2, 1},
    {"MSPSim", "RPT #8 RRAX.W R5", "msp430x", {0x1847, 0x1105}, 9, 1},
    {"MSPSim", "RPT #8 ADDX.A R5, R5", "msp430xv2", {0x1807, 0x5545}, 9, 1},
    {"MSPSim", "ADDA #imm20, R5", "msp430x", {0x00a5, 0x1234}, 2, 3},
    {"MSPSim", "MOVA R5, PC", "msp430xv2", {0x05c0}, 3, 1},
    {"MSPSim", "CALLA R5", "msp430x", {0x1345}, 4, 5},
    {"MSPSim", "CALLA @R5", "msp430xv2", {0x1365}, 6, 5},
    {"MSPSim", "CALLA @R5+", "msp430xv2", {0x1375}, 6, 5},
    {"MSPSim", "CALLA &EDE", "msp430x", {0x1380, 0x2200}, 6, 7},
    {"MSPSim", "RETI", "msp430x", {0x1300}, 3, 5},
    {"mspdebug", "MOV &EDE, R5", "msp430", {0x4215, 0x2200}, 3, 1},
    {"mspdebug", "MOV &EDE, &TONI", "msp430", {0x4292, 0x2200, 0x2300}, 6, 4},
    {"mspdebug", "MOV #4, R5", "msp430xv2", {0x4225}, 1, 2},
    {"mspdebug", "RET", "msp430xv2", {0x4130}, 4, 3},
    {"mspdebug", "PUSHM.A #2", "msp430xv2", {0x141f}, 6, 4},
    {"mspdebug", "RETI", "msp430x", {0x1300}, 3, 5},
    {"naken_asm", "MOV EDE, R5: symbolic is not PC", "msp430", {0x4015, 0xe000}, 3, 2},
    {"openMSP430", "CALL R5", "msp430", {0x1285}, 4, 3},
    {"openMSP430", "PUSH @R5+", "msp430", {0x1235}, 5, 4},
    {"openMSP430", "CALL @R5+", "msp430", {0x12b5}, 5, 4},
    {"openMSP430", "MOV @R5, PC", "msp430", {0x4520}, 2, 3},
    {"openMSP430", "MOV &EDE, PC", "msp430", {0x4210, 0x2200}, 3, 4},
    {"binutils", "MOV &EDE, R5", "msp430", {0x4215, 0x2200}, 3, 2},
    {"binutils", "MOV EDE, R5", "msp430", {0x4015, 0xe000}, 3, 4},
    {"binutils", "MOV #N, R5", "msp430", {0x4035, 0x1234}, 2, 3},
};

static void known_mistakes_are_not_ours(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        const struct mistake *m = &mistakes[i];
        struct msp430_rig *rig = rig_new(m->core, NULL);
        struct cycles_case memory = {.source = "memory"};
        cycles_arrange(rig, &memory, false);
        rig_put(rig, CYCLES_CODE, m->words, 4);
        unsigned cycles = rig_step(rig);
        if (cycles != m->right)
            fail_msg("%s on %s: %u cycles, not %u (%s: %u)", m->what, m->core, cycles, m->right,
                     m->who, m->theirs);
        assert_int_not_equal(m->right, m->theirs);
        rig_free(rig);
    }
}

static unsigned one(const char *options, uint16_t first, uint16_t second, const char **reason)
{
    struct msp430_rig *rig = rig_new("msp430", options);
    struct cycles_case none = {.source = "-"};
    cycles_arrange(rig, &none, false);
    RIG_PUT(rig, CYCLES_CODE, first, second);
    unsigned cycles = rig_step(rig);
    *reason = rig->core->fault.reason;
    rig_free(rig);
    return cycles;
}

static void erratum_cpu4_is_an_option(void **state)
{
    const char *reason;
    (void)state;
    assert_int_equal(one(NULL, 0x1230, 0x1234, &reason), 4);
    assert_int_equal(one("{cpu4: true}", 0x1230, 0x1234, &reason), 5);
    assert_null(reason);
    /* PUSH #0, #1, #2 and #-1 work all the same. */
    assert_int_equal(one("{cpu4: true}", 0x1203, 0, &reason), 3);
    assert_int_equal(one("{cpu4: true}", 0x1233, 0, &reason), 3);
    assert_null(reason);
    assert_int_equal(one(NULL, 0x1222, 0, &reason), 3);
    assert_null(reason);
    (void)one("{cpu4: true}", 0x1222, 0, &reason);
    assert_string_equal(reason, "illegal instruction");
    (void)one("{cpu4: true}", 0x1232, 0, &reason);
    assert_string_equal(reason, "illegal instruction");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_holds),
        cmocka_unit_test(known_mistakes_are_not_ours),
        cmocka_unit_test(erratum_cpu4_is_an_option),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
