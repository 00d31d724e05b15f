/* ELF by libelf, after the tables were held against the file's length: what libelf is given is
 * whole. */
#include <stdlib.h>
#include <string.h>

#include <gelf.h>
#include <libelf.h>

#include "base/str.h"
#include "image/image.h"
#include "image/image_internal.h"

static const struct {
    unsigned machine;
    const char *name;
} machine_names[] = {
    {EM_AVR, "AVR"},       {EM_MSP430, "MSP430"}, {EM_ARM, "Arm"},         {EM_RISCV, "RISC-V"},
    {EM_X86_64, "x86-64"}, {EM_386, "x86"},       {EM_AARCH64, "AArch64"},
};

static char *machine_word(unsigned machine)
{
    for (size_t i = 0; i < sizeof machine_names / sizeof *machine_names; i++)
        if (machine_names[i].machine == machine)
            return uj_strdup(machine_names[i].name);
    return uj_format("machine number %u", machine);
}

static enum uj_err truncated(struct uj_ctx *ctx, const struct image *image, const char *what,
                             uint64_t end)
{
    return uj_fail(ctx, UJ_ERR_INPUT, "%s: cut off: %s ends at byte %llu of %zu", image->path, what,
                   (unsigned long long)end, image->file_bytes);
}

/* The head alone, before libelf sees anything. */
static enum uj_err check_head(struct uj_ctx *ctx, const struct image *image, unsigned machine,
                              const char *machine_name)
{
    const uint8_t *bytes = image->file;
    if (image->file_bytes < EI_NIDENT)
        return truncated(ctx, image, "the ELF head", sizeof(Elf32_Ehdr));
    if (bytes[EI_CLASS] != ELFCLASS32 || bytes[EI_DATA] != ELFDATA2LSB)
        return uj_fail(ctx, UJ_ERR_INPUT, "%s: not a 32-bit little-endian ELF file%s%s",
                       image->path, machine ? ", as one for " : "", machine ? machine_name : "");
    if (image->file_bytes < sizeof(Elf32_Ehdr))
        return truncated(ctx, image, "the ELF head", sizeof(Elf32_Ehdr));
    /* File and host are little-endian, both structures packed by nature. */
    Elf32_Ehdr head;
    memcpy(&head, bytes, sizeof head);
    if (machine && head.e_machine != machine) {
        char *word = machine_word(head.e_machine);
        enum uj_err err = uj_fail(ctx, UJ_ERR_INPUT, "%s: an ELF file for %s; the chip is %s",
                                  image->path, word, machine_name);
        free(word);
        return err;
    }
    if (head.e_type != ET_EXEC)
        return uj_fail(ctx, UJ_ERR_INPUT, "%s: not a linked program%s", image->path,
                       head.e_type == ET_REL ? " but an object file; link it first" : "");
    if (head.e_version != EV_CURRENT || bytes[EI_VERSION] != EV_CURRENT)
        return uj_fail(ctx, UJ_ERR_INPUT, "%s: an ELF file of an unknown version", image->path);
    if (head.e_phnum == 0 || head.e_phentsize != sizeof(Elf32_Phdr))
        return uj_fail(ctx, UJ_ERR_INPUT, "%s: no program headers, so nothing to load",
                       image->path);
    if (head.e_phnum > IMAGE_SEGMENTS_MAX || head.e_shnum > IMAGE_SECTIONS_MAX)
        return uj_fail(ctx, UJ_ERR_INPUT,
                       "%s: %u segments and %u sections, more than is taken for true", image->path,
                       head.e_phnum, head.e_shnum);
    uint64_t end = (uint64_t)head.e_phoff + (uint64_t)head.e_phnum * sizeof(Elf32_Phdr);
    if (end > image->file_bytes)
        return truncated(ctx, image, "the table of segments", end);
    if (head.e_shoff == 0)
        return UJ_OK;
    if (head.e_shentsize != sizeof(Elf32_Shdr) || head.e_shnum == 0)
        return uj_fail(ctx, UJ_ERR_INPUT, "%s: a damaged table of sections", image->path);
    end = (uint64_t)head.e_shoff + (uint64_t)head.e_shnum * sizeof(Elf32_Shdr);
    if (end > image->file_bytes)
        return truncated(ctx, image, "the table of sections", end);
    return UJ_OK;
}

