#include "energy/trace_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "energy/trace_format.h"

enum { LARGEST_BYTES = 1 << 30 };

void trace_file_free(struct trace_file *f)
{
    if (!f)
        return;
    for (size_t i = 0; f->headings && i < f->traces; i++)
        free(f->headings[i]);
    free(f->headings);
    free(f->numbers);
    free(f->bytes);
    free(f->name);
    free(f);
}

size_t trace_file_traces(const struct trace_file *f)
{
    return f->traces;
}

size_t trace_file_samples(const struct trace_file *f)
{
    return f->samples;
}

enum trace_values trace_file_values(const struct trace_file *f)
{
    return f->values;
}

const char *trace_file_heading(const struct trace_file *f, size_t trace)
{
    return f->headings ? f->headings[trace] : NULL;
}

size_t trace_file_time(const struct trace_file *f, double *step_s)
{
    *step_s = f->time_step_s;
    return f->time_column;
}

void trace_file_copy(const struct trace_file *f, size_t trace, double *out)
{
    size_t index = trace * f->step_trace;
    for (size_t i = 0; i < f->samples; i++, index += f->step_sample)
        out[i] = f->numbers ? f->numbers[index] : trace_npy_number(f, index);
}

enum uj_err trace_file_parse(struct uj_ctx *ctx, struct trace_file **out, const char *name,
                             const uint8_t *bytes, size_t length,
                             const struct trace_options *options)
{
    static const struct {
        const char *magic;
        size_t bytes;
        const char *what;
    } others[] = {
        {"PK\x03\x04", 4, "a .npz or other zip archive; save the array alone, by numpy.save"},
        {"\x89HDF", 4, "an HDF5 file; save the array by numpy.save"},
        {"\x1f\x8b", 2, "a gzip file; unpack it"},
    };
    struct trace_file *f = uj_calloc(1, sizeof *f);
    f->name = uj_strdup(name);
    f->time_step_s = NAN;
    enum uj_err err = UJ_OK;
    for (size_t i = 0; i < sizeof others / sizeof others[0] && !err; i++)
        if (length >= others[i].bytes && memcmp(bytes, others[i].magic, others[i].bytes) == 0)
            err = uj_fail(ctx, UJ_ERR_INPUT, "%s: %s", name, others[i].what);
    if (!err && length == 0)
        err = uj_fail(ctx, UJ_ERR_INPUT, "%s: an empty file", name);
    if (!err)
        err = trace_npy_is(bytes, length)
                  ? trace_npy_parse(ctx, f, bytes, length)
                  : trace_csv_parse(ctx, f, (const char *)bytes, length, options);
    if (err)
        trace_file_free(f);
    else
        *out = f;
    return err;
}

enum uj_err trace_file_load(struct uj_ctx *ctx, struct trace_file **out, const char *path,
                            const struct trace_options *options)
{
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return uj_fail(ctx, UJ_ERR_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    struct str content;
    str_init(&content);
    char block[65536];
    size_t got;
    while ((got = fread(block, 1, sizeof block, stream)) > 0 && content.length <= LARGEST_BYTES)
        str_add_bytes(&content, block, got);
    enum uj_err err;
    if (ferror(stream))
        err = uj_fail(ctx, UJ_ERR_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    else if (content.length > LARGEST_BYTES)
        err = uj_fail(ctx, UJ_ERR_INPUT, "%s: larger than 1 GiB; give a part of it", path);
    else
        err = trace_file_parse(ctx, out, path, (const uint8_t *)content.text, content.length,
                               options);
    (void)fclose(stream);
    str_free(&content);
    return err;
}
