/*
 * MSP430 special function registers and interrupt priorities. The vectors end at 0xFFFE, which is
 * reset; the higher one goes first. Options: vectors (their number), maskable (how many of them,
 * from the lowest, need GIE), reset (map from offset to the register's value after reset), kept
 * (offset of the register and mask of the flags that a reset by a device sets), nmi_enables (offset
 * and mask of the enables that accepting a non-maskable interrupt clears).
 */
#include <stdlib.h>
#include <string.h>

#include "periph/msp430_sfr.h"

enum { VECTORS_MAX = 64, REGISTERS_MAX = 16 };

struct msp430_intc {
    struct periph periph;
    unsigned vectors, maskable;
    unsigned requests[VECTORS_MAX]; /* sources that ask for it */
    uint8_t value[REGISTERS_MAX], reset[REGISTERS_MAX];
    unsigned kept, kept_mask, nmi, nmi_mask;
    struct sfr_listener *listeners;
};

static struct msp430_intc *of(struct machine *m)
{
    return m->irq.owner;
}

/* The highest vector that asks, at or above `from`; -1: none. */
static int highest(const struct msp430_intc *intc, unsigned from)
{
    for (unsigned i = intc->vectors; i-- > from;)
        if (intc->requests[i])
            return (int)i;
    return -1;
}

static void update(struct msp430_intc *intc)
{
    struct core *core = intc->periph.machine->core;
    bool nmi = highest(intc, intc->maskable) >= 0, any = highest(intc, 0) >= 0;
    if (nmi != core->nmi_pending) {
        core->nmi_pending = nmi;
        core_attention(core);
    }
    if (any != core->irq_pending)
        machine_irq_request(intc->periph.machine, any);
}

static void intc_set(void *owner, int number, bool level)
{
    struct msp430_intc *intc = owner;
    unsigned vector = (unsigned)number;
    if (vector >= intc->vectors)
        return;
    intc->requests[vector] += level ? 1 : intc->requests[vector] > 0 ? -1u : 0;
    update(intc);
}

static int intc_take(void *chip)
{
    struct periph *p = chip;
    struct msp430_intc *intc = of(p->machine);
    unsigned gie = p->machine->core->class->get_register(p->machine->core, 2) & 8;
    int vector = highest(intc, gie ? 0 : intc->maskable);
    if (vector < 0) {
        update(intc);
        return -1;
    }
    if ((unsigned)vector >= intc->maskable && intc->nmi_mask)
        sfr_clear(p->machine, intc->nmi, (uint8_t)intc->nmi_mask);
    periph_irq_taken(p->machine, vector);
    return 0x10000 - 2 * ((int)intc->vectors - vector);
}

uint8_t sfr_get(struct machine *m, unsigned offset)
{
    return of(m)->value[offset];
}

static void changed(struct msp430_intc *intc)
{
    for (struct sfr_listener *l = intc->listeners; l; l = l->next)
        l->changed(l->owner);
}

void sfr_set(struct machine *m, unsigned offset, uint8_t bits)
{
    struct msp430_intc *intc = of(m);
    if (bits & ~intc->value[offset]) {
        intc->value[offset] |= bits;
        changed(intc);
    }
}

void sfr_clear(struct machine *m, unsigned offset, uint8_t bits)
{
    struct msp430_intc *intc = of(m);
    if (bits & intc->value[offset]) {
        intc->value[offset] &= (uint8_t)~bits;
        changed(intc);
    }
}

void sfr_listen(struct machine *m, struct sfr_listener *listener)
{
    struct msp430_intc *intc = of(m);
    listener->next = intc->listeners;
    intc->listeners = listener;
}

void msp430_irq(struct periph *p, unsigned output, struct msp430_line *line, bool level)
{
    if (line->is_high == level)
        return;
    line->is_high = level;
    periph_irq(p, output, level);
}

enum uj_err msp430_clock_option(struct uj_ctx *ctx, struct sim_clock **out, struct periph *p,
                                const char *key)
{
    const char *name = NULL;
    enum uj_err err = yaml_need_text(ctx, &name, p->options, key);
    if (err)
        return err;
    *out = machine_clock(p->machine, name);
    return *out ? UJ_OK : yaml_fail(ctx, yaml_get(p->options, key), "no clock \"%s\"", name);
}

