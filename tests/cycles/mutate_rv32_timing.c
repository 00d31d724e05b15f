/*
 * Is every time of the RV32 table held by the two lists? Adds one cycle to each row, and to each
 * cost in context, one at a time, and wants a list to fail each time. Linked with a copy of
 * isa/rv32 whose tables can be written.
 */
#include "cycles/hazard3_kernels.h"
#include "isa/rv32/rv32_timing.h"

static const char *const paths[2] = {UJ_SOURCE_DIR "/tests/cycles/rv32_cycles.tsv",
                                     UJ_SOURCE_DIR "/tests/cycles/hazard3_kernels.tsv"};
static struct kernel_list lists[2];
static uint8_t images[2][RIG_RAM_BYTES];
static unsigned mutants, survivors;

/* The lists' programs, assembled before, on cores that have decoded nothing. */
static unsigned check(bool print)
{
    unsigned wrong = 0;
    for (int i = 0; i < 2; i++) {
        struct rv32_rig *rig = rig_new();
        memcpy(rig->ram, images[i], RIG_RAM_BYTES);
        rig->core->class->code_changed(rig->core, RIG_RAM, RIG_RAM_BYTES);
        rig->core->class->reset(rig->core);
        wrong += rig_run(rig, 10000000) != CORE_EXIT;
        wrong += kernels_check(rig, &lists[i], print);
        rig_free(rig);
    }
    return wrong;
}

static void judge(const char *what)
{
    mutants++;
    if (check(false) > 0)
        return;
    survivors++;
    fprintf(stderr, "survived: one cycle more in %s\n", what);
}

int main(void)
{
    for (int i = 0; i < 2; i++) {
        struct rv32_rig *rig = rig_new();
        char name[32];
        snprintf(name, sizeof name, "mutate_rv32_%d", i);
        if (!kernels_read(&lists[i], paths[i]) || !kernels_run(rig, &lists[i], name))
            return 1;
        rig_free(rig);
        rig = rig_new();
        if (!rig_assemble(rig, name))
            return 1;
        memcpy(images[i], rig->ram, RIG_RAM_BYTES);
        rig_free(rig);
    }
    if (check(true) != 0)
        return 1;
    for (int row = 0; row < RV32_ROWS; row++) {
        rv32_rows[row].cycles++;
        judge(rv32_rows[row].name);
        rv32_rows[row].cycles--;
    }
    static const char *const names[] = {
#define COST(name, cycles, rule) #name,
        RV32_CONTEXT_COSTS(COST)
#undef COST
    };
    for (int i = 0; i < RV32_CONTEXTS; i++) {
        rv32_context_cycles[i]++;
        judge(names[i]);
        rv32_context_cycles[i]--;
    }
    printf("mutants of the RV32 timing: %u, survivors: %u\n", mutants, survivors);
    return survivors ? 1 : 0;
}
