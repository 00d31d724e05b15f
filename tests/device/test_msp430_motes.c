/* The blocks of the three MSP430 motes, asked by programs that run on them. */
#include "msp430_firmware.h"

#include <math.h>

#include "../near.h"
#include "base/file.h"

static const char *const boards[] = {"sky", "z1", "wismote"};

static double seconds(uint64_t ps)
{
    return (double)ps * 1e-12;
}

/* What the multiplier must give for the operations of msp430_blocks.c. */
static void check_multiplier(struct firmware_rig *r, unsigned from)
{
    uint32_t a = 0x1234u * 0xABCDu, b = (uint32_t)(-0x8000 * 0x7FFF);
    uint64_t c = (uint64_t)b + 0xFFFFu * (uint64_t)0xFFFF;
    uint32_t d = (uint32_t)c - 2, e = 0xFE * 0x10;
    RIG_EXPECT(r, from, a & 0xFFFF, a >> 16, 0, b & 0xFFFF, b >> 16, 0xFFFF);
    RIG_EXPECT(r, from + 6, c & 0xFFFF, c >> 16 & 0xFFFF, (unsigned)(c >> 32));
    RIG_EXPECT(r, from + 9, d & 0xFFFF, d >> 16, 0xFFFF, e, 0);
}

/* Flash: a word and a segment take the controller's periods, and the core stands meanwhile. */
static void check_flash(struct firmware_rig *r, const struct rig_pin *pin, const char *board)
{
    const struct rig_edge *last = &pin->edges[pin->count - 1]; /* the end of the erase */
    double erase = seconds(last[0].ps - last[-1].ps), word = seconds(last[-2].ps - last[-3].ps);
    double hz = clock_hz(r->machine->cpu_clock);
    double expected_word = 75e-6, expected_erase = 27e-3;
    if (strcmp(board, "wismote") != 0) {
        expected_word = (strcmp(board, "sky") == 0 ? 35 : 30) * 3 / hz;
        expected_erase = 4819 * 3 / hz;
    }
    assert_true(word >= expected_word && word < expected_word + 20 / hz);
    assert_true(erase >= expected_erase && erase < expected_erase + 20 / hz);
}

static void blocks(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct firmware_rig *r = msp430_open(boards[i], "msp430_blocks");
        struct rig_pin pin;
        rig_watch_pin(r, &pin, "p1.0");
        rig_run_results(r, 12);
        unsigned overflow = strcmp(boards[i], "wismote") == 0 ? 0x0E : 0x0A;
        RIG_EXPECT(r, 0, 1, 4, 2, overflow, 1, 1, 0, 0x0101, 3, 1, 1, 0x1111);
        net_drive(r->machine, machine_net(r->machine, "p1.2"), true);
        rig_run_results(r, 35);
        RIG_EXPECT(r, 12, 4, 4, 0x6980);
        check_multiplier(r, 15);
        RIG_EXPECT(r, 29, 0xFFFF, 0x14, 0x0204, 0xFFFF, 0x9600, 0x4444);
        check_flash(r, &pin, boards[i]);
        assert_int_equal(r->machine->data.unmapped_count, 0);
        rig_close(r);
    }
}

static void heard_reset(void *owner, const char *cause, uint32_t pc)
{
    (void)pc;
    assert_non_null(strstr(cause, "password"));
    ++*(unsigned *)owner;
}

/* The serial line: each frame of ten bits of eight clocks. */
static void check_line(struct firmware_rig *r, double hz)
{
    double frame = 80 / hz;
    assert_true(r->sent_count >= 7);
    assert_memory_equal(r->sent, "mote 1\n", 7);
    for (unsigned i = 2; i < 7; i++)
        assert_near(seconds(r->sent_ps[i] - r->sent_ps[i - 1]), frame, 1e-9);
}

static void run_to_reset(struct firmware_rig *r, unsigned *resets, unsigned results)
{
    double hz = clock_hz(machine_clock(r->machine, "smclk")); /* a reset makes it another */
    r->machine->was_reset = heard_reset;
    r->machine->reset_owner = resets;
    for (unsigned i = 0; i < 4000 && *resets == 0; i++)
        rig_run(r, RIG_MS(1) / 10);
    assert_int_equal(*resets, 1);
    assert_true(rig_results(r) >= results); /* RAM stays as it was, and the program begins again */
    check_line(r, hz);
}

