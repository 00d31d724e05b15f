/*
 * Other programs: started, watched and ended.
 *
 * Laws
 * - Any number of threads may run programs at once; nothing is inherited but what is said here.
 * - A program gets an empty standard input; what it writes to standard output and error is kept, up
 *   to PROCESS_OUTPUT_MAX bytes each, the rest is read and dropped.
 * - One that runs longer than its time is ended together with what it started, and is
 * PROCESS_TIMEOUT.
 * - process_run_all() stops starting new ones at the first that does not end well, and waits for
 * those that run.
 */
#ifndef UJ_BASE_PROCESS_H
#define UJ_BASE_PROCESS_H

#include <stddef.h>

#include "base/err.h"
#include "base/str.h"

enum { PROCESS_OUTPUT_MAX = 1 << 20 };

enum process_end {
    PROCESS_NOT_RUN, /* another one failed before */
    PROCESS_EXITED,  /* `code` is its exit code */
    PROCESS_SIGNAL,  /* `code` is the signal's number */
    PROCESS_TIMEOUT,
};

struct process {
    /* in */
    char **argv;        /* argv[0] is looked for on PATH unless it holds a slash; NULL-terminated */
    const char *folder; /* where it runs; NULL: here */
    char **environment; /* NULL: the program's own */
    unsigned timeout_s; /* 0: none */
    /* out; process_free() frees */
    enum process_end end;
    int code;
    struct str output, errors;
};

/* Runs it to its end. UJ_ERR_TOOL where it cannot be started; a bad end is the caller's to judge.
 */
enum uj_err process_run(struct uj_ctx *ctx, struct process *p) UJ_CHECK;
/* Runs `count` of them, at most `jobs` at a time (0: one). Adds the number started to *started. */
enum uj_err process_run_all(struct uj_ctx *ctx, struct process *list, size_t count, unsigned jobs,
                            unsigned *started) UJ_CHECK;
/* Whether it ran and said it had done its work. */
bool process_good(const struct process *p);
void process_free(struct process *p);

/* The path of the program: `name` itself if it holds a slash, else looked for on PATH; NULL: none.
 */
char *process_find(const char *name);

#endif
