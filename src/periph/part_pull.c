/* A resistor that holds a net, as of a button that draws it the other way. Options: net, high. */
#include "sim/periph.h"
#include "sim/wire.h"

struct part_pull {
    struct periph periph;
    struct wire wire;
};

static enum uj_err pull_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {PERIPH_LOADER_KEYS, "net", "high", "note", "source"};
    struct part_pull *part = (struct part_pull *)p;
    const char *name = NULL;
    bool high = true;
    enum uj_err err = yaml_only(ctx, p->options, keys, sizeof keys / sizeof *keys);
    if (err || (err = yaml_need_text(ctx, &name, p->options, "net")) ||
        (err = yaml_get_bool(ctx, &high, p->options, "high")))
        return err;
    wire_attach(&part->wire, machine_net(p->machine, name));
    wire_drive(p->machine, &part->wire, high ? WIRE_WEAK_HIGH : WIRE_WEAK_LOW);
    return UJ_OK;
}

const struct periph_class part_pull_class = {
    .name = "part_pull",
    .bytes = sizeof(struct part_pull),
    .create = pull_create,
};
