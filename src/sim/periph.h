/*
 * A peripheral: one block of a chip. `periph/x.c` defines a const struct periph_class and one line
 * in periph_registry.c names it; a chip's YAML places it:
 *
 *   blocks:
 *     - {name: tcc0, class: xmega_tc, base: 0x800, clock: per, irq: {ovf: 14, err: 15}, channels:
 * 4}
 *
 * Laws
 * - Registers are computed when read; an event exists only where something outside can see it.
 * - read() and write() are called with machine_now(p->machine) at the exact time of the access, and
 *   with every event due by then fired.
 * - What is told to the outside goes through nets, serial ports, interrupts and states, never by
 * naming another block.
 * - Options of the block are read in create() from p->options; the keys name, class, base, clock,
 * irq, size belong to the loader; create() refuses others it does not know (yaml_only with all of
 * them).
 */
#ifndef UJ_SIM_PERIPH_H
#define UJ_SIM_PERIPH_H

#include "base/err.h"
#include "base/yaml.h"
#include "sim/machine.h"

enum { PERIPH_IRQS_MAX = 16 };

struct periph;

struct periph_class {
    const char *name;
    size_t bytes;            /* of the derived structure that begins with struct periph */
    uint32_t window;         /* bytes of address space, 0: none */
    const char *const *irqs; /* names of its interrupt outputs, NULL-terminated; NULL: none */
    enum uj_err (*create)(struct uj_ctx *ctx, struct periph *p) UJ_CHECK; /* may be NULL */
    void (*destroy)(struct periph *p);                                    /* may be NULL */
    void (*reset)(struct periph *p);                                      /* may be NULL */
    uint32_t (*read)(struct periph *p, uint32_t offset, unsigned bytes);
    void (*write)(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes);
    void (*clock_changed)(struct periph *p, uint64_t now_ps); /* may be NULL */
    /* The core takes the interrupt of this output: clear what the chip clears by itself. */
    void (*irq_taken)(struct periph *p, unsigned output); /* may be NULL */
};

struct periph {
    const struct periph_class *class;
    struct machine *machine;
    const char *name;
    uint32_t base;
    struct sim_clock *clock;         /* NULL where the YAML names none */
    const struct yaml_node *options; /* the block's map */
    int irq[PERIPH_IRQS_MAX];        /* the number at the interrupt controller, -1: not wired */
    struct mem_region region;
    struct clock_user clock_user;
    struct periph *next;
};

/* Raises or lowers interrupt output `output` (index into class->irqs) at the chip's controller. */
void periph_irq(struct periph *p, unsigned output, bool level);
/* For a controller: the core takes interrupt `number`; every block wired to it hears irq_taken().
 */
void periph_irq_taken(struct machine *m, int number);

/* The option keys that the loader reads, for yaml_only() in create(). */
#define PERIPH_LOADER_KEYS "name", "class", "base", "clock", "irq", "size"

extern const struct periph_class *const periph_classes[];
const struct periph_class *periph_class_named(const char *name);

#endif
