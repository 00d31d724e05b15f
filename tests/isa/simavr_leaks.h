/* libsimavr keeps memory of a chip that was ended: not a leak of ours, so the sanitizer is told. */
#ifndef UJ_TESTS_SIMAVR_LEAKS_H
#define UJ_TESTS_SIMAVR_LEAKS_H

const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
    return "leak:libsimavr\n";
}

#endif
