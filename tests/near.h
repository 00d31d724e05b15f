/* Doubles in tests: cmocka's own comparison reckons in float. Include it after cmocka.h. */
#ifndef UJ_TESTS_NEAR_H
#define UJ_TESTS_NEAR_H

#include <math.h>

#define assert_near(value, expected, tolerance) \
    near_check(value, expected, tolerance, __FILE__, __LINE__)

static inline void near_check(double value, double expected, double tolerance, const char *file,
                              int line)
{
    if (!(fabs(value - expected) <= tolerance)) {
        print_error("%.17g is not %.17g within %g\n", value, expected, tolerance);
        _fail(file, line);
    }
}

#endif
