/*
 * The speed of the core hazard3 against Unicorn with a hook on every instruction, in one process,
 * and against qemu-system-riscv32, plain and with -icount, on the same SHA-256 program; and on the
 * same program compiled for Zba, Zbb, Zbs and Zbkb, which Unicorn does not know. Runs are
 * interleaved, medians of time taken: the process's CPU time, for QEMU its own. What was computed
 * must be equal, or the exit code is 1.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include <unicorn/unicorn.h>

#include "sim/core.h"

enum { RUNS = 7, BASE = 0x80000000, RAM_BYTES = 0x100000, WORDS = 4 };

struct end {
    uint32_t digest[WORDS];
    uint64_t instructions, cycles;
    double seconds;
};

struct program {
    const char *elf, *bin;
    uint32_t finished;
    size_t bytes;
    uint8_t image[RAM_BYTES];
};

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double children_s(void)
{
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec * 1e-6 +
           (double)usage.ru_stime.tv_sec + (double)usage.ru_stime.tv_usec * 1e-6;
}

static void run_ours(struct end *end, const struct program *p)
{
    static uint8_t ram[RAM_BYTES];
    const struct core_class *class = core_class_named("hazard3");
    struct mem_space data;
    struct mem_region region = {.name = "ram", .base = BASE, .size = RAM_BYTES, .host = ram};
    struct uj_ctx ctx = {0};
    struct core *core = calloc(1, class->bytes);
    memset(ram, 0, sizeof ram);
    memcpy(ram, p->image, p->bytes);
    mem_init(&data, "data", 32, class->page_bits);
    mem_add(&data, &region);
    core->class = class;
    core->data = core->code = &data;
    if (class->create(&ctx, core, NULL) != UJ_OK)
        exit(1);
    core->entry = BASE;
    class->reset(core);
    double begin = now_s();
    enum core_stop stop;
    do {
        core->limit = core->cycle + 3200000;
        core->deadline = core->limit;
        stop = class->run(core);
    } while (stop == CORE_DEADLINE);
    end->seconds = now_s() - begin;
    if (stop != CORE_EXIT)
        fprintf(stderr, "bench_rv32: stopped: %s\n", core->fault.reason ? core->fault.reason : "?");
    for (unsigned i = 0; i < WORDS; i++)
        end->digest[i] = class->get_register(core, 12 + i);
    end->instructions = core->instructions;
    end->cycles = core->cycle;
    class->destroy(core);
    free(core);
    mem_free(&data);
}

static void hook(uc_engine *uc, uint64_t address, uint32_t size, void *user)
{
    (void)uc;
    (void)address;
    (void)size;
    ++*(uint64_t *)user;
}

static void run_unicorn(struct end *end, const struct program *p)
{
    uc_engine *uc;
    uc_hook handle;
    uint64_t count = 0;
    if (uc_open(UC_ARCH_RISCV, UC_MODE_RISCV32, &uc) ||
        uc_mem_map(uc, BASE, RAM_BYTES, UC_PROT_ALL) ||
        uc_mem_write(uc, BASE, p->image, p->bytes) ||
        uc_hook_add(uc, &handle, UC_HOOK_CODE, (void *)hook, &count, 1, 0))
        exit(1);
    double begin = now_s();
    uc_err err = uc_emu_start(uc, BASE, p->finished, 0, 0);
    end->seconds = now_s() - begin;
    if (err)
        fprintf(stderr, "bench_rv32: unicorn: %s\n", uc_strerror(err));
    for (int i = 0; i < WORDS; i++)
        uc_reg_read(uc, UC_RISCV_REG_X12 + i, &end->digest[i]);
    end->instructions = count;
    uc_close(uc);
}

/* Its start-up is in the time, some hundredths of a second. */
static void run_qemu(struct end *end, const struct program *p, const char *options)
{
    char command[1024];
    snprintf(command, sizeof command,
             "qemu-system-riscv32 -M virt -cpu rv32,zba=true,zbb=true,zbs=true,zbkb=true -m 128 "
             "-bios none -display none -monitor none -serial none -semihosting %s -kernel %s",
             options, p->elf);
    double begin = children_s();
    if (system(command) != 0)
        fprintf(stderr, "bench_rv32: qemu failed: %s\n", command);
    end->seconds = children_s() - begin;
}

