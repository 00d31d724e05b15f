#include "isa/msp430/msp430_table.h"

#include <stddef.h>

const struct msp430_row msp430_rows[MSP430_ROWS] = {
#define INSN(name, syntax, encoding, class, cores, costs, semantics) \
    {#name, syntax, encoding, MSP430_##class, MSP430_##cores, MSP430_COSTS_##costs},
#include "isa/msp430/msp430.isa"
#undef INSN
};

#ifndef UJ_TIMING_TABLE_MUTABLE
const
#endif
    struct msp430_cost msp430_costs[] = {
#define COST(core, table, source, rm, pc, pc_short, memory, memory_short) \
    {MSP430_CORE_##core,                                                  \
     MSP430_COSTS_##table,                                                \
     MSP430_MODE_##source,                                                \
     {rm, pc, pc_short, memory, memory_short},                            \
     false},
#define COST_EACH(core, table, base, each) \
    {MSP430_CORE_##core, MSP430_COSTS_##table, MSP430_MODE_NONE, {base, each, 0, 0, 0}, true},
#include "isa/msp430/msp430_cost.isa"
#undef COST
#undef COST_EACH
};
const unsigned msp430_cost_count = sizeof msp430_costs / sizeof *msp430_costs;

const struct msp430_cost *msp430_cost_find(enum msp430_core_kind core, enum msp430_costs table,
                                           enum msp430_mode source)
{
    const struct msp430_cost *found = NULL;
    for (unsigned i = 0; i < msp430_cost_count; i++) {
        const struct msp430_cost *cost = &msp430_costs[i];
        if (cost->core != core || cost->table != table)
            continue;
        if (cost->source == source)
            return cost;
        /* x(SP) has rows of its own only where it costs more than x(Rn). */
        if (source == MSP430_MODE_IDX_SP && cost->source == MSP430_MODE_IDX)
            found = cost;
    }
    return found;
}

const char *msp430_core_name(enum msp430_core_kind core)
{
    static const char *const names[MSP430_CORES] = {"msp430", "msp430x", "msp430xv2"};
    return names[core];
}

const char *msp430_costs_name(enum msp430_costs table)
{
    static const char *const names[MSP430_COSTS_TABLES] = {
        "none",   "double",  "double.x", "double.xa", "shift",   "shift.x", "shift.xa",  "push",
        "push.x", "push.xa", "call",     "calla",     "jump",    "reti",    "interrupt", "reset",
        "mova",   "address", "rotate",   "pushm",     "pushm.a", "repeat",
    };
    return names[table];
}

const char *msp430_mode_name(enum msp430_mode mode)
{
    static const char *const names[MSP430_MODES] = {"-",     "Rn",    "@Rn", "@Rn+", "#N",
                                                    "x(Rn)", "x(SP)", "EDE", "&EDE"};
    return names[mode];
}

struct msp430_form msp430_form_of(const char *encoding)
{
    struct msp430_form form = {0};
    for (const char *p = encoding; *p; p++) {
        if (*p == ' ')
            continue;
        form.mask = (uint16_t)(form.mask << 1 | (*p == '0' || *p == '1'));
        form.match = (uint16_t)(form.match << 1 | (*p == '1'));
    }
    return form;
}

unsigned msp430_field(const char *encoding, char letter, uint16_t word, unsigned *width)
{
    unsigned value = 0;
    int bit = 15;
    *width = 0;
    for (const char *p = encoding; *p; p++) {
        if (*p == ' ')
            continue;
        if (*p == letter) {
            value = value << 1 | (word >> bit & 1u);
            ++*width;
        }
        bit--;
    }
    return value;
}

int msp430_row_find(uint16_t word, bool is_cpux)
{
    for (int i = 0; i < MSP430_ROWS; i++) {
        struct msp430_form form = msp430_form_of(msp430_rows[i].encoding);
        if ((word & form.mask) == form.match && (is_cpux || msp430_rows[i].cores == MSP430_ALL))
            return i;
    }
    return -1;
}
