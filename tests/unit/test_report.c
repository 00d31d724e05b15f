/* Tables in their four formats, measurements as tables, and the ranking. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/measurement_fields.h"
#include "base/str.h"
#include "base/utf8.h"
#include "report/rank.h"
#include "report/report.h"

static char *written(const struct table *t, const char *format, bool colour)
{
    struct uj_ctx ctx = {0};
    const struct table_format *f;
    if (table_format_named(&ctx, &f, format) != UJ_OK)
        fail_msg("%s", ctx.message);
    struct str out;
    str_init(&out);
    f->write(&out, t, &(struct table_style){.colour = colour});
    char *text = str_take(&out);
    str_free(&out);
    return text;
}

static void assert_written(const struct table *t, const char *format, const char *expected)
{
    char *text = written(t, format, false);
    assert_string_equal(text, expected);
    free(text);
}

static json_t *parsed(const char *text)
{
    json_error_t error;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (!root)
        fail_msg("line %d: %s", error.line, error.text);
    assert_true(json_is_array(root));
    return root;
}

static const struct column some_columns[] = {
    {.name = "name", .shown = 2},
    {.name = "count", .heading = "how many", .shown = 1},
    {.name = "time_ns", .heading = "time", .unit = "s", .scale = 1e-9, .shown = 3},
    {.name = "good", .shown = 4, .no = "NO"},
    {.name = "hidden"},
    {.name = "place", .people_only = true, .shown = 5},
};

static struct table *some_table(void)
{
    struct table *t = table_new(some_columns, sizeof some_columns / sizeof some_columns[0]);
    table_row(t);
    table_text(t, 0, "a, \"b\"");
    table_integer(t, 1, 5);
    table_integer(t, 2, 1234567);
    table_bool(t, 3, true);
    table_real(t, 4, 0.1);
    table_row(t);
    table_text(t, 0, "x|y");
    table_integer(t, 1, 12345);
    table_integer(t, 2, 98765432);
    table_bool(t, 3, false);
    table_text(t, 5, "1=");
    table_mark(t);
    table_row(t);
    table_note(t, "a note");
    table_note(t, "a note");
    return t;
}

static void each_format_is_as_it_should_be(void **state)
{
    (void)state;
    struct table *t = some_table();
    assert_written(t, "table",
                   "how many  name    time (ms)  good  place\n"
                   "       5  a, \"b\"      1.235  yes   -\n"
                   "   12345  x|y        98.765  NO    1=\n"
                   "       -  -               -  -     -\n"
                   "a note\n");
    assert_written(t, "md",
                   "| how many | name | time (ms) | good | place |\n"
                   "|---:|---|---:|---|---|\n"
                   "| 5 | a, \"b\" | 1.235 | yes | - |\n"
                   "| 12345 | x\\|y | 98.765 | NO | 1= |\n"
                   "| - | - | - | - | - |\n"
                   "\n"
                   "a note\n");
    assert_written(t, "csv",
                   "name,count,time_ns,good,hidden\r\n"
                   "\"a, \"\"b\"\"\",5,1234567,true,0.1\r\n"
                   "x|y,12345,98765432,false,\r\n"
                   ",,,,\r\n");
    assert_written(
        t, "json",
        "[\n"
        "  {\"name\": \"a, \\\"b\\\"\", \"count\": 5, \"time_ns\": 1234567, \"good\": true, "
        "\"hidden\": 0.1},\n"
        "  {\"name\": \"x|y\", \"count\": 12345, \"time_ns\": 98765432, \"good\": false, "
        "\"hidden\": null},\n"
        "  {\"name\": null, \"count\": null, \"time_ns\": null, \"good\": null, \"hidden\": null}\n"
        "]\n");
    char *red = written(t, "table", true);
    assert_non_null(strstr(red, "\033[31m   12345  x|y        98.765  NO    1=\033[0m\n"));
    free(red);
    table_free(t);
}

static void an_empty_table_has_its_headings(void **state)
{
    (void)state;
    struct table *t = table_new(some_columns, sizeof some_columns / sizeof some_columns[0]);
    assert_written(t, "table", "how many  name  time (s)  good  place\n");
    assert_written(t, "csv", "name,count,time_ns,good,hidden\r\n");
    assert_written(t, "json", "[]\n");
    table_free(t);
}

/* One prefix a column: the largest that leaves the smallest value at 1 or more. */
static void columns_get_their_si_prefix(void **state)
{
    (void)state;
    static const struct {
        double values[2];
        const char *expected;
    } cases[] = {
        {{1099.3, 719.06}, "energy (nJ)\n     1099.3\n      719.1\n"},
        {{1099.3, 2719.05}, "energy (uJ)\n      1.099\n      2.719\n"},
        {{1000, 1e6}, "energy (uJ)\n      1.000\n   1000.000\n"},
        {{1e9, 2.5e9}, "energy (J)\n     1.000\n     2.500\n"},
        {{0, 0}, "energy (J)\n         0\n         0\n"},
        {{0, 5e-7}, "energy (fJ)\n     0.0000\n     0.5000\n"},
        {{1, 5e9}, "energy (mJ)\n      1e-06\n       5000\n"}, /* a wide range */
        {{1234.56, 98765432}, "energy (uJ)\n      1.235\n      98765\n"},
        {{-2000, 3000}, "energy (uJ)\n     -2.000\n      3.000\n"},
    };
    const struct column column = {
        .name = "energy", .unit = "J", .scale = 1e-9, .shown = 1, .digits = 0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct table *t = table_new(&column, 1);
        for (int k = 0; k < 2; k++) {
            table_row(t);
            table_real(t, 0, cases[i].values[k]);
        }
        assert_written(t, "table", cases[i].expected);
        table_free(t);
    }
}

