/*
 * Serial flash of the M25P family on an SPI bus. Options: bus (a block of the chip), select (a
 * net), size, id (the three bytes that RDID gives, as a number), signature (that RES gives),
 * page_time, sector_time, bulk_time; contents: bytes at address 0, in hexadecimal. Block protection
 * is stored and not obeyed.
 */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "sim/periph.h"
#include "sim/spi.h"

enum {
    WRSR = 0x01,
    PP = 0x02,
    READ = 0x03,
    WRDI = 0x04,
    RDSR = 0x05,
    WREN = 0x06,
    FAST = 0x0b,
    RDID = 0x9f,
    RES = 0xab,
    DP = 0xb9,
    BE = 0xc7,
    SE = 0xd8
};
enum { WIP = 0x01, WEL = 0x02, PAGE = 256, SECTOR = 65536 };

struct part_m25p {
    struct periph periph;
    struct spi_slave slave;
    struct net_listener listener;
    uint8_t *memory;
    uint32_t size, id;
    uint8_t signature, status;
    double page_s, sector_s, bulk_s;
    bool is_down; /* deep power-down */
    uint64_t busy_until_ps;
    uint8_t command;
    uint32_t count, address; /* bytes behind the command */
    uint8_t page[PAGE];
    bool page_used[PAGE];
};

static bool is_busy(const struct part_m25p *f, uint64_t now_ps)
{
    return now_ps < f->busy_until_ps;
}

/* Byte number `f->count` behind the command. */
static uint8_t argument(struct part_m25p *f, uint8_t byte, uint64_t now_ps)
{
    uint32_t n = f->count++;
    switch (f->command) {
    case RDSR: return (uint8_t)(f->status | (is_busy(f, now_ps) ? WIP : 0));
    case RDID: return (uint8_t)(n < 3 ? f->id >> (16 - 8 * n) : 0xff);
    case RES: return (uint8_t)(n < 3 ? 0xff : f->signature);
    case WRSR:
        if (n == 0 && f->status & WEL)
            f->status = (uint8_t)((byte & 0x9c) | (f->status & WEL));
        return 0xff;
    default: break;
    }
    if (n < 3) {
        f->address = (f->address << 8 | byte) & 0xffffff;
        return 0xff;
    }
    if (f->command == READ || f->command == FAST) {
        if (f->command == FAST && n == 3)
            return 0xff;
        return f->memory[f->address++ % f->size];
    }
    if (f->command == PP) {
        uint32_t at = (f->address + n - 3) % PAGE;
        f->page[at] = byte;
        f->page_used[at] = true;
    }
    return 0xff;
}

static uint8_t exchange(void *owner, uint8_t byte, uint64_t now_ps)
{
    struct part_m25p *f = owner;
    if (f->command)
        return argument(f, byte, now_ps);
    if ((f->is_down && byte != RES) || (is_busy(f, now_ps) && byte != RDSR)) {
        f->command = 0xff; /* nothing until the next selection */
        return 0xff;
    }
    f->command = byte;
    f->count = 0;
    f->address = 0;
    memset(f->page_used, 0, sizeof f->page_used);
    if (byte == WREN)
        f->status |= WEL;
    if (byte == WRDI)
        f->status &= (uint8_t)~WEL;
    return 0xff;
}

static void program_page(struct part_m25p *f)
{
    uint32_t base = f->address / PAGE * PAGE % f->size;
    for (uint32_t i = 0; i < PAGE; i++)
        if (f->page_used[i])
            f->memory[base + i] &= f->page[i];
}

