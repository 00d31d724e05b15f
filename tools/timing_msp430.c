/*
 * Writes docs/timing-msp430.md from the tables of instructions and costs:
 *   timing_msp430 > docs/timing-msp430.md
 *   timing_msp430 --check FILE    exit 1 where the file says something else
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "isa/msp430/msp430_table.h"

static const char head[] =
    "# Cycles of the MSP430 cores\n"
    "\n"
    "Generated from `src/isa/msp430/msp430.isa`, `msp430_cost.isa` and `msp430_params.h` by\n"
    "`build/release/tools/timing_msp430`; do not edit. Sources of the figures: `msp430` (1xx) TI\n"
    "SLAU049F, tables 3-14 to 3-16; `msp430xv2` (5xx, 6xx) SLAU445I, tables 4-8 to 4-19;\n"
    "`msp430x` (2xx, 4xx) the cycle counter in TI's debugging software, since that family's table\n"
    "could not be read. `tests/cycles/msp430_cycles.tsv` is a second list that every figure is\n"
    "tested against. Figures in doubt are listed at the end.\n"
    "\n"
    "Constants of the generator count as Rn. A hyphen: there is no such instruction. In \"a / b\", "
    "b\n"
    "holds for MOV, ADD and SUB to PC, and for MOV, BIT and CMP to memory. `.x` are instructions\n"
    "with an extension word of 8 and 16 bits, `.xa` those of 20 bits.\n";

static void add_figure(struct str *page, unsigned cycles, unsigned shorter)
{
    if (!cycles)
        str_add(page, " - |");
    else if (shorter && shorter != cycles)
        str_addf(page, " %u / %u |", cycles, shorter);
    else
        str_addf(page, " %u |", cycles);
}

static const char *table_rows(enum msp430_costs table)
{
    switch (table) {
    case MSP430_COSTS_DOUBLE: return "two operands";
    case MSP430_COSTS_DOUBLE_X: return "two operands, extended .B .W";
    case MSP430_COSTS_DOUBLE_XA: return "two operands, extended .A";
    case MSP430_COSTS_SHIFT: return "RRA RRC SWPB SXT";
    case MSP430_COSTS_SHIFT_X: return "RRAX RRCX SWPBX SXTX .B .W";
    case MSP430_COSTS_SHIFT_XA: return "RRAX RRCX SWPBX SXTX .A";
    case MSP430_COSTS_PUSH: return "PUSH";
    case MSP430_COSTS_PUSH_X: return "PUSHX .B .W";
    case MSP430_COSTS_PUSH_XA: return "PUSHX .A";
    case MSP430_COSTS_CALL: return "CALL";
    case MSP430_COSTS_CALLA: return "CALLA";
    case MSP430_COSTS_JUMP: return "jumps, taken or not";
    case MSP430_COSTS_RETI: return "RETI";
    case MSP430_COSTS_INTERRUPT: return "interrupt, from acceptance to its first instruction";
    case MSP430_COSTS_RESET: return "reset";
    case MSP430_COSTS_MOVA: return "MOVA BRA RETA";
    case MSP430_COSTS_ADDRESS: return "CMPA ADDA SUBA";
    case MSP430_COSTS_ROTATE: return "RRCM RRAM RLAM RRUM by n bits";
    case MSP430_COSTS_PUSHM: return "PUSHM.W POPM.W of n registers";
    case MSP430_COSTS_PUSHM_A: return "PUSHM.A POPM.A of n registers";
    case MSP430_COSTS_REPEAT: return "n repetitions more of an extended instruction in registers";
    default: return "";
    }
}

static bool has_destination(enum msp430_costs table)
{
    return table == MSP430_COSTS_DOUBLE || table == MSP430_COSTS_DOUBLE_X ||
           table == MSP430_COSTS_DOUBLE_XA || table == MSP430_COSTS_MOVA ||
           table == MSP430_COSTS_ADDRESS;
}

static void add_core(struct str *page, enum msp430_core_kind core)
{
    str_addf(
        page,
        "\n## %s\n\n| instructions | source | to Rm | to PC | to memory |\n|---|---|---|---|---|\n",
        msp430_core_name(core));
    for (unsigned i = 0; i < msp430_cost_count; i++) {
        const struct msp430_cost *cost = &msp430_costs[i];
        if (cost->core != core || !has_destination(cost->table))
            continue;
        str_addf(page, "| %s | %s |", table_rows(cost->table), msp430_mode_name(cost->source));
        add_figure(page, cost->cycles[MSP430_TO_REGISTER], 0);
        add_figure(page, cost->cycles[MSP430_TO_PC], cost->cycles[MSP430_TO_PC_SHORT]);
        add_figure(page, cost->cycles[MSP430_TO_MEMORY], cost->cycles[MSP430_TO_MEMORY_SHORT]);
        str_add(page, "\n");
    }
    str_add(page, "\n| instructions | operand | cycles |\n|---|---|---|\n");
    for (unsigned i = 0; i < msp430_cost_count; i++) {
        const struct msp430_cost *cost = &msp430_costs[i];
        if (cost->core != core || has_destination(cost->table))
            continue;
        str_addf(page, "| %s | %s |", table_rows(cost->table), msp430_mode_name(cost->source));
        if (cost->is_each)
            str_addf(page, " %u + %un |\n", cost->cycles[0], cost->cycles[1]);
        else
            str_addf(page, " %u |\n", cost->cycles[0]);
    }
}

static void write_page(struct str *page)
{
    static const struct {
        const char *name, *note;
        unsigned cycles;
    } doubts[] = {
#define DOUBT(name, cycles, note) {#name, note, cycles},
        MSP430_DOUBTS(DOUBT)
#undef DOUBT
    };
    str_add(page, head);
    for (int core = 0; core < MSP430_CORES; core++)
        add_core(page, (enum msp430_core_kind)core);
    str_add(page, "\n## Instructions\n\n"
                  "Words of operands follow the one shown; an extension word comes before it.\n\n"
                  "| instruction | encoding | cores | costs |\n|---|---|---|---|\n");
    for (int i = 0; i < MSP430_ROWS; i++) {
        const struct msp430_row *row = &msp430_rows[i];
        str_addf(page, "| `%s` | `%s` | %s | %s |\n",
                 row->class == MSP430_EXTENSION ? "(extension word)" : row->syntax, row->encoding,
                 row->cores == MSP430_ALL ? "all" : "CPUX", msp430_costs_name(row->costs));
    }
    str_add(page, "\n## Figures in doubt\n\n| name | cycles | note |\n|---|---|---|\n");
    for (size_t i = 0; i < sizeof doubts / sizeof *doubts; i++)
        str_addf(page, "| `%s_CYCLES` | %u | %s |\n", doubts[i].name, doubts[i].cycles,
                 doubts[i].note);
    str_add(page,
            "\nDADD takes no cycle more (no guide that was read says otherwise). SWPBX and SXTX "
            "are in\n"
            "no table and taken to be like RRAX. When a device is accessed within an instruction:\n"
            "`src/isa/msp430/msp430_core.h`.\n");
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
    char *whole = str_take(&text);
    str_free(&text);
    return whole;
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
            fprintf(stderr, "%s: not what the tables give; run timing_msp430 > %s\n", argv[2],
                    argv[2]);
            status = 1;
        }
        free(text);
    } else if (argc == 1) {
        fputs(page.text, stdout);
    } else {
        fprintf(stderr, "usage: timing_msp430 [--check FILE]\n");
        status = 2;
    }
    str_free(&page);
    return status;
}
