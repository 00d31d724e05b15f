#include "base/folder.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* The root above the program's own folder, or NULL. Build folders have a "primitives" of their own.
 */
static char *root_above_program(void)
{
    char place[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", place, sizeof place - 1);
    if (length < 0)
        return NULL;
    place[length] = '\0';
    for (char *slash; (slash = strrchr(place, '/')) != NULL;) {
        *slash = '\0';
        char *mark = uj_format("%s/devices/boards", place);
        bool found = is_folder(mark);
        free(mark);
        if (found)
            return uj_strdup(place);
    }
    return NULL;
}

enum uj_err uj_folder(struct uj_ctx *ctx, char **out, const char *name)
{
    const char *set = getenv("UJOULE_ROOT");
    bool is_set = set && set[0] != '\0';
    char *root = is_set ? uj_strdup(set) : root_above_program();
    if (!root)
        root = uj_strdup(UJ_SOURCE_DIR);
    *out = uj_format("%s/%s", root, name);
    enum uj_err err = UJ_OK;
    if (!is_folder(*out)) {
        err = uj_fail(ctx, UJ_ERR_IO, "no folder %s; %s UJOULE_ROOT to the folder that holds it",
                      *out, is_set ? "correct" : "set");
        free(*out);
        *out = NULL;
    }
    free(root);
    return err;
}
