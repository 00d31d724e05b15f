/*
 * A progress bar on standard error.
 *
 * Laws: nothing is written unless the stream is a terminal that can move its cursor (TERM is not
 * "dumb"); the bar wipes itself at progress_end(); any thread may call progress_step() and
 * progress_note().
 */
#ifndef UJ_BASE_PROGRESS_H
#define UJ_BASE_PROGRESS_H

#include <stddef.h>
#include <stdio.h>

#include "base/err.h"

struct progress;

/* `what` is counted ("measurements"), `total` of them; never NULL. */
struct progress *progress_start(const char *what, size_t total);
/* The same on a stream, which `is_terminal` or not; for tests. */
struct progress *progress_start_on(FILE *stream, int is_terminal, const char *what, size_t total);
/* One more is done; `detail` names it ("uno esch256 fast 64") or is NULL. */
void progress_step(struct progress *p, const char *detail);
/* Prints a whole line (newline added) without tearing the bar; also where there is no bar. */
void progress_note(struct progress *p, const char *format, ...) UJ_PRINTF(2, 3);
/* Wipes the bar and frees `p`; NULL is nothing. */
void progress_end(struct progress *p);

#endif
