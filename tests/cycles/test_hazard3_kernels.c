/* Every kernel that was read on the RTL, to the cycle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cycles/hazard3_kernels.h"

static void test_kernels(void **state)
{
    (void)state;
    static struct kernel_list list;
    struct rv32_rig *rig = rig_new();
    assert_true(kernels_read(&list, UJ_SOURCE_DIR "/tests/cycles/hazard3_kernels.tsv"));
    assert_true(list.count >= 72);
    if (!kernels_run(rig, &list, UJ_BUILD_DIR "/hazard3_kernels"))
        fail_msg("stopped: %s %s", rig->core->fault.reason ? rig->core->fault.reason : "?",
                 rig->core->fault.detail);
    assert_int_equal(kernels_check(rig, &list, true), 0);
    rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kernels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
