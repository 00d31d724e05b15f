/*
 * Flash controller of all families: erases segments, programs words, and takes the time for it.
 * While it works the core stands, if it executes from flash. What is executed from RAM meanwhile
 * can ask for BUSY; its reads of flash see the new contents at once, where the chip gives 0x3FFF.
 *
 * Options: family (1xx, 2xx or 5xx), main and info (names of the memory regions; main is a list),
 * segment and info_segment (bytes), locked (address of the segment that LOCKA protects), and the
 * times: of the 1xx and 2xx in periods of its clock (word, block_first, block_next, erase, mass)
 * with the clocks aclk, mclk, smclk; of the 5xx, which makes its own clock, as word_time,
 * erase_time, mass_time. Long-word writes of the 5xx take as long as words.
 */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "periph/msp430_sfr.h"

enum { FCTL1, FCTL2, FCTL3, FCTL4, FCTLS, MAIN_MAX = 4 };
enum { BLKWRT = 0x80, WRT = 0x40, MERAS = 0x04, ERASE = 0x02 };
enum {
    LOCKA = 0x40,
    EMEX = 0x20,
    LOCK = 0x10,
    WAIT = 0x08,
    ACCVIFG = 0x04,
    KEYV = 0x02,
    BUSY = 0x01
};
enum { PASSWORD = 0xa5, READ_AS = 0x96, LOCKINFO = 0x80 };

struct flash_area {
    struct msp430_flash *flash;
    struct mem_region *region;
    uint32_t segment;
    bool is_info;
};

struct msp430_flash {
    struct periph periph;
    struct flash_area area[MAIN_MAX + 1];
    unsigned areas;
    struct sim_clock *clocks[4]; /* by FSSEL; of the 5xx none */
    bool is_5xx;
    uint32_t locked;
    int64_t word, block_first, block_next, erase, mass; /* periods */
    double word_s, erase_s, mass_s;
    uint8_t value[FCTLS];
    bool in_block;
    uint64_t busy_until_ps;
};

static uint64_t duration_ps(const struct msp430_flash *f, int64_t periods, double s)
{
    if (!f->is_5xx) {
        const struct sim_clock *c = f->clocks[f->value[FCTL2] >> 6];
        double hz = clock_hz(c) / ((f->value[FCTL2] & 0x3f) + 1.0);
        s = hz > 0 ? (double)periods / hz : 0;
    }
    return (uint64_t)(s * (double)PS_PER_SECOND + 0.5);
}

/* Busy for so long; a core that executes from flash stands. */
static void work(struct msp430_flash *f, uint64_t ps)
{
    struct machine *m = f->periph.machine;
    uint64_t now = machine_now(m);
    f->busy_until_ps = now + ps;
    const struct mem_region *at = mem_region_at(&m->data, m->core->class->pc(m->core));
    if (!at || !at->read_only)
        return;
    uint64_t from = clock_ticks(m->cpu_clock, now), to = clock_ticks(m->cpu_clock, now + ps);
    machine_stall(m, to - from);
}

static void tell_core(struct msp430_flash *f, uint32_t address, uint32_t bytes)
{
    struct core *core = f->periph.machine->core;
    core->class->code_changed(core, address, bytes);
}

static bool is_locked(const struct msp430_flash *f, const struct flash_area *a, uint32_t address)
{
    if (!a->is_info)
        return false;
    if (f->is_5xx && f->value[FCTL4] & LOCKINFO)
        return true;
    return f->locked && f->value[FCTL3] & LOCKA && address >= f->locked &&
           address < f->locked + a->segment;
}

/* The segments of the area that begin below `end`, but for a locked one. A segment begins at a
 * multiple of its size; the area may begin within one. */
static void erase(struct msp430_flash *f, struct flash_area *a, uint32_t address, uint32_t end)
{
    uint32_t area_end = a->region->base + a->region->size;
    for (uint32_t at = address / a->segment * a->segment; at < end; at += a->segment) {
        uint32_t from = at < a->region->base ? a->region->base : at;
        uint32_t to = at + a->segment < area_end ? at + a->segment : area_end;
        if (is_locked(f, a, from))
            continue;
        memset(a->region->host + (from - a->region->base), 0xff, to - from);
        tell_core(f, from, to - from);
    }
}

