/*
 * Errors of the host program.
 *
 * Laws: a function that can fail returns enum uj_err, UJ_OK (zero) or the kind of failure, and has
 * recorded one message by uj_fail() before it returns anything else. The first message stands: a
 * caller that passes an error on adds nothing. The kind decides the exit code, nothing else does.
 * A fault of the simulated program is a result of the run, not an error of this kind.
 */
#ifndef UJ_BASE_ERR_H
#define UJ_BASE_ERR_H

#include <stdbool.h>

enum uj_err {
    UJ_OK = 0,
    UJ_ERR_USAGE,  /* the command line asks for something that does not exist: exit 2 */
    UJ_ERR_INPUT,  /* a file of the user's is wrong: exit 2 */
    UJ_ERR_TOOL,   /* a compiler or another program is missing or failed: exit 1 */
    UJ_ERR_IO,     /* the system refused a read, a write or a start: exit 1 */
    UJ_ERR_MEMORY, /* no memory: exit 1 */
    UJ_ERR_RESULT, /* a measurement failed: exit 1 */
};

#define UJ_CHECK               __attribute__((warn_unused_result))
#define UJ_PRINTF(text, first) __attribute__((format(printf, text, first)))

/* Holds the first message of one line of work. One per thread of work; zero-initialised is empty.
 */
struct uj_ctx {
    enum uj_err code;
    char message[512];
};

/* Records the message unless one stands already, and returns `code` so that a caller can return it.
 * A message is one line: control characters, which names and values of others may hold, become '?'.
 */
enum uj_err uj_fail(struct uj_ctx *ctx, enum uj_err code, const char *format, ...) UJ_PRINTF(3, 4);

/* Empties the context, so that work can go on after a failure that was dealt with. */
void uj_clear(struct uj_ctx *ctx);

/* 0, 1 or 2, the program's exit code for a kind of failure. */
int uj_exit_code(enum uj_err code);

#endif
