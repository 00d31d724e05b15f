/* States to joules: the currents of device files, and their laws. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/yaml.h"
#include "energy/energy_period.h"
#include "energy/energy_state.h"
#include "near.h"
#include "sim/board.h"

static const char xmega[] =
    "currents:\n"
    "  active: {base: 0.37 mA, slope: 0.295 mA/MHz, spread: 20 %, supply: 3.0 V, from: 1 MHz,\n"
    "           to: 32 MHz, source: table}\n"
    "  idle: {base: 0.24 mA, spread: 10 %, supply: 3.0 V, volt_slope: 43 %, volt_spread: 50 %,\n"
    "         source: table}\n"
    "  down: {unknown: \"no table for this part\"}\n"
    "  regulated: {base: 10 mA, spread: 0, supply: 1.8 V, volt_slope: 0, source: table}\n"
    "currents_sets:\n"
    "  paper: {active: {base: 1 mA, spread: 5 %, supply: 3.3 V, source: paper}}\n";

static struct yaml *parse(const char *text)
{
    struct uj_ctx ctx = {0};
    struct yaml *file = NULL;
    if (yaml_parse(&ctx, &file, "chip.yaml", text, strlen(text)))
        fail_msg("%s", ctx.message);
    return file;
}

static struct energy_model *model_of(const struct yaml *file, double supply_v, const char *set)
{
    struct uj_ctx ctx = {0};
    struct energy_model *model = energy_model_new(supply_v);
    if (energy_model_add(&ctx, model, "cpu", yaml_root(file), set))
        fail_msg("%s", ctx.message);
    return model;
}

/* 0.37 mA + 0.295 mA/MHz x 7.3728 MHz = 2.544976 mA at 3.0 V; times 3.3 / 3.0: 2.7994736 mA. */
static void test_current_by_frequency_and_supply(void **state)
{
    (void)state;
    struct yaml *file = parse(xmega);
    struct energy_current current;
    struct energy_model *at_3v = model_of(file, 3.0, NULL);
    energy_current(at_3v, &current, "cpu", "active", 7372800);
    assert_near(current.amps, 2.544976e-3, 1e-12);
    assert_near(current.spread_amps, 0.2 * 2.544976e-3, 1e-12);
    assert_string_equal(current.source, "table");
    energy_model_free(at_3v);

    struct energy_model *at_3v3 = model_of(file, 3.3, NULL);
    energy_current(at_3v3, &current, "cpu", "active", 7372800);
    assert_near(current.amps, 2.7994736e-3, 1e-12);
    /* own: 0.2 x 2.7994736 = 0.55989472; of the change: 1.0 x 0.2544976; root of the squares' sum
     */
    assert_near(current.spread_amps, sqrt(0.55989472 * 0.55989472 + 0.2544976 * 0.2544976) * 1e-3,
                1e-12);
    /* 0.24 mA x (1 + 0.43 x 0.3) = 0.27096 mA; spread: 0.027096 and 0.5 x 0.03096 */
    energy_current(at_3v3, &current, "cpu", "idle", 0);
    assert_near(current.amps, 0.27096e-3, 1e-12);
    assert_near(current.spread_amps, sqrt(0.027096 * 0.027096 + 0.01548 * 0.01548) * 1e-3, 1e-12);
    energy_current(at_3v3, &current, "cpu", "regulated", 1e6);
    assert_near(current.amps, 10e-3, 0);
    assert_near(current.spread_amps, 0, 0);
    energy_model_free(at_3v3);
    yaml_close(file);
}

static void test_absent_with_reason(void **state)
{
    (void)state;
    static const struct {
        const char *component, *state;
        double hz;
        const char *reason;
    } rows[] = {
        {"cpu", "down", 0, "cpu down: no table for this part"},
        {"cpu", "lpm9", 0, "the device file has no current for cpu lpm9"},
        {"radio", "active", 7e6, "the device file has no current for radio active"},
        {"cpu", "active", 32768, "cpu active at 32.77 kHz: the figure holds from 1 MHz to 32 MHz"},
        {"cpu", "active", NAN, NULL},
    };
    struct yaml *file = parse(xmega);
    struct energy_model *model = model_of(file, 3.3, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct state_total total = {rows[i].state, rows[i].hz, 1000, 1};
        struct energy_result result;
        energy_of_states(model, &result, rows[i].component, &total, 1);
        assert_true(isnan(result.nj));
        assert_true(isnan(result.spread_nj));
        assert_string_equal(result.method, "state");
        if (rows[i].reason)
            assert_string_equal(result.reason, rows[i].reason);
        assert_true(result.reason[0] != '\0');
        total.ps = 0; /* no time, no energy, nothing to know */
        energy_of_states(model, &result, rows[i].component, &total, 1);
        assert_near(result.nj, 0, 0);
    }
    energy_model_free(model);
    yaml_close(file);
}

