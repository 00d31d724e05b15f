/* Hostile trace files: the first byte chooses the options, the rest is the file. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/err.h"
#include "energy/trace_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct trace_options options[] = {
        {NULL, false}, {NULL, true}, {"none", false}, {"1", false}, {"time", false}, {"2", true},
    };
    if (size == 0)
        return 0;
    struct uj_ctx ctx = {0};
    struct trace_file *f = NULL;
    if (trace_file_parse(&ctx, &f, "fuzz", data + 1, size - 1, &options[data[0] % 6])) {
        if (ctx.code == UJ_OK || ctx.message[0] == '\0' || f)
            abort();
        return 0;
    }
    double step_s;
    size_t samples = trace_file_samples(f), traces = trace_file_traces(f);
    double *values = malloc(samples * sizeof *values);
    if (!values || samples == 0 || traces == 0 || trace_file_time(f, &step_s) > traces + 1)
        abort();
    for (size_t t = 0; t < traces; t++) {
        trace_file_copy(f, t, values);
        for (size_t s = 0; s < samples; s++)
            if (!isfinite(values[s]))
                abort();
        (void)trace_file_heading(f, t);
    }
    free(values);
    trace_file_free(f);
    return 0;
}
