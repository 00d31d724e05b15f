/* The core `hazard3` as a class, and what is not execution. */
#include "isa/rv32/rv32_core.h"

#include <elf.h>
#include <stdlib.h>

static void code_written(void *owner, uint32_t address, unsigned bytes)
{
    rv32_code_changed(owner, address, bytes);
}

static const char *const option_keys[] = {"class", "reset", "stack"};

static enum uj_err create(struct uj_ctx *ctx, struct core *core, const struct yaml_node *options)
{
    struct rv32_core *c = (struct rv32_core *)core;
    int64_t reset = 0, stack = 0;
    if (options) {
        enum uj_err err =
            yaml_only(ctx, options, option_keys, sizeof option_keys / sizeof *option_keys);
        if (!err)
            err = yaml_get_integer(ctx, &reset, options, "reset", 0, UINT32_MAX);
        if (!err)
            err = yaml_get_integer(ctx, &stack, options, "stack", 0, UINT32_MAX);
        if (err)
            return err;
    }
    c->reset_pc = (uint32_t)reset & ~1u;
    c->reset_sp = (uint32_t)stack & ~15u;
    c->pages = core->data->pages;
    core->data->code_written = code_written;
    core->data->code_owner = core;
    core->write_mask = UINT32_MAX;
    return UJ_OK;
}

static void destroy(struct core *core)
{
    struct rv32_core *c = (struct rv32_core *)core;
    rv32_code_free(c);
    free(c->watches);
}

static void set_pc(struct core *core, uint32_t address)
{
    struct rv32_core *c = (struct rv32_core *)core;
    c->watch_pass = NULL;
    c->live.predicted = NULL;
    c->live.ip = NULL;
    c->lost_pc = address;
    if (rv32_go(c, address))
        c->live.landing = c->live.ip;
}

static void reset(struct core *core)
{
    struct rv32_core *c = (struct rv32_core *)core;
    memset(c->x, 0, sizeof c->x);
    memset(c->waits, 0, sizeof c->waits);
    c->x[2] = core->sp_low = c->reset_sp;
    rv32_csr_reset(c);
    rv32_irq_update(c);
    c->reserved = c->unblocked = false;
    c->semihost = (struct semihost){0};
    c->trap_target = UINT32_MAX;
    c->trap_kinds = 0;
    c->overlap_at = -1;
    c->bus = c->bus_distance = 0;
    c->live.count = 0;
    core->asleep = core->woken = false;
    core->sleep_mode = 0;
    core->isr_depth = 0;
    core->fault = (struct core_fault){0};
    core->exit_code = 0;
    set_pc(core, core->entry ? core->entry : c->reset_pc);
}

static uint32_t pc(const struct core *core)
{
    const struct rv32_core *c = (const struct rv32_core *)core;
    return c->live.ip ? rv32_pc_of(c, c->live.ip) : c->lost_pc;
}

static uint32_t sp(const struct core *core)
{
    return ((const struct rv32_core *)core)->x[2];
}

static uint32_t return_address(const struct core *core)
{
    return ((const struct rv32_core *)core)->x[1] & ~1u;
}

static bool returned(const struct core *core, uint32_t entry_sp)
{
    return ((const struct rv32_core *)core)->x[2] >= entry_sp;
}

enum {
    REGISTER_PC = 32,
    REGISTER_MSTATUS,
    REGISTER_MTVEC,
    REGISTER_MEPC,
    REGISTER_MCAUSE,
    REGISTER_MIE,
    REGISTER_MIP,
    REGISTERS
};

static const char *register_name(unsigned number)
{
    static const char *const names[REGISTERS] = {
        "zero", "ra", "sp", "gp",      "tp",    "t0",   "t1",     "t2",  "s0",  "s1",
        "a0",   "a1", "a2", "a3",      "a4",    "a5",   "a6",     "a7",  "s2",  "s3",
        "s4",   "s5", "s6", "s7",      "s8",    "s9",   "s10",    "s11", "t3",  "t4",
        "t5",   "t6", "pc", "mstatus", "mtvec", "mepc", "mcause", "mie", "mip",
    };
    return number < REGISTERS ? names[number] : NULL;
}

static uint32_t get_register(const struct core *core, unsigned number)
{
    static const uint16_t csrs[] = {0x300, 0x305, 0x341, 0x342, 0x304, 0x344};
    const struct rv32_core *c = (const struct rv32_core *)core;
    if (number < 32)
        return c->x[number];
    if (number == REGISTER_PC)
        return pc(core);
    return number < REGISTERS ? rv32_csr_peek(c, csrs[number - REGISTER_MSTATUS]) : 0;
}

static void set_register(struct core *core, unsigned number, uint32_t value)
{
    struct rv32_core *c = (struct rv32_core *)core;
    if (number == 0)
        return;
    if (number < 32)
        c->x[number] = value;
    switch (number) {
    case REGISTER_PC: set_pc(core, value); break;
    case REGISTER_MTVEC: c->csr.mtvec = value & ~2u; break;
    case REGISTER_MEPC: c->csr.mepc = value & ~1u; break;
    default: break;
    }
}

const struct core_class rv32_core_hazard3 = {
    .name = "hazard3",
    .isa = "rv32",
    .elf_machine = EM_RISCV,
    .bytes = sizeof(struct rv32_core),
    .code_space = "data",
    .data_address_bits = 32,
    .page_bits = RV32_PAGE_BITS,
    .create = create,
    .destroy = destroy,
    .reset = reset,
    .run = rv32_exec_run,
    .run_traced = rv32_exec_run_traced,
    .pc = pc,
    .set_pc = set_pc,
    .sp = sp,
    .return_address = return_address,
    .returned = returned,
    .registers = REGISTERS,
    .register_name = register_name,
    .get_register = get_register,
    .set_register = set_register,
    .watch = rv32_watch,
    .code_changed = rv32_code_changed,
    .irq_set = rv32_irq_set,
    .disassemble = rv32_disassemble,
};
