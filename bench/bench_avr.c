/*
 * The speed of the avre core against libsimavr, in one process, on the same program: an ATmega328P
 * that hashes for more than 400 million cycles. Runs are interleaved, medians of CPU time taken;
 * both must end with equal registers, SREG, SP, data memory and cycles, or nothing is printed and
 * the exit code is 1.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sim_avr.h>

#include "avr_rig.h"

enum { RUNS = 7, FLASH_BYTES = 0x8000, RAM_BASE = 0x100, RAM_BYTES = 0x800 };

struct end {
    uint64_t cycles;
    uint8_t registers[32], sreg, ram[RAM_BYTES];
    uint16_t sp;
};

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double run_ours(struct end *end, const uint8_t *image, size_t bytes, uint64_t *instructions)
{
    struct avr_rig *rig = rig_new("avre", FLASH_BYTES, RAM_BASE, RAM_BYTES, NULL);
    memcpy(rig->flash, image, bytes);
    struct core *core = rig->core;
    double begin = now_s();
    enum core_stop stop;
    do
        stop = rig_run(rig, 3200000); /* as often as libsimavr looks up from its work */
    while (stop == CORE_DEADLINE);
    double seconds = now_s() - begin;
    if (stop != CORE_SLEEP)
        fprintf(stderr, "bench_avr: stopped: %s\n", core->fault.reason ? core->fault.reason : "?");
    *end = (struct end){.cycles = core->cycle};
    for (unsigned i = 0; i < 32; i++)
        end->registers[i] = (uint8_t)core->class->get_register(core, i);
    end->sreg = (uint8_t)core->class->get_register(core, 32);
    end->sp = (uint16_t)core->class->sp(core);
    memcpy(end->ram, rig->ram, RAM_BYTES);
    *instructions = core->instructions;
    rig_free(rig);
    return seconds;
}

static double run_simavr(struct end *end, const uint8_t *image, size_t bytes)
{
    avr_t *avr = avr_make_mcu_by_name("atmega328p");
    avr_init(avr);
    avr->log = LOG_ERROR;
    avr->frequency = 16000000;
    avr_loadcode(avr, (uint8_t *)image, (uint32_t)bytes, 0);
    avr->codeend = FLASH_BYTES;
    double begin = now_s();
    int state;
    do
        state = avr_run(avr);
    while (state != cpu_Done && state != cpu_Crashed);
    double seconds = now_s() - begin;
    *end = (struct end){.cycles = avr->cycle};
    memcpy(end->registers, avr->data, 32);
    for (unsigned bit = 0; bit < 8; bit++)
        end->sreg = (uint8_t)(end->sreg | (avr->sreg[bit] & 1) << bit);
    end->sp = (uint16_t)(avr->data[0x5d] | avr->data[0x5e] << 8);
    memcpy(end->ram, avr->data + RAM_BASE, RAM_BYTES);
    avr_terminate(avr);
    free(avr);
    return seconds;
}

static int compare_seconds(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    int runs = argc > 1 ? atoi(argv[1]) : RUNS;
    static uint8_t image[FLASH_BYTES];
    FILE *file = fopen(BENCH_IMAGE, "rb");
    if (!file || runs < 1 || runs > 99) {
        fprintf(stderr, "usage: ujoule_bench_avr [RUNS]; needs %s\n", BENCH_IMAGE);
        return 2;
    }
    size_t bytes = fread(image, 1, sizeof image, file);
    fclose(file);

    double ours_s[99], simavr_s[99];
    struct end ours, simavr;
    uint64_t instructions = 0;
    for (int i = 0; i < runs; i++) {
        ours_s[i] = run_ours(&ours, image, bytes, &instructions);
        simavr_s[i] = run_simavr(&simavr, image, bytes);
        if (memcmp(&ours, &simavr, sizeof ours) != 0) {
            fprintf(stderr, "bench_avr: the ends differ: %llu and %llu cycles\n",
                    (unsigned long long)ours.cycles, (unsigned long long)simavr.cycles);
            return 1;
        }
    }
    qsort(ours_s, (size_t)runs, sizeof *ours_s, compare_seconds);
    qsort(simavr_s, (size_t)runs, sizeof *simavr_s, compare_seconds);
    double a = ours_s[runs / 2], b = simavr_s[runs / 2];
    printf("program    %llu cycles, %llu instructions, equal end in both\n",
           (unsigned long long)ours.cycles, (unsigned long long)instructions);
    printf("avre       %8.1f MHz %8.1f MIPS  (median of %d)\n", (double)ours.cycles / a * 1e-6,
           (double)instructions / a * 1e-6, runs);
    printf("libsimavr  %8.1f MHz %8.1f MIPS\n", (double)simavr.cycles / b * 1e-6,
           (double)instructions / b * 1e-6);
    printf("ratio      %8.2f\n", b / a);
    return 0;
}
