/*
 * Exceptions on our cores and on QEMU's machines: firmware/thumb_exceptions.c prints the same on
 * both. Skipped only where qemu-system-arm is not installed.
 */
#include "thumb_rig.h"

static const struct {
    const char *machine, *core, *options;
    uint32_t vectors;
} targets[THUMB_CORES] = {
    {"microbit", "cortex-m0",
     "-Wl,--section-start=.vectors=0 -Wl,-Ttext=0x100 -Wl,-Tdata=0x20000100 -Wl,-Tbss=0x20000800 "
     "-DSTACK_TOP=0x20003ff0",
     0},
    {"mps2-an385", "cortex-m3",
     "-Wl,--section-start=.vectors=0 -Wl,-Ttext=0x100 -Wl,-Tdata=0x20000100 -Wl,-Tbss=0x20000800 "
     "-DSTACK_TOP=0x20003ff0",
     0},
    {"mps2-an505", "cortex-m33",
     "-Wl,--section-start=.vectors=0x10000000 -Wl,-Ttext=0x10000100 -Wl,-Tdata=0x38000100 "
     "-Wl,-Tbss=0x38000800 -DSTACK_TOP=0x38003ff0",
     0x10000000},
};

static void compare(enum thumb_core_kind kind)
{
    char *program = process_find("qemu-system-arm");
    if (!program) {
        print_message("skipped: qemu-system-arm is not installed\n");
        skip();
    }
    FILE *stream = fopen(UJ_SOURCE_DIR "/tests/isa/firmware/thumb_exceptions.c", "rb");
    assert_non_null(stream);
    char *text = uj_calloc(1, 1 << 16);
    assert_true(fread(text, 1, (1 << 16) - 1, stream) > 0);
    (void)fclose(stream);
    struct uj_ctx ctx = {0};
    char *options =
        uj_format("-O1 -masm-syntax-unified -std=gnu99 -ffreestanding -Wl,-e,vectors %s",
                  targets[kind].options);
    struct image *image = rig_build(&ctx, targets[kind].core, "exceptions", "c", text, options);

    char *argv[] = {program,
                    "-M",
                    (char *)targets[kind].machine,
                    "-nographic",
                    "-monitor",
                    "none",
                    "-serial",
                    "none",
                    "-semihosting-config",
                    "enable=on,target=native",
                    "-kernel",
                    image->path,
                    NULL};
    struct process p = {.argv = argv, .timeout_s = 20};
    assert_int_equal(process_run(&ctx, &p), UJ_OK);
    const char *theirs = p.errors.text && *p.errors.text ? p.errors.text : p.output.text;
    theirs = theirs ? theirs : "";

    struct thumb_rig *rig = rig_new(kind);
    static uint8_t more[0x10000];
    memset(more, 0, sizeof more);
    struct mem_region region = {
        .name = "more", .base = 0x38000000, .size = sizeof more, .host = more};
    mem_add(&rig->machine->data, &region);
    rig->c->params.vector_table = (int)targets[kind].vectors;
    if (kind != THUMB_M0PLUS)
        rig->c->params.priority_bits = 8; /* as QEMU has it */
    rig_load(rig, image);
    machine_reset(rig->machine);
    enum machine_stop stop = machine_run(rig->machine, 10 * PS_PER_SECOND);
    const char *ours = rig->output ? rig->output : "";
    if (strcmp(ours, theirs) != 0 || stop != MACHINE_EXIT) {
        unsigned line = 1;
        const char *a = ours, *b = theirs, *start = ours;
        for (; *a && *a == *b; a++, b++)
            if (*a == '\n') {
                line++;
                start = a + 1;
            }
        print_error("%s, line %u (stop %d, %s %s): ours\n%.300s\n", targets[kind].machine, line,
                    (int)stop, rig->c->core.fault.reason ? rig->c->core.fault.reason : "",
                    rig->c->core.fault.detail, start);
        fail_msg("theirs\n%.300s", theirs + (start - ours));
    }
    assert_true(strstr(ours, "\nend\n") != NULL);
    rig_free(rig);
    process_free(&p);
    image_free(image);
    free(options);
    free(text);
    free(program);
}

static void m0plus(void **state)
{
    (void)state;
    compare(THUMB_M0PLUS);
}

static void m3(void **state)
{
    (void)state;
    compare(THUMB_M3);
}

static void m33(void **state)
{
    (void)state;
    compare(THUMB_M33);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(m0plus),
        cmocka_unit_test(m3),
        cmocka_unit_test(m33),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
