/*
 * Registers that store what is written and do nothing else, where a chip has blocks that are not
 * modelled but that normal firmware touches. Options, maps from offset to value:
 *
 *   reset:     value after reset, 0 where absent
 *   writable:  mask of the bits that a write changes, 0xFF where absent
 *   clear:     list of offsets where writing a one clears the bit, a zero leaves it
 *   unmodelled: mask of bits that start something which the model does not have: writing a one
 * there ends the run, rather than go on with what the chip would not do
 */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "periph/unmodelled.h"
#include "sim/periph.h"

struct registers {
    struct periph periph;
    uint8_t *value, *reset, *writable, *unmodelled;
    bool *clear;
};

/* Reads a map from offset to byte into `out`. */
static enum uj_err read_map(struct uj_ctx *ctx, uint8_t *out, const struct periph *p,
                            const char *key)
{
    const struct yaml_node *map = yaml_get(p->options, key);
    for (size_t i = 0; map && i < map->count; i++) {
        const struct yaml_node *item = &map->items[i];
        char *end;
        unsigned long offset = item->key ? strtoul(item->key, &end, 0) : 0;
        int64_t value;
        if (!item->key || end == item->key || *end || offset >= p->region.size)
            return yaml_fail(ctx, item, "is no offset below the block's size");
        enum uj_err err = yaml_integer(ctx, &value, item, 0, 255);
        if (err)
            return err;
        out[offset] = (uint8_t)value;
    }
    return UJ_OK;
}

static enum uj_err registers_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {PERIPH_LOADER_KEYS, "reset", "writable", "clear",
                                       "unmodelled",       "note"};
    struct registers *r = (struct registers *)p;
    enum uj_err err = yaml_only(ctx, p->options, keys, sizeof keys / sizeof keys[0]);
    if (err)
        return err;
    size_t size = p->region.size;
    r->value = uj_calloc(size, 1);
    r->reset = uj_calloc(size, 1);
    r->writable = uj_calloc(size, 1);
    r->unmodelled = uj_calloc(size, 1);
    r->clear = uj_calloc(size, sizeof *r->clear);
    memset(r->writable, 0xFF, size);
    if ((err = read_map(ctx, r->reset, p, "reset")) ||
        (err = read_map(ctx, r->writable, p, "writable")) ||
        (err = read_map(ctx, r->unmodelled, p, "unmodelled")))
        return err;
    const struct yaml_node *list = yaml_get(p->options, "clear");
    for (size_t i = 0; list && i < list->count; i++) {
        int64_t offset;
        if ((err = yaml_integer(ctx, &offset, &list->items[i], 0, (int64_t)size - 1)))
            return err;
        r->clear[offset] = true;
    }
    return UJ_OK;
}

static void registers_destroy(struct periph *p)
{
    struct registers *r = (struct registers *)p;
    free(r->value);
    free(r->reset);
    free(r->writable);
    free(r->unmodelled);
    free(r->clear);
}

static void registers_reset(struct periph *p)
{
    struct registers *r = (struct registers *)p;
    memcpy(r->value, r->reset, p->region.size);
}

static uint32_t registers_read(struct periph *p, uint32_t offset, unsigned bytes)
{
    const struct registers *r = (const struct registers *)p;
    uint32_t value = 0;
    for (unsigned i = 0; i < bytes && offset + i < p->region.size; i++)
        value |= (uint32_t)r->value[offset + i] << (8 * i);
    return value;
}

static void registers_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes)
{
    struct registers *r = (struct registers *)p;
    uint32_t bits = p->machine->core->write_mask;
    for (unsigned i = 0; i < bytes && offset + i < p->region.size; i++) {
        uint8_t *at = &r->value[offset + i];
        unsigned mask = r->writable[offset + i] & bits >> (8 * i);
        unsigned byte = value >> (8 * i);
        if (byte & bits >> (8 * i) & r->unmodelled[offset + i] & ~(unsigned)*at)
            periph_unmodelled(p, "%s: 0x%02X written at 0x%X", p->name, byte & 0xFF,
                              p->base + offset + i);
        *at =
            (uint8_t)(r->clear[offset + i] ? *at & ~(byte & mask) : (*at & ~mask) | (byte & mask));
    }
}

const struct periph_class registers_class = {
    .name = "registers",
    .bytes = sizeof(struct registers),
    .create = registers_create,
    .destroy = registers_destroy,
    .reset = registers_reset,
    .read = registers_read,
    .write = registers_write,
};
