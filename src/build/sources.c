#include "build/sources.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"

enum {
    MOST_FILES = 2000,
    MOST_BYTES = 64 << 20, /* of all together */
    DEEPEST = 6,
};

static const char *const compiled_endings[] = {".c", ".S", ".s", NULL};
static const char *const other_endings[] = {".h", ".inc", ".def", ".H", ".ld", NULL};

static bool ends_in(const char *name, const char *const *endings)
{
    for (size_t i = 0; endings[i]; i++)
        if (str_ends(name, endings[i]) && strlen(name) > strlen(endings[i]))
            return true;
    return false;
}

static struct source *append(struct sources *s)
{
    s->items = uj_realloc(s->items, (s->count + 1) * sizeof *s->items);
    s->items[s->count] = (struct source){0};
    return &s->items[s->count++];
}

/* `below` is the part of the path behind the folder itself, "" at its top. */
static enum uj_err read_folder(struct uj_ctx *ctx, struct sources *s, const char *folder,
                               const char *stage, const char *below, int depth)
{
    char **names;
    size_t count;
    char *here = *below ? path_join(folder, below) : uj_strdup(folder);
    enum uj_err err = folder_list(ctx, &names, &count, here);
    for (size_t i = 0; i < count && !err; i++) {
        char *path = path_join(here, names[i]);
        char *name = path_join(below, names[i]);
        bool compiled = depth == 0 && ends_in(names[i], compiled_endings);
        bool taken =
            compiled || ends_in(names[i], compiled_endings) || ends_in(names[i], other_endings);
        if (taken && file_exists(path)) {
            if (s->count >= MOST_FILES) {
                err =
                    uj_fail(ctx, UJ_ERR_INPUT, "%s: more than %d source files", folder, MOST_FILES);
            } else {
                struct source *source = append(s);
                source->path = path_join(stage, name);
                source->name = uj_strdup(name);
                source->compiled = compiled;
                for (const char *c = name; *c; c++)
                    if (iscntrl((unsigned char)*c))
                        err = uj_fail(ctx, UJ_ERR_INPUT, "%s: a file name with a control character",
                                      here);
                if (!err)
                    err =
                        file_read(ctx, &source->bytes, &source->count, path, MOST_BYTES - s->bytes);
                s->bytes += source->count;
            }
        } else if (depth < DEEPEST && folder_exists(path)) {
            err = read_folder(ctx, s, folder, stage, name, depth + 1);
        }
        free(path);
        free(name);
    }
    names_free(names, count);
    free(here);
    return err;
}

enum uj_err sources_read(struct uj_ctx *ctx, struct sources *s, const char *folder,
                         const char *stage)
{
    return read_folder(ctx, s, folder, stage, "", 0);
}

void sources_add(struct sources *s, const char *stage, const char *name, const char *text,
                 bool compiled)
{
    struct source *source = append(s);
    source->path = path_join(stage, name);
    source->name = uj_strdup(name);
    source->count = strlen(text);
    source->bytes = (uint8_t *)uj_strdup(text);
    source->compiled = compiled;
}

void sources_free(struct sources *s)
{
    for (size_t i = 0; i < s->count; i++) {
        free(s->items[i].path);
        free(s->items[i].name);
        free(s->items[i].bytes);
    }
    free(s->items);
    *s = (struct sources){0};
}

void sources_hash(const struct sources *s, struct hash *h)
{
    for (size_t i = 0; i < s->count; i++) {
        hash_text(h, s->items[i].path);
        hash_text(h, s->items[i].compiled ? "compiled" : "included");
        hash_field(h, s->items[i].bytes, s->items[i].count);
    }
}

enum uj_err sources_stage(struct uj_ctx *ctx, const struct sources *s, const char *folder)
{
    enum uj_err err = UJ_OK;
    for (size_t i = 0; i < s->count && !err; i++) {
        char *path = path_join(folder, s->items[i].path);
        char *slash = strrchr(path, '/');
        *slash = '\0';
        err = folder_make(ctx, path);
        *slash = '/';
        if (!err)
            err = file_write(ctx, path, s->items[i].bytes, s->items[i].count);
        free(path);
    }
    return err;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The first character behind the comment or string that begins here; the same where none does. */
static const char *skip_text(const char *at)
{
    if (at[0] == '/' && at[1] == '/')
        return at + strcspn(at, "\n");
    if (at[0] == '/' && at[1] == '*') {
        const char *end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if (*at != '"' && *at != '\'')
        return at;
    const char *end = at + 1;
    while (*end && *end != *at && *end != '\n')
        end += end[0] == '\\' && end[1] ? 2 : 1;
    return *end == *at ? end + 1 : end;
}

bool source_has_word(const struct source *source, const char *word)
{
    size_t length = strlen(word);
    const char *at = (const char *)source->bytes;
    while (*at) {
        const char *behind = skip_text(at);
        if (behind != at) {
            at = behind;
            continue;
        }
        size_t here = 0;
        while (is_word(at[here]))
            here++;
        if (here == length && strncmp(at, word, length) == 0)
            return true;
        at += here ? here : 1;
    }
    return false;
}
