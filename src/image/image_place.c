/*
 * Addresses back to the source, by libdw. A handle of libdw keeps what it has read, so each
 * question opens its own: it is asked when something failed, and any thread may ask.
 */
#include <stdlib.h>
#include <string.h>

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <libelf.h>

#include "base/str.h"
#include "image/image.h"

/* The innermost function, inlined ones included, that covers the address; NULL: none. */
static char *function_name(Dwarf_Die *unit, Dwarf_Addr address)
{
    Dwarf_Die *scopes = NULL;
    int count = dwarf_getscopes(unit, address, &scopes);
    char *name = NULL;
    for (int i = 0; i < count && !name; i++) {
        int tag = dwarf_tag(&scopes[i]);
        if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine)
            continue;
        Dwarf_Attribute attribute;
        const char *text =
            dwarf_formstring(dwarf_attr_integrate(&scopes[i], DW_AT_name, &attribute));
        if (text)
            name = uj_strdup(text);
    }
    if (count > 0)
        free(scopes);
    return name;
}

/* "file.c:12" and the function, by the debug information; false: it does not say. */
static bool by_debug_information(const struct image *image, uint32_t address, char **place,
                                 char **function)
{
    bool found = false;
    (void)elf_version(EV_CURRENT);
    Elf *elf = elf_memory((char *)image->file, image->file_bytes);
    Dwarf *dwarf = elf ? dwarf_begin_elf(elf, DWARF_C_READ, NULL) : NULL;
    Dwarf_CU *cu = NULL;
    Dwarf_Die unit;
    while (dwarf && !found && dwarf_get_units(dwarf, cu, &cu, NULL, NULL, &unit, NULL) == 0) {
        if (dwarf_haspc(&unit, address) != 1)
            continue;
        Dwarf_Line *line = dwarf_getsrc_die(&unit, address);
        const char *file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
        int number = 0;
        if (!file || dwarf_lineno(line, &number) != 0)
            continue;
        while (str_starts(file, "./"))
            file += 2;
        *place = uj_format("%s:%d", file, number);
        *function = function_name(&unit, address);
        found = true;
    }
    if (dwarf)
        (void)dwarf_end(dwarf);
    if (elf)
        (void)elf_end(elf);
    return found;
}

char *image_place(const struct image *image, uint32_t address)
{
    char *place = NULL, *function = NULL, *text;
    const struct image_symbol *symbol = image_symbol_at(image, address);
    if (image->form == IMAGE_ELF && by_debug_information(image, address, &place, &function)) {
        const char *name = function ? function : symbol ? symbol->name : NULL;
        text = name ? uj_format("%s (%s)", place, name) : uj_strdup(place);
    } else if (symbol) {
        uint32_t offset = address - symbol->address;
        text = offset ? uj_format("%s+0x%x", symbol->name, offset) : uj_strdup(symbol->name);
    } else {
        text = uj_format("0x%x", address);
    }
    free(place);
    free(function);
    return text;
}
