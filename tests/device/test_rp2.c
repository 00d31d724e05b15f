/* The blocks of RP2040 and RP2350, by small programs in SRAM on the boards pico, pico2 and
 * pico2-riscv. Digests are libsodium's, times the data sheets'. */
#include <math.h>

#include <sodium/crypto_hash_sha256.h>

#include "device/firmware_rig.h"
#include "measure/window.h"

static const char *const boards[] = {"pico", "pico2", "pico2-riscv"};
enum { PICO, PICO2, RISCV, BOARDS };

static struct firmware_rig *open_rp2(unsigned board, const char *name, const char *options)
{
    struct firmware_rig *r = rig_open_board(boards[board]);
    const char *folder = UJ_SOURCE_DIR "/tests/device/firmware/rp2";
    char *arguments =
        uj_format("-O2 -nostdlib -ffreestanding -ffunction-sections -Wl,--gc-sections "
                  "-Wl,-N -Wl,-T,'%s/rp2%s.ld' %s %s '%s/%s.c' -lgcc",
                  folder, strstr(options, "-DFLASH") ? "_flash" : "",
                  board == PICO ? "-DRP2040" : "", options, folder, name);
    char *file = uj_format("rp2-%s%s", name, options);
    for (char *c = file; *c; c++)
        if (strchr(" =,", *c))
            *c = '-';
    r->elf = rig_compile(r, file, arguments);
    free(file);
    free(arguments);
    rig_load(r);
    return r;
}

static uint32_t word(struct firmware_rig *r, uint32_t address)
{
    uint32_t value;
    assert_true(mem_peek(&r->machine->data, address, &value, sizeof value));
    return value;
}

static uint32_t result(struct firmware_rig *r, unsigned index)
{
    return word(r, rig_address(r, "results") + 4 * index);
}

static void run_until_results(struct firmware_rig *r, unsigned count)
{
    for (unsigned i = 0; i < 2000 && word(r, rig_address(r, "result_count")) < count; i++)
        rig_run(r, RIG_MS(1) / 10);
    if (word(r, rig_address(r, "result_count")) < count)
        fail_msg("%u results of %u; pc 0x%x", word(r, rig_address(r, "result_count")), count,
                 r->machine->core->class->pc(r->machine->core));
}

/* The digest that the program noted from `index` on, as bytes. */
static void noted_digest(struct firmware_rig *r, unsigned index, uint8_t digest[32])
{
    for (unsigned i = 0; i < 32; i++)
        digest[i] = (uint8_t)(result(r, index + i / 4) >> (24 - 8 * (i % 4)));
}

/* The chaining value after whole blocks is what SHA-256 has before its padding: compared by way of
 * the state that libsodium keeps. */
static void expect_state(struct firmware_rig *r, unsigned index, const uint8_t *data, size_t bytes)
{
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, data, bytes);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(result(r, index + i), state.state[i]);
}

enum { MODES = 6 };
struct calls {
    uint64_t cycles[2 * MODES];
    unsigned count;
};

static void called(void *owner, uint32_t function, const struct window_counts *call)
{
    struct calls *calls = owner;
    (void)function;
    if (calls->count < 2 * MODES)
        calls->cycles[calls->count++] = call->cycles;
}

/* DMA: the data sheet's best case, 16, 32 or 64 writes of 4 cycles and 57; 121 for words is the one
 * it prints. Loops of the core depend on the compiler; readings of Hazard3's RTL, start included,
 * over 17 blocks: 265.1 polled, 174.5 in bursts, 510.2 by bytes. */