/* A spread stands under its value's prefix. */
static void a_column_can_follow_another(void **state)
{
    (void)state;
    static const struct column columns[] = {
        {.name = "e", .unit = "J", .scale = 1e-9, .shown = 1},
        {.name = "+-", .unit = "J", .scale = 1e-9, .shown = 2, .digits = 2, .prefix_of = "e"},
    };
    struct table *t = table_new(columns, 2);
    table_row(t);
    table_real(t, 0, 1099.3);
    table_real(t, 1, 219.86);
    assert_written(t, "table", "e (uJ)  +- (uJ)\n 1.099     0.22\n");
    table_free(t);
}

static void reals_read_back_the_same(void **state)
{
    (void)state;
    static const double values[] = {0.1,
                                    1.0 / 3,
                                    1e300,
                                    5e-324,
                                    123456789.125,
                                    2,
                                    -0.0625,
                                    1e22,
                                    1e21,
                                    0.1 + 0.2,
                                    1.7976931348623157e308,
                                    2531.0,
                                    1e-7,
                                    0.0,
                                    9007199254740993.0};
    const struct column column = {.name = "x"};
    struct table *t = table_new(&column, 1);
    size_t count = sizeof values / sizeof values[0];
    for (size_t i = 0; i < count; i++) {
        table_row(t);
        table_real(t, 0, values[i]);
    }
    char *json = written(t, "json", false), *csv = written(t, "csv", false);
    json_t *root = parsed(json);
    char *line = strtok(csv, "\r\n");
    for (size_t i = 0; i < count; i++) {
        json_t *value = json_object_get(json_array_get(root, i), "x");
        assert_true(json_is_real(value));
        assert_true(json_real_value(value) == values[i]);
        line = strtok(NULL, "\r\n");
        assert_true(strtod(line, NULL) == values[i]);
    }
    assert_non_null(strstr(json, "\"x\": 0.1}")); /* the shortest text that does */
    json_decref(root);
    free(json);
    free(csv);
    table_free(t);
}

