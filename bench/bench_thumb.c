/*
 * The speed of the Thumb cores against Unicorn with a hook on every instruction (what counting
 * cycles outside it would need at least), and against QEMU plain and with -icount where it is
 * installed, on the same program: SHA-256 over and over, ending by semihosting. Runs are
 * interleaved, medians of CPU time taken; all must print the same digest, or the exit code is 1.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include <unicorn/unicorn.h>

#include "base/process.h"
#include "base/str.h"
#include "image/image.h"
#include "sim/board.h"

enum { RUNS = 7, SUBJECTS = 4, RAM_BYTES = 0x20000 };

static const struct {
    const char *board, *image, *qemu;
    int unicorn;
} targets[] = {
    {"bare-m0plus", BENCH_FOLDER "/thumb_cortex-m0plus.elf", "mps2-an385", UC_CPU_ARM_CORTEX_M0},
    {"bare-m3", BENCH_FOLDER "/thumb_cortex-m3.elf", "mps2-an385", UC_CPU_ARM_CORTEX_M3},
    {"bare-m33", BENCH_FOLDER "/thumb_cortex-m33.elf", NULL, UC_CPU_ARM_CORTEX_M33},
};

struct result {
    double seconds;
    uint64_t instructions, cycles;
    char digest[80];
};

/* CPU time of this process, and of those that it has waited for. */
static double now_s(void)
{
    struct timespec t;
    struct rusage children;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    getrusage(RUSAGE_CHILDREN, &children);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9 + (double)children.ru_utime.tv_sec +
           (double)children.ru_utime.tv_usec * 1e-6 + (double)children.ru_stime.tv_sec +
           (double)children.ru_stime.tv_usec * 1e-6;
}

static void keep(void *owner, uint8_t byte, uint64_t now_ps)
{
    struct result *r = owner;
    (void)now_ps;
    size_t n = strlen(r->digest);
    if (n + 1 < sizeof r->digest && byte != '\n')
        r->digest[n] = (char)byte;
}

static void give_up(const char *what)
{
    fprintf(stderr, "bench_thumb: %s\n", what);
    exit(1);
}

static void run_ours(struct result *r, const char *name, const struct image *image)
{
    struct uj_ctx ctx = {0};
    struct board *board;
    struct machine *m;
    if (board_load(&ctx, &board, UJ_SOURCE_DIR "/devices", name) || board_machine(&ctx, &m, board))
        give_up(ctx.message);
    for (size_t i = 0; i < image->segment_count; i++)
        if (!mem_poke(&m->data, image->segments[i].address, image->segments[i].data,
                      image->segments[i].bytes))
            give_up("the image lies outside the memory");
    machine_reset(m);
    struct sim_serial *serial = machine_serial(m, "semihosting");
    serial->sent = keep;
    serial->owner = r;
    double begin = now_s();
    enum machine_stop stop = machine_run(m, SIM_NEVER);
    r->seconds = now_s() - begin;
    if (stop != MACHINE_EXIT)
        give_up(m->core->fault.reason ? m->core->fault.reason : "stopped");
    r->instructions = m->core->instructions;
    r->cycles = m->core->cycle;
    machine_free(m);
    board_free(board);
}

struct hook {
    uint64_t instructions;
};

static void count(uc_engine *uc, uint64_t address, uint32_t size, void *owner)
{
    (void)uc;
    (void)address;
    (void)size;
    ((struct hook *)owner)->instructions++;
}

