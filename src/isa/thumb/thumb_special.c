#include "isa/thumb/thumb.h"

uint8_t thumb_priority_mask(const struct thumb_core *c)
{
    return (uint8_t)(0xff << (8 - c->params.priority_bits));
}

/* Special registers, by their number in MRS and MSR. */

static uint32_t *stack_pointer(struct thumb_core *c, bool process)
{
    bool process_in_force = c->ipsr == 0 && (c->control & 2);
    return process == process_in_force ? &c->r[13] : &c->other_sp;
}

uint32_t thumb_read_special(struct thumb_core *c, unsigned number)
{
    bool mainline = c->kind != THUMB_M0PLUS, privileged = thumb_privileged(c);
    switch (number) {
    case 0:
    case 1:
    case 2:
    case 3: {
        uint32_t value = th_apsr(&c->flags) | (uint32_t)c->q << 27;
        if (c->kind == THUMB_M33)
            value |= (uint32_t)c->ge << 16;
        return value | ((number & 1) && privileged ? c->ipsr : 0);
    }
    case 5:
    case 7: return privileged ? c->ipsr : 0;
    case 8: return privileged ? *stack_pointer(c, false) : 0;
    case 9: return privileged ? *stack_pointer(c, true) : 0;
    case 10: return privileged && c->kind == THUMB_M33 ? c->msplim : 0;
    case 11: return privileged && c->kind == THUMB_M33 ? c->psplim : 0;
    case 16: return privileged ? c->primask : 0;
    case 17:
    case 18: return privileged && mainline ? c->basepri : 0;
    case 19: return privileged && mainline ? c->faultmask : 0;
    case 20: return c->control;
    default: return 0;
    }
}

void thumb_write_special(struct thumb_core *c, unsigned number, unsigned mask, uint32_t value)
{
    bool mainline = c->kind != THUMB_M0PLUS;
    core_attention(&c->core);
    if (number < 4) {
        if (mask & 2 || !mainline) {
            th_set_apsr(&c->flags, value);
            if (mainline)
                c->q = value >> 27 & 1;
        }
        if ((mask & 1) && c->kind == THUMB_M33)
            c->ge = value >> 16 & 15;
        return;
    }
    if (!thumb_privileged(c))
        return;
    switch (number) {
    case 8: *stack_pointer(c, false) = value & ~3u; break;
    case 9: *stack_pointer(c, true) = value & ~3u; break;
    case 10: c->msplim = value & ~7u; break;
    case 11: c->psplim = value & ~7u; break;
    case 16: c->primask = value & 1; break;
    case 17:
        if (mainline)
            c->basepri = (uint8_t)value & thumb_priority_mask(c);
        break;
    case 18: {
        uint8_t wanted = (uint8_t)value & thumb_priority_mask(c);
        if (mainline && wanted && (wanted < c->basepri || c->basepri == 0))
            c->basepri = wanted;
        break;
    }
    case 19:
        if (mainline && thumb_execution_priority(c, false) > -1)
            c->faultmask = value & 1;
        break;
    case 20:
        c->control = (uint8_t)((c->control & ~1u) | (value & 1));
        if (c->ipsr == 0)
            thumb_set_sp_select(c, value & 2);
        else if (c->kind == THUMB_M33) /* may be written in a handler; in force on return */
            c->control = (uint8_t)((c->control & ~2u) | (value & 2));
        break;
    default: break;
    }
    thumb_repend(c);
}

/* CPSIE and CPSID: bit 2 disables; bits 1 and 0 choose PRIMASK and FAULTMASK. */
void thumb_change_mask(struct thumb_core *c, unsigned imm)
{
    core_attention(&c->core);
    if (!thumb_privileged(c))
        return;
    bool on = imm & 4;
    if (imm & 2)
        c->primask = on;
    if ((imm & 1) && c->kind != THUMB_M0PLUS && (!on || thumb_execution_priority(c, false) > -1))
        c->faultmask = on;
    thumb_repend(c);
}
