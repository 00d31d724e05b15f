/*
 * XMEGA interrupt controller of three levels, and the sleep controller where the option `sleep`
 * says. Within a level the lowest vector goes first; with round-robin, in the low level, the one
 * after the last that was taken. The block's clock is the one that the deep sleep modes stop; the
 * option `boot` is the address of the boot section, where the vectors may lie.
 */
#include "periph/avr_block.h"
#include "periph/periph_window.h"

enum { STATUS, INTPRI, CTRL, PMIC_SIZE, SLEEP = 0x10 };
enum { LEVELS = 3, LEVEL_BITS = 7, IVSEL = 0x40, RREN = 0x80 };
enum { VECTORS = 128, VECTOR_BYTES = 4 };
enum { SLEEP_ENABLE = 1 };
enum {
    WAKE_CYCLES = 5,
    SOURCE_CYCLES = 6
}; /* manual, interrupt response; start of a stopped source */

struct xmega_pmic {
    struct periph periph;
    struct periph_window sleep_window;
    struct sim_net *ccp;
    uint64_t requests[LEVELS][VECTORS / 64]; /* of level low, medium, high */
    uint8_t status, intpri, ctrl, sleep;
    uint32_t boot;
    bool stopped; /* the clocks, by a deep sleep mode */
};

/* The lowest vector of a level at or behind `from`, or -1. */
static int lowest(const struct xmega_pmic *pmic, unsigned level, unsigned from)
{
    for (unsigned i = from; i < VECTORS; i++)
        if (pmic->requests[level][i / 64] >> (i % 64) & 1)
            return (int)i;
    return -1;
}

/* The vector to take now and its level, or -1. */
static int choose(const struct xmega_pmic *pmic, unsigned *level)
{
    for (unsigned l = LEVELS; l-- > 0 && !(pmic->status >> l & 1);) {
        if (!(pmic->ctrl >> l & 1))
            continue;
        int vector = -1;
        if (l == 0 && pmic->ctrl & RREN)
            vector = lowest(pmic, l, pmic->intpri + 1u);
        if (vector < 0)
            vector = lowest(pmic, l, 0);
        if (vector >= 0) {
            *level = l;
            return vector;
        }
    }
    return -1;
}

static void update(struct xmega_pmic *pmic)
{
    unsigned level;
    bool pending = choose(pmic, &level) >= 0;
    if (pending != pmic->periph.machine->core->irq_pending)
        machine_irq_request(pmic->periph.machine, pending);
}

static void pmic_set(void *owner, int number, bool on)
{
    struct xmega_pmic *pmic = owner;
    unsigned vector = (unsigned)number & (VECTORS - 1),
             level = (unsigned)number >> XMEGA_LEVEL_SHIFT;
    uint64_t bit = UINT64_C(1) << (vector % 64);
    for (unsigned l = 0; l < LEVELS; l++)
        pmic->requests[l][vector / 64] &= ~bit;
    if (on && level)
        pmic->requests[level - 1][vector / 64] |= bit;
    update(pmic);
}

static int pmic_take(void *chip)
{
    struct xmega_pmic *pmic = chip;
    unsigned level;
    int vector = choose(pmic, &level);
    if (vector < 0) {
        update(pmic);
        return -1;
    }
    pmic->status |= (uint8_t)(1u << level);
    if (level == 0 && pmic->ctrl & RREN)
        pmic->intpri = (uint8_t)vector;
    periph_irq_taken(pmic->periph.machine, vector);
    update(pmic);
    return pmic->ctrl & IVSEL ? vector + (int)(pmic->boot / VECTOR_BYTES) : vector;
}

static void pmic_return(void *chip)
{
    struct xmega_pmic *pmic = chip;
    for (unsigned l = LEVELS; l-- > 0;)
        if (pmic->status >> l & 1) {
            pmic->status &= (uint8_t) ~(1u << l);
            break;
        }
    update(pmic);
}

static const char *pmic_sleep(void *chip, unsigned mode)
{
    static const char *const states[8] = {"idle", "idle", "power-down", "power-save",
                                          "idle", "idle", "standby",    "extended-standby"};
    struct xmega_pmic *pmic = chip;
    struct machine *m = pmic->periph.machine;
    (void)mode;
    if (!(pmic->sleep & SLEEP_ENABLE))
        return NULL;
    const char *state = states[pmic->sleep >> 1 & 7];
    if (state != states[0]) {
        pmic->stopped = true;
        clock_set_gate(pmic->periph.clock, true, machine_now(m));
    }
    return state;
}

static uint64_t pmic_wake(void *chip)
{
    struct xmega_pmic *pmic = chip;
    if (!pmic->stopped)
        return 0;
    pmic->stopped = false;
    return avr_restart_clock(&pmic->periph, SOURCE_CYCLES);
}

static enum uj_err pmic_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {PERIPH_LOADER_KEYS, "sleep", "boot"};
    struct xmega_pmic *pmic = (struct xmega_pmic *)p;
    struct machine *m = p->machine;
    int64_t boot = 0;
    enum uj_err err = yaml_only(ctx, p->options, keys, sizeof keys / sizeof keys[0]);
    if (err || (err = yaml_get_integer(ctx, &boot, p->options, "boot", 0, 1 << 23)))
        return err;
    if (!p->clock || !p->clock->parent)
        return yaml_fail(ctx, p->options, "needs a derived clock: the one that deep sleep stops");
    pmic->boot = (uint32_t)boot;
    pmic->ccp = machine_net(m, XMEGA_CCP_NET);
    m->irq = (struct irq_controller){.owner = pmic, .set = pmic_set};
    m->core->port = (struct core_port){.chip = pmic,
                                       .irq_take = pmic_take,
                                       .irq_return = pmic_return,
                                       .sleep = pmic_sleep,
                                       .wake = pmic_wake};
    return periph_window_option(ctx, &pmic->sleep_window, p, "sleep", 1, SLEEP);
}

static void pmic_reset(struct periph *p)
{
    struct xmega_pmic *pmic = (struct xmega_pmic *)p;
    pmic->status = pmic->intpri = pmic->ctrl = pmic->sleep = 0;
    pmic->stopped = false;
    clock_set_gate(p->clock, false, machine_now(p->machine));
    update(pmic);
}

static uint32_t pmic_read(struct periph *p, uint32_t offset, unsigned bytes)
{
    const struct xmega_pmic *pmic = (const struct xmega_pmic *)p;
    (void)bytes;
    switch (offset) {
    case STATUS: return pmic->status;
    case INTPRI: return pmic->intpri;
    case CTRL: return pmic->ctrl;
    default: return pmic->sleep;
    }
}

static void pmic_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes)
{
    struct xmega_pmic *pmic = (struct xmega_pmic *)p;
    uint8_t protected_bits = net_level(pmic->ccp) ? IVSEL : 0;
    (void)bytes;
    switch (offset) {
    case INTPRI: pmic->intpri = (uint8_t)value; break;
    case CTRL:
        pmic->ctrl = (uint8_t)((pmic->ctrl & IVSEL & ~protected_bits) |
                               (value & (LEVEL_BITS | RREN | protected_bits)));
        break;
    case SLEEP: pmic->sleep = value & 0x0F; break;
    default: return;
    }
    update(pmic);
}

const struct periph_class xmega_pmic_class = {
    .name = "xmega_pmic",
    .bytes = sizeof(struct xmega_pmic),
    .window = PMIC_SIZE,
    .create = pmic_create,
    .reset = pmic_reset,
    .read = pmic_read,
    .write = pmic_write,
};
