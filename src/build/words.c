#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "build/plan.h"

void words_take(struct words *w, char *word)
{
    w->items = uj_realloc(w->items, (w->count + 2) * sizeof *w->items);
    w->items[w->count++] = word;
    w->items[w->count] = NULL;
}

void words_add(struct words *w, const char *word)
{
    words_take(w, uj_strdup(word));
}

void words_add_all(struct words *w, const char *const *list)
{
    for (size_t i = 0; list && list[i]; i++)
        words_add(w, list[i]);
}

void words_add_split(struct words *w, const char *text)
{
    static const char blanks[] = " \t\r\n";
    for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
        size_t length = strcspn(text, blanks);
        words_take(w, uj_strndup(text, length));
        text += length;
    }
}

char *words_join(const struct words *w)
{
    struct str s;
    str_init(&s);
    for (size_t i = 0; i < w->count; i++)
        str_addf(&s, "%s%s", i ? " " : "", w->items[i]);
    return s.text;
}

void words_free(struct words *w)
{
    for (size_t i = 0; i < w->count; i++)
        free(w->items[i]);
    free(w->items);
    *w = (struct words){0};
}
