/* The tables of a timed study. */
#include "cli/study_timed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "report/rank.h"

double timed_wrapped(const struct timed *t, double cycles)
{
    return fmod(cycles, ldexp(1, (int)t->method.timer_bits));
}

double timed_per_byte(const struct timed *t, double cycles)
{
    double value = cycles / (double)t->bytes;
    return t->method.integer_cycles_per_byte ? floor(value) : value;
}

/* One metric of one candidate in its four forms. */
struct figure {
    double published, method, truth, unwrapped;
};

enum metric { METRIC_CPB, METRIC_RAM, METRIC_ROM, METRIC_ENERGY, METRIC_E_RANK, METRIC_COUNT };

static const struct {
    const char *name, *unit;
    bool higher_is_better;
} metrics[METRIC_COUNT] = {
    [METRIC_CPB] = {"cpb", "cycles/B", false}, [METRIC_RAM] = {"ram", "B", false},
    [METRIC_ROM] = {"rom", "B", false},        [METRIC_ENERGY] = {"energy", "nJ", false},
    [METRIC_E_RANK] = {"e_rank", "1", true},
};

static double e_rank(double cpb, double rom, double ram, double nj)
{
    return 1e6 / cpb / ((rom + 2 * ram) * nj * 1e-3);
}

static double present(int64_t value)
{
    return value < 0 ? NAN : (double)value;
}

static void figures_of(struct figure out[METRIC_COUNT], const struct timed *t,
                       const struct candidate *c)
{
    const struct measurement *m = c->measured;
    for (int i = 0; i < METRIC_COUNT; i++)
        out[i].published = out[i].unwrapped =
            study_published(t->study, c->published, metrics[i].name);
    /* The paper prints two digits of its score; from its own inputs it has as many as they have. */
    out[METRIC_E_RANK].published = e_rank(out[METRIC_CPB].published, out[METRIC_ROM].published,
                                          out[METRIC_RAM].published, out[METRIC_ENERGY].published);

    double around = ldexp((double)c->wraps, (int)t->method.timer_bits) / (double)t->bytes;
    double stretch = (out[METRIC_CPB].published + around) / out[METRIC_CPB].published;
    out[METRIC_CPB].unwrapped *= stretch;
    out[METRIC_ENERGY].unwrapped *= stretch;
    out[METRIC_E_RANK].unwrapped = e_rank(out[METRIC_CPB].unwrapped, out[METRIC_ROM].published,
                                          out[METRIC_RAM].published, out[METRIC_ENERGY].unwrapped);

    double cycles = present(m->cycles), static_ram = present(m->data_bytes) + present(m->bss_bytes);
    out[METRIC_CPB].truth = m->cycles_per_byte;
    out[METRIC_CPB].method = timed_per_byte(t, timed_wrapped(t, cycles));
    out[METRIC_ROM].truth = out[METRIC_ROM].method = present(m->rom_bytes);
    out[METRIC_RAM].truth = present(m->ram_bytes);
    out[METRIC_RAM].method =
        t->method.stack_is_su ? static_ram + present(m->su_bytes) : present(m->ram_bytes);
    out[METRIC_ENERGY].truth = m->energy_nj;
    out[METRIC_ENERGY].method = c->method_nj;
    out[METRIC_E_RANK].truth = m->e_rank;
    out[METRIC_E_RANK].method = e_rank(out[METRIC_CPB].method, out[METRIC_ROM].method,
                                       out[METRIC_RAM].method, out[METRIC_ENERGY].method);
}

/* The tables */

