/* The probe: the `trace:` map, the way from raw samples to joules, and the device files as they
 * are. */
#include <glob.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "energy/energy_probe.h"
#include "energy/energy_state.h"
#include "near.h"
#include "sim/board.h"

static struct yaml *parse(const char *text)
{
    struct uj_ctx ctx = {0};
    struct yaml *file = NULL;
    if (yaml_parse(&ctx, &file, "board.yaml", text, strlen(text)))
        fail_msg("%s", ctx.message);
    return file;
}

static void test_gain(void **state)
{
    (void)state;
    double gain;
    assert_true(energy_gain_parse(&gain, "20 dB"));
    assert_near(gain, 10, 1e-12);
    assert_true(energy_gain_parse(&gain, "5dB"));
    assert_near(gain, 1.7782794100389228, 1e-12);
    assert_true(energy_gain_parse(&gain, "-6 dB"));
    assert_near(gain, 0.5011872336272722, 1e-12);
    assert_true(energy_gain_parse(&gain, "5"));
    assert_near(gain, 5, 0);
    static const char *const bad[] = {"",    "dB",     "0",    "-5",    "5 %",
                                      "5 V", "1e9 dB", "five", "5 dB x"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(energy_gain_parse(&gain, bad[i]));
}

/*
 * Ten raw samples of the ChipWhisperer's range, to joules in two ways. Volts = raw x 1 V / 5;
 * amperes = volts / 50 ohm; watts = amperes x 3.3 V: raw x 13.2 mW. Mean raw: 0.1; sum of squares:
 * 0.16. The second way is the factor worked out by hand, the first the code under test.
 */
static void test_known_trace(void **state)
{
    (void)state;
    static const double raw[10] = {0.1, 0.2, 0.1, 0.0, 0.1, 0.2, 0.0, 0.1, 0.2, 0.0};
    struct energy_probe p;
    struct energy_reading reading;
    energy_probe_init(&p);
    p.shunt_ohm = 50;
    p.gain = 5;
    p.vref_v = 1;
    energy_reading_of(&reading, raw, 10, 0);
    assert_near(reading.mean, 0.1, 1e-15);
    assert_near(reading.rms, sqrt(0.016), 1e-15);
    assert_int_equal(reading.clipped, 0);
    double mean_w = energy_power_w(&p, &reading, ENERGY_MEAN, 3.3);
    double rms_w = energy_power_w(&p, &reading, ENERGY_RMS, 3.3);
    assert_near(mean_w, 1.32e-3, 1e-15);
    assert_near(rms_w, 13.2e-3 * 0.12649110640673517, 1e-15);
    /* 73728 cycles at 7.3728 MHz are 10 ms: 13.2 uJ and 16.6968 uJ */
    assert_near(energy_of_power_nj(mean_w, 73728, 7372800), 13200, 1e-9);
    assert_near(energy_of_power_nj(rms_w, 73728, 7372800), 16696.826044, 1e-5);

    static const double clipped[4] = {-0.5, 0.5, 0.4990234375, 0.49};
    energy_reading_of(&reading, clipped, 4, 0);
    assert_int_equal(reading.clipped, 2);
    energy_reading_of(&reading, clipped, 4, 10);
    assert_int_equal(reading.clipped, 3);
    energy_reading_of(&reading, clipped, 0, 10);
    assert_true(isnan(reading.mean) && isnan(reading.rms));
}

/*
 * The five energies of the published XMEGA study (lwc-avr), E = P x (CPB x 16) / 7.3728 MHz with
 * the counted CPB: 0.432 to 0.441 nJ for each cycle a byte, so for every hash the same power near
 * 0.2 mW, 27 pJ a cycle, and by the published chain (1 V, factor 5, 49.9 ohm, 3.3 V) a raw RMS of
 * 0.0151 to 0.0154, some 15 steps of 1024. The energies say no more than the cycle counts do; the
 * power is a forty-seventh of the 9.5 mW that the data sheet's current makes.
 */
static void test_published_energies(void **state)
{
    (void)state;
    static const struct {
        const char *algorithm;
        double cpb, nj;
    } rows[] = {
        {"ascon", 2531, 1099.3},   {"photon-beetle", 2158, 950.55}, {"xoodyak", 2450, 1058.72},
        {"esch256", 1633, 719.05}, {"isap", 3953, 1714.84},
    };
    struct energy_probe p;
    energy_probe_init(&p);
    p.shunt_ohm = 49.9;
    p.gain = 5;
    p.vref_v = 1;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double nj_per_cpb = rows[i].nj / rows[i].cpb;
        assert_true(nj_per_cpb > 0.432 && nj_per_cpb < 0.441);
        /* back: watts, then volts at the shunt, then the converter's units */
        double power_w = nj_per_cpb / 16 * 1e-9 * 7372800;
        double raw = power_w / 3.3 * 49.9 * 5 / 1;
        assert_true(power_w > 0.199e-3 && power_w < 0.203e-3);
        assert_true(raw > 0.0150 && raw < 0.0154);
        /* and forward again through the code: 5 samples of that size, as the study took */
        const double samples[5] = {raw, -raw, raw, -raw, raw};
        struct energy_reading reading;
        energy_reading_of(&reading, samples, 5, 10);
        double again_w = energy_power_w(&p, &reading, ENERGY_RMS, 3.3);
        assert_near(energy_of_power_nj(again_w, rows[i].cpb * 16, 7372800) / rows[i].nj, 1, 1e-12);
    }
}

