/* What the readers of the trace formats share; for src/energy/trace_*.c alone. */
#ifndef UJ_ENERGY_TRACE_FORMAT_H
#define UJ_ENERGY_TRACE_FORMAT_H

#include "energy/trace_file.h"

struct trace_file {
    char *name;
    size_t traces, samples;
    enum trace_values values;
    size_t step_trace, step_sample; /* value (t, s) is number t * step_trace + s * step_sample */

    uint8_t *bytes; /* .npy: the numbers as they stand in the file */
    unsigned item_bytes;
    bool big_endian;

    double *numbers; /* CSV */
    char **headings; /* one a trace, or NULL */
    size_t time_column;
    double time_step_s;
};

bool trace_npy_is(const uint8_t *bytes, size_t length);
/* Fills the zeroed f, whose name is set. */
enum uj_err trace_npy_parse(struct uj_ctx *ctx, struct trace_file *f, const uint8_t *bytes,
                            size_t length) UJ_CHECK;
double trace_npy_number(const struct trace_file *f, size_t index);
enum uj_err trace_csv_parse(struct uj_ctx *ctx, struct trace_file *f, const char *text,
                            size_t length, const struct trace_options *options) UJ_CHECK;

#endif
