/* ujoule show: stored results. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "report/rank.h"
#include "report/report.h"
#include "store/store.h"

enum option_key { KEY_DB = 256, KEY_FAILED, KEY_HISTORY };

enum { MESSAGE_MAX_BYTES = 1 << 30 };

struct arguments {
    struct uj_ctx ctx;
    struct cli_list boards, algorithms, implementations, columns;
    struct cli_integers sizes;
    const char *db, *output;
    const struct table_format *format;
    bool failed, history, rank;
};

static const struct argp_option options[] = {
    {"device", 'd', "BOARD,..", 0, "of these boards", 0},
    {"algorithm", 'a', "ALGORITHM,..", 0, "of these algorithms", 0},
    {"implementation", 'i', "IMPLEMENTATION,..", 0, "of these implementations", 0},
    {"bytes", 'n', "BYTES,..", 0, "of these message sizes", 0},
    {"failed", KEY_FAILED, 0, 0, "only failed ones", 0},
    {"history", KEY_HISTORY, 0, 0, "also those that were measured again later", 0},
    {"rank", 'r', 0, 0, "by E-RANK, the best first, instead of by age", 0},
    {"columns", 'c', "NAME,..", 0, "columns of table and md, as in 'ujoule list columns'", 0},
    {"db", KEY_DB, "FILE", 0, "results database (" STORE_DEFAULT_PATH ")", 0},
    {"format", 'f', "FORMAT", 0, "table, csv, json or md (table)", 0},
    {"output", 'o', "FILE", 0, "where to write (standard output)", 0},
    {0},
};

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct arguments *a = state->input;
    switch (key) {
    case 'd': return cli_refused(cli_split(&a->ctx, &a->boards, "-d", value));
    case 'a': return cli_refused(cli_split(&a->ctx, &a->algorithms, "-a", value));
    case 'i': return cli_refused(cli_split(&a->ctx, &a->implementations, "-i", value));
    case 'c': return cli_refused(cli_split(&a->ctx, &a->columns, "-c", value));
    case 'n':
        return cli_refused(
            cli_integers_split(&a->ctx, &a->sizes, "-n", value, 0, MESSAGE_MAX_BYTES));
    case 'f': return cli_refused(table_format_named(&a->ctx, &a->format, value));
    case 'o': a->output = value; return 0;
    case 'r': a->rank = true; return 0;
    case KEY_DB: a->db = value; return 0;
    case KEY_FAILED: a->failed = true; return 0;
    case KEY_HISTORY: a->history = true; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {options, parse, NULL, "Shows stored results.", NULL, NULL, NULL};

static struct store_list store_list(const struct cli_list *l)
{
    return (struct store_list){.items = l->items, .count = l->count};
}

static enum uj_err print(struct arguments *a, const struct measurement_list *list)
{
    const struct measurement **rows = uj_calloc(list->count, sizeof(void *));
    const struct measurement **ordered = uj_calloc(list->count, sizeof(void *));
    size_t *order = uj_calloc(list->count, sizeof *order);
    for (size_t i = 0; i < list->count; i++) {
        rows[i] = &list->items[i];
        order[i] = i;
    }
    if (a->rank)
        rank_order(order, rows, list->count);
    for (size_t i = 0; i < list->count; i++)
        ordered[i] = rows[order[i]];

    struct report_options columns = {.columns = a->columns.items, .column_count = a->columns.count};
    struct table *table = NULL;
    enum uj_err err = report_measurements(&a->ctx, &table, ordered, list->count, &columns);
    if (err == UJ_OK)
        err = cli_output_table(&a->ctx, a->output, a->format, table);
    table_free(table);
    free(order);
    free(ordered);
    free(rows);
    return err;
}

static enum uj_err show(struct arguments *a)
{
    struct store_filter filter = {
        .boards = store_list(&a->boards),
        .algorithms = store_list(&a->algorithms),
        .implementations = store_list(&a->implementations),
        .message_bytes = a->sizes.items,
        .message_bytes_count = a->sizes.count,
        .failed = a->failed,
        .history = a->history,
    };
    struct store *store = NULL;
    struct measurement_list list = {0};
    enum uj_err err = cli_output_check(&a->ctx, a->output);
    if (err == UJ_OK)
        err = store_open(&a->ctx, &store, a->db, STORE_READ);
    if (err == UJ_OK)
        err = store_read(&a->ctx, &list, store, &filter);
    if (err == UJ_OK)
        err = print(a, &list);
    measurement_list_free(&list);
    store_close(store);
    return err;
}

static int cmd_show(int argc, char **argv)
{
    struct arguments a = {.db = STORE_DEFAULT_PATH, .format = &table_formats[0]};
    if (cli_parse(&a.ctx, &argp, argc, argv, &a) == UJ_OK)
        (void)!show(&a);
    cli_list_free(&a.boards);
    cli_list_free(&a.algorithms);
    cli_list_free(&a.implementations);
    cli_list_free(&a.columns);
    cli_integers_free(&a.sizes);
    return cli_finish(&a.ctx);
}

const struct command command_show = {"show", "print stored results", cmd_show};
