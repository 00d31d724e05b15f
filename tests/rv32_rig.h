/*
 * The core hazard3 on a bench: memory, an APB window, and an assembler, without a machine around
 * it. Nothing here knows what an instruction does.
 */
#ifndef UJ_TESTS_RV32_RIG_H
#define UJ_TESTS_RV32_RIG_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/core.h"
#include "sim/mem.h"

enum {
    RIG_RAM = 0x20000000,
    RIG_RAM_BYTES = 0x100000,
    RIG_APB = 0x40000000,
    RIG_APB_BYTES = 0x10000,
};

#define RIG_MARCH "rv32imac_zicsr_zifencei_zba_zbb_zbs_zbkb"

struct rv32_rig {
    struct mem_space data;
    struct mem_region ram_region, apb_region;
    uint8_t ram[RIG_RAM_BYTES], apb[RIG_APB_BYTES];
    struct core *core;
    struct uj_ctx ctx;
    char output[1 << 16]; /* what semihosting wrote */
    size_t output_bytes;
};

static inline void rig_semihost_write(void *owner, const uint8_t *bytes, size_t count)
{
    struct rv32_rig *rig = owner;
    for (size_t i = 0; i < count && rig->output_bytes < sizeof rig->output - 1; i++)
        rig->output[rig->output_bytes++] = (char)bytes[i];
}

static inline struct rv32_rig *rig_new(void)
{
    struct rv32_rig *rig = calloc(1, sizeof *rig);
    const struct core_class *class = core_class_named("hazard3");
    if (!rig || !class)
        abort();
    mem_init(&rig->data, "data", class->data_address_bits, class->page_bits);
    rig->ram_region = (struct mem_region){
        .name = "ram", .base = RIG_RAM, .size = RIG_RAM_BYTES, .host = rig->ram};
    rig->apb_region = (struct mem_region){.name = "apb",
                                          .base = RIG_APB,
                                          .size = RIG_APB_BYTES,
                                          .host = rig->apb,
                                          .wait_read = 2,
                                          .wait_write = 3};
    mem_add(&rig->data, &rig->ram_region);
    mem_add(&rig->data, &rig->apb_region);
    rig->core = calloc(1, class->bytes);
    rig->core->class = class;
    rig->core->data = rig->core->code = &rig->data;
    if (class->create(&rig->ctx, rig->core, NULL) != UJ_OK)
        abort();
    rig->core->port.semihost_owner = rig;
    rig->core->port.semihost_write = rig_semihost_write;
    rig->core->entry = RIG_RAM;
    class->reset(rig->core);
    return rig;
}

static inline void rig_free(struct rv32_rig *rig)
{
    rig->core->class->destroy(rig->core);
    free(rig->core);
    mem_free(&rig->data);
    free(rig);
}

/* Runs for at least `cycles` more; one instruction is the least. */
static inline enum core_stop rig_run(struct rv32_rig *rig, uint64_t cycles)
{
    struct core *core = rig->core;
    core->limit = core->cycle + cycles;
    core->deadline = core->irq_pending || core->stop_requested ? 0 : core->limit;
    return core->class->run(core);
}

static inline enum core_stop rig_step(struct rv32_rig *rig)
{
    return rig_run(rig, 1);
}

static inline uint32_t rig_word(const struct rv32_rig *rig, uint32_t address)
{
    uint32_t value;
    memcpy(&value, rig->ram + (address - RIG_RAM), sizeof value);
    return value;
}

static inline void rig_poke(struct rv32_rig *rig, uint32_t address, const void *bytes, size_t count)
{
    memcpy(rig->ram + (address - RIG_RAM), bytes, count);
    rig->core->class->code_changed(rig->core, address, count);
}

/* Assembles a file to bytes at RIG_RAM, into the rig and the file NAME.bin; false: the assembler
 * refuses. */
static inline bool rig_assemble(struct rv32_rig *rig, const char *name)
{
    char command[1024];
    snprintf(command, sizeof command,
             "riscv64-unknown-elf-gcc -march=" RIG_MARCH " -mabi=ilp32 -nostdlib -nostartfiles "
             "-Wl,-melf32lriscv,--no-relax,-Ttext=0x%x -o %s.elf %s.S && "
             "riscv64-unknown-elf-objcopy -O binary %s.elf %s.bin",
             RIG_RAM, name, name, name, name);
    if (system(command) != 0)
        return false;
    snprintf(command, sizeof command, "%s.bin", name);
    FILE *file = fopen(command, "rb");
    if (!file)
        return false;
    static uint8_t bytes[RIG_RAM_BYTES];
    size_t count = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    rig_poke(rig, RIG_RAM, bytes, count);
    return count > 0;
}

/* A generator of numbers for seeded tests. */
static inline uint32_t rig_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    uint64_t x = *state ^ *state >> 29;
    return (uint32_t)(x * 0x9e3779b97f4a7c15u >> 32);
}

#endif
