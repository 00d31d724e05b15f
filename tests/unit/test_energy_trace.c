/* The simulated trace: its law, its filter, its noise, and the way back to joules. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "energy/energy_noise.h"
#include "energy/energy_trace.h"
#include "near.h"

static const struct energy_drive xmega = {
    .current_a = 2.7994736e-3, .spread_a = 0.6e-3, .supply_v = 3.3, .clock_hz = 7372800};

static struct energy_probe probe(void)
{
    struct energy_probe p;
    energy_probe_init(&p);
    p.shunt_ohm = 51;
    p.gain = 1.7782794100389228; /* 5 dB */
    p.vref_v = 1;
    p.sample_hz = 29491200;
    p.noise_v = 0;
    p.hamming_c = 5e-12;
    p.corner_hz = 30000;
    p.spread = 0.1;
    p.bits = 10;
    return p;
}

/* An operation of pseudo-random instructions: 1 to 4 cycles, 0 to `most` bits. */
static struct activity_log some_activity(uint64_t seed, size_t count, unsigned most)
{
    struct activity_log log = {0};
    uint64_t x = seed;
    for (size_t i = 0; i < count; i++) {
        x = x * 6364136223846793005 + 1442695040888963407;
        activity_add(&log, 1 + (x >> 33) % 4, (x >> 40) % (most + 1));
    }
    return log;
}

static uint64_t cycles_of(const struct activity_log *log)
{
    struct activity_sum sum = {0};
    activity_sum_add(&sum, log->items, log->count);
    return sum.cycles;
}

/* Records `runs` runs; the samples of run 0 into `samples`, if any. */
static uint64_t record(struct energy_reading *readings, const struct energy_probe *p,
                       const struct energy_drive *drive, const struct activity_log *log,
                       uint64_t seed, unsigned runs, double *samples, size_t room)
{
    struct uj_ctx ctx = {0};
    struct activity_sum sum = {0};
    struct energy_trace *t;
    activity_sum_add(&sum, log->items, log->count);
    if (energy_trace_begin(&ctx, &t, p, drive, &sum, seed, runs))
        fail_msg("%s", ctx.message);
    energy_trace_keep(t, samples, room);
    /* in two parts, which must make no difference */
    energy_trace_step(t, log->items, log->count / 3);
    energy_trace_step(t, log->items + log->count / 3, log->count - log->count / 3);
    return energy_trace_end(t, readings);
}

static double energy_nj(const struct energy_reading *reading, const struct energy_probe *p,
                        enum energy_average average, double cycles)
{
    return energy_of_power_nj(energy_power_w(p, reading, average, xmega.supply_v), cycles,
                              xmega.clock_hz);
}

/* The law: the mean of a noiseless dc trace gives the state's energy, V x I x t. */
static void test_mean_gives_state_energy(void **state)
{
    (void)state;
    static const struct {
        size_t count;
        unsigned most;
        double sample_hz;
    } rows[] = {
        {5000, 16, 29491200}, {5000, 8, 29.5e6},     {20000, 40, 29491200}, {3000, 64, 105e6},
        {60000, 16, 7372800}, {60000, 32, 1.8432e6}, {200000, 20, 1e6},     {2000, 24, 29491200},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (uint64_t seed = 1; seed <= 5; seed++) {
            struct activity_log log = some_activity(seed, rows[i].count, rows[i].most);
            double cycles = (double)cycles_of(&log);
            double state_nj = 3.3 * 2.7994736e-3 * (cycles / 7372800) * 1e9;
            struct energy_probe p = probe();
            struct energy_reading reading;
            p.sample_hz = rows[i].sample_hz;

            p.bits = 0;
            (void)record(&reading, &p, &xmega, &log, seed, 1, NULL, 0);
            double ratio = energy_nj(&reading, &p, ENERGY_MEAN, cycles) / state_nj;
            assert_near(ratio, 1, 1e-4); /* 0.1 % is promised */
            assert_true(reading.rms >= fabs(reading.mean));

            double half_step = 0.5 / 1024 / reading.mean; /* relative */
            p.bits = 10;
            (void)record(&reading, &p, &xmega, &log, seed, 1, NULL, 0);
            assert_int_equal(reading.clipped, 0);
            assert_near(energy_nj(&reading, &p, ENERGY_MEAN, cycles) / state_nj, ratio, half_step);

            /* noise of half a step, at the shunt; five of its own standard deviations for the mean
             */
            p.noise_v = 0.5 / 1024 / p.gain;
            uint64_t count = record(&reading, &p, &xmega, &log, seed, 1, NULL, 0);
            assert_near(energy_nj(&reading, &p, ENERGY_MEAN, cycles) / state_nj, ratio,
                        5 * 1.2 * half_step / sqrt((double)count) + 1e-4);
            activity_free(&log);
        }
    }
    /* A whole number of samples and an ideal converter: to the last digits. */
    struct activity_log log = some_activity(9, 10000, 30);
    while (cycles_of(&log) % 4 != 0)
        activity_add(&log, 1, 7);
    struct energy_probe p = probe();
    struct energy_reading reading;
    p.bits = 0;
    p.sample_hz = 7372800 / 4.0;
    double cycles = (double)cycles_of(&log);
    assert_int_equal(record(&reading, &p, &xmega, &log, 0, 1, NULL, 0), cycles / 4);
    assert_near(energy_nj(&reading, &p, ENERGY_MEAN, cycles) /
                    (3.3 * 2.7994736e-3 * (cycles / 7372800) * 1e9),
                1, 1e-9);
    activity_free(&log);
}

