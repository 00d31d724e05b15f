/* The .npy format: magic, version, a Python literal that describes the array, the array. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "energy/trace_format.h"

static const uint8_t magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

bool trace_npy_is(const uint8_t *bytes, size_t length)
{
    return length >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

/* The description, read character by character; it ends at `end`. */
struct header {
    struct uj_ctx *ctx;
    const char *file;
    const char *at, *end;
    char type[16];
    bool fortran;
    size_t shape[2], dimensions;
    bool has_type, has_order, has_shape;
};

static enum uj_err refuse(const struct header *h, const char *what)
{
    return uj_fail(h->ctx, UJ_ERR_INPUT, "%s: .npy: %s", h->file, what);
}

static void skip_spaces(struct header *h)
{
    while (h->at < h->end && isspace((unsigned char)*h->at))
        h->at++;
}

static bool take(struct header *h, char c)
{
    skip_spaces(h);
    if (h->at == h->end || *h->at != c)
        return false;
    h->at++;
    return true;
}

static enum uj_err read_string(struct header *h, char *out, size_t size)
{
    skip_spaces(h);
    if (h->at == h->end || (*h->at != '\'' && *h->at != '"'))
        return refuse(h, "a damaged header: a quoted word is missing");
    char quote = *h->at++;
    size_t length = 0;
    while (h->at < h->end && *h->at != quote) {
        if (!isprint((unsigned char)*h->at) || *h->at == '\\' || length + 1 == size)
            return refuse(h, "a damaged header: a word that is none of numpy's");
        out[length++] = *h->at++;
    }
    out[length] = '\0';
    if (h->at == h->end)
        return refuse(h, "a damaged header: a word does not end");
    h->at++;
    return UJ_OK;
}

static enum uj_err read_order(struct header *h)
{
    static const char *const words[] = {"False", "True"};
    skip_spaces(h);
    for (size_t i = 0; i < 2; i++) {
        size_t length = strlen(words[i]);
        if ((size_t)(h->end - h->at) < length || memcmp(h->at, words[i], length) != 0)
            continue;
        h->at += length;
        h->fortran = i == 1;
        return UJ_OK;
    }
    return refuse(h, "a damaged header: fortran_order is neither True nor False");
}

static enum uj_err read_shape(struct header *h)
{
    if (!take(h, '('))
        return refuse(h, "a damaged header: the shape is no tuple");
    while (!take(h, ')')) {
        if (h->at == h->end || !isdigit((unsigned char)*h->at))
            return refuse(h, "a damaged header: the shape is no tuple of numbers");
        size_t value = 0;
        for (; h->at < h->end && isdigit((unsigned char)*h->at); h->at++) {
            if (value > (SIZE_MAX - 9) / 10)
                return refuse(h, "a shape beyond all memory");
            value = value * 10 + (size_t)(*h->at - '0');
        }
        if (h->dimensions == 2)
            return refuse(h, "more than two dimensions; traces are a row or a table");
        h->shape[h->dimensions++] = value;
        bool more = take(h, ',');
        skip_spaces(h);
        if (!more && h->at < h->end && *h->at != ')')
            return refuse(h, "a damaged header: the shape is no tuple of numbers");
    }
    if (h->dimensions == 0)
        return refuse(h, "a single number, no trace");
    return UJ_OK;
}

static enum uj_err read_member(struct header *h)
{
    char key[24];
    enum uj_err err = read_string(h, key, sizeof key);
    if (err)
        return err;
    if (!take(h, ':'))
        return refuse(h, "a damaged header: a key without a value");
    bool *seen = strcmp(key, "descr") == 0           ? &h->has_type
                 : strcmp(key, "fortran_order") == 0 ? &h->has_order
                 : strcmp(key, "shape") == 0         ? &h->has_shape
                                                     : NULL;
    if (!seen || *seen)
        return refuse(h, "a damaged header: a key that is unknown or stands twice");
    *seen = true;
    if (seen == &h->has_order)
        return read_order(h);
    if (seen == &h->has_shape)
        return read_shape(h);
    skip_spaces(h);
    if (h->at < h->end && *h->at == '[')
        return refuse(h, "a table of named fields; save the field with the trace alone");
    return read_string(h, h->type, sizeof h->type);
}

static enum uj_err read_header(struct header *h)
{
    if (!take(h, '{'))
        return refuse(h, "a damaged header: it does not begin with {");
    while (!take(h, '}')) {
        enum uj_err err = read_member(h);
        if (err)
            return err;
        bool more = take(h, ',');
        skip_spaces(h);
        if (!more && h->at < h->end && *h->at != '}')
            return refuse(h, "a damaged header: no comma between its members");
        if (h->at == h->end)
            return refuse(h, "a damaged header: it does not end with }");
    }
    skip_spaces(h);
    if (h->at != h->end)
        return refuse(h, "a damaged header: something stands behind its end");
    if (!h->has_type || !h->has_order || !h->has_shape)
        return refuse(h, "a damaged header: descr, fortran_order or shape is missing");
    return UJ_OK;
}

