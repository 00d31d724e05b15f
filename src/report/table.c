#include "report/table.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/unknown.h"
#include "report/table_format.h"

const struct table_format table_formats[] = {
    {"table", table_write_text},
    {"csv", table_write_csv},
    {"json", table_write_json},
    {"md", table_write_md},
};
const size_t table_format_count = sizeof table_formats / sizeof table_formats[0];

enum uj_err table_format_named(struct uj_ctx *ctx, const struct table_format **out,
                               const char *name)
{
    const char *names[sizeof table_formats / sizeof table_formats[0]];
    for (size_t i = 0; i < table_format_count; i++) {
        names[i] = table_formats[i].name;
        if (strcmp(name, names[i]) == 0) {
            *out = &table_formats[i];
            return UJ_OK;
        }
    }
    return uj_fail_unknown(ctx, UJ_ERR_USAGE, "format", name, names, table_format_count);
}

struct table *table_new(const struct column *columns, size_t count)
{
    struct table *t = uj_calloc(1, sizeof *t);
    struct column *own = uj_calloc(count, sizeof *own);
    memcpy(own, columns, count * sizeof *own);
    t->columns = own;
    t->column_count = count;
    return t;
}

static void clear_cell(struct cell *c)
{
    if (c->kind == CELL_TEXT)
        free(c->as.text);
    *c = (struct cell){.kind = CELL_ABSENT};
}

void table_free(struct table *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->line_count; i++) {
        for (size_t k = 0; k < t->column_count; k++)
            clear_cell(&t->lines[i].cells[k]);
        free(t->lines[i].cells);
    }
    for (size_t i = 0; i < t->note_count; i++)
        free(t->notes[i]);
    free(t->notes);
    free(t->lines);
    free((void *)t->columns);
    free(t);
}

size_t table_rows(const struct table *t)
{
    return t->line_count;
}

void table_row(struct table *t)
{
    if (t->line_count == t->line_capacity) {
        t->line_capacity = t->line_capacity ? 2 * t->line_capacity : 16;
        t->lines = uj_realloc(t->lines, t->line_capacity * sizeof *t->lines);
    }
    t->lines[t->line_count++] = (struct table_line){
        .cells = uj_calloc(t->column_count, sizeof(struct cell)),
    };
}

/* The cell of the row begun last, emptied. */
static struct cell *fresh_cell(struct table *t, size_t column)
{
    struct cell *c = &t->lines[t->line_count - 1].cells[column];
    clear_cell(c);
    return c;
}

void table_text(struct table *t, size_t column, const char *text)
{
    struct cell *c = fresh_cell(t, column);
    if (text)
        *c = (struct cell){.kind = CELL_TEXT, .as.text = uj_strdup(text)};
}

void table_integer(struct table *t, size_t column, int64_t value)
{
    *fresh_cell(t, column) = (struct cell){.kind = CELL_INTEGER, .as.integer = value};
}

void table_real(struct table *t, size_t column, double value)
{
    struct cell *c = fresh_cell(t, column);
    if (isfinite(value))
        *c = (struct cell){.kind = CELL_REAL, .as.real = value};
}

void table_bool(struct table *t, size_t column, bool value)
{
    *fresh_cell(t, column) = (struct cell){.kind = CELL_BOOL, .as.truth = value};
}

void table_mark(struct table *t)
{
    t->lines[t->line_count - 1].marked = true;
}

void table_note(struct table *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *note = NULL;
    int length = vasprintf(&note, format, args);
    va_end(args);
    if (length < 0)
        return;
    for (size_t i = 0; i < t->note_count; i++) {
        if (strcmp(t->notes[i], note) == 0) {
            free(note);
            return;
        }
    }
    t->notes = uj_realloc(t->notes, (t->note_count + 1) * sizeof *t->notes);
    t->notes[t->note_count++] = note;
}

const struct cell *table_cell(const struct table *t, size_t row, size_t column)
{
    return &t->lines[row].cells[column];
}
