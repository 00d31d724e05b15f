/*
 * The execution loop that calls core->trace after each instruction. It knows no fast forms.
 *
 * The model of what switches: the Hamming distance of the registers before and after the
 * instruction (SR included, PC not), plus that of each word or byte on the data bus from the one
 * before it. Instruction fetches are not modelled.
 */
#include "isa/msp430/msp430_semantics.h"

static void snapshot(const struct msp430_core *c, uint32_t *registers)
{
    memcpy(registers, c->r, sizeof c->r);
    registers[MSP430_SR] = msp430_sr(c, &c->live);
}

static void report(struct msp430_core *c, const uint32_t *before, uint64_t since)
{
    struct core *core = &c->core;
    uint32_t now[16];
    unsigned distance = c->bus_distance;
    snapshot(c, now);
    for (int i = 0; i < 16; i++)
        distance += (unsigned)__builtin_popcount(now[i] ^ before[i]);
    core->cycle = c->horizon - (uint64_t)c->live.left;
    if (core->trace)
        core->trace(core->trace_owner, core, (unsigned)(core->cycle - since), distance);
    c->bus_distance = 0;
}

static void step(struct msp430_core *c)
{
    struct msp430_record rec = *c->live.ip;
    uint32_t before[16];
    uint64_t since = c->horizon - (uint64_t)c->live.left;
    snapshot(c, before);
    c->bus_distance = 0;
    c->live.left -= rec.cycles;
    c->live.count++;
    c->live.ip += rec.words;
    msp430_execute(c, &rec);
    report(c, before, since);
}

enum core_stop msp430_run_traced(struct core *core)
{
    struct msp430_core *c = (struct msp430_core *)core;
    msp430_attach(c);
    c->horizon = core->cycle;
    c->live.left = 0;
    bool is_passing = c->watch_pass == msp430_index(c) && core->cycle < core->limit &&
                      !core->fault.reason && !core->asleep && !c->is_reset;
    if (is_passing) {
        /* What stopped here last time is executed before anything is looked at. */
        c->horizon = core->cycle + 1;
        c->live.left = 1;
        core->deadline = 0;
    }
    for (;;) {
        if (c->live.left <= 0) {
            int stop = msp430_attend(c, true);
            if (stop >= 0)
                return (enum core_stop)stop;
        }
        uint32_t index = msp430_index(c);
        uint16_t op = c->live.ip->op;
        if (op == MSP430_OP_DECODE) {
            msp430_decode(c, index);
            op = c->live.ip->op;
        }
        if (op == MSP430_OP_WATCH) {
            if (c->watch_pass != index) {
                c->watch_pass = index;
                core->cycle = c->horizon - (uint64_t)c->live.left;
                core->instructions = c->live.count;
                return CORE_WATCH;
            }
            c->watch_pass = UINT32_MAX;
            op = msp430_watched_op(c, index);
        }
        if (op == MSP430_OP_OUTSIDE || op == MSP430_OP_ILLEGAL)
            msp430_no_instruction(c);
        else
            step(c);
    }
}
