/* The three AVR cores as classes, and what is not execution. */
#include "isa/avr/avr_core.h"

#include <elf.h>
#include <stdlib.h>

#include "isa/avr/avr_timing.h"
#define AVR_TRACED 0
#include "isa/avr/avr_semantics.h"

static void set_column(struct avr_core *c)
{
    const struct core_class *class = c->core.class;
    c->column = class == &avr_core_avre ? AVR_E : class == &avr_core_avrxm ? AVR_XM : AVR_XT;
    c->io_base = c->column == AVR_E ? 0x20 : 0;
    c->io_end = c->column == AVR_XM ? 0x1000 : 0;
}

/* Bytes of program memory. */
static uint32_t flash_bytes(const struct avr_core *c)
{
    uint32_t end = 0;
    for (const struct mem_region *r = c->core.code->regions; r; r = r->next)
        if (r->base + r->size > end)
            end = r->base + r->size;
    return end;
}

static const char *const option_keys[] = {"class", "pc_bits", "data_bits", "vector_bytes",
                                          "rampz", "des",     "rmw"};

static enum uj_err read_options(struct uj_ctx *ctx, struct avr_core *c,
                                const struct yaml_node *options)
{
    int64_t pc_bits = 16, data_bits = 16;
    int64_t vector_bytes = c->column == AVR_XM || flash_bytes(c) > 8192 ? 4 : 2;
    bool rampz = flash_bytes(c) > 65536;
    if (options) {
        enum uj_err err =
            yaml_only(ctx, options, option_keys, sizeof option_keys / sizeof *option_keys);
        if (err == UJ_OK)
            err = yaml_get_integer(ctx, &pc_bits, options, "pc_bits", 16, 22);
        if (err == UJ_OK)
            err = yaml_get_integer(ctx, &data_bits, options, "data_bits", 16, 24);
        if (err == UJ_OK)
            err = yaml_get_integer(ctx, &vector_bytes, options, "vector_bytes", 2, 4);
        if (err == UJ_OK)
            err = yaml_get_bool(ctx, &rampz, options, "rampz");
        if (err == UJ_OK)
            err = yaml_get_bool(ctx, &c->has_des, options, "des");
        if (err == UJ_OK)
            err = yaml_get_bool(ctx, &c->has_rmw, options, "rmw");
        if (err != UJ_OK)
            return err;
        if (pc_bits != 16 && pc_bits != 22)
            return yaml_fail(ctx, yaml_get(options, "pc_bits"), "must be 16 or 22");
        if (data_bits != 16 && data_bits != 24)
            return yaml_fail(ctx, yaml_get(options, "data_bits"), "must be 16 or 24");
        if (data_bits == 24 && c->column != AVR_XM)
            return yaml_fail(ctx, yaml_get(options, "data_bits"), "only avrxm has 24");
        if (vector_bytes == 3)
            return yaml_fail(ctx, yaml_get(options, "vector_bytes"), "must be 2 or 4");
    }
    c->pc_bytes = pc_bits == 22 ? 3 : 2;
    c->pc_mask = (1u << pc_bits) - 1;
    c->wide_data = data_bits == 24;
    c->vector_words = (unsigned)vector_bytes / 2;
    c->has_rampz = rampz || c->wide_data;
    return UJ_OK;
}

static void code_written(void *owner, uint32_t address, unsigned bytes)
{
    avr_code_changed(owner, address, bytes);
}

static enum uj_err create(struct uj_ctx *ctx, struct core *core, const struct yaml_node *options)
{
    struct avr_core *c = (struct avr_core *)core;
    set_column(c);
    enum uj_err err = read_options(ctx, c, options);
    if (err != UJ_OK)
        return err;
    c->data_pages = core->data->pages;
    c->code_pages = core->code->pages;
    core->code->code_written = code_written;
    core->code->code_owner = core;
    c->op_words[AVR_OP_OUTSIDE] = c->op_words[AVR_OP_ILLEGAL] = 1;
    for (int i = 0; i < AVR_ROWS; i++) {
        avr_form_of(&c->forms[i], avr_rows[i].encoding);
        c->op_words[AVR_ROWS_FIRST + i] = c->forms[i].words;
    }
    c->watch_pass = UINT32_MAX;
    core->write_mask = UINT32_MAX;
    return UJ_OK;
}

static void destroy(struct core *core)
{
    struct avr_core *c = (struct avr_core *)core;
    free(c->records);
    free(c->watches);
}

/* The last byte of the highest plain memory that can be written: where SP starts. */
static uint32_t ram_end(const struct avr_core *c)
{
    uint32_t end = 0;
    for (const struct mem_region *r = c->core.data->regions; r; r = r->next)
        if (r->host && !r->read_only && r->base + r->size > end && r->base < 0x10000)
            end = r->base + r->size;
    return end == 0 ? 0 : (end - 1) & 0xffff;
}

