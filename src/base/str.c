#include "base/str.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void out_of_memory(void)
{
    (void)fputs("ujoule: out of memory\n", stderr);
    exit(1);
}

void *uj_malloc(size_t bytes)
{
    void *p = malloc(bytes ? bytes : 1);
    if (!p)
        out_of_memory();
    return p;
}

void *uj_calloc(size_t count, size_t bytes)
{
    void *p = calloc(count ? count : 1, bytes ? bytes : 1);
    if (!p)
        out_of_memory();
    return p;
}

void *uj_realloc(void *old, size_t bytes)
{
    void *p = realloc(old, bytes ? bytes : 1);
    if (!p)
        out_of_memory();
    return p;
}

char *uj_strndup(const char *text, size_t length)
{
    char *copy = uj_malloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *uj_strdup(const char *text)
{
    return uj_strndup(text, strlen(text));
}

static void reserve(struct str *s, size_t more)
{
    if (s->capacity - s->length > more)
        return;
    while (s->capacity - s->length <= more)
        s->capacity *= 2;
    s->text = uj_realloc(s->text, s->capacity);
}

void str_init(struct str *s)
{
    s->length = 0;
    s->capacity = 64;
    s->text = uj_malloc(s->capacity);
    s->text[0] = '\0';
}

void str_free(struct str *s)
{
    free(s->text);
    *s = (struct str){0};
}

void str_clear(struct str *s)
{
    s->length = 0;
    s->text[0] = '\0';
}

void str_add_bytes(struct str *s, const void *bytes, size_t count)
{
    reserve(s, count);
    memcpy(s->text + s->length, bytes, count);
    s->length += count;
    s->text[s->length] = '\0';
}

void str_add(struct str *s, const char *text)
{
    str_add_bytes(s, text, strlen(text));
}

static void add_formatted(struct str *s, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    if (length > 0) {
        reserve(s, (size_t)length);
        (void)vsnprintf(s->text + s->length, (size_t)length + 1, format, again);
        s->length += (size_t)length;
    }
    va_end(again);
}

void str_addf(struct str *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_formatted(s, format, args);
    va_end(args);
}

char *str_take(struct str *s)
{
    char *text = s->text;
    str_init(s);
    return text;
}

char *uj_format(const char *format, ...)
{
    struct str s;
    str_init(&s);
    va_list args;
    va_start(args, format);
    add_formatted(&s, format, args);
    va_end(args);
    return s.text;
}

bool str_starts(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool str_ends(const char *text, const char *suffix)
{
    size_t length = strlen(text), tail = strlen(suffix);
    return length >= tail && strcmp(text + length - tail, suffix) == 0;
}

void hex_encode(char *out, const uint8_t *bytes, size_t count)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < count; i++) {
        out[2 * i] = digits[bytes[i] >> 4];
        out[2 * i + 1] = digits[bytes[i] & 15];
    }
    out[2 * count] = '\0';
}

static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

bool hex_decode(uint8_t *out, const char *text, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int high = hex_value(text[2 * i]);
        int low = high < 0 ? -1 : hex_value(text[2 * i + 1]);
        if (low < 0)
            return false;
        out[i] = (uint8_t)(high << 4 | low);
    }
    return text[2 * count] == '\0';
}

static size_t edit_distance(const char *a, const char *b)
{
    size_t columns = strlen(b) + 1;
    size_t *row = uj_malloc(columns * sizeof *row);
    for (size_t j = 0; j < columns; j++)
        row[j] = j;
    for (size_t i = 0; a[i]; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 1; j < columns; j++) {
            size_t best = diagonal + (a[i] != b[j - 1]);
            diagonal = row[j];
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            row[j] = best;
        }
    }
    size_t distance = row[columns - 1];
    free(row);
    return distance;
}

const char *nearest_word(const char *word, const char *const *candidates, size_t count)
{
    const char *nearest = NULL;
    size_t best = strlen(word) / 2 + 1;
    for (size_t i = 0; i < count; i++) {
        bool contains = strlen(word) >= 3 && strstr(candidates[i], word);
        size_t distance = contains ? 1 : edit_distance(word, candidates[i]);
        if (distance < best) {
            best = distance;
            nearest = candidates[i];
        }
    }
    return nearest;
}
