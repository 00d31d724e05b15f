/*
 * Studies: published experiments, repeated. A folder studies/NAME/ holds study.yaml (its matrix and
 * how the paper took its figures), published.csv (figure,device,algorithm,metric,unit,value) and
 * README.md.
 *
 * Law: a kind of study is one row of study_kinds and one file study_KIND.c; a study of a known kind
 * is a folder and nothing else.
 */
#ifndef UJ_CLI_STUDY_H
#define UJ_CLI_STUDY_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/yaml.h"
#include "report/table.h"
#include "store/store.h"

struct published_value {
    char *device, *algorithm, *metric, *unit;
    double value;
};

struct study {
    char *name, *folder, *title;
    struct yaml *file;
    const struct yaml_node *map;
    struct published_value *published;
    size_t published_count;
};

/* What the user asked for. */
struct study_request {
    const char *sources; /* a folder of the original packages, one folder each; NULL: our own */
    const char *cc, *flags, *currents;
    unsigned jobs;
    uint32_t seed;
};

/* A part of a study's result: a table with its heading. */
struct study_part {
    const char *name;  /* "comparison" */
    const char *title; /* one line above the table */
    struct table *table;
};

enum { STUDY_PARTS_MAX = 8 };

struct study_result {
    struct study_part parts[STUDY_PARTS_MAX];
    size_t count;
    bool failed; /* some measurement failed */
};

/* The results database, opened when the first matrix is planned: wrong use leaves no file. */
struct study_store {
    const char *path;
    struct store *store; /* NULL until then */
};
enum uj_err study_store_open(struct uj_ctx *ctx, struct study_store *s) UJ_CHECK;

struct study_kind {
    const char *name;
    const char *const *parts; /* names of those that it can make, NULL behind the last */
    enum uj_err (*run)(struct uj_ctx *ctx, struct study_result *out, const struct study *study,
                       const struct study_request *request, struct study_store *store);
};

extern const struct study_kind study_kind_timed, study_kind_engine;

/* Reads studies/NAME; UJ_ERR_USAGE offers the nearest name. */
enum uj_err study_load(struct uj_ctx *ctx, struct study **out, const char *name) UJ_CHECK;
void study_free(struct study *s);
/* The published value, NaN where there is none. */
double study_published(const struct study *s, const char *algorithm, const char *metric);

#endif
