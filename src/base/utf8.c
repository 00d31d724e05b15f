#include "base/utf8.h"

#include <stdbool.h>
#include <stdint.h>

size_t utf8_sequence(const char *text)
{
    static const struct {
        uint8_t mask, lead;
        uint32_t lowest; /* code point; a lower one is overlong */
    } forms[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    const unsigned char *bytes = (const unsigned char *)text;
    for (size_t extra = 0; extra < sizeof forms / sizeof forms[0]; extra++) {
        if ((bytes[0] & forms[extra].mask) != forms[extra].lead)
            continue;
        uint32_t point = bytes[0] & (uint8_t)~forms[extra].mask;
        for (size_t i = 1; i <= extra; i++) {
            if ((bytes[i] & 0xc0) != 0x80) /* the final NUL too */
                return 0;
            point = point << 6 | (bytes[i] & 0x3f);
        }
        bool surrogate = point >= 0xd800 && point <= 0xdfff;
        return point < forms[extra].lowest || surrogate || point > 0x10ffff ? 0 : extra + 1;
    }
    return 0;
}

/* C0, DEL, and C1, which UTF-8 writes as C2 80 to C2 9F. */
static bool is_control(const char *text, size_t bytes)
{
    unsigned char first = (unsigned char)text[0];
    if (bytes == 1)
        return first < 0x20 || first == 0x7f;
    return bytes == 2 && first == 0xc2 && (unsigned char)text[1] < 0xa0;
}

static void add(struct str *out, const char *text, bool plain)
{
    while (*text) {
        size_t bytes = utf8_sequence(text);
        if (bytes == 0)
            str_add(out, "\xef\xbf\xbd");
        else if (plain && is_control(text, bytes))
            str_add(out, " ");
        else
            str_add_bytes(out, text, bytes);
        text += bytes ? bytes : 1;
    }
}

void utf8_add(struct str *out, const char *text)
{
    add(out, text, false);
}

void utf8_add_plain(struct str *out, const char *text)
{
    add(out, text, true);
}

size_t utf8_length(const char *text)
{
    size_t count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}
