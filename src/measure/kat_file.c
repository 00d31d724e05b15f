#include "measure/kat_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

struct reader {
    struct uj_ctx *ctx;
    const char *path;
    struct kat_file *out;
    int line;
    long length_bits; /* of the CAVP form; -1: not given */
    uint8_t *message;
    size_t message_bytes;
};

static enum uj_err refuse(const struct reader *r, const char *what)
{
    return uj_fail(r->ctx, UJ_ERR_INPUT, "%s:%d: %s", r->path, r->line, what);
}

static enum uj_err decode(const struct reader *r, uint8_t **out, size_t *bytes, const char *text)
{
    size_t digits = strlen(text);
    *bytes = digits / 2;
    *out = uj_malloc(*bytes);
    if (digits % 2 == 0 && hex_decode(*out, text, *bytes))
        return UJ_OK;
    free(*out);
    *out = NULL;
    return refuse(r, "no whole bytes in hexadecimal");
}

static enum uj_err take_length(struct reader *r, const char *value)
{
    char *end;
    r->length_bits = strtol(value, &end, 10);
    if (*value == '\0' || *end != '\0' || r->length_bits < 0 || r->length_bits % 8 != 0)
        return refuse(r, "Len must be a number of bits that makes whole bytes");
    return UJ_OK;
}

static enum uj_err take_message(struct reader *r, const char *value)
{
    free(r->message);
    enum uj_err err = decode(r, &r->message, &r->message_bytes, value);
    if (err || r->length_bits < 0)
        return err;
    if (r->length_bits == 0)
        r->message_bytes = 0;
    return r->message_bytes == (size_t)r->length_bits / 8
               ? UJ_OK
               : refuse(r, "Msg is not as long as Len says");
}

static enum uj_err take_digest(struct reader *r, const char *value)
{
    if (!r->message)
        return refuse(r, "MD without a Msg before it");
    struct kat kat = {.message = r->message, .message_bytes = r->message_bytes};
    enum uj_err err = decode(r, &kat.digest, &kat.digest_bytes, value);
    if (err)
        return err;
    r->message = NULL;
    r->length_bits = -1;
    struct kat_file *f = r->out;
    f->items = uj_realloc(f->items, (f->count + 1) * sizeof *f->items);
    f->items[f->count++] = kat;
    return UJ_OK;
}

static enum uj_err skip_value(struct reader *r, const char *value)
{
    (void)r;
    (void)value;
    return UJ_OK;
}

static enum uj_err take_line(struct reader *r, char *line)
{
    static const struct {
        const char *key;
        enum uj_err (*take)(struct reader *r, const char *value);
    } keys[] = {
        {"Count", skip_value}, {"Len", take_length}, {"Msg", take_message},
        {"MD", take_digest},   {"Seed", skip_value}, {"Output", take_digest},
    };
    if (*line == '\0' || *line == '#' || *line == '[')
        return UJ_OK;
    char *equals = strchr(line, '=');
    if (!equals)
        return refuse(r, "neither Count, Len, Msg nor MD = value");
    char *key_end = equals;
    while (key_end > line && key_end[-1] == ' ')
        key_end--;
    char *value = equals + 1;
    while (*value == ' ')
        value++;
    *key_end = '\0';
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strcmp(line, keys[i].key) == 0)
            return keys[i].take(r, value);
    return refuse(r, "neither Count, Len, Msg nor MD = value");
}

enum uj_err kat_file_parse(struct uj_ctx *ctx, struct kat_file *out, const char *path,
                           const char *text)
{
    *out = (struct kat_file){0};
    struct reader r = {.ctx = ctx, .path = path, .out = out, .length_bits = -1};
    enum uj_err err = UJ_OK;
    while (!err && *text) {
        size_t length = strcspn(text, "\n");
        char *line = uj_strndup(text, length);
        size_t end = length;
        while (end > 0 && isspace((unsigned char)line[end - 1]))
            line[--end] = '\0';
        r.line++;
        err = take_line(&r, line);
        free(line);
        text += length + (text[length] == '\n');
    }
    if (!err && out->count == 0)
        err = refuse(&r, "no known answers; wanted are Msg = and MD = lines");
    free(r.message);
    if (err)
        kat_file_free(out);
    return err;
}

enum uj_err kat_file_load(struct uj_ctx *ctx, struct kat_file *out, const char *path)
{
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return uj_fail(ctx, UJ_ERR_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    struct str text;
    str_init(&text);
    char block[4096];
    size_t got;
    while ((got = fread(block, 1, sizeof block, stream)) > 0)
        str_add_bytes(&text, block, got);
    bool failed = ferror(stream) != 0;
    (void)fclose(stream);
    enum uj_err err = failed ? uj_fail(ctx, UJ_ERR_INPUT, "%s: cannot be read", path)
                             : kat_file_parse(ctx, out, path, text.text);
    str_free(&text);
    return err;
}

void kat_file_free(struct kat_file *f)
{
    for (size_t i = 0; i < f->count; i++) {
        free(f->items[i].message);
        free(f->items[i].digest);
    }
    free(f->items);
    *f = (struct kat_file){0};
}

const struct kat *kat_file_of_length(const struct kat_file *f, size_t message_bytes)
{
    for (size_t i = 0; i < f->count; i++)
        if (f->items[i].message_bytes == message_bytes)
            return &f->items[i];
    return NULL;
}
