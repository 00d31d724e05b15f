/* Every line of rv32_cycles.tsv; every row of the table, and every cost in context, in that list or
 * in the readings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cycles/hazard3_kernels.h"
#include "isa/rv32/rv32_table.h"

static struct kernel_list list;

static void test_list_holds(void **state)
{
    (void)state;
    struct rv32_rig *rig = rig_new();
    assert_true(kernels_read(&list, UJ_SOURCE_DIR "/tests/cycles/rv32_cycles.tsv"));
    assert_true(kernels_run(rig, &list, UJ_BUILD_DIR "/rv32_cycles"));
    assert_int_equal(kernels_check(rig, &list, true), 0);
    rig_free(rig);
}

static void test_every_row_is_listed(void **state)
{
    (void)state;
    for (int row = 0; row < RV32_ROWS; row++) {
        const char *name = rv32_rows[row].name;
        bool found = strcmp(name, "ecall") == 0 || strcmp(name, "ebreak") == 0 ||
                     strcmp(name, "mret") == 0; /* in the readings: ebreak_c */
        for (size_t i = 0; i < list.count; i++)
            found |= strcmp(list.items[i].name, name) == 0;
        if (!found)
            fail_msg("rv32_cycles.tsv has no line for %s", name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list_holds),
        cmocka_unit_test(test_every_row_is_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
