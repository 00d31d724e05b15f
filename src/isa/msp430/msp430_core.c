/* The three MSP430 cores as classes, and what is not execution. */
#include "isa/msp430/msp430_core.h"

#include <elf.h>
#include <stdlib.h>

#include "isa/msp430/msp430_semantics.h"

static void code_written(void *owner, uint32_t address, unsigned bytes)
{
    msp430_code_changed(owner, address, bytes);
}

static enum uj_err create(struct uj_ctx *ctx, struct core *core, const struct yaml_node *options)
{
    static const char *const keys[] = {"class", "cpu4"};
    struct msp430_core *c = (struct msp430_core *)core;
    c->kind = core->class == &msp430_core_msp430    ? MSP430_CORE_MSP430
              : core->class == &msp430_core_msp430x ? MSP430_CORE_MSP430X
                                                    : MSP430_CORE_MSP430XV2;
    c->is_cpux = c->kind != MSP430_CORE_MSP430;
    c->register_mask = c->is_cpux ? 0xfffff : 0xffff;
    c->watch_pass = UINT32_MAX;
    c->pages = core->data->pages;
    core->data->code_written = code_written;
    core->data->code_owner = core;
    if (!options)
        return UJ_OK;
    enum uj_err err = yaml_only(ctx, options, keys, sizeof keys / sizeof *keys);
    if (err == UJ_OK)
        err = yaml_get_bool(ctx, &c->cpu4, options, "cpu4");
    if (err == UJ_OK && c->cpu4 && c->is_cpux)
        err = yaml_fail(ctx, yaml_get(options, "cpu4"), "only the core msp430 has this erratum");
    return err;
}

static void destroy(struct core *core)
{
    struct msp430_core *c = (struct msp430_core *)core;
    free(c->records);
    free(c->watches);
}

static void set_pc(struct core *core, uint32_t address)
{
    struct msp430_core *c = (struct msp430_core *)core;
    msp430_attach(c);
    c->live.ip = c->records + ((address & c->register_mask) >> 1);
    c->watch_pass = UINT32_MAX;
    c->is_reset = false;
}

static void reset(struct core *core)
{
    struct msp430_core *c = (struct msp430_core *)core;
    memset(c->r, 0, sizeof c->r);
    c->sr = 0;
    msp430_set_flags(&c->live, 0);
    c->hold = 0;
    c->last_call_bytes = 2;
    c->bus = c->bus_distance = 0;
    core->asleep = false;
    core->irq_masked = false;
    core->sleep_mode = 0;
    core->isr_depth = 0;
    core->sp_low = c->register_mask;
    core->fault = (struct core_fault){0};
    set_pc(core, 0);
    c->is_reset = true;
    core_attention(core);
}

static uint32_t peek_word(const struct core *core, uint32_t address)
{
    uint8_t bytes[2];
    if (!mem_peek(core->data, address, bytes, sizeof bytes))
        return UINT32_MAX;
    return bytes[0] | (uint32_t)bytes[1] << 8;
}

static uint32_t pc(const struct core *core)
{
    const struct msp430_core *c = (const struct msp430_core *)core;
    return c->is_reset ? peek_word(core, MSP430_RESET_VECTOR) : 2 * msp430_index(c);
}

static uint32_t sp(const struct core *core)
{
    return ((const struct msp430_core *)core)->r[MSP430_SP];
}

/* By the kind of the last call: in an image that mixes CALL and CALLA this can be wrong for a
 * function that is entered by a jump behind other calls. */
static uint32_t return_address(const struct core *core)
{
    const struct msp430_core *c = (const struct msp430_core *)core;
    uint32_t low = peek_word(core, c->r[MSP430_SP]);
    if (c->last_call_bytes == 2 || low == UINT32_MAX)
        return low;
    uint32_t high = peek_word(core, c->r[MSP430_SP] + 2);
    return high == UINT32_MAX ? high : low | (high & 0xf) << 16;
}

/* CALL leaves two bytes on the stack, CALLA four; neither function lets SP stand between. */
static bool returned(const struct core *core, uint32_t entry_sp)
{
    return sp(core) >= entry_sp + 2;
}

static const char *register_name(unsigned number)
{
    static const char *const names[16] = {"pc", "sp", "sr",  "r3",  "r4",  "r5",  "r6",  "r7",
                                          "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"};
    return number < 16 ? names[number] : NULL;
}

static uint32_t get_register(const struct core *core, unsigned number)
{
    const struct msp430_core *c = (const struct msp430_core *)core;
    switch (number) {
    case MSP430_PC: return pc(core);
    case MSP430_SR: return msp430_sr(c, &c->live);
    default: return number < 16 ? c->r[number] : 0;
    }
}

/* By the host: nothing follows from SR's bits for sleeping. */
static void set_register(struct core *core, unsigned number, uint32_t value)
{
    struct msp430_core *c = (struct msp430_core *)core;
    switch (number) {
    case MSP430_PC: set_pc(core, value); break;
    case MSP430_SP: c->r[number] = value & c->register_mask & ~1u; break;
    case MSP430_SR:
        c->sr = value & MSP430_SR_KEPT;
        msp430_set_flags(&c->live, value);
        break;
    case MSP430_CG: break;
    default:
        if (number < 16)
            c->r[number] = value & c->register_mask;
    }
}

#define MSP430_CLASS(class_name, bits)                                                            \
    {                                                                                             \
        .name = class_name, .isa = "msp430", .elf_machine = EM_MSP430,                            \
        .bytes = sizeof(struct msp430_core), .code_space = "data", .data_address_bits = bits,     \
        .page_bits = MSP430_PAGE_BITS, .create = create, .destroy = destroy, .reset = reset,      \
        .run = msp430_run, .run_traced = msp430_run_traced, .pc = pc, .set_pc = set_pc, .sp = sp, \
        .return_address = return_address, .returned = returned, .registers = 16,                  \
        .register_name = register_name, .get_register = get_register,                             \
        .set_register = set_register, .watch = msp430_watch, .code_changed = msp430_code_changed, \
        .disassemble = msp430_disassemble,                                                        \
    }

const struct core_class msp430_core_msp430 = MSP430_CLASS("msp430", 16);
const struct core_class msp430_core_msp430x = MSP430_CLASS("msp430x", 20);
const struct core_class msp430_core_msp430xv2 = MSP430_CLASS("msp430xv2", 20);
