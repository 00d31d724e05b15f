/* Runs every kernel of hazard3_kernels.tsv: all in one program, each between two reads of the
 * counters. */
#ifndef UJ_TESTS_HAZARD3_KERNELS_H
#define UJ_TESTS_HAZARD3_KERNELS_H

#include "rv32_rig.h"

enum { KERNELS_MAX = 400, KERNELS_RESULTS = RIG_RAM + 0x80000 };

struct kernel {
    char name[64];
    char setup[128], body[512];
    unsigned cycles, instructions;
};

struct kernel_list {
    struct kernel items[KERNELS_MAX];
    size_t count;
};

static inline bool kernels_read(struct kernel_list *list, const char *path)
{
    FILE *file = fopen(path, "r");
    char text[1024];
    list->count = 0;
    if (!file)
        return false;
    while (fgets(text, sizeof text, file)) {
        struct kernel *k = &list->items[list->count];
        if (text[0] == '#')
            continue;
        if (list->count == KERNELS_MAX ||
            sscanf(text, "%63[^\t]\t%127[^\t]\t%511[^\t]\t%u\t%u", k->name, k->setup, k->body,
                   &k->cycles, &k->instructions) != 5) {
            fclose(file);
            return false;
        }
        list->count++;
    }
    fclose(file);
    return list->count > 0;
}

static inline void kernels_lines(FILE *out, const char *text)
{
    fputc('\t', out);
    for (; *text; text++)
        if (*text == ';')
            fputs("\n\t", out);
        else
            fputc(*text, out);
    fputc('\n', out);
}

/* N*(BODY), or BODY; `-` is nothing. */
static inline void kernels_body(FILE *out, const char *text)
{
    char inner[512];
    unsigned times;
    if (strcmp(text, "-") == 0)
        return;
    if (sscanf(text, "%u*(", &times) == 1) {
        snprintf(inner, sizeof inner, "%s", strchr(text, '(') + 1);
        *strrchr(inner, ')') = '\0';
        while (times-- > 0)
            kernels_lines(out, inner);
        return;
    }
    kernels_lines(out, text);
}

/*
 * The trap handler is not part of the readings: five instructions and mret, which step over a
 * c.ebreak without changing a register, are what its 12 cycles leave room for.
 */
static inline void kernels_source(FILE *out, const struct kernel_list *list)
{
    fputs("\t.globl _start\n_start:\n\tli sp, 0x20070000\n\tcsrw mcountinhibit, zero\n"
          "\tla t0, handler\n\tcsrw mtvec, t0\n",
          out);
    for (size_t i = 0; i < list->count; i++) {
        const struct kernel *k = &list->items[i];
        fputs("\tcsrci mstatus, 8\n\tla t0, handler\n\tcsrw mtvec, t0\n\tfence.i\n\tli s0, "
              "0x20078000\n\tmv s1, s0\n\tli s2, 0x40000000\n\tli a0, 12345\n"
              "\tli a1, 17\n\tli a2, 99\n\tli a3, 3\n\tli a4, 4\n\tli a5, 5\n",
              out);
        kernels_body(out, k->setup);
        fputs("\t.p2align 4\n\tcsrr s10, minstret\n\tnop\n\tnop\n\tcsrr s8, mcycle\n", out);
        fputs("\t.p2align 4\n", out);
        kernels_body(out, k->body);
        fprintf(out,
                "\tcsrr s9, mcycle\n\tcsrr s11, minstret\n\tsub s9, s9, s8\n\tsub s11, s11, s10\n"
                "\tli t0, 0x%x\n\tsw s9, (t0)\n\tsw s11, 4(t0)\n\tli sp, 0x20070000\n",
                KERNELS_RESULTS + 8 * (unsigned)i);
    }
    fputs("\t.option push\n\t.option norvc\n\tli a0, 0x18\n\tli a1, 0x20026\n\tslli x0, x0, 31\n"
          "\tebreak\n\tsrai x0, x0, 7\n\t.option pop\n"
          "\t.p2align 4\nfn:\tret\n"
          "\t.p2align 4\nhandler:\n\tcsrw mscratch, t0\n\tcsrr t0, mepc\n\taddi t0, t0, 2\n"
          "\tcsrw mepc, t0\n\tcsrr t0, mscratch\n\tmret\n"
          /* Takes the forced interrupt that it was entered for. */
          "\t.p2align 4\ninterrupt:\tcsrr t2, 0xbe4\n\tmret\n"
          "\t.p2align 4\nhandler4:\tcsrr t0, mepc\n\taddi t0, t0, 4\n\tcsrw mepc, t0\n\tmret\n",
          out);
}

/* Assembles and executes; false: it did not come to its end. */
static inline bool kernels_run(struct rv32_rig *rig, const struct kernel_list *list,
                               const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s.S", name);
    FILE *out = fopen(path, "w");
    if (!out)
        return false;
    kernels_source(out, list);
    fclose(out);
    return rig_assemble(rig, name) && rig_run(rig, 10000000) == CORE_EXIT;
}

/* Kernels that differ, net of the first, which is the empty one; prints them where `print` says so.
 */
static inline unsigned kernels_check(const struct rv32_rig *rig, const struct kernel_list *list,
                                     bool print)
{
    unsigned wrong = 0;
    uint32_t empty_cycles = rig_word(rig, KERNELS_RESULTS),
             empty_instructions = rig_word(rig, KERNELS_RESULTS + 4);
    for (size_t i = 0; i < list->count; i++) {
        const struct kernel *k = &list->items[i];
        uint32_t at = KERNELS_RESULTS + 8 * (uint32_t)i;
        uint32_t cycles = rig_word(rig, at) - empty_cycles;
        uint32_t instructions = rig_word(rig, at + 4) - empty_instructions;
        if (cycles == k->cycles && instructions == k->instructions)
            continue;
        wrong++;
        if (print)
            fprintf(stderr, "%s: %u cycles and %u instructions, not %u and %u\n", k->name,
                    k->cycles, k->instructions, cycles, instructions);
    }
    return wrong;
}

#endif