static void test_read(void **state)
{
    (void)state;
    struct yaml *file =
        parse("trace:\n"
              "  shunt: {value: 51 ohm, source: s}\n"
              "  gain: {value: 20 dB, assumption: a}\n"
              "  reference: {value: 1 V, source: s}\n"
              "  bits: {value: 10, source: s}\n"
              "  coupling: {value: ac, source: s}\n"
              "  note: n\n"
              "trace_sets: {paper: {gain: {value: 5, source: s},\n"
              "  samples: {value: 5, source: s}, average: {value: rms, source: s}}}\n");
    struct energy_probe p;
    struct uj_ctx ctx = {0};
    assert_int_equal(energy_probe_read(&ctx, &p, yaml_root(file), NULL), UJ_OK);
    assert_near(p.shunt_ohm, 51, 0);
    assert_near(p.gain, 10, 1e-12);
    assert_int_equal(p.bits, 10);
    assert_int_equal(p.coupling, ENERGY_AC);
    assert_int_equal(p.average, ENERGY_MEAN);
    assert_int_equal(p.samples, 0);
    struct str missing;
    str_init(&missing);
    assert_int_equal(energy_probe_missing(&missing, &p, false), 0);
    assert_int_equal(energy_probe_missing(&missing, &p, true), 4);
    assert_string_equal(missing.text, ", sample_rate, noise, hamming, corner");
    str_free(&missing);

    assert_int_equal(energy_probe_read(&ctx, &p, yaml_root(file), "paper"), UJ_OK);
    assert_near(p.shunt_ohm, 51, 0);
    assert_near(p.gain, 5, 0);
    assert_int_equal(p.samples, 5);
    assert_int_equal(p.average, ENERGY_RMS);
    assert_int_equal(energy_probe_read(&ctx, &p, yaml_root(file), "papre"), UJ_ERR_USAGE);
    assert_string_equal(ctx.message,
                        "board.yaml has no trace set \"papre\"; it has: default, paper");
    yaml_close(file);
}

