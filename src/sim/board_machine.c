#include "sim/board.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "sim/i2c.h"
#include "sim/periph.h"
#include "sim/spi.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* A mirror shows the beginning of a region above it in the list once more. */
static enum uj_err find_mirrored(struct uj_ctx *ctx, struct mem_region *mirror, struct machine *m,
                                 const struct yaml_node *item)
{
    const char *of = NULL;
    enum uj_err err = yaml_need_text(ctx, &of, item, "of");
    for (size_t i = 0; !err && i < m->region_count; i++) {
        struct mem_region *region = &m->regions[i];
        if (strcmp(region->name, of) != 0 || region->twin || region->size < mirror->size)
            continue;
        mirror->host = region->host;
        mirror->twin = region;
        region->twin = mirror;
        return UJ_OK;
    }
    return err ? err
               : yaml_fail(ctx, yaml_get(item, "of"), "no region \"%s\" above that is large enough",
                           of);
}

static enum uj_err make_memory(struct uj_ctx *ctx, struct machine *m, const struct board *b)
{
    static const char *const keys[] = {"name", "space",  "base",      "size",       "kind",
                                       "note", "source", "wait_read", "wait_write", "of"};
    const struct yaml_node *list = yaml_get(b->mcu_map, "memory");
    m->regions = uj_calloc(list->count, sizeof *m->regions);
    for (size_t i = 0; i < list->count; i++) {
        const struct yaml_node *item = &list->items[i];
        const char *space = "data", *kind = NULL;
        int64_t base = 0, size = 0, wait_read = 0, wait_write = 0;
        struct mem_region *region = &m->regions[i];
        enum uj_err err = yaml_only(ctx, item, keys, COUNT(keys));
        if (err || (err = yaml_need_text(ctx, &region->name, item, "name")) ||
            (err = yaml_get_text(ctx, &space, item, "space")) ||
            (err = yaml_need_text(ctx, &kind, item, "kind")) ||
            (err = yaml_need_integer(ctx, &base, item, "base", 0, UINT32_MAX)) ||
            (err = yaml_need_integer(ctx, &size, item, "size", 1, 256 << 20)) ||
            (err = yaml_get_integer(ctx, &wait_read, item, "wait_read", 0, 255)) ||
            (err = yaml_get_integer(ctx, &wait_write, item, "wait_write", 0, 255)))
            return err;
        bool is_code = strcmp(space, "code") == 0, is_flash = strcmp(kind, "flash") == 0;
        bool is_mirror = strcmp(kind, "mirror") == 0;
        if (!is_code && strcmp(space, "data") != 0)
            return yaml_fail(ctx, yaml_get(item, "space"), "\"%s\" is neither code nor data",
                             space);
        if (!is_flash && !is_mirror && strcmp(kind, "ram") != 0)
            return yaml_fail(ctx, yaml_get(item, "kind"), "\"%s\" is neither flash, ram nor mirror",
                             kind);
        struct mem_space *target = is_code ? &m->code : &m->data;
        if (!target->pages)
            return yaml_fail(ctx, item, "the core \"%s\" has no space \"%s\"", b->core_class->name,
                             space);
        if ((uint64_t)base + (uint64_t)size > (uint64_t)target->address_mask + 1)
            return yaml_fail(ctx, item, "reaches beyond the %s space", space);
        region->base = (uint32_t)base;
        region->size = (uint32_t)size;
        region->read_only = is_flash;
        region->wait_read = (unsigned)wait_read;
        region->wait_write = (unsigned)wait_write;
        if (is_mirror && (err = find_mirrored(ctx, region, m, item)))
            return err;
        if (!is_mirror)
            region->host = uj_calloc(1, (size_t)size);
        m->region_count = i + 1;
        if (is_flash)
            memset(region->host, 0xff, (size_t)size);
        mem_add(target, region);
    }
    return UJ_OK;
}

/* A root's frequency: the chip's own, or the board's where the chip gives none. */
static enum uj_err root_hz(struct uj_ctx *ctx, double *hz, const struct yaml_node *item,
                           const char *name, const struct board *b)
{
    if (yaml_get(item, "hz"))
        return yaml_need_quantity(ctx, hz, item, "hz", "Hz");
    const struct yaml_node *given = yaml_get(b->board_map, "clocks");
    given = given ? yaml_get(given, name) : NULL;
    if (!given)
        return yaml_fail(ctx, b->board_map,
                         "gives no frequency for the clock \"%s\"; add it to clocks", name);
    return yaml_need_quantity(ctx, hz, given, "hz", "Hz");
}

