/*
 * Is every time of the MSP430 tables held by the cycle list? Adds one cycle to each figure of each
 * cost row, one at a time, and wants the list to fail each time. Linked with a copy of isa/msp430
 * whose table can be written; the cores in ujoule have no such thing.
 */
#include "cycles/msp430_cycles_check.h"

int main(void)
{
    static struct cycles_list list;
    unsigned mutants = 0, survivors = 0, cases;
    if (!cycles_read(&list, UJ_SOURCE_DIR "/tests/cycles/msp430_cycles.tsv") ||
        cycles_check(&list, true, &cases) != 0)
        return 1;
    for (unsigned row = 0; row < msp430_cost_count; row++)
        for (int column = 0; column < MSP430_COST_COLUMNS; column++) {
            struct msp430_cost *cost = &msp430_costs[row];
            bool is_used = cost->is_each ? column < 2 : cost->cycles[column] != 0;
            if (!is_used)
                continue;
            mutants++;
            cost->cycles[column]++;
            if (cycles_check(&list, false, &cases) == 0) {
                survivors++;
                fprintf(stderr, "survived: one cycle more in %s, %s, source %s, column %d\n",
                        msp430_core_name(cost->core), msp430_costs_name(cost->table),
                        msp430_mode_name(cost->source), column);
            }
            cost->cycles[column]--;
        }
    cycles_free(&list);
    printf("mutants of the MSP430 timing: %u, survivors: %u\n", mutants, survivors);
    return survivors ? 1 : 0;
}
