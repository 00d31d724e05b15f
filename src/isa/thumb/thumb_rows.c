#include "isa/thumb/thumb_rows.h"

#include <stddef.h>
#include <string.h>

const struct thumb_row thumb_rows[] = {
#define INSN(name_, pattern_, limits_, arch_, class_, attributes_, kind_, text_, ...) \
    {.name = #name_,                                                                  \
     .pattern = pattern_,                                                             \
     .limits = limits_,                                                               \
     .attributes = attributes_,                                                       \
     .text = text_,                                                                   \
     .op = OP_##name_,                                                                \
     .arch = arch_,                                                                   \
     .class = CLASS_##class_,                                                         \
     .kind = kind_},
#define INSN_S(name_, pattern_, limits_, arch_, class_, attributes_, kind_, text_, ...) \
    {.name = #name_,                                                                    \
     .pattern = pattern_,                                                               \
     .limits = limits_,                                                                 \
     .attributes = attributes_,                                                         \
     .text = text_,                                                                     \
     .op = OP_##name_,                                                                  \
     .arch = arch_,                                                                     \
     .class = CLASS_##class_,                                                           \
     .kind = kind_,                                                                     \
     .sets_flags_outside_it = true},
#include "isa/thumb/thumb.isa"
#undef INSN
#undef INSN_S
};
const unsigned thumb_row_count = sizeof thumb_rows / sizeof thumb_rows[0];

const char *const thumb_class_names[THUMB_CLASSES] = {
#define THUMB_CLASS(name, m0plus, m3, m33, what) #name,
#include "isa/thumb/thumb_classes.h"
#undef THUMB_CLASS
};
const char *const thumb_class_texts[THUMB_CLASSES] = {
#define THUMB_CLASS(name, m0plus, m3, m33, what) what,
#include "isa/thumb/thumb_classes.h"
#undef THUMB_CLASS
};
THUMB_TABLE uint8_t thumb_class_cycles[THUMB_CLASSES][THUMB_CORES] = {
#define THUMB_CLASS(name, m0plus, m3, m33, what) {m0plus, m3, m33},
#include "isa/thumb/thumb_classes.h"
#undef THUMB_CLASS
};

bool thumb_row_is_wide(const struct thumb_row *row)
{
    return strlen(row->pattern) > 20;
}

uint32_t thumb_field(const struct thumb_row *row, uint32_t code, char letter, bool *has)
{
    uint32_t value = 0;
    bool found = false;
    unsigned bit = thumb_row_is_wide(row) ? 32 : 16;
    for (const char *p = row->pattern; *p; p++) {
        if (*p == ' ')
            continue;
        bit--;
        if (*p == letter) {
            value = value << 1 | (code >> bit & 1);
            found = true;
        }
    }
    if (has)
        *has = found;
    return value;
}

/* One condition of the limits, "n!=15" or "n==m"; moves *text behind it. */
static bool limit_holds(const struct thumb_row *row, uint32_t code, const char **text)
{
    const char *p = *text;
    uint32_t left = thumb_field(row, code, *p++, NULL), right = 0;
    const char first = *p++;
    if (*p == '=')
        p++;
    if (*p >= '0' && *p <= '9')
        while (*p >= '0' && *p <= '9')
            right = right * 10 + (uint32_t)(*p++ - '0');
    else
        right = thumb_field(row, code, *p++, NULL);
    while (*p == ' ')
        p++;
    *text = p;
    return first == '!'   ? left != right
           : first == '=' ? left == right
           : first == '<' ? left < right
                          : left >= right;
}

bool thumb_row_matches(const struct thumb_row *row, uint32_t code, bool wide)
{
    if (wide != thumb_row_is_wide(row))
        return false;
    unsigned bit = wide ? 32 : 16;
    for (const char *p = row->pattern; *p; p++) {
        if (*p == ' ')
            continue;
        bit--;
        if ((*p == '0' || *p == '1') && (code >> bit & 1) != (uint32_t)(*p - '0'))
            return false;
    }
    for (const char *limits = row->limits; *limits;)
        if (!limit_holds(row, code, &limits))
            return false;
    return true;
}

const struct thumb_row *thumb_row_of(uint32_t code, bool wide)
{
    for (unsigned i = 0; i < thumb_row_count; i++)
        if (thumb_row_matches(&thumb_rows[i], code, wide))
            return &thumb_rows[i];
    return NULL;
}

bool thumb_core_has(enum thumb_core_kind core, enum thumb_arch arch)
{
    switch (core) {
    case THUMB_M0PLUS: return arch == V6M;
    case THUMB_M3: return arch == V6M || arch == V7M;
    default: return true;
    }
}
