/*
 * Whole files and folders.
 *
 * Laws: a written file appears whole or not at all, whatever kills the program; messages name the
 * path and what the system said; lists are sorted by byte value, so that results do not depend on
 * the file system.
 */
#ifndef UJ_BASE_FILE_H
#define UJ_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Reads at most `limit` bytes; a larger file is refused. A NUL that does not count follows the
 * bytes. UJ_ERR_INPUT where it cannot be read. */
enum uj_err file_read(struct uj_ctx *ctx, uint8_t **out, size_t *count, const char *path,
                      size_t limit) UJ_CHECK;

/* Writes under another name and renames; a device or pipe is written directly. */
enum uj_err file_write(struct uj_ctx *ctx, const char *path, const void *bytes,
                       size_t count) UJ_CHECK;

bool file_exists(const char *path); /* a regular file */
bool folder_exists(const char *path);

/* Makes the folder and those above it; one that exists is as good. */
enum uj_err folder_make(struct uj_ctx *ctx, const char *path) UJ_CHECK;
/* Removes a folder and what it holds, as far as it can; symbolic links are not followed. */
void folder_remove(const char *path);

/* The names in a folder, without those that begin with a dot. names_free() frees. */
enum uj_err folder_list(struct uj_ctx *ctx, char ***out, size_t *count, const char *path) UJ_CHECK;
void names_free(char **names, size_t count);

/* "a/b" of "a" and "b"; free it. */
char *path_join(const char *folder, const char *name);
/* The part behind the last slash; "" of a path that ends in one. */
const char *path_name(const char *path);

#endif
