/*
 * What the implementation takes of the image. Its own sections are those that the map lists for its
 * objects; the runtime's are those of other objects that it reaches: by relocations from the
 * sections that were kept, and within the members of an archive, which the map knows only whole, by
 * the map's cross references.
 */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "build/objects.h"
#include "build/steps.h"
#include "image/image.h"

/* A section of an object of ours, or a whole member of an archive (section NULL). */
struct unit {
    const char *object, *section;
    bool own;
};

struct walk {
    const struct build_steps *steps;
    const struct image *image;
    struct unit *units;
    size_t unit_count;
    struct object **objects; /* as steps->objects; read when first asked for */
};

/* The index of our own object of that name, or -1. */
static ptrdiff_t object_index(const struct walk *w, const char *name)
{
    for (size_t i = 0; i < w->steps->object_count; i++)
        if (strcmp(w->steps->objects[i].path, name) == 0)
            return (ptrdiff_t)i;
    return -1;
}

static bool is_own(const struct walk *w, const char *object)
{
    ptrdiff_t i = object_index(w, object);
    enum part part = i < 0 ? PART_FIRMWARE : w->steps->objects[i].group->part;
    return part == PART_OWN || part == PART_USED;
}

static void add_unit(struct walk *w, const char *object, const char *section, bool own)
{
    for (size_t i = 0; i < w->unit_count; i++) {
        const struct unit *u = &w->units[i];
        if (strcmp(u->object, object) == 0 &&
            (u->section == section || (u->section && section && strcmp(u->section, section) == 0)))
            return;
    }
    w->units = uj_realloc(w->units, (w->unit_count + 1) * sizeof *w->units);
    w->units[w->unit_count++] = (struct unit){object, section, own};
}

static enum uj_err object_at(struct uj_ctx *ctx, const struct object **out, struct walk *w,
                             size_t index)
{
    enum uj_err err = UJ_OK;
    if (!w->objects[index])
        err = object_read(ctx, &w->objects[index], w->steps->folder, w->steps->objects[index].path);
    *out = w->objects[index];
    return err;
}

/* The unit that defines the symbol, as the map says. */
static enum uj_err reach(struct uj_ctx *ctx, struct walk *w, const char *symbol)
{
    const struct map_symbol *s = map_symbol_named(w->steps->map, symbol);
    if (!s)
        return UJ_OK;
    ptrdiff_t index = object_index(w, s->definer);
    if (index < 0) {
        /* A member of an archive; an object that is none is the start-up code's. */
        if (str_ends(s->definer, ")"))
            add_unit(w, s->definer, NULL, false);
        return UJ_OK;
    }
    const struct object *o;
    enum uj_err err = object_at(ctx, &o, w, (size_t)index);
    const struct object_symbol *definition = err ? NULL : object_symbol_named(o, symbol);
    if (definition && definition->section)
        add_unit(w, w->steps->objects[index].path, o->sections[definition->section],
                 is_own(w, s->definer));
    return err;
}

static enum uj_err follow_section(struct uj_ctx *ctx, struct walk *w, struct unit u)
{
    const struct object *o;
    ptrdiff_t index = object_index(w, u.object);
    enum uj_err err = index < 0 ? UJ_OK : object_at(ctx, &o, w, (size_t)index);
    if (index < 0 || err)
        return err;
    for (size_t i = 0; i < o->reference_count && !err; i++) {
        const struct object_reference *r = &o->references[i];
        const struct object_symbol *s = &o->symbols[r->symbol];
        if (r->section >= o->section_count || strcmp(o->sections[r->section], u.section) != 0)
            continue;
        if (s->section)
            add_unit(w, u.object, o->sections[s->section], u.own);
        else if (!s->common)
            err = reach(ctx, w, s->name);
    }
    return err;
}

static enum uj_err follow_member(struct uj_ctx *ctx, struct walk *w, const char *member)
{
    const struct map *map = w->steps->map;
    enum uj_err err = UJ_OK;
    for (size_t i = 0; i < map->symbol_count && !err; i++)
        for (size_t u = 0; u < map->symbols[i].user_count && !err; u++)
            if (strcmp(map->symbols[i].users[u], member) == 0)
                err = reach(ctx, w, map->symbols[i].name);
    return err;
}

/* The kind of memory a section of the map came to lie in; false: none of the program's. */
static bool kind_of(const struct walk *w, const struct map_section *s,
                    enum image_section_kind *kind)
{
    const char *name = w->steps->map->outputs[s->output].name;
    for (size_t i = 0; i < w->image->section_count; i++) {
        if (strcmp(w->image->sections[i].name, name) == 0) {
            *kind = w->image->sections[i].kind;
            return true;
        }
    }
    return false;
}

static int64_t runtime_bytes(const struct walk *w)
{
    const struct map *map = w->steps->map;
    int64_t bytes = 0;
    enum image_section_kind kind;
    for (size_t i = 0; i < map->section_count; i++) {
        const struct map_section *s = &map->sections[i];
        if (is_own(w, s->object) || !kind_of(w, s, &kind) || kind == IMAGE_BSS)
            continue;
        for (size_t u = 0; u < w->unit_count; u++) {
            const struct unit *unit = &w->units[u];
            if (strcmp(unit->object, s->object) == 0 &&
                (!unit->section || strcmp(unit->section, s->name) == 0)) {
                bytes += (int64_t)s->bytes;
                break;
            }
        }
    }
    return bytes;
}

