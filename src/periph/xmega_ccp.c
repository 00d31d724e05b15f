/*
 * XMEGA configuration change protection: the key 0xD8 opens the protected registers for four cycles
 * of the CPU, during which interrupts wait. The key for self-programming is not known here.
 */
#include "periph/avr_block.h"

enum { KEY_IO = 0xD8, OPEN_CYCLES = 4 };

struct xmega_ccp {
    struct periph periph;
    struct sim_net *open;
    struct sim_event close;
};

static void close_window(void *owner, uint64_t when_ps)
{
    struct xmega_ccp *ccp = owner;
    (void)when_ps;
    net_drive(ccp->periph.machine, ccp->open, false);
}

static enum uj_err ccp_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {PERIPH_LOADER_KEYS};
    struct xmega_ccp *ccp = (struct xmega_ccp *)p;
    if (!p->clock)
        return yaml_fail(ctx, p->options, "needs a clock");
    ccp->open = machine_net(p->machine, XMEGA_CCP_NET);
    ccp->close = (struct sim_event){.fire = close_window, .owner = ccp};
    return yaml_only(ctx, p->options, keys, sizeof keys / sizeof keys[0]);
}

static void ccp_reset(struct periph *p)
{
    struct xmega_ccp *ccp = (struct xmega_ccp *)p;
    event_cancel(&p->machine->events, &ccp->close);
    net_drive(p->machine, ccp->open, false);
}

static uint32_t ccp_read(struct periph *p, uint32_t offset, unsigned bytes)
{
    (void)offset, (void)bytes;
    return net_level(((struct xmega_ccp *)p)->open);
}

static void ccp_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes)
{
    struct xmega_ccp *ccp = (struct xmega_ccp *)p;
    (void)offset, (void)bytes;
    if ((value & 0xFF) != KEY_IO)
        return;
    net_drive(p->machine, ccp->open, true);
    machine_at(p->machine, &ccp->close, clock_time(p->clock, avr_ticks(p) + OPEN_CYCLES + 1));
}

const struct periph_class xmega_ccp_class = {
    .name = "xmega_ccp",
    .bytes = sizeof(struct xmega_ccp),
    .window = 1,
    .create = ccp_create,
    .reset = ccp_reset,
    .read = ccp_read,
    .write = ccp_write,
};
