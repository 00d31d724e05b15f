/*
 * The refusal of a name that is none of the known ones: one wording everywhere.
 */
#ifndef UJ_BASE_UNKNOWN_H
#define UJ_BASE_UNKNOWN_H

#include <stddef.h>

#include "base/err.h"

/*
 * Records "no WHAT 'WORD'; did you mean 'NEAREST'?", or where none is near "...; there are: A, B",
 * each once, and returns `code`. `what` may say more than a kind: "board", "trace set in uno.yaml".
 */
enum uj_err uj_fail_unknown(struct uj_ctx *ctx, enum uj_err code, const char *what,
                            const char *word, const char *const *names, size_t count);

#endif