/* A current that never changes is known to half a step of the converter. */
static void test_constant_current_is_rounded(void **state)
{
    (void)state;
    struct activity_log log = {0};
    activity_add(&log, 50000, 0);
    struct energy_probe p = probe();
    struct energy_reading reading;
    (void)record(&reading, &p, &xmega, &log, 0, 1, NULL, 0);
    double raw = 2.7994736e-3 * 51 * 1.7782794100389228; /* 0.253888... = 259.98 steps of 1/1024 */
    assert_near(reading.mean, 260.0 / 1024, 1e-15);
    assert_true(fabs(reading.mean - raw) <= 0.5 / 1024);
    assert_near(reading.rms, reading.mean, 0);
    activity_free(&log);
}

/* Samples by hand: 2 cycles, then 3 cycles with 10 bits in the last; 2 samples a cycle. */
static void test_samples_by_hand(void **state)
{
    (void)state;
    static const struct energy_drive drive = {.current_a = 1e-3, .supply_v = 2, .clock_hz = 1e6};
    struct activity_log log = {0};
    struct energy_probe p = probe();
    double samples[16];
    struct energy_reading reading;
    p.shunt_ohm = 100;
    p.gain = 2;
    p.vref_v = 4;
    p.bits = 0;
    p.sample_hz = 2e6;
    p.hamming_c = 50e-12; /* 50 uA a bit at 1 MHz; 10 bits in 5 cycles: 100 uA on average */
    activity_add(&log, 2, 0);
    activity_add(&log, 3, 10);
    assert_int_equal(record(&reading, &p, &drive, &log, 0, 1, samples, 16), 10);
    for (int i = 0; i < 8; i++)
        assert_near(samples[i], 0.9e-3 * 100 * 2 / 4, 1e-12);
    assert_near(samples[8], 1.4e-3 * 100 * 2 / 4, 1e-12);
    assert_near(samples[9], 1.4e-3 * 100 * 2 / 4, 1e-12);
    assert_near(reading.mean, 0.05, 1e-12);

    /* One sample over 2.5 cycles averages: 2 x 0.9 + 0.5 x 0.9, then 1.5 x 0.9 + 1 x 1.4. */
    p.sample_hz = 0.4e6;
    assert_int_equal(record(&reading, &p, &drive, &log, 0, 1, samples, 16), 2);
    assert_near(samples[0], 0.9e-3 * 50, 1e-12);
    assert_near(samples[1], (1.5 * 0.9e-3 + 1.4e-3) / 2.5 * 50, 1e-12);

    /* Only as many samples as the recorder has room for. */
    p.sample_hz = 2e6;
    p.samples = 5;
    assert_int_equal(record(&reading, &p, &drive, &log, 0, 1, samples, 16), 5);
    assert_near(reading.mean, 0.045, 1e-12);
    activity_free(&log);
}

/* Bits that change without a cycle belong to their neighbour: nothing is lost. */
static void test_no_change_is_lost(void **state)
{
    (void)state;
    static const struct energy_drive drive = {.current_a = 1e-3, .supply_v = 2, .clock_hz = 1e6};
    struct energy_probe p = probe();
    struct energy_reading reading;
    p.bits = 0;
    p.sample_hz = 1e6;
    p.hamming_c = 1e-15;
    struct activity_log log = {0};
    activity_add(&log, 0, 3);
    activity_add(&log, 1, 100000); /* too many for 16 bits: a second item of no cycle */
    activity_add(&log, 0, 5);
    activity_add(&log, 70000, 11); /* two items */
    activity_add(&log, 0, 2);
    assert_int_equal(cycles_of(&log), 70001);
    assert_int_equal(record(&reading, &p, &drive, &log, 0, 1, NULL, 0), 70001);
    assert_near(reading.mean, 1e-3 * 51 * p.gain, 1e-12);
    activity_free(&log);
}

