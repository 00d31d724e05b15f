/*
 * Is every time of the Thumb classes held by the list of rows? Adds one cycle to each class in each
 * core, one at a time, and wants the list to fail each time. Linked with a copy of isa/thumb whose
 * table can be written; the cores in ujoule have no such thing.
 */
#include "cycles/thumb_rows_check.h"

int main(void)
{
    static struct rows_list list;
    unsigned mutants = 0, survivors = 0;
    if (!rows_read(&list) || rows_check(&list, true) != 0)
        return 1;
    for (unsigned class = 0; class < THUMB_CLASSES; class ++) {
        if (class == CLASS_TRAP)
            continue; /* its time is part of the exception's */
        for (unsigned core = 0; core < THUMB_CORES; core++) {
            bool exists = false;
            for (unsigned i = 0; i < thumb_row_count; i++)
                exists |= thumb_rows[i].class == class &&
                          thumb_core_has((enum thumb_core_kind)core, thumb_rows[i].arch);
            if (!exists || (class == CLASS_MUL && core == THUMB_M0PLUS))
                continue; /* the multiplier is a parameter of the M0+ */
            mutants++;
            thumb_class_cycles[class][core]++;
            if (rows_check(&list, false) == 0) {
                survivors++;
                fprintf(stderr, "survived: one cycle more in %s, %s\n", thumb_class_names[class],
                        rig_cores[core]);
            }
            thumb_class_cycles[class][core]--;
        }
    }
    printf("%u mutants, %u survivors\n", mutants, survivors);
    return survivors || mutants < 80;
}
