#include <math.h>
#include <string.h>

#include "cli/study_engine.h"

static const double kb_bytes = 1024;

static double published(const struct engine *e, const struct engine_compared *c)
{
    for (size_t i = 0; i < e->study->published_count; i++) {
        const struct published_value *p = &e->study->published[i];
        if (strcmp(p->device, c->board) == 0 && strcmp(p->algorithm, e->algorithm) == 0 &&
            strcmp(p->metric, c->metric) == 0)
            return p->value;
    }
    return NAN;
}

static double supply_of(const struct engine *e, const char *board)
{
    for (size_t r = 0; r < e->run_count; r++)
        if (strcmp(e->runs[r].board, board) == 0)
            return e->runs[r].supply_v;
    return NAN;
}

/* Average current over the operation: the energy says it, whatever the states were. */
static double amperes(const struct measurement *m, double supply_v)
{
    return m->time_ns > 0 ? m->energy_nj / (double)m->time_ns / supply_v : NAN;
}

static double nj_per_kb(const struct measurement *m)
{
    return m->energy_nj * kb_bytes / (double)m->message_bytes;
}

static double compared_value(const struct engine *e, const struct engine_compared *c,
                             const char *currents)
{
    const struct measurement *m = engine_find(e, c->board, currents, c->flags, c->of, c->bytes);
    if (!m)
        return NAN;
    if (strcmp(c->unit, "uJ/KB") == 0)
        return nj_per_kb(m) * 1e-3;
    if (strcmp(c->unit, "mA") == 0)
        return amperes(m, supply_of(e, c->board)) * 1e3;
    return c->over ? engine_ratio(m, engine_find(e, c->board, currents, NULL, c->over, c->bytes))
                   : NAN;
}

struct table *engine_comparison(const struct engine *e)
{
    enum {
        METRIC,
        BOARD,
        OF,
        OVER,
        BYTES,
        FLAGS,
        CURRENTS,
        UNIT,
        PUBLISHED,
        OURS,
        SHARE,
        NOTE,
        COLUMNS
    };
    static const struct column columns[COLUMNS] = {
        [METRIC] = {.name = "metric", .shown = 1},
        [BOARD] = {.name = "board", .shown = 2},
        [OF] = {.name = "of", .shown = 3},
        [OVER] = {.name = "over", .shown = 4},
        [BYTES] = {.name = "message_bytes", .heading = "bytes", .shown = 5},
        [FLAGS] = {.name = "flags", .shown = 6},
        [CURRENTS] = {.name = "currents", .shown = 7},
        [UNIT] = {.name = "unit", .shown = 8},
        [PUBLISHED] = {.name = "published", .shown = 9},
        [OURS] = {.name = "true", .shown = 10},
        [SHARE] = {.name = "true_over_published",
                   .heading = "true / published",
                   .shown = 11,
                   .digits = 3},
        [NOTE] = {.name = "note"},
    };
    struct table *t = table_new(columns, COLUMNS);
    for (size_t i = 0; i < e->compared_count; i++) {
        const struct engine_compared *c = &e->compared[i];
        bool priced = strcmp(c->unit, "x") != 0;
        /* A ratio of times is the same under all currents. */
        for (size_t k = 0; k < (priced ? e->currents.count : 1); k++) {
            const char *currents = priced ? e->currents.items[k] : NULL;
            double ours = compared_value(e, c, currents), theirs = published(e, c);
            table_row(t);
            table_text(t, METRIC, c->metric);
            table_text(t, BOARD, c->board);
            table_text(t, OF, c->of);
            table_text(t, OVER, c->over);
            table_integer(t, BYTES, c->bytes);
            table_text(t, FLAGS, c->flags ? c->flags : e->request->flags);
            table_text(t, CURRENTS, currents);
            table_text(t, UNIT, c->unit);
            table_real(t, PUBLISHED, theirs);
            table_real(t, OURS, ours);
            table_real(t, SHARE, ours / theirs);
            table_text(t, NOTE, c->note);
        }
        /* Once a metric; rows that share a note follow one another. */
        const struct engine_compared *before = i > 0 ? c - 1 : NULL;
        if (c->note && (!before || before->note != c->note))
            table_note(t, "%s: %s", c->metric, c->note);
    }
    table_note(
        t, "flags: of what stands under \"of\"; - and what stands under \"over\": the usual ones");
    return t;
}

