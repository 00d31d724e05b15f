#include "build/map.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

/*
 * GNU ld writes four parts behind fixed headings. In the memory map a name at column 0 is an output
 * section, one at column 1 an input section, "*" a pattern or filling; a name too long for its
 * column stands alone, and its figures on the next line. Lines of symbols begin further right and
 * name no section.
 */
enum part { PART_HEAD, PART_MEMORY, PART_MAP, PART_CROSS };

static const struct {
    const char *heading;
    enum part part;
} headings[] = {
    {"Memory Configuration", PART_MEMORY},
    {"Linker script and memory map", PART_MAP},
    {"Cross Reference Table", PART_CROSS},
};

struct reader {
    struct map *map;
    enum map_format format;
    enum part part;
    char *output_name, *input_name; /* of a line that ended behind the name */
};

#define APPEND(map, items, count)                                           \
    ((map)->items = grow((map)->items, (map)->count, sizeof *(map)->items), \
     &(map)->items[(map)->count++])

/* Room for one more behind `count`; capacities are powers of two. */
static void *grow(void *items, size_t count, size_t bytes)
{
    if ((count & (count - 1)) != 0)
        return items;
    return uj_realloc(items, (count ? 2 * count : 1) * bytes);
}

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " \t");
}

/* One 0x-number; false: there is none. */
static bool take_number(const char **text, uint64_t *value)
{
    const char *at = skip_blanks(*text);
    if (!str_starts(at, "0x"))
        return false;
    char *end;
    *value = strtoull(at, &end, 16);
    if (*end && !isspace((unsigned char)*end))
        return false;
    *text = end;
    return true;
}

static char *take_rest(const char *text)
{
    text = skip_blanks(text);
    size_t length = strlen(text);
    while (length && isspace((unsigned char)text[length - 1]))
        length--;
    return uj_strndup(text, length);
}

static void forget_names(struct reader *r)
{
    free(r->output_name);
    free(r->input_name);
    r->output_name = r->input_name = NULL;
}

static void read_region(struct reader *r, const char *line)
{
    size_t length = strcspn(line, " \t");
    const char *figures = line + length;
    uint64_t origin, bytes;
    if (length == 0 || line[0] == '*' || !take_number(&figures, &origin) ||
        !take_number(&figures, &bytes))
        return;
    struct map_region *region = APPEND(r->map, regions, region_count);
    *region = (struct map_region){uj_strndup(line, length), origin, bytes};
}

static void read_output(struct reader *r, const char *name, size_t length, const char *figures)
{
    uint64_t address, bytes, load;
    if (!take_number(&figures, &address) || !take_number(&figures, &bytes))
        return;
    static const char loaded[] = "load address";
    figures = skip_blanks(figures);
    load = address;
    if (str_starts(figures, loaded)) {
        figures += strlen(loaded);
        if (!take_number(&figures, &load))
            return;
    }
    struct map_output *output = APPEND(r->map, outputs, output_count);
    *output = (struct map_output){uj_strndup(name, length), address, bytes, load};
}

static void read_input(struct reader *r, const char *name, size_t length, const char *figures)
{
    uint64_t address, bytes;
    if (!take_number(&figures, &address) || !take_number(&figures, &bytes) || bytes == 0 ||
        r->map->output_count == 0)
        return;
    struct map_section *section = APPEND(r->map, sections, section_count);
    *section = (struct map_section){
        .output = r->map->output_count - 1,
        .name = uj_strndup(name, length),
        .object = take_rest(figures),
        .address = address,
        .bytes = bytes,
    };
}

static void read_map_line(struct reader *r, const char *line)
{
    size_t indent = strspn(line, " ");
    const char *name = line + indent;
    size_t length = strcspn(name, " \t");
    if (indent > 1) {
        /* The figures of a name that stood alone, or a symbol's, which is no section's. */
        if (r->output_name)
            read_output(r, r->output_name, strlen(r->output_name), line);
        else if (r->input_name)
            read_input(r, r->input_name, strlen(r->input_name), line);
        forget_names(r);
        return;
    }
    forget_names(r);
    if (length == 0 || name[0] == '*')
        return;
    const char *figures = skip_blanks(name + length);
    char **pending = indent ? &r->input_name : &r->output_name;
    if (!*figures)
        *pending = uj_strndup(name, length);
    else if (indent)
        read_input(r, name, length, figures);
    else
        read_output(r, name, length, figures);
}

/*
 * lld: VMA, LMA and size in hexadecimal, the alignment, and a name whose column says what it names:
 * one blank behind the alignment begins an output section, eight more an input section as
 * "OBJECT:(NAME)", eight more a symbol. Assignments of the script stand in the first two columns
 * and end in no parenthesis, or hold a blank.
 */
static void read_lld_line(struct reader *r, const char *line)
{
    uint64_t figures[4];
    const char *at = line;
    for (size_t i = 0; i < 4; i++) {
        char *end;
        at = skip_blanks(at);
        figures[i] = strtoull(at, &end, i < 3 ? 16 : 10);
        if (end == at || *end != ' ')
            return;
        at = end;
    }
    const char *name = skip_blanks(at);
    size_t blanks = (size_t)(name - at), length = strlen(name);
    struct map *map = r->map;
    if (blanks == 1 && !strpbrk(name, " =")) {
        struct map_output *output = APPEND(map, outputs, output_count);
        *output = (struct map_output){uj_strdup(name), figures[0], figures[2], figures[1]};
        return;
    }
    const char *section = strstr(name, ":(");
    if (blanks != 9 || !section || name[length - 1] != ')' || figures[2] == 0 ||
        map->output_count == 0)
        return;
    for (const char *next; (next = strstr(section + 1, ":(")) != NULL;)
        section = next;
    struct map_section *input = APPEND(map, sections, section_count);
    *input = (struct map_section){
        .output = map->output_count - 1,
        .name = uj_strndup(section + 2, strlen(section) - 3),
        .object = uj_strndup(name, (size_t)(section - name)),
        .address = figures[0],
        .bytes = figures[2],
    };
}

