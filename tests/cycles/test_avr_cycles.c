/* Every line of avr_cycles.tsv on every core; every row of the table in that list. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cycles/avr_cycles_check.h"

static struct cycles_list list;

static void test_list_holds(void **state)
{
    (void)state;
    assert_true(cycles_read(&list, UJ_SOURCE_DIR "/tests/cycles/avr_cycles.tsv"));
    assert_int_equal(cycles_check(&list, true), 0);
}

static void test_every_row_is_listed(void **state)
{
    (void)state;
    for (int row = 0; row < AVR_ROWS; row++) {
        bool found = false;
        for (size_t i = 0; i < list.count; i++)
            found |= strcmp(list.lines[i].row, avr_rows[row].name) == 0;
        if (!found)
            fail_msg("avr_cycles.tsv has no line for %s", avr_rows[row].name);
    }
    cycles_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list_holds),
        cmocka_unit_test(test_every_row_is_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