static void modes_of(unsigned board)
{
    static const char *const names[MODES] = {"polled", "burst", "dma8", "dma16", "dma32", "bytes"};
    static const double low[MODES] = {240, 170, 312.5, 184.5, 120.5, 380},
                        high[MODES] = {275, 185, 313.5, 185.5, 121.5, 600};
    struct firmware_rig *r = open_rp2(board, "sha_modes", "");
    uint32_t addresses[MODES];
    for (unsigned i = 0; i < MODES; i++)
        addresses[i] = rig_address(r, names[i]) & ~1u;
    struct window_set windows;
    struct calls calls = {.count = 0};
    window_set_open(&windows, r->machine, addresses, MODES, NULL);
    windows.returned = called;
    windows.owner = &calls;
    run_until_results(r, 2 * MODES * 8);
    window_set_close(&windows);
    assert_int_equal(calls.count, 2 * MODES);
    assert_true(fabs(clock_hz(r->machine->cpu_clock) - 150e6) < 1);
    uint8_t data[4096];
    uint32_t x = 1;
    for (unsigned i = 0; i < sizeof data; i += 4) {
        x = x * 1664525 + 1013904223;
        memcpy(data + i, &x, 4);
    }
    for (unsigned i = 0; i < MODES; i++) {
        expect_state(r, 16 * i, data, 1024);
        expect_state(r, 16 * i + 8, data, 4096);
        double slope = (double)(calls.cycles[2 * i + 1] - calls.cycles[2 * i]) / 48;
        print_message("%s %s: %.2f cycles a block (%llu for 16)\n", boards[board], names[i], slope,
                      (unsigned long long)calls.cycles[2 * i]);
        if (slope < low[i] || slope > high[i])
            fail_msg("not within %.1f to %.1f", low[i], high[i]);
    }
    assert_null(r->machine->note.reason);
    rig_close(r);
}

static void sha_modes(void **state)
{
    (void)state;
    modes_of(PICO2);
    modes_of(RISCV);
}

static void sha_edges(void **state)
{
    (void)state;
    uint8_t abc[32], digest[32];
    crypto_hash_sha256(abc, (const uint8_t *)"abc", 3);
    for (unsigned board = PICO2; board <= RISCV; board++) {
        struct firmware_rig *r = open_rp2(board, "sha_edges", "");
        run_until_results(r, 29);
        assert_int_equal(result(r, 0), 0x1206);
        noted_digest(r, 1, digest);
        assert_memory_equal(digest, abc, 32);
        noted_digest(r, 9, digest);
        assert_memory_equal(digest, abc, 32);
        assert_int_equal(result(r, 17), 0x202); /* ready, the sum not valid */
        assert_int_equal(result(r, 18), 0x200); /* busy */
        assert_int_equal(result(r, 19), 0x10);  /* the error */
        noted_digest(r, 20, digest);
        assert_memory_equal(digest, abc, 32);
        assert_int_equal(result(r, 28), 0x206);
        rig_close(r);
    }
}

static void blocks(void **state)
{
    (void)state;
    for (unsigned board = 0; board < BOARDS; board++) {
        struct firmware_rig *r = open_rp2(board, "blocks", "");
        struct rig_pin trigger, pulse;
        double hz = board == PICO ? 125e6 : 150e6;
        rig_watch_pin(r, &trigger, "trigger");
        rig_watch_pin(r, &pulse, "gpio.3");
        serial_feed(r->serial, "xyz", 3);
        run_until_results(r, board == PICO ? 36 : 31);
        uint32_t expected[] = {
            board == PICO ? 0x1FFFFFF : 0x1FFFFFFF,
            0,
            0x5F,
            0x5A,
            0xA5,
            0x12121212,
            0x12, /* aliases */
            0x90,
            0x28,
            'x',
            'y',
            'z', /* UART */
            100,
            0,
            0,
            1,
            1, /* timer */
            1,
            0, /* GPIO */
            0xFCBD7E3F,
            4 * 0x01020304,
            5 * 0x01020304,
            2 * 0x01020304,
            256,
            6,
            0,
            8, /* DMA */
            6,
            1,
            0,
            1, /* core 1, spinlock */
            0,
            (uint32_t)-2,
            (uint32_t)-14,
            UINT32_MAX,
            100, /* divider */
        };
        if (board == PICO)
            expected[8] = 0x28;
        for (unsigned i = 0; i < (board == PICO ? 36u : 31u); i++)
            if (result(r, i) != expected[i])
                fail_msg("%s: result %u is 0x%x, not 0x%x", boards[board], i, result(r, i),
                         expected[i]);
        /* The line: 40 letters back to back at 10 bits of 16 x (10 + 11/64) cycles, then the DMA's.
         */
        assert_int_equal(r->sent_count, 50);
        assert_memory_equal(r->sent + 40, "by request", 10);
        double byte = 160 * (10 + 11 / 64.) / hz * 1e12;
        for (unsigned i = 1; i < 40; i++) {
            assert_int_equal(r->sent[i], 'A' + i);
            double took = (double)(r->sent_ps[i] - r->sent_ps[i - 1]);
            assert_true(fabs(took - byte) < 1.01e12 / hz);
        }
        assert_int_equal(pulse.count, 2);
        double us = (double)(pulse.edges[1].ps - pulse.edges[0].ps) * 1e-6;
        if (us < 98.5 || us > 100.5)
            fail_msg("a pulse of %f us", us);
        /* Four flips, set and clear; then the DMA's 4000 elements of a cycle each. */
        assert_int_equal(trigger.count, 8);
        double cycles = (double)(trigger.edges[7].ps - trigger.edges[6].ps) * hz * 1e-12;
        if (cycles < 4000 || cycles > 4060)
            fail_msg("%f cycles for 4000 elements", cycles);
        rig_close(r);
    }
}