static enum uj_err read_type(struct header *h, struct trace_file *f)
{
    static const struct {
        const char *name;
        enum trace_values values;
        unsigned bytes;
    } types[] = {
        {"f4", TRACE_REAL, 4},     {"f8", TRACE_REAL, 8},     {"i1", TRACE_SIGNED, 1},
        {"i2", TRACE_SIGNED, 2},   {"i4", TRACE_SIGNED, 4},   {"i8", TRACE_SIGNED, 8},
        {"u1", TRACE_UNSIGNED, 1}, {"u2", TRACE_UNSIGNED, 2}, {"u4", TRACE_UNSIGNED, 4},
        {"u8", TRACE_UNSIGNED, 8},
    };
    char order = h->type[0];
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (order == '\0' || strcmp(h->type + 1, types[i].name) != 0)
            continue;
        if (order != '<' && order != '>' && !(order == '|' && types[i].bytes == 1))
            break;
        f->values = types[i].values;
        f->item_bytes = types[i].bytes;
        f->big_endian = order == '>';
        return UJ_OK;
    }
    return uj_fail(h->ctx, UJ_ERR_INPUT,
                   "%s: .npy: numbers of type \"%s\"; save as float64, float32 or an integer type",
                   h->file, h->type);
}

double trace_npy_number(const struct trace_file *f, size_t index)
{
    const uint8_t *p = f->bytes + index * f->item_bytes;
    uint64_t word = 0;
    for (unsigned i = 0; i < f->item_bytes; i++)
        word |= (uint64_t)p[i] << 8 * (f->big_endian ? f->item_bytes - 1 - i : i);
    if (f->values == TRACE_UNSIGNED)
        return (double)word;
    if (f->values == TRACE_SIGNED) {
        uint64_t sign = UINT64_C(1) << (8 * f->item_bytes - 1);
        return word & sign ? -(double)((~word + 1) & (sign | (sign - 1))) : (double)word;
    }
    if (f->item_bytes == 4) {
        uint32_t half = (uint32_t)word;
        float value;
        memcpy(&value, &half, sizeof value);
        return (double)value;
    }
    double value;
    memcpy(&value, &word, sizeof value);
    return value;
}

enum uj_err trace_npy_parse(struct uj_ctx *ctx, struct trace_file *f, const uint8_t *bytes,
                            size_t length)
{
    struct header h = {.ctx = ctx, .file = f->name};
    unsigned major = length > 6 ? bytes[6] : 0;
    size_t length_bytes = major == 1 ? 2 : 4;
    if (length < 8)
        return refuse(&h, "ends within its header");
    if (major < 1 || major > 3 || bytes[7] != 0)
        return uj_fail(ctx, UJ_ERR_INPUT, "%s: .npy: version %u.%u; 1.0, 2.0 and 3.0 are known",
                       f->name, major, (unsigned)bytes[7]);
    size_t start = 8 + length_bytes, header_bytes = 0;
    if (length < start)
        return refuse(&h, "ends within its header");
    for (size_t i = 0; i < length_bytes; i++)
        header_bytes |= (size_t)bytes[8 + i] << 8 * i;
    if (header_bytes > length - start)
        return refuse(&h, "ends within its header");
    h.at = (const char *)bytes + start;
    h.end = h.at + header_bytes;
    enum uj_err err = read_header(&h);
    if (!err)
        err = read_type(&h, f);
    if (err)
        return err;

    size_t rows = h.dimensions == 2 ? h.shape[0] : 1;
    size_t columns = h.shape[h.dimensions - 1];
    if (rows == 0 || columns == 0)
        return refuse(&h, "holds no sample");
    size_t have = length - start - header_bytes;
    if (rows > have / f->item_bytes / columns || rows * columns * f->item_bytes != have)
        return uj_fail(ctx, UJ_ERR_INPUT,
                       "%s: .npy: holds %zu bytes of numbers, but says %zu x %zu of %u", f->name,
                       have, rows, columns, f->item_bytes);
    f->traces = rows;
    f->samples = columns;
    f->step_trace = h.fortran ? 1 : columns;
    f->step_sample = h.fortran ? rows : 1;
    f->bytes = uj_malloc(have);
    memcpy(f->bytes, bytes + start + header_bytes, have);
    if (f->values != TRACE_REAL)
        return UJ_OK;
    for (size_t t = 0; t < f->traces; t++)
        for (size_t s = 0; s < f->samples; s++)
            if (!isfinite(trace_npy_number(f, t * f->step_trace + s * f->step_sample)))
                return uj_fail(ctx, UJ_ERR_INPUT,
                               "%s: .npy: trace %zu, sample %zu is no finite number", f->name,
                               t + 1, s + 1);
    return UJ_OK;
}