static enum uj_err measure_sections(struct uj_ctx *ctx, struct build_sizes *out, struct walk *w)
{
    const struct map *map = w->steps->map;
    int64_t *const totals[] = {[IMAGE_TEXT] = &out->text_bytes,
                               [IMAGE_RODATA] = &out->rodata_bytes,
                               [IMAGE_DATA] = &out->data_bytes,
                               [IMAGE_BSS] = &out->bss_bytes};
    enum uj_err err = UJ_OK;
    enum image_section_kind kind;
    for (size_t i = 0; i < map->section_count; i++) {
        const struct map_section *s = &map->sections[i];
        if (!is_own(w, s->object) || !kind_of(w, s, &kind))
            continue;
        *totals[kind] += (int64_t)s->bytes;
        add_unit(w, s->object, s->name, true);
    }
    for (size_t u = 0; u < w->unit_count && !err; u++)
        err = w->units[u].section ? follow_section(ctx, w, w->units[u])
                                  : follow_member(ctx, w, w->units[u].object);
    out->rom_bytes = out->text_bytes + out->rodata_bytes + out->data_bytes;
    out->runtime_bytes = runtime_bytes(w);
    return err;
}

/* Whether the function's section is in the image; functions have one each. */
static bool is_kept(const struct map *map, const char *object, const char *function)
{
    size_t length = strlen(function);
    for (size_t i = 0; i < map->section_count; i++) {
        const struct map_section *s = &map->sections[i];
        if (strcmp(s->object, object) != 0)
            continue;
        for (const char *at = s->name; (at = strstr(at, function)) != NULL; at++)
            if (at > s->name && at[-1] == '.' && (at[length] == '\0' || at[length] == '.'))
                return true;
    }
    return false;
}

/* One line of a .su file: "file.c:12:6:function<TAB>17<TAB>static". */
static bool read_usage(char *line, char **function, int64_t *bytes, bool *dynamic)
{
    char *tab = strchr(line, '\t');
    if (!tab)
        return false;
    *tab = '\0';
    char *name = strrchr(line, ':'), *end;
    *function = name ? name + 1 : line;
    *bytes = strtoll(tab + 1, &end, 10);
    if (end == tab + 1 || *end != '\t')
        return false;
    *dynamic = strncmp(end + 1, "dynamic", strlen("dynamic")) == 0;
    return true;
}

static enum uj_err add_usage(struct uj_ctx *ctx, struct build_result *out,
                             const struct build_steps *s, const struct build_object *object,
                             bool *any)
{
    uint8_t *text;
    size_t count;
    char *path = uj_format("%s/%.*s.su", s->folder, (int)(strlen(object->path) - 2), object->path);
    /* Assembly leaves none; clang, none of a file without functions. */
    bool there = file_exists(path);
    enum uj_err err = there ? file_read(ctx, &text, &count, path, 16 << 20) : UJ_OK;
    if (!err && there) {
        *any = true;
        char *save = NULL, *function = NULL;
        for (char *line = strtok_r((char *)text, "\n", &save); line && !err;
             line = strtok_r(NULL, "\n", &save)) {
            int64_t bytes = 0;
            bool dynamic = false;
            if (!read_usage(line, &function, &bytes, &dynamic)) {
                err = uj_fail(ctx, UJ_ERR_TOOL, "%s: not a line of stack figures: %s", path, line);
            } else if (object->group->part == PART_OWN || is_kept(s->map, object->path, function)) {
                out->su_bytes += bytes;
                out->su_dynamic |= dynamic;
            }
        }
        free(text);
    }
    free(path);
    return err;
}

enum uj_err steps_measure(struct uj_ctx *ctx, struct build_result *out, const struct build_steps *s)
{
    struct image *image;
    enum uj_err err =
        image_load(ctx, &image, s->elf_path, s->plan->request->board->core_class->elf_machine,
                   s->plan->request->board->core_class->isa);
    if (err)
        return err;
    struct walk w = {.steps = s, .image = image};
    w.objects = uj_calloc(s->object_count, sizeof(struct object *));
    out->sizes = (struct build_sizes){0};
    out->su_bytes = 0;
    out->su_dynamic = false;
    bool any_usage = false;
    err = measure_sections(ctx, &out->sizes, &w);
    for (size_t i = 0; i < s->object_count && !err; i++) {
        enum part part = s->objects[i].group->part;
        if ((part == PART_OWN || part == PART_USED) && !s->objects[i].left_out)
            err = add_usage(ctx, out, s, &s->objects[i], &any_usage);
    }
    if (!any_usage)
        out->su_bytes = -1;
    memcpy(out->image_sha256, image->sha256, sizeof out->image_sha256);
    for (size_t i = 0; i < s->object_count; i++)
        object_free(w.objects[i]);
    free(w.objects);
    free(w.units);
    image_free(image);
    return err;
}