/* Behind the coupling a steady current is nothing, and any activity has a mean near zero. */
static void test_ac_coupling(void **state)
{
    (void)state;
    struct energy_probe p = probe();
    struct energy_reading reading;
    struct activity_log log = {0};
    p.coupling = ENERGY_AC;
    activity_add(&log, 60000, 0);
    (void)record(&reading, &p, &xmega, &log, 0, 1, NULL, 0);
    assert_near(reading.mean, 0, 0);
    assert_near(reading.rms, 0, 0);
    activity_free(&log);

    log = some_activity(3, 100000, 32);
    p.bits = 0;
    (void)record(&reading, &p, &xmega, &log, 0, 1, NULL, 0);
    double dc_raw = xmega.current_a * p.shunt_ohm * p.gain;
    assert_true(fabs(reading.mean) < 1e-4 * dc_raw);
    assert_true(reading.rms > 0.01 * dc_raw);
    assert_true(reading.rms < dc_raw);
    activity_free(&log);
}

/* Gain of the high-pass at a frequency, by a square wave's worth of cycles cut to its fundamental.
 */
static double gain_at(double corner_hz, double sample_hz, double signal_hz)
{
    struct energy_probe p = probe();
    static const struct energy_drive drive = {.current_a = 1e-3, .supply_v = 1, .clock_hz = 1e6};
    enum { SAMPLES = 200000 };
    static double samples[SAMPLES];
    struct activity_log log = {0};
    struct energy_reading reading;
    p.bits = 0;
    p.sample_hz = sample_hz;
    p.hamming_c = 1e-15;
    p.shunt_ohm = 1;
    p.gain = 1;
    p.vref_v = 1;
    double amplitude[2];
    for (size_t i = 0; i < SAMPLES; i++)
        activity_add(&log, 1,
                     (uint64_t)lround(1000 + 900 * sin(2 * M_PI * signal_hz / 1e6 * (double)i)));
    for (int ac = 0; ac < 2; ac++) {
        p.coupling = ac ? ENERGY_AC : ENERGY_DC;
        p.corner_hz = corner_hz;
        assert_int_equal(record(&reading, &p, &drive, &log, 0, 1, samples, SAMPLES), SAMPLES);
        double re = 0, im = 0;
        for (size_t i = SAMPLES / 2; i < SAMPLES; i++) { /* settled, and whole periods */
            double phase = 2 * M_PI * signal_hz / 1e6 * (double)i;
            re += samples[i] * cos(phase);
            im += samples[i] * sin(phase);
        }
        amplitude[ac] = hypot(re, im);
    }
    activity_free(&log);
    return amplitude[1] / amplitude[0];
}

static void test_corner_frequency(void **state)
{
    (void)state;
    assert_near(gain_at(10000, 1e6, 10000), sqrt(0.5), 1e-3);   /* -3 dB at the corner */
    assert_near(gain_at(200000, 1e6, 200000), sqrt(0.5), 1e-3); /* also where warping matters */
    assert_near(gain_at(10000, 1e6, 1000), 0.0995, 1e-3);       /* f / sqrt(f^2 + fc^2) */
    assert_near(gain_at(10000, 1e6, 500000 - 500), 1, 1e-3);
}

static void test_limits_and_steps(void **state)
{
    (void)state;
    struct activity_log log = some_activity(1, 2000, 32);
    struct energy_probe p = probe();
    struct energy_reading reading;
    enum { ROOM = 40000 };
    static double samples[ROOM];
    p.gain = 100;
    uint64_t count = record(&reading, &p, &xmega, &log, 0, 1, samples, ROOM);
    assert_true(count < ROOM);
    assert_int_equal(reading.clipped, count);
    assert_near(reading.mean, 511.0 / 1024, 0);

    p = probe();
    p.bits = 8;
    p.noise_v = 0.05;
    count = record(&reading, &p, &xmega, &log, 7, 1, samples, ROOM);
    for (uint64_t i = 0; i < count; i++) {
        double step = samples[i] * 256;
        assert_true(step == floor(step) && step >= -128 && step <= 127);
    }
    struct energy_reading again;
    energy_reading_of(&again, samples, count, 8);
    assert_near(again.mean, reading.mean, 1e-12);
    assert_near(again.rms, reading.rms, 1e-12);
    assert_int_equal(again.samples, reading.samples);
    activity_free(&log);
}

