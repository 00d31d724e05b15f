#include "report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/measurement_fields.h"
#include "base/unknown.h"
#include "report/rank.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Stands behind the fields; people see it beside e_rank. */
static const char rank_name[] = "rank";

static const char *const usual_columns[] = {
    "board",         "algorithm", "implementation",  "message_bytes", "verified",
    "cycles",        "time_ns",   "cycles_per_byte", "energy_nj",     "energy_spread_nj",
    "energy_method", "period_ns", "cpu_share",       "power_cpu_mw",  "power_lpm_mw",
    "power_mw",      "rom_bytes", "ram_bytes",       "stack_bytes",   "e_rank",
    rank_name,       "error",
};

/* Before E-RANK, where they are asked for. */
static const char *const image_columns[] = {
    "image_rom_bytes",          "image_rom_increase_bytes",  "image_rom_increase_percent",
    "image_data_bytes",         "image_data_increase_bytes", "image_bss_bytes",
    "image_bss_increase_bytes",
};

static struct column column_of_field(const struct measurement_field *f)
{
    struct column c = {
        .name = f->name,
        .heading = f->heading,
        .unit = f->unit,
        .scale = f->scale,
        .digits = f->digits,
        .prefix_of = f->prefix_of,
    };
    if (f->kind == FIELD_VERIFIED) {
        c.no = "NO";
        c.absent = "unverified";
    }
    return c;
}

static struct column *all_columns(size_t *count)
{
    *count = measurement_field_count + 1;
    struct column *columns = uj_calloc(*count, sizeof *columns);
    for (size_t k = 0; k < measurement_field_count; k++)
        columns[k] = column_of_field(&measurement_fields[k]);
    columns[measurement_field_count] = (struct column){.name = rank_name, .people_only = true};
    return columns;
}

static enum uj_err no_column(struct uj_ctx *ctx, const char *name, const struct column *columns,
                             size_t count)
{
    const char **names = uj_calloc(count, sizeof *names);
    for (size_t k = 0; k < count; k++)
        names[k] = columns[k].name;
    enum uj_err err = uj_fail_unknown(ctx, UJ_ERR_USAGE, "column", name, names, count);
    free(names);
    return err;
}

static enum uj_err choose(struct uj_ctx *ctx, struct column *columns, size_t count,
                          const char *const *names, size_t name_count)
{
    for (size_t i = 0; i < name_count; i++) {
        size_t k = 0;
        while (k < count && strcmp(columns[k].name, names[i]) != 0)
            k++;
        if (k == count)
            return no_column(ctx, names[i], columns, count);
        columns[k].shown = (unsigned)i + 1;
    }
    return UJ_OK;
}

static void set_cell(struct table *t, size_t column, const struct measurement *m,
                     const struct measurement_field *f)
{
    const void *value = field_value(m, f);
    switch (f->kind) {
    case FIELD_TEXT: table_text(t, column, *(char *const *)value); break;
    case FIELD_INTEGER:
        if (*(const int64_t *)value >= 0)
            table_integer(t, column, *(const int64_t *)value);
        break;
    case FIELD_REAL: table_real(t, column, *(const double *)value); break;
    case FIELD_VERIFIED:
        if (m->verified != MEASURED_UNVERIFIED)
            table_bool(t, column, m->verified == MEASURED_YES);
        break;
    case FIELD_UNVERIFIED: table_bool(t, column, m->verified == MEASURED_UNVERIFIED); break;
    }
}

static void add_notes(struct table *t, const struct measurement *m)
{
    const char *board = m->board ? m->board : "?";
    if (m->compiler)
        table_note(t, "%s: %s %s", board, m->compiler, m->flags ? m->flags : "");
    if (isnan(m->energy_nj) && m->energy_reason)
        table_note(t, "%s: no energy: %s", board, m->energy_reason);
}

static void fill(struct table *t, const struct measurement *const *rows, size_t count)
{
    struct rank *ranks = uj_calloc(count, sizeof *ranks);
    rank_measurements(ranks, rows, count);
    bool tie = false;
    for (size_t i = 0; i < count; i++) {
        table_row(t);
        for (size_t k = 0; k < measurement_field_count; k++)
            set_cell(t, k, rows[i], &measurement_fields[k]);
        char place[32];
        if (ranks[i].place > 0)
            table_text(t, measurement_field_count, rank_text(place, sizeof place, &ranks[i]));
        tie = tie || ranks[i].tie;
        if (rows[i]->error || rows[i]->verified == MEASURED_NO)
            table_mark(t);
        add_notes(t, rows[i]);
    }
    if (tie)
        table_note(t, "rank: '=' marks those whose spreads overlap, a tie");
    free(ranks);
}

static size_t add_image_columns(const char **names)
{
    size_t count = 0;
    for (size_t i = 0; i < COUNT(usual_columns); i++) {
        for (size_t k = 0; strcmp(usual_columns[i], "e_rank") == 0 && k < COUNT(image_columns); k++)
            names[count++] = image_columns[k];
        names[count++] = usual_columns[i];
    }
    return count;
}

enum uj_err report_measurements(struct uj_ctx *ctx, struct table **out,
                                const struct measurement *const *rows, size_t count,
                                const struct report_options *options)
{
    size_t column_count;
    struct column *columns = all_columns(&column_count);
    const char *const *shown = usual_columns;
    size_t shown_count = COUNT(usual_columns);
    const char *with_images[COUNT(usual_columns) + COUNT(image_columns)];
    if (options && options->columns) {
        shown = (const char *const *)options->columns;
        shown_count = options->column_count;
    } else if (options && options->images) {
        shown_count = add_image_columns(with_images);
        shown = with_images;
    }
    enum uj_err err = choose(ctx, columns, column_count, shown, shown_count);
    if (err == UJ_OK) {
        *out = table_new(columns, column_count);
        fill(*out, rows, count);
    }
    free(columns);
    return err;
}
