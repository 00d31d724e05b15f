/*
 * Interrupts: mip, and Hazard3's external ones (RP2350 data sheet, 3.8.6 and 3.8.9): arrays of bits
 * or priorities that are reached through a window, and a context that says which priorities may
 * preempt.
 */
#include "isa/rv32/rv32_core.h"

enum {
    MEIEA = 0xbe0,
    MEIPA = 0xbe1,
    MEIFA = 0xbe2,
    MEIPRA = 0xbe3,
    MEINEXT = 0xbe4,
    MEICONTEXT = 0xbe5,
};

/* meicontext */
enum {
    CONTEXT_MRETEIRQ = 1 << 0,
    CONTEXT_CLEARTS = 1 << 1,
    CONTEXT_MSIESAVE = 1 << 2,
    CONTEXT_MTIESAVE = 1 << 3,
    CONTEXT_IRQ = 0x1ff << 4,
    CONTEXT_NOIRQ = 1 << 15,
    CONTEXT_PREEMPT = 0x1f << 16,
    CONTEXT_PPREEMPT = 0xf << 24,
};
#define CONTEXT_PPPREEMPT (0xfu << 28)
#define NEXT_NOIRQ        (1u << 31)

static uint64_t active(const struct rv32_core *c)
{
    return (c->csr.irq_level | c->csr.irq_forced) & c->csr.irq_enabled;
}

static unsigned preempt_level(const struct rv32_core *c)
{
    return (c->csr.meicontext & CONTEXT_PREEMPT) >> 16;
}

/* The active interrupt of the highest priority at or above `least`, the lowest number first; -1:
 * none. */
static int next_irq(const struct rv32_core *c, unsigned least)
{
    int found = -1;
    uint64_t irqs = active(c);
    while (irqs) {
        int number = __builtin_ctzll(irqs);
        irqs &= irqs - 1;
        unsigned priority = c->csr.irq_priority[number];
        if (priority >= least && (found < 0 || priority > c->csr.irq_priority[found]))
            found = number;
    }
    return found;
}

void rv32_irq_update(struct rv32_core *c)
{
    struct rv32_csrs *csr = &c->csr;
    csr->pending &= ~(1u << RV32_IRQ_EXTERNAL);
    if (active(c) && next_irq(c, preempt_level(c)) >= 0)
        csr->pending |= 1u << RV32_IRQ_EXTERNAL;
    c->core.irq_pending = (csr->pending & csr->enabled) != 0;
    if (c->core.irq_pending)
        core_attention(&c->core);
}

uint32_t rv32_irq_pending(const struct rv32_core *c)
{
    return c->csr.pending & c->csr.enabled;
}

void rv32_irq_set(struct core *core, int number, bool level)
{
    struct rv32_core *c = (struct rv32_core *)core;
    if (number == RV32_INPUT_TIMER || number == RV32_INPUT_SOFTWARE) {
        uint32_t bit = 1u << (number == RV32_INPUT_TIMER ? RV32_IRQ_TIMER : RV32_IRQ_SOFTWARE);
        c->csr.pending = level ? c->csr.pending | bit : c->csr.pending & ~bit;
    } else if (number >= 0 && number < RV32_IRQS) {
        uint64_t bit = (uint64_t)1 << number;
        c->csr.irq_level = level ? c->csr.irq_level | bit : c->csr.irq_level & ~bit;
    }
    rv32_irq_update(c);
}

/* Entry: the context is pushed, and an external interrupt raises the level to one above its own. */
void rv32_irq_enter(struct rv32_core *c, bool external)
{
    uint32_t *context = &c->csr.meicontext;
    uint32_t preempt = preempt_level(c), previous = (*context & CONTEXT_PPREEMPT) >> 24;
    *context &= ~(CONTEXT_PPPREEMPT | CONTEXT_PPREEMPT | CONTEXT_MRETEIRQ);
    *context |= previous << 28 | (preempt & 0xf) << 24 | external;
    if (external) {
        int number = next_irq(c, preempt);
        uint32_t level = number < 0 ? preempt : c->csr.irq_priority[number] + 1u;
        *context = (*context & ~(uint32_t)CONTEXT_PREEMPT) | level << 16;
    }
    rv32_irq_update(c);
}

void rv32_irq_leave(struct rv32_core *c)
{
    uint32_t *context = &c->csr.meicontext;
    if (*context & CONTEXT_MRETEIRQ) {
        uint32_t previous = (*context & CONTEXT_PPREEMPT) >> 24, before = *context >> 28;
        *context &= ~(CONTEXT_PPPREEMPT | CONTEXT_PPREEMPT | CONTEXT_PREEMPT | CONTEXT_MRETEIRQ);
        *context |= before << 24 | previous << 16;
    }
    rv32_irq_update(c);
}

