/*
 * The speed of the msp430 core against mspdebug's simulator on the same program. Runs are
 * interleaved, medians of CPU time taken; mspdebug's start is taken off (a run of it that stops at
 * the program's second instruction). Both must end with equal registers, flags and memory, or
 * nothing is printed and the exit code is 1.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "msp430_rig.h"

enum {
    RUNS = 7,
    RUNS_MAX = 99,
    CODE = 0x4000,
    SECOND = 0x4004,
    DONE = 0x400a,
    DATA = 0x2000,
    DATA_BYTES = 0x2000
};

struct end {
    uint32_t registers[16]; /* without PC and R3 */
    uint8_t data[DATA_BYTES];
};

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* CPU time of the children that have ended. */
static double children_s(void)
{
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
}

static double run_ours(struct end *end, const uint8_t *image, size_t bytes, uint64_t *instructions,
                       uint64_t *cycles)
{
    struct msp430_rig *rig = rig_new("msp430", NULL);
    struct core *core = rig->core;
    memcpy(rig->memory + CODE, image, bytes);
    core->class->set_pc(core, CODE);
    core->class->watch(core, DONE, true);
    double begin = now_s();
    enum core_stop stop;
    do
        stop = rig_run(rig, 1000000);
    while (stop == CORE_DEADLINE);
    double seconds = now_s() - begin;
    if (stop != CORE_WATCH)
        fprintf(stderr, "bench_msp430: stopped: %s\n",
                core->fault.reason ? core->fault.reason : "?");
    *end = (struct end){0};
    for (unsigned i = 1; i < 16; i++)
        end->registers[i] = i == MSP430_CG ? 0 : rig_get(rig, i);
    memcpy(end->data, rig->memory + DATA, DATA_BYTES);
    *instructions = core->instructions;
    *cycles = core->cycle;
    rig_free(rig);
    return seconds;
}

/* Runs mspdebug up to `until`; false: it cannot be run. */
static bool run_mspdebug(double *seconds, struct end *end, const char *image, unsigned until,
                         const char *folder)
{
    static const char *const names[16] = {"PC", "SP", "SR",  "R3",  "R4",  "R5",  "R6",  "R7",
                                          "R8", "R9", "R10", "R11", "R12", "R13", "R14", "R15"};
    char command[600], dump[200], line[300];
    snprintf(dump, sizeof dump, "%s/dump", folder);
    /* Memory starts erased there; ours as zeros. */
    snprintf(command, sizeof command,
             "mspdebug -q sim 'fill 0x200 0xfe00 00' 'load_raw %s 0x%x' 'set pc 0x%x' 'set sr 0' "
             "%s 'setbreak 0x%x' run 'save_raw 0x%x 0x%x %s' 2>&1",
             image, CODE, CODE,
             "'set r4 0' 'set r5 0' 'set r6 0' 'set r7 0' 'set r8 0' 'set r9 0' 'set r10 0' "
             "'set r11 0' 'set r12 0' 'set r13 0' 'set r14 0' 'set r15 0'",
             until, DATA, DATA_BYTES, dump);
    double before = children_s();
    FILE *pipe = popen(command, "r");
    if (!pipe)
        return false;
    *end = (struct end){0};
    while (fgets(line, sizeof line, pipe))
        for (const char *p = line; (p = strchr(p, '(')); p++) {
            char name[8];
            unsigned value;
            if (sscanf(p, "( %7[^:]: %x)", name, &value) != 2)
                continue;
            for (unsigned i = 1; i < 16; i++)
                if (i != MSP430_CG && strcmp(names[i], name) == 0)
                    end->registers[i] = value;
        }
    pclose(pipe);
    *seconds = children_s() - before;
    FILE *file = fopen(dump, "rb");
    if (!file)
        return false;
    bool is_whole = fread(end->data, 1, DATA_BYTES, file) == DATA_BYTES;
    fclose(file);
    unlink(dump);
    return is_whole;
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

int main(int argc, char **argv)
{
    int runs = argc > 1 ? (int)strtol(argv[1], NULL, 10) : RUNS;
    static uint8_t image[0x4000];
    FILE *file = fopen(BENCH_IMAGE, "rb");
    if (!file || runs < 1 || runs > RUNS_MAX) {
        fprintf(stderr, "usage: ujoule_bench_msp430 [RUNS]; needs %s\n", BENCH_IMAGE);
        return 2;
    }
    size_t bytes = fread(image, 1, sizeof image, file);
    fclose(file);
    char folder[] = "/tmp/ujoule_bench_XXXXXX";
    if (!mkdtemp(folder))
        return 1;

    static struct end ours, theirs, none;
    double ours_s[RUNS_MAX], theirs_s[RUNS_MAX], start_s[RUNS_MAX];
    uint64_t instructions = 0, cycles = 0;
    int status = 0;
    for (int i = 0; i < runs && status == 0; i++) {
        ours_s[i] = run_ours(&ours, image, bytes, &instructions, &cycles);
        if (!run_mspdebug(&theirs_s[i], &theirs, BENCH_IMAGE, DONE, folder) ||
            !run_mspdebug(&start_s[i], &none, BENCH_IMAGE, SECOND, folder)) {
            fprintf(stderr, "bench_msp430: mspdebug gives no result\n");
            status = 1;
        } else if (memcmp(&ours, &theirs, sizeof ours) != 0) {
            fprintf(stderr, "bench_msp430: the ends differ\n");
            status = 1;
        }
    }
    rmdir(folder);
    if (status)
        return status;
    double a = median(ours_s, runs), b = median(theirs_s, runs) - median(start_s, runs);
    printf("program    %llu cycles, %llu instructions, equal end in both\n",
           (unsigned long long)cycles, (unsigned long long)instructions);
    printf("msp430     %8.1f MHz %8.1f MIPS  (median of %d)\n", (double)cycles / a * 1e-6,
           (double)instructions / a * 1e-6, runs);
    printf("mspdebug   %8.1f MHz %8.1f MIPS\n", (double)cycles / b * 1e-6,
           (double)instructions / b * 1e-6);
    printf("ratio      %8.2f\n", b / a);
    return 0;
}