/* "symbol   definer" and, indented, each of its users; the heading of the table has no slash or
 * dot. */
static void read_cross_line(struct reader *r, const char *line)
{
    size_t indent = strspn(line, " ");
    if (!line[indent] || (indent == 0 && str_starts(line, "Symbol ")))
        return;
    if (indent) {
        if (r->map->symbol_count == 0)
            return;
        struct map_symbol *s = &r->map->symbols[r->map->symbol_count - 1];
        if (!s->definer) {
            s->definer = take_rest(line);
            return;
        }
        s->users = grow(s->users, s->user_count, sizeof *s->users);
        s->users[s->user_count++] = take_rest(line);
        return;
    }
    size_t length = strcspn(line, " ");
    struct map_symbol *s = APPEND(r->map, symbols, symbol_count);
    *s = (struct map_symbol){.name = uj_strndup(line, length)};
    /* A name too long for its column: the definer is on the next line. */
    if (*skip_blanks(line + length))
        s->definer = take_rest(line + length);
}

static void read_line(struct reader *r, const char *line)
{
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++) {
        if (strcmp(line, headings[i].heading) == 0) {
            r->part = headings[i].part;
            return;
        }
    }
    switch (r->part) {
    case PART_HEAD:
        if (r->format == MAP_LLD)
            read_lld_line(r, line);
        break;
    case PART_MEMORY: read_region(r, line); break;
    case PART_MAP: read_map_line(r, line); break;
    case PART_CROSS: read_cross_line(r, line); break;
    }
}

static int symbol_order(const void *a, const void *b)
{
    const struct map_symbol *left = a, *right = b;
    return strcmp(left->name, right->name);
}

enum uj_err map_parse(struct uj_ctx *ctx, struct map **out, enum map_format format,
                      const char *name, const char *text)
{
    struct reader r = {.map = uj_calloc(1, sizeof *r.map), .format = format};
    struct map *map = r.map;
    for (const char *at = text; *at;) {
        size_t length = strcspn(at, "\n");
        char *line = uj_strndup(at, length);
        if (length && line[length - 1] == '\r')
            line[length - 1] = '\0';
        read_line(&r, line);
        free(line);
        at += length + (at[length] == '\n');
    }
    forget_names(&r);
    if (r.part != PART_CROSS || map->section_count == 0) {
        map_free(map);
        *out = NULL;
        return uj_fail(ctx, UJ_ERR_TOOL, "%s: not a linker map that can be read", name);
    }
    for (size_t i = 0; i < map->symbol_count; i++)
        if (!map->symbols[i].definer)
            map->symbols[i].definer = uj_strdup("");
    if (map->symbol_count)
        qsort(map->symbols, map->symbol_count, sizeof *map->symbols, symbol_order);
    *out = map;
    return UJ_OK;
}

void map_free(struct map *map)
{
    if (!map)
        return;
    for (size_t i = 0; i < map->region_count; i++)
        free(map->regions[i].name);
    for (size_t i = 0; i < map->output_count; i++)
        free(map->outputs[i].name);
    for (size_t i = 0; i < map->section_count; i++) {
        free(map->sections[i].name);
        free(map->sections[i].object);
    }
    for (size_t i = 0; i < map->symbol_count; i++) {
        struct map_symbol *s = &map->symbols[i];
        for (size_t j = 0; j < s->user_count; j++)
            free(s->users[j]);
        free(s->users);
        free(s->name);
        free(s->definer);
    }
    free(map->regions);
    free(map->outputs);
    free(map->sections);
    free(map->symbols);
    free(map);
}

const struct map_symbol *map_symbol_named(const struct map *map, const char *name)
{
    const struct map_symbol key = {.name = (char *)name};
    if (map->symbol_count == 0)
        return NULL;
    return bsearch(&key, map->symbols, map->symbol_count, sizeof key, symbol_order);
}

/* The region with the highest origin at or below the address, or NULL. */
static const struct map_region *region_of(const struct map *map, uint64_t address)
{
    const struct map_region *best = NULL;
    for (size_t i = 0; i < map->region_count; i++) {
        const struct map_region *r = &map->regions[i];
        if (r->origin <= address && (!best || r->origin > best->origin))
            best = r;
    }
    return best;
}

static bool begins_with_any(const char *name, const char *const *beginnings)
{
    for (size_t i = 0; beginnings[i]; i++)
        if (str_starts(name, beginnings[i]))
            return true;
    return false;
}

uint64_t map_overflow(const struct map *map, const struct map_region *region)
{
    /* The map does not say which sections are of the program's memory, and which of those have
     * bytes. */
    static const char *const no_memory[] = {
        ".debug", ".stab", ".comment", ".note", ".ARM.attributes", ".riscv.attributes",
        ".gnu.",  NULL};
    static const char *const no_bytes[] = {".bss", ".noinit", ".stack", ".heap", NULL};
    uint64_t end = region->origin + region->bytes, last = end;
    for (size_t i = 0; i < map->output_count; i++) {
        const struct map_output *o = &map->outputs[i];
        const uint64_t places[] = {o->address, o->load};
        if (o->bytes == 0 || begins_with_any(o->name, no_memory))
            continue;
        for (size_t p = 0; p < (begins_with_any(o->name, no_bytes) ? 1 : 2); p++)
            if (region_of(map, places[p]) == region && places[p] + o->bytes > last)
                last = places[p] + o->bytes;
    }
    return last - end;
}