static int compare_seconds(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *seconds, int runs)
{
    qsort(seconds, (size_t)runs, sizeof *seconds, compare_seconds);
    return seconds[runs / 2];
}

static int load(struct program *p, const char *elf, const char *bin)
{
    char command[512];
    p->elf = elf;
    p->bin = bin;
    FILE *file = fopen(bin, "rb");
    if (!file)
        return 2;
    p->bytes = fread(p->image, 1, sizeof p->image, file);
    fclose(file);
    snprintf(command, sizeof command, "riscv64-unknown-elf-nm %s", elf);
    FILE *pipe = popen(command, "r");
    char line[128], name[64];
    unsigned address;
    while (pipe && fgets(line, sizeof line, pipe))
        if (sscanf(line, "%x %*c %63s", &address, name) == 2 && strcmp(name, "finished") == 0)
            p->finished = address;
    if (!pipe || pclose(pipe) != 0 || !p->finished)
        return 2;
    return 0;
}

static void line(const char *name, double seconds, const struct end *end, double ours)
{
    printf("  %-24s %7.3f s %8.1f MIPS %8.2f times\n", name, seconds,
           (double)end->instructions / seconds * 1e-6, seconds / ours);
}

static int measure(const struct program *p, int runs, int with_unicorn, const char *title)
{
    static double ours_s[99], unicorn_s[99], plain_s[99], icount_s[99];
    struct end ours = {0}, other = {0};
    for (int i = 0; i < runs; i++) {
        run_ours(&ours, p);
        ours_s[i] = ours.seconds;
        if (with_unicorn) {
            run_unicorn(&other, p);
            unicorn_s[i] = other.seconds;
            if (memcmp(ours.digest, other.digest, sizeof ours.digest) != 0) {
                fprintf(stderr, "bench_rv32: the ends differ: %08x and %08x\n", ours.digest[0],
                        other.digest[0]);
                return 1;
            }
        }
        run_qemu(&other, p, "");
        plain_s[i] = other.seconds;
        run_qemu(&other, p, "-icount shift=0");
        icount_s[i] = other.seconds;
    }
    double mine = median(ours_s, runs);
    printf("%s: %llu instructions, %llu cycles, digest %08x; medians of %d\n", title,
           (unsigned long long)ours.instructions, (unsigned long long)ours.cycles, ours.digest[0],
           runs);
    line("hazard3, exact cycles", mine, &ours, mine);
    if (with_unicorn)
        line("unicorn with a hook", median(unicorn_s, runs), &ours, mine);
    line("qemu", median(plain_s, runs), &ours, mine);
    line("qemu -icount", median(icount_s, runs), &ours, mine);
    return 0;
}

int main(int argc, char **argv)
{
    static struct program base, zb;
    int runs = argc > 1 ? atoi(argv[1]) : RUNS;
    if (runs < 1 || runs > 99 ||
        load(&base, BENCH_FOLDER "/bench_rv32.elf", BENCH_FOLDER "/bench_rv32.bin") ||
        load(&zb, BENCH_FOLDER "/bench_rv32_zb.elf", BENCH_FOLDER "/bench_rv32_zb.bin")) {
        fprintf(stderr, "usage: ujoule_bench_rv32 [RUNS]; needs its programs in %s\n",
                BENCH_FOLDER);
        return 2;
    }
    return measure(&base, runs, 1, "SHA-256, rv32imac") ||
           measure(&zb, runs, 0, "SHA-256, rv32imac with Zba, Zbb, Zbs, Zbkb");
}
