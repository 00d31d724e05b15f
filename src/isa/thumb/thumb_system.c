/* The system control space: NVIC, SCB, DWT, MPU registers; SysTick is in thumb_systick.c. */
#include <string.h>

#include "isa/thumb/thumb.h"

/* NVIC */

static uint32_t irq_bits(const struct thumb_core *c, unsigned first, char what)
{
    uint32_t bits = 0;
    for (unsigned i = 0; i < 32 && first + i < (unsigned)c->params.irqs; i++) {
        const struct thumb_exception *e = &c->exceptions[EXC_IRQ0 + first + i];
        bool set = what == 'e' ? e->enabled : what == 'p' ? e->pending : e->active;
        bits |= (uint32_t)set << i;
    }
    return bits;
}

static void irq_bits_write(struct thumb_core *c, unsigned first, uint32_t value, char what, bool on)
{
    for (unsigned i = 0; i < 32 && first + i < (unsigned)c->params.irqs; i++) {
        if (!(value >> i & 1))
            continue;
        struct thumb_exception *e = &c->exceptions[EXC_IRQ0 + first + i];
        if (what == 'e')
            e->enabled = on;
        else
            thumb_set_pending(c, (int)(EXC_IRQ0 + first + i), on || (e->level && !e->active));
    }
    thumb_repend(c);
}

/* Priorities of exceptions from `first` on, a byte each. */
static uint32_t priorities(const struct thumb_core *c, unsigned first)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < 4; i++)
        if (first + i < EXC_IRQ0 + (unsigned)c->params.irqs)
            value |= (uint32_t)c->exceptions[first + i].priority << (8 * i);
    return value;
}

static void priorities_write(struct thumb_core *c, unsigned first, uint32_t value, uint32_t mask)
{
    for (unsigned i = 0; i < 4; i++)
        if ((mask >> (8 * i) & 0xff) && first + i < EXC_IRQ0 + (unsigned)c->params.irqs)
            c->exceptions[first + i].priority =
                (uint8_t)(value >> (8 * i) & 0xff & thumb_priority_mask(c));
    thumb_repend(c);
}

static bool system_priority_exists(const struct thumb_core *c, uint32_t at, unsigned lane)
{
    unsigned number = (at - 0xed18) + 4 + lane;
    if (c->kind == THUMB_M0PLUS)
        return number == EXC_SVCALL || number == EXC_PENDSV || number == EXC_SYSTICK;
    return number <= EXC_USAGEFAULT || number == EXC_SVCALL || number == EXC_DEBUG ||
           number == EXC_PENDSV || number == EXC_SYSTICK;
}

/* SCB */

static uint32_t icsr(const struct thumb_core *c)
{
    uint32_t value = c->ipsr;
    int best = 0, best_priority = 256;
    bool irq_pending = false;
    unsigned active = 0;
    for (int i = 2; i < EXC_IRQ0 + c->params.irqs; i++) {
        const struct thumb_exception *e = &c->exceptions[i];
        active += e->active;
        if (i >= EXC_IRQ0 && e->pending)
            irq_pending = true;
        int priority = i == EXC_NMI ? -2 : i == EXC_HARDFAULT ? -1 : e->priority;
        if (e->pending && e->enabled && priority < best_priority) {
            best = i;
            best_priority = priority;
        }
    }
    value |= (uint32_t)best << 12 | (uint32_t)irq_pending << 22;
    value |= (uint32_t)c->exceptions[EXC_SYSTICK].pending << 26;
    value |= (uint32_t)c->exceptions[EXC_PENDSV].pending << 28;
    value |= (uint32_t)c->exceptions[EXC_NMI].pending << 31;
    if (active <= 1 && c->kind != THUMB_M0PLUS)
        value |= 1u << 11;
    return value;
}

static void icsr_write(struct thumb_core *c, uint32_t value)
{
    if (value & 1u << 31)
        thumb_set_pending(c, EXC_NMI, true);
    if (value & 1u << 28)
        thumb_set_pending(c, EXC_PENDSV, true);
    if (value & 1u << 27)
        thumb_set_pending(c, EXC_PENDSV, false);
    if (value & 1u << 26)
        thumb_set_pending(c, EXC_SYSTICK, true);
    if (value & 1u << 25)
        thumb_set_pending(c, EXC_SYSTICK, false);
}

