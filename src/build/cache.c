#include "build/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"
#include "base/yaml.h"

/* The figures of an entry: the members of struct build_result that only a build can tell. */
#define FIGURES(out)                                                                            \
    {                                                                                           \
        {"text_bytes", &(out)->sizes.text_bytes}, {"rodata_bytes", &(out)->sizes.rodata_bytes}, \
            {"data_bytes", &(out)->sizes.data_bytes}, {"bss_bytes", &(out)->sizes.bss_bytes},   \
            {"rom_bytes", &(out)->sizes.rom_bytes},                                             \
            {"runtime_bytes", &(out)->sizes.runtime_bytes}, {"su_bytes", &(out)->su_bytes},     \
            {"output_bytes", &(out)->output_bytes},                                             \
    }
struct figure {
    const char *name;
    int64_t *value;
};

static char *entry_path(const struct build_plan *p, const char *name)
{
    return uj_format("%s/images/%s%s%s", p->cache, p->key, *name ? "/" : "", name);
}

static bool read_record(struct build_result *out, const char *path)
{
    struct uj_ctx unread = {0};
    struct yaml *file;
    const char *sha256 = NULL;
    const struct figure figures[] = FIGURES(out);
    if (!file_exists(path) || yaml_load(&unread, &file, path) != UJ_OK)
        return false;
    const struct yaml_node *map = yaml_root(file);
    enum uj_err err = map->kind == YAML_MAP ? UJ_OK : UJ_ERR_INPUT;
    for (size_t i = 0; i < sizeof figures / sizeof *figures && !err; i++)
        err = yaml_need_integer(&unread, figures[i].value, map, figures[i].name, -1, INT32_MAX);
    if (!err)
        err = yaml_get_bool(&unread, &out->su_dynamic, map, "su_dynamic");
    if (!err)
        err = yaml_need_text(&unread, &sha256, map, "image_sha256");
    if (!err && strlen(sha256) == HASH_TEXT - 1)
        memcpy(out->image_sha256, sha256, HASH_TEXT);
    else
        err = UJ_ERR_INPUT;
    yaml_close(file);
    return err == UJ_OK;
}

bool cache_find(struct build_result *out, const struct build_plan *p)
{
    struct build_result found = {0};
    struct uj_ctx unread = {0};
    uint8_t *bytes = NULL;
    size_t count;
    char digest[HASH_TEXT] = "";
    char *record = entry_path(p, "result.yaml"), *elf = entry_path(p, "image.elf");
    bool good =
        read_record(&found, record) && file_read(&unread, &bytes, &count, elf, 64 << 20) == UJ_OK;
    if (good)
        hash_of(digest, bytes, count);
    good = good && strcmp(digest, found.image_sha256) == 0;
    if (good) {
        out->sizes = found.sizes;
        out->su_bytes = found.su_bytes;
        out->su_dynamic = found.su_dynamic;
        out->output_bytes = found.output_bytes;
        memcpy(out->image_sha256, found.image_sha256, HASH_TEXT);
        out->elf_path = elf;
        elf = NULL;
    }
    free(bytes);
    free(record);
    free(elf);
    return good;
}

