/*
 * Recorded power traces: CSV, and .npy as numpy and ChipWhisperer save. All traces of a file are of
 * one length.
 *
 * Laws: a file is read whole and checked whole, and refused with its place ("FILE:LINE:COLUMN: ..."
 * for CSV, "FILE: ..." for .npy); no value is skipped or repaired; every value is finite. What is
 * not said in the file is not guessed, but for a column of time, which is told by its heading or by
 * steps that are all equal; trace_file_time() says so.
 *
 * CSV: separated by comma, semicolon, tab or spaces; lines that begin with '#' and empty ones are
 * left out, lines before the first whose first field is no number are headings; every column is a
 * trace, or every row where `rows` is set or there is one row alone. .npy: versions 1 to 3, float32
 * and float64, integers of 1, 2, 4 or 8 bytes, of either byte order, in C or Fortran order; one
 * dimension is one trace, of two the first counts the traces.
 */
#ifndef UJ_ENERGY_TRACE_FILE_H
#define UJ_ENERGY_TRACE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct trace_file;

struct trace_options {
    const char *time_column; /* NULL: detect; "none"; a heading, or a number from 1 */
    bool rows;               /* of CSV: every row is a trace */
};

enum trace_values { TRACE_REAL, TRACE_SIGNED, TRACE_UNSIGNED };

enum uj_err trace_file_load(struct uj_ctx *ctx, struct trace_file **out, const char *path,
                            const struct trace_options *options) UJ_CHECK;
/* The same from memory; `name` stands for the path in messages. */
enum uj_err trace_file_parse(struct uj_ctx *ctx, struct trace_file **out, const char *name,
                             const uint8_t *bytes, size_t length,
                             const struct trace_options *options) UJ_CHECK;
void trace_file_free(struct trace_file *f);

size_t trace_file_traces(const struct trace_file *f);
size_t trace_file_samples(const struct trace_file *f); /* of each trace */
/* Integers of a .npy are a converter's codes; CSV is always real. */
enum trace_values trace_file_values(const struct trace_file *f);
/* The heading of a trace's column, or NULL. */
const char *trace_file_heading(const struct trace_file *f, size_t trace);
/* The column of time, from 1, or 0; and its step in seconds, NaN where its unit is not said. */
size_t trace_file_time(const struct trace_file *f, double *step_s);
/* The values of a trace, as they stand in the file. */
void trace_file_copy(const struct trace_file *f, size_t trace, double *out);

#endif
