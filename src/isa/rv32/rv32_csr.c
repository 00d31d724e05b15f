/* Control and status registers of machine mode, as Hazard3 in RP2350 has them. */
#include "isa/rv32/rv32_core.h"

enum {
    MSTATUS = 0x300,
    MISA = 0x301,
    MIE = 0x304,
    MTVEC = 0x305,
    MCOUNTEREN = 0x306,
    MENVCFG = 0x30a,
    MSTATUSH = 0x310,
    MENVCFGH = 0x31a,
    MCOUNTINHIBIT = 0x320,
    MHPMEVENT3 = 0x323,
    MHPMEVENT31 = 0x33f,
    MSCRATCH = 0x340,
    MEPC = 0x341,
    MCAUSE = 0x342,
    MTVAL = 0x343,
    MIP = 0x344,
    PMPCFG0 = 0x3a0,
    PMPADDR0 = 0x3b0,
    TSELECT = 0x7a0,
    TCONTROL = 0x7a5,
    MCYCLE = 0xb00,
    MINSTRET = 0xb02,
    MHPMCOUNTER3 = 0xb03,
    MHPMCOUNTER31 = 0xb1f,
    MCYCLEH = 0xb80,
    MINSTRETH = 0xb82,
    MHPMCOUNTER3H = 0xb83,
    MHPMCOUNTER31H = 0xb9f,
    PMPCFGM0 = 0xbd0,
    MSLEEP = 0xbf0,
    CYCLE = 0xc00,
    INSTRET = 0xc02,
    CYCLEH = 0xc80,
    INSTRETH = 0xc82,
    MVENDORID = 0xf11,
    MARCHID = 0xf12,
    MIMPID = 0xf13,
    MHARTID = 0xf14,
    MCONFIGPTR = 0xf15,
};

enum { STATUS_MIE = 1 << 3, STATUS_MPIE = 1 << 7, STATUS_MPP = 3 << 11 };
enum { INHIBIT_CYCLE = 1, INHIBIT_INSTRET = 4 };
enum { INTERRUPT_BITS = 1 << RV32_IRQ_SOFTWARE | 1 << RV32_IRQ_TIMER | 1 << RV32_IRQ_EXTERNAL };

void rv32_csr_reset(struct rv32_core *c)
{
    c->csr = (struct rv32_csrs){
        .mcountinhibit = INHIBIT_CYCLE | INHIBIT_INSTRET,
        .irq_level = c->csr.irq_level,
        .meicontext = 1 << 15,
    };
}

/* A counter: it holds its value while it is inhibited, and else what it counts from. */
static uint64_t counter(const struct rv32_core *c, unsigned inhibit, uint64_t from, uint64_t now)
{
    return c->csr.mcountinhibit & inhibit ? from : now - from;
}

/* The cycle in which the instruction executes, and the instructions retired before it. */
static uint64_t cycle_now(const struct rv32_core *c)
{
    return rv32_now(c) - 1;
}

static uint64_t instret_now(const struct rv32_core *c)
{
    return (uint64_t)c->live.count - 1;
}

static uint64_t mcycle(const struct rv32_core *c)
{
    return counter(c, INHIBIT_CYCLE, c->csr.cycle_from, cycle_now(c));
}

static uint64_t minstret(const struct rv32_core *c)
{
    return counter(c, INHIBIT_INSTRET, c->csr.instret_from, instret_now(c));
}

/* The written value stands when the next instruction executes. */
static void set_counters(struct rv32_core *c, uint64_t cycles, uint64_t instret, uint32_t inhibit)
{
    c->csr.mcountinhibit = inhibit & (INHIBIT_CYCLE | INHIBIT_INSTRET);
    c->csr.cycle_from = inhibit & INHIBIT_CYCLE ? cycles : cycle_now(c) + 1 - cycles;
    c->csr.instret_from = inhibit & INHIBIT_INSTRET ? instret : instret_now(c) + 1 - instret;
}

static bool in(unsigned number, unsigned first, unsigned last)
{
    return number >= first && number <= last;
}

