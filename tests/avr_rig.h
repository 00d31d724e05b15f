/*
 * An AVR core on a bench: flash, RAM, and I/O registers that remember, without a machine around it.
 * Everything is plain state of the test; nothing here knows what an instruction does.
 */
#ifndef UJ_TESTS_AVR_RIG_H
#define UJ_TESTS_AVR_RIG_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/avr/avr_core.h"
#include "sim/core.h"
#include "sim/mem.h"

enum { RIG_IO_BYTES = 0x2000, RIG_ACCESSES = 8 };

struct rig_access {
    uint64_t cycle;
    uint32_t address, mask;
    uint8_t value;
    bool write;
};

struct avr_rig {
    struct mem_space data, code;
    struct mem_region flash_region, ram_region, io_region;
    uint8_t flash[0x40000], ram[0x10000], io[RIG_IO_BYTES];
    struct core *core;
    struct yaml *options;
    struct uj_ctx ctx;
    struct rig_access accesses[RIG_ACCESSES]; /* of I/O, the first ones since rig_forget() */
    unsigned access_count;
    /* The interrupt controller: number to give, -1 none. */
    int irq_number;
    unsigned irq_taken, irq_returned;
};

static inline struct rig_access *rig_note(struct avr_rig *rig)
{
    static struct rig_access beyond;
    unsigned i = rig->access_count++;
    return i < RIG_ACCESSES ? &rig->accesses[i] : &beyond;
}

static inline uint32_t rig_io_read(void *device, uint32_t offset, unsigned bytes)
{
    struct avr_rig *rig = device;
    (void)bytes;
    *rig_note(rig) = (struct rig_access){rig->core->cycle, offset, 0, rig->io[offset], false};
    return rig->io[offset];
}

static inline void rig_io_write(void *device, uint32_t offset, uint32_t value, unsigned bytes)
{
    struct avr_rig *rig = device;
    (void)bytes;
    *rig_note(rig) =
        (struct rig_access){rig->core->cycle, offset, rig->core->write_mask, (uint8_t)value, true};
    rig->io[offset] = (uint8_t)value;
}

static inline int rig_irq_take(void *chip)
{
    struct avr_rig *rig = chip;
    int number = rig->irq_number;
    rig->irq_number = -1;
    rig->core->irq_pending = false;
    rig->irq_taken += number >= 0;
    return number;
}

static inline void rig_irq_return(void *chip)
{
    ((struct avr_rig *)chip)->irq_returned++;
}

/* `options` is YAML, "{pc_bits: 22}", or NULL. */
static inline struct avr_rig *rig_new(const char *class_name, uint32_t flash_bytes,
                                      uint32_t ram_base, uint32_t ram_bytes, const char *options)
{
    static const struct mem_ops io_ops = {rig_io_read, rig_io_write};
    struct avr_rig *rig = calloc(1, sizeof *rig);
    const struct core_class *class = core_class_named(class_name);
    if (!rig || !class)
        abort();
    memset(rig->flash, 0xff, sizeof rig->flash);
    mem_init(&rig->data, "data", class->data_address_bits, class->page_bits);
    mem_init(&rig->code, "code", class->code_address_bits, class->page_bits);
    rig->flash_region =
        (struct mem_region){.name = "flash", .size = flash_bytes, .host = rig->flash};
    rig->io_region =
        (struct mem_region){.name = "io", .size = ram_base, .ops = &io_ops, .device = rig};
    rig->ram_region =
        (struct mem_region){.name = "ram", .base = ram_base, .size = ram_bytes, .host = rig->ram};
    mem_add(&rig->code, &rig->flash_region);
    mem_add(&rig->data, &rig->io_region);
    mem_add(&rig->data, &rig->ram_region);
    rig->core = calloc(1, class->bytes);
    rig->core->class = class;
    rig->core->data = &rig->data;
    rig->core->code = &rig->code;
    rig->irq_number = -1;
    const struct yaml_node *map = NULL;
    if (options && yaml_parse(&rig->ctx, &rig->options, "options", options, strlen(options)))
        abort();
    if (options)
        map = yaml_root(rig->options);
    if (class->create(&rig->ctx, rig->core, map) != UJ_OK) {
        fprintf(stderr, "%s\n", rig->ctx.message);
        abort();
    }
    rig->core->port.chip = rig;
    rig->core->port.irq_take = rig_irq_take;
    rig->core->port.irq_return = rig_irq_return;
    class->reset(rig->core);
    return rig;
}

static inline void rig_free(struct avr_rig *rig)
{
    rig->core->class->destroy(rig->core);
    free(rig->core);
    if (rig->options)
        yaml_close(rig->options);
    mem_free(&rig->data);
    mem_free(&rig->code);
    free(rig);
}

static inline struct avr_core *rig_avr(struct avr_rig *rig)
{
    return (struct avr_core *)rig->core;
}

/* Puts a word of program, and tells the core. */
static inline void rig_word(struct avr_rig *rig, uint32_t index, uint16_t word)
{
    rig->flash[2 * index] = (uint8_t)word;
    rig->flash[2 * index + 1] = (uint8_t)(word >> 8);
    rig->core->class->code_changed(rig->core, 2 * index, 2);
}

static inline void rig_forget(struct avr_rig *rig)
{
    rig->access_count = 0;
}

/* Runs for at least `cycles` more; one instruction is the least. */
static inline enum core_stop rig_run(struct avr_rig *rig, uint64_t cycles)
{
    struct core *core = rig->core;
    core->limit = core->cycle + cycles;
    core->deadline = core->irq_pending || core->stop_requested ? 0 : core->limit;
    return core->class->run(core);
}

static inline enum core_stop rig_step(struct avr_rig *rig)
{
    return rig_run(rig, 1);
}

/* A generator of numbers for seeded tests. */
static inline uint32_t rig_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    uint64_t x = *state ^ *state >> 29;
    return (uint32_t)(x * 0x9e3779b97f4a7c15u >> 32);
}

#endif