static void odd_text_does_no_harm(void **state)
{
    (void)state;
    static const char *const texts[][3] = {
        /* as it comes, in json once parsed, in a table */
        {"plain", "plain", "plain"},
        {"", "", ""},
        {"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80",
         "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"},
        {"a\xff"
         "b",
         "a\xef\xbf\xbd"
         "b",
         "a\xef\xbf\xbd"
         "b"},
        {"cut \xe2\x82", "cut \xef\xbf\xbd\xef\xbf\xbd", "cut \xef\xbf\xbd\xef\xbf\xbd"},
        {"\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd", "\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd",
         "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        {"two\nlines\tand \033[31mred", "two\nlines\tand \033[31mred", "two lines and  [31mred"},
        {"\xc2\x9b"
         "31m",
         "\xc2\x9b"
         "31m",
         " 31m"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const struct column column = {.name = "x", .shown = 1};
        struct table *t = table_new(&column, 1);
        table_row(t);
        table_text(t, 0, texts[i][0]);
        char *json = written(t, "json", false), *text = written(t, "table", false);
        json_t *root = parsed(json);
        assert_string_equal(json_string_value(json_object_get(json_array_get(root, 0), "x")),
                            texts[i][1]);
        char *expected = uj_format("x\n%s\n", texts[i][2]);
        assert_string_equal(text, expected);
        json_decref(root);
        free(expected);
        free(text);
        free(json);
        table_free(t);
    }
    assert_int_equal(utf8_sequence("\xf4\x8f\xbf\xbf"), 4); /* U+10FFFF, the last */
    assert_int_equal(utf8_sequence("\xf4\x90\x80\x80"), 0);
    assert_int_equal(utf8_sequence("\xf0\x8f\xbf\xbf"), 0);
    assert_int_equal(utf8_sequence("\xed\x9f\xbf"), 3);
    assert_int_equal(utf8_length("a\xc3\xa4\xe2\x82\xac"), 3);
}

/* A reader of RFC 4180: the fields of one record; returns their number and moves *text behind it.
 */
static size_t read_record(char **fields, size_t most, const char **text)
{
    size_t count = 0;
    for (bool more = true; more;) {
        struct str field;
        str_init(&field);
        const char *c = *text;
        if (*c == '"') {
            for (c++; *c != '"' || c[1] == '"'; c++) {
                assert_true(*c != '\0');
                str_add_bytes(&field, c, 1);
                c += *c == '"';
            }
            c++;
        } else {
            for (; *c != ',' && *c != '\r'; c++) {
                assert_true(*c != '\0' && *c != '"' && *c != '\n');
                str_add_bytes(&field, c, 1);
            }
        }
        assert_true(count < most);
        fields[count++] = str_take(&field);
        str_free(&field);
        more = *c == ',';
        if (!more)
            assert_true(c[0] == '\r' && c[1] == '\n');
        *text = c + (more ? 1 : 2);
    }
    return count;
}

static void csv_is_read_back(void **state)
{
    (void)state;
    static const char *const texts[] = {"a",  "",  "a,b", "\"",    "a\"\"b", "two\r\nlines",
                                        "\n", ",", " x",  "\",\"", "-1"};
    enum { COUNT = sizeof texts / sizeof texts[0] };
    struct column columns[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        columns[i] = (struct column){.name = texts[COUNT - 1 - i]};
    struct table *t = table_new(columns, COUNT);
    table_row(t);
    for (size_t i = 0; i < COUNT; i++)
        table_text(t, i, texts[i]);
    char *csv = written(t, "csv", false);
    const char *rest = csv;
    for (int record = 0; record < 2; record++) {
        char *fields[COUNT];
        assert_int_equal(read_record(fields, COUNT, &rest), COUNT);
        for (size_t i = 0; i < COUNT; i++) {
            assert_string_equal(fields[i], texts[record ? i : COUNT - 1 - i]);
            free(fields[i]);
        }
    }
    assert_string_equal(rest, "");
    free(csv);
    table_free(t);
}

static void an_unknown_format_names_the_known(void **state)
{
    (void)state;
    const struct table_format *f;
    struct uj_ctx ctx = {0};
    assert_int_equal(table_format_named(&ctx, &f, "jsn"), UJ_ERR_USAGE);
    assert_non_null(strstr(ctx.message, "did you mean 'json'"));
    uj_clear(&ctx);
    assert_int_equal(table_format_named(&ctx, &f, "xml"), UJ_ERR_USAGE);
    assert_non_null(strstr(ctx.message, "table, csv, json, md"));
}

/* Measurements. */

static void make(struct measurement *m, const char *algorithm, int64_t cycles, double energy_nj)
{
    measurement_init(m);
    m->board = uj_strdup("cw-xmega");
    m->core = uj_strdup("avrxm");
    m->algorithm = uj_strdup(algorithm);
    m->implementation = uj_strdup("ref");
    m->operation = uj_strdup("hash");
    m->message_bytes = 16;
    m->seed = 1;
    m->input = uj_strdup("00");
    m->output = uj_strdup("ff");
    m->output_bytes = 1;
    m->verified = MEASURED_YES;
    m->cycles = cycles;
    m->timer_cycles = cycles + 1;
    m->isr_cycles = 0;
    m->time_ns = cycles * 125;
    m->energy_nj = energy_nj;
    m->energy_spread_nj = energy_nj / 5;
    m->energy_method = uj_strdup("state");
    m->rom_bytes = 2648;
    m->data_bytes = 3;
    m->bss_bytes = 0;
    m->stack_bytes = 150;
    m->ram_bytes = 153;
    m->compiler = uj_strdup("avr-gcc 5.4.0");
    m->flags = uj_strdup("-Os");
    measurement_derive(m);
}

struct sample {
    struct measurement items[4];
    const struct measurement *rows[4];
};

/* A good one, a failed one, an unverified one without energy, and a good one that costs more. */
static void make_sample(struct sample *s)
{
    make(&s->items[0], "ascon-hash", 40496, 1099.3);
    make(&s->items[1], "esch256", 1, 1);
    measurement_void(&s->items[1]);
    s->items[1].verified = MEASURED_NO;
    s->items[1].error = uj_strdup("wrong output at esch256_ref.c:120, | seen");
    make(&s->items[2], "mine", 5000, NAN);
    s->items[2].verified = MEASURED_UNVERIFIED;
    s->items[2].energy_spread_nj = NAN;
    free(s->items[2].energy_method);
    s->items[2].energy_method = NULL;
    s->items[2].energy_reason = uj_strdup("no current of state 'idle'");
    make(&s->items[3], "sha256", 80000, 2199);
    for (size_t i = 0; i < 4; i++)
        s->rows[i] = &s->items[i];
}

static void free_sample(struct sample *s)
{
    for (size_t i = 0; i < 4; i++)
        measurement_free(&s->items[i]);
}

static struct table *table_of(const struct sample *s, const struct report_options *options)
{
    struct uj_ctx ctx = {0};
    struct table *t;
    if (report_measurements(&ctx, &t, s->rows, 4, options) != UJ_OK)
        fail_msg("%s", ctx.message);
    return t;
}

static void measurements_have_every_key_in_order(void **state)
{
    (void)state;
    struct sample s;
    make_sample(&s);
    struct table *t = table_of(&s, NULL);
    char *text = written(t, "json", false);
    json_t *root = parsed(text);
    assert_int_equal(json_array_size(root), 4);
    for (size_t i = 0; i < 4; i++) {
        json_t *row = json_array_get(root, i), *value;
        const char *key;
        size_t k = 0;
        assert_int_equal(json_object_size(row), measurement_field_count);
        json_object_foreach(row, key, value)
        {
            assert_string_equal(key, measurement_fields[k].name);
            k++;
        }
    }
    json_t *good = json_array_get(root, 0), *failed = json_array_get(root, 1),
           *unverified = json_array_get(root, 2);
    assert_true(json_is_true(json_object_get(good, "verified")));
    assert_true(json_is_false(json_object_get(good, "unverified")));
    assert_int_equal(json_integer_value(json_object_get(good, "cycles")), 40496);
    assert_true(json_is_integer(json_object_get(good, "time_ns")));
    assert_true(json_real_value(json_object_get(good, "energy_nj")) == 1099.3);
    assert_true(json_is_null(json_object_get(good, "su_bytes")));
    assert_int_equal(json_integer_value(json_object_get(good, "bss_bytes")), 0);
    assert_true(json_is_null(json_object_get(good, "error")));

    assert_true(json_is_false(json_object_get(failed, "verified")));
    for (size_t k = 0; k < measurement_field_count; k++) {
        if (measurement_fields[k].flags & FIELD_FIGURE)
            assert_true(json_is_null(json_object_get(failed, measurement_fields[k].name)));
    }
    assert_string_equal(json_string_value(json_object_get(failed, "error")), s.items[1].error);

    assert_true(json_is_null(json_object_get(unverified, "verified")));
    assert_true(json_is_true(json_object_get(unverified, "unverified")));
    assert_true(json_is_null(json_object_get(unverified, "energy_nj")));
    assert_string_equal(json_string_value(json_object_get(unverified, "energy_reason")),
                        "no current of state 'idle'");
    json_decref(root);
    free(text);
    table_free(t);
    free_sample(&s);
}

static void people_see_failures_and_reasons(void **state)
{
    (void)state;
    struct sample s;
    make_sample(&s);
    struct table *t = table_of(&s, NULL);
    assert_written(
        t, "table",
        "board     algorithm   implementation  bytes  verified    cycles  time (us)  cycles/B  "
        "energy (uJ)  +- (uJ)  by      ROM  RAM  stack  E-RANK  rank  error\n"
        "cw-xmega  ascon-hash  ref                16  yes          40496     5062.0    2531.0  "
        "      1.099     0.22  state  2648  153    150  0.1217  1     -\n"
        "cw-xmega  esch256     ref                16  NO               -          -         -  "
        "          -        -  -         -    -      -       -  -     wrong output at "
        "esch256_ref.c:120, | seen\n"
        "cw-xmega  mine        ref                16  unverified    5000      625.0     312.5  "
        "          -        -  -      2648  153    150       -  -     -\n"
        "cw-xmega  sha256      ref                16  yes          80000    10000.0    5000.0  "
        "      2.199     0.44  state  2648  153    150  0.0308  2     -\n"
        "cw-xmega: avr-gcc 5.4.0 -Os\n"
        "cw-xmega: no energy: no current of state 'idle'\n");
    static const char *const formats[] = {"table", "md", "csv", "json"};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        char *text = written(t, formats[i], false);
        assert_non_null(strstr(text, "wrong output at esch256"));
        free(text);
    }
    table_free(t);
    free_sample(&s);
}

static void columns_can_be_chosen(void **state)
{
    (void)state;
    struct sample s;
    make_sample(&s);
    char cycles[] = "cycles", algorithm[] = "algorithm", nonsense[] = "cycels";
    char *columns[] = {cycles, algorithm};
    struct table *t = table_of(&s, &(struct report_options){columns, 2, false});
    char *text = written(t, "table", false);
    const char *head = "cycles  algorithm\n 40496  ascon-hash\n     -  esch256\n";
    assert_memory_equal(text, head, strlen(head));
    free(text);
    table_free(t);

    char *wrong[] = {nonsense};
    struct uj_ctx ctx = {0};
    assert_int_equal(
        report_measurements(&ctx, &t, s.rows, 4, &(struct report_options){wrong, 1, false}),
        UJ_ERR_USAGE);
    assert_non_null(strstr(ctx.message, "did you mean 'cycles'"));
    free_sample(&s);
}

/* Ranking. */

static void overlapping_spreads_are_a_tie(void **state)
{
    (void)state;
    static const struct {
        double low[4], high[4];
        const char *places[4];
    } cases[] = {
        {{4, 3, 2, 1}, {4.5, 3.5, 2.5, 1.5}, {"1", "2", "3", "4"}},
        {{1, 2, 3, 4}, {1.5, 2.5, 3.5, 4.5}, {"4", "3", "2", "1"}},
        {{4, 3, 2, 1}, {4.5, 4.1, 2.5, 1.5}, {"1=", "1=", "3", "4"}},
        {{4, 3, 2, 1}, {4.5, 4.0, 2.5, 1.5}, {"1=", "1=", "3", "4"}}, /* touching */
        /* not transitive: the third is surely behind the first alone */
        {{4, 3, 2, 1}, {5, 4.5, 3.5, 1.5}, {"1=", "1=", "2=", "4"}},
        {{2, NAN, 1, NAN}, {2, NAN, 1, NAN}, {"1", "", "2", ""}},
        {{2, 2, 2, 2}, {2, 2, 2, 2}, {"1=", "1=", "1=", "1="}},
        {{1, 5, 2, 3}, {INFINITY, 6, 3, 4}, {"1=", "1=", "2=", "2="}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rank ranks[4];
        rank_values(ranks, cases[i].low, cases[i].high, 4);
        for (size_t k = 0; k < 4; k++) {
            char text[16];
            assert_string_equal(rank_text(text, sizeof text, &ranks[k]), cases[i].places[k]);
        }
    }
}

/* The five published hashes, with the energies' spread at 20 % and at 5 %. */
static void measurements_are_ranked_by_e_rank(void **state)
{
    (void)state;
    static const struct {
        const char *algorithm;
        int64_t cycles_per_byte, ram_bytes, rom_bytes;
        double energy_nj;
        const char *at_20_percent, *at_5_percent;
    } published[] = {
        {"ascon", 2531, 153, 2648, 1099.3, "2=", "3"},
        {"photon-beetle", 2158, 263, 1936, 950.55, "1=", "1"},
        {"xoodyak", 2450, 390, 2804, 1058.72, "3=", "4"},
        {"esch256", 1633, 396, 3990, 719.05, "1=", "2"},
        {"isap", 3953, 250, 4040, 1714.84, "5", "5"},
    };
    enum { COUNT = sizeof published / sizeof published[0] };
    struct measurement items[COUNT];
    const struct measurement *rows[COUNT];
    for (int percent = 20; percent >= 5; percent -= 15) {
        for (size_t i = 0; i < COUNT; i++) {
            make(&items[i], published[i].algorithm, 16 * published[i].cycles_per_byte,
                 published[i].energy_nj);
            items[i].rom_bytes = published[i].rom_bytes;
            items[i].ram_bytes = published[i].ram_bytes;
            items[i].energy_spread_nj = published[i].energy_nj * percent / 100;
            measurement_derive(&items[i]);
            rows[i] = &items[i];
        }
        struct rank ranks[COUNT];
        rank_measurements(ranks, rows, COUNT);
        for (size_t i = 0; i < COUNT; i++) {
            char text[16];
            assert_string_equal(rank_text(text, sizeof text, &ranks[i]),
                                percent == 20 ? published[i].at_20_percent
                                              : published[i].at_5_percent);
        }
        size_t order[COUNT];
        rank_order(order, rows, COUNT);
        static const size_t expected[COUNT] = {1, 3, 0, 2, 4};
        assert_memory_equal(order, expected, sizeof order);
        for (size_t i = 0; i < COUNT; i++)
            measurement_free(&items[i]);
    }
}

static void only_what_is_alike_is_compared(void **state)
{
    (void)state;
    struct sample s;
    make_sample(&s);
    struct rank ranks[4];
    rank_measurements(ranks, s.rows, 4);
    assert_int_equal(ranks[0].place, 1);
    assert_int_equal(ranks[1].place, 0); /* failed */
    assert_int_equal(ranks[2].place, 0); /* no energy */
    assert_int_equal(ranks[3].place, 2);
    s.items[3].message_bytes = 64;
    rank_measurements(ranks, s.rows, 4);
    assert_int_equal(ranks[3].place, 1);
    s.items[3].message_bytes = 16;
    s.items[3].board[0] = 'z';
    rank_measurements(ranks, s.rows, 4);
    assert_int_equal(ranks[3].place, 1);
    s.items[0].energy_spread_nj = s.items[0].energy_nj; /* could be nothing at all */
    rank_measurements(ranks, s.rows, 4);
    assert_true(isinf(ranks[0].high));
    free_sample(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_format_is_as_it_should_be),
        cmocka_unit_test(an_empty_table_has_its_headings),
        cmocka_unit_test(columns_get_their_si_prefix),
        cmocka_unit_test(a_column_can_follow_another),
        cmocka_unit_test(reals_read_back_the_same),
        cmocka_unit_test(odd_text_does_no_harm),
        cmocka_unit_test(csv_is_read_back),
        cmocka_unit_test(an_unknown_format_names_the_known),
        cmocka_unit_test(measurements_have_every_key_in_order),
        cmocka_unit_test(people_see_failures_and_reasons),
        cmocka_unit_test(columns_can_be_chosen),
        cmocka_unit_test(overlapping_spreads_are_a_tie),
        cmocka_unit_test(measurements_are_ranked_by_e_rank),
        cmocka_unit_test(only_what_is_alike_is_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
