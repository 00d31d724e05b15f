/* ujoule energy: a recorded power trace to joules. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/folder.h"
#include "base/quantity.h"
#include "cli/cli.h"
#include "cli/energy_table.h"
#include "sim/board.h"

enum option_key {
    KEY_SAMPLE_RATE = 256,
    KEY_GAIN,
    KEY_VREF,
    KEY_SHUNT,
    KEY_SUPPLY,
    KEY_CLOCK,
    KEY_CYCLES,
    KEY_PER_CYCLE,
    KEY_METHOD,
    KEY_COUPLING,
    KEY_VALUES,
    KEY_BITS,
    KEY_ZERO,
    KEY_SAMPLES,
    KEY_SPREAD,
    KEY_SET,
    KEY_TIME,
    KEY_ROWS,
};

struct arguments {
    struct uj_ctx ctx;
    const char *path, *board, *set, *output;
    const struct table_format *format;
    struct trace_options file;
    struct energy_recorded given; /* by options; the rest absent */
    const char *method, *coupling, *values;
};

static const struct argp_option options[] = {
    {"device", 'd', "BOARD", 0, "take what no option gives from this board's file", 0},
    {"set", KEY_SET, "NAME", 0, "one of the board's trace sets", 0},
    {"sample-rate", KEY_SAMPLE_RATE, "HZ", 0, "of the trace, as in '29.5 MHz'", 0},
    {"gain", KEY_GAIN, "GAIN", 0, "from shunt to converter: '22dB', or a factor", 0},
    {"vref", KEY_VREF, "V", 0, "the converter's full scale", 0},
    {"shunt", KEY_SHUNT, "OHM", 0, "the shunt", 0},
    {"supply", KEY_SUPPLY, "V", 0, "the supply's voltage", 0},
    {"clock", KEY_CLOCK, "HZ", 0, "the core's clock", 0},
    {"cycles", KEY_CYCLES, "N", 0, "of the operation; without, the trace's own length", 0},
    {"samples-per-cycle", KEY_PER_CYCLE, "X", 0, "in place of the sample rate", 0},
    {"method", KEY_METHOD, "METHOD", 0, "mean or rms of the samples (mean)", 0},
    {"coupling", KEY_COUPLING, "KIND", 0, "of the recorder: dc or ac", 0},
    {"values", KEY_VALUES, "KIND", 0,
     "what the numbers are: raw (-0.5 to 0.5), codes, volts (at the shunt) or amps; without, codes "
     "for integers of a .npy and else raw",
     0},
    {"bits", KEY_BITS, "N", 0, "of the converter, for codes", 0},
    {"zero", KEY_ZERO, "CODE", 0, "the code of 0 V; without, the middle for unsigned, 0 for signed",
     0},
    {"samples", KEY_SAMPLES, "N", 0, "take only the first N of each trace", 0},
    {"spread", KEY_SPREAD, "R", 0, "uncertainty of shunt, gain and reference, as in '5 %'", 0},
    {"time-column", KEY_TIME, "COLUMN", 0, "of a CSV: its heading or number, or 'none'", 0},
    {"rows", KEY_ROWS, 0, 0, "every row of the CSV is a trace, not every column", 0},
    {"format", 'f', "FORMAT", 0, "table, csv, json or md (table)", 0},
    {"output", 'o', "FILE", 0, "where to write (standard output)", 0},
    {0},
};

/* A quantity above zero; the unit may be left out. */
static error_t read_quantity(struct arguments *a, double *out, const char *option, const char *text,
                             const char *unit)
{
    if ((!quantity_parse(out, text, unit) && !quantity_parse(out, text, "")) || strchr(text, '%') ||
        !(*out > 0))
        return cli_refused(uj_fail(&a->ctx, UJ_ERR_USAGE, "%s: '%s' is no quantity in %s above 0",
                                   option, text, unit));
    return 0;
}