static void set_pc(struct core *core, uint32_t address)
{
    struct avr_core *c = (struct avr_core *)core;
    if (!avr_attach(c))
        return;
    uint32_t index = address / 2;
    struct avr_record *to = c->records + (index < c->code_words ? index : c->code_words);
    c->live.count += c->live.ip - to;
    c->live.ip = to;
    c->watch_pass = UINT32_MAX;
}

static void reset(struct core *core)
{
    struct avr_core *c = (struct avr_core *)core;
    memset(c->r, 0, sizeof c->r);
    memset(c->ramp, 0, sizeof c->ramp);
    c->eind = c->t = c->i = 0;
    c->bus = c->bus_distance = 0;
    c->hold = c->hold_io = c->sp_halves = 0;
    core->woken = false;
    c->des_end = UINT64_MAX;
    avr_set_sreg(c, &c->live, 0);
    c->sp = core->sp_low = ram_end(c);
    core->asleep = false;
    core->sleep_mode = 0;
    core->isr_depth = 0;
    core->fault = (struct core_fault){0};
    core->write_mask = UINT32_MAX;
    set_pc(core, 0);
}

static uint32_t pc(const struct core *core)
{
    const struct avr_core *c = (const struct avr_core *)core;
    return c->records ? 2 * avr_index(c) : 0;
}

static uint32_t sp(const struct core *core)
{
    return ((const struct avr_core *)core)->sp;
}

static uint32_t return_address(const struct core *core)
{
    const struct avr_core *c = (const struct avr_core *)core;
    uint32_t index = 0;
    for (unsigned i = 1; i <= c->pc_bytes; i++) {
        uint8_t byte = 0;
        if (!mem_peek(core->data, (c->sp + i) & 0xffff, &byte, 1))
            return UINT32_MAX;
        index = index << 8 | byte;
    }
    return 2 * index;
}

static bool returned(const struct core *core, uint32_t entry_sp)
{
    const struct avr_core *c = (const struct avr_core *)core;
    return c->sp >= entry_sp + c->pc_bytes;
}

enum {
    REGISTER_SREG = 32,
    REGISTER_SP,
    REGISTER_PC,
    REGISTER_RAMPD,
    REGISTER_RAMPX,
    REGISTER_RAMPY,
    REGISTER_RAMPZ,
    REGISTER_EIND,
    REGISTERS
};

static const char *register_name(unsigned number)
{
    static const char *const names[REGISTERS] = {
        "r0",  "r1",  "r2",   "r3",  "r4",  "r5",    "r6",    "r7",    "r8",    "r9",
        "r10", "r11", "r12",  "r13", "r14", "r15",   "r16",   "r17",   "r18",   "r19",
        "r20", "r21", "r22",  "r23", "r24", "r25",   "r26",   "r27",   "r28",   "r29",
        "r30", "r31", "sreg", "sp",  "pc",  "rampd", "rampx", "rampy", "rampz", "eind",
    };
    return number < REGISTERS ? names[number] : NULL;
}

static uint32_t get_register(const struct core *core, unsigned number)
{
    const struct avr_core *c = (const struct avr_core *)core;
    if (number < 32)
        return c->r[number];
    switch (number) {
    case REGISTER_SREG: return avr_sreg(c, &c->live);
    case REGISTER_SP: return c->sp;
    case REGISTER_PC: return pc(core);
    case REGISTER_EIND: return c->eind;
    default: return number < REGISTERS ? c->ramp[number - REGISTER_RAMPD] : 0;
    }
}

static void set_register(struct core *core, unsigned number, uint32_t value)
{
    struct avr_core *c = (struct avr_core *)core;
    if (number < 32) {
        c->r[number] = (uint8_t)value;
        return;
    }
    switch (number) {
    case REGISTER_SREG: avr_set_sreg(c, &c->live, value); break;
    case REGISTER_SP: c->sp = value & 0xffff; break;
    case REGISTER_PC: set_pc(core, value); break;
    case REGISTER_EIND: c->eind = (uint8_t)value; break;
    default:
        if (number < REGISTERS)
            c->ramp[number - REGISTER_RAMPD] = (uint8_t)value;
    }
}

#define AVR_CLASS(column, data_bits)                                                              \
    {                                                                                             \
        .name = column, .isa = "avr", .elf_machine = EM_AVR, .bytes = sizeof(struct avr_core),    \
        .code_space = "code", .data_address_bits = data_bits, .code_address_bits = 24,            \
        .page_bits = AVR_PAGE_BITS, .create = create, .destroy = destroy, .reset = reset,         \
        .run = avr_exec_run, .run_traced = avr_exec_run_traced, .pc = pc, .set_pc = set_pc,       \
        .sp = sp, .return_address = return_address, .returned = returned, .registers = REGISTERS, \
        .register_name = register_name, .get_register = get_register,                             \
        .set_register = set_register, .watch = avr_watch, .code_changed = avr_code_changed,       \
        .disassemble = avr_disassemble,                                                           \
    }

const struct core_class avr_core_avre = AVR_CLASS("avre", 16);
const struct core_class avr_core_avrxm = AVR_CLASS("avrxm", 24);
const struct core_class avr_core_avrxt = AVR_CLASS("avrxt", 16);