static void run_unicorn(struct result *r, int model, const struct image *image)
{
    uc_engine *uc;
    if (uc_open(UC_ARCH_ARM, UC_MODE_THUMB | UC_MODE_MCLASS, &uc) ||
        uc_ctl_set_cpu_model(uc, model))
        give_up("Unicorn cannot be opened");
    if (uc_mem_map(uc, 0, 0x10000, UC_PROT_ALL) ||
        uc_mem_map(uc, 0x20000000, RAM_BYTES, UC_PROT_ALL))
        give_up("Unicorn cannot map memory");
    uint32_t vectors[2] = {0};
    for (size_t i = 0; i < image->segment_count; i++) {
        const struct image_segment *s = &image->segments[i];
        if (uc_mem_write(uc, s->address, s->data, s->bytes))
            give_up("the image lies outside Unicorn's memory");
        if (s->address == 0)
            memcpy(vectors, s->data, sizeof vectors);
    }
    const struct image_symbol *end = image_symbol_named(image, "bench_end");
    struct hook hook = {0};
    uc_hook handle;
    if (uc_hook_add(uc, &handle, UC_HOOK_CODE, (void *)count, &hook, 1, 0) ||
        uc_reg_write(uc, UC_ARM_REG_SP, &vectors[0]))
        give_up("Unicorn refuses the hook");
    double begin = now_s();
    uc_err err = uc_emu_start(uc, vectors[1] | 1, end->address & ~1u, 0, 0);
    r->seconds = now_s() - begin;
    if (err)
        give_up(uc_strerror(err));
    r->instructions = hook.instructions;
    uint8_t digest[32];
    const struct image_symbol *message = image_symbol_named(image, "message");
    if (uc_mem_read(uc, message->address, digest, sizeof digest))
        give_up("the digest cannot be read");
    hex_encode(r->digest, digest, sizeof digest);
    uc_close(uc);
}

static bool run_qemu(struct result *r, const char *machine, const char *path, bool icount)
{
    char *program = process_find("qemu-system-arm");
    if (!program || !machine)
        return false;
    char *argv[16] = {
        program,   "-M",        (char *)machine, "-nographic",          "-monitor",
        "none",    "-serial",   "none",          "-semihosting-config", "enable=on,target=native",
        "-kernel", (char *)path};
    if (icount) {
        argv[12] = "-icount";
        argv[13] = "shift=0";
    }
    struct process p = {.argv = argv, .timeout_s = 120};
    struct uj_ctx ctx = {0};
    double begin = now_s();
    bool good = process_run(&ctx, &p) == UJ_OK && process_good(&p);
    r->seconds = now_s() - begin;
    /* The console of semihosting is the error stream. */
    const char *text = p.errors.text && *p.errors.text ? p.errors.text : p.output.text;
    if (text)
        (void)snprintf(r->digest, sizeof r->digest, "%.64s", text);
    process_free(&p);
    free(program);
    return good;
}

static int by_seconds(const void *a, const void *b)
{
    double x = ((const struct result *)a)->seconds, y = ((const struct result *)b)->seconds;
    return (x > y) - (x < y);
}

static bool bench(unsigned t)
{
    static const char *const names[SUBJECTS] = {"ours", "Unicorn with hook", "QEMU",
                                                "QEMU -icount"};
    struct uj_ctx ctx = {0};
    struct image *image;
    if (image_load(&ctx, &image, targets[t].image, EM_ARM, "Arm"))
        give_up(ctx.message);
    static struct result results[SUBJECTS][RUNS];
    memset(results, 0, sizeof results);
    bool present[SUBJECTS] = {true, true, false, false};
    for (unsigned run = 0; run < RUNS; run++) {
        run_ours(&results[0][run], targets[t].board, image);
        run_unicorn(&results[1][run], targets[t].unicorn, image);
        for (unsigned i = 2; i < SUBJECTS; i++)
            present[i] = run_qemu(&results[i][run], targets[t].qemu, targets[t].image, i == 3);
    }
    bool same = true;
    for (unsigned i = 0; i < SUBJECTS; i++) {
        if (!present[i])
            continue;
        qsort(results[i], RUNS, sizeof results[i][0], by_seconds);
        const struct result *median = &results[i][RUNS / 2];
        double mips = (double)results[0][0].instructions / median->seconds / 1e6;
        printf("%-12s %-18s %8.1f MIPS  %6.2f times ours\n", targets[t].board, names[i], mips,
               results[0][RUNS / 2].seconds / median->seconds);
        same &= strcmp(median->digest, results[0][0].digest) == 0;
    }
    printf("%-12s %.0f million instructions, %.0f million cycles; ours is %.2f times Unicorn\n",
           targets[t].board, (double)results[0][0].instructions / 1e6,
           (double)results[0][0].cycles / 1e6,
           results[1][RUNS / 2].seconds / results[0][RUNS / 2].seconds);
    if (!same)
        printf("%-12s the digests differ\n", targets[t].board);
    image_free(image);
    return same;
}

int main(void)
{
    bool good = true;
    for (unsigned t = 0; t < sizeof targets / sizeof targets[0]; t++)
        good &= bench(t);
    return good ? 0 : 1;
}