static void parts_of_sky(void **state)
{
    struct firmware_rig *r = msp430_open("sky", "msp430_parts");
    unsigned resets = 0;
    (void)state;
    for (unsigned i = 0; i < 1000 && rig_results(r) < 17; i++)
        rig_run(r, RIG_MS(1));
    RIG_EXPECT(r, 0, 0x20, 0x20, 0x14, 0xAA, 0xBB, 0xFF, 0xCC);
    /* 1-wire: presence, family, the number, and a check sum that makes the whole's zero. */
    RIG_EXPECT(r, 7, 0, 0x01, 0x78, 0x56, 0x34, 0x12, 0x00, 0x00);
    uint8_t crc = 0;
    for (unsigned i = 0; i < 8; i++)
        for (unsigned k = 0, byte = rig_result(r, 8 + i); k < 8; k++, byte >>= 1)
            crc = (uint8_t)(crc >> 1 ^ ((crc ^ byte) & 1 ? 0x8C : 0));
    assert_int_equal(crc, 0);
    assert_int_equal(rig_result(r, 16), 0x5555);
    serial_feed(r->serial, "abcd", 4);
    run_to_reset(r, &resets, 23);
    RIG_EXPECT(r, 17, 0x6261, 0x6463, 0, 0x20, 0xAA, 0x6666);
    rig_close(r);
}

static void parts_of_z1(void **state)
{
    struct firmware_rig *r = msp430_open("z1", "msp430_parts");
    unsigned resets = 0;
    (void)state;
    run_to_reset(r, &resets, 13);
    RIG_EXPECT(r, 0, 0x20, 0x20, 0x15, 0xAA, 0xBB, 0xFF, 0xCC);
    RIG_EXPECT(r, 7, 0xE5, 0x0A, 0x01, 0x18, 0x00, 0x6666);
    rig_close(r);
}

static void parts_of_wismote(void **state)
{
    struct firmware_rig *r = msp430_open("wismote", "msp430_parts");
    unsigned resets = 0;
    (void)state;
    run_to_reset(r, &resets, 26);
    RIG_EXPECT(r, 0, 0xFF);
    RIG_EXPECT(r, 1, 0x0001, 0x0000, 0xFFFE, 0xFFFF, 0, 0x0002, 0x0000, 0xFFFC, 0xFFFF, 1);
    RIG_EXPECT(r, 11, 0x0000, 0x8000, 0x0000, 0xC000, 0xFFFF, 0x7FFF, 0x0000, 0xC000);
    RIG_EXPECT(r, 19, 0xFFFF, 0x7FFF, 0x0000, 0x2000, 0xFFFE, 0xFFFF, 0x6666);
    rig_close(r);
}

/* An hour of LPM3: every tick is there, and the core is awake for no longer than its handler. */
static void hour_of_sleep(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct firmware_rig *r = msp430_open(boards[i], "msp430_tick");
        struct rig_pin pin;
        rig_watch_pin(r, &pin, "p1.0");
        rig_run(r, 3600 * PS_PER_SECOND + RIG_MS(5));
        uint8_t ticks[4];
        assert_true(mem_peek(&r->machine->data, rig_address(r, "ticks"), ticks, 4));
        uint32_t low = ticks[0] | (uint32_t)ticks[1] << 8,
                 high = ticks[2] | (uint32_t)ticks[3] << 8;
        assert_int_equal(high << 16 | low, 3600 * 128);
        double hz = clock_hz(r->machine->cpu_clock);
        for (unsigned k = 1; k < 5; k++) {
            double period = seconds(pin.edges[k].ps - pin.edges[k - 1].ps);
            assert_true(fabs(period - 1 / 128.0) < 2 / hz + 1e-9);
        }
        double woke = 0, asleep = 0;
        state_settle(&r->machine->cpu_state, r->machine->now_ps);
        const struct state_track *t = &r->machine->cpu_state;
        for (size_t k = 0; k < t->count; k++)
            *(strcmp(t->totals[k].state, "lpm3") == 0 ? &asleep : &woke) +=
                seconds(t->totals[k].ps);
        assert_near(asleep + woke, seconds(r->machine->now_ps), 1e-6);
        assert_true(woke < 3600 * 128 * 60 / hz);
        rig_close(r);
    }
}

