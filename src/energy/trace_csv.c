/* Traces as text: one number a field, a table of rows and columns. */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "energy/trace_format.h"

enum { FIELD_BYTES = 64, HEADINGS_MAX = 32 };

struct field {
    const char *at;
    size_t length; /* without spaces and quotes around it */
};

struct table {
    struct uj_ctx *ctx;
    const char *file;
    char separator;       /* ' ' for any number of spaces */
    struct field *fields; /* of the line at hand */
    size_t field_count, field_capacity;
    double *numbers;
    size_t count, capacity;
    size_t rows, columns;
    struct {
        struct field *fields;
        size_t count;
    } headings[HEADINGS_MAX];
    size_t heading_count;
};

static enum uj_err refuse(const struct table *t, size_t line, size_t column, const char *format,
                          ...) UJ_PRINTF(4, 5);

static enum uj_err refuse(const struct table *t, size_t line, size_t column, const char *format,
                          ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return uj_fail(t->ctx, UJ_ERR_INPUT, "%s:%zu:%zu: %s", t->file, line, column, text);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static void add_field(struct table *t, const char *from, const char *to)
{
    while (from < to && is_blank(*from))
        from++;
    while (to > from && is_blank(to[-1]))
        to--;
    if (to - from >= 2 && *from == '"' && to[-1] == '"') {
        from++;
        to--;
    }
    if (t->field_count == t->field_capacity) {
        t->field_capacity = t->field_capacity ? t->field_capacity * 2 : 64;
        t->fields = uj_realloc(t->fields, t->field_capacity * sizeof *t->fields);
    }
    t->fields[t->field_count++] = (struct field){from, (size_t)(to - from)};
}

static void split(struct table *t, const char *line, const char *end)
{
    t->field_count = 0;
    const char *from = line;
    for (const char *p = line;; p++) {
        if (p < end && *p != t->separator)
            continue;
        /* spaces: several are one; a separator at the end of a line closes it and begins nothing */
        if (t->separator != ' ' || p > from)
            if (p < end || p > from || t->field_count == 0)
                add_field(t, from, p);
        from = p + 1;
        if (p >= end)
            return;
    }
}

static char find_separator(const char *line, const char *end)
{
    static const char candidates[] = {'\t', ';', ','};
    for (size_t i = 0; i < sizeof candidates; i++)
        if (memchr(line, candidates[i], (size_t)(end - line)))
            return candidates[i];
    return ' ';
}

/* Decimal, with a point and an exponent; nothing else that strtod would take. */
static bool read_number(double *out, const struct field *f)
{
    char text[FIELD_BYTES];
    if (f->length == 0 || f->length >= sizeof text)
        return false;
    for (size_t i = 0; i < f->length; i++)
        if (!isdigit((unsigned char)f->at[i]) && !strchr("+-.eE", f->at[i]))
            return false;
    memcpy(text, f->at, f->length);
    text[f->length] = '\0';
    char *end;
    *out = strtod(text, &end);
    return *end == '\0' && end != text && isfinite(*out);
}

static enum uj_err add_heading(struct table *t, size_t line)
{
    if (t->heading_count == HEADINGS_MAX)
        return refuse(t, line, 1, "no number in the first %d lines; is this a trace?",
                      HEADINGS_MAX);
    size_t bytes = t->field_count * sizeof *t->fields;
    t->headings[t->heading_count].fields = uj_malloc(bytes);
    memcpy(t->headings[t->heading_count].fields, t->fields, bytes);
    t->headings[t->heading_count++].count = t->field_count;
    return UJ_OK;
}

/* What a message shows of a field: printable, and not too long. */
static const char *shown(char out[24], const struct field *f)
{
    size_t n = f->length < 20 ? f->length : 20;
    for (size_t i = 0; i < n; i++)
        out[i] = isprint((unsigned char)f->at[i]) ? f->at[i] : '?';
    for (size_t i = n; i < n + 3; i++)
        out[i] = f->length > n ? '.' : '\0';
    out[n + 3] = '\0';
    return out;
}

/* "0,25": no heading, and no number here. */
static bool has_decimal_comma(const struct field *f)
{
    bool comma = false;
    for (size_t i = 0; i < f->length; i++) {
        if (!isdigit((unsigned char)f->at[i]) && !strchr("+-,eE", f->at[i]))
            return false;
        comma = comma || f->at[i] == ',';
    }
    return comma;
}

static enum uj_err add_row(struct table *t, const char *start, size_t line)
{
    if (t->rows == 0) {
        t->columns = t->field_count;
    } else if (t->field_count != t->columns) {
        return refuse(t, line, 1, "%zu fields where the lines before have %zu", t->field_count,
                      t->columns);
    }
    if (t->capacity - t->count < t->columns) {
        while (t->capacity - t->count < t->columns)
            t->capacity = t->capacity ? t->capacity * 2 : 4096;
        t->numbers = uj_realloc(t->numbers, t->capacity * sizeof *t->numbers);
    }
    for (size_t i = 0; i < t->columns; i++) {
        char text[24];
        if (!read_number(&t->numbers[t->count], &t->fields[i]))
            return refuse(t, line, (size_t)(t->fields[i].at - start) + 1,
                          t->fields[i].length == 0 ? "an empty field%s" : "\"%s\" is no number",
                          shown(text, &t->fields[i]));
        t->count++;
    }
    t->rows++;
    return UJ_OK;
}

static enum uj_err read_table(struct table *t, const char *text, size_t length)
{
    const char *end = text + length, *next;
    size_t line = 0;
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        text += 3;
    for (; text < end; text = next) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        next = stop ? stop + 1 : end;
        stop = stop ? stop : end;
        line++;
        const char *first = text;
        while (first < stop && is_blank(*first))
            first++;
        while (stop > first && is_blank(stop[-1]) && stop[-1] != '\t')
            stop--;
        if (first == stop || *first == '#')
            continue;
        if (memchr(first, 0, (size_t)(stop - first)))
            return refuse(t, line, 1, "a NUL byte; this is neither CSV nor .npy");
        if (t->separator == '\0')
            t->separator = find_separator(first, stop);
        split(t, first, stop);
        if (t->field_count == 0)
            continue;
        double number;
        char field_text[24];
        if (has_decimal_comma(&t->fields[0]))
            return refuse(t, line, (size_t)(t->fields[0].at - text) + 1,
                          "\"%s\" has a decimal comma; write a point",
                          shown(field_text, &t->fields[0]));
        enum uj_err err =
            t->rows == 0 && !read_number(&number, &t->fields[0]) && t->fields[0].length > 0
                ? add_heading(t, line)
                : add_row(t, text, line);
        if (err)
            return err;
        if (t->rows == 0)
            t->separator = '\0'; /* a heading may be written another way than the table */
    }
    if (t->rows == 0)
        return uj_fail(t->ctx, UJ_ERR_INPUT, "%s: holds no line of numbers", t->file);
    return UJ_OK;
}

