/*
 * Is every time of the AVR table held by the cycle list? Adds one cycle to each row in each core,
 * and to each context cost, one at a time, and wants the list to fail each time. Linked with a copy
 * of isa/avr whose tables can be written; the cores in ujoule have no such thing.
 */
#include "cycles/avr_cycles_check.h"
#include "isa/avr/avr_timing.h"

static unsigned mutants, survivors;

static void judge(struct cycles_list *list, const char *what, const char *where)
{
    mutants++;
    if (cycles_check(list, false) > 0)
        return;
    survivors++;
    fprintf(stderr, "survived: one cycle more in %s, %s\n", what, where);
}

int main(void)
{
    static struct cycles_list list;
    if (!cycles_read(&list, UJ_SOURCE_DIR "/tests/cycles/avr_cycles.tsv") ||
        cycles_check(&list, true) != 0)
        return 1;
    for (int row = 0; row < AVR_ROWS; row++)
        for (int core = 0; core < AVR_COLUMNS; core++) {
            if (avr_rows[row].cycles[core] == 0)
                continue;
            avr_rows[row].cycles[core]++;
            judge(&list, avr_rows[row].name, cycles_cores[core]);
            avr_rows[row].cycles[core]--;
        }
    for (int i = 0; i < AVR_CONTEXTS; i++) {
        static const char *const names[] = {
#define COST(name, cycles, rule) #name,
            AVR_CONTEXT_COSTS(COST)
#undef COST
        };
        avr_context_cycles[i]++;
        judge(&list, names[i], "every core");
        avr_context_cycles[i]--;
    }
    cycles_free(&list);
    printf("mutants of the AVR timing: %u, survivors: %u\n", mutants, survivors);
    return survivors ? 1 : 0;
}