enum uj_err cache_lock(struct uj_ctx *ctx, struct cache_lock *lock, const struct build_plan *p)
{
    char *folder = path_join(p->cache, "work");
    enum uj_err err = folder_make(ctx, folder);
    *lock = (struct cache_lock){-1, uj_format("%s/%s.lock", folder, p->key)};
    free(folder);
    while (!err) {
        struct stat held, there;
        lock->fd = open(lock->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        int locked = -1;
        while (lock->fd >= 0 && (locked = flock(lock->fd, LOCK_EX)) != 0 && errno == EINTR)
            ;
        if (locked != 0) {
            err = uj_fail(ctx, UJ_ERR_IO, "%s: cannot be locked: %s", lock->path, strerror(errno));
        } else if (fstat(lock->fd, &held) == 0 && stat(lock->path, &there) == 0 &&
                   held.st_ino == there.st_ino && held.st_dev == there.st_dev) {
            return UJ_OK;
        }
        /* The one before has removed the file while we waited for it: once more. */
        if (lock->fd >= 0)
            (void)close(lock->fd);
        lock->fd = -1;
    }
    free(lock->path);
    lock->path = NULL;
    return err;
}

void cache_unlock(struct cache_lock *lock)
{
    if (lock->fd < 0)
        return;
    (void)unlink(lock->path);
    (void)close(lock->fd);
    free(lock->path);
    *lock = (struct cache_lock){-1, NULL};
}

/* What builds left that were killed: the locks that nobody holds, and the folders that go by their
 * names. */
static void sweep(const char *folder, const char *own_key)
{
    struct uj_ctx unread = {0};
    char **names;
    size_t count;
    if (folder_list(&unread, &names, &count, folder) != UJ_OK)
        return;
    for (size_t i = 0; i < count; i++) {
        static const char ending[] = ".lock";
        if (!str_ends(names[i], ending) || str_starts(names[i], own_key))
            continue;
        char *lock = path_join(folder, names[i]);
        int fd = open(lock, O_RDWR | O_CLOEXEC);
        if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0) {
            char *work = uj_strndup(lock, strlen(lock) - strlen(ending)),
                 *made = uj_format("%s.new", work);
            folder_remove(work);
            folder_remove(made);
            (void)unlink(lock);
            free(work);
            free(made);
        }
        if (fd >= 0)
            (void)close(fd);
        free(lock);
    }
    names_free(names, count);
}

enum uj_err cache_work_folder(struct uj_ctx *ctx, char **out, const struct build_plan *p)
{
    char *work = path_join(p->cache, "work");
    *out = path_join(work, p->key);
    sweep(work, p->key);
    folder_remove(*out);
    free(work);
    return folder_make(ctx, *out);
}

static enum uj_err write_record(struct uj_ctx *ctx, struct build_result *r, const char *folder)
{
    const struct figure figures[] = FIGURES(r);
    struct str s;
    str_init(&s);
    str_addf(&s, "image_sha256: %s\n", r->image_sha256);
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        str_addf(&s, "%s: %lld\n", figures[i].name, (long long)*figures[i].value);
    str_addf(&s, "su_dynamic: %s\n", r->su_dynamic ? "true" : "false");
    char *path = path_join(folder, "result.yaml");
    enum uj_err err = file_write(ctx, path, s.text, s.length);
    free(path);
    str_free(&s);
    return err;
}

enum uj_err cache_publish(struct uj_ctx *ctx, struct build_result *out, const struct build_plan *p,
                          const char *elf_path)
{
    char *images = path_join(p->cache, "images");
    char *entry = entry_path(p, ""), *made = uj_format("%s/work/%s.new", p->cache, p->key);
    char *elf = path_join(made, "image.elf");
    folder_remove(made);
    enum uj_err err = folder_make(ctx, images);
    if (!err)
        err = folder_make(ctx, made);
    if (!err && rename(elf_path, elf) != 0)
        err = uj_fail(ctx, UJ_ERR_IO, "%s: %s", elf, strerror(errno));
    if (!err)
        err = write_record(ctx, out, made);
    if (!err) {
        /* A damaged entry gives way; another's whole one is as good as ours. */
        struct build_result other = {0};
        if (folder_exists(entry) && !cache_find(&other, p))
            folder_remove(entry);
        free(other.elf_path);
        if (rename(made, entry) != 0 && errno != EEXIST && errno != ENOTEMPTY)
            err = uj_fail(ctx, UJ_ERR_IO, "%s: %s", entry, strerror(errno));
        folder_remove(made);
    }
    if (!err)
        out->elf_path = entry_path(p, "image.elf");
    free(images);
    free(entry);
    free(made);
    free(elf);
    return err;
}