static void mass_erase(struct msp430_flash *f, bool info_too)
{
    for (unsigned i = 0; i < f->areas; i++)
        if (!f->area[i].is_info || info_too)
            erase(f, &f->area[i], f->area[i].region->base,
                  f->area[i].region->base + f->area[i].region->size);
    work(f, duration_ps(f, f->mass, f->mass_s));
}

static void violation(struct msp430_flash *f)
{
    f->value[FCTL3] |= ACCVIFG;
}

static void program(struct msp430_flash *f, struct flash_area *a, uint32_t offset, uint32_t value,
                    unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        a->region->host[offset + i] &= (uint8_t)(value >> (8 * i));
    tell_core(f, a->region->base + offset, bytes);
    int64_t periods = f->word;
    if (f->value[FCTL1] & BLKWRT && !f->is_5xx) {
        periods = f->in_block ? f->block_next : f->block_first;
        f->in_block = true;
    }
    work(f, duration_ps(f, periods, f->word_s));
}

static void flash_written(void *device, uint32_t offset, uint32_t value, unsigned bytes)
{
    struct flash_area *a = device;
    struct msp430_flash *f = a->flash;
    uint8_t how = f->value[FCTL1];
    uint32_t address = a->region->base + offset;
    bool busy = machine_now(f->periph.machine) < f->busy_until_ps;
    if (f->value[FCTL3] & LOCK || !(how & (WRT | BLKWRT | ERASE | MERAS)) ||
        (busy && !f->in_block)) {
        violation(f);
        return;
    }
    if (how & MERAS) {
        mass_erase(f, how & ERASE);
    } else if (how & ERASE) {
        erase(f, a, address, address + 1);
        work(f, duration_ps(f, f->erase, f->erase_s));
    } else if (!is_locked(f, a, address)) {
        program(f, a, offset, value, bytes);
        return;
    }
    f->value[FCTL1] &= (uint8_t) ~(ERASE | MERAS); /* by the controller itself, at the end */
}

static const struct mem_ops flash_ops = {.write = flash_written};

static enum uj_err add_area(struct uj_ctx *ctx, struct msp430_flash *f,
                            const struct yaml_node *node, const char *segment, bool is_info)
{
    struct machine *m = f->periph.machine;
    const char *name = NULL;
    int64_t bytes = 0;
    enum uj_err err = yaml_text(ctx, &name, node);
    if (err || (err = yaml_need_integer(ctx, &bytes, f->periph.options, segment, 16, 1 << 16)))
        return err;
    for (size_t i = 0; i < m->region_count; i++) {
        struct mem_region *region = &m->regions[i];
        if (strcmp(region->name, name) != 0 || !region->read_only)
            continue;
        struct flash_area *a = &f->area[f->areas++];
        *a = (struct flash_area){f, region, (uint32_t)bytes, is_info};
        region->ops = &flash_ops;
        region->device = a;
        return UJ_OK;
    }
    return yaml_fail(ctx, node, "no flash of that name");
}

static enum uj_err read_times(struct uj_ctx *ctx, struct msp430_flash *f)
{
    struct periph *p = &f->periph;
    const struct yaml_node *o = p->options;
    enum uj_err err;
    if (f->is_5xx) {
        if ((err = yaml_need_quantity(ctx, &f->word_s, o, "word_time", "s")) ||
            (err = yaml_need_quantity(ctx, &f->erase_s, o, "erase_time", "s")))
            return err;
        return yaml_need_quantity(ctx, &f->mass_s, o, "mass_time", "s");
    }
    const int64_t most = 1 << 20;
    if ((err = msp430_clock_option(ctx, &f->clocks[0], p, "aclk")) ||
        (err = msp430_clock_option(ctx, &f->clocks[1], p, "mclk")) ||
        (err = msp430_clock_option(ctx, &f->clocks[2], p, "smclk")) ||
        (err = yaml_need_integer(ctx, &f->word, o, "word", 1, most)) ||
        (err = yaml_need_integer(ctx, &f->block_first, o, "block_first", 1, most)) ||
        (err = yaml_need_integer(ctx, &f->block_next, o, "block_next", 1, most)) ||
        (err = yaml_need_integer(ctx, &f->erase, o, "erase", 1, most)) ||
        (err = yaml_need_integer(ctx, &f->mass, o, "mass", 1, most)))
        return err;
    f->clocks[3] = f->clocks[2];
    return UJ_OK;
}

