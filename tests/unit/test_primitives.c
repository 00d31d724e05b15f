/*
 * Every implementation of the table against every known answer of its algorithm: in one call, in
 * one call with nothing aligned, and in pieces of odd sizes. The form of the answers is described
 * in primitives/README.md.
 */
#define _POSIX_C_SOURCE 200809L

#include "primitive_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct answer {
    unsigned char *message, *key, *digest;
    size_t message_bytes, key_bytes, digest_bytes;
    size_t out_bytes;  /* to ask for */
    size_t skip_bytes; /* of them, before the digest */
    bool has_key, has_custom;
};

/* Bytes after the output that must stay as they are. */
enum { GUARD_BYTES = 16, GUARD = 0x5a };

static void *allocate(size_t bytes)
{
    void *p = malloc(bytes > 0 ? bytes : 1);

    if (p == NULL)
        fail_msg("no memory for %zu bytes", bytes);
    return p;
}

/* Reading an answer. */

static size_t parse_number(const char *text)
{
    char *end;
    unsigned long long value = strtoull(text, &end, 10);

    if (end == text || *end != '\0')
        fail_msg("'%s' is not a number", text);
    return (size_t)value;
}

static unsigned char *parse_hex(const char *text, size_t *bytes)
{
    size_t i, n = strlen(text) / 2;
    unsigned char *out = allocate(n);

    if (strlen(text) % 2 != 0)
        fail_msg("'%s' has half a byte", text);
    for (i = 0; i < n; i++) {
        if (sscanf(text + 2 * i, "%2hhx", &out[i]) != 1)
            fail_msg("'%s' is not hexadecimal", text);
    }
    *bytes = n;
    return out;
}

static unsigned char *parse_message(const char *text, size_t *bytes)
{
    unsigned char *out, fill = 0;
    unsigned int modulus = 1;
    size_t i;

    switch (text[0]) {
    case 'x': return parse_hex(text + 1, bytes);
    case 'i': modulus = 256; break;
    case 'k': modulus = 251; break;
    case 'f':
        if (sscanf(text + 1, "%2hhx*", &fill) != 1 || strlen(text) < 5 || text[3] != '*')
            fail_msg("'%s' is not a repeated byte", text);
        break;
    default: fail_msg("'%s' is not a message", text);
    }
    *bytes = parse_number(text[0] == 'f' ? text + 4 : text + 1);
    out = allocate(*bytes);
    for (i = 0; i < *bytes; i++)
        out[i] = (unsigned char)(fill + i % modulus);
    return out;
}

/* The text after "NAME=" if the field is of that name. */
static const char *field_value(const char *field, const char *name)
{
    size_t n = strlen(name);

    return strncmp(field, name, n) == 0 && field[n] == '=' ? field + n + 1 : NULL;
}

/* False if the line holds no answer. */
static bool parse_answer(struct answer *a, char *line)
{
    char *save = NULL, *field;
    const char *value;

    memset(a, 0, sizeof *a);
    line[strcspn(line, "#\r\n")] = '\0';
    field = strtok_r(line, " ", &save);
    if (field == NULL)
        return false;
    a->message = parse_message(field, &a->message_bytes);

    while ((field = strtok_r(NULL, " ", &save)) != NULL) {
        if ((value = field_value(field, "key")) != NULL) {
            a->key = parse_hex(value, &a->key_bytes);
            a->has_key = true;
        } else if ((value = field_value(field, "out")) != NULL) {
            a->out_bytes = parse_number(value);
        } else if ((value = field_value(field, "skip")) != NULL) {
            a->skip_bytes = parse_number(value);
        } else if (field_value(field, "custom") != NULL) {
            a->has_custom = true;
        } else if (a->digest == NULL) {
            a->digest = parse_hex(field, &a->digest_bytes);
        } else {
            fail_msg("'%s' is one field too many", field);
        }
    }
    if (a->digest == NULL)
        fail_msg("a line without a digest");
    if (a->out_bytes == 0)
        a->out_bytes = a->skip_bytes + a->digest_bytes;
    if (a->out_bytes < a->skip_bytes + a->digest_bytes)
        fail_msg("out= is less than skip= and the digest");
    return true;
}

static void free_answer(struct answer *a)
{
    free(a->message);
    free(a->key);
    free(a->digest);
}

/* A customization is beyond the common signature; a key is for a mac alone. */
static bool answers(const struct answer *a, const struct primitive *p)
{
    return !a->has_custom && a->has_key == (p->kind == PRIMITIVE_MAC);
}

/* Running an implementation. */

typedef void run_function(const struct primitive *p, const struct answer *a,
                          const unsigned char *in, unsigned char *out);

static void run_once(const struct primitive *p, const struct answer *a, const unsigned char *in,
                     unsigned char *out)
{
    p->once(out, a->out_bytes, in, a->message_bytes, a->key, a->key_bytes);
}

