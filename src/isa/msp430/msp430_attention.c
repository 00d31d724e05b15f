/* What happens between two instructions when somebody wants attention. */
#include "isa/msp430/msp430_semantics.h"

/* The largest distance to a deadline that is worth telling apart from never. */
#define FAR_CYCLES ((uint64_t)1 << 62)

void msp430_reload(struct msp430_core *c, uint64_t now)
{
    uint64_t deadline = c->core.deadline;
    if (deadline < now)
        deadline = now;
    uint64_t left = deadline - now;
    if (left > FAR_CYCLES)
        left = FAR_CYCLES;
    c->live.left = (int64_t)left;
    c->horizon = now + left;
}

static unsigned event_cycles(const struct msp430_core *c, enum msp430_costs table)
{
    return msp430_cost_find(c->kind, table, MSP430_MODE_NONE)->cycles[0];
}

/* Goes where a vector points. */
static void follow(struct msp430_core *c, uint32_t vector)
{
    uint32_t target = msp430_read_word(c, vector, 1), from = 2 * msp430_index(c);
    if (target & 1) {
        c->core.cycle = c->horizon - (uint64_t)c->live.left;
        core_fault(&c->core, "jump to nowhere", from, target, "the vector at 0x%04x holds 0x%04x",
                   (unsigned)vector, (unsigned)target);
        return;
    }
    c->live.ip = c->records + (target >> 1);
}

static void start(struct msp430_core *c)
{
    c->is_reset = false;
    c->core.cycle += event_cycles(c, MSP430_COSTS_RESET);
    msp430_reload(c, c->core.cycle);
    follow(c, MSP430_RESET_VECTOR);
}

/* Stores PC and SR and goes to the vector; false: no interrupt after all. */
static bool take_interrupt(struct msp430_core *c, bool traced)
{
    struct core *core = &c->core;
    int vector = core->port.irq_take ? core->port.irq_take(core->port.chip) : -1;
    if (vector < 0)
        return false;
    core_isr_enter(core);
    unsigned cycles = event_cycles(c, MSP430_COSTS_INTERRUPT);
    core->cycle += cycles;
    msp430_reload(c, core->cycle);
    uint32_t pc = 2 * msp430_index(c), sr = msp430_sr(c, &c->live);
    c->bus_distance = 0;
    msp430_push_word(c, pc, 3);
    msp430_push_word(c, sr | (pc >> 16) << 12, 2);
    follow(c, (uint32_t)vector);
    c->hold = 0;
    msp430_write_sr(c, c->kind == MSP430_CORE_MSP430XV2 ? sr & MSP430_SR_SCG0 : 0);
    core->cycle = c->horizon - (uint64_t)c->live.left;
    if (traced && core->trace)
        core->trace(core->trace_owner, core, cycles, c->bus_distance);
    c->bus_distance = 0;
    return true;
}

int msp430_attend(struct msp430_core *c, bool traced)
{
    struct core *core = &c->core;
    core->cycle = c->horizon - (uint64_t)c->live.left;
    core->instructions = c->live.count;
    if (core->fault.reason)
        return CORE_FAULT;
    if (c->is_reset) {
        start(c);
        if (core->fault.reason)
            return CORE_FAULT;
    }
    if (core->stall > 0) {
        core->cycle += core->stall;
        core->stall = 0;
        msp430_reload(c, core->cycle);
    }
    if (core->stop_requested)
        return core->asleep ? CORE_SLEEP : CORE_STOPPED;
    bool is_wanted =
        core->nmi_pending || (core->irq_pending && (c->sr & MSP430_SR_GIE) && c->hold == 0);
    if (core->asleep && !is_wanted)
        return CORE_SLEEP;
    if (core->cycle >= core->limit && !core->asleep)
        return CORE_DEADLINE;
    if (is_wanted) {
        /* An interrupt that waits already keeps the core from falling asleep. */
        core->asleep = false;
        if (!take_interrupt(c, traced)) {
            core->irq_pending = core->nmi_pending = false;
            core->asleep = (c->sr & MSP430_SR_CPUOFF) != 0;
        }
        if (core->fault.reason)
            return CORE_FAULT;
        if (core->asleep)
            return CORE_SLEEP;
        if (core->cycle >= core->limit)
            return CORE_DEADLINE;
    }
    if (c->hold > 0) {
        /* One instruction, then here again. */
        c->hold = 0;
        core->deadline = 0;
        c->live.left = 1;
        c->horizon = core->cycle + 1;
        return -1;
    }
    core->deadline = core->limit;
    msp430_reload(c, core->cycle);
    return -1;
}

void msp430_no_instruction(struct msp430_core *c)
{
    struct core *core = &c->core;
    uint32_t index = msp430_index(c);
    const struct msp430_record *record = &c->records[index];
    uint16_t op = record->op == MSP430_OP_WATCH ? msp430_watched_op(c, index) : record->op;
    uint32_t pc = 2 * index;
    core->cycle = c->horizon - (uint64_t)c->live.left;
    if (op == MSP430_OP_OUTSIDE)
        core_fault(core, "jump to nowhere", pc, pc, "there is no memory to execute at 0x%05x",
                   (unsigned)pc);
    else if (c->cpu4 && record->k >> 4 == 0x122)
        core_fault(core, "illegal instruction", pc, record->k,
                   "PUSH #4 and PUSH #8 by the constant generator do not work on chips with "
                   "erratum CPU4");
    else
        core_fault(core, "illegal instruction", pc, record->k, "%s has no instruction 0x%04x",
                   core->class->name, (unsigned)record->k);
    msp430_reload(c, core->cycle);
}
