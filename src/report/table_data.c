/* csv and json: every column, values as they are. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "report/table_format.h"

/* The shortest decimal text that reads back as the same double, and as a real ("2.0", not "2"). */
static void add_real(struct str *out, double value)
{
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        (void)snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    str_add(out, text);
    if (!strpbrk(text, ".e"))
        str_add(out, ".0");
}

static void add_csv_text(struct str *out, const char *text)
{
    if (text[0] != '\0' && !strpbrk(text, ",\"\r\n") && text[0] != ' ') {
        utf8_add(out, text);
        return;
    }
    struct str clean;
    str_init(&clean);
    utf8_add(&clean, text);
    str_add(out, "\"");
    for (const char *c = clean.text; *c; c++)
        str_add_bytes(out, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
    str_add(out, "\"");
    str_free(&clean);
}

static void add_json_text(struct str *out, const char *text)
{
    struct str clean;
    str_init(&clean);
    utf8_add(&clean, text);
    json_t *string = json_stringn(clean.text, clean.length);
    char *quoted = string ? json_dumps(string, JSON_ENCODE_ANY) : NULL;
    str_add(out, quoted ? quoted : "null");
    free(quoted);
    json_decref(string);
    str_free(&clean);
}

static void add_cell(struct str *out, const struct cell *c, const char *absent,
                     void (*add_text)(struct str *, const char *))
{
    switch (c->kind) {
    case CELL_ABSENT: str_add(out, absent); break;
    case CELL_TEXT: add_text(out, c->as.text); break;
    case CELL_INTEGER: str_addf(out, "%lld", (long long)c->as.integer); break;
    case CELL_REAL: add_real(out, c->as.real); break;
    case CELL_BOOL: str_add(out, c->as.truth ? "true" : "false"); break;
    }
}

void table_write_csv(struct str *out, const struct table *t, const struct table_style *style)
{
    (void)style;
    const char *comma = "";
    for (size_t k = 0; k < t->column_count; k++) {
        if (t->columns[k].people_only)
            continue;
        str_add(out, comma);
        add_csv_text(out, t->columns[k].name);
        comma = ",";
    }
    str_add(out, "\r\n");
    for (size_t i = 0; i < t->line_count; i++) {
        comma = "";
        for (size_t k = 0; k < t->column_count; k++) {
            if (t->columns[k].people_only)
                continue;
            str_add(out, comma);
            add_cell(out, &t->lines[i].cells[k], "", add_csv_text);
            comma = ",";
        }
        str_add(out, "\r\n");
    }
}

void table_write_json(struct str *out, const struct table *t, const struct table_style *style)
{
    (void)style;
    str_add(out, "[");
    for (size_t i = 0; i < t->line_count; i++) {
        str_add(out, i ? ",\n  {" : "\n  {");
        const char *comma = "";
        for (size_t k = 0; k < t->column_count; k++) {
            if (t->columns[k].people_only)
                continue;
            str_add(out, comma);
            add_json_text(out, t->columns[k].name);
            str_add(out, ": ");
            add_cell(out, &t->lines[i].cells[k], "null", add_json_text);
            comma = ", ";
        }
        str_add(out, "}");
    }
    str_add(out, t->line_count ? "\n]\n" : "]\n");
}