static void modes_row(struct table *t, const struct engine *e, const struct engine_run *run,
                      const struct measurement *m)
{
    enum {
        BOARD,
        IMPLEMENTATION,
        BYTES,
        CYCLES,
        TIME,
        RATE,
        CURRENT,
        ENERGY,
        SPREAD,
        SPEEDUP,
        OVER_POLLED
    };
    const struct measurement *baseline =
        engine_find(e, run->board, NULL, NULL, e->baseline, m->message_bytes);
    const struct measurement *polled =
        engine_find(e, run->board, NULL, NULL, e->polled, m->message_bytes);
    table_row(t);
    table_text(t, BOARD, m->board);
    table_text(t, IMPLEMENTATION, m->implementation);
    table_integer(t, BYTES, m->message_bytes);
    if (m->error) {
        table_mark(t);
        table_note(t, "%s %s %lld: %s", m->board, m->implementation, (long long)m->message_bytes,
                   m->error);
        return;
    }
    table_integer(t, CYCLES, m->cycles);
    table_real(t, TIME, (double)m->time_ns);
    table_real(t, RATE, m->time_ns > 0 ? (double)m->message_bytes * 1e3 / (double)m->time_ns : NAN);
    table_real(t, CURRENT, amperes(m, run->supply_v) * 1e3);
    table_real(t, ENERGY, nj_per_kb(m) * 1e-3);
    table_real(t, SPREAD, m->energy_spread_nj * kb_bytes / (double)m->message_bytes * 1e-3);
    table_real(t, SPEEDUP, engine_ratio(baseline, m));
    table_real(t, OVER_POLLED, engine_ratio(m, polled));
    if (m->energy_reason)
        table_note(t, "%s: no energy: %s", m->board, m->energy_reason);
}

struct table *engine_modes(const struct engine *e)
{
    /* In the order of modes_row(). */
    static const struct column columns[] = {
        {.name = "board", .shown = 1},
        {.name = "implementation", .heading = "mode", .shown = 2},
        {.name = "message_bytes", .heading = "bytes", .shown = 3},
        {.name = "cycles", .shown = 4},
        {.name = "time_ns", .heading = "time", .unit = "s", .scale = 1e-9, .shown = 5},
        {.name = "mb_per_s", .heading = "MB/s", .shown = 6},
        {.name = "current_ma", .heading = "mA", .shown = 7},
        {.name = "energy_uj_per_kb", .heading = "uJ/KB", .shown = 8},
        {.name = "energy_spread_uj_per_kb", .heading = "+-", .shown = 9, .digits = 2},
        {.name = "speedup", .heading = "over software", .shown = 10},
        {.name = "time_over_polled", .heading = "time / polled", .shown = 11},
    };
    struct table *t = table_new(columns, sizeof columns / sizeof columns[0]);
    const char *shown = "";
    for (size_t r = 0; r < e->run_count; r++) {
        const struct engine_run *run = &e->runs[r];
        /* The first run of a board: the currents asked for, the usual flags. */
        if (strcmp(run->board, shown) == 0)
            continue;
        shown = run->board;
        for (size_t k = 0; k < bench_matrix_count(run->matrix); k++)
            modes_row(t, e, run, bench_matrix_result(run->matrix, k));
        table_note(t, "%s: currents: %s; supply %g V", run->board, run->currents, run->supply_v);
    }
    table_note(t,
               "MB: 10^6 bytes; KB: 1024 bytes; over software: the time of %s over this; a message "
               "longer than the harness's buffer goes in pieces",
               e->baseline);
    return t;
}

