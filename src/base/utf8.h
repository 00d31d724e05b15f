/*
 * Text of unknown origin (compilers, firmware, file names) made fit for a terminal or a file of
 * results.
 */
#ifndef UJ_BASE_UTF8_H
#define UJ_BASE_UTF8_H

#include <stddef.h>

#include "base/str.h"

/* Bytes of the UTF-8 sequence at `text`, 1 to 4; 0 if there is none (overlong and surrogates
 * included). */
size_t utf8_sequence(const char *text);
/* Adds the text with U+FFFD for every byte that is no part of UTF-8. */
void utf8_add(struct str *out, const char *text);
/* The same, and a blank for every control character, so that no text moves the cursor. */
void utf8_add_plain(struct str *out, const char *text);
/* Characters of valid UTF-8 text. */
size_t utf8_length(const char *text);

#endif