static const struct {
    int exception;
    unsigned active_bit, pending_bit;
} shcsr_bits[] = {
    {EXC_MEMMANAGE, 0, 13}, {EXC_BUSFAULT, 1, 14}, {EXC_USAGEFAULT, 3, 12}, {EXC_SVCALL, 7, 15},
    {EXC_DEBUG, 8, 32},     {EXC_PENDSV, 10, 32},  {EXC_SYSTICK, 11, 32},
};

static uint32_t shcsr(const struct thumb_core *c)
{
    uint32_t value = c->shcsr;
    if (c->kind == THUMB_M33)
        value |= (uint32_t)c->exceptions[EXC_HARDFAULT].active << 2 |
                 (uint32_t)c->exceptions[EXC_NMI].active << 5;
    for (unsigned i = 0; i < sizeof shcsr_bits / sizeof shcsr_bits[0]; i++) {
        const struct thumb_exception *e = &c->exceptions[shcsr_bits[i].exception];
        value |= (uint32_t)e->active << shcsr_bits[i].active_bit;
        if (shcsr_bits[i].pending_bit < 32)
            value |= (uint32_t)e->pending << shcsr_bits[i].pending_bit;
    }
    return value;
}

static void shcsr_write(struct thumb_core *c, uint32_t value)
{
    if (c->kind == THUMB_M0PLUS)
        return;
    c->shcsr = value & 0x70000;
    c->exceptions[EXC_MEMMANAGE].enabled = value >> 16 & 1;
    c->exceptions[EXC_BUSFAULT].enabled = value >> 17 & 1;
    c->exceptions[EXC_USAGEFAULT].enabled = value >> 18 & 1;
    thumb_repend(c);
}

static uint32_t cpuid(const struct thumb_core *c)
{
    static const uint32_t ids[THUMB_CORES] = {0x410cc601, 0x412fc230, 0x411fd210};
    return ids[c->kind];
}

static uint32_t ccr_writable(const struct thumb_core *c)
{
    return c->kind == THUMB_M0PLUS ? 0 : c->kind == THUMB_M3 ? 0x31b : 0x11a;
}

/* Identification of v8-M and v7-M features, as far as software may ask. */
static uint32_t identification(const struct thumb_core *c, uint32_t at)
{
    static const uint32_t m3[] = {0x30,       0x200,      0x00100000, 0,          0x00100030,
                                  0,          0x01000000, 0,          0x01100110, 0x02111000,
                                  0x21112231, 0x01111110, 0x01310132};
    static const uint32_t m33[] = {0x30,       0x210,      0x00200000, 0,          0x00101f40,
                                   0,          0x01000000, 0,          0x01101110, 0x02112000,
                                   0x20232232, 0x01111131, 0x01310132};
    unsigned i = (at - 0xed40) / 4;
    if (i >= sizeof m3 / sizeof m3[0] || c->kind == THUMB_M0PLUS)
        return 0;
    return c->kind == THUMB_M3 ? m3[i] : m33[i];
}

static uint32_t scb_read(struct thumb_core *c, uint32_t at)
{
    bool mainline = c->kind != THUMB_M0PLUS;
    switch (at) {
    case 0xe004: return mainline ? (uint32_t)(c->params.irqs - 1) / 32 : 0;
    case 0xe008: return mainline ? c->actlr : 0;
    case 0xed00: return cpuid(c);
    case 0xed04: return icsr(c);
    case 0xed08: return c->vtor;
    case 0xed0c: return 0xfa050000 | c->aircr;
    case 0xed10: return c->scr;
    case 0xed14: return c->ccr;
    case 0xed18:
    case 0xed1c:
    case 0xed20: return priorities(c, at - 0xed18 + 4);
    case 0xed24: return shcsr(c);
    case 0xed28: return mainline ? c->cfsr : 0;
    case 0xed2c: return mainline ? c->hfsr : 0;
    case 0xed30: return mainline ? c->dfsr : 0;
    case 0xed34: return mainline ? c->mmfar : 0;
    case 0xed38: return mainline ? c->bfar : 0;
    case 0xed88: return mainline ? c->cpacr : 0;
    case 0xed90: return 0; /* MPU_TYPE: no regions */
    case 0xedfc: return c->demcr;
    default: break;
    }
    if (at >= 0xed40 && at < 0xed80)
        return identification(c, at);
    if (at > 0xed90 && at < 0xedd0 && mainline)
        return c->mpu[(at - 0xed90) / 4];
    if (at >= 0xedd0 && at < 0xedf0 && c->kind == THUMB_M33)
        return c->sau[(at - 0xedd0) / 4];
    return 0;
}

