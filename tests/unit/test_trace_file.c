/* Recorded traces: every number type of .npy made byte by byte, CSV in its forms, and refusals. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "energy/trace_file.h"
#include "near.h"

static const struct trace_options plain = {NULL, false};

/* A .npy file of a version, a description and the bytes of its numbers. */
static struct str npy(unsigned major, const char *description, const void *data, size_t bytes)
{
    struct str s;
    str_init(&s);
    str_add_bytes(&s, "\x93NUMPY", 6);
    uint8_t head[6] = {(uint8_t)major, 0};
    size_t length_bytes = major == 1 ? 2 : 4;
    size_t length = strlen(description) + 1;
    for (size_t i = 0; i < length_bytes; i++)
        head[2 + i] = (uint8_t)(length >> 8 * i);
    str_add_bytes(&s, head, 2 + length_bytes);
    str_addf(&s, "%s\n", description);
    str_add_bytes(&s, data, bytes);
    return s;
}

static struct trace_file *load(const struct str *s, const struct trace_options *options)
{
    struct uj_ctx ctx = {0};
    struct trace_file *f = NULL;
    if (trace_file_parse(&ctx, &f, "t", (const uint8_t *)s->text, s->length, options))
        fail_msg("%s", ctx.message);
    return f;
}

static void test_npy_types(void **state)
{
    (void)state;
    static const struct {
        const char *type;
        unsigned bytes;
        enum trace_values values;
        uint8_t data[16]; /* two numbers */
        double expected[2];
    } rows[] = {
        /* 0.25 and -1.5 */
        {"<f8",
         8,
         TRACE_REAL,
         {0, 0, 0, 0, 0, 0, 0xd0, 0x3f, 0, 0, 0, 0, 0, 0, 0xf8, 0xbf},
         {0.25, -1.5}},
        {">f8",
         8,
         TRACE_REAL,
         {0x3f, 0xd0, 0, 0, 0, 0, 0, 0, 0xbf, 0xf8, 0, 0, 0, 0, 0, 0},
         {0.25, -1.5}},
        {"<f4", 4, TRACE_REAL, {0, 0, 0x80, 0x3e, 0, 0, 0xc0, 0xbf}, {0.25, -1.5}},
        {">f4", 4, TRACE_REAL, {0x3e, 0x80, 0, 0, 0xbf, 0xc0, 0, 0}, {0.25, -1.5}},
        {"<i2", 2, TRACE_SIGNED, {0x34, 0x12, 0xff, 0xff}, {4660, -1}},
        {">i2", 2, TRACE_SIGNED, {0x12, 0x34, 0x80, 0x00}, {4660, -32768}},
        {"<i4",
         4,
         TRACE_SIGNED,
         {0x78, 0x56, 0x34, 0x12, 0, 0, 0, 0x80},
         {305419896, -2147483648.0}},
        {">i4", 4, TRACE_SIGNED, {0x12, 0x34, 0x56, 0x78, 0xff, 0xff, 0xff, 0xfe}, {305419896, -2}},
        {"<i8",
         8,
         TRACE_SIGNED,
         {5, 0, 0, 0, 0, 0, 0, 0, 0xfb, 255, 255, 255, 255, 255, 255, 255},
         {5, -5}},
        {"|i1", 1, TRACE_SIGNED, {0x7f, 0x80}, {127, -128}},
        {"|u1", 1, TRACE_UNSIGNED, {0x7f, 0xff}, {127, 255}},
        {"<u1", 1, TRACE_UNSIGNED, {0x00, 0xff}, {0, 255}},
        {"<u2", 2, TRACE_UNSIGNED, {0xff, 0x03, 0xff, 0xff}, {1023, 65535}},
        {">u2", 2, TRACE_UNSIGNED, {0x03, 0xff, 0xff, 0xff}, {1023, 65535}},
        {"<u4", 4, TRACE_UNSIGNED, {1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff}, {1, 4294967295.0}},
        {">u8",
         8,
         TRACE_UNSIGNED,
         {0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0},
         {256, 4294967296.0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (unsigned major = 1; major <= 3; major++) {
            char description[100];
            (void)snprintf(description, sizeof description,
                           "{'descr': '%s', 'fortran_order': False, 'shape': (2,), }",
                           rows[i].type);
            struct str s = npy(major, description, rows[i].data, 2 * rows[i].bytes);
            struct trace_file *f = load(&s, &plain);
            double values[2], step_s;
            assert_int_equal(trace_file_traces(f), 1);
            assert_int_equal(trace_file_samples(f), 2);
            assert_int_equal(trace_file_values(f), rows[i].values);
            assert_int_equal(trace_file_time(f, &step_s), 0);
            trace_file_copy(f, 0, values);
            assert_near(values[0], rows[i].expected[0], 0);
            assert_near(values[1], rows[i].expected[1], 0);
            trace_file_free(f);
            str_free(&s);
        }
    }
}

/* Two traces of three samples, 0 1 2 and 10 11 12, in both orders. */
static void test_npy_orders(void **state)
{
    (void)state;
    static const uint8_t by_rows[] = {0, 1, 2, 10, 11, 12}, by_columns[] = {0, 10, 1, 11, 2, 12};
    static const struct {
        const char *description;
        const uint8_t *data;
    } rows[] = {
        {"{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }     ", by_rows},
        {"{\"shape\":(2,3),\"fortran_order\":True,\"descr\":\"|u1\"}", by_columns},
    };
    for (size_t i = 0; i < 2; i++) {
        struct str s = npy(1, rows[i].description, rows[i].data, 6);
        struct trace_file *f = load(&s, &plain);
        assert_int_equal(trace_file_traces(f), 2);
        assert_int_equal(trace_file_samples(f), 3);
        for (size_t t = 0; t < 2; t++) {
            double values[3];
            trace_file_copy(f, t, values);
            for (size_t n = 0; n < 3; n++)
                assert_near(values[n], (double)(10 * t + n), 0);
        }
        trace_file_free(f);
        str_free(&s);
    }
}

static void refused(const struct str *s, const struct trace_options *options, enum uj_err code,
                    const char *message)
{
    struct uj_ctx ctx = {0};
    struct trace_file *f = NULL;
    assert_int_equal(trace_file_parse(&ctx, &f, "t", (const uint8_t *)s->text, s->length, options),
                     code);
    assert_null(f);
    assert_string_equal(ctx.message, message);
}

static void test_npy_refusals(void **state)
{
    (void)state;
    static const uint8_t data[8] = {0};
    static const struct {
        const char *description, *message;
    } rows[] = {
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }",
         "t: .npy: holds 8 bytes of numbers, but says 1 x 2 of 8"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387905,4), }",
         "t: .npy: holds 8 bytes of numbers, but says 4611686018427387905 x 4 of 8"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999999,), }",
         "t: .npy: a shape beyond all memory"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (), }",
         "t: .npy: a single number, no trace"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (0,), }", "t: .npy: holds no sample"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1,1,1), }",
         "t: .npy: more than two dimensions; traces are a row or a table"},
        {"{'descr': '<f2', 'fortran_order': False, 'shape': (4,), }",
         "t: .npy: numbers of type \"<f2\"; save as float64, float32 or an integer type"},
        {"{'descr': '=f8', 'fortran_order': False, 'shape': (1,), }",
         "t: .npy: numbers of type \"=f8\"; save as float64, float32 or an integer type"},
        {"{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
         "t: .npy: numbers of type \"|O\"; save as float64, float32 or an integer type"},
        {"{'descr': '', 'fortran_order': False, 'shape': (1,), }",
         "t: .npy: numbers of type \"\"; save as float64, float32 or an integer type"},
        {"{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }",
         "t: .npy: a table of named fields; save the field with the trace alone"},
        {"{'descr': '<f8', 'fortran_order': 0, 'shape': (1,), }",
         "t: .npy: a damaged header: fortran_order is neither True nor False"},
        {"{'descr': '<f8', 'shape': (1,), }",
         "t: .npy: a damaged header: descr, fortran_order or shape is missing"},
        {"{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (1,), }",
         "t: .npy: a damaged header: a key that is unknown or stands twice"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1,), } x",
         "t: .npy: a damaged header: something stands behind its end"},
        {"{'descr': '<f8' 'fortran_order': False, 'shape': (1,)}",
         "t: .npy: a damaged header: no comma between its members"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1 1)}",
         "t: .npy: a damaged header: the shape is no tuple of numbers"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}",
         "t: .npy: a damaged header: the shape is no tuple of numbers"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': 1}",
         "t: .npy: a damaged header: the shape is no tuple"},
        {"{'descr': '<f8", "t: .npy: a damaged header: a word that is none of numpy's"},
        {"{'descr': '<f8',", "t: .npy: a damaged header: it does not end with }"},
        {"", "t: .npy: a damaged header: it does not begin with {"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct str s = npy(1, rows[i].description, data, 8);
        refused(&s, &plain, UJ_ERR_INPUT, rows[i].message);
        str_free(&s);
    }

    static const uint8_t numbers[] = {0, 0, 0x80, 0x3f, 0, 0, 0xc0, 0x7f};
    struct str s = npy(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", numbers, 8);
    refused(&s, &plain, UJ_ERR_INPUT, "t: .npy: trace 1, sample 2 is no finite number");
    /* Cut anywhere, it is refused. */
    for (size_t length = 0; length < s.length; length++) {
        struct uj_ctx ctx = {0};
        struct trace_file *f = NULL;
        assert_int_equal(trace_file_parse(&ctx, &f, "t", (const uint8_t *)s.text, length, &plain),
                         UJ_ERR_INPUT);
    }
    s.text[6] = 4;
    refused(&s, &plain, UJ_ERR_INPUT, "t: .npy: version 4.0; 1.0, 2.0 and 3.0 are known");
    str_free(&s);
}