/* The end of a selection starts what was said in it. */
static void select_changed(void *owner, bool level, uint64_t now_ps)
{
    struct part_m25p *f = owner;
    double s = 0;
    if (!level) {
        f->command = 0;
        return;
    }
    bool allowed = f->status & WEL;
    if (f->command == PP && f->count > 3 && allowed) {
        program_page(f);
        s = f->page_s;
    } else if (f->command == SE && f->count == 3 && allowed) {
        memset(f->memory + f->address / SECTOR * SECTOR % f->size, 0xff, SECTOR);
        s = f->sector_s;
    } else if (f->command == BE && f->count == 0 && allowed) {
        memset(f->memory, 0xff, f->size);
        s = f->bulk_s;
    } else if (f->command == DP) {
        f->is_down = true;
    } else if (f->command == RES) {
        f->is_down = false;
    } else if (f->command == WRSR) {
        f->status &= (uint8_t)~WEL;
    }
    if (s > 0) {
        f->status &= (uint8_t)~WEL;
        f->busy_until_ps = now_ps + (uint64_t)(s * (double)PS_PER_SECOND);
    }
    f->command = 0;
}

static enum uj_err fill(struct uj_ctx *ctx, struct part_m25p *f)
{
    const struct yaml_node *contents = yaml_get(f->periph.options, "contents");
    if (!contents)
        return UJ_OK;
    uint32_t count = 0;
    for (const char *at = contents->text; at && *at;) {
        char *end;
        unsigned long value = strtoul(at, &end, 16);
        if (end == at || value > 0xff || (*end && *end != ' ') || count >= f->size)
            return yaml_fail(ctx, contents, "bytes in hexadecimal, a blank between them");
        f->memory[count++] = (uint8_t)value;
        at = *end ? end + 1 : end;
    }
    return UJ_OK;
}

static enum uj_err m25p_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {
        PERIPH_LOADER_KEYS, "bus",         "select",    "bytes",    "id",   "signature",
        "page_time",        "sector_time", "bulk_time", "contents", "note", "source"};
    struct part_m25p *f = (struct part_m25p *)p;
    const char *bus_name = NULL, *select = NULL;
    int64_t bytes = 0, id = 0, signature = 0;
    enum uj_err err = yaml_only(ctx, p->options, keys, sizeof keys / sizeof *keys);
    if (err || (err = yaml_need_text(ctx, &bus_name, p->options, "bus")) ||
        (err = yaml_need_text(ctx, &select, p->options, "select")) ||
        (err = yaml_need_integer(ctx, &bytes, p->options, "bytes", SECTOR, 1 << 24)) ||
        (err = yaml_need_integer(ctx, &id, p->options, "id", 0, 0xffffff)) ||
        (err = yaml_need_integer(ctx, &signature, p->options, "signature", 0, 255)) ||
        (err = yaml_need_quantity(ctx, &f->page_s, p->options, "page_time", "s")) ||
        (err = yaml_need_quantity(ctx, &f->sector_s, p->options, "sector_time", "s")) ||
        (err = yaml_need_quantity(ctx, &f->bulk_s, p->options, "bulk_time", "s")))
        return err;
    struct sim_spi *bus = machine_spi(p->machine, bus_name);
    if (!bus)
        return yaml_fail(ctx, yaml_get(p->options, "bus"), "no block \"%s\" with an SPI bus",
                         bus_name);
    if (bytes % SECTOR)
        return yaml_fail(ctx, yaml_get(p->options, "bytes"), "whole sectors of %d bytes", SECTOR);
    f->size = (uint32_t)bytes;
    f->id = (uint32_t)id;
    f->signature = (uint8_t)signature;
    f->memory = uj_calloc(f->size, 1);
    memset(f->memory, 0xff, f->size);
    struct sim_net *net = machine_net(p->machine, select);
    net_drive(p->machine, net, true); /* a pull-up: the pin's driver stands over it */
    f->slave = (struct spi_slave){.owner = f, .select = net, .exchange = exchange};
    spi_attach(bus, &f->slave);
    f->listener = (struct net_listener){.changed = select_changed, .owner = f};
    net_listen(net, &f->listener);
    return fill(ctx, f);
}

static void m25p_destroy(struct periph *p)
{
    free(((struct part_m25p *)p)->memory);
}

const struct periph_class part_m25p_class = {
    .name = "part_m25p",
    .bytes = sizeof(struct part_m25p),
    .create = m25p_create,
    .destroy = m25p_destroy,
};
