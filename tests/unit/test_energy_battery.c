/* Battery life against hand-computed days and a step-by-step discharge. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "energy/energy_battery.h"
#include "near.h"

static void test_days(void **state)
{
    (void)state;
    /* 1 Ah at 2 V and 1 mW is 0.5 mA: 2000 h = 83.33 days; two cells, half the loss: the same again
     */
    struct energy_battery b = {.capacity_c = 3600, .volts = 2};
    assert_near(energy_battery_days(&b, 1, 1e-3, 1), 2000 / 24.0, 1e-9);
    assert_near(energy_battery_days(&b, 2, 1e-3, 1), 4000 / 24.0, 1e-9);
    assert_near(energy_battery_days(&b, 2, 1e-3, 0.5), 2000 / 24.0, 1e-9);
    assert_true(isinf(energy_battery_days(&b, 1, 0, 1)));
    assert_true(isnan(energy_battery_days(&b, 1, -1, 1)));
    assert_true(isnan(energy_battery_days(&b, 0, 1, 1)));
    assert_true(isnan(energy_battery_days(&b, 1, 1, 0)));
    assert_true(isnan(energy_battery_days(&b, 1, 1, 1.5)));
    assert_true(isnan(energy_battery_days(&b, 1, NAN, 1)));

    /* Self-discharge of 10 % a year under 10 uW (5 uA), against an hour-by-hour discharge. */
    b.self_per_year = 0.1;
    double charge = 3600, hours = 0, keep = pow(0.9, 1 / (365.25 * 24));
    while (charge > 0) {
        charge = charge * keep - 5e-6 * 3600;
        hours++;
    }
    assert_near(energy_battery_days(&b, 1, 10e-6, 1), hours / 24, 0.001 * hours / 24);
    /* alone, to one hundredth: 0.9^t = 0.01 */
    assert_near(energy_battery_days(&b, 1, 0, 1), 365.25 * log(0.01) / log(0.9), 1e-6);
}

/* A mote of 100 uW on two alkaline AA: I = 41.7 uA, 3 Ah: 8.2 years without, 7.5 with
 * self-discharge. */
static void test_file(void **state)
{
    (void)state;
    struct uj_ctx ctx = {0};
    struct yaml *file;
    if (yaml_load(&ctx, &file, UJ_SOURCE_DIR "/devices/batteries.yaml"))
        fail_msg("%s", ctx.message);
    static const struct {
        const char *name;
        double capacity_ah, volts;
    } rows[] = {{"aa-alkaline", 3, 1.2},
                {"aa-lithium", 3, 1.5},
                {"cr2032", 0.225, 3},
                {"18650", 3.35, 3.6}};
    struct energy_battery b;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (energy_battery_read(&ctx, &b, file, rows[i].name))
            fail_msg("%s", ctx.message);
        assert_string_equal(b.name, rows[i].name);
        assert_near(b.capacity_c, rows[i].capacity_ah * 3600, 1e-9);
        assert_near(b.volts, rows[i].volts, 0);
        assert_true(b.self_per_year > 0 && b.spread > 0 && b.description[0] != '\0');
        assert_true(isnan(b.max_a) == (strcmp(b.name, "cr2032") != 0));
    }
    assert_int_equal(energy_battery_read(&ctx, &b, file, "aa-alkaline"), UJ_OK);
    assert_near(energy_battery_days(&b, 2, 100e-6, 1) / 365.25, 7.45, 0.05);
    assert_int_equal(energy_battery_read(&ctx, &b, file, "aaa"), UJ_ERR_USAGE);
    assert_string_equal(ctx.message,
                        "no battery 'aaa'; there are: aa-alkaline, aa-lithium, cr2032, 18650");
    yaml_close(file);
}

static void test_bad_files(void **state)
{
    (void)state;
    static const struct {
        const char *yaml, *message;
    } rows[] = {
        {"cells: {}\n", "b.yaml:1:8: cells: unknown key; remove it"},
        {"batteries: 1\n", "b.yaml:1:12: batteries: must be a map of cells"},
        {"batteries: {x: {}}\n", "b.yaml:1:16: x: has no \"description\"; add it"},
        {"batteries: {x: {description: d}}\n", "b.yaml:1:16: x: has no \"capacity\"; add it"},
        {"batteries: {x: {description: d, capacity: 3 Ah}}\n",
         "b.yaml:1:43: capacity: must be a map of keys and values"},
        {"batteries: {x: {description: d, capacity: {value: 0 Ah, source: s}}}\n",
         "b.yaml:1:51: value: must be above 0 and at most 10000"},
        {"batteries: {x: {description: d, colour: red}}\n",
         "b.yaml:1:41: colour: unknown key; remove it"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct uj_ctx ctx = {0};
        struct yaml *file;
        struct energy_battery b;
        assert_int_equal(yaml_parse(&ctx, &file, "b.yaml", rows[i].yaml, strlen(rows[i].yaml)),
                         UJ_OK);
        assert_int_equal(energy_battery_read(&ctx, &b, file, "x"), UJ_ERR_INPUT);
        assert_string_equal(ctx.message, rows[i].message);
        yaml_close(file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_days),
        cmocka_unit_test(test_file),
        cmocka_unit_test(test_bad_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