/* The value of a register that reading does not change; false: there is no such register. */
static bool read_plain(const struct rv32_core *c, unsigned number, uint32_t *out)
{
    const struct rv32_csrs *csr = &c->csr;
    *out = 0;
    switch (number) {
    case MSTATUS:
        *out = STATUS_MPP | (csr->mie ? STATUS_MIE : 0u) | (csr->mpie ? STATUS_MPIE : 0u);
        return true;
    case MISA: *out = 0x40901105; return true; /* RV32 A C I M U X */
    case MIE: *out = csr->enabled; return true;
    case MTVEC: *out = csr->mtvec; return true;
    case MCOUNTEREN:
    case MENVCFG:
    case MSTATUSH:
    case MENVCFGH:
    case MTVAL:
    case MCONFIGPTR:
    case MHARTID: return true;
    case MCOUNTINHIBIT: *out = csr->mcountinhibit; return true;
    case MSCRATCH: *out = csr->mscratch; return true;
    case MEPC: *out = csr->mepc; return true;
    case MCAUSE: *out = csr->mcause; return true;
    case MIP: *out = csr->pending; return true;
    case MCYCLE:
    case CYCLE: *out = (uint32_t)mcycle(c); return true;
    case MCYCLEH:
    case CYCLEH: *out = (uint32_t)(mcycle(c) >> 32); return true;
    case MINSTRET:
    case INSTRET: *out = (uint32_t)minstret(c); return true;
    case MINSTRETH:
    case INSTRETH: *out = (uint32_t)(minstret(c) >> 32); return true;
    case PMPCFGM0: *out = csr->pmpcfgm0; return true;
    case MSLEEP: *out = csr->msleep; return true;
    case MVENDORID: *out = 0x493; return true; /* JEP106: Raspberry Pi */
    case MARCHID: *out = 0x1b; return true;    /* Hazard3 */
    case MIMPID: *out = 0x86fc4e3f; return true;
    default: break;
    }
    if (in(number, PMPCFG0, PMPCFG0 + 3))
        *out = csr->pmpcfg[number - PMPCFG0];
    else if (in(number, PMPADDR0, PMPADDR0 + 15))
        *out = csr->pmpaddr[number - PMPADDR0];
    else
        return in(number, MHPMEVENT3, MHPMEVENT31) || in(number, MHPMCOUNTER3, MHPMCOUNTER31) ||
               in(number, MHPMCOUNTER3H, MHPMCOUNTER31H) || in(number, TSELECT, TCONTROL);
    return true;
}

static uint64_t with_low(uint64_t value, uint32_t low)
{
    return (value & ~(uint64_t)UINT32_MAX) | low;
}

static uint64_t with_high(uint64_t value, uint32_t high)
{
    return (value & UINT32_MAX) | (uint64_t)high << 32;
}

/* The registers that are only stored; what is missing here ignores what is written. */
static void write_plain(struct rv32_core *c, unsigned number, uint32_t value)
{
    struct rv32_csrs *csr = &c->csr;
    uint64_t cycles = mcycle(c), instret = minstret(c);
    switch (number) {
    case MSTATUS:
        csr->mie = value & STATUS_MIE;
        csr->mpie = value & STATUS_MPIE;
        break;
    case MIE: csr->enabled = value & INTERRUPT_BITS; break;
    case MTVEC: csr->mtvec = value & ~2u; break;
    case MSCRATCH: csr->mscratch = value; break;
    case MEPC: csr->mepc = value & ~1u; break;
    case MCAUSE: csr->mcause = value & 0x8000000f; break;
    case MCOUNTINHIBIT: set_counters(c, cycles, instret, value); break;
    case MCYCLE: set_counters(c, with_low(cycles, value), instret + 1, csr->mcountinhibit); break;
    case MCYCLEH: set_counters(c, with_high(cycles, value), instret + 1, csr->mcountinhibit); break;
    case MINSTRET: set_counters(c, cycles + 1, with_low(instret, value), csr->mcountinhibit); break;
    case MINSTRETH:
        set_counters(c, cycles + 1, with_high(instret, value), csr->mcountinhibit);
        break;
    case PMPCFGM0: csr->pmpcfgm0 = value & 0xffff; break;
    case MSLEEP: csr->msleep = value & 7; break;
    default:
        if (in(number, PMPCFG0, PMPCFG0 + 3))
            csr->pmpcfg[number - PMPCFG0] = value & 0x9f9f9f9f;
        else if (in(number, PMPADDR0, PMPADDR0 + 15))
            csr->pmpaddr[number - PMPADDR0] = value & 0x3fffffff;
    }
}

uint32_t rv32_csr_peek(const struct rv32_core *c, unsigned number)
{
    uint32_t value;
    (void)read_plain(c, number, &value);
    return value;
}

uint32_t rv32_csr(struct rv32_core *c, const struct rv32_record *rec, uint32_t operand,
                  enum rv32_csr_kind kind)
{
    unsigned number = rec->k & 0xfff;
    /* Setting or clearing nothing is no write; the field says so, not the value. */
    bool writes = kind == RV32_CSR_WRITE || rec->rs1 != 0;
    uint32_t value = 0;
    if (writes && number >> 10 == 3) {
        rv32_trap(c, rec, RV32_ILLEGAL, number);
        return c->x[rec->rd];
    }
    if (rv32_irq_csr(c, number, operand, kind, writes, &value)) {
        rv32_want_attention(c);
        return value;
    }
    if (!read_plain(c, number, &value)) {
        rv32_trap(c, rec, RV32_ILLEGAL, number);
        return c->x[rec->rd];
    }
    if (writes) {
        write_plain(c, number,
                    kind == RV32_CSR_WRITE ? operand
                    : kind == RV32_CSR_SET ? value | operand
                                           : value & ~operand);
        if (number == MSTATUS || number == MIE || number == MIP) {
            rv32_irq_update(c);
            rv32_want_attention(c);
        }
    }
    return value;
}