static void scb_write(struct thumb_core *c, uint32_t at, uint32_t value, uint32_t mask)
{
    bool mainline = c->kind != THUMB_M0PLUS;
    switch (at) {
    case 0xe008: c->actlr = mainline ? value : 0; return;
    case 0xed04: icsr_write(c, value); return;
    case 0xed08: c->vtor = value & (mainline ? 0xffffff80 : 0xffffff00); return;
    case 0xed0c:
        if (value >> 16 != 0x05fa)
            return;
        c->aircr = mainline ? value & 0x700 : 0;
        if (value & 4) {
            c->reset_requested = true;
            core_attention(&c->core);
        }
        thumb_repend(c);
        return;
    case 0xed10: c->scr = value & 0x16; return;
    case 0xed14: c->ccr = (c->ccr & ~ccr_writable(c)) | (value & ccr_writable(c)); return;
    case 0xed18:
    case 0xed1c:
    case 0xed20:
        for (unsigned lane = 0; lane < 4; lane++)
            if (!system_priority_exists(c, at, lane))
                mask &= ~(0xffu << (8 * lane));
        priorities_write(c, at - 0xed18 + 4, value, mask);
        return;
    case 0xed24: shcsr_write(c, value); return;
    case 0xed28: c->cfsr &= ~value; return;
    case 0xed2c: c->hfsr &= ~value; return;
    case 0xed30: c->dfsr &= ~value; return;
    case 0xed34: c->mmfar = value; return;
    case 0xed38: c->bfar = value; return;
    case 0xed88: c->cpacr = value; return;
    case 0xedfc: c->demcr = value & 0x010f07f1; return;
    case 0xef00: /* STIR */
        if (mainline && (value & 0x1ff) < (unsigned)c->params.irqs)
            thumb_set_pending(c, (int)(EXC_IRQ0 + (value & 0x1ff)), true);
        return;
    default: break;
    }
    if (at > 0xed90 && at < 0xedd0 && mainline)
        c->mpu[(at - 0xed90) / 4] = value;
    else if (at >= 0xedd0 && at < 0xedf0 && c->kind == THUMB_M33)
        c->sau[(at - 0xedd0) / 4] = value;
}

/* DWT */

static uint32_t dwt_read(const struct thumb_core *c, uint32_t at)
{
    if (c->kind == THUMB_M0PLUS)
        return 0;
    switch (at) {
    case 0x1000: return 0x40000000 | c->dwt_control;
    case 0x1004: return c->cyccnt_runs ? (uint32_t)c->core.cycle - c->cyccnt_base : c->cyccnt_base;
    default: return 0;
    }
}

static void dwt_run(struct thumb_core *c, bool run)
{
    if (run == c->cyccnt_runs || c->kind == THUMB_M0PLUS)
        return;
    /* Stopped, the base holds the count; running, what to subtract. */
    c->cyccnt_base = (uint32_t)c->core.cycle - c->cyccnt_base;
    c->cyccnt_runs = run;
}

static void dwt_write(struct thumb_core *c, uint32_t at, uint32_t value)
{
    if (c->kind == THUMB_M0PLUS)
        return;
    if (at == 0x1000) {
        c->dwt_control = value & 0x0fffffff;
        dwt_run(c, (value & 1) && (c->demcr & 1u << 24));
    } else if (at == 0x1004) {
        c->cyccnt_base = c->cyccnt_runs ? (uint32_t)c->core.cycle - value : value;
    }
}

/* The whole space; registers are words, narrower accesses take their part. */