struct table *engine_software(const struct engine *e)
{
    enum { BOARD, IMPLEMENTATION, FLAGS, BYTES, CYCLES, CPB, ROM, GAIN, POLLED, COLUMNS };
    static const struct column columns[COLUMNS] = {
        [BOARD] = {.name = "board", .shown = 1},
        [IMPLEMENTATION] = {.name = "implementation", .shown = 2},
        [FLAGS] = {.name = "flags", .shown = 3, .absent = "usual"},
        [BYTES] = {.name = "message_bytes", .heading = "bytes", .shown = 4},
        [CYCLES] = {.name = "cycles", .shown = 5},
        [CPB] = {.name = "cycles_per_byte", .heading = "cycles/B", .shown = 6},
        [ROM] = {.name = "rom_bytes", .heading = "ROM B", .shown = 7},
        [GAIN] = {.name = "speedup", .heading = "over the baseline", .shown = 8},
        [POLLED] = {.name = "polled_speedup", .heading = "polled block over this", .shown = 9},
    };
    struct table *t = table_new(columns, COLUMNS);
    int64_t bytes = e->sizes[e->size_count - 1];
    for (size_t b = 0; b < e->boards.count; b++) {
        const char *board = e->boards.items[b];
        const struct measurement *baseline = engine_find(e, board, NULL, NULL, e->baseline, bytes);
        const struct measurement *polled = engine_find(e, board, NULL, NULL, e->polled, bytes);
        for (size_t i = 0; i < e->software.count; i++) {
            for (size_t f = 0; f <= e->flags.count; f++) {
                const char *flags = f ? e->flags.items[f - 1] : e->request->flags;
                const struct measurement *m =
                    engine_find(e, board, NULL, f ? flags : NULL, e->software.items[i], bytes);
                table_row(t);
                table_text(t, BOARD, board);
                table_text(t, IMPLEMENTATION, e->software.items[i]);
                table_text(t, FLAGS, flags);
                table_integer(t, BYTES, bytes);
                if (!m) {
                    table_mark(t);
                    continue;
                }
                table_integer(t, CYCLES, m->cycles);
                table_real(t, CPB, m->cycles_per_byte);
                table_integer(t, ROM, m->rom_bytes);
                table_real(t, GAIN, engine_ratio(baseline, m));
                table_real(t, POLLED, engine_ratio(m, polled));
            }
        }
    }
    table_note(t, "usual flags: those of ujoule bench; the baseline is %s with them", e->baseline);
    return t;
}

struct table *engine_blocks(const struct engine *e)
{
    enum { BOARD, IMPLEMENTATION, FROM, TO, PER_BLOCK, COLUMNS };
    static const struct column columns[COLUMNS] = {
        [BOARD] = {.name = "board", .shown = 1},
        [IMPLEMENTATION] = {.name = "implementation", .heading = "mode", .shown = 2},
        [FROM] = {.name = "from_bytes", .heading = "from B", .shown = 3},
        [TO] = {.name = "to_bytes", .heading = "to B", .shown = 4},
        [PER_BLOCK] = {.name = "cycles_per_block",
                       .heading = "cycles a block",
                       .shown = 5,
                       .digits = 5},
    };
    struct table *t = table_new(columns, COLUMNS);
    for (size_t b = 0; b < e->boards.count; b++) {
        for (size_t i = 0; i < e->software.count + e->engines.count; i++) {
            const char *name = i < e->software.count ? e->software.items[i]
                                                     : e->engines.items[i - e->software.count];
            for (size_t s = 0; s + 1 < e->size_count; s++) {
                const struct measurement *low =
                    engine_find(e, e->boards.items[b], NULL, NULL, name, e->sizes[s]);
                const struct measurement *high =
                    engine_find(e, e->boards.items[b], NULL, NULL, name, e->sizes[s + 1]);
                if (!low || !high)
                    continue;
                double blocks = (double)(e->sizes[s + 1] - e->sizes[s]) / (double)e->block_bytes;
                table_row(t);
                table_text(t, BOARD, e->boards.items[b]);
                table_text(t, IMPLEMENTATION, name);
                table_integer(t, FROM, e->sizes[s]);
                table_integer(t, TO, e->sizes[s + 1]);
                table_real(t, PER_BLOCK, (double)(high->cycles - low->cycles) / blocks);
            }
        }
    }
    return t;
}
