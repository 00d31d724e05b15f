/*
 * Registers of 32 bits that store what is written and do nothing else, with the RP2 chips' aliases,
 * where a block is not modelled but normal firmware sets it up or asks whether it is ready. Maps
 * from offset to value:
 *
 *   reset:      value after reset, 0 where absent
 *   ones:       bits that always read one (ready, stable, locked)
 *   zeros:      bits that always read zero (busy, self-clearing)
 *   unmodelled: bits that start what the model does not have: setting one ends the run
 *
 * `plain: true`: no aliases, the whole size is registers.
 */
#include <stdlib.h>

#include "base/str.h"
#include "periph/rp2_block.h"
#include "periph/unmodelled.h"

struct rp2_registers {
    struct rp2_block block;
    size_t words;
    bool plain;
    uint32_t *value, *reset, *ones, *zeros, *unmodelled;
};

static enum uj_err read_map(struct uj_ctx *ctx, uint32_t **out, const struct rp2_registers *r,
                            const char *key)
{
    const struct yaml_node *map = yaml_get(r->block.periph.options, key);
    *out = uj_calloc(r->words, sizeof **out);
    for (size_t i = 0; map && i < map->count; i++) {
        const struct yaml_node *item = &map->items[i];
        char *end = NULL;
        unsigned long offset = item->key ? strtoul(item->key, &end, 0) : 0;
        int64_t value;
        if (!item->key || end == item->key || *end || offset % 4 || offset / 4 >= r->words)
            return yaml_fail(ctx, item, "is no word's offset below the block's size");
        enum uj_err err = yaml_integer(ctx, &value, item, 0, UINT32_MAX);
        if (err)
            return err;
        (*out)[offset / 4] = (uint32_t)value;
    }
    return UJ_OK;
}

static enum uj_err registers_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {RP2_BLOCK_KEYS, "reset",      "ones",
                                       "zeros",        "unmodelled", "plain"};
    struct rp2_registers *r = (struct rp2_registers *)p;
    const char *plain = "false";
    enum uj_err err = yaml_only(ctx, p->options, keys, sizeof keys / sizeof keys[0]);
    if (err || (err = yaml_get_text(ctx, &plain, p->options, "plain")))
        return err;
    r->plain = plain[0] == 't';
    r->words = (r->plain ? p->region.size : 0x1000) / 4;
    if ((err = read_map(ctx, &r->reset, r, "reset")) ||
        (err = read_map(ctx, &r->ones, r, "ones")) ||
        (err = read_map(ctx, &r->zeros, r, "zeros")) ||
        (err = read_map(ctx, &r->unmodelled, r, "unmodelled")))
        return err;
    r->value = uj_calloc(r->words, sizeof *r->value);
    return rp2_block_create(ctx, p);
}

static void registers_destroy(struct periph *p)
{
    struct rp2_registers *r = (struct rp2_registers *)p;
    free(r->value);
    free(r->reset);
    free(r->ones);
    free(r->zeros);
    free(r->unmodelled);
}

static void registers_reset(struct periph *p)
{
    struct rp2_registers *r = (struct rp2_registers *)p;
    for (size_t i = 0; i < r->words; i++)
        r->value[i] = r->reset[i];
}

static uint32_t get(struct periph *p, uint32_t at)
{
    const struct rp2_registers *r = (const struct rp2_registers *)p;
    return (r->value[at / 4] | r->ones[at / 4]) & ~r->zeros[at / 4];
}

static void set(struct periph *p, uint32_t at, uint32_t value)
{
    struct rp2_registers *r = (struct rp2_registers *)p;
    if (value & r->unmodelled[at / 4])
        periph_unmodelled(p, "%s: 0x%08X written at 0x%X", p->name, value, p->base + at);
    r->value[at / 4] = value;
}

static uint32_t registers_read(struct periph *p, uint32_t offset, unsigned bytes)
{
    if (((const struct rp2_registers *)p)->plain)
        return rp2_lane(get(p, offset & ~3u), offset, bytes);
    return rp2_block_read(p, offset, bytes, get);
}

static void registers_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes)
{
    if (((const struct rp2_registers *)p)->plain)
        set(p, offset & ~3u, rp2_widen(value, bytes));
    else
        rp2_block_write(p, offset, value, bytes, get, set);
}

const struct periph_class rp2_registers_class = {
    .name = "rp2_registers",
    .bytes = sizeof(struct rp2_registers),
    .window = RP2_WINDOW,
    .create = registers_create,
    .destroy = registers_destroy,
    .reset = registers_reset,
    .read = registers_read,
    .write = registers_write,
};