struct table *timed_comparison(const struct timed *t)
{
    enum {
        METRIC,
        UNIT,
        ALGORITHM,
        PUBLISHED,
        METHOD,
        TRUTH,
        UNWRAPPED,
        RANK_PUBLISHED,
        RANK_METHOD,
        RANK_TRUTH,
        RANK_UNWRAPPED,
        COLUMNS
    };
    static const struct column columns[COLUMNS] = {
        [METRIC] = {.name = "metric", .shown = true},
        [UNIT] = {.name = "unit", .shown = true},
        [ALGORITHM] = {.name = "algorithm", .shown = true},
        [PUBLISHED] = {.name = "published", .shown = true, .digits = 5},
        [METHOD] = {.name = "as_published_method",
                    .heading = "as published method",
                    .shown = true,
                    .digits = 5},
        [TRUTH] = {.name = "true", .shown = true, .digits = 5},
        [UNWRAPPED] = {.name = "published_unwrapped",
                       .heading = "published, unwrapped",
                       .shown = true,
                       .digits = 5},
        [RANK_PUBLISHED] = {.name = "rank_published", .heading = "rank: published", .shown = true},
        [RANK_METHOD] = {.name = "rank_as_published_method", .heading = "method", .shown = true},
        [RANK_TRUTH] = {.name = "rank_true", .heading = "true", .shown = true},
        [RANK_UNWRAPPED] = {.name = "rank_published_unwrapped",
                            .heading = "unwrapped",
                            .shown = true},
    };
    struct figure figures[CANDIDATES_MAX][METRIC_COUNT];
    for (size_t i = 0; i < t->count; i++)
        figures_of(figures[i], t, &t->candidates[i]);

    struct table *table = table_new(columns, COLUMNS);
    for (int metric = 0; metric < METRIC_COUNT; metric++) {
        struct rank ranks[4][CANDIDATES_MAX];
        for (int form = 0; form < 4; form++) {
            double low[CANDIDATES_MAX], high[CANDIDATES_MAX];
            for (size_t i = 0; i < t->count; i++) {
                const struct figure *f = &figures[i][metric];
                const double forms[] = {f->published, f->method, f->truth, f->unwrapped};
                const struct measurement *m = t->candidates[i].measured;
                double spread = form == 2 && (metric == METRIC_ENERGY || metric == METRIC_E_RANK)
                                    ? m->energy_spread_nj / m->energy_nj * forms[form]
                                    : 0;
                double sign = metrics[metric].higher_is_better ? 1 : -1;
                low[i] = sign * forms[form] - (isnan(spread) ? 0 : spread);
                high[i] = sign * forms[form] + (isnan(spread) ? 0 : spread);
            }
            rank_values(ranks[form], low, high, t->count);
        }
        for (size_t i = 0; i < t->count; i++) {
            const struct figure *f = &figures[i][metric];
            char text[16];
            table_row(table);
            table_text(table, METRIC, metrics[metric].name);
            table_text(table, UNIT, metrics[metric].unit);
            table_text(table, ALGORITHM, t->candidates[i].algorithm);
            table_real(table, PUBLISHED, f->published);
            table_real(table, METHOD, f->method);
            table_real(table, TRUTH, f->truth);
            table_real(table, UNWRAPPED, f->unwrapped);
            for (size_t form = 0; form < 4; form++)
                table_text(table, RANK_PUBLISHED + form,
                           rank_text(text, sizeof text, &ranks[form][i]));
            if (t->candidates[i].measured->error)
                table_mark(table);
        }
    }
    for (size_t i = 0; i < t->count; i++)
        if (t->candidates[i].measured->error)
            table_note(table, "%s: %s", t->candidates[i].algorithm,
                       t->candidates[i].measured->error);
    table_note(
        table,
        "as published method: %lld-bit timer that wraps, %s cycles per byte, RAM with %s, energy "
        "from %s; e_rank published: from the published inputs",
        (long long)t->method.timer_bits, t->method.integer_cycles_per_byte ? "whole" : "exact",
        t->method.stack_is_su ? "the sum of the compiler's stack figures" : "the stack measured",
        t->method.trace_set ? "the wrapped count and the RMS of a few samples" : "the trace");
    table_note(table, "a rank with = is a tie: the spreads of the energy overlap");
    return table;
}

