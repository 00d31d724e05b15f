#include <string.h>

#include <elf.h>

#include "image/image.h"
#include "image/image_internal.h"
#include "sim/machine.h"

/* Bytes of plain memory from the address on, regions that touch counted together. */
static uint64_t room_at(struct mem_space *space, uint32_t address)
{
    uint64_t at = address;
    while (at <= space->address_mask) {
        const struct mem_region *region = mem_region_at(space, (uint32_t)at);
        if (!region || !region->host)
            break;
        at = (uint64_t)region->base + region->size;
    }
    return at - address;
}

static enum uj_err place(struct uj_ctx *ctx, const struct image *image,
                         const struct image_segment *s, struct machine *m, struct mem_space *space,
                         uint32_t address, const char *what)
{
    uint64_t room = address > space->address_mask ? 0 : room_at(space, address);
    if (room < s->bytes)
        return uj_fail(ctx, UJ_ERR_INPUT,
                       "%s: does not fit: it needs %u bytes of %s at 0x%x, the chip has %llu",
                       image->path, s->bytes, what, address, (unsigned long long)room);
    if (!mem_poke(space, address, s->data, s->bytes))
        return uj_fail(ctx, UJ_ERR_INPUT, "%s: %u bytes of %s at 0x%x cannot be placed",
                       image->path, s->bytes, what, address);
    if (space == m->core->code && m->core->class->code_changed)
        m->core->class->code_changed(m->core, address, s->bytes);
    return UJ_OK;
}

static enum uj_err place_eeprom(struct uj_ctx *ctx, const struct image *image,
                                const struct image_segment *s, struct machine *m)
{
    uint32_t offset = s->address - AVR_EEPROM;
    for (size_t i = 0; i < m->region_count; i++) {
        struct mem_region *region = &m->regions[i];
        if (strcmp(region->name, "eeprom") != 0 || !region->host)
            continue;
        if (offset > region->size || region->size - offset < s->bytes)
            return uj_fail(ctx, UJ_ERR_INPUT,
                           "%s: does not fit: it needs %u bytes of EEPROM at 0x%x, the chip has %u",
                           image->path, s->bytes, offset, region->size);
        memcpy(region->host + offset, s->data, s->bytes);
        return UJ_OK;
    }
    return uj_fail(ctx, UJ_ERR_INPUT,
                   "%s: holds %u bytes for an EEPROM, and the board has none modelled", image->path,
                   s->bytes);
}

/* Where the program will have its data there must be RAM: an image for a sibling of the chip shows
 * here. */
static enum uj_err check_ram(struct uj_ctx *ctx, const struct image *image, struct machine *m)
{
    for (size_t i = 0; i < image->section_count; i++) {
        const struct image_section *s = &image->sections[i];
        uint32_t address = image_data_address(image, s->address);
        if (s->kind != IMAGE_DATA && s->kind != IMAGE_BSS)
            continue;
        uint64_t room = address > m->data.address_mask ? 0 : room_at(&m->data, address);
        if (room < s->bytes)
            return uj_fail(
                ctx, UJ_ERR_INPUT,
                "%s: does not fit: it needs %u bytes of RAM at 0x%x (%s), the chip has %llu",
                image->path, s->bytes, address, s->name, (unsigned long long)room);
    }
    return UJ_OK;
}

static bool word_at(const struct image *image, uint32_t address, uint32_t *out)
{
    for (size_t i = 0; i < image->segment_count; i++) {
        const struct image_segment *s = &image->segments[i];
        if (address >= s->address && s->bytes >= 4 && address - s->address <= s->bytes - 4) {
            memcpy(out, (const uint8_t *)s->data + (address - s->address), sizeof *out);
            return true;
        }
    }
    return false;
}

/* A table whose reset vector is Thumb code of the image, with a stack in RAM. */
static bool is_vector_table(const struct image *image, struct machine *m, uint32_t address)
{
    uint32_t stack, start, code;
    if (!word_at(image, address, &stack) || !word_at(image, address + 4, &start))
        return false;
    const struct mem_region *ram = mem_region_at(&m->data, stack - 4);
    return stack % 4 == 0 && ram && ram->host && !ram->read_only && start & 1 &&
           word_at(image, start & ~3u, &code);
}

/* Where an Arm image has its vector table: at the beginning of a part of it, or behind the 256
 * bytes of a second-stage loader; one that names the entry comes first. UINT32_MAX: nowhere. */
static uint32_t find_vectors(const struct image *image, struct machine *m)
{
    uint32_t found = UINT32_MAX;
    for (size_t i = 0; i < image->segment_count; i++)
        for (uint32_t skip = 0; skip <= 0x100; skip += 0x100) {
            uint32_t start, at = image->segments[i].address + skip;
            if (!is_vector_table(image, m, at) || !word_at(image, at + 4, &start))
                continue;
            if ((start | 1) == (image->entry | 1))
                return at;
            if (at < found)
                found = at;
        }
    return found;
}

enum uj_err image_into_machine(struct uj_ctx *ctx, const struct image *image, struct machine *m)
{
    bool avr = image->machine == EM_AVR;
    m->core->entry = image->entry;
    if (image->machine == EM_ARM)
        m->core->vectors = find_vectors(image, m);
    for (size_t i = 0; i < image->segment_count; i++) {
        const struct image_segment *s = &image->segments[i];
        enum uj_err err = UJ_OK;
        if (!avr)
            err = place(ctx, image, s, m, &m->data, s->address, "memory");
        else if (s->address < AVR_DATA)
            err = place(ctx, image, s, m, &m->code, s->address, "flash");
        else if (s->address < AVR_EEPROM)
            err = place(ctx, image, s, m, &m->data, s->address - AVR_DATA, "RAM");
        else if (s->address < AVR_FUSES)
            err = place_eeprom(ctx, image, s, m);
        if (err)
            return err;
        const struct mem_region *region = avr ? NULL : mem_region_at(&m->data, s->address);
        if (m->core->fetch_wait && region && region->wait)
            m->priced = true;
    }
    enum uj_err err = check_ram(ctx, image, m);
    return err ? err : image_check_def(ctx, image, m);
}
