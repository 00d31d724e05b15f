/* Kernels with published cycles, on the three cores: thumb_kernels.tsv. */
#include "thumb_rig.h"

enum { COLUMNS = 8, KERNELS_MAX = 400, CODE = 0x20008000, DATA = 0x20001000 };

struct kernel {
    char *text[COLUMNS]; /* id, code, registers, three figures, what, source */
};

static struct kernel kernels[KERNELS_MAX];
static unsigned kernel_count;

static int read_kernels(void **state)
{
    (void)state;
    FILE *stream = fopen(UJ_SOURCE_DIR "/tests/cycles/thumb_kernels.tsv", "rb");
    assert_non_null(stream);
    char *line = NULL;
    size_t size = 0;
    bool head = true;
    while (getline(&line, &size, stream) > 0) {
        if (line[0] == '#')
            continue;
        line[strcspn(line, "\n")] = '\0';
        if (head) {
            head = false;
            continue;
        }
        char *p = line;
        assert_true(kernel_count < KERNELS_MAX);
        for (unsigned i = 0; i < COLUMNS; i++) {
            char *cell = strsep(&p, "\t");
            kernels[kernel_count].text[i] = uj_strdup(cell ? cell : "");
        }
        kernel_count++;
    }
    free(line);
    (void)fclose(stream);
    return kernel_count < 60;
}

static int forget_kernels(void **state)
{
    (void)state;
    for (unsigned k = 0; k < kernel_count; k++)
        for (unsigned i = 0; i < COLUMNS; i++)
            free(kernels[k].text[i]);
    return 0;
}

/* Appends code with its (xN) carried out, one instruction a line. */
static void append_code(struct str *out, const char *code)
{
    const char *times = strstr(code, "(x");
    unsigned count = times ? (unsigned)strtoul(times + 2, NULL, 10) : 1;
    size_t length = times ? (size_t)(times - code) : strlen(code);
    for (unsigned i = 0; i < count; i++)
        str_addf(out, "%.*s\n", (int)length, code);
}

static void append_kernel(struct str *out, unsigned number, const char *code,
                          enum thumb_core_kind kind)
{
    const char *callee = strstr(code, "callee:");
    char *body = callee ? uj_strndup(code, (size_t)(callee - code)) : uj_strdup(code);
    char *call = strstr(body, "bl callee");
    if (call) { /* each kernel has a callee of its own */
        char *renamed = uj_format("%.*sbl callee%u\n", (int)(call - body), body, number);
        free(body);
        body = renamed;
    }
    str_addf(out, ".balign 8\n.hword 0xbf00, 0xbf00\n");
    if (kind == THUMB_M0PLUS)
        str_addf(out,
                 ".hword 0xbf00\n.balign 8\n.hword 0xbf00, 0xbf00, 0xbf00\n"
                 "start%u: mov r10, r10\n",
                 number);
    else
        str_addf(out, "start%u: mov.w r10, r10\n", number);
    append_code(out, body);
    str_addf(out, "mov r10, r10\nend%u: nop\nb .\n.balign 4\n.ltorg\n", number);
    if (callee) {
        str_addf(out, ".balign 4\ncallee%u:\n", number);
        append_code(out, callee + strlen("callee:"));
    }
    free(body);
}

static uint64_t time_of(struct thumb_rig *rig, const struct image *image, unsigned number,
                        const struct kernel *k)
{
    struct core *core = &rig->c->core;
    machine_reset(rig->machine);
    for (unsigned i = 0; i < 13; i++)
        core->class->set_register(core, i, 0x100 + i);
    static const uint32_t values[] = {DATA + 0x400, DATA, 4, DATA + 8, 4, DATA + 16, DATA + 0x100};
    for (unsigned i = 0; i < 7; i++)
        core->class->set_register(core, i, values[i]);
    core->class->set_register(core, 13, 0x20004000);
    uint32_t own = DATA;
    assert_true(mem_poke(&rig->machine->data, DATA, &own, sizeof own));
    if (k) {
        if (strstr(k->text[1], "callee:")) {
            char *name = uj_format("callee%u", number);
            core->class->set_register(core, 3, rig_symbol(rig, image, name) | 1);
            free(name);
        }
        for (const char *p = k->text[2]; (p = strchr(p, 'r')); p++) {
            char *end;
            unsigned reg = (unsigned)strtoul(p + 1, &end, 10);
            core->class->set_register(core, reg, (uint32_t)strtoul(end + 1, NULL, 0));
        }
    }
    char *start = uj_format("start%u", number), *end = uj_format("end%u", number);
    core->class->set_pc(core, rig_symbol(rig, image, start));
    uint64_t before = core->cycle;
    enum machine_stop stop = rig_run_to(rig, rig_symbol(rig, image, end));
    if (stop != MACHINE_STOPPED)
        fail_msg("%s does not reach its end: %s %s", k ? k->text[0] : "nothing",
                 core->fault.reason ? core->fault.reason : "", core->fault.detail);
    free(start);
    free(end);
    return core->cycle - before;
}

static void check_core(enum thumb_core_kind kind)
{
    struct thumb_rig *rig = rig_new(kind);
    struct str text;
    str_init(&text);
    str_addf(&text, ".syntax unified\n.thumb\n.text\n.globl _start\n_start:\n");
    append_kernel(&text, 0, "", kind);
    unsigned checked = 0, wrong = 0;
    for (unsigned k = 0; k < kernel_count; k++)
        if (kernels[k].text[3 + kind][0] != '-')
            append_kernel(&text, k + 1, kernels[k].text[1], kind);
    struct image *image =
        rig_build(&rig->ctx, rig_cores[kind], "kernels", "s", text.text, "-Wl,-Ttext=0x20008000");
    rig_load(rig, image);
    uint64_t nothing = time_of(rig, image, 0, NULL);
    for (unsigned k = 0; k < kernel_count; k++) {
        const char *figure = kernels[k].text[3 + kind];
        if (figure[0] == '-')
            continue;
        uint64_t cycles = time_of(rig, image, k + 1, &kernels[k]) - nothing;
        if (cycles != strtoul(figure, NULL, 10)) {
            print_error("%s %s: %s: %lu cycles, not %s\n", rig_cores[kind], kernels[k].text[0],
                        kernels[k].text[1], (unsigned long)cycles, figure);
            wrong++;
        }
        checked++;
    }
    image_free(image);
    str_free(&text);
    rig_free(rig);
    assert_int_equal(wrong, 0);
    assert_true(checked >= 35);
}

static void kernels_m0plus(void **state)
{
    (void)state;
    check_core(THUMB_M0PLUS);
}

static void kernels_m3(void **state)
{
    (void)state;
    check_core(THUMB_M3);
}

static void kernels_m33(void **state)
{
    (void)state;
    check_core(THUMB_M33);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_m0plus),
        cmocka_unit_test(kernels_m3),
        cmocka_unit_test(kernels_m33),
    };
    return cmocka_run_group_tests(tests, read_kernels, forget_kernels);
}
