/*
 * A growing string, and the few string helpers that the C library lacks.
 *
 * Laws: `text` is never NULL after str_init() and always ends in NUL; a failed allocation ends the
 * program with a message, since no caller could go on with half a string.
 */
#ifndef UJ_BASE_STR_H
#define UJ_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct str {
    char *text;
    size_t length;
    size_t capacity;
};

void str_init(struct str *s);
void str_free(struct str *s);
void str_clear(struct str *s);
void str_add(struct str *s, const char *text);
void str_add_bytes(struct str *s, const void *bytes, size_t count);
void str_addf(struct str *s, const char *format, ...) UJ_PRINTF(2, 3);
/* Gives the text away; the string is empty afterwards. The caller frees. */
char *str_take(struct str *s);

/* malloc, calloc, realloc, strdup and strndup that end the program with a message when memory is
 * out. */
void *uj_malloc(size_t bytes);
void *uj_calloc(size_t count, size_t bytes);
void *uj_realloc(void *old, size_t bytes);
char *uj_strdup(const char *text);
char *uj_strndup(const char *text, size_t length);
char *uj_format(const char *format, ...) UJ_PRINTF(1, 2);

bool str_starts(const char *text, const char *prefix);
bool str_ends(const char *text, const char *suffix);

/* Lower-case hexadecimal of `count` bytes into `out`, which holds 2 * count + 1 characters. */
void hex_encode(char *out, const uint8_t *bytes, size_t count);
/* Reads exactly `count` bytes from 2 * count hexadecimal digits of either case; false otherwise. */
bool hex_decode(uint8_t *out, const char *text, size_t count);

/* The candidate nearest to `word` by edit distance, or NULL when none is near enough to be meant.
 */
const char *nearest_word(const char *word, const char *const *candidates, size_t count);

#endif
