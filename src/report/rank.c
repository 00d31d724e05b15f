#include "report/rank.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

void rank_values(struct rank *ranks, const double *low, const double *high, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        ranks[i] = (struct rank){.low = low[i], .high = high[i]};
        if (isnan(low[i]))
            continue;
        ranks[i].place = 1;
        for (size_t k = 0; k < count; k++) {
            if (k == i || isnan(low[k]))
                continue;
            ranks[i].place += low[k] > high[i];
            ranks[i].tie = ranks[i].tie || (low[k] <= high[i] && low[i] <= high[k]);
        }
    }
}

/* A row and where it stood, for sorting. */
struct entry {
    const struct measurement *m;
    size_t index;
};

static int compare_texts(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "");
}

/* 0 where the two are compared with each other. */
static int compare_groups(const struct measurement *a, const struct measurement *b)
{
    int order = compare_texts(a->board, b->board);
    order = order ? order : compare_texts(a->operation, b->operation);
    if (order == 0)
        order = (a->message_bytes > b->message_bytes) - (a->message_bytes < b->message_bytes);
    return order;
}

static int compare_entries(const void *x, const void *y)
{
    const struct entry *a = x, *b = y;
    int order = compare_groups(a->m, b->m);
    if (order == 0) {
        double rank_a = isnan(a->m->e_rank) ? -INFINITY : a->m->e_rank;
        double rank_b = isnan(b->m->e_rank) ? -INFINITY : b->m->e_rank;
        order = (rank_a < rank_b) - (rank_a > rank_b);
    }
    return order ? order : (a->index > b->index) - (a->index < b->index);
}

static struct entry *sorted(const struct measurement *const *rows, size_t count)
{
    struct entry *entries = uj_calloc(count, sizeof *entries);
    for (size_t i = 0; i < count; i++)
        entries[i] = (struct entry){.m = rows[i], .index = i};
    if (count > 0)
        qsort(entries, count, sizeof *entries, compare_entries);
    return entries;
}

void rank_order(size_t *order, const struct measurement *const *rows, size_t count)
{
    struct entry *entries = sorted(rows, count);
    for (size_t i = 0; i < count; i++)
        order[i] = entries[i].index;
    free(entries);
}

/* E-RANK goes with 1 / energy. */
static void bounds(double *low, double *high, const struct measurement *m)
{
    double energy = m->energy_nj;
    double spread = isnan(m->energy_spread_nj) ? 0 : m->energy_spread_nj;
    *low = m->e_rank * energy / (energy + spread);
    *high = spread < energy ? m->e_rank * energy / (energy - spread) : INFINITY;
    if (isnan(m->e_rank))
        *low = *high = NAN;
}

void rank_measurements(struct rank *ranks, const struct measurement *const *rows, size_t count)
{
    struct entry *entries = sorted(rows, count);
    struct rank *group = uj_calloc(count, sizeof *group);
    double *low = uj_calloc(count, sizeof *low), *high = uj_calloc(count, sizeof *high);
    for (size_t i = 0; i < count; i++)
        bounds(&low[i], &high[i], entries[i].m);
    for (size_t first = 0, end; first < count; first = end) {
        end = first + 1;
        while (end < count && compare_groups(entries[first].m, entries[end].m) == 0)
            end++;
        rank_values(group, low + first, high + first, end - first);
        for (size_t i = first; i < end; i++)
            ranks[entries[i].index] = group[i - first];
    }
    free(entries);
    free(group);
    free(low);
    free(high);
}

const char *rank_text(char *out, size_t size, const struct rank *r)
{
    out[0] = '\0';
    if (r->place > 0)
        (void)snprintf(out, size, "%u%s", r->place, r->tie ? "=" : "");
    return out;
}