static struct str text_of(const char *text)
{
    struct str s;
    str_init(&s);
    str_add(&s, text);
    return s;
}

static void test_csv(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        struct trace_options options;
        size_t traces, samples, time_column;
        double step_s;      /* NAN: unit not said */
        double first, last; /* of all values: of the first and of the last trace */
        const char *heading;
    } rows[] = {
        {"0.1\n0.2\n-0.3\n", {NULL, false}, 1, 3, 0, NAN, 0.1, -0.3, NULL},
        {"0.1\n0.2\n-3e-1", {NULL, false}, 1, 3, 0, NAN, 0.1, -0.3, NULL},
        {"\xef\xbb\xbf"
         "power\r\n0.1\r\n0.2\r\n",
         {NULL, false},
         1,
         2,
         0,
         NAN,
         0.1,
         0.2,
         "power"},
        {"0.1,0.2\n0.3,0.4\n0.5,0.2\n", {NULL, false}, 1, 3, 1, NAN, 0.2, 0.2, NULL},
        {"0.1,0.2\n0.3,0.4\n0.5,0.2\n", {"none", false}, 2, 3, 0, NAN, 0.1, 0.2, NULL},
        {"0.1,0.2\n0.3,0.4\n0.6,0.2\n", {NULL, false}, 2, 3, 0, NAN, 0.1, 0.2, NULL},
        {"Time (us),A,B\n0,0.5,1\n2,0.6,2\n4,0.7,3\n", {NULL, false}, 2, 3, 1, 2e-6, 0.5, 3, "A"},
        {"A;time_s\n1;0\n2;0.25\n", {NULL, false}, 1, 2, 2, 0.25, 1, 2, "A"},
        {"x-axis,1\nsecond,Volt\n-1e-6,0.5\n0,0.6\n1e-6,0.7\n",
         {NULL, false},
         1,
         3,
         1,
         1e-6,
         0.5,
         0.7,
         "Volt"},
        {"time,v\n0,0.5\n1,0.6\n", {NULL, false}, 1, 2, 1, NAN, 0.5, 0.6, "v"},
        {"a,b\n0,0.5\n1,0.6\n", {"a", false}, 1, 2, 1, NAN, 0.5, 0.6, "b"},
        {"a,b\n0,0.5\n1,0.6\n", {"1", false}, 1, 2, 1, NAN, 0.5, 0.6, "b"},
        {"# a comment\n\n  1   2  \n\t3 4\n", {NULL, true}, 2, 2, 0, NAN, 1, 4, NULL},
        {"1\t2\t3\n4\t5\t6\n", {NULL, true}, 2, 3, 0, NAN, 1, 6, NULL},
        {"1, 2, 3\n", {NULL, false}, 1, 3, 0, NAN, 1, 3, NULL},
        {"1,2,\n4,5,\n", {NULL, false}, 2, 2, 0, NAN, 1, 5, NULL},
        {"\"volts, raw\"\n1\n2\n", {NULL, false}, 1, 2, 0, NAN, 1, 2, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct str s = text_of(rows[i].text);
        struct trace_file *f = load(&s, &rows[i].options);
        double values[8], step_s;
        assert_int_equal(trace_file_traces(f), rows[i].traces);
        assert_int_equal(trace_file_samples(f), rows[i].samples);
        assert_int_equal(trace_file_values(f), TRACE_REAL);
        assert_int_equal(trace_file_time(f, &step_s), rows[i].time_column);
        if (isnan(rows[i].step_s))
            assert_true(isnan(step_s));
        else
            assert_near(step_s, rows[i].step_s, 1e-12 * rows[i].step_s);
        trace_file_copy(f, 0, values);
        assert_near(values[0], rows[i].first, 0);
        trace_file_copy(f, rows[i].traces - 1, values);
        assert_near(values[rows[i].samples - 1], rows[i].last, 0);
        if (rows[i].heading)
            assert_string_equal(trace_file_heading(f, 0), rows[i].heading);
        trace_file_free(f);
        str_free(&s);
    }
}