static uint32_t word_read(struct thumb_core *c, uint32_t at)
{
    if (at >= 0xe010 && at < 0xe020)
        return thumb_systick_read(c, at);
    if (at >= 0xe100 && at < 0xe140)
        return irq_bits(c, (at - 0xe100) * 8, 'e');
    if (at >= 0xe180 && at < 0xe1c0)
        return irq_bits(c, (at - 0xe180) * 8, 'e');
    if (at >= 0xe200 && at < 0xe240)
        return irq_bits(c, (at - 0xe200) * 8, 'p');
    if (at >= 0xe280 && at < 0xe2c0)
        return irq_bits(c, (at - 0xe280) * 8, 'p');
    if (at >= 0xe300 && at < 0xe340 && c->kind != THUMB_M0PLUS)
        return irq_bits(c, (at - 0xe300) * 8, 'a');
    if (at >= 0xe400 && at < 0xe400 + 480)
        return priorities(c, EXC_IRQ0 + at - 0xe400);
    if (at < 0x2000 && at >= 0x1000)
        return dwt_read(c, at);
    return scb_read(c, at);
}

static void word_write(struct thumb_core *c, uint32_t at, uint32_t value, uint32_t mask)
{
    if (at >= 0xe010 && at < 0xe020)
        thumb_systick_write(c, at, value);
    else if (at >= 0xe100 && at < 0xe140)
        irq_bits_write(c, (at - 0xe100) * 8, value & mask, 'e', true);
    else if (at >= 0xe180 && at < 0xe1c0)
        irq_bits_write(c, (at - 0xe180) * 8, value & mask, 'e', false);
    else if (at >= 0xe200 && at < 0xe240)
        irq_bits_write(c, (at - 0xe200) * 8, value & mask, 'p', true);
    else if (at >= 0xe280 && at < 0xe2c0)
        irq_bits_write(c, (at - 0xe280) * 8, value & mask, 'p', false);
    else if (at >= 0xe400 && at < 0xe400 + 480)
        priorities_write(c, EXC_IRQ0 + at - 0xe400, value, mask);
    else if (at < 0x2000 && at >= 0x1000)
        dwt_write(c, at, value);
    else
        scb_write(c, at, value, mask);
    if (at == 0xedfc)
        dwt_run(c, (c->dwt_control & 1) && (c->demcr & 1u << 24));
}

static uint32_t system_read(void *device, uint32_t offset, unsigned bytes)
{
    uint32_t word = word_read(device, offset & ~3u);
    return bytes == 4 ? word : word >> (8 * (offset & 3)) & ((1u << (8 * bytes)) - 1);
}

static void system_write(void *device, uint32_t offset, uint32_t value, unsigned bytes)
{
    struct thumb_core *c = device;
    uint32_t mask = bytes == 4 ? UINT32_MAX : ((1u << (8 * bytes)) - 1) << (8 * (offset & 3));
    word_write(c, offset & ~3u, value << (8 * (offset & 3)), mask);
    core_attention(&c->core);
}

void thumb_system_map(struct thumb_core *c)
{
    static const struct mem_ops ops = {.read = system_read, .write = system_write};
    c->system_region = (struct mem_region){
        .name = "system", .base = 0xe0000000, .size = 0x100000, .ops = &ops, .device = c};
    mem_add(c->core.data, &c->system_region);
}

void thumb_system_reset(struct thumb_core *c)
{
    memset(c->exceptions, 0, sizeof c->exceptions);
    static const int always[] = {EXC_NMI,   EXC_HARDFAULT, EXC_SVCALL,
                                 EXC_DEBUG, EXC_PENDSV,    EXC_SYSTICK};
    for (unsigned i = 0; i < sizeof always / sizeof always[0]; i++)
        c->exceptions[always[i]].enabled = true;
    c->systick = (struct thumb_systick){.control = 4};
    bool placed = c->core.vectors != 0 && c->core.vectors != UINT32_MAX;
    c->vtor = placed ? c->core.vectors : (uint32_t)c->params.vector_table;
    c->aircr = c->scr = c->shcsr = c->cfsr = c->hfsr = c->dfsr = c->mmfar = c->bfar = 0;
    c->ccr = c->kind == THUMB_M0PLUS ? 0x208
             : c->kind == THUMB_M3   ? (c->params.stack_alignment ? 0x200 : 0)
                                     : 0x201;
    c->demcr = c->dwt_control = c->cyccnt_base = c->cpacr = c->actlr = 0;
    c->cyccnt_runs = false;
    memset(c->mpu, 0, sizeof c->mpu);
    memset(c->sau, 0, sizeof c->sau);
    c->own_next = UINT64_MAX;
    c->pending_best = 0;
    c->pending_priority = 256;
}