/* Lower-case copy of a heading, or NULL. */
static const char *heading(const struct table *t, size_t line, size_t column, char out[FIELD_BYTES])
{
    if (column >= t->headings[line].count)
        return NULL;
    const struct field *f = &t->headings[line].fields[column];
    size_t n = f->length < FIELD_BYTES - 1 ? f->length : FIELD_BYTES - 1;
    for (size_t i = 0; i < n; i++)
        out[i] = (char)tolower((unsigned char)f->at[i]);
    out[n] = '\0';
    return out;
}

/* Seconds a unit that the heading names, NaN for none; *is_time: the heading speaks of time. */
static double time_unit(const char *text, bool *is_time)
{
    static const struct {
        const char *word;
        double seconds;
    } whole[] = {{"second", 1}, {"seconds", 1}, {"sec", 1}, {"s", 1},       {"ms", 1e-3},
                 {"us", 1e-6},  {"ns", 1e-9},   {"t", NAN}, {"x-axis", NAN}},
      units[] = {{"s", 1}, {"sec", 1}, {"seconds", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++)
        if (strcmp(text, whole[i].word) == 0) {
            *is_time = true;
            return whole[i].seconds;
        }
    if (!str_starts(text, "time") && !str_starts(text, "t ") && !str_starts(text, "t[") &&
        !str_starts(text, "t(") && !str_starts(text, "t_"))
        return NAN;
    *is_time = true;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        char tails[3][16];
        (void)snprintf(tails[0], sizeof tails[0], "(%s)", units[i].word);
        (void)snprintf(tails[1], sizeof tails[1], "[%s]", units[i].word);
        (void)snprintf(tails[2], sizeof tails[2], "_%s", units[i].word);
        for (size_t j = 0; j < 3; j++)
            if (str_ends(text, tails[j]))
                return units[i].seconds;
    }
    return NAN;
}

/* Do the numbers of a column rise by equal steps, but for so many steps of rounding? */
static bool is_even(const struct table *t, size_t column, double rounding)
{
    double first = t->numbers[column], last = t->numbers[(t->rows - 1) * t->columns + column];
    double step = (last - first) / (double)(t->rows - 1);
    if (t->rows < 2 || !(step > 0))
        return false;
    for (size_t i = 1; i < t->rows; i++)
        if (fabs(t->numbers[i * t->columns + column] - (first + step * (double)i)) >
            rounding * step)
            return false;
    return true;
}

