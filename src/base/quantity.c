#include "base/quantity.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *text;
    double factor;
} prefixes[] = {
    {"f", 1e-15}, {"p", 1e-12}, {"n", 1e-9}, {"u", 1e-6},  {"m", 1e-3},       {"", 1},
    {"k", 1e3},   {"M", 1e6},   {"G", 1e9},  {"Ki", 1024}, {"Mi", 1048576.0},
};

/* The factor of a prefix followed by exactly `unit` at *text, or 0; moves *text behind it. */
static double read_unit(const char **text, const char *unit, size_t unit_length)
{
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        size_t length = strlen(prefixes[i].text);
        if (strncmp(*text, prefixes[i].text, length) != 0 ||
            strncmp(*text + length, unit, unit_length) != 0)
            continue;
        char after = (*text)[length + unit_length];
        if (after != '\0' && after != '/' && after != ' ')
            continue;
        *text += length + unit_length;
        return prefixes[i].factor;
    }
    return 0;
}

static const char *skip_spaces(const char *text)
{
    while (*text == ' ')
        text++;
    return text;
}

bool quantity_parse(double *out, const char *text, const char *unit)
{
    text = skip_spaces(text);
    if (!isdigit((unsigned char)*text) && *text != '-' && *text != '+' && *text != '.')
        return false;
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
        return false;
    char *end;
    double value = strtod(text, &end);
    if (end == text || !isfinite(value))
        return false;
    text = skip_spaces(end);

    if (*unit == '\0') {
        if (*text == '%') {
            value /= 100;
            text++;
        }
    } else {
        const char *slash = strchr(unit, '/');
        size_t length = slash ? (size_t)(slash - unit) : strlen(unit);
        double factor = read_unit(&text, unit, length);
        if (factor == 0)
            return false;
        value *= factor;
        if (slash) {
            if (*text++ != '/')
                return false;
            factor = read_unit(&text, slash + 1, strlen(slash + 1));
            if (factor == 0)
                return false;
            value /= factor;
        }
    }
    if (*skip_spaces(text) != '\0')
        return false;
    *out = value;
    return true;
}

const char *quantity_format(char *out, unsigned size, double value, const char *unit)
{
    static const char symbols[] = {'p', 'n', 'u', 'm', '\0', 'k', 'M', 'G'};
    int step = 4;
    double shown = value;
    while (fabs(shown) >= 999.95 && step < 7) {
        shown /= 1000;
        step++;
    }
    while (shown != 0 && fabs(shown) < 0.99995 && step > 0) {
        shown *= 1000;
        step--;
    }
    char prefix[2] = {symbols[step], '\0'};
    (void)snprintf(out, size, "%.4g %s%s", shown, prefix, unit);
    return out;
}
