/* The classes cortex-m0plus, cortex-m3 and cortex-m33. */
#include <stdlib.h>
#include <string.h>

#include <elf.h>

#include "base/str.h"
#include "isa/thumb/thumb.h"

static struct thumb_core *thumb(struct core *core)
{
    return (struct thumb_core *)core;
}

static const struct thumb_core *thumb_const(const struct core *core)
{
    return (const struct thumb_core *)core;
}

struct param_row {
    const char *name;
    size_t offset;
    int values[THUMB_CORES];
    int low, high;
};

static const struct param_row params[] = {
#define THUMB_PARAM(name, m0plus, m3, m33, low, high, standing) \
    {#name, offsetof(struct thumb_params, name), {m0plus, m3, m33}, low, high},
#include "isa/thumb/thumb_params.h"
#undef THUMB_PARAM
};
enum { PARAMS = sizeof params / sizeof params[0] };

static enum uj_err read_params(struct uj_ctx *ctx, struct thumb_core *c,
                               const struct yaml_node *options)
{
    const char *keys[PARAMS + 1];
    keys[0] = "class";
    for (unsigned i = 0; i < PARAMS; i++)
        keys[i + 1] = params[i].name;
    if (options) {
        enum uj_err err = yaml_only(ctx, options, keys, PARAMS + 1);
        if (err)
            return err;
    }
    for (unsigned i = 0; i < PARAMS; i++) {
        int64_t value = params[i].values[c->kind];
        if (options) {
            enum uj_err err = yaml_get_integer(ctx, &value, options, params[i].name, params[i].low,
                                               params[i].high);
            if (err)
                return err;
        }
        *(int *)((char *)&c->params + params[i].offset) = (int)value;
    }
    return UJ_OK;
}

static enum uj_err create(struct uj_ctx *ctx, struct core *core, const struct yaml_node *options)
{
    struct thumb_core *c = thumb(core);
    c->kind = core->class == &thumb_cortex_m0plus ? THUMB_M0PLUS
              : core->class == &thumb_cortex_m3   ? THUMB_M3
                                                  : THUMB_M33;
    enum uj_err err = read_params(ctx, c, options);
    if (err)
        return err;
    for (unsigned mode = 0; mode < 2; mode++)
        c->pages[mode] = uj_calloc((size_t)1 << (32 - THUMB_PAGE_BITS), sizeof *c->pages[mode]);
    core->data->owner = c;
    core->data->unmapped = thumb_unmapped;
    core->data->code_written = thumb_code_written;
    core->data->code_owner = c;
    if (c->kind == THUMB_M3 && c->params.bit_band)
        thumb_bit_band(c);
    thumb_system_map(c);
    return UJ_OK;
}

static void destroy(struct core *core)
{
    thumb_free_pages(thumb(core));
}

void thumb_start(struct thumb_core *c)
{
    uint32_t sp = 0, start = 0;
    memset(c->r, 0, sizeof c->r);
    c->flags = (struct thumb_flags){.z = 1};
    c->q = c->ge = c->it = c->it_before = c->slot = 0;
    c->narrow = c->last_after = 0;
    c->other_sp = c->msplim = c->psplim = 0;
    c->primask = c->faultmask = false;
    c->basepri = c->control = 0;
    c->ipsr = 0;
    c->exclusive = c->event = c->abort = false;
    c->entering = 0;
    c->watch_passes = 0;
    c->fault_reason = NULL;
    (void)mem_peek(c->core.data, c->vtor, &sp, sizeof sp);
    (void)mem_peek(c->core.data, c->vtor + 4, &start, sizeof start);
    c->r[13] = sp & ~3u;
    c->r[14] = 0xffffffff;
    c->pc = start & ~1u;
}

static void reset(struct core *core)
{
    struct thumb_core *c = thumb(core);
    core->cycle = core->instructions = 0;
    core->irq_pending = core->stop_requested = core->asleep = false;
    core->fault.reason = NULL;
    core->exit_code = 0;
    core->isr_depth = 0;
    core->isr_cycles = 0;
    core->sp_low = UINT32_MAX;
    core->wake_cycle = UINT64_MAX;
    c->exit_requested = c->reset_requested = false;
    for (size_t i = 0; i < c->page_count; i++)
        thumb_forget(c, c->page_list[i]->base, (size_t)1 << THUMB_PAGE_BITS);
    thumb_system_reset(c);
    thumb_start(c);
}

static uint32_t pc(const struct core *core)
{
    return thumb_const(core)->pc;
}

static void set_pc(struct core *core, uint32_t address)
{
    struct thumb_core *c = thumb(core);
    c->pc = address & ~1u;
    c->it = 0;
    c->slot = 0;
    c->narrow = 0;
    c->last_after = 0;
    c->watch_passes = 0;
}

static uint32_t sp(const struct core *core)
{
    return thumb_const(core)->r[13];
}

static uint32_t return_address(const struct core *core)
{
    return thumb_const(core)->r[14] & ~1u;
}

static bool returned(const struct core *core, uint32_t entry_sp)
{
    return thumb_const(core)->r[13] >= entry_sp;
}

/* r0-r12, sp, lr, pc, xpsr, msp, psp, primask, basepri, faultmask, control. */
static const char *const register_names[] = {
    "r0",   "r1",  "r2",  "r3",      "r4",      "r5",        "r6",      "r7",
    "r8",   "r9",  "r10", "r11",     "r12",     "sp",        "lr",      "pc",
    "xpsr", "msp", "psp", "primask", "basepri", "faultmask", "control",
};
enum { REGISTERS = sizeof register_names / sizeof register_names[0], SPECIAL = 17 };
static const uint8_t special_numbers[] = {8, 9, 16, 17, 19, 20};

static const char *register_name(unsigned number)
{
    return number < REGISTERS ? register_names[number] : NULL;
}

static uint32_t get_register(const struct core *core, unsigned number)
{
    const struct thumb_core *c = thumb_const(core);
    if (number < 15)
        return c->r[number];
    if (number == 15)
        return c->pc;
    if (number == 16)
        return thumb_xpsr(c);
    if (number >= REGISTERS)
        return 0;
    switch (special_numbers[number - SPECIAL]) {
    case 8: return c->ipsr == 0 && (c->control & 2) ? c->other_sp : c->r[13];
    case 9: return c->ipsr == 0 && (c->control & 2) ? c->r[13] : c->other_sp;
    case 16: return c->primask;
    case 17: return c->basepri;
    case 19: return c->faultmask;
    default: return c->control;
    }
}

static void set_register(struct core *core, unsigned number, uint32_t value)
{
    struct thumb_core *c = thumb(core);
    if (number < 15)
        c->r[number] = value;
    else if (number == 15)
        set_pc(core, value);
    else if (number == 16)
        thumb_set_apsr(c, value);
    else if (number < REGISTERS)
        thumb_write_special(c, special_numbers[number - SPECIAL], 3, value);
}

static void code_changed(struct core *core, uint32_t address, size_t bytes)
{
    thumb_forget(thumb(core), address, bytes);
}

#define THUMB_CLASS_OF(name_, variable, run_) \
    const struct core_class variable = {      \
        .name = name_,                        \
        .isa = "thumb",                       \
        .elf_machine = EM_ARM,                \
        .bytes = sizeof(struct thumb_core),   \
        .code_space = "data",                 \
        .data_address_bits = 32,              \
        .page_bits = THUMB_PAGE_BITS,         \
        .create = create,                     \
        .destroy = destroy,                   \
        .reset = reset,                       \
        .run = run_,                          \
        .run_traced = run_##_traced,          \
        .pc = pc,                             \
        .set_pc = set_pc,                     \
        .sp = sp,                             \
        .return_address = return_address,     \
        .returned = returned,                 \
        .registers = REGISTERS,               \
        .register_name = register_name,       \
        .get_register = get_register,         \
        .set_register = set_register,         \
        .watch = thumb_watch,                 \
        .code_changed = code_changed,         \
        .irq_set = thumb_irq_set,             \
        .disassemble = thumb_disassemble,     \
    }

THUMB_CLASS_OF("cortex-m0plus", thumb_cortex_m0plus, thumb_run_m0plus);
THUMB_CLASS_OF("cortex-m3", thumb_cortex_m3, thumb_run_m3);
THUMB_CLASS_OF("cortex-m33", thumb_cortex_m33, thumb_run_m33);
