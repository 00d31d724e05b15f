/*
 * An MSP430 core on a bench: memory everywhere, but for a device in one page, without a machine
 * around it. Everything is plain state of the test; nothing here knows what an instruction does.
 */
#ifndef UJ_TESTS_MSP430_RIG_H
#define UJ_TESTS_MSP430_RIG_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/msp430/msp430_core.h"
#include "sim/core.h"
#include "sim/mem.h"

enum { RIG_DEVICE = 0x100, RIG_DEVICE_BYTES = 0x100, RIG_ACCESSES = 16 };
enum { RIG_CODE = 0x4000, RIG_DATA = 0x2000, RIG_STACK = 0x3000 };

struct rig_access {
    uint64_t cycle;
    uint32_t offset, value;
    unsigned bytes;
    bool write;
};

struct msp430_rig {
    struct mem_space data;
    struct mem_region memory_region, device_region;
    uint8_t *memory;
    uint32_t memory_bytes;
    uint8_t device[RIG_DEVICE_BYTES];
    struct core *core;
    struct yaml *options;
    struct uj_ctx ctx;
    struct rig_access accesses[RIG_ACCESSES]; /* of the device, the first since rig_forget() */
    unsigned access_count;
    int irq_vector; /* to give, -1 none */
    unsigned irq_taken, irq_returned;
    unsigned clock_bits, clock_bits_calls;
};

static inline void rig_note(struct msp430_rig *rig, struct rig_access access)
{
    if (rig->access_count < RIG_ACCESSES)
        rig->accesses[rig->access_count] = access;
    rig->access_count++;
}

static inline uint32_t rig_device_read(void *device, uint32_t offset, unsigned bytes)
{
    struct msp430_rig *rig = device;
    uint32_t value = rig->device[offset];
    if (bytes == 2)
        value |= (uint32_t)rig->device[offset + 1] << 8;
    rig_note(rig, (struct rig_access){rig->core->cycle, offset, value, bytes, false});
    return value;
}

static inline void rig_device_write(void *device, uint32_t offset, uint32_t value, unsigned bytes)
{
    struct msp430_rig *rig = device;
    rig->device[offset] = (uint8_t)value;
    if (bytes == 2)
        rig->device[offset + 1] = (uint8_t)(value >> 8);
    rig_note(rig, (struct rig_access){rig->core->cycle, offset, value, bytes, true});
}

static inline int rig_irq_take(void *chip)
{
    struct msp430_rig *rig = chip;
    int vector = rig->irq_vector;
    rig->irq_vector = -1;
    rig->core->irq_pending = rig->core->nmi_pending = false;
    rig->irq_taken += vector >= 0;
    return vector;
}

static inline void rig_irq_return(void *chip)
{
    ((struct msp430_rig *)chip)->irq_returned++;
}

static inline void rig_clock_bits(void *chip, unsigned bits)
{
    struct msp430_rig *rig = chip;
    rig->clock_bits = bits;
    rig->clock_bits_calls++;
}

/* `options` is YAML, "{cpu4: true}", or NULL. The program counter is at RIG_CODE. */
static inline struct msp430_rig *rig_new(const char *class_name, const char *options)
{
    static const struct mem_ops device_ops = {rig_device_read, rig_device_write};
    struct msp430_rig *rig = calloc(1, sizeof *rig);
    const struct core_class *class = core_class_named(class_name);
    if (!rig || !class)
        abort();
    rig->memory_bytes = 1u << class->data_address_bits;
    rig->memory = calloc(1, rig->memory_bytes);
    mem_init(&rig->data, "data", class->data_address_bits, class->page_bits);
    rig->memory_region =
        (struct mem_region){.name = "memory", .size = rig->memory_bytes, .host = rig->memory};
    rig->device_region = (struct mem_region){.name = "device",
                                             .base = RIG_DEVICE,
                                             .size = RIG_DEVICE_BYTES,
                                             .ops = &device_ops,
                                             .device = rig};
    mem_add(&rig->data, &rig->memory_region);
    mem_add(&rig->data, &rig->device_region);
    rig->core = calloc(1, class->bytes);
    rig->core->class = class;
    rig->core->data = rig->core->code = &rig->data;
    rig->irq_vector = -1;
    const struct yaml_node *map = NULL;
    if (options && yaml_parse(&rig->ctx, &rig->options, "options", options, strlen(options)))
        abort();
    if (options)
        map = yaml_root(rig->options);
    if (class->create(&rig->ctx, rig->core, map) != UJ_OK) {
        fprintf(stderr, "%s\n", rig->ctx.message);
        abort();
    }
    rig->core->port = (struct core_port){.chip = rig,
                                         .irq_take = rig_irq_take,
                                         .irq_return = rig_irq_return,
                                         .clock_bits = rig_clock_bits};
    class->reset(rig->core);
    class->set_pc(rig->core, RIG_CODE);
    return rig;
}

static inline void rig_free(struct msp430_rig *rig)
{
    rig->core->class->destroy(rig->core);
    free(rig->core);
    if (rig->options)
        yaml_close(rig->options);
    mem_free(&rig->data);
    free(rig->memory);
    free(rig);
}

static inline struct msp430_core *rig_msp430(struct msp430_rig *rig)
{
    return (struct msp430_core *)rig->core;
}

static inline void rig_set(struct msp430_rig *rig, unsigned number, uint32_t value)
{
    rig->core->class->set_register(rig->core, number, value);
}

static inline uint32_t rig_get(struct msp430_rig *rig, unsigned number)
{
    return rig->core->class->get_register(rig->core, number);
}

static inline uint32_t rig_word(const struct msp430_rig *rig, uint32_t address)
{
    return rig->memory[address] | (uint32_t)rig->memory[address + 1] << 8;
}

/* Puts words into memory, and tells the core. */
static inline void rig_put(struct msp430_rig *rig, uint32_t address, const uint16_t *words,
                           unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        rig->memory[address + 2 * i] = (uint8_t)words[i];
        rig->memory[address + 2 * i + 1] = (uint8_t)(words[i] >> 8);
    }
    rig->core->class->code_changed(rig->core, address, 2 * count);
}

#define RIG_PUT(rig, address, ...)                                     \
    do {                                                               \
        const uint16_t words_[] = {__VA_ARGS__};                       \
        rig_put(rig, address, words_, sizeof words_ / sizeof *words_); \
    } while (0)

static inline void rig_forget(struct msp430_rig *rig)
{
    rig->access_count = 0;
}

/* Runs for at least `cycles` more; one instruction is the least. */
static inline enum core_stop rig_run(struct msp430_rig *rig, uint64_t cycles)
{
    struct core *core = rig->core;
    core->limit = core->cycle + cycles;
    core->deadline =
        core->irq_pending || core->nmi_pending || core->stop_requested ? 0 : core->limit;
    return core->trace ? core->class->run_traced(core) : core->class->run(core);
}

/* One instruction; its cycles. */
static inline unsigned rig_step(struct msp430_rig *rig)
{
    uint64_t before = rig->core->cycle;
    (void)rig_run(rig, 1);
    return (unsigned)(rig->core->cycle - before);
}

/* A generator of numbers for seeded tests. */
static inline uint32_t rig_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    uint64_t x = *state ^ *state >> 29;
    return (uint32_t)(x * 0x9e3779b97f4a7c15u >> 32);
}

#endif
