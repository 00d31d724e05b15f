/* table and md: the columns that people read, aligned, rounded, with one SI prefix each. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "report/table_format.h"

/* A column whose values span more than WIDE_RANGE has no common number of decimals. */
enum { GAP = 2, WIDE_RANGE = 1000 };

static const struct prefix {
    const char *text;
    double factor;
} prefixes[] = {
    {"f", 1e-15}, {"p", 1e-12}, {"n", 1e-9}, {"u", 1e-6}, {"m", 1e-3},
    {"", 1},      {"k", 1e3},   {"M", 1e6},  {"G", 1e9},
};
enum { PREFIXES = sizeof prefixes / sizeof prefixes[0], NO_PREFIX = 5 };

/* A column as text. */
struct printed {
    const struct column *column;
    size_t index; /* among the table's columns */
    char *heading;
    char **texts; /* one a row */
    bool right;   /* aligned: numbers */
};

/* How the numbers of a column are printed. */
struct scaling {
    double factor; /* value x factor is printed */
    const char *prefix;
    int decimals;
    int digits; /* instead of decimals, significant ones; 0: decimals */
};

static bool number(double *out, const struct cell *c)
{
    if (c->kind != CELL_INTEGER && c->kind != CELL_REAL)
        return false;
    *out = c->kind == CELL_INTEGER ? (double)c->as.integer : c->as.real;
    return true;
}

struct range {
    double smallest, largest; /* magnitudes, 0 left out; 0, 0: none */
};

static struct range range_of(const struct table *t, size_t column)
{
    struct range r = {0, 0};
    double value;
    for (size_t i = 0; i < t->line_count; i++) {
        if (!number(&value, &t->lines[i].cells[column]) || value == 0)
            continue;
        value = fabs(value);
        r.smallest = r.largest == 0 || value < r.smallest ? value : r.smallest;
        r.largest = value > r.largest ? value : r.largest;
    }
    return r;
}

/* The largest prefix that leaves the smallest value at 1 or more, unless the largest gets 10^6. */
static size_t prefix_for(struct range r, double scale)
{
    if (r.largest == 0)
        return NO_PREFIX;
    size_t best = 0;
    for (size_t i = 1; i < PREFIXES; i++) {
        double smallest = r.smallest * scale / prefixes[i].factor;
        double largest = r.largest * scale / prefixes[best].factor;
        if (smallest >= 1 - 1e-9 || largest >= 1e6)
            best = i;
    }
    return best;
}

static size_t column_named(const struct table *t, const char *name, size_t otherwise)
{
    for (size_t k = 0; name && k < t->column_count; k++) {
        if (strcmp(t->columns[k].name, name) == 0)
            return k;
    }
    return otherwise;
}

/* Negative where zeros follow the point. */
static int digits_before_point(double value)
{
    /* The hair keeps 1000 nJ, which is 0.99999... uJ in binary, from a decimal more. */
    return (int)floor(log10(value) + 1e-9) + 1;
}

static struct scaling scaling_of(const struct table *t, size_t index)
{
    const struct column *c = &t->columns[index];
    struct scaling s = {.factor = 1, .prefix = ""};
    if (c->unit) {
        size_t leader = column_named(t, c->prefix_of, index);
        const struct prefix *p =
            &prefixes[prefix_for(range_of(t, leader), t->columns[leader].scale)];
        s.factor = c->scale / p->factor;
        s.prefix = p->text;
    }
    struct range r = range_of(t, index);
    int digits = c->digits ? c->digits : TABLE_DIGITS;
    if (r.largest > r.smallest * WIDE_RANGE) {
        s.digits = digits;
    } else if (r.largest > 0) {
        int decimals = digits - digits_before_point(r.smallest * s.factor);
        s.decimals = decimals > 0 ? decimals : 0;
    }
    return s;
}

static void add_number(struct str *out, double value, const struct scaling *s)
{
    value *= s->factor;
    /* %g would give an exponent to what has more digits before the point than are significant. */
    if (s->digits == 0 || fabs(value) >= pow(10, s->digits))
        str_addf(out, "%.*f", s->decimals, value);
    else
        str_addf(out, "%.*g", s->digits, value);
}

static char *print_cell(const struct column *column, const struct scaling *s, const struct cell *c)
{
    struct str out;
    str_init(&out);
    switch (c->kind) {
    case CELL_ABSENT: str_add(&out, column->absent ? column->absent : "-"); break;
    case CELL_TEXT: utf8_add_plain(&out, c->as.text); break;
    case CELL_BOOL:
        if (c->as.truth)
            str_add(&out, column->yes ? column->yes : "yes");
        else
            str_add(&out, column->no ? column->no : "no");
        break;
    case CELL_INTEGER:
        if (column->unit)
            add_number(&out, (double)c->as.integer, s);
        else
            str_addf(&out, "%lld", (long long)c->as.integer);
        break;
    case CELL_REAL: add_number(&out, c->as.real, s); break;
    }
    char *text = str_take(&out);
    str_free(&out);
    return text;
}

