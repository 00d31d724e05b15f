/* YAML and quantities: what is read, and what is refused with its place. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/quantity.h"
#include "base/yaml.h"

static void quantities(void **state)
{
    (void)state;
    static const struct {
        const char *text, *unit;
        double value;
    } good[] = {
        {"1.8 mA", "A", 1.8e-3}, {"1.8mA", "A", 1.8e-3}, {"7.3728 MHz", "Hz", 7372800},
        {"8 KiB", "B", 8192},    {"3.3 V", "V", 3.3},    {"0.295 mA/MHz", "A/Hz", 0.295e-9},
        {"20 %", "", 0.2},       {"12", "", 12},         {"51 ohm", "ohm", 51},
        {"-6 dB", "dB", -6},     {"5 us", "s", 5e-6},    {"210 uA/V", "A/V", 210e-6},
        {"1e3 Hz", "Hz", 1000},
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        double value = 0;
        assert_true(quantity_parse(&value, good[i].text, good[i].unit));
        assert_true(fabs(value / good[i].value - 1) < 1e-12);
    }
    static const char *const bad[][2] = {
        {"1,8 mA", "A"}, {"12", "A"},       {"12 mV", "A"},       {"1.8 mA x", "A"}, {"", "A"},
        {"mA", "A"},     {"0x10 Hz", "Hz"}, {"nan A", "A"},       {"1e999 A", "A"},  {"12 mA", ""},
        {"1 mA/", "A"},  {"1 mA", "A/Hz"},  {"1 MA/xHz", "A/Hz"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        double value;
        assert_false(quantity_parse(&value, bad[i][0], bad[i][1]));
    }
    char text[32];
    assert_string_equal(quantity_format(text, sizeof text, 0.00125, "A"), "1.25 mA");
    assert_string_equal(quantity_format(text, sizeof text, 7372800, "Hz"), "7.373 MHz");
    assert_string_equal(quantity_format(text, sizeof text, 0, "J"), "0 J");
}

static struct yaml *parse(struct uj_ctx *ctx, const char *text)
{
    struct yaml *file = NULL;
    return yaml_parse(ctx, &file, "a.yaml", text, strlen(text)) ? NULL : file;
}

static void refuses_with_place(void **state)
{
    (void)state;
    struct uj_ctx ctx = {0};
    assert_null(parse(&ctx, "a: [1,\nb: }"));
    assert_memory_equal(ctx.message, "a.yaml:2:", 9);
    uj_clear(&ctx);
    assert_null(parse(&ctx, ""));
    assert_non_null(strstr(ctx.message, "empty file"));
    uj_clear(&ctx);
    assert_null(parse(&ctx, "a: 1\na: 2\n"));
    assert_string_equal(ctx.message, "a.yaml:2:1: a: given twice, first in line 1");
    uj_clear(&ctx);

    struct yaml *file = parse(&ctx, "size: 010\nrate: 1.5\ncurrent: 12mAh\nlenght: 3\n");
    assert_non_null(file);
    const struct yaml_node *root = yaml_root(file);
    int64_t integer;
    double real;
    assert_int_equal(yaml_need_integer(&ctx, &integer, root, "size", 0, 99), UJ_ERR_INPUT);
    assert_string_equal(ctx.message, "a.yaml:1:7: size: \"010\" is no integer");
    uj_clear(&ctx);
    assert_int_equal(yaml_need_integer(&ctx, &integer, root, "rate", 0, 99), UJ_ERR_INPUT);
    uj_clear(&ctx);
    assert_int_equal(yaml_need_quantity(&ctx, &real, root, "current", "A"), UJ_ERR_INPUT);
    assert_string_equal(ctx.message, "a.yaml:3:10: current: \"12mAh\" is no quantity in A");
    uj_clear(&ctx);
    static const char *const keys[] = {"size", "rate", "current", "length"};
    assert_int_equal(yaml_only(&ctx, root, keys, 4), UJ_ERR_INPUT);
    assert_string_equal(ctx.message, "a.yaml:4:9: lenght: unknown key; did you mean \"length\"?");
    yaml_close(file);
}

/* Aliases of aliases would grow to 10^9 nodes. */
static void bounds_aliases(void **state)
{
    (void)state;
    struct uj_ctx ctx = {0};
    assert_null(
        parse(&ctx, "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
                    "b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n"
                    "d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\n"
                    "f: [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\n"));
    assert_non_null(strstr(ctx.message, "more than"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantities),
        cmocka_unit_test(refuses_with_place),
        cmocka_unit_test(bounds_aliases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
