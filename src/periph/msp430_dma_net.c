#include "periph/msp430_dma_net.h"

#include <stdio.h>

struct sim_net *msp430_dma_net_numbered(struct machine *m, unsigned number)
{
    char name[16];
    (void)snprintf(name, sizeof name, "dma.%u", number);
    return machine_net(m, name);
}

static void net_changed(void *owner, bool level, uint64_t now_ps)
{
    struct msp430_dma_net *dma = owner;
    (void)now_ps;
    if (level || !dma->is_high)
        return;
    dma->is_high = false;
    if (dma->taken)
        dma->taken(dma->owner);
}

enum uj_err msp430_dma_net_option(struct uj_ctx *ctx, struct msp430_dma_net *dma, struct periph *p,
                                  const char *output)
{
    const struct yaml_node *map = yaml_get(p->options, "dma");
    const struct yaml_node *item = map ? yaml_get(map, output) : NULL;
    int64_t number;
    if (!item)
        return UJ_OK;
    enum uj_err err = yaml_integer(ctx, &number, item, 1, 31);
    if (err)
        return err;
    dma->net = msp430_dma_net_numbered(p->machine, (unsigned)number);
    dma->listener = (struct net_listener){.changed = net_changed, .owner = dma};
    net_listen(dma->net, &dma->listener);
    return UJ_OK;
}

void msp430_dma_net_set(struct periph *p, struct msp430_dma_net *dma, bool level)
{
    if (dma->is_high == level)
        return;
    dma->is_high = level;
    if (dma->net)
        net_drive(p->machine, dma->net, level);
}