static bool find_named(const struct table *t, size_t *column, const char *name)
{
    for (size_t line = 0; line < t->heading_count; line++)
        for (size_t i = 0; i < t->headings[line].count; i++) {
            const struct field *f = &t->headings[line].fields[i];
            if (i < t->columns && f->length == strlen(name) &&
                memcmp(f->at, name, f->length) == 0) {
                *column = i;
                return true;
            }
        }
    return false;
}

/* Sets f->time_column (from 1, or 0) and f->time_step_s. */
static enum uj_err find_time(const struct table *t, struct trace_file *f, const char *asked)
{
    char text[FIELD_BYTES];
    size_t column = t->columns;
    double seconds = NAN;
    if (asked && strcmp(asked, "none") == 0)
        return UJ_OK;
    if (asked && !find_named(t, &column, asked)) {
        char *end;
        unsigned long number = isdigit((unsigned char)*asked) ? strtoul(asked, &end, 10) : 0;
        if (number == 0 || *end != '\0' || number > t->columns)
            return uj_fail(t->ctx, UJ_ERR_USAGE, "%s: no column \"%s\" for the time; it has %zu",
                           t->file, asked, t->columns);
        column = number - 1;
    }
    for (size_t line = t->heading_count; line-- > 0;)
        for (size_t i = 0; i < t->columns; i++) {
            bool is_time = false;
            if ((column < t->columns && i != column) || !heading(t, line, i, text))
                continue;
            double unit = time_unit(text, &is_time);
            if (!is_time)
                continue;
            if (column == t->columns)
                column = i;
            if (isnan(seconds))
                seconds = unit;
        }
    if (column == t->columns && t->heading_count == 0 && t->columns > 1 && t->rows > 2 &&
        is_even(t, 0, 0.01))
        column = 0;
    if (column == t->columns)
        return UJ_OK;
    if (t->columns == 1)
        return uj_fail(t->ctx, UJ_ERR_INPUT, "%s: only a column of time, no trace", t->file);
    /* instruments write the time with few digits */
    if (t->rows > 1 && !is_even(t, column, fmax(0.05, 1e-3 * (double)t->rows)))
        return uj_fail(t->ctx, UJ_ERR_INPUT,
                       "%s: the time in column %zu does not rise by equal steps", t->file,
                       column + 1);
    f->time_column = column + 1;
    if (t->rows > 1)
        f->time_step_s = seconds *
                         (t->numbers[(t->rows - 1) * t->columns + column] - t->numbers[column]) /
                         (double)(t->rows - 1);
    return UJ_OK;
}

/* Takes the column of time out of the table, and the headings of the others along. */
static void arrange_columns(struct table *t, struct trace_file *f)
{
    size_t time = f->time_column ? f->time_column - 1 : t->columns;
    size_t kept = 0;
    for (size_t i = 0; i < t->count; i++)
        if (i % t->columns != time)
            t->numbers[kept++] = t->numbers[i];
    f->traces = t->columns - (time < t->columns);
    f->samples = t->rows;
    f->step_trace = 1;
    f->step_sample = f->traces;
    if (t->heading_count == 0)
        return;
    f->headings = uj_calloc(f->traces, sizeof *f->headings);
    for (size_t i = 0, trace = 0; i < t->columns; i++) {
        if (i == time)
            continue;
        size_t last = t->heading_count - 1;
        if (t->headings[last].count == t->columns)
            f->headings[trace] =
                uj_strndup(t->headings[last].fields[i].at, t->headings[last].fields[i].length);
        trace++;
    }
}

enum uj_err trace_csv_parse(struct uj_ctx *ctx, struct trace_file *f, const char *text,
                            size_t length, const struct trace_options *options)
{
    struct table t = {.ctx = ctx, .file = f->name};
    enum uj_err err = read_table(&t, text, length);
    bool rows = options->rows || (t.rows == 1 && t.columns > 1);
    if (!err && rows) {
        if (options->time_column && strcmp(options->time_column, "none") != 0)
            err = uj_fail(ctx, UJ_ERR_USAGE, "%s: a column of time, but every row is a trace",
                          f->name);
        f->traces = t.rows;
        f->samples = t.columns;
        f->step_trace = t.columns;
        f->step_sample = 1;
    } else if (!err) {
        err = find_time(&t, f, options->time_column);
        if (!err)
            arrange_columns(&t, f);
    }
    f->numbers = t.numbers;
    for (size_t i = 0; i < t.heading_count; i++)
        free(t.headings[i].fields);
    free(t.fields);
    return err;
}
