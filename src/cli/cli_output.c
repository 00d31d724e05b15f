/* Results go to standard output, or to a file that is seen whole or not at all. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

static bool is_standard_output(const char *path)
{
    return !path || strcmp(path, "-") == 0;
}

static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return uj_strdup(".");
    return slash == path ? uj_strdup("/") : uj_strndup(path, (size_t)(slash - path));
}

static enum uj_err cannot_write(struct uj_ctx *ctx, const char *path)
{
    return uj_fail(ctx, UJ_ERR_IO, "%s: cannot write: %s; name another file with -o", path,
                   strerror(errno));
}

/* A device or a pipe: written directly, since a rename would replace it. */
static bool is_direct(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

enum uj_err cli_output_check(struct uj_ctx *ctx, const char *path)
{
    struct stat info;
    if (is_standard_output(path))
        return UJ_OK;
    if (path[0] == '\0')
        return uj_fail(ctx, UJ_ERR_USAGE, "-o: the name of a file is missing");
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return uj_fail(ctx, UJ_ERR_USAGE, "%s: a folder; name a file with -o", path);
    char *folder = folder_of(path);
    bool fits = is_direct(path) ? access(path, W_OK) == 0 : access(folder, W_OK | X_OK) == 0;
    free(folder);
    return fits ? UJ_OK : cannot_write(ctx, path);
}

static bool write_all(int fd, const void *bytes, size_t count)
{
    for (const char *next = bytes; count > 0;) {
        ssize_t written = write(fd, next, count);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        next += written;
        count -= (size_t)written;
    }
    return true;
}

static enum uj_err write_direct(struct uj_ctx *ctx, const char *path, const void *bytes,
                                size_t count)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool good = fd >= 0 && write_all(fd, bytes, count);
    enum uj_err err = good ? UJ_OK : cannot_write(ctx, path);
    if (fd >= 0 && close(fd) != 0 && err == UJ_OK)
        err = cannot_write(ctx, path);
    return err;
}

/* Where the link leads: the file behind it is replaced, not the link. */
static char *real_path(const char *path)
{
    char *real = realpath(path, NULL);
    return real ? real : uj_strdup(path);
}

static enum uj_err write_renamed(struct uj_ctx *ctx, const char *path, const void *bytes,
                                 size_t count)
{
    char *final = real_path(path);
    char *temporary = uj_format("%s.%ld.part", final, (long)getpid());
    struct stat old;
    bool replaces = stat(final, &old) == 0;
    enum uj_err err = UJ_OK;
    int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) {
        err = cannot_write(ctx, path);
        goto out;
    }
    bool good = write_all(fd, bytes, count);
    if (good && replaces)
        good = fchmod(fd, old.st_mode & 07777) == 0;
    good = good && fsync(fd) == 0;
    if (!good)
        err = cannot_write(ctx, path);
    if (close(fd) != 0 && err == UJ_OK)
        err = cannot_write(ctx, path);
    if (err == UJ_OK && rename(temporary, final) != 0)
        err = cannot_write(ctx, path);
    if (err != UJ_OK)
        (void)unlink(temporary);
out:
    free(temporary);
    free(final);
    return err;
}

enum uj_err cli_output(struct uj_ctx *ctx, const char *path, const void *bytes, size_t count)
{
    if (is_standard_output(path)) {
        if (fwrite(bytes, 1, count, stdout) != count || fflush(stdout) != 0) {
            int reason = errno;
            clearerr(stdout); /* reported here */
            return uj_fail(ctx, UJ_ERR_IO, "cannot write standard output: %s", strerror(reason));
        }
        return UJ_OK;
    }
    enum uj_err err = cli_output_check(ctx, path);
    if (err != UJ_OK)
        return err;
    return is_direct(path) ? write_direct(ctx, path, bytes, count)
                           : write_renamed(ctx, path, bytes, count);
}

bool cli_colour(int descriptor)
{
    const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if ((no && no[0] != '\0') || !terminal || strcmp(terminal, "dumb") == 0)
        return false;
    return isatty(descriptor);
}

enum uj_err cli_output_table(struct uj_ctx *ctx, const char *path,
                             const struct table_format *format, const struct table *t)
{
    struct table_style style = {.colour = is_standard_output(path) && cli_colour(STDOUT_FILENO)};
    struct str text;
    str_init(&text);
    format->write(&text, t, &style);
    enum uj_err err = cli_output(ctx, path, text.text, text.length);
    str_free(&text);
    return err;
}