static enum uj_err read_segments(struct uj_ctx *ctx, struct image *image, Elf *elf)
{
    size_t count = 0;
    if (elf_getphdrnum(elf, &count) != 0 || count > IMAGE_SEGMENTS_MAX)
        return uj_fail(ctx, UJ_ERR_INPUT, "%s: a damaged table of segments", image->path);
    image->segments = uj_calloc(count, sizeof *image->segments);
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr p;
        if (!gelf_getphdr(elf, (int)i, &p))
            return uj_fail(ctx, UJ_ERR_INPUT, "%s: segment %zu cannot be read", image->path, i);
        if (p.p_type != PT_LOAD || p.p_filesz == 0)
            continue;
        if (p.p_offset + p.p_filesz > image->file_bytes)
            return truncated(ctx, image, "a segment", p.p_offset + p.p_filesz);
        if (p.p_memsz < p.p_filesz)
            return uj_fail(ctx, UJ_ERR_INPUT, "%s: segment %zu holds more bytes than memory",
                           image->path, i);
        image->segments[image->segment_count++] = (struct image_segment){
            .address = (uint32_t)p.p_paddr,
            .bytes = (uint32_t)p.p_filesz,
            .data = image->file + p.p_offset,
        };
    }
    return UJ_OK;
}

/* Sections that no memory of the program's holds: AVR's EEPROM, fuses, lock bits and signatures. */
static bool elsewhere(const struct image *image, const GElf_Shdr *s)
{
    return image->machine == EM_AVR && s->sh_addr >= AVR_EEPROM;
}

/* The string at the offset of a string table, or NULL; the table lies within the file. */
static const char *string_at(const struct image *image, const GElf_Shdr *table, uint64_t offset)
{
    if (offset >= table->sh_size)
        return NULL;
    const char *text = (const char *)image->file + table->sh_offset + offset;
    return memchr(text, 0, table->sh_size - offset) ? text : NULL;
}

static enum uj_err add_section(struct uj_ctx *ctx, struct image *image, const GElf_Shdr *s,
                               const GElf_Shdr *names)
{
    if (!(s->sh_flags & SHF_ALLOC) || s->sh_size == 0 || elsewhere(image, s))
        return UJ_OK;
    const char *name = string_at(image, names, s->sh_name);
    if (!name)
        return uj_fail(ctx, UJ_ERR_INPUT, "%s: a section whose name lies outside the file",
                       image->path);
    struct image_section section = {name, (uint32_t)s->sh_addr, (uint32_t)s->sh_size, IMAGE_RODATA};
    if (s->sh_type == SHT_NOBITS)
        section.kind = IMAGE_BSS;
    else if (s->sh_flags & SHF_WRITE)
        section.kind = IMAGE_DATA;
    else if (s->sh_flags & SHF_EXECINSTR)
        section.kind = IMAGE_TEXT;
    image->bss_bytes += section.kind == IMAGE_BSS ? section.bytes : 0;
    image->data_bytes += section.kind == IMAGE_DATA ? section.bytes : 0;
    image->rom_bytes += section.kind == IMAGE_BSS ? 0 : section.bytes;
    image->sections[image->section_count++] = section;
    return UJ_OK;
}

/* Names that assemblers and compilers make for themselves. */
static bool is_noise(const char *name)
{
    return name[0] == '\0' || name[0] == '$' || str_starts(name, ".L");
}

static enum uj_err read_symbol(struct uj_ctx *ctx, struct image *image, Elf *elf,
                               const GElf_Sym *sym, const GElf_Shdr *names)
{
    unsigned type = GELF_ST_TYPE(sym->st_info);
    bool global = GELF_ST_BIND(sym->st_info) != STB_LOCAL;
    bool absolute = sym->st_shndx == SHN_ABS;
    if (type > STT_FUNC || sym->st_shndx == SHN_UNDEF || (absolute && !global) ||
        (!absolute && sym->st_shndx >= SHN_LORESERVE))
        return UJ_OK;
    const char *name = string_at(image, names, sym->st_name);
    if (!name)
        return uj_fail(ctx, UJ_ERR_INPUT, "%s: a symbol whose name lies outside the file",
                       image->path);
    if (is_noise(name))
        return UJ_OK;

    struct image_symbol s = {.name = name, .address = (uint32_t)sym->st_value, .global = global};
    s.kind = absolute             ? IMAGE_CONSTANT
             : type == STT_FUNC   ? IMAGE_FUNCTION
             : type == STT_OBJECT ? IMAGE_OBJECT
                                  : IMAGE_LABEL;
    if (s.kind == IMAGE_FUNCTION && image->machine == EM_ARM)
        s.address &= ~UINT32_C(1);
    s.end = s.address;
    if (!absolute) {
        GElf_Shdr section;
        Elf_Scn *scn = elf_getscn(elf, sym->st_shndx);
        if (!scn || !gelf_getshdr(scn, &section))
            return uj_fail(ctx, UJ_ERR_INPUT, "%s: symbol %s lies in a section that does not exist",
                           image->path, name);
        if (!(section.sh_flags & SHF_ALLOC))
            return UJ_OK;
        uint64_t end = section.sh_addr + section.sh_size;
        s.bytes = (uint32_t)sym->st_size;
        /* Runtimes in assembly often give a function's size and forget its type. */
        if (s.kind == IMAGE_LABEL && s.bytes && (section.sh_flags & SHF_EXECINSTR))
            s.kind = IMAGE_FUNCTION;
        if (s.bytes)
            end = (uint64_t)s.address + s.bytes;
        s.end = end > UINT32_MAX ? UINT32_MAX : (uint32_t)end;
    }
    image->symbols[image->symbol_count++] = s;
    return UJ_OK;
}