/* Timer, DMA and UART interrupt a sleeping core. */
static void interrupts(void **state)
{
    (void)state;
    for (unsigned board = 0; board < BOARDS; board++) {
        struct firmware_rig *r = open_rp2(board, "interrupts", "");
        run_until_results(r, 5);
        for (unsigned i = 0; i < 3; i++)
            assert_int_equal(result(r, i), 1000 * (i + 1));
        assert_int_equal(result(r, 3), 1);
        assert_int_equal(result(r, 4), 0x5E4D);
        rig_run(r, RIG_MS(1));
        assert_true(r->machine->core->asleep);
        uint64_t begun = r->machine->now_ps;
        serial_feed(r->serial, "q", 1);
        run_until_results(r, 7);
        assert_int_equal(result(r, 5), 'q');
        assert_int_equal(result(r, 6), 0xD09E);
        uint64_t idle = 0;
        for (size_t i = 0; i < r->machine->cpu_state.count; i++)
            if (strcmp(r->machine->cpu_state.totals[i].state, "idle") == 0)
                idle += r->machine->cpu_state.totals[i].ps;
        assert_in_range(idle, RIG_MS(38) / 10, begun + RIG_MS(1)); /* 3 ms of alarms, 1 ms more */
        rig_close(r);
    }
}

static void mistakes(void **state)
{
    (void)state;
    static const char *const notes[] = {NULL, "SHA-256 block written while it was not ready",
                                        "DMA writes where nothing answers"};
    for (unsigned board = PICO2; board <= RISCV; board++)
        for (unsigned i = 1; i <= 3; i++) {
            char *option = uj_format("-DMISTAKE=%u", i);
            struct firmware_rig *r = open_rp2(board, "mistakes", option);
            free(option);
            enum machine_stop stop = machine_run(r->machine, RIG_MS(20));
            const struct core_fault *f = i < 3 ? &r->machine->note : &r->machine->core->fault;
            if (i < 3) {
                assert_int_equal(stop, MACHINE_TIME);
                assert_int_equal(result(r, 0), 1);
                assert_string_equal(f->reason, notes[i]);
            } else {
                assert_int_equal(stop, MACHINE_FAULT);
            }
            const struct image_symbol *symbol = image_symbol_at(r->image, f->pc);
            if (!symbol || strcmp(symbol->name, "culprit") != 0)
                fail_msg("%s %u: %s at 0x%x (%s), not in culprit", boards[board], i, f->reason,
                         f->pc, f->detail);
            rig_close(r);
        }
}

/* 120 bytes of straight code are 15 lines of the cache. The first call waits for 14 of them, since
 * the first line is there when the call has arrived, and perhaps for the line to which it returns;
 * later calls find all. In SRAM all calls are alike. */
static void flash_cache(void **state)
{
    (void)state;
    for (unsigned board = 0; board < BOARDS; board++)
        for (unsigned flash = 0; flash < 2; flash++) {
            struct firmware_rig *r = open_rp2(board, "xip", flash ? "-DFLASH" : "");
            uint32_t address = rig_address(r, "straight") & ~1u;
            struct window_set windows;
            struct calls calls = {.count = 0};
            window_set_open(&windows, r->machine, &address, 1, NULL);
            windows.returned = called;
            windows.owner = &calls;
            run_until_results(r, 1);
            window_set_close(&windows);
            assert_int_equal(address >> 28, flash ? 1 : 2);
            assert_int_equal(calls.count, 3);
            uint64_t waited = calls.cycles[0] - calls.cycles[2];
            assert_true(flash ? waited == 14 * 56 || waited == 15 * 56 : waited == 0);
            assert_int_equal(calls.cycles[1], calls.cycles[2]);
            assert_in_range(calls.cycles[2], 30, 64);
            rig_close(r);
        }
}