/* From the crystal's edge to the first cycle, by the handler's pin. */
static void wake_latency(void **state)
{
    static const double wake_s[] = {6e-6, 1.5e-6, 150e-6};
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct firmware_rig *r = msp430_open(boards[i], "msp430_tick");
        struct rig_pin pin;
        rig_watch_pin(r, &pin, "p1.0");
        const struct sim_clock *aclk = machine_clock(r->machine, "aclk");
        rig_run(r, RIG_MS(30));
        assert_true(pin.count >= 3);
        double hz = clock_hz(r->machine->cpu_clock);
        uint64_t edge = clock_ticks(aclk, pin.edges[1].ps);
        uint64_t tick_ps = clock_time(aclk, edge);
        /* A latency beyond a period of the crystal: its edge lies further back. */
        while (seconds(pin.edges[1].ps - tick_ps) < wake_s[i])
            tick_ps = clock_time(aclk, --edge);
        double latency = seconds(pin.edges[1].ps - tick_ps);
        assert_true(latency >= wake_s[i] && latency < wake_s[i] + 20 / hz);
        rig_close(r);
    }
}

/* The text with `by` in place of the first `what`, written to a file. */
static void write_changed(const char *path, const char *text, const char *what, const char *by)
{
    const char *at = strstr(text, what);
    assert_non_null(at);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    (void)fprintf(f, "%.*s%s%s", (int)(at - text), text, by, at + strlen(what));
    assert_int_equal(fclose(f), 0);
}

static char *text_of(struct uj_ctx *ctx, const char *path)
{
    uint8_t *bytes = NULL;
    size_t count = 0;
    if (file_read(ctx, &bytes, &count, path, 1 << 20))
        fail_msg("%s", ctx->message);
    char *text = uj_strndup((const char *)bytes, count);
    free(bytes);
    return text;
}

/* A thousand chips, copies of the chip's file with another seed: each tunes itself to the exact
 * count, and then runs at that clock within the count's own step. */
static void calibrate(const char *board, double hz, double step)
{
    struct firmware_rig *r = msp430_open(board, "msp430_calibrate");
    char *mcu_path = uj_format("%s/device-firmware/%s-seed.yaml", UJ_BUILD_DIR, board);
    char *board_path = uj_format("%s/device-firmware/%s-seed-board.yaml", UJ_BUILD_DIR, board);
    char *mcu_text = text_of(&r->ctx, yaml_path(r->board->mcu_file));
    char *board_text = text_of(&r->ctx, yaml_path(r->board->board_file));
    write_changed(board_path, board_text, r->board->mcu, mcu_path);
    unsigned long settings = 0;
    for (unsigned seed = 1; seed <= 1000; seed++) {
        char *by = uj_format("seed: %u, wander:", seed);
        write_changed(mcu_path, mcu_text, "wander:", by);
        free(by);
        machine_free(r->machine);
        board_free(r->board);
        rig_must(r, board_load(&r->ctx, &r->board, UJ_SOURCE_DIR "/devices", board_path));
        rig_must(r, board_machine(&r->ctx, &r->machine, r->board));
        rig_must(r, image_into_machine(&r->ctx, r->image, r->machine));
        machine_reset(r->machine);
        for (unsigned i = 0; i < 100 && rig_results(r) < 3; i++)
            rig_run(r, RIG_MS(20));
        if (rig_results(r) < 3)
            fail_msg("%s: chip %u does not settle", board, seed);
        double got = clock_hz(r->machine->cpu_clock);
        if (fabs(got - hz) > step)
            fail_msg("%s: chip %u settles at %.0f Hz", board, seed, got);
        settings += rig_result(r, 1);
    }
    assert_true(settings > 1000); /* they differ from chip to chip */
    free(mcu_path);
    free(board_path);
    free(mcu_text);
    free(board_text);
    rig_close(r);
}

static void sky_calibrates(void **state)
{
    (void)state;
    calibrate("sky", 952 * 4096.0, 2 * 4096.0);
}

static void z1_calibrates(void **state)
{
    (void)state;
    calibrate("z1", 244 * 32768.0, 2 * 32768.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks),         cmocka_unit_test(parts_of_sky),
        cmocka_unit_test(parts_of_z1),    cmocka_unit_test(parts_of_wismote),
        cmocka_unit_test(wake_latency),   cmocka_unit_test(hour_of_sleep),
        cmocka_unit_test(sky_calibrates), cmocka_unit_test(z1_calibrates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
