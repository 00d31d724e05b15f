/*
 * Real programs, compiled by avr-gcc here, on our avre core and on libsimavr: the same cycles,
 * registers and data memory at their end; the traced loop must end likewise, and our count of
 * instructions must be that of single steps.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sim_avr.h>
#include <stdlib.h>
#include <unistd.h>

#include "avr_rig.h"
#include "isa/simavr_leaks.h"

static const struct program {
    const char *mcu, *flags, *prefix, *sources;
    uint32_t flash_bytes, ram_base, ram_bytes;
} programs[] = {
    {"atmega328p", "-Os", "sha256_ref", "hash/sha256/ref", 0x8000, 0x100, 0x800},
    {"atmega328p", "-O3", "sha256_fast", "hash/sha256/fast", 0x8000, 0x100, 0x800},
    {"atmega328p", "-O2 -mcall-prologues", "ascon_hash256_ref", "hash/ascon-hash256/ref", 0x8000,
     0x100, 0x800},
    {"atmega2560", "-Os", "esch256_fast", "hash/esch256/fast", 0x40000, 0x200, 0x2000},
    {"atmega2560", "-O2", "photon_beetle_hash_fast", "hash/photon-beetle-hash/fast", 0x40000, 0x200,
     0x2000},
};

enum { PROGRAMS = sizeof programs / sizeof *programs };

static void compile(const struct program *p, const char *folder, uint8_t *image, size_t *bytes)
{
    char command[1024], path[128];
    snprintf(command, sizeof command,
             "avr-gcc -mmcu=%s %s -std=gnu99 -DPREFIX=%s -I%s/primitives/%s -o %s/a.elf "
             "%s/tests/isa/avr_program.c %s/primitives/%s/*.c && "
             "avr-objcopy -O binary %s/a.elf %s/a.bin",
             p->mcu, p->flags, p->prefix, UJ_SOURCE_DIR, p->sources, folder, UJ_SOURCE_DIR,
             UJ_SOURCE_DIR, p->sources, folder, folder);
    if (system(command) != 0)
        fail_msg("%s", command);
    snprintf(path, sizeof path, "%s/a.bin", folder);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    *bytes = fread(image, 1, p->flash_bytes, file);
    fclose(file);
    assert_true(*bytes > 500);
}

struct tally {
    uint64_t instructions, cycles, distance;
};

static void count(void *owner, const struct core *c, unsigned cycles, unsigned distance)
{
    struct tally *tally = owner;
    (void)c;
    tally->instructions++;
    tally->cycles += cycles;
    tally->distance += distance;
}

static struct avr_rig *execute(const struct program *p, const uint8_t *image, size_t bytes,
                               struct tally *tally)
{
    struct avr_rig *rig = rig_new("avre", p->flash_bytes, p->ram_base, p->ram_bytes,
                                  p->flash_bytes > 0x20000 ? "{pc_bits: 22}" : NULL);
    struct core *core = rig->core;
    memcpy(rig->flash, image, bytes);
    core->trace = tally ? count : NULL;
    core->trace_owner = tally;
    core->limit = core->deadline = 100000000;
    enum core_stop stop = tally ? core->class->run_traced(core) : core->class->run(core);
    assert_int_equal(stop, CORE_SLEEP);
    return rig;
}

/* In pieces of any length the end is the same. */
static void execute_in_pieces(const struct program *p, const uint8_t *image, size_t bytes,
                              const struct core *whole)
{
    struct avr_rig *rig = rig_new("avre", p->flash_bytes, p->ram_base, p->ram_bytes,
                                  p->flash_bytes > 0x20000 ? "{pc_bits: 22}" : NULL);
    uint64_t random = 1;
    memcpy(rig->flash, image, bytes);
    while (rig_run(rig, 1 + rig_random(&random) % 37) == CORE_DEADLINE)
        ;
    assert_true(rig->core->asleep);
    assert_true(rig->core->cycle == whole->cycle);
    assert_true(rig->core->instructions == whole->instructions);
    for (unsigned i = 0; i < whole->class->registers; i++)
        assert_int_equal(whole->class->get_register(rig->core, i),
                         whole->class->get_register(whole, i));
    rig_free(rig);
}

static void run_program(const struct program *p, const char *folder)
{
    static uint8_t image[0x40000];
    size_t bytes;
    compile(p, folder, image, &bytes);

    struct tally tally = {0};
    struct avr_rig *rig = execute(p, image, bytes, NULL);
    struct avr_rig *traced = execute(p, image, bytes, &tally);
    struct core *core = rig->core;

    avr_t *avr = avr_make_mcu_by_name(p->mcu);
    assert_non_null(avr);
    avr_init(avr);
    avr->log = LOG_ERROR;
    avr_loadcode(avr, image, (uint32_t)bytes, 0);
    avr->codeend = p->flash_bytes;
    int state;
    do
        state = avr_run(avr);
    while (state != cpu_Done && state != cpu_Crashed);
    assert_int_equal(state, cpu_Done);

    assert_true(core->cycle == avr->cycle);
    assert_true(core->cycle > 10000);
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(core->class->get_register(core, i), avr->data[i]);
    for (unsigned bit = 0; bit < 8; bit++)
        assert_int_equal(core->class->get_register(core, 32) >> bit & 1, avr->sreg[bit]);
    assert_int_equal(core->class->sp(core), avr->data[0x5d] | avr->data[0x5e] << 8);
    assert_memory_equal(rig->ram, avr->data + p->ram_base, p->ram_bytes);

    assert_true(traced->core->cycle == core->cycle);
    assert_true(traced->core->instructions == core->instructions);
    assert_true(tally.instructions == core->instructions);
    assert_true(tally.cycles == core->cycle);
    assert_true(tally.distance > core->instructions);
    assert_memory_equal(traced->ram, rig->ram, p->ram_bytes);
    assert_true(traced->core->sp_low == core->sp_low);
    execute_in_pieces(p, image, bytes, core);
    avr_terminate(avr);
    free(avr);
    rig_free(traced);
    rig_free(rig);
}

static void test_programs(void **state)
{
    (void)state;
    char folder[] = "/tmp/ujoule-avr-programs-XXXXXX", command[128];
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < PROGRAMS; i++)
        run_program(&programs[i], folder);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