/* One component over three segments, and a machine of two components. */
static void test_energy_of_segments(void **state)
{
    (void)state;
    struct yaml *file = parse(xmega);
    static const char radio[] = "currents: {rx: {base: 18.8 mA, spread: 10 %, supply: 3.0 V, "
                                "volt_slope: 0, source: C20}}\n";
    struct yaml *radio_file = parse(radio);
    struct energy_model *model = model_of(file, 3.0, NULL);
    struct uj_ctx ctx = {0};
    assert_int_equal(energy_model_add(&ctx, model, "radio", yaml_root(radio_file), NULL), UJ_OK);

    /* 3 V x 0.96 mA x 1 ms = 2880 nJ; 3 V x 9.81 mA x 0.5 ms = 14715 nJ; 3 V x 0.24 mA x 2 ms =
     * 1440 nJ */
    struct state_track cpu = {.component = "cpu",
                              .totals = {{"active", 2e6, 1000000000, 1},
                                         {"active", 32e6, 500000000, 1},
                                         {"idle", 2e6, 2000000000, 1},
                                         {"down", 0, 0, 0}},
                              .count = 4};
    /* 3 V x 18.8 mA x 1 ms = 56400 nJ */
    struct state_track rx = {
        .component = "radio", .totals = {{"rx", 0, 1000000000, 1}}, .count = 1};
    struct energy_result result;
    energy_of_states(model, &result, "cpu", cpu.totals, cpu.count);
    assert_near(result.nj, 2880 + 14715 + 1440, 1e-6);
    assert_near(result.spread_nj, 0.2 * (2880 + 14715) + 0.1 * 1440, 1e-6);
    cpu.next = &rx;
    energy_of_tracks(model, &result, &cpu);
    assert_near(result.nj, 2880 + 14715 + 1440 + 56400, 1e-6);
    assert_near(result.spread_nj, 0.2 * (2880 + 14715) + 0.1 * 1440 + 5640, 1e-6);
    assert_string_equal(result.reason, "");
    rx.totals[0].state = "tx";
    energy_of_tracks(model, &result, &cpu);
    assert_true(isnan(result.nj));
    assert_string_equal(result.reason, "the device file has no current for radio tx");
    energy_model_free(model);
    yaml_close(radio_file);
    yaml_close(file);
}

/* A supply at which the law would turn the current around has no figure. */
static void test_supply_out_of_reach(void **state)
{
    (void)state;
    struct yaml *file = parse(
        "currents: {active: {base: 1 mA, spread: 0, supply: 5 V, volt_slope: 0.5, source: s}}\n");
    struct energy_model *model = model_of(file, 3.0, NULL);
    struct energy_current current;
    energy_current(model, &current, "cpu", "active", 1e6);
    assert_true(isnan(current.amps));
    assert_string_equal(current.reason,
                        "cpu active: the figure given at 5 V does not reach to 3 V");
    energy_model_free(model);
    yaml_close(file);
}

