/*
 * Writes docs/timing-avr.md from the table of instructions:
 *   timing_avr > docs/timing-avr.md
 *   timing_avr --check FILE    exit 1 where the file says something else
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "isa/avr/avr_table.h"
#include "isa/avr/avr_timing.h"

static const char head[] = "# Cycles of the AVR cores\n"
                           "\n"
                           "Generated from `src/isa/avr/avr.isa` by "
                           "`build/release/tools/timing_avr`; do not edit. Source of the\n"
                           "figures: Microchip DS40002198B, tables 5-1 to 5-6; what is marked "
                           "otherwise in the table was read on\n"
                           "silicon. `tests/cycles/avr_cycles.tsv` is a second list, written "
                           "independently, that every figure is\n"
                           "tested against.\n"
                           "\n"
                           "Base time: 16-bit program counter, nothing skipped, no branch taken, "
                           "data in internal memory.\n"
                           "`avre` is AVRe and AVRe+ (ATmega), `avrxm` XMEGA, `avrxt` mega-0, "
                           "tiny-0/1/2, DA, DB, DD. A hyphen:\n"
                           "the core has no such instruction. Rows that begin with `=` are special "
                           "cases of the row above them.\n"
                           "\n"
                           "| instruction | encoding | avre | avrxm | avrxt |\n"
                           "|---|---|---|---|---|\n";

static void add_figure(struct str *page, unsigned cycles)
{
    if (cycles)
        str_addf(page, " %u |", cycles);
    else
        str_add(page, " - |");
}

static void write_page(struct str *page)
{
    static const struct {
        unsigned cycles;
        const char *rule;
    } costs[] = {
#define COST(name, cycles, rule) {cycles, rule},
        AVR_CONTEXT_COSTS(COST)
#undef COST
    };
    static const char *const parts[] = {
        [AVR_DES] = "with the option `des`",
        [AVR_RMW] = "with the option `rmw`",
        [AVR_ELPM] = "with RAMPZ",
        [AVR_EJUMP] = "with a 22-bit program counter",
        [AVR_ECALL] = "with a 22-bit program counter",
        [AVR_RETI] = NULL,
    };
    str_add(page, head);
    for (int i = 0; i < AVR_ROWS; i++) {
        const struct avr_row *row = &avr_rows[i];
        str_addf(page, "| %s`%s` | `%s` |", row->variant_of >= 0 ? "= " : "", row->syntax,
                 row->encoding);
        for (int core = 0; core < AVR_COLUMNS; core++)
            add_figure(page, row->cycles[core]);
        str_addf(page, " %s |\n", parts[row->class] ? parts[row->class] : "");
    }
    str_add(page, "\n## Costs that depend on more than the instruction\n\n"
                  "| cycles | rule |\n|---|---|\n");
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++)
        str_addf(page, "| %u | %s |\n", costs[i].cycles, costs[i].rule);
    str_add(page, "\nThe access to data happens in the last cycle of an instruction's own time; on "
                  "AVRe SBI and\n"
                  "CBI read in their first cycle and write in their second. One instruction is "
                  "executed behind\n"
                  "SEI, RETI and a write to SREG that sets I before an interrupt is accepted; on "
                  "XMEGA and its\n"
                  "successors up to four behind a write to SPL (until the next write to I/O) and "
                  "four behind a\n"
                  "signature in CCP. Not modelled: external memory, and the wait for non-volatile "
                  "memory mapped\n"
                  "into data space.\n");
}

/* The whole file; NULL: it cannot be read. */
static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct str text;
    char block[4096];
    if (!file)
        return NULL;
    str_init(&text);
    for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;)
        str_add_bytes(&text, block, n);
    fclose(file);
    char *taken = str_take(&text);
    str_free(&text);
    return taken;
}

int main(int argc, char **argv)
{
    struct str page;
    str_init(&page);
    write_page(&page);
    int status = 0;
    if (argc == 3 && strcmp(argv[1], "--check") == 0) {
        char *text = read_file(argv[2]);
        if (!text || strcmp(text, page.text) != 0) {
            fprintf(stderr, "%s: not what the table gives; run timing_avr > %s\n", argv[2],
                    argv[2]);
            status = 1;
        }
        free(text);
    } else if (argc == 1) {
        fputs(page.text, stdout);
    } else {
        fprintf(stderr, "usage: timing_avr [--check FILE]\n");
        status = 2;
    }
    str_free(&page);
    return status;
}