static error_t parse_number(struct arguments *a, int key, const char *value)
{
    struct energy_recorded *g = &a->given;
    int64_t integer = 0;
    enum uj_err err = UJ_OK;
    switch (key) {
    case KEY_GAIN:
        if (!energy_gain_parse(&g->probe.gain, value))
            err = uj_fail(&a->ctx, UJ_ERR_USAGE,
                          "--gain: '%s' is no gain; write '22dB' or a factor", value);
        return cli_refused(err);
    case KEY_SPREAD:
        if (!quantity_parse(&g->probe.spread, value, "") || !(g->probe.spread >= 0))
            err = uj_fail(&a->ctx, UJ_ERR_USAGE, "--spread: '%s' is no uncertainty; write '5 %%'",
                          value);
        return cli_refused(err);
    case KEY_CYCLES:
        err = cli_integer(&a->ctx, &integer, "--cycles", value, 1, INT64_C(1) << 50);
        g->cycles = (double)integer;
        return cli_refused(err);
    case KEY_PER_CYCLE:
        err = cli_real(&a->ctx, &g->cycles_per_sample, "--samples-per-cycle", value, 1e-9, 1e9);
        g->cycles_per_sample = 1 / g->cycles_per_sample;
        return cli_refused(err);
    case KEY_BITS:
        err = cli_integer(&a->ctx, &integer, "--bits", value, 1, 32);
        g->probe.bits = (unsigned)integer;
        return cli_refused(err);
    case KEY_ZERO: return cli_refused(cli_real(&a->ctx, &g->zero, "--zero", value, -1e10, 1e10));
    case KEY_SAMPLES:
        err = cli_integer(&a->ctx, &integer, "--samples", value, 1, INT64_C(1) << 50);
        g->probe.samples = (uint64_t)integer;
        return cli_refused(err);
    default: return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct arguments *a = state->input;
    struct energy_recorded *g = &a->given;
    switch (key) {
    case 'd': a->board = value; return 0;
    case 'o': a->output = value; return 0;
    case 'f': return cli_refused(table_format_named(&a->ctx, &a->format, value));
    case KEY_SET: a->set = value; return 0;
    case KEY_TIME: a->file.time_column = value; return 0;
    case KEY_ROWS: a->file.rows = true; return 0;
    case KEY_METHOD: a->method = value; return 0;
    case KEY_COUPLING: a->coupling = value; return 0;
    case KEY_VALUES: a->values = value; return 0;
    case KEY_SAMPLE_RATE:
        return read_quantity(a, &g->probe.sample_hz, "--sample-rate", value, "Hz");
    case KEY_VREF: return read_quantity(a, &g->probe.vref_v, "--vref", value, "V");
    case KEY_SHUNT: return read_quantity(a, &g->probe.shunt_ohm, "--shunt", value, "ohm");
    case KEY_SUPPLY: return read_quantity(a, &g->supply_v, "--supply", value, "V");
    case KEY_CLOCK: return read_quantity(a, &g->clock_hz, "--clock", value, "Hz");
    case ARGP_KEY_ARG:
        if (a->path)
            return cli_refused(
                uj_fail(&a->ctx, UJ_ERR_USAGE, "%s: one trace file at a time; remove it", value));
        a->path = value;
        return 0;
    default: return parse_number(a, key, value);
    }
}

static const struct argp argp = {
    options, parse, "TRACE", "Turns a recorded power trace (CSV, or .npy) into joules.",
    NULL,    NULL,  NULL};

/* The clock of a board whose file names a single one; else none. */
static double only_clock(const struct board *board)
{
    const struct yaml_node *clocks = yaml_get(board->board_map, "clocks");
    const struct yaml_node *hz = NULL;
    if (clocks && clocks->kind == YAML_MAP && clocks->count == 1)
        hz = yaml_get(&clocks->items[0], "hz");
    double value;
    return hz && hz->kind == YAML_TEXT && quantity_parse(&value, hz->text, "Hz") ? value : NAN;
}

/* Fills `r`: the board's figures, the file's own, and the options over them. */
static enum uj_err gather(struct arguments *a, struct energy_recorded *r, const struct board *board,
                          const struct trace_file *f)
{
    static const char *const methods[] = {"mean", "rms"}, *const couplings[] = {"dc", "ac"};
    static const char *const kinds[] = {"raw", "codes", "volts", "amps"};
    const struct energy_recorded *g = &a->given;
    size_t index = 0;
    enum uj_err err = UJ_OK;
    energy_recorded_init(r);
    if (board) {
        err = energy_probe_read(&a->ctx, &r->probe, board->board_map, a->set);
        r->supply_v = board->supply_v;
        r->clock_hz = only_clock(board);
    } else if (a->set) {
        err = uj_fail(&a->ctx, UJ_ERR_USAGE, "--set %s: of which board? give -d", a->set);
    }
    if (err)
        return err;

    double step_s;
    if (trace_file_time(f, &step_s) && !isnan(step_s))
        r->probe.sample_hz = 1 / step_s;
    const struct {
        double *to;
        double given;
    } numbers[] = {
        {&r->probe.sample_hz, g->probe.sample_hz},
        {&r->probe.gain, g->probe.gain},
        {&r->probe.vref_v, g->probe.vref_v},
        {&r->probe.shunt_ohm, g->probe.shunt_ohm},
        {&r->probe.spread, g->probe.spread},
        {&r->supply_v, g->supply_v},
        {&r->clock_hz, g->clock_hz},
        {&r->cycles, g->cycles},
        {&r->zero, g->zero},
        {&r->cycles_per_sample, g->cycles_per_sample},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (!isnan(numbers[i].given))
            *numbers[i].to = numbers[i].given;
    if (!isnan(g->probe.gain))
        r->probe.read_gain = NAN;
    if (!isnan(g->probe.shunt_ohm))
        r->probe.read_shunt_ohm = NAN;
    if (g->probe.bits)
        r->probe.bits = g->probe.bits;
    if (g->probe.samples)
        r->probe.samples = g->probe.samples;

    if (a->method) {
        err = cli_word(&a->ctx, &index, "method", a->method, methods, 2);
        r->probe.average = index ? ENERGY_RMS : ENERGY_MEAN;
    }
    if (!err && a->coupling) {
        err = cli_word(&a->ctx, &index, "coupling", a->coupling, couplings, 2);
        r->probe.coupling = index ? ENERGY_AC : ENERGY_DC;
    }
    enum trace_values in_file = trace_file_values(f);
    r->values = in_file == TRACE_REAL ? ENERGY_RAW : ENERGY_CODES;
    if (!err && a->values) {
        err = cli_word(&a->ctx, &index, "kind of values", a->values, kinds, 4);
        r->values = (enum energy_values)index;
    }
    if (r->values == ENERGY_CODES && isnan(r->zero) && in_file != TRACE_REAL)
        r->zero = in_file == TRACE_UNSIGNED ? ldexp(0.5, (int)r->probe.bits) : 0;
    return err;
}

static enum uj_err run(struct arguments *a)
{
    char *devices = NULL;
    struct board *board = NULL;
    struct trace_file *f = NULL;
    struct table *t = NULL;
    struct energy_recorded r;
    struct str missing;
    str_init(&missing);
    enum uj_err err = cli_output_check(&a->ctx, a->output);
    if (!err && !a->path)
        err = uj_fail(&a->ctx, UJ_ERR_USAGE, "which trace? name a .csv or .npy file");
    if (!err && a->board) {
        err = uj_folder(&a->ctx, &devices, "devices");
        if (!err)
            err = board_load(&a->ctx, &board, devices, a->board);
    }
    if (!err)
        err = trace_file_load(&a->ctx, &f, a->path, &a->file);
    if (!err)
        err = gather(a, &r, board, f);
    if (!err && energy_recorded_missing(&missing, &r) > 0)
        err = uj_fail(&a->ctx, UJ_ERR_USAGE, "%s: missing %s; give them, or a board by -d", a->path,
                      missing.text + 2);
    if (!err)
        err = energy_table(&a->ctx, &t, &r, f, a->path);
    if (!err)
        err = cli_output_table(&a->ctx, a->output, a->format, t);
    table_free(t);
    trace_file_free(f);
    board_free(board);
    free(devices);
    str_free(&missing);
    return err;
}

static int cmd_energy(int argc, char **argv)
{
    struct arguments a = {.format = &table_formats[0]};
    energy_recorded_init(&a.given);
    if (cli_parse(&a.ctx, &argp, argc, argv, &a) == UJ_OK)
        (void)!run(&a);
    return cli_finish(&a.ctx);
}

const struct command command_energy = {"energy", "turn a recorded power trace into joules",
                                       cmd_energy};