static enum uj_err read_symbols(struct uj_ctx *ctx, struct image *image, Elf *elf, Elf_Scn *scn,
                                const GElf_Shdr *head)
{
    GElf_Shdr names;
    Elf_Scn *names_scn = elf_getscn(elf, head->sh_link);
    if (image->symbols || !names_scn || !gelf_getshdr(names_scn, &names) ||
        names.sh_type != SHT_STRTAB || head->sh_entsize != sizeof(Elf32_Sym) ||
        head->sh_size / sizeof(Elf32_Sym) > IMAGE_SYMBOLS_MAX)
        return uj_fail(ctx, UJ_ERR_INPUT, "%s: a damaged table of symbols", image->path);
    Elf_Data *data = elf_getdata(scn, NULL);
    size_t count = (size_t)head->sh_size / sizeof(Elf32_Sym);
    if (!data || data->d_size != head->sh_size)
        return uj_fail(ctx, UJ_ERR_INPUT, "%s: a damaged table of symbols", image->path);
    image->symbols = uj_calloc(count, sizeof *image->symbols);
    for (size_t i = 1; i < count; i++) {
        GElf_Sym sym;
        if (!gelf_getsym(data, (int)i, &sym))
            return uj_fail(ctx, UJ_ERR_INPUT, "%s: symbol %zu cannot be read", image->path, i);
        enum uj_err err = read_symbol(ctx, image, elf, &sym, &names);
        if (err)
            return err;
    }
    image_sort_symbols(image);
    return UJ_OK;
}

static enum uj_err read_sections(struct uj_ctx *ctx, struct image *image, Elf *elf)
{
    /* All are held against the file first: names and symbols refer to any of them. */
    Elf_Scn *symbols = NULL;
    GElf_Shdr head, symbols_head = {0}, names = {0};
    size_t names_index = 0, count = 0;
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn)) != NULL; count++) {
        if (!gelf_getshdr(scn, &head))
            return uj_fail(ctx, UJ_ERR_INPUT, "%s: section %zu cannot be read", image->path,
                           elf_ndxscn(scn));
        if (head.sh_type != SHT_NOBITS && head.sh_type != SHT_NULL &&
            head.sh_offset + head.sh_size > image->file_bytes)
            return truncated(ctx, image, "a section", head.sh_offset + head.sh_size);
        if (head.sh_type != SHT_SYMTAB)
            continue;
        if (symbols)
            return uj_fail(ctx, UJ_ERR_INPUT, "%s: two tables of symbols", image->path);
        symbols = scn;
        symbols_head = head;
    }
    if (count == 0)
        return UJ_OK;
    Elf_Scn *names_scn =
        elf_getshdrstrndx(elf, &names_index) == 0 ? elf_getscn(elf, names_index) : NULL;
    if (!names_scn || !gelf_getshdr(names_scn, &names) || names.sh_type != SHT_STRTAB)
        return uj_fail(ctx, UJ_ERR_INPUT, "%s: the sections have no names", image->path);
    image->sections = uj_calloc(count, sizeof *image->sections);
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn)) != NULL;) {
        enum uj_err err = gelf_getshdr(scn, &head) ? add_section(ctx, image, &head, &names) : UJ_OK;
        if (err)
            return err;
    }
    return symbols ? read_symbols(ctx, image, elf, symbols, &symbols_head) : UJ_OK;
}

enum uj_err image_read_elf(struct uj_ctx *ctx, struct image *image, unsigned machine,
                           const char *machine_name)
{
    enum uj_err err = check_head(ctx, image, machine, machine_name);
    if (err)
        return err;
    (void)elf_version(EV_CURRENT);
    Elf *elf = elf_memory((char *)image->file, image->file_bytes);
    GElf_Ehdr head;
    if (!elf || !gelf_getehdr(elf, &head)) {
        err = uj_fail(ctx, UJ_ERR_INPUT, "%s: not a readable ELF file: %s", image->path,
                      elf_errmsg(-1));
        goto out;
    }
    image->form = IMAGE_ELF;
    image->machine = head.e_machine;
    image->entry = (uint32_t)head.e_entry;
    err = read_segments(ctx, image, elf);
    if (!err)
        err = read_sections(ctx, image, elf);
    /* A stripped file without sections still tells its sizes by its segments, but not apart. */
    if (!err && head.e_shoff == 0)
        image->rom_bytes = image->data_bytes = image->bss_bytes = -1;
out:
    if (elf)
        (void)elf_end(elf);
    return err;
}
