/*
 * The XIP cache of RP2040 and RP2350: 16 KB, two ways of 8-byte lines; a hit costs nothing beyond
 * the access, a miss `miss` cycles for the fill of its line; the way that is lost is chosen at
 * random, here by a generator with the seed `seed`, so that runs repeat. `flash`: the address of
 * the memory behind it. The registers lie in another block.
 *
 * Fetches and loads of the core go through it, the DMA's do not. An instruction asks for the line
 * of its first halfword and, where it can reach into the next, for that too; what the core fetches
 * ahead beyond it does not take part. `miss` is about 28 cycles of the flash's clock: 56 of the
 * system's at divider 2 (RP2350 data sheet, 4.4.1), an estimate, so cycles of code in flash are
 * less certain than those of code in SRAM.
 */
#include <string.h>

#include "sim/periph.h"

enum { LINE_BITS = 3, SETS = 16384 / 8 / 2, WAYS = 2 };
#define EMPTY UINT32_MAX

struct rp2_xip {
    struct periph periph;
    struct mem_region *flash;
    uint32_t tags[SETS][WAYS]; /* line numbers */
    unsigned miss;
    uint32_t seed, random;
};

static unsigned line_wait(struct rp2_xip *x, uint32_t line)
{
    uint32_t *set = x->tags[line % SETS];
    if (set[0] == line || set[1] == line)
        return 0;
    unsigned way = set[0] == EMPTY ? 0 : set[1] == EMPTY ? 1 : 2;
    if (way == 2) {
        x->random = x->random * 1664525 + 1013904223;
        way = x->random >> 31;
    }
    set[way] = line;
    return x->miss;
}

static unsigned load_wait(void *owner, uint32_t address)
{
    return line_wait(owner, address >> LINE_BITS);
}

static unsigned fetch_wait(void *owner, uint32_t address)
{
    struct rp2_xip *x = owner;
    if (address - x->flash->base >= x->flash->size)
        return 0;
    unsigned cycles = line_wait(x, address >> LINE_BITS);
    if ((address & 7) == 6)
        cycles += line_wait(x, (address >> LINE_BITS) + 1);
    return cycles;
}

static enum uj_err xip_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {PERIPH_LOADER_KEYS, "flash", "miss", "seed", "note"};
    struct rp2_xip *x = (struct rp2_xip *)p;
    int64_t flash = 0, miss = 0, seed = 1;
    enum uj_err err = yaml_only(ctx, p->options, keys, sizeof keys / sizeof keys[0]);
    if (err || (err = yaml_need_integer(ctx, &flash, p->options, "flash", 0, UINT32_MAX)) ||
        (err = yaml_need_integer(ctx, &miss, p->options, "miss", 0, 10000)) ||
        (err = yaml_get_integer(ctx, &seed, p->options, "seed", 0, UINT32_MAX)))
        return err;
    x->flash = mem_region_at(&p->machine->data, (uint32_t)flash);
    if (!x->flash || !x->flash->host)
        return yaml_fail(ctx, yaml_get(p->options, "flash"), "is no memory's address");
    x->miss = (unsigned)miss;
    x->seed = (uint32_t)seed;
    mem_set_wait(&p->machine->data, x->flash, load_wait, x);
    p->machine->core->fetch_wait = fetch_wait;
    p->machine->core->fetch_owner = x;
    return UJ_OK;
}

static void xip_reset(struct periph *p)
{
    struct rp2_xip *x = (struct rp2_xip *)p;
    memset(x->tags, 0xFF, sizeof x->tags);
    x->random = x->seed;
}

const struct periph_class rp2_xip_class = {
    .name = "rp2_xip",
    .bytes = sizeof(struct rp2_xip),
    .create = xip_create,
    .reset = xip_reset,
};
