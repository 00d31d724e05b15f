#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"

char *path_join(const char *folder, const char *name)
{
    const char *between = *folder == '\0' || str_ends(folder, "/") ? "" : "/";
    return uj_format("%s%s%s", folder, between, name);
}

const char *path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool file_exists(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISREG(s.st_mode);
}

bool folder_exists(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

/* Reads until the end or until more than `limit` bytes are there. False: errno says why. */
static bool read_all(int fd, uint8_t **out, size_t *count, size_t limit)
{
    size_t capacity = 65536, used = 0;
    uint8_t *bytes = uj_malloc(capacity + 1);
    while (used <= limit) {
        if (used == capacity) {
            capacity *= 2;
            bytes = uj_realloc(bytes, capacity + 1);
        }
        ssize_t got = read(fd, bytes + used, capacity - used);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            free(bytes);
            return false;
        }
        if (got == 0)
            break;
        used += (size_t)got;
    }
    bytes[used] = '\0';
    *out = bytes;
    *count = used;
    return true;
}

enum uj_err file_read(struct uj_ctx *ctx, uint8_t **out, size_t *count, const char *path,
                      size_t limit)
{
    *out = NULL;
    *count = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return uj_fail(ctx, UJ_ERR_INPUT, "%s: %s", path, strerror(errno));
    enum uj_err err = UJ_OK;
    struct stat s;
    if (fstat(fd, &s) == 0 && S_ISDIR(s.st_mode)) {
        err = uj_fail(ctx, UJ_ERR_INPUT, "%s: a folder; give a file", path);
    } else if (!read_all(fd, out, count, limit)) {
        err = uj_fail(ctx, UJ_ERR_INPUT, "%s: %s", path, strerror(errno));
    } else if (*count > limit) {
        err = uj_fail(ctx, UJ_ERR_INPUT, "%s: larger than %zu bytes, the most that is read", path,
                      limit);
        free(*out);
        *out = NULL;
    }
    (void)close(fd);
    return err;
}

static bool write_all(int fd, const uint8_t *bytes, size_t count)
{
    while (count > 0) {
        ssize_t done = write(fd, bytes, count);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return false;
        bytes += done;
        count -= (size_t)done;
    }
    return true;
}

static enum uj_err write_directly(struct uj_ctx *ctx, const char *path, const void *bytes,
                                  size_t count)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return uj_fail(ctx, UJ_ERR_IO, "%s: %s", path, strerror(errno));
    bool good = write_all(fd, bytes, count);
    int error = errno;
    if (close(fd) != 0 && good) {
        good = false;
        error = errno;
    }
    return good ? UJ_OK : uj_fail(ctx, UJ_ERR_IO, "%s: %s", path, strerror(error));
}

enum uj_err file_write(struct uj_ctx *ctx, const char *path, const void *bytes, size_t count)
{
    struct stat s;
    if (stat(path, &s) == 0 && S_ISDIR(s.st_mode))
        return uj_fail(ctx, UJ_ERR_IO, "%s: a folder; give the name of a file", path);
    if (stat(path, &s) == 0 && !S_ISREG(s.st_mode))
        return write_directly(ctx, path, bytes, count);

    /* Not mkstemp(): the result is to be an ordinary file, with the permissions that the user's
     * mask gives. */
    uint64_t random = 0;
    if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random)
        random = (uint64_t)getpid();
    char *other = uj_format("%s.%016llx.new", path, (unsigned long long)random);
    bool good = false;
    int fd = open(other, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0) {
        good = write_all(fd, bytes, count);
        good = close(fd) == 0 && good;
        good = good && rename(other, path) == 0;
    }
    int error = errno;
    if (fd >= 0 && !good)
        (void)unlink(other);
    free(other);
    return good ? UJ_OK : uj_fail(ctx, UJ_ERR_IO, "%s: %s", path, strerror(error));
}

enum uj_err folder_make(struct uj_ctx *ctx, const char *path)
{
    char *part = uj_strdup(path);
    enum uj_err err = UJ_OK;
    for (char *slash = part; !err && slash;) {
        slash = strchr(slash + 1, '/');
        if (slash)
            *slash = '\0';
        if (*part && mkdir(part, 0777) != 0 && !(errno == EEXIST && folder_exists(part))) {
            int error = errno == EEXIST ? ENOTDIR : errno;
            err = uj_fail(ctx, UJ_ERR_IO, "%s: cannot make this folder: %s", part, strerror(error));
        }
        if (slash)
            *slash = '/';
    }
    free(part);
    return err;
}

/* The folder `name` of the open folder `parent`, by descriptors, so that no link leads elsewhere.
 */
static void remove_at(int parent, const char *name)
{
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = fd < 0 ? NULL : fdopendir(fd);
    if (!folder) {
        if (fd >= 0)
            (void)close(fd);
        (void)unlinkat(parent, name, 0);
        return;
    }
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (unlinkat(fd, entry->d_name, 0) != 0)
            remove_at(fd, entry->d_name);
    }
    (void)closedir(folder);
    (void)unlinkat(parent, name, AT_REMOVEDIR);
}

void folder_remove(const char *path)
{
    remove_at(AT_FDCWD, path);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

enum uj_err folder_list(struct uj_ctx *ctx, char ***out, size_t *count, const char *path)
{
    *out = NULL;
    *count = 0;
    DIR *folder = opendir(path);
    if (!folder)
        return uj_fail(ctx, UJ_ERR_INPUT, "%s: %s", path, strerror(errno));
    char **names = NULL;
    size_t used = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        names = uj_realloc(names, (used + 1) * sizeof *names);
        names[used++] = uj_strdup(entry->d_name);
    }
    (void)closedir(folder);
    if (used)
        qsort(names, used, sizeof *names, by_name);
    *out = names;
    *count = used;
    return UJ_OK;
}

void names_free(char **names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
}
