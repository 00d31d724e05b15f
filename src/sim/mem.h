/*
 * An address space: what `isa/` sees of memory and of the devices behind it.
 *
 * A space is cut into pages of equal size. A page that is plain memory has host pointers and is
 * read and written inline; every other access goes to the region that covers the address: a
 * device's handler, a write to memory that may not be written, or nothing at all.
 *
 * Laws: all values are little-endian; an access never crosses the end of a region unless both sides
 * are plain memory; a handler is called with the core's cycle count already at the cycle of the
 * access, and may schedule events, raise interrupts and change clocks, so the caller reloads its
 * deadline afterwards; a page that holds decoded code has no write pointer, so that the slow path
 * can tell the core (space->code_written); reads have side effects only in a region that says so by
 * having handlers. An access that nothing covers is counted in the space, answers 0, and is
 * reported to space->unmapped.
 */
#ifndef UJ_SIM_MEM_H
#define UJ_SIM_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"

enum mem_access { MEM_READ, MEM_WRITE, MEM_FETCH };

/* A device behind a region. `offset` counts from the region's base; `bytes` is 1, 2 or 4. */
struct mem_ops {
    uint32_t (*read)(void *device, uint32_t offset, unsigned bytes);
    void (*write)(void *device, uint32_t offset, uint32_t value, unsigned bytes);
};

struct mem_region {
    const char *name;
    uint32_t base, size; /* bytes */
    uint8_t *host;       /* plain memory, or NULL: then `ops` serves it */
    bool read_only; /* plain memory that stores do not change (flash); its ops, if any, hear of them
                     */
    struct mem_region
        *twin; /* shows (a part of) the same plain memory at another address, or NULL */
    const struct mem_ops *ops;
    void *device;
    unsigned wait_read, wait_write; /* cycles added to an access; the core's timing asks for them */
    /* Cycles more, as the address has it (a cache): NULL, or set by mem_set_wait(). */
    unsigned (*wait)(void *owner, uint32_t address);
    void *wait_owner;
    bool single_cycle; /* behind a core's own port, where it has one: accesses take one cycle */
    bool overlaid;     /* a later region lies over a part of it */
    struct mem_region *next;
};

struct mem_page {
    uint8_t *read;  /* host address of the page's first byte, or NULL */
    uint8_t *write; /* same, NULL also where code was decoded or memory is read-only */
};

struct mem_space {
    const char *name; /* "data", or "code" on a Harvard machine */
    unsigned page_bits;
    uint32_t page_mask;    /* page size - 1 */
    uint32_t address_mask; /* addresses wrap here */
    struct mem_page *pages;
    struct mem_region *regions;
    struct mem_region *last; /* the region found last: the next access is likely there too */
    /* A page with decoded code was written. On a machine with one space the core listens. */
    void (*code_written)(void *code_owner, uint32_t address, unsigned bytes);
    void *code_owner;
    void (*unmapped)(void *owner, uint32_t address, unsigned bytes, enum mem_access access);
    void *owner; /* of unmapped */
    uint64_t unmapped_count;
};

/* A space of 2^address_bits bytes in pages of 2^page_bits bytes. */
void mem_init(struct mem_space *s, const char *name, unsigned address_bits, unsigned page_bits);
void mem_free(struct mem_space *s);
/* Adds a region; later regions lie over earlier ones. The region must outlive the space. */
void mem_add(struct mem_space *s, struct mem_region *region);
/* Loads from the region cost what `wait` says from now on. */
void mem_set_wait(struct mem_space *s, struct mem_region *region,
                  unsigned (*wait)(void *owner, uint32_t address), void *owner);
/* The region that covers the address, or NULL. */
struct mem_region *mem_region_at(struct mem_space *s, uint32_t address);
/* Says that code was decoded from these bytes, or that none of the page's code is kept any more. */
void mem_mark_code(struct mem_space *s, uint32_t address, unsigned bytes);
void mem_unmark_code(struct mem_space *s, uint32_t address);

/* Accesses by the host: no handlers, no waits, no counts; false where there is no plain memory. */
bool mem_peek(struct mem_space *s, uint32_t address, void *out, size_t bytes);
bool mem_poke(struct mem_space *s, uint32_t address, const void *in, size_t bytes);

/* What a load from the region waits, the access itself having been made. */
static inline unsigned mem_load_wait(const struct mem_region *region, uint32_t address)
{
    return region->wait_read + (region->wait ? region->wait(region->wait_owner, address) : 0);
}

/* The way around the page test. */
uint32_t mem_read_slow(struct mem_space *s, uint32_t address, unsigned bytes);
void mem_write_slow(struct mem_space *s, uint32_t address, uint32_t value, unsigned bytes);

static inline uint32_t mem_read8(struct mem_space *s, uint32_t address)
{
    address &= s->address_mask;
    const uint8_t *page = s->pages[address >> s->page_bits].read;
    return page ? page[address & s->page_mask] : mem_read_slow(s, address, 1);
}

static inline void mem_write8(struct mem_space *s, uint32_t address, uint32_t value)
{
    address &= s->address_mask;
    uint8_t *page = s->pages[address >> s->page_bits].write;
    if (page)
        page[address & s->page_mask] = (uint8_t)value;
    else
        mem_write_slow(s, address, value & 0xff, 1);
}

static inline uint32_t mem_read16(struct mem_space *s, uint32_t address)
{
    address &= s->address_mask;
    const uint8_t *page = s->pages[address >> s->page_bits].read;
    uint32_t offset = address & s->page_mask;
    if (!page || offset == s->page_mask)
        return mem_read_slow(s, address, 2);
    uint16_t value;
    memcpy(&value, page + offset, sizeof value);
    return value;
}

static inline void mem_write16(struct mem_space *s, uint32_t address, uint32_t value)
{
    address &= s->address_mask;
    uint8_t *page = s->pages[address >> s->page_bits].write;
    uint32_t offset = address & s->page_mask;
    uint16_t half = (uint16_t)value;
    if (!page || offset == s->page_mask)
        mem_write_slow(s, address, half, 2);
    else
        memcpy(page + offset, &half, sizeof half);
}

static inline uint32_t mem_read32(struct mem_space *s, uint32_t address)
{
    address &= s->address_mask;
    const uint8_t *page = s->pages[address >> s->page_bits].read;
    uint32_t offset = address & s->page_mask;
    if (!page || offset + 3 > s->page_mask)
        return mem_read_slow(s, address, 4);
    uint32_t value;
    memcpy(&value, page + offset, sizeof value);
    return value;
}

static inline void mem_write32(struct mem_space *s, uint32_t address, uint32_t value)
{
    address &= s->address_mask;
    uint8_t *page = s->pages[address >> s->page_bits].write;
    uint32_t offset = address & s->page_mask;
    if (!page || offset + 3 > s->page_mask)
        mem_write_slow(s, address, value, 4);
    else
        memcpy(page + offset, &value, sizeof value);
}

#endif