static void test_sets_of_a_board(void **state)
{
    (void)state;
    struct yaml *chip = parse(xmega);
    struct yaml *own =
        parse("currents: {idle: {base: 7 mA, spread: 1 %, supply: 3.3 V, source: own}}\n"
              "currents_sets: {hot: {down: {base: 1 uA, spread: 1, supply: 3.3 V, "
              "source: hot}}}\n");
    struct board board = {
        .name = "desk", .mcu_map = yaml_root(chip), .board_map = yaml_root(own), .supply_v = 3.3};
    static const struct {
        const char *set, *state;
        double amps;
    } rows[] = {
        {NULL, "idle", 7e-3},           {"default", "idle", 7e-3}, {"paper", "active", 1e-3},
        {"paper", "idle", 7e-3},        {"hot", "down", 1e-6},     {"hot", "active", 2.7994736e-3},
        {NULL, "active", 2.7994736e-3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct uj_ctx ctx = {0};
        struct energy_model *model = NULL;
        assert_int_equal(energy_model_load(&ctx, &model, &board, rows[i].set), UJ_OK);
        struct energy_current current;
        energy_current(model, &current, "cpu", rows[i].state, 7372800);
        assert_near(current.amps, rows[i].amps, 1e-12);
        energy_model_free(model);
    }
    struct uj_ctx ctx = {0};
    struct energy_model *model = NULL;
    assert_int_equal(energy_model_load(&ctx, &model, &board, "papre"), UJ_ERR_USAGE);
    assert_null(model);
    assert_string_equal(ctx.message,
                        "board desk has no set of currents \"papre\"; it has: default, paper, hot");
    yaml_close(own);
    yaml_close(chip);
}

static void test_bad_files(void **state)
{
    (void)state;
    static const struct {
        const char *yaml, *message;
    } rows[] = {
        {"currents: 5\n", "chip.yaml:1:11: currents: must be a map of states"},
        {"currents:\n  active: 5 mA\n", "chip.yaml:2:11: active: must be a map of keys and values"},
        {"currents:\n  active: {spread: 0, supply: 3 V, source: s}\n",
         "chip.yaml:2:11: active: has neither \"base\" nor \"slope\"; add one, or \"unknown: "
         "REASON\""},
        {"currents:\n  active: {base: 5 mA, supply: 3 V, source: s}\n",
         "chip.yaml:2:11: active: has no \"spread\"; add it"},
        {"currents:\n  active: {base: 5 mA, spread: 0, source: s}\n",
         "chip.yaml:2:11: active: has no \"supply\"; add it"},
        {"currents:\n  active: {base: 5 mA, spread: 0, supply: 3 V}\n",
         "chip.yaml:2:11: active: has no \"source\"; add it"},
        {"currents:\n  active: {base: 5 mA, spread: 0, supply: 3 V, source: ''}\n",
         "chip.yaml:2:56: source: must name where the figure comes from"},
        {"currents:\n  active: {base: 5, spread: 0, supply: 3 V, source: s}\n",
         "chip.yaml:2:18: base: \"5\" is no quantity in A"},
        {"currents:\n  active: {base: -5 mA, spread: 0, supply: 3 V, source: s}\n",
         "chip.yaml:2:18: base: must be at least 0 and at most 100"},
        {"currents:\n  active: {base: 5 mA, spread: 12000 %, supply: 3 V, source: s}\n",
         "chip.yaml:2:32: spread: must be at least 0 and at most 100"},
        {"currents:\n  active: {base: 5 mA, spread: 0, supply: 0 V, source: s}\n",
         "chip.yaml:2:43: supply: must be above 0 and at most 1000"},
        {"currents:\n  active: {base: 5 mA, spred: 0, supply: 3 V, source: s}\n",
         "chip.yaml:2:31: spred: unknown key; did you mean \"spread\"?"},
        {"currents:\n  active: {base: 1 A, from: 2 Hz, to: 1 Hz, spread: 0, supply: 3 V, source: "
         "s}\n",
         "chip.yaml:2:29: from: is above \"to\""},
        {"currents:\n  active: {unknown: ''}\n",
         "chip.yaml:2:21: unknown: must say why there is no figure"},
        {"currents:\n  active: {unknown: why, base: 1 mA}\n",
         "chip.yaml:2:32: base: unknown key; remove it"},
        {"currents_sets: []\n", "chip.yaml:1:16: currents_sets: must be a map of sets"},
        {"currents_sets: {default: {}}\n",
         "chip.yaml:1:26: default: names the currents at top level already"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct yaml *file = parse(rows[i].yaml);
        struct energy_model *model = energy_model_new(3.3);
        struct uj_ctx ctx = {0};
        assert_int_equal(energy_model_add(&ctx, model, "cpu", yaml_root(file), NULL), UJ_ERR_INPUT);
        assert_string_equal(ctx.message, rows[i].message);
        energy_model_free(model);
        yaml_close(file);
    }
}

/*
 * A quarter of a second active at 4 MHz (0.5 mA/MHz: 2 mA at 3 V, 6 mW) and three quarters asleep
 * (4 uA, 12 uW): 1.5 mW + 0.009 mW.
 */
static void test_average_power_of_a_period(void **state)
{
    (void)state;
    struct yaml *file =
        parse("currents:\n"
              "  active: {slope: 0.5 mA/MHz, spread: 0, supply: 3 V, source: table}\n"
              "  lpm3: {base: 4 uA, spread: 0, supply: 3 V, source: table}\n"
              "  lpm1: {unknown: \"no table\"}\n");
    struct energy_model *model = model_of(file, 3.0, NULL);
    struct energy_period p;
    energy_of_period(model, &p, 4e6, "lpm3", 0.25, 1);
    assert_near(p.cpu_share, 0.25, 1e-15);
    assert_near(p.cpu_mw, 1.5, 1e-12);
    assert_near(p.lpm_mw, 0.009, 1e-12);
    assert_near(p.mw, 1.509, 1e-12);
    energy_of_period(model, &p, 4e6, "lpm3", 2, 2);
    assert_near(p.mw, 6, 1e-12);
    assert_near(p.lpm_mw, 0, 1e-15);
    energy_of_period(model, &p, 4e6, "lpm1", 0.25, 1);
    assert_near(p.cpu_mw, 1.5, 1e-12);
    assert_true(isnan(p.lpm_mw) && isnan(p.mw));
    energy_model_free(model);
    yaml_close(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_current_by_frequency_and_supply),
        cmocka_unit_test(test_average_power_of_a_period),
        cmocka_unit_test(test_absent_with_reason),
        cmocka_unit_test(test_energy_of_segments),
        cmocka_unit_test(test_supply_out_of_reach),
        cmocka_unit_test(test_sets_of_a_board),
        cmocka_unit_test(test_bad_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
