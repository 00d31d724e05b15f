/* ujoule bench: build, check, measure, price, store, print. */
#include <stdlib.h>

#include "cli/bench_matrix.h"
#include "cli/bench_period.h"
#include "cli/cli.h"
#include "report/report.h"

enum option_key {
    KEY_SEED = 256,
    KEY_CC,
    KEY_FLAGS,
    KEY_DB,
    KEY_AS,
    KEY_KAT,
    KEY_UNVERIFIED,
    KEY_AGAIN,
    KEY_CURRENTS,
    KEY_CYCLES,
    KEY_OUT,
    KEY_FROM,
    KEY_PERIOD,
    KEY_BASELINE,
};

enum { MESSAGE_MAX_BYTES = 1 << 20, OUTPUT_MAX_BYTES = 1024, RUNS_MAX = 1000, JOBS_MAX = 64 };

struct arguments {
    struct uj_ctx ctx;
    struct cli_list boards, algorithms, implementations;
    struct cli_integers sizes;
    struct bench_request request;
    const char *db, *output;
    const struct table_format *format;
};

static const struct argp_option options[] = {
    {"device", 'd', "BOARD,..", 0, "boards to measure on (cw-xmega)", 0},
    {"algorithm", 'a', "ALGORITHM,..", 0, "algorithms (all)", 0},
    {"implementation", 'i', "IMPLEMENTATION,..", 0,
     "implementations (all), or a folder of your own, ./FOLDER", 0},
    {"bytes", 'n', "BYTES,..", 0, "message sizes (16,64,1024)", 0},
    {"from", KEY_FROM, "MEMORY", 0,
     "sram or flash: where code runs from, on chips that can do both", 2},
    {"out", KEY_OUT, "BYTES", 0, "output of every extendable function (its usual length)", 0},
    {"runs", 'r', "RUNS", 0, "runs with different messages (1)", 0},
    {"jobs", 'j', "JOBS", 0, "measurements at a time (one a processor)", 0},
    {"seed", KEY_SEED, "N", 0, "of the messages (1)", 0},
    {"cc", KEY_CC, "CC", 0, "the compiler (the toolchain's own)", 0},
    {"flags", KEY_FLAGS, "FLAGS", 0, "of the implementation's compilation (-Os)", 0},
    {"db", KEY_DB, "FILE", 0, "results database (ujoule.db)", 0},
    {"format", 'f', "FORMAT", 0, "table, csv, json or md (table)", 0},
    {"output", 'o', "FILE", 0, "where to write (standard output)", 0},
    {"as", KEY_AS, "ALGORITHM", 0, "what the folder of your own must compute", 1},
    {"kat", KEY_KAT, "FILE", 0, "its known answers: LWC_HASH_KAT or CAVP .rsp", 1},
    {"unverified", KEY_UNVERIFIED, 0, 0, "measure it unchecked, and mark it so", 1},
    {"again", KEY_AGAIN, 0, 0, "measure also what is stored already", 2},
    {"currents", KEY_CURRENTS, "SET", 0, "a set of the device file's currents", 2},
    {"baseline", KEY_BASELINE, 0, 0,
     "also whole images, and their increase over the firmware without the implementation", 2},
    {"period", KEY_PERIOD, "TIME", 0,
     "also the average power of one operation each TIME, 1ms to 1 day (86400s), asleep for the "
     "rest",
     2},
    {"cycles", KEY_CYCLES, "N", 0, "cycles after which an operation counts as hung", 2},
    {0},
};

