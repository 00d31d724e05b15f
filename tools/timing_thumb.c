/*
 * Writes docs/timing-thumb.md from the table of instructions, the timing classes and parameters:
 *   timing_thumb > docs/timing-thumb.md
 *   timing_thumb --check FILE    exit 1 where the file says something else
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "isa/thumb/thumb_rows.h"

static const char head[] =
    "# Cycles of the Thumb cores\n"
    "\n"
    "Generated from `src/isa/thumb/thumb.isa`, `thumb_classes.h` and `thumb_params.h` by\n"
    "`build/release/tools/timing_thumb`; do not edit. Held by `tests/cycles/thumb_kernels.tsv`\n"
    "(kernels with published silicon figures) and `tests/cycles/thumb_rows.tsv` (a second list).\n"
    "\n"
    "## Classes\n"
    "\n"
    "Cycles on zero-wait memory before anything that depends on the neighbours. A hyphen: the\n"
    "core has no such instruction.\n"
    "\n"
    "| class | M0+ | M3 | M33 | |\n"
    "|---|---|---|---|---|\n";

static const char rules[] =
    "\n"
    "## What the neighbours change\n"
    "\n"
    "Cortex-M3\n"
    "- A load takes one cycle more unless a load or a store with a constant offset follows whose\n"
    "  address it does not make, or a 16-bit NOP. Indexed accesses never stand second.\n"
    "- An address made by the data processing just before: one more. A store before a load or a\n"
    "  load multiple: one more. A store with a register offset takes 2, or eats a NOP.\n"
    "- IT costs nothing behind a 16-bit instruction. Fetch: `wide_target`, `wide_run`,\n"
    "  `starved_branch`.\n"
    "- Long multiplications take their least time only where both operands are below 65536.\n"
    "\n"
    "Cortex-M33\n"
    "- Results after two cycles: loads (the last register of several), multiplications, extend\n"
    "  and add, DSP, second operands that are shifted registers or rotated constants. Taken after\n"
    "  one all the same: by an accumulator from multiplications, extend and add and shifted\n"
    "  operands (loads: multiply-accumulate only), as store data from loads, multiplications and\n"
    "  extend and add.\n"
    "- MULS and flag-setting rotated constants (not MOVS) take 2. Flags of a shifted register "
    "come\n"
    "  a cycle later.\n"
    "- Behind a 16-bit instruction NOP, IT and a branch not taken cost nothing; a branch taken\n"
    "  costs 1 where that instruction sets no flags, an unconditional one also where it does.\n"
    "  One such rider an instruction. A branch on a register that was just written does not ride\n"
    "  (chosen).\n"
    "- MOV of a shifted register, and so LSL, LSR, ASR and ROR by a constant, give their result "
    "in\n"
    "  the next cycle: measured for constants, by analogy for registers.\n"
    "\n"
    "Both: a skipped instruction of an IT block takes 1. A stall is not counted where an "
    "exception\n"
    "comes between. Waits of a memory region are added to the access; on the M0+ an access by the\n"
    "single-cycle port takes 1.\n"
    "\n"
    "## Parameters\n"
    "\n"
    "Settable in a chip's `core:` map. Figures marked chosen or analogy have no public source for\n"
    "that core.\n"
    "\n"
    "| parameter | M0+ | M3 | M33 | standing |\n"
    "|---|---|---|---|---|\n";

static void write_page(struct str *page)
{
    static const struct {
        const char *name;
        int values[THUMB_CORES];
        const char *standing;
    } params[] = {
#define THUMB_PARAM(name, m0plus, m3, m33, low, high, standing) \
    {#name, {m0plus, m3, m33}, standing},
#include "isa/thumb/thumb_params.h"
#undef THUMB_PARAM
    };
    str_add(page, head);
    for (unsigned class = 0; class < THUMB_CLASSES; class ++) {
        str_addf(page, "| %s |", thumb_class_names[class]);
        for (unsigned core = 0; core < THUMB_CORES; core++) {
            bool exists = false;
            for (unsigned i = 0; i < thumb_row_count; i++)
                exists |= thumb_rows[i].class == class &&
                          thumb_core_has((enum thumb_core_kind)core, thumb_rows[i].arch);
            if (exists)
                str_addf(page, " %u |", thumb_class_cycles[class][core]);
            else
                str_add(page, " - |");
        }
        str_addf(page, " %s |\n", thumb_class_texts[class]);
    }
    str_add(page, rules);
    for (size_t i = 0; i < sizeof params / sizeof params[0]; i++)
        str_addf(page, "| `%s` | %d | %d | %d | %s |\n", params[i].name, params[i].values[0],
                 params[i].values[1], params[i].values[2], params[i].standing);
    str_add(page, "\n## Instructions\n\n"
                  "| row | encoding | cores | class |\n"
                  "|---|---|---|---|\n");
    static const char *const cores[] = {
        [V6M] = "all", [V7M] = "M3, M33", [V8M] = "M33", [DSP] = "M33 (DSP)"};
    for (unsigned i = 0; i < thumb_row_count; i++)
        str_addf(page, "| %s | `%s` | %s | %s |\n", thumb_rows[i].name, thumb_rows[i].pattern,
                 cores[thumb_rows[i].arch], thumb_class_names[thumb_rows[i].class]);
}

static bool same_as_file(const struct str *page, const char *path)
{
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return false;
    char *text = uj_calloc(1, page->length + 2);
    size_t got = fread(text, 1, page->length + 1, stream);
    bool same = got == page->length && memcmp(text, page->text, got) == 0;
    free(text);
    (void)fclose(stream);
    return same;
}

int main(int argc, char **argv)
{
    struct str page;
    str_init(&page);
    write_page(&page);
    int code = 0;
    if (argc == 3 && strcmp(argv[1], "--check") == 0) {
        if (!same_as_file(&page, argv[2])) {
            fprintf(stderr, "%s is not current: %s > %s\n", argv[2], argv[0], argv[2]);
            code = 1;
        }
    } else if (argc == 1) {
        code = fputs(page.text, stdout) < 0;
    } else {
        fprintf(stderr, "usage: timing_thumb [--check FILE]\n");
        code = 2;
    }
    str_free(&page);
    return code;
}