/* The same odd pieces at each run, one in eight of them empty; so most begin unaligned. */
static size_t next_piece(uint32_t *seed)
{
    *seed = *seed * UINT32_C(1664525) + UINT32_C(1013904223);
    return *seed >> 29 == 0 ? 0 : *seed % 151;
}

static void run_in_pieces(const struct primitive *p, const struct answer *a,
                          const unsigned char *in, unsigned char *out)
{
    void *ctx = allocate(p->ctx_bytes);
    uint32_t seed = (uint32_t)a->message_bytes;
    size_t left = a->message_bytes;

    memset(ctx, 0xa5, p->ctx_bytes);
    p->init(ctx, a->key, a->key_bytes);
    while (left > 0) {
        size_t piece = next_piece(&seed);

        if (piece > left)
            piece = left;
        p->update(ctx, in, piece);
        in += piece;
        left -= piece;
    }
    p->update(ctx, in, 0);
    p->final(ctx, out, a->out_bytes);
    free(ctx);
}

/*
 * Places input and output so many bytes off alignment; the output must be the digest and no longer,
 * the input must stay as it was.
 */
static void check(const struct primitive *p, const struct answer *a, run_function *run,
                  size_t misalignment, const char *what)
{
    unsigned char *in_storage = allocate(a->message_bytes + misalignment);
    unsigned char *out_storage = allocate(a->out_bytes + misalignment + GUARD_BYTES);
    unsigned char *in = in_storage + misalignment, *out = out_storage + misalignment;
    unsigned char guard[GUARD_BYTES];

    memset(guard, GUARD, sizeof guard);
    memcpy(in, a->message, a->message_bytes);
    memset(out_storage, GUARD, a->out_bytes + misalignment + GUARD_BYTES);

    run(p, a, in, out);

    if (memcmp(out + a->skip_bytes, a->digest, a->digest_bytes) != 0)
        fail_msg("%s/%s, %s: wrong digest of %zu bytes", p->algorithm, p->implementation, what,
                 a->message_bytes);
    if (memcmp(out + a->out_bytes, guard, GUARD_BYTES) != 0 ||
        memcmp(out_storage, guard, misalignment) != 0)
        fail_msg("%s/%s, %s: wrote outside its output", p->algorithm, p->implementation, what);
    if (memcmp(in, a->message, a->message_bytes) != 0)
        fail_msg("%s/%s, %s: changed its input", p->algorithm, p->implementation, what);
    free(in_storage);
    free(out_storage);
}

static void check_both_ways(const struct primitive *p, const struct answer *a, size_t number)
{
    if (p->kind != PRIMITIVE_XOF && a->out_bytes != p->output_bytes)
        fail_msg("%s: a digest of %zu bytes", p->algorithm, a->out_bytes);
    check(p, a, run_once, number % 8, "in one call");
    check(p, a, run_in_pieces, number / 8 % 8, "in pieces");
}

static size_t check_file(const struct primitive *p, FILE *file)
{
    char *line = NULL;
    size_t line_bytes = 0, checked = 0;
    struct answer a;

    while (getline(&line, &line_bytes, file) >= 0) {
        if (!parse_answer(&a, line))
            continue;
        if (answers(&a, p)) {
            check_both_ways(p, &a, checked);
            checked++;
        }
        free_answer(&a);
    }
    free(line);
    return checked;
}

static void every_implementation_gives_the_known_answers(void **state)
{
    size_t i;

    (void)state;
    for (i = 0; i < primitive_count; i++) {
        const struct primitive *p = &primitive_table[i];
        char path[4096];
        FILE *file;
        size_t checked;

        snprintf(path, sizeof path, UJ_SOURCE_DIR "/primitives/vectors/%s.kat", p->algorithm);
        file = fopen(path, "r");
        if (file == NULL)
            fail_msg("%s: missing; each algorithm needs known answers", path);
        checked = check_file(p, file);
        fclose(file);
        if (checked == 0)
            fail_msg("%s: no answer that %s/%s can give", path, p->algorithm, p->implementation);
        print_message("%s/%s: %zu answers\n", p->algorithm, p->implementation, checked);
    }
}

static void a_row_is_found_by_its_name(void **state)
{
    size_t i;

    (void)state;
    for (i = 0; i < primitive_count; i++) {
        const struct primitive *p = &primitive_table[i];

        assert_ptr_equal(primitive_find(p->kind, p->algorithm, p->implementation), p);
    }
    assert_null(primitive_find(PRIMITIVE_HASH, "sha256", ""));
    assert_null(primitive_find(PRIMITIVE_MAC, "sha256", "ref"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_implementation_gives_the_known_answers),
        cmocka_unit_test(a_row_is_found_by_its_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