static enum uj_err read_reset(struct uj_ctx *ctx, struct msp430_intc *intc)
{
    const struct yaml_node *map = yaml_get(intc->periph.options, "reset");
    for (size_t i = 0; map && i < map->count; i++) {
        char *end;
        int64_t value;
        unsigned long offset = strtoul(map->items[i].key, &end, 0);
        if (*end || offset >= REGISTERS_MAX)
            return yaml_fail(ctx, &map->items[i], "is no register's offset below %d",
                             REGISTERS_MAX);
        enum uj_err err = yaml_integer(ctx, &value, &map->items[i], 0, 255);
        if (err)
            return err;
        intc->reset[offset] = (uint8_t)value;
    }
    return UJ_OK;
}

/* [OFFSET, MASK] */
static enum uj_err read_mask(struct uj_ctx *ctx, unsigned *offset, unsigned *mask,
                             const struct periph *p, const char *key)
{
    int64_t a, b;
    const struct yaml_node *list = yaml_get(p->options, key);
    if (!list)
        return UJ_OK;
    if (list->kind != YAML_LIST || list->count != 2)
        return yaml_fail(ctx, list, "a register's offset and a mask: [0x2, 0x1]");
    enum uj_err err = yaml_integer(ctx, &a, &list->items[0], 0, REGISTERS_MAX - 1);
    if (!err)
        err = yaml_integer(ctx, &b, &list->items[1], 0, 255);
    if (err)
        return err;
    *offset = (unsigned)a;
    *mask = (unsigned)b;
    return UJ_OK;
}

static enum uj_err intc_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {PERIPH_LOADER_KEYS, "vectors", "maskable", "reset", "kept",
                                       "nmi_enables",      "note"};
    struct msp430_intc *intc = (struct msp430_intc *)p;
    int64_t vectors = 16, maskable = 14;
    enum uj_err err = yaml_only(ctx, p->options, keys, sizeof keys / sizeof *keys);
    if (err || (err = yaml_need_integer(ctx, &vectors, p->options, "vectors", 2, VECTORS_MAX)) ||
        (err = yaml_need_integer(ctx, &maskable, p->options, "maskable", 1, vectors)) ||
        (err = read_reset(ctx, intc)) ||
        (err = read_mask(ctx, &intc->kept, &intc->kept_mask, p, "kept")) ||
        (err = read_mask(ctx, &intc->nmi, &intc->nmi_mask, p, "nmi_enables")))
        return err;
    if (p->region.size > REGISTERS_MAX)
        return yaml_fail(ctx, p->options, "has at most %d registers", REGISTERS_MAX);
    intc->vectors = (unsigned)vectors;
    intc->maskable = (unsigned)maskable;
    p->machine->irq = (struct irq_controller){.owner = intc, .set = intc_set};
    p->machine->core->port.irq_take = intc_take;
    if (!p->machine->core->port.chip)
        p->machine->core->port.chip = p;
    return UJ_OK;
}

/* It is the first block: the others lower their lines in their own reset(). */
static void intc_reset(struct periph *p)
{
    struct msp430_intc *intc = (struct msp430_intc *)p;
    memcpy(intc->value, intc->reset, sizeof intc->value);
    if (p->machine->reset_cause)
        intc->value[intc->kept] |= (uint8_t)intc->kept_mask;
    changed(intc);
}

static uint32_t intc_read(struct periph *p, uint32_t offset, unsigned bytes)
{
    const struct msp430_intc *intc = (const struct msp430_intc *)p;
    uint32_t value = 0;
    for (unsigned i = 0; i < MSP430_BYTES(bytes) && offset + i < p->region.size; i++)
        value |= (uint32_t)intc->value[offset + i] << (8 * i);
    return value;
}

static void intc_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes)
{
    struct msp430_intc *intc = (struct msp430_intc *)p;
    for (unsigned i = 0; i < MSP430_BYTES(bytes) && offset + i < p->region.size; i++)
        intc->value[offset + i] = (uint8_t)(value >> (8 * i));
    changed(intc);
}

const struct periph_class msp430_intc_class = {
    .name = "msp430_intc",
    .bytes = sizeof(struct msp430_intc),
    .create = intc_create,
    .reset = intc_reset,
    .read = intc_read,
    .write = intc_write,
};
