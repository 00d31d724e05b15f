#include "build/objects.h"

#include <stdlib.h>
#include <string.h>

#include <gelf.h>
#include <libelf.h>

#include "base/file.h"
#include "base/str.h"

void object_free(struct object *o)
{
    if (!o)
        return;
    for (size_t i = 0; i < o->section_count; i++)
        free(o->sections[i]);
    for (size_t i = 0; i < o->symbol_count; i++)
        free(o->symbols[i].name);
    free(o->sections);
    free(o->symbols);
    free(o->references);
    free(o->path);
    free(o);
}

static char *copy(const char *text)
{
    return uj_strdup(text ? text : "");
}

static void read_symbols(struct object *o, Elf *elf, Elf_Scn *scn, const GElf_Shdr *head)
{
    Elf_Data *data = elf_getdata(scn, NULL);
    GElf_Sym sym;
    if (!data || head->sh_entsize == 0 || o->symbols)
        return;
    size_t count = (size_t)(head->sh_size / head->sh_entsize);
    o->symbols = uj_calloc(count, sizeof *o->symbols);
    for (size_t i = 0; i < count && gelf_getsym(data, (int)i, &sym); i++) {
        bool common = sym.st_shndx == SHN_COMMON;
        bool own = sym.st_shndx != SHN_UNDEF && sym.st_shndx < o->section_count;
        o->symbols[o->symbol_count++] = (struct object_symbol){
            .name = copy(elf_strptr(elf, head->sh_link, sym.st_name)),
            .section = own ? sym.st_shndx : 0,
            .bytes = sym.st_size,
            .common = common,
        };
    }
}

static void add_reference(struct object *o, size_t section, size_t symbol)
{
    size_t n = o->reference_count;
    if (symbol >= o->symbol_count)
        return;
    if ((n & (n - 1)) == 0)
        o->references = uj_realloc(o->references, (n ? 2 * n : 1) * sizeof *o->references);
    o->references[o->reference_count++] = (struct object_reference){section, symbol};
}

static void read_relocations(struct object *o, Elf_Scn *scn, const GElf_Shdr *head)
{
    Elf_Data *data = elf_getdata(scn, NULL);
    GElf_Rela with;
    GElf_Rel without;
    for (int i = 0; data; i++) {
        if (head->sh_type == SHT_RELA && gelf_getrela(data, i, &with))
            add_reference(o, head->sh_info, GELF_R_SYM(with.r_info));
        else if (head->sh_type == SHT_REL && gelf_getrel(data, i, &without))
            add_reference(o, head->sh_info, GELF_R_SYM(without.r_info));
        else
            break;
    }
}

static bool read_all(struct object *o, Elf *elf)
{
    size_t names, count;
    GElf_Shdr head;
    if (elf_getshdrnum(elf, &count) != 0 || elf_getshdrstrndx(elf, &names) != 0)
        return false;
    o->sections = uj_calloc(count, sizeof *o->sections);
    o->section_count = count;
    for (size_t i = 0; i < count; i++) {
        Elf_Scn *scn = elf_getscn(elf, i);
        o->sections[i] =
            copy(scn && gelf_getshdr(scn, &head) ? elf_strptr(elf, names, head.sh_name) : NULL);
    }
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn)) != NULL;)
        if (gelf_getshdr(scn, &head) && head.sh_type == SHT_SYMTAB)
            read_symbols(o, elf, scn, &head);
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn)) != NULL;)
        if (gelf_getshdr(scn, &head) && (head.sh_type == SHT_RELA || head.sh_type == SHT_REL))
            read_relocations(o, scn, &head);
    return true;
}

enum uj_err object_read(struct uj_ctx *ctx, struct object **out, const char *folder,
                        const char *path)
{
    uint8_t *bytes;
    size_t count;
    char *full = path_join(folder, path);
    *out = NULL;
    enum uj_err err = file_read(ctx, &bytes, &count, full, 64 << 20);
    if (!err) {
        (void)elf_version(EV_CURRENT);
        struct object *o = uj_calloc(1, sizeof *o);
        Elf *elf = elf_memory((char *)bytes, count);
        o->path = uj_strdup(path);
        if (elf && elf_kind(elf) == ELF_K_ELF && read_all(o, elf)) {
            *out = o;
        } else {
            object_free(o);
            err = uj_fail(ctx, UJ_ERR_TOOL, "%s: not an object file", full);
        }
        if (elf)
            (void)elf_end(elf);
        free(bytes);
    }
    free(full);
    return err;
}

const struct object_symbol *object_symbol_named(const struct object *o, const char *name)
{
    for (size_t i = 0; i < o->symbol_count; i++)
        if ((o->symbols[i].section || o->symbols[i].common) &&
            strcmp(o->symbols[i].name, name) == 0)
            return &o->symbols[i];
    return NULL;
}

int64_t object_symbol_bytes(const char *folder, const char *path, const char *symbol)
{
    struct uj_ctx unread = {0};
    struct object *o;
    if (object_read(&unread, &o, folder, path) != UJ_OK)
        return -1;
    const struct object_symbol *s = object_symbol_named(o, symbol);
    int64_t bytes = s ? (int64_t)s->bytes : -1;
    object_free(o);
    return bytes;
}

bool object_defines(const char *folder, const char *path, const char *symbol)
{
    return object_symbol_bytes(folder, path, symbol) >= 0;
}