static bool wanted(const struct table *t, size_t index)
{
    const struct column *c = &t->columns[index];
    if (c->shown == 0)
        return false;
    bool wanted_empty = c->absent != NULL || t->line_count == 0;
    for (size_t i = 0; i < t->line_count && !wanted_empty; i++)
        wanted_empty = t->lines[i].cells[index].kind != CELL_ABSENT;
    return wanted_empty;
}

static void print_column(struct printed *p, const struct table *t)
{
    struct scaling s = scaling_of(t, p->index);
    const char *heading = p->column->heading ? p->column->heading : p->column->name;
    p->heading = p->column->unit ? uj_format("%s (%s%s)", heading, s.prefix, p->column->unit)
                                 : uj_strdup(heading);
    p->texts = uj_calloc(t->line_count, sizeof *p->texts);
    for (size_t i = 0; i < t->line_count; i++) {
        double value;
        const struct cell *c = &t->lines[i].cells[p->index];
        p->texts[i] = print_cell(p->column, &s, c);
        p->right = p->right || number(&value, c);
    }
}

static int by_place(const void *a, const void *b)
{
    const struct printed *x = a, *y = b;
    if (x->column->shown != y->column->shown)
        return x->column->shown < y->column->shown ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* The columns to print, in order; free with free_printed(). */
static struct printed *print_columns(size_t *count, const struct table *t)
{
    struct printed *all = uj_calloc(t->column_count, sizeof *all);
    *count = 0;
    for (size_t k = 0; k < t->column_count; k++) {
        if (wanted(t, k))
            all[(*count)++] = (struct printed){.column = &t->columns[k], .index = k};
    }
    qsort(all, *count, sizeof *all, by_place);
    for (size_t k = 0; k < *count; k++)
        print_column(&all[k], t);
    return all;
}

static void free_printed(struct printed *all, size_t count, const struct table *t)
{
    for (size_t k = 0; k < count; k++) {
        for (size_t i = 0; i < t->line_count; i++)
            free(all[k].texts[i]);
        free(all[k].texts);
        free(all[k].heading);
    }
    free(all);
}

static void add_padded(struct str *out, const char *text, size_t width, bool right)
{
    int blanks = (int)(width - utf8_length(text));
    str_addf(out, "%*s%s%*s", right ? blanks : 0, "", text, right ? 0 : blanks, "");
}

static size_t width_of(const struct printed *p, size_t rows)
{
    size_t width = utf8_length(p->heading);
    for (size_t i = 0; i < rows; i++) {
        size_t length = utf8_length(p->texts[i]);
        width = length > width ? length : width;
    }
    return width;
}

static void add_line(struct str *out, const struct printed *all, const size_t *widths, size_t count,
                     size_t row, bool heading)
{
    for (size_t k = 0; k < count; k++) {
        if (k)
            str_addf(out, "%*s", GAP, "");
        add_padded(out, heading ? all[k].heading : all[k].texts[row], widths[k], all[k].right);
    }
    while (out->length && out->text[out->length - 1] == ' ')
        out->text[--out->length] = '\0';
}

void table_write_text(struct str *out, const struct table *t, const struct table_style *style)
{
    size_t count;
    struct printed *all = print_columns(&count, t);
    size_t *widths = uj_calloc(count, sizeof *widths);
    for (size_t k = 0; k < count; k++)
        widths[k] = width_of(&all[k], t->line_count);
    add_line(out, all, widths, count, 0, true);
    str_add(out, "\n");
    for (size_t i = 0; i < t->line_count; i++) {
        bool red = style->colour && t->lines[i].marked;
        str_add(out, red ? "\033[31m" : "");
        add_line(out, all, widths, count, i, false);
        str_add(out, red ? "\033[0m\n" : "\n");
    }
    for (size_t i = 0; i < t->note_count; i++) {
        utf8_add_plain(out, t->notes[i]);
        str_add(out, "\n");
    }
    free(widths);
    free_printed(all, count, t);
}

/* What would be markup in a cell. */
static void add_md(struct str *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '<')
            str_add(out, "&lt;");
        else if (strchr("|\\`*_", *text))
            str_addf(out, "\\%c", *text);
        else
            str_add_bytes(out, text, 1);
    }
}

void table_write_md(struct str *out, const struct table *t, const struct table_style *style)
{
    (void)style;
    size_t count;
    struct printed *all = print_columns(&count, t);
    for (size_t k = 0; k < count; k++) {
        str_add(out, k ? " | " : "| ");
        add_md(out, all[k].heading);
    }
    str_add(out, " |\n|");
    for (size_t k = 0; k < count; k++)
        str_add(out, all[k].right ? "---:|" : "---|");
    for (size_t i = 0; i < t->line_count; i++) {
        str_add(out, "\n");
        for (size_t k = 0; k < count; k++) {
            str_add(out, k ? " | " : "| ");
            add_md(out, all[k].texts[i]);
        }
        str_add(out, " |");
    }
    str_add(out, "\n");
    for (size_t i = 0; i < t->note_count; i++) {
        str_add(out, "\n");
        struct str plain;
        str_init(&plain);
        utf8_add_plain(&plain, t->notes[i]);
        add_md(out, plain.text);
        str_free(&plain);
        str_add(out, "\n");
    }
    free_printed(all, count, t);
}