static enum uj_err flash_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {
        PERIPH_LOADER_KEYS, "family", "main", "info",      "segment", "info_segment",
        "locked",           "aclk",   "mclk", "smclk",     "word",    "block_first",
        "block_next",       "erase",  "mass", "word_time", "note",    "erase_time",
        "mass_time",        "source"};
    struct msp430_flash *f = (struct msp430_flash *)p;
    const char *family = NULL;
    const struct yaml_node *main_list, *info;
    int64_t locked = 0;
    enum uj_err err = yaml_only(ctx, p->options, keys, sizeof keys / sizeof *keys);
    if (err || (err = yaml_need_text(ctx, &family, p->options, "family")) ||
        (err = yaml_need(ctx, &main_list, p->options, "main")) ||
        (err = yaml_need(ctx, &info, p->options, "info")) ||
        (err = yaml_get_integer(ctx, &locked, p->options, "locked", 0, 0xfffff)))
        return err;
    f->is_5xx = strcmp(family, "5xx") == 0;
    f->locked = (uint32_t)locked;
    if (main_list->kind != YAML_LIST || main_list->count > MAIN_MAX)
        return yaml_fail(ctx, main_list, "a list of at most %d regions", MAIN_MAX);
    for (size_t i = 0; !err && i < main_list->count; i++)
        err = add_area(ctx, f, &main_list->items[i], "segment", false);
    if (!err)
        err = add_area(ctx, f, info, "info_segment", true);
    return err ? err : read_times(ctx, f);
}

static void flash_reset(struct periph *p)
{
    struct msp430_flash *f = (struct msp430_flash *)p;
    f->value[FCTL1] = 0;
    f->value[FCTL2] = 0x42;
    f->value[FCTL3] = LOCK | WAIT | (f->locked ? LOCKA : 0);
    f->value[FCTL4] = 0;
    f->in_block = false;
    f->busy_until_ps = 0;
}

static uint32_t flash_read(struct periph *p, uint32_t offset, unsigned bytes)
{
    const struct msp430_flash *f = (const struct msp430_flash *)p;
    unsigned reg = offset / 2;
    uint32_t value = f->value[reg];
    (void)bytes;
    if (reg == FCTL3) {
        bool busy = machine_now(p->machine) < f->busy_until_ps;
        value = (value & ~(BUSY | WAIT)) | (busy ? BUSY : 0) | (busy && f->in_block ? 0 : WAIT);
        if (f->in_block)
            value |= BUSY;
    }
    return (READ_AS << 8 | value) >> (offset & 1 ? 8 : 0);
}

static void flash_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes)
{
    struct msp430_flash *f = (struct msp430_flash *)p;
    unsigned reg = offset / 2;
    uint8_t byte = (uint8_t)value;
    if (bytes == 1 || value >> 8 != PASSWORD) {
        f->value[FCTL3] |= KEYV;
        machine_request_reset(p->machine,
                              "reset: a flash register was written without its password");
        return;
    }
    if (reg == FCTL1) {
        f->value[FCTL1] = byte;
        if (!(byte & BLKWRT))
            f->in_block = false;
    } else if (reg == FCTL3) {
        uint8_t locka = (f->value[FCTL3] ^ byte) & LOCKA; /* a one turns it over */
        f->value[FCTL3] = (uint8_t)((byte & (LOCK | EMEX | KEYV | ACCVIFG)) | locka);
        if (byte & EMEX)
            f->busy_until_ps = 0;
    } else if (reg < FCTLS) {
        f->value[reg] = byte;
    }
}

const struct periph_class msp430_flash_class = {
    .name = "msp430_flash",
    .bytes = sizeof(struct msp430_flash),
    .create = flash_create,
    .reset = flash_reset,
    .read = flash_read,
    .write = flash_write,
};
