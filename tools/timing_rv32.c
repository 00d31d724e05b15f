/*
 * Writes docs/timing-rv32.md from the table of instructions:
 *   timing_rv32 > docs/timing-rv32.md
 *   timing_rv32 --check FILE    exit 1 where the file says something else
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/rv32/rv32_timing.h"

static void write_page(FILE *out)
{
    fputs("# RV32: what each instruction costs on hazard3\n\n"
          "Generated from `src/isa/rv32/rv32.isa` and `rv32_timing.h`; `tests/cycles` holds both "
          "to readings of the\n"
          "RTL. Cycles with nothing taken and nothing waited for; 16-bit forms cost what their "
          "base costs.\n\n"
          "| instruction | encoding | cycles |\n|---|---|---|\n",
          out);
    for (int i = 0; i < RV32_ROWS; i++)
        fprintf(out, "| %s | `%s` | %u |\n", rv32_rows[i].name, rv32_rows[i].encoding,
                rv32_rows[i].cycles);
    fputs("\n## 16-bit forms\n\n| form | encoding | base |\n|---|---|---|\n", out);
    for (int i = 0; i < RV32_SHORTS; i++)
        fprintf(out, "| %s | `%s` | %s |\n", rv32_shorts[i].name, rv32_shorts[i].encoding,
                rv32_rows[rv32_shorts[i].base].name);
    fputs("\n## Costs in context\n\n| cost | cycles | when |\n|---|---|---|\n", out);
#define COST(name, cycles, rule) fprintf(out, "| %s | %d | %s |\n", #name, cycles, rule);
    RV32_CONTEXT_COSTS(COST)
#undef COST
}

int main(int argc, char **argv)
{
    if (argc == 1) {
        write_page(stdout);
        return 0;
    }
    if (argc != 3 || strcmp(argv[1], "--check") != 0) {
        fprintf(stderr, "usage: timing_rv32 [--check FILE]\n");
        return 2;
    }
    char *page = NULL;
    size_t bytes = 0;
    FILE *memory = open_memstream(&page, &bytes);
    FILE *file = fopen(argv[2], "rb");
    if (!memory || !file) {
        fprintf(stderr, "%s: cannot be read\n", argv[2]);
        return 2;
    }
    write_page(memory);
    fclose(memory);
    char *there = malloc(bytes + 2);
    size_t got = there ? fread(there, 1, bytes + 1, file) : 0;
    fclose(file);
    int same = got == bytes && memcmp(there, page, bytes) == 0;
    free(there);
    free(page);
    if (!same)
        fprintf(stderr, "%s: not current; run timing_rv32 > docs/timing-rv32.md\n", argv[2]);
    return !same;
}