static void test_noise(void **state)
{
    (void)state;
    struct energy_noise n;
    const int count = 1000000;
    double sum = 0, squares = 0, fourth = 0, beyond = 0;
    energy_noise_init(&n, 42, 0);
    for (int i = 0; i < count; i++) {
        double x = energy_noise_next(&n);
        sum += x;
        squares += x * x;
        fourth += x * x * x * x;
        beyond += fabs(x) > 1.959964;
    }
    assert_near(sum / count, 0, 0.004);
    assert_near(squares / count, 1, 0.006);
    assert_near(fourth / count, 3, 0.05);
    assert_near(beyond / count, 0.05, 0.001);
}

/* Seeds: repeatable, different between seeds and between runs; runs spread as the noise says. */
static void test_seeds(void **state)
{
    (void)state;
    struct activity_log log = some_activity(5, 4000, 24);
    struct energy_probe p = probe();
    struct energy_reading a[10], b[10];
    p.noise_v = 2e-3;
    uint64_t count = record(a, &p, &xmega, &log, 11, 10, NULL, 0);
    (void)record(b, &p, &xmega, &log, 11, 10, NULL, 0);
    assert_memory_equal(a, b, sizeof a);
    (void)record(b, &p, &xmega, &log, 12, 10, NULL, 0);
    for (int i = 0; i < 10; i++) {
        assert_true(a[i].mean != b[i].mean);
        for (int j = 0; j < i; j++)
            assert_true(a[i].mean != a[j].mean);
    }
    struct energy_trace_result result;
    double cycles = (double)cycles_of(&log);
    energy_trace_convert(&result, a, 10, &p, ENERGY_MEAN, 3.3, 7372800, cycles);
    double state_nj = 3.3 * 2.7994736e-3 * (cycles / 7372800) * 1e9;
    /* the SD of a mean of N samples is noise / sqrt(N); ten runs know it to about a quarter */
    double sd_nj = 2e-3 / 51 * 3.3 / sqrt((double)count) * (cycles / 7372800) * 1e9;
    assert_near(result.mean_nj / state_nj, 1, 1e-3);
    assert_true(result.sd_nj > sd_nj * 0.4 && result.sd_nj < sd_nj * 1.8);
    assert_int_equal(result.runs, 10);
    assert_near(result.mean_w, 3.3 * 2.7994736e-3, 1e-5);
    energy_trace_convert(&result, a, 1, &p, ENERGY_MEAN, 3.3, 7372800, cycles);
    assert_true(isnan(result.sd_nj));
    activity_free(&log);
}

/* Three runs of 10, 12 and 17 nJ: mean 13, SD sqrt((9 + 1 + 16) / 2). */
static void test_mean_and_sd(void **state)
{
    (void)state;
    const struct energy_reading readings[3] = {
        {.mean = 0.10, .clipped = 1}, {.mean = 0.12}, {.mean = 0.17, .clipped = 4}};
    struct energy_trace_result result;
    struct energy_probe p = probe();
    p.shunt_ohm = 1;
    p.gain = 1;
    energy_trace_convert(&result, readings, 3, &p, ENERGY_MEAN, 1, 1e9, 100);
    assert_near(result.mean_nj, 13, 1e-12);
    assert_near(result.sd_nj, sqrt(13), 1e-12);
    assert_near(result.mean_w, 0.13, 1e-15);
    assert_int_equal(result.clipped, 5);
}