static enum uj_err make_clocks(struct uj_ctx *ctx, struct machine *m, const struct board *b)
{
    static const char *const keys[] = {"name",   "hz",   "parent", "multiply",
                                       "divide", "note", "source"};
    const struct yaml_node *list;
    enum uj_err err = yaml_need(ctx, &list, b->mcu_map, "clocks");
    if (err)
        return err;
    m->clocks = uj_calloc(list->count, sizeof *m->clocks);
    for (size_t i = 0; i < list->count; i++) {
        const struct yaml_node *item = &list->items[i];
        const char *name = NULL, *parent = NULL;
        int64_t multiply = 1, divide = 1;
        if ((err = yaml_only(ctx, item, keys, COUNT(keys))) ||
            (err = yaml_need_text(ctx, &name, item, "name")) ||
            (err = yaml_get_text(ctx, &parent, item, "parent")) ||
            (err = yaml_get_integer(ctx, &multiply, item, "multiply", 1, 1 << 20)) ||
            (err = yaml_get_integer(ctx, &divide, item, "divide", 1, 1 << 20)))
            return err;
        if (parent) {
            struct sim_clock *from = machine_clock(m, parent);
            if (!from)
                return yaml_fail(ctx, yaml_get(item, "parent"), "no clock \"%s\" above this one",
                                 parent);
            clock_init(&m->clocks[i], name, from, (uint64_t)multiply, (uint64_t)divide);
        } else {
            double hz;
            if ((err = root_hz(ctx, &hz, item, name, b)))
                return err;
            clock_init_root(&m->clocks[i], name, (uint64_t)llround(hz), 1);
        }
        m->clock_count = i + 1;
    }
    const char *cpu = NULL;
    if ((err = yaml_need_text(ctx, &cpu, b->mcu_map, "cpu_clock")))
        return err;
    m->cpu_clock = machine_clock(m, cpu);
    return m->cpu_clock ? UJ_OK
                        : yaml_fail(ctx, yaml_get(b->mcu_map, "cpu_clock"), "no clock \"%s\"", cpu);
}

static void cpu_clock_changed(void *owner, uint64_t now_ps)
{
    struct machine *m = owner;
    state_enter(&m->cpu_state, m->cpu_state.state, clock_hz(m->cpu_clock), now_ps);
    machine_retime(m);
}

static void semihost_write(void *owner, const uint8_t *bytes, size_t count)
{
    struct machine *m = owner;
    struct sim_serial *s = machine_serial(m, "semihosting");
    for (size_t i = 0; i < count; i++)
        serial_sent(s, bytes[i], machine_now(m));
}

static uint64_t core_frequency(void *owner)
{
    return (uint64_t)llround(clock_hz(((struct machine *)owner)->cpu_clock));
}

static void core_irq_set(void *owner, int number, bool level)
{
    struct core *c = owner;
    c->class->irq_set(c, number, level);
}

static enum uj_err make_core(struct uj_ctx *ctx, struct machine *m, const struct board *b)
{
    const struct core_class *class = b->core_class;
    struct core *c = uj_calloc(1, class->bytes);
    m->core = c;
    c->class = class;
    c->data = &m->data;
    c->code = m->code.pages ? &m->code : &m->data;
    enum uj_err err = class->create(ctx, c, yaml_get(b->mcu_map, "core"));
    if (err)
        return err;
    (void)machine_add_serial(m, "semihosting");
    c->port.semihost_owner = m;
    c->port.semihost_write = semihost_write;
    c->port.frequency = core_frequency;
    if (class->irq_set)
        m->irq = (struct irq_controller){.owner = c, .set = core_irq_set};
    m->cpu_clock_user = (struct clock_user){.changed = cpu_clock_changed, .owner = m};
    clock_use(m->cpu_clock, &m->cpu_clock_user);
    state_init(&m->cpu_state, "cpu", "active", clock_hz(m->cpu_clock));
    machine_add_state(m, &m->cpu_state);
    return UJ_OK;
}

static uint32_t region_read(void *device, uint32_t offset, unsigned bytes)
{
    struct periph *p = device;
    machine_sync(p->machine);
    return p->class->read(p, offset, bytes);
}

static void region_write(void *device, uint32_t offset, uint32_t value, unsigned bytes)
{
    struct periph *p = device;
    machine_sync(p->machine);
    p->class->write(p, offset, value, bytes);
}

static const struct mem_ops periph_ops = {.read = region_read, .write = region_write};

static void periph_clock_changed(void *owner, uint64_t now_ps)
{
    struct periph *p = owner;
    if (p->class->clock_changed)
        p->class->clock_changed(p, now_ps);
    machine_retime(p->machine);
}

static enum uj_err wire_irqs(struct uj_ctx *ctx, struct periph *p)
{
    for (unsigned i = 0; i < PERIPH_IRQS_MAX; i++)
        p->irq[i] = -1;
    const struct yaml_node *irqs = yaml_get(p->options, "irq");
    for (size_t i = 0; irqs && i < irqs->count; i++) {
        const struct yaml_node *wire = &irqs->items[i];
        unsigned output = 0;
        while (p->class->irqs && p->class->irqs[output] &&
               strcmp(p->class->irqs[output], wire->key) != 0)
            output++;
        if (!p->class->irqs || !p->class->irqs[output])
            return yaml_fail(ctx, wire, "the class \"%s\" has no such interrupt", p->class->name);
        int64_t number;
        enum uj_err err = yaml_integer(ctx, &number, wire, 0, 1023);
        if (err)
            return err;
        p->irq[output] = (int)number;
    }
    return UJ_OK;
}