static uint32_t changed(uint32_t before, uint32_t operand, enum rv32_csr_kind kind)
{
    return kind == RV32_CSR_WRITE ? operand
           : kind == RV32_CSR_SET ? before | operand
                                  : before & ~operand;
}

/* Sixteen bits of an array, the window named in the operand's low bits. */
static uint32_t bit_window(uint64_t *array, uint32_t operand, enum rv32_csr_kind kind, bool writes)
{
    unsigned shift = 16 * (operand & 3);
    bool there = (operand & 31) < RV32_IRQS / 16;
    uint32_t before = there ? (uint32_t)(*array >> shift & 0xffff) : 0;
    if (writes && there) {
        uint64_t now = changed(before, operand >> 16, kind) & 0xffff;
        *array = (*array & ~((uint64_t)0xffff << shift)) | now << shift;
    }
    return before << 16;
}

static uint32_t priority_window(struct rv32_core *c, uint32_t operand, enum rv32_csr_kind kind,
                                bool writes)
{
    unsigned first = 4 * (operand & 0x7f);
    uint32_t before = 0;
    if (first >= RV32_IRQS)
        return 0;
    for (unsigned i = 0; i < 4; i++)
        before |= (uint32_t)c->csr.irq_priority[first + i] << (4 * i);
    uint32_t now = changed(before, operand >> 16, kind);
    for (unsigned i = 0; i < 4 && writes; i++)
        c->csr.irq_priority[first + i] = now >> (4 * i) & 0xf;
    return before << 16;
}

/* Reading takes the next interrupt off the array of forced ones; UPDATE also tells the context. */
static uint32_t take_next(struct rv32_core *c, uint32_t operand, enum rv32_csr_kind kind,
                          bool writes)
{
    uint32_t *context = &c->csr.meicontext;
    int number = next_irq(c, *context >> 24 & 0xf);
    uint32_t value = number < 0 ? NEXT_NOIRQ : (uint32_t)number << 2;
    if (number >= 0)
        c->csr.irq_forced &= ~((uint64_t)1 << number);
    if (writes && kind != RV32_CSR_CLEAR && (operand & 1)) {
        *context &= ~(uint32_t)(CONTEXT_IRQ | CONTEXT_NOIRQ | CONTEXT_PREEMPT);
        if (number < 0)
            *context |= CONTEXT_NOIRQ | (*context >> 24 & 0xf) << 16;
        else
            *context |= (uint32_t)number << 4 | (c->csr.irq_priority[number] + 1u) << 16;
    }
    return value;
}

static uint32_t context(struct rv32_core *c, uint32_t operand, enum rv32_csr_kind kind, bool writes)
{
    const uint32_t timer = 1u << RV32_IRQ_TIMER, software = 1u << RV32_IRQ_SOFTWARE;
    const uint32_t stored = CONTEXT_PPPREEMPT | CONTEXT_PPREEMPT | CONTEXT_PREEMPT | CONTEXT_NOIRQ |
                            CONTEXT_IRQ | CONTEXT_MRETEIRQ;
    struct rv32_csrs *csr = &c->csr;
    uint32_t before = csr->meicontext;
    /* With CLEARTS the read says what timer and software enables were, and clears them. */
    bool clears = writes && kind != RV32_CSR_CLEAR && (operand & CONTEXT_CLEARTS);
    if (clears) {
        before |= (csr->enabled & timer ? CONTEXT_MTIESAVE : 0u) |
                  (csr->enabled & software ? CONTEXT_MSIESAVE : 0u);
        csr->enabled &= ~(timer | software);
    }
    if (writes) {
        uint32_t now = changed(csr->meicontext, operand, kind);
        csr->meicontext = now & stored;
        if (!clears && kind != RV32_CSR_CLEAR) {
            csr->enabled |= operand & CONTEXT_MTIESAVE ? timer : 0;
            csr->enabled |= operand & CONTEXT_MSIESAVE ? software : 0;
        }
    }
    return before;
}

bool rv32_irq_csr(struct rv32_core *c, unsigned number, uint32_t operand, enum rv32_csr_kind kind,
                  bool writes, uint32_t *out)
{
    uint64_t pending = c->csr.irq_level | c->csr.irq_forced;
    switch (number) {
    case MEIEA: *out = bit_window(&c->csr.irq_enabled, operand, kind, writes); break;
    case MEIPA: *out = bit_window(&pending, operand, kind, false); break;
    case MEIFA: *out = bit_window(&c->csr.irq_forced, operand, kind, writes); break;
    case MEIPRA: *out = priority_window(c, operand, kind, writes); break;
    case MEINEXT: *out = take_next(c, operand, kind, writes); break;
    case MEICONTEXT: *out = context(c, operand, kind, writes); break;
    default: return false;
    }
    rv32_irq_update(c);
    return true;
}
