#include "cli/study.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/folder.h"
#include "base/str.h"
#include "base/unknown.h"

/* Columns of published.csv. */
enum { CSV_FIGURE, CSV_DEVICE, CSV_ALGORITHM, CSV_METRIC, CSV_UNIT, CSV_VALUE, CSV_COLUMNS };

static enum uj_err read_row(struct uj_ctx *ctx, struct study *s, const char *path, int line,
                            char *text)
{
    char *fields[CSV_COLUMNS];
    size_t count = 0;
    for (char *next = text; next && count < CSV_COLUMNS; count++) {
        fields[count] = next;
        next = strchr(next, ',');
        if (next)
            *next++ = '\0';
    }
    char *end = NULL;
    double value = count == CSV_COLUMNS ? strtod(fields[CSV_VALUE], &end) : NAN;
    if (!end || end == fields[CSV_VALUE] || *end != '\0')
        return uj_fail(ctx, UJ_ERR_INPUT,
                       "%s:%d: a row must be figure,device,algorithm,metric,unit,number", path,
                       line);
    s->published = uj_realloc(s->published, (s->published_count + 1) * sizeof *s->published);
    s->published[s->published_count++] = (struct published_value){
        .device = uj_strdup(fields[CSV_DEVICE]),
        .algorithm = uj_strdup(fields[CSV_ALGORITHM]),
        .metric = uj_strdup(fields[CSV_METRIC]),
        .unit = uj_strdup(fields[CSV_UNIT]),
        .value = value,
    };
    return UJ_OK;
}

static enum uj_err read_published(struct uj_ctx *ctx, struct study *s)
{
    char *path = uj_format("%s/published.csv", s->folder);
    FILE *stream = fopen(path, "r");
    enum uj_err err = UJ_OK;
    if (!stream)
        err = uj_fail(ctx, UJ_ERR_INPUT, "%s: %s", path, strerror(errno));
    char line[512];
    bool heading = true;
    for (int number = 1; !err && fgets(line, sizeof line, stream); number++) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] == '#' || line[0] == '\0')
            continue;
        if (!heading)
            err = read_row(ctx, s, path, number, line);
        heading = false;
    }
    if (stream)
        (void)fclose(stream);
    free(path);
    return err;
}

static int is_study(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static enum uj_err unknown_study(struct uj_ctx *ctx, const char *studies, const char *name)
{
    struct dirent **entries = NULL;
    int found = scandir(studies, &entries, is_study, alphasort);
    size_t count = found > 0 ? (size_t)found : 0;
    const char **names = uj_calloc(count, sizeof *names);
    for (size_t i = 0; i < count; i++)
        names[i] = entries[i]->d_name;
    enum uj_err err = uj_fail_unknown(ctx, UJ_ERR_USAGE, "study", name, names, count);
    for (size_t i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
    free(names);
    return err;
}

enum uj_err study_load(struct uj_ctx *ctx, struct study **out, const char *name)
{
    char *studies;
    enum uj_err err = uj_folder(ctx, &studies, "studies");
    if (err)
        return err;
    struct study *s = uj_calloc(1, sizeof *s);
    const char *title = "";
    s->name = uj_strdup(name);
    s->folder = uj_format("%s/%s", studies, name);
    char *path = uj_format("%s/study.yaml", s->folder);
    FILE *probe = strchr(name, '/') ? NULL : fopen(path, "r");
    if (!probe)
        err = unknown_study(ctx, studies, name);
    else
        (void)fclose(probe);
    if (!err)
        err = yaml_load(ctx, &s->file, path);
    if (!err) {
        s->map = yaml_root(s->file);
        err = yaml_need_text(ctx, &title, s->map, "title");
    }
    if (!err) {
        s->title = uj_strdup(title);
        err = read_published(ctx, s);
    }
    free(path);
    free(studies);
    if (err)
        study_free(s);
    else
        *out = s;
    return err;
}

void study_free(struct study *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->published_count; i++) {
        free(s->published[i].device);
        free(s->published[i].algorithm);
        free(s->published[i].metric);
        free(s->published[i].unit);
    }
    free(s->published);
    yaml_close(s->file);
    free(s->name);
    free(s->folder);
    free(s->title);
    free(s);
}

double study_published(const struct study *s, const char *algorithm, const char *metric)
{
    for (size_t i = 0; i < s->published_count; i++)
        if (strcmp(s->published[i].algorithm, algorithm) == 0 &&
            strcmp(s->published[i].metric, metric) == 0)
            return s->published[i].value;
    return NAN;
}

enum uj_err study_store_open(struct uj_ctx *ctx, struct study_store *s)
{
    return s->store ? UJ_OK : store_open(ctx, &s->store, s->path, STORE_WRITE);
}