static enum uj_err make_block(struct uj_ctx *ctx, struct machine *m,
                              const struct yaml_node *options)
{
    const char *name = NULL, *class_name = NULL, *clock = NULL;
    int64_t base = 0, size;
    enum uj_err err;
    if ((err = yaml_need_text(ctx, &name, options, "name")) ||
        (err = yaml_need_text(ctx, &class_name, options, "class")) ||
        (err = yaml_get_text(ctx, &clock, options, "clock")) ||
        (err = yaml_get_integer(ctx, &base, options, "base", 0, UINT32_MAX)))
        return err;
    const struct periph_class *class = periph_class_named(class_name);
    if (!class)
        return yaml_fail(ctx, yaml_get(options, "class"), "no class of block \"%s\"", class_name);
    size = class->window;
    if ((err = yaml_get_integer(ctx, &size, options, "size", 1, UINT32_MAX)))
        return err;

    struct periph *p = uj_calloc(1, class->bytes);
    struct periph **end = &m->periphs;
    while (*end)
        end = &(*end)->next;
    *end = p;
    p->class = class;
    p->machine = m;
    p->name = name;
    p->base = (uint32_t)base;
    p->options = options;
    if ((err = wire_irqs(ctx, p)))
        return err;
    if (clock) {
        p->clock = machine_clock(m, clock);
        if (!p->clock)
            return yaml_fail(ctx, yaml_get(options, "clock"), "no clock \"%s\"", clock);
        p->clock_user = (struct clock_user){.changed = periph_clock_changed, .owner = p};
        clock_use(p->clock, &p->clock_user);
    }
    if (size > 0) {
        p->region = (struct mem_region){
            .name = name, .base = p->base, .size = (uint32_t)size, .ops = &periph_ops, .device = p};
        if ((uint64_t)base + (uint64_t)size > (uint64_t)m->data.address_mask + 1)
            return yaml_fail(ctx, options, "reaches beyond the data space");
        mem_add(&m->data, &p->region);
    }
    return class->create ? class->create(ctx, p) : UJ_OK;
}

static enum uj_err make_blocks(struct uj_ctx *ctx, struct machine *m, const struct yaml_node *list)
{
    enum uj_err err = UJ_OK;
    for (size_t i = 0; !err && list && i < list->count; i++)
        err = make_block(ctx, m, &list->items[i]);
    return err;
}

static enum uj_err join_nets(struct uj_ctx *ctx, struct machine *m, const struct board *b)
{
    const struct yaml_node *nets = yaml_get(b->board_map, "nets");
    for (size_t i = 0; nets && i < nets->count; i++) {
        const char *other;
        enum uj_err err = yaml_text(ctx, &other, &nets->items[i]);
        if (err)
            return err;
        net_join(machine_net(m, nets->items[i].key), machine_net(m, other));
    }
    return UJ_OK;
}

enum uj_err board_machine(struct uj_ctx *ctx, struct machine **out, const struct board *b)
{
    const struct core_class *class = b->core_class;
    struct machine *m = uj_calloc(1, sizeof *m);
    mem_init(&m->data, "data", class->data_address_bits, class->page_bits);
    if (class->code_address_bits)
        mem_init(&m->code, "code", class->code_address_bits, class->page_bits);
    const struct yaml_node *def = yaml_get(b->mcu_map, "image_def");
    enum uj_err err = def ? yaml_text(ctx, &m->image_def, def) : UJ_OK;
    if (!err && def && strcmp(m->image_def, "arm") != 0 && strcmp(m->image_def, "riscv") != 0)
        err = yaml_fail(ctx, def, "\"%s\" is neither arm nor riscv", m->image_def);
    if (!err)
        err = make_memory(ctx, m, b);
    if (!err)
        err = make_clocks(ctx, m, b);
    if (!err)
        err = make_core(ctx, m, b);
    if (!err)
        err = join_nets(ctx, m, b);
    if (!err)
        err = make_blocks(ctx, m, yaml_get(b->mcu_map, "blocks"));
    if (!err)
        err = make_blocks(ctx, m, yaml_get(b->board_map, "parts"));
    if (err) {
        machine_free(m);
        return err;
    }
    machine_reset(m);
    *out = m;
    return UJ_OK;
}

void machine_free(struct machine *m)
{
    if (!m)
        return;
    for (struct periph *p = m->periphs, *next; p; p = next) {
        next = p->next;
        if (p->class->destroy)
            p->class->destroy(p);
        free(p);
    }
    for (struct sim_net *net = m->nets, *next; net; net = next) {
        next = net->next;
        free(net->name);
        free(net);
    }
    for (struct sim_serial *s = m->serials, *next; s; s = next) {
        next = s->next;
        free(s->queue);
        free(s);
    }
    if (m->core) {
        if (m->core->class->destroy)
            m->core->class->destroy(m->core);
        free(m->core);
    }
    spi_free_all(m);
    i2c_free_all(m);
    for (size_t i = 0; i < m->region_count; i++) {
        const struct mem_region *region = &m->regions[i];
        if (!region->twin || region < region->twin) /* a mirror comes behind what it shows */
            free(region->host);
    }
    free(m->regions);
    free(m->clocks);
    mem_free(&m->data);
    mem_free(&m->code);
    free(m);
}