struct table *timed_traces(const struct timed *t)
{
    enum { ALGORITHM, COUPLING, AVERAGE, TRACE, SD, STATE, RATIO, COLUMNS };
    static const struct column columns[COLUMNS] = {
        [ALGORITHM] = {.name = "algorithm", .shown = true},
        [COUPLING] = {.name = "coupling", .shown = true},
        [AVERAGE] = {.name = "average", .shown = true},
        [TRACE] =
            {.name = "trace_nj", .heading = "trace", .unit = "J", .scale = 1e-9, .shown = true},
        [SD] = {.name = "sd_nj",
                .heading = "SD",
                .unit = "J",
                .scale = 1e-9,
                .shown = true,
                .digits = 2},
        [STATE] =
            {.name = "state_nj", .heading = "state", .unit = "J", .scale = 1e-9, .shown = true},
        [RATIO] = {.name = "ratio", .heading = "trace / state", .shown = true},
    };
    struct table *table = table_new(columns, COLUMNS);
    for (size_t i = 0; i < t->count; i++) {
        const struct candidate *c = &t->candidates[i];
        for (size_t k = 0; k < ENERGY_STUDY_ROWS && c->traces[k].state_nj > 0; k++) {
            const struct energy_study_row *row = &c->traces[k];
            table_row(table);
            table_text(table, ALGORITHM, c->algorithm);
            table_text(table, COUPLING, row->coupling == ENERGY_DC ? "dc" : "ac");
            table_text(table, AVERAGE, row->average == ENERGY_MEAN ? "mean" : "rms");
            table_real(table, TRACE, row->trace.mean_nj);
            table_real(table, SD, row->trace.sd_nj);
            table_real(table, STATE, row->state_nj);
            table_real(table, RATIO, row->ratio);
        }
    }
    return table;
}

struct table *timed_sizes(const struct measurement *const *rows, size_t count)
{
    enum { ALGORITHM, IMPLEMENTATION, BYTES, CPB, CYCLES, ROM, RAM, ENERGY, E_RANK, RANK, COLUMNS };
    static const struct column columns[COLUMNS] = {
        [ALGORITHM] = {.name = "algorithm", .shown = true},
        [IMPLEMENTATION] = {.name = "implementation", .shown = true},
        [BYTES] = {.name = "message_bytes", .heading = "bytes", .shown = true},
        [CPB] = {.name = "cycles_per_byte", .heading = "cycles/B", .shown = true, .digits = 6},
        [CYCLES] = {.name = "cycles", .shown = true},
        [ROM] = {.name = "rom_bytes", .heading = "ROM B", .shown = true},
        [RAM] = {.name = "ram_bytes", .heading = "RAM B", .shown = true},
        [ENERGY] =
            {.name = "energy_nj", .heading = "energy", .unit = "J", .scale = 1e-9, .shown = true},
        [E_RANK] = {.name = "e_rank", .heading = "E-RANK", .shown = true},
        [RANK] = {.name = "rank", .shown = true},
    };
    struct table *table = table_new(columns, COLUMNS);
    struct rank *ranks = uj_calloc(count, sizeof *ranks);
    rank_measurements(ranks, rows, count);
    for (size_t i = 0; i < count; i++) {
        const struct measurement *m = rows[i];
        char text[16];
        table_row(table);
        table_text(table, ALGORITHM, m->algorithm);
        table_text(table, IMPLEMENTATION, m->implementation);
        table_integer(table, BYTES, m->message_bytes);
        if (m->error) {
            table_mark(table);
            table_note(table, "%s %s %lld: %s", m->algorithm, m->implementation,
                       (long long)m->message_bytes, m->error);
            continue;
        }
        table_real(table, CPB, m->cycles_per_byte);
        table_integer(table, CYCLES, m->cycles);
        table_integer(table, ROM, m->rom_bytes);
        table_integer(table, RAM, m->ram_bytes);
        table_real(table, ENERGY, m->energy_nj);
        table_real(table, E_RANK, m->e_rank);
        table_text(table, RANK, rank_text(text, sizeof text, &ranks[i]));
    }
    free(ranks);
    return table;
}
