/*
 * Power management of the 5xx: registers, of which two matter to others. The core voltage is there
 * as soon as it is asked for. The net "pmm.slow_wake" is high while the low-side supervisor makes
 * waking slow: it or the monitor is on, without full performance (SVSLFP). PMMSWBOR and PMMSWPOR
 * reset the chip.
 */
#include "periph/msp430_sfr.h"

enum { PMMCTL0, PMMCTL1, SVSMHCTL, SVSMLCTL, SVSMIO, PMMIFG = 6, PMMRIE, PM5CTL0, WORDS = 9 };
enum { SWBOR = 0x0004, SWPOR = 0x0008, PASSWORD = 0xa5, READ_AS = 0x96 };
enum { SVSLE = 0x0400, SVSLFP = 0x0800, SVMLE = 0x4000, DELAY_FLAGS = 0x0011, LEVEL_FLAG = 0x0004 };

struct msp430_pmm {
    struct periph periph;
    struct sim_net *slow;
    bool is_open;
    uint16_t value[WORDS];
};

static void tell(struct msp430_pmm *pmm)
{
    uint16_t low = pmm->value[SVSMLCTL];
    net_drive(pmm->periph.machine, pmm->slow, low & (SVSLE | SVMLE) && !(low & SVSLFP));
}

static enum uj_err pmm_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {PERIPH_LOADER_KEYS, "note"};
    ((struct msp430_pmm *)p)->slow = machine_net(p->machine, "pmm.slow_wake");
    return yaml_only(ctx, p->options, keys, sizeof keys / sizeof *keys);
}

static void pmm_reset(struct periph *p)
{
    static const uint16_t after_reset[WORDS] = {0, 0, 0x4400, 0x4400, 0x0020, 0, 0, 0x1100, 0};
    struct msp430_pmm *pmm = (struct msp430_pmm *)p;
    for (unsigned i = 0; i < WORDS; i++)
        pmm->value[i] = after_reset[i];
    pmm->is_open = false;
    tell(pmm);
}

static uint32_t pmm_read(struct periph *p, uint32_t offset, unsigned bytes)
{
    const struct msp430_pmm *pmm = (const struct msp430_pmm *)p;
    uint32_t value = pmm->value[offset / 2];
    (void)bytes;
    if (offset / 2 == PMMCTL0)
        value = READ_AS << 8 | (value & 0xff);
    return value >> (offset & 1 ? 8 : 0);
}

static void pmm_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes)
{
    struct msp430_pmm *pmm = (struct msp430_pmm *)p;
    unsigned reg = offset / 2;
    uint16_t word = (uint16_t)value;
    if (reg == PMMCTL0 && bytes == 1 && offset & 1) { /* the password alone opens and closes */
        pmm->is_open = (value & 0xff) == PASSWORD;
        return;
    }
    if (reg == PMMCTL0 && bytes == 2)
        pmm->is_open = value >> 8 == PASSWORD;
    if (!pmm->is_open && reg != PMMIFG)
        return;
    if (bytes == 1)
        word = (uint16_t)(offset & 1 ? (pmm->value[reg] & 0xff) | (value & 0xff) << 8
                                     : (pmm->value[reg] & 0xff00) | (value & 0xff));
    pmm->value[reg] = reg == PMMCTL0 ? word & 0xff : word;
    if (reg == SVSMHCTL || reg == SVSMLCTL)
        pmm->value[PMMIFG] |= DELAY_FLAGS;
    if (reg == PMMCTL0) {
        pmm->value[PMMIFG] |= LEVEL_FLAG;
        if (word & (SWBOR | SWPOR))
            machine_request_reset(p->machine, "reset by the program (PMMSWBOR or PMMSWPOR)");
    }
    tell(pmm);
}

const struct periph_class msp430_pmm_class = {
    .name = "msp430_pmm",
    .bytes = sizeof(struct msp430_pmm),
    .window = 2 * WORDS,
    .create = pmm_create,
    .reset = pmm_reset,
    .read = pmm_read,
    .write = pmm_write,
};