static void test_csv_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        struct trace_options options;
        const char *message;
    } rows[] = {
        {"", {NULL, false}, "t: an empty file"},
        {"\n\n", {NULL, false}, "t: holds no line of numbers"},
        {"only words\n", {NULL, false}, "t: holds no line of numbers"},
        {"v\n0.1\n0.2\nabc\n", {NULL, false}, "t:4:1: \"abc\" is no number"},
        {"0.1,0.2\n0.3, 0.4x\n", {NULL, false}, "t:2:6: \"0.4x\" is no number"},
        {"0.1,0.2\n0.3\n", {NULL, false}, "t:2:1: 1 fields where the lines before have 2"},
        {"0.1,,0.2\n", {NULL, false}, "t:1:5: an empty field"},
        {"0.1\nnan\n", {NULL, false}, "t:2:1: \"nan\" is no number"},
        {"0.1\n-inf\n", {NULL, false}, "t:2:1: \"-inf\" is no number"},
        {"0.1\n1e999\n", {NULL, false}, "t:2:1: \"1e999\" is no number"},
        {"0.1\n0x1p3\n", {NULL, false}, "t:2:1: \"0x1p3\" is no number"},
        {"0.1\n1.2.3\n", {NULL, false}, "t:2:1: \"1.2.3\" is no number"},
        {"0.1\n1234567890123456789012345\xff\n",
         {NULL, false},
         "t:2:1: \"12345678901234567890...\" is no number"},
        {"0,1;0,2\n", {NULL, false}, "t:1:1: \"0,1\" has a decimal comma; write a point"},
        {"time\n1\n2\n", {NULL, false}, "t: only a column of time, no trace"},
        {"time,v\n1,2\n1,3\n",
         {NULL, false},
         "t: the time in column 1 does not rise by equal steps"},
        {"time,v\n0,2\n1,3\n9,1\n9.5,1\n",
         {NULL, false},
         "t: the time in column 1 does not rise by equal steps"},
        {"PK\x03\x04zip",
         {NULL, false},
         "t: a .npz or other zip archive; save the array alone, by numpy.save"},
        {"\x89HDF\r\n", {NULL, false}, "t: an HDF5 file; save the array by numpy.save"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct str s = text_of(rows[i].text);
        refused(&s, &rows[i].options, UJ_ERR_INPUT, rows[i].message);
        str_free(&s);
    }
    struct str s = text_of("a,b\n1,2\n2,5\n");
    refused(&s, &(struct trace_options){"c", false}, UJ_ERR_USAGE,
            "t: no column \"c\" for the time; it has 2");
    refused(&s, &(struct trace_options){"3", false}, UJ_ERR_USAGE,
            "t: no column \"3\" for the time; it has 2");
    refused(&s, &(struct trace_options){"1", true}, UJ_ERR_USAGE,
            "t: a column of time, but every row is a trace");
    str_clear(&s);
    str_add_bytes(&s, "1\n2\0\n", 5);
    refused(&s, &plain, UJ_ERR_INPUT, "t:2:1: a NUL byte; this is neither CSV nor .npy");
    str_clear(&s);
    for (int i = 0; i < 40; i++)
        str_add(&s, "words\n");
    refused(&s, &plain, UJ_ERR_INPUT, "t:33:1: no number in the first 32 lines; is this a trace?");
    str_free(&s);
}

static void test_files(void **state)
{
    (void)state;
    struct uj_ctx ctx = {0};
    struct trace_file *f = NULL;
    assert_int_equal(trace_file_load(&ctx, &f, "/nonexistent/x.npy", &plain), UJ_ERR_INPUT);
    assert_string_equal(ctx.message,
                        "/nonexistent/x.npy: cannot be read: No such file or directory");
    uj_clear(&ctx);
    assert_int_equal(trace_file_load(&ctx, &f, "/", &plain), UJ_ERR_INPUT);
    assert_string_equal(ctx.message, "/: cannot be read: Is a directory");
    uj_clear(&ctx);
    const char *path = "test_trace_file.csv";
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    (void)fputs("0.25\n0.5\n", stream);
    (void)fclose(stream);
    assert_int_equal(trace_file_load(&ctx, &f, path, &plain), UJ_OK);
    assert_int_equal(trace_file_samples(f), 2);
    trace_file_free(f);
    (void)remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_npy_types),    cmocka_unit_test(test_npy_orders),
        cmocka_unit_test(test_npy_refusals), cmocka_unit_test(test_csv),
        cmocka_unit_test(test_csv_refusals), cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
