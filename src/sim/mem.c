#include "sim/mem.h"

#include <stdlib.h>

#include "base/str.h"

void mem_init(struct mem_space *s, const char *name, unsigned address_bits, unsigned page_bits)
{
    size_t pages = (size_t)1 << (address_bits - page_bits);
    *s = (struct mem_space){
        .name = name,
        .page_bits = page_bits,
        .page_mask = (1u << page_bits) - 1,
        .address_mask = address_bits == 32 ? UINT32_MAX : (1u << address_bits) - 1,
        .pages = uj_calloc(pages, sizeof(struct mem_page)),
    };
}

void mem_free(struct mem_space *s)
{
    free(s->pages);
    *s = (struct mem_space){0};
}

static bool covers(const struct mem_region *region, uint32_t address)
{
    return address - region->base < region->size;
}

struct mem_region *mem_region_at(struct mem_space *s, uint32_t address)
{
    address &= s->address_mask;
    if (s->last && covers(s->last, address))
        return s->last;
    for (struct mem_region *region = s->regions; region; region = region->next)
        if (covers(region, address)) {
            if (!region->overlaid)
                s->last = region;
            return region;
        }
    return NULL;
}

/* A page is plain where one region of plain memory covers it whole and no later region touches it;
 * where accesses wait they go the slow way, on which the core counts the wait. */
static void map_page(struct mem_space *s, uint32_t page)
{
    uint32_t first = page << s->page_bits, last = first + s->page_mask;
    struct mem_page *entry = &s->pages[page];
    *entry = (struct mem_page){0};
    for (const struct mem_region *region = s->regions; region; region = region->next) {
        uint32_t region_last = region->base + (region->size - 1);
        if (region->base > last || region_last < first)
            continue;
        if (region->host && region->base <= first && region_last >= last) {
            uint8_t *host = region->host + (first - region->base);
            entry->read = region->wait_read || region->wait ? NULL : host;
            entry->write = region->read_only || region->wait_write ? NULL : host;
        }
        return;
    }
}

void mem_add(struct mem_space *s, struct mem_region *region)
{
    for (struct mem_region *earlier = s->regions; earlier; earlier = earlier->next)
        if (covers(earlier, region->base) || covers(region, earlier->base))
            earlier->overlaid = true;
    /* Found first by look-ups, so that it lies over the earlier ones. */
    region->next = s->regions;
    s->regions = region;
    s->last = NULL;
    uint32_t last = (region->base + (region->size - 1)) >> s->page_bits;
    for (uint32_t page = region->base >> s->page_bits; page <= last; page++)
        map_page(s, page);
}

void mem_set_wait(struct mem_space *s, struct mem_region *region,
                  unsigned (*wait)(void *owner, uint32_t address), void *owner)
{
    region->wait = wait;
    region->wait_owner = owner;
    uint32_t last = (region->base + (region->size - 1)) >> s->page_bits;
    for (uint32_t page = region->base >> s->page_bits; page <= last; page++)
        map_page(s, page);
}

/* Another address of the same byte; UINT32_MAX: none. */
static uint32_t twin_address(const struct mem_region *region, uint32_t address)
{
    const struct mem_region *twin = region->twin;
    if (!twin)
        return UINT32_MAX;
    const uint8_t *byte = region->host + (address - region->base);
    if (byte < twin->host || byte >= twin->host + twin->size)
        return UINT32_MAX;
    return twin->base + (uint32_t)(byte - twin->host);
}

static void protect(struct mem_space *s, uint32_t address, unsigned bytes)
{
    uint32_t last = ((address + bytes - 1) & s->address_mask) >> s->page_bits;
    for (uint32_t page = (address & s->address_mask) >> s->page_bits; page <= last; page++)
        s->pages[page].write = NULL;
}

void mem_mark_code(struct mem_space *s, uint32_t address, unsigned bytes)
{
    protect(s, address, bytes);
    const struct mem_region *region = mem_region_at(s, address);
    uint32_t other = region ? twin_address(region, address & s->address_mask) : UINT32_MAX;
    if (other != UINT32_MAX)
        protect(s, other, bytes);
}

void mem_unmark_code(struct mem_space *s, uint32_t address)
{
    map_page(s, (address & s->address_mask) >> s->page_bits);
}

/* Host memory behind one byte of plain memory, or NULL. */
static uint8_t *host_byte(struct mem_space *s, uint32_t address)
{
    struct mem_region *region = mem_region_at(s, address);
    if (!region || !region->host)
        return NULL;
    return region->host + ((address & s->address_mask) - region->base);
}

bool mem_peek(struct mem_space *s, uint32_t address, void *out, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        const uint8_t *byte = host_byte(s, address + (uint32_t)i);
        if (!byte)
            return false;
        ((uint8_t *)out)[i] = *byte;
    }
    return true;
}

bool mem_poke(struct mem_space *s, uint32_t address, const void *in, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        uint8_t *byte = host_byte(s, address + (uint32_t)i);
        if (!byte)
            return false;
        *byte = ((const uint8_t *)in)[i];
    }
    return true;
}

static void report_unmapped(struct mem_space *s, uint32_t address, unsigned bytes,
                            enum mem_access access)
{
    s->unmapped_count++;
    if (s->unmapped)
        s->unmapped(s->owner, address, bytes, access);
}

uint32_t mem_read_slow(struct mem_space *s, uint32_t address, unsigned bytes)
{
    address &= s->address_mask;
    struct mem_region *region = mem_region_at(s, address);
    if (!region) {
        report_unmapped(s, address, bytes, MEM_READ);
        return 0;
    }
    if (!region->host)
        return region->ops->read(region->device, address - region->base, bytes);
    uint32_t value = 0;
    for (unsigned i = 0; i < bytes; i++) {
        const uint8_t *byte = host_byte(s, address + i);
        value |= (uint32_t)(byte ? *byte : 0) << (8 * i);
    }
    return value;
}

void mem_write_slow(struct mem_space *s, uint32_t address, uint32_t value, unsigned bytes)
{
    address &= s->address_mask;
    struct mem_region *region = mem_region_at(s, address);
    if (!region) {
        report_unmapped(s, address, bytes, MEM_WRITE);
        return;
    }
    if (!region->host) {
        region->ops->write(region->device, address - region->base, value, bytes);
        return;
    }
    if (region->read_only) {
        if (region->ops)
            region->ops->write(region->device, address - region->base, value, bytes);
        return;
    }
    for (unsigned i = 0; i < bytes; i++) {
        uint8_t *byte = host_byte(s, address + i);
        if (byte)
            *byte = (uint8_t)(value >> (8 * i));
    }
    if (!s->code_written)
        return;
    s->code_written(s->code_owner, address, bytes);
    uint32_t other = twin_address(region, address);
    if (other != UINT32_MAX)
        s->code_written(s->code_owner, other, bytes);
}
