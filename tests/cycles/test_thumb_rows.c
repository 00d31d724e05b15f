/* The time of every row of the Thumb table, against a second list: thumb_rows.tsv. */
#include "cycles/thumb_rows_check.h"

static void every_row_has_its_time(void **state)
{
    (void)state;
    static struct rows_list list;
    assert_true(rows_read(&list));
    assert_int_equal(rows_check(&list, true), 0);
    for (unsigned i = 0; i < list.count; i++) {
        unsigned found = 0;
        for (unsigned row = 0; row < thumb_row_count; row++)
            found += strncmp(thumb_rows[row].name, list.figures[i].name,
                             strcspn(list.figures[i].name, "!")) == 0 &&
                     strlen(thumb_rows[row].name) == strcspn(list.figures[i].name, "!");
        if (found != 1)
            fail_msg("%s is in the list %u times in the table", list.figures[i].name, found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_row_has_its_time)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
