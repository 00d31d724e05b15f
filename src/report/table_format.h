/* What the writers of tables share; for report/table*.c alone. */
#ifndef UJ_REPORT_TABLE_FORMAT_H
#define UJ_REPORT_TABLE_FORMAT_H

#include "report/table.h"

struct table_line {
    struct cell *cells;
    bool marked;
};

struct table {
    const struct column *columns; /* copied; their texts are not */
    size_t column_count;
    struct table_line *lines;
    size_t line_count, line_capacity;
    char **notes;
    size_t note_count;
};

void table_write_text(struct str *out, const struct table *t, const struct table_style *style);
void table_write_md(struct str *out, const struct table *t, const struct table_style *style);
void table_write_csv(struct str *out, const struct table *t, const struct table_style *style);
void table_write_json(struct str *out, const struct table *t, const struct table_style *style);

#endif