static void frames_returned(void *owner, uint32_t function, const struct window_counts *call)
{
    (void)function;
    *(uint64_t *)owner = call->stack_bytes;
}

static void stack_is_seen(void **state)
{
    (void)state;
    for (unsigned board = 0; board < BOARDS; board++) {
        struct firmware_rig *r = open_rp2(board, "stack", "");
        uint32_t address = rig_address(r, "frames") & ~1u;
        struct window_set windows;
        uint64_t bytes = 0;
        window_set_open(&windows, r->machine, &address, 1, NULL);
        windows.returned = frames_returned;
        windows.owner = &bytes;
        run_until_results(r, 1);
        window_set_close(&windows);
        assert_int_equal(bytes, board == RISCV ? 2064 : 56);
        rig_close(r);
    }
}

/* Compiles and places; the error's text, or "" where it was taken. */
static void place(char *text, size_t size, unsigned board, const char *options)
{
    struct firmware_rig *r = rig_open_board(boards[board]);
    const char *folder = UJ_SOURCE_DIR "/tests/device/firmware/rp2";
    char *arguments = uj_format("-O2 -nostdlib -ffreestanding -Wl,-N -Wl,-T,'%s/rp2%s.ld' %s %s "
                                "'%s/xip.c' -lgcc",
                                folder, strstr(options, "-DFLASH") ? "_flash" : "",
                                board == PICO ? "-DRP2040" : "", options, folder);
    r->elf = rig_compile(r, "rp2-placed", arguments);
    free(arguments);
    rig_must(r, image_load(&r->ctx, &r->image, r->elf, r->board->core_class->elf_machine,
                           r->board->core_class->isa));
    rig_must(r, board_machine(&r->ctx, &r->machine, r->board));
    enum uj_err err = image_into_machine(&r->ctx, r->image, r->machine);
    (void)snprintf(text, size, "%s", err ? r->ctx.message : "");
    rig_close(r);
}

static void image_definitions(void **state)
{
    (void)state;
    static const struct {
        unsigned board;
        const char *options, *says;
    } cases[] = {
        {PICO2, "-DIMAGE_TYPE=0x10210142 -DEND=0xab123579", NULL},
        {PICO2, "-DFLASH -DIMAGE_TYPE=0x10210142 -DEND=0xab123579", NULL},
        {RISCV, "-DIMAGE_TYPE=0x11010142 -DEND=0xab123579", NULL},
        {PICO, "-DIMAGE_TYPE=0x11010142 -DEND=0xab123579", NULL}, /* RP2040 has none */
        {PICO2, "-DIMAGE_TYPE=0x11010142 -DEND=0xab123579", "is for RISC-V, the board runs Arm"},
        {RISCV, "-DIMAGE_TYPE=0x10210142 -DEND=0xab123579", "is for Arm, the board runs RISC-V"},
        {PICO2, "-DIMAGE_TYPE=0x00210142 -DEND=0xab123579", "of no executable for RP2350"},
        {PICO2, "-DIMAGE_TYPE=0x10210143 -DEND=0xab123579", "does not begin with an image type"},
        {PICO2, "-DFLASH -DIMAGE_TYPE=0x10210142 -DEND=0", "does not end as it must"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        place(text, sizeof text, cases[i].board, cases[i].options);
        if (cases[i].says ? !strstr(text, cases[i].says) : text[0] != '\0')
            fail_msg("%s %s: \"%s\"", boards[cases[i].board], cases[i].options, text);
    }
}

/* An image whose data reaches over the end of SRAM is refused. */
static void over_sram(void **state)
{
    (void)state;
    for (unsigned board = 0; board < BOARDS; board++) {
        char text[512];
        place(text, sizeof text, board, "-DFILL=540000");
        if (!strstr(text, "does not fit"))
            fail_msg("%s: \"%s\"", boards[board], text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sha_modes),   cmocka_unit_test(sha_edges),
        cmocka_unit_test(blocks),      cmocka_unit_test(interrupts),
        cmocka_unit_test(mistakes),    cmocka_unit_test(stack_is_seen),
        cmocka_unit_test(flash_cache), cmocka_unit_test(image_definitions),
        cmocka_unit_test(over_sram),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