static error_t take_memory(struct arguments *a, const char *value)
{
    static const char *const memories[] = {"sram", "flash"};
    size_t index;
    enum uj_err err = cli_word(&a->ctx, &index, "memory", value, memories, 2);
    if (!err)
        a->request.from = memories[index];
    return cli_refused(err);
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct arguments *a = state->input;
    int64_t number = 0;
    enum uj_err err = UJ_OK;
    switch (key) {
    case 'd': return cli_refused(cli_split(&a->ctx, &a->boards, "-d", value));
    case 'a': return cli_refused(cli_split(&a->ctx, &a->algorithms, "-a", value));
    case 'i': return cli_refused(cli_split(&a->ctx, &a->implementations, "-i", value));
    case 'n':
        return cli_refused(
            cli_integers_split(&a->ctx, &a->sizes, "-n", value, 0, MESSAGE_MAX_BYTES));
    case 'f': return cli_refused(table_format_named(&a->ctx, &a->format, value));
    case 'r':
        err = cli_integer(&a->ctx, &number, "-r", value, 1, RUNS_MAX);
        a->request.runs = (unsigned)number;
        return cli_refused(err);
    case 'j':
        err = cli_integer(&a->ctx, &number, "-j", value, 1, JOBS_MAX);
        a->request.jobs = (unsigned)number;
        return cli_refused(err);
    case KEY_FROM: return take_memory(a, value);
    case KEY_OUT:
        return cli_refused(
            cli_integer(&a->ctx, &a->request.output_bytes, "--out", value, 1, OUTPUT_MAX_BYTES));
    case KEY_SEED:
        err = cli_integer(&a->ctx, &number, "--seed", value, 0, UINT32_MAX);
        a->request.seed = (uint32_t)number;
        return cli_refused(err);
    case KEY_CYCLES:
        err = cli_integer(&a->ctx, &number, "--cycles", value, 1, INT64_C(1) << 50);
        a->request.cycle_limit = (uint64_t)number;
        return cli_refused(err);
    case KEY_BASELINE: a->request.baseline = true; return 0;
    case KEY_PERIOD: return cli_refused(bench_period_parse(&a->ctx, &a->request.period_s, value));
    case KEY_CC: a->request.cc = value; return 0;
    case KEY_FLAGS: a->request.flags = value; return 0;
    case KEY_AS: a->request.as = value; return 0;
    case KEY_KAT: a->request.kat = value; return 0;
    case KEY_UNVERIFIED: a->request.unverified = true; return 0;
    case KEY_AGAIN: a->request.again = true; return 0;
    case KEY_CURRENTS: a->request.currents = value; return 0;
    case KEY_DB: a->db = value; return 0;
    case 'o': a->output = value; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options, parse, NULL, "Measures hash implementations on simulated boards.", NULL, NULL, NULL};

static enum uj_err print(struct arguments *a, const struct bench_matrix *matrix, bool *failed)
{
    struct uj_ctx *ctx = &a->ctx;
    size_t count = bench_matrix_count(matrix);
    const struct measurement **rows = uj_calloc(count, sizeof *rows);
    for (size_t k = 0; k < count; k++) {
        rows[k] = bench_matrix_result(matrix, k);
        *failed = *failed || rows[k]->error;
    }
    const struct report_options shown = {.images = a->request.baseline};
    struct table *table;
    enum uj_err err = report_measurements(ctx, &table, rows, count, &shown);
    if (!err) {
        err = cli_output_table(ctx, a->output, a->format, table);
        table_free(table);
    }
    free(rows);
    return err;
}

static enum uj_err bench(struct arguments *a, bool *failed)
{
    struct uj_ctx *ctx = &a->ctx;
    struct bench_matrix *matrix = NULL;
    struct store *store = NULL;
    struct bench_request *r = &a->request;
    r->boards = a->boards.items;
    r->board_count = a->boards.count;
    r->algorithms = a->algorithms.items;
    r->algorithm_count = a->algorithms.count;
    r->implementations = a->implementations.items;
    r->implementation_count = a->implementations.count;
    r->sizes = a->sizes.items;
    r->size_count = a->sizes.count;

    enum uj_err err = cli_output_check(ctx, a->output);
    if (!err)
        err = bench_matrix_plan(ctx, &matrix, r);
    if (!err)
        err = store_open(ctx, &store, a->db, STORE_WRITE);
    if (!err)
        err = bench_matrix_run(ctx, matrix, store);
    if (!err)
        err = print(a, matrix, failed);
    store_close(store);
    bench_matrix_free(matrix);
    return err;
}

static int cmd_bench(int argc, char **argv)
{
    struct arguments a = {
        .request = {.seed = 1}, .db = STORE_DEFAULT_PATH, .format = &table_formats[0]};
    bool failed = false;
    if (cli_parse(&a.ctx, &argp, argc, argv, &a) == UJ_OK)
        (void)!bench(&a, &failed);
    cli_list_free(&a.boards);
    cli_list_free(&a.algorithms);
    cli_list_free(&a.implementations);
    cli_integers_free(&a.sizes);
    int code = cli_finish(&a.ctx);
    return code ? code : failed;
}

const struct command command_bench = {
    "bench", "measure implementations on boards: cycles, bytes, joules", cmd_bench};
