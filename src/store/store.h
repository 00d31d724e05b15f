/*
 * The results database: one SQLite file, one row a measurement, one transaction each.
 *
 * Laws: a measurement for which store_put() has returned UJ_OK is in the file and survives the end
 * of the program in whatever way it comes, and a loss of power; what was being written then is not
 * there in part. Rows are only ever added: a measurement that is repeated stands beside the older
 * one, and readers get the latest unless they ask for all. Any number of programs may use one file
 * at a time, also on a network folder; any thread may use one store.
 *
 * A file is refused, in one line that says what to do, if it is no database, another program's,
 * damaged, or of a later layout. One of an earlier release gets the columns that it lacks.
 */
#ifndef UJ_STORE_STORE_H
#define UJ_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/measurement.h"

#define STORE_DEFAULT_PATH "ujoule.db"

struct store;

enum store_mode {
    STORE_READ,  /* the file must be there; works on a read-only folder */
    STORE_WRITE, /* makes the file where it is absent */
};

enum uj_err store_open(struct uj_ctx *ctx, struct store **out, const char *path,
                       enum store_mode mode) UJ_CHECK;
void store_close(struct store *s);

/* Adds the measurement; at return it is on the disk. */
enum uj_err store_put(struct uj_ctx *ctx, struct store *s, const struct measurement *m) UJ_CHECK;

/*
 * The latest stored measurement whose key equals `wanted`'s: the FIELD_KEY rows of
 * base/measurement_fields.c (board, core, algorithm, implementation, operation, message_bytes,
 * seed, output_bytes, compiler, flags, options, image_sha256, device_sha256, version), and the
 * input where the seed is -1. *found tells whether `out` was filled; if so, free it.
 */
enum uj_err store_find(struct uj_ctx *ctx, struct measurement *out, bool *found, struct store *s,
                       const struct measurement *wanted) UJ_CHECK;

/* What to read. A list with count 0 lets everything pass. */
struct store_list {
    char *const *items;
    size_t count;
};
struct store_filter {
    struct store_list boards, algorithms, implementations, operations;
    const int64_t *message_bytes;
    size_t message_bytes_count;
    bool failed;  /* only those with an error or a wrong output */
    bool history; /* also those that a later measurement of the same key replaced */
};

/* An array of measurements, owned. */
struct measurement_list {
    struct measurement *items;
    size_t count;
};
void measurement_list_free(struct measurement_list *l);

/* The rows, oldest first; free the list. Without a filter: the latest of every key. */
enum uj_err store_read(struct uj_ctx *ctx, struct measurement_list *out, struct store *s,
                       const struct store_filter *filter) UJ_CHECK;

#endif