static void test_bad_files(void **state)
{
    (void)state;
    static const struct {
        const char *yaml, *message;
    } rows[] = {
        {"trace: 5\n", "board.yaml:1:8: trace: must be a map of keys and values"},
        {"trace:\n  shunt: 51 ohm\n", "board.yaml:2:10: shunt: must be a map of keys and values"},
        {"trace:\n  shunt: {value: 51 ohm}\n",
         "board.yaml:2:10: shunt: needs either \"source\" or \"assumption\""},
        {"trace:\n  shunt: {value: 51 ohm, source: a, assumption: b}\n",
         "board.yaml:2:10: shunt: needs either \"source\" or \"assumption\""},
        {"trace:\n  shunt: {value: 51 ohm, source: ''}\n",
         "board.yaml:2:10: shunt: has an empty source or assumption"},
        {"trace:\n  shunt: {source: a}\n", "board.yaml:2:10: shunt: has no \"value\"; add it"},
        {"trace:\n  shunt: {value: 51, source: a}\n",
         "board.yaml:2:18: value: \"51\" is no quantity in ohm"},
        {"trace:\n  shunt: {value: 0 ohm, source: a}\n",
         "board.yaml:2:18: value: must be above 0 and at most 1e+06"},
        {"trace:\n  noise: {value: -1 mV, source: a}\n",
         "board.yaml:2:18: value: must be at least 0 and at most 1000"},
        {"trace:\n  gain: {value: loud, source: a}\n",
         "board.yaml:2:17: value: \"loud\" is no gain; write \"22 dB\", or \"5\" for a factor"},
        {"trace:\n  bits: {value: 99, source: a}\n", "board.yaml:2:17: value: 99 is outside 1..24"},
        {"trace:\n  coupling: {value: both, source: a}\n",
         "board.yaml:2:21: value: \"both\" is neither dc nor ac"},
        {"trace:\n  average: {value: [], source: a}\n",
         "board.yaml:2:20: value: must be one value"},
        {"trace:\n  shnt: {value: 51 ohm, source: a}\n",
         "board.yaml:2:9: shnt: unknown key; did you mean \"shunt\"?"},
        {"trace_sets: []\n", "board.yaml:1:13: trace_sets: must be a map of sets"},
        {"trace_sets: {paper: 1}\n", "board.yaml:1:21: paper: must be a map of keys and values"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct yaml *file = parse(rows[i].yaml);
        struct uj_ctx ctx = {0};
        struct energy_probe p;
        assert_int_equal(energy_probe_read(&ctx, &p, yaml_root(file), "paper"), UJ_ERR_INPUT);
        assert_string_equal(ctx.message, rows[i].message);
        yaml_close(file);
    }
}

/* Every device file that comes with the program: its currents and its probe are read. */
static void test_device_files(void **state)
{
    (void)state;
    glob_t found;
    assert_int_equal(glob(UJ_SOURCE_DIR "/devices/[a-z]*/*.yaml", 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= 4);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct uj_ctx ctx = {0};
        struct yaml *file;
        struct energy_probe p;
        struct energy_model *model = energy_model_new(3.3);
        if (yaml_load(&ctx, &file, found.gl_pathv[i]) ||
            energy_model_add(&ctx, model, "it", yaml_root(file), NULL) ||
            energy_probe_read(&ctx, &p, yaml_root(file), NULL))
            fail_msg("%s", ctx.message);
        energy_model_free(model);
        yaml_close(file);
    }
    globfree(&found);
}

/* 2.545 mA at 3.0 V by the data sheet's line, 43 % a volt: 2.873 mA, 1.286 nJ a cycle, at 3.3 V. */
static void test_cw_xmega(void **state)
{
    (void)state;
    struct uj_ctx ctx = {0};
    struct yaml *chip = NULL, *own = NULL;
    struct energy_model *model;
    struct energy_probe p;
    if (yaml_load(&ctx, &chip, UJ_SOURCE_DIR "/devices/mcus/atxmega128d4.yaml") ||
        yaml_load(&ctx, &own, UJ_SOURCE_DIR "/devices/boards/cw-xmega.yaml"))
        fail_msg("%s", ctx.message);
    struct board board = {.name = "cw-xmega",
                          .mcu_map = yaml_root(chip),
                          .board_map = yaml_root(own),
                          .supply_v = 3.3};
    if (energy_model_load(&ctx, &model, &board, NULL) ||
        energy_probe_read(&ctx, &p, board.board_map, NULL))
        fail_msg("%s", ctx.message);
    struct energy_result result;
    struct state_total total = {"active", 7372800, 10000000000, 1}; /* 10 ms: 73728 cycles */
    energy_of_states(model, &result, "cpu", &total, 1);
    assert_near(result.nj, 3.3 * 2.544976e-3 * 1.129 * 0.01 * 1e9, 1e-3);
    assert_true(result.spread_nj > 0.3 * result.nj && result.spread_nj < 0.35 * result.nj);
    struct str missing;
    str_init(&missing);
    assert_int_equal(energy_probe_missing(&missing, &p, true), 0);
    str_free(&missing);
    /* the chain does not clip the chip's current */
    assert_true(2.544976e-3 * 1.129 * p.shunt_ohm * p.gain / p.vref_v < 0.4);
    assert_int_equal(energy_probe_read(&ctx, &p, board.board_map, "paper"), UJ_OK);
    assert_near(p.gain, 1.7782794100389228, 1e-12);
    assert_near(p.shunt_ohm, 51, 0);
    assert_near(p.read_gain, 5, 0);
    assert_near(p.read_shunt_ohm, 49.9, 0);
    assert_int_equal(p.coupling, ENERGY_AC);
    assert_int_equal(p.samples, 5);
    assert_int_equal(p.average, ENERGY_RMS);
    /* the way back takes them as read: raw x 1 V / 5 / 49.9 ohm x 3.3 V */
    const struct energy_reading reading = {.mean = 0, .rms = 0.0151};
    assert_near(energy_power_w(&p, &reading, ENERGY_RMS, 3.3), 0.0151 / 5 / 49.9 * 3.3, 1e-12);
    energy_model_free(model);
    yaml_close(own);
    yaml_close(chip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gain),
        cmocka_unit_test(test_known_trace),
        cmocka_unit_test(test_published_energies),
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_bad_files),
        cmocka_unit_test(test_device_files),
        cmocka_unit_test(test_cw_xmega),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