/* One figure, whole: value, spread and reasons. */
static void test_energy_of_activity(void **state)
{
    (void)state;
    static const char chip[] =
        "currents: {active: {base: 0.37 mA, slope: 0.295 mA/MHz, spread: 20 %, "
        "supply: 3.3 V, source: s}}\n";
    struct uj_ctx ctx = {0};
    struct yaml *file;
    assert_int_equal(yaml_parse(&ctx, &file, "chip", chip, strlen(chip)), UJ_OK);
    struct energy_model *model = energy_model_new(3.3);
    assert_int_equal(energy_model_add(&ctx, model, "cpu", yaml_root(file), NULL), UJ_OK);
    struct activity_log log = some_activity(2, 3000, 24);
    struct energy_probe p = probe();
    struct energy_result out;
    p.noise_v = 1e-3;
    assert_int_equal(energy_of_activity(&ctx, &out, model, &p, "cpu", "active", 7372800, &log, 1),
                     UJ_OK);
    double state_nj = 3.3 * 2.544976e-3 * ((double)cycles_of(&log) / 7372800) * 1e9;
    assert_near(out.nj / state_nj, 1, 1e-3);
    assert_near(out.spread_nj / state_nj, hypot(0.2, 0.1), 2e-3);
    assert_string_equal(out.method, "trace");
    assert_string_equal(out.reason, "");

    assert_int_equal(energy_of_activity(&ctx, &out, model, &p, "cpu", "idle", 1, &log, 1), UJ_OK);
    assert_true(isnan(out.nj));
    assert_string_equal(out.reason, "the device file has no current for cpu idle");
    energy_probe_init(&p);
    assert_int_equal(energy_of_activity(&ctx, &out, model, &p, "cpu", "active", 7372800, &log, 1),
                     UJ_OK);
    assert_true(isnan(out.nj));
    assert_string_equal(
        out.reason,
        "the board's trace map lacks shunt, gain, reference, sample_rate, noise, hamming");
    activity_free(&log);
    energy_model_free(model);
    yaml_close(file);
}

static void test_refusals(void **state)
{
    (void)state;
    struct activity_log log = some_activity(1, 10, 8);
    const struct activity_log none = {0};
    const struct {
        double hamming_c, corner_hz;
        const struct activity_log *log;
        const char *message;
    } rows[] = {
        {1e-6, 1e4, &log,
         "trace: hamming: 1e-06 C a bit makes more current than the state's "
         "0.00279947 A; lower it"},
        {5e-12, 2e7, &log, "trace: the corner of 2e+07 Hz is not below half the sample rate"},
        {5e-12, 1e4, &none, "trace: the operation took no cycle"},
        {5e-12, NAN, &log, "trace: missing corner; add to the board's \"trace\" map"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct energy_probe p = probe();
        struct energy_study_row study[ENERGY_STUDY_ROWS];
        struct uj_ctx ctx = {0};
        p.hamming_c = rows[i].hamming_c;
        p.corner_hz = rows[i].corner_hz;
        assert_int_equal(energy_trace_study(&ctx, study, &p, NULL, &xmega, rows[i].log, 10, 1),
                         UJ_ERR_INPUT);
        assert_string_equal(ctx.message, rows[i].message);
    }
    activity_free(&log);
}

/* What coupling and average do to the energy: dc mean is right, dc rms above it, ac far below. */
static void test_study(void **state)
{
    (void)state;
    struct activity_log log = some_activity(4, 20000, 24);
    struct energy_probe p = probe(), paper = probe();
    struct energy_study_row rows[ENERGY_STUDY_ROWS];
    struct uj_ctx ctx = {0};
    double cycles = (double)cycles_of(&log);
    p.noise_v = 1e-3;
    assert_int_equal(energy_trace_study(&ctx, rows, &p, NULL, &xmega, &log, cycles, 1), UJ_OK);
    assert_int_equal(rows[0].coupling, ENERGY_DC);
    assert_int_equal(rows[0].average, ENERGY_MEAN);
    assert_near(rows[0].ratio, 1, 1e-3);
    assert_true(rows[1].ratio > rows[0].ratio);
    assert_near(rows[2].ratio, 0, 1e-3);
    assert_true(rows[3].ratio > 0.01 && rows[3].ratio < 0.5);
    assert_near(rows[0].state_nj, 3.3 * 2.7994736e-3 * (cycles / 7372800) * 1e9, 1e-6);

    /* Decibels taken for a factor, and another shunt: 10^(5/20) / 5 x 51 / 49.9. */
    paper.gain = 5;
    paper.shunt_ohm = 49.9;
    assert_int_equal(energy_trace_study(&ctx, rows, &p, &paper, &xmega, &log, cycles, 1), UJ_OK);
    assert_near(rows[0].ratio, 0.36350, 1e-3);
    activity_free(&log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mean_gives_state_energy),
        cmocka_unit_test(test_constant_current_is_rounded),
        cmocka_unit_test(test_samples_by_hand),
        cmocka_unit_test(test_no_change_is_lost),
        cmocka_unit_test(test_ac_coupling),
        cmocka_unit_test(test_corner_frequency),
        cmocka_unit_test(test_limits_and_steps),
        cmocka_unit_test(test_noise),
        cmocka_unit_test(test_seeds),
        cmocka_unit_test(test_mean_and_sd),
        cmocka_unit_test(test_energy_of_activity),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_study),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
