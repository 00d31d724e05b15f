/* Faults, supervisor calls and breakpoints: exceptions that instructions make. */
#include <string.h>

#include "isa/thumb/thumb.h"

/* A fault that nothing can handle: the run ends with a report. */
void thumb_give_up(struct thumb_core *c, const char *what)
{
    core_fault(&c->core, c->fault_reason ? c->fault_reason : what, c->fault_pc, c->fault_address,
               "%s; CFSR %08x HFSR %08x sp %08x lr %08x r0 %08x r1 %08x r2 %08x r3 %08x r12 %08x",
               what, c->cfsr, c->hfsr, c->fault_sp, c->fault_lr, c->fault_r[0], c->fault_r[1],
               c->fault_r[2], c->fault_r[3], c->fault_r[4]);
}

void thumb_note_fault(struct thumb_core *c, const char *reason, uint32_t address)
{
    c->fault_reason = reason;
    c->fault_pc = c->pc;
    c->fault_address = address;
    c->fault_sp = c->r[13];
    c->fault_lr = c->r[14];
    memcpy(c->fault_r, c->r, 4 * sizeof c->r[0]);
    c->fault_r[4] = c->r[12];
}

/* A synchronous exception, escalated where it cannot be taken. */
static void take_synchronous(struct thumb_core *c, int exception, uint32_t xpsr)
{
    int now = thumb_execution_priority(c, true);
    bool mainline = c->kind != THUMB_M0PLUS;
    if (exception != EXC_HARDFAULT) {
        bool enabled = c->exceptions[exception].enabled && (mainline || exception == EXC_SVCALL);
        if (!enabled || thumb_group_of(c, exception) >= now) {
            exception = EXC_HARDFAULT;
            c->hfsr |= 1u << 30;
        }
    }
    if (exception == EXC_HARDFAULT && now <= -1) {
        thumb_give_up(c, "lockup: fault in the handler of HardFault or NMI, or with FAULTMASK");
        return;
    }
    thumb_enter(c, exception, xpsr);
}

void thumb_take_fault(struct thumb_core *c)
{
    int exception = c->abort_exception;
    uint32_t status = c->abort_status, xpsr = thumb_xpsr(c);
    c->abort = false;
    if (status & 1u << 17) /* no Thumb state */
        xpsr &= ~(1u << 24);
    if (c->kind != THUMB_M0PLUS) {
        c->cfsr |= status;
        if (status & 1u << 15)
            c->bfar = c->abort_address;
    }
    uint32_t address = status & 1u << 15 ? c->abort_address : c->pc;
    if (!(c->ipsr >= EXC_HARDFAULT && c->ipsr <= EXC_USAGEFAULT))
        thumb_note_fault(c, c->abort_reason, address);
    take_synchronous(c, exception, xpsr);
}

void thumb_undefined(struct thumb_core *c, uint32_t imm)
{
    bool coprocessor = (imm & 0xec000000) == 0xec000000 && c->kind != THUMB_M0PLUS;
    if (coprocessor)
        thumb_fault(c, EXC_USAGEFAULT, 1u << 19, "coprocessor or floating-point instruction");
    else
        thumb_fault(c, EXC_USAGEFAULT, 1u << 16, "undefined instruction");
}

void thumb_supervisor_call(struct thumb_core *c)
{
    c->pc += 2;
    thumb_note_fault(c, "supervisor call where it cannot be taken", c->pc - 2);
    int now = thumb_execution_priority(c, true);
    if (thumb_group_of(c, EXC_SVCALL) >= now)
        c->pc -= 2; /* a fault at the instruction */
    take_synchronous(c, EXC_SVCALL, thumb_xpsr(c));
}

void thumb_breakpoint(struct thumb_core *c, uint32_t number)
{
    if (number == 0xab) {
        thumb_semihost(c);
        c->pc += 2;
        core_attention(&c->core);
        return;
    }
    c->hfsr |= 1u << 31;
    c->dfsr |= 2;
    thumb_note_fault(c, "breakpoint", c->pc);
    uint32_t hfsr = c->hfsr;
    take_synchronous(c, EXC_HARDFAULT, thumb_xpsr(c));
    c->hfsr = hfsr;
}
