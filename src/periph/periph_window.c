#include "periph/periph_window.h"

static uint32_t window_read(void *device, uint32_t offset, unsigned bytes)
{
    const struct periph_window *w = device;
    machine_sync(w->periph->machine);
    return w->periph->class->read(w->periph, w->offset + offset, bytes);
}

static void window_write(void *device, uint32_t offset, uint32_t value, unsigned bytes)
{
    const struct periph_window *w = device;
    machine_sync(w->periph->machine);
    w->periph->class->write(w->periph, w->offset + offset, value, bytes);
}

static const struct mem_ops window_ops = {.read = window_read, .write = window_write};

enum uj_err periph_window_option(struct uj_ctx *ctx, struct periph_window *w, struct periph *p,
                                 const char *key, uint32_t size, uint32_t offset)
{
    struct mem_space *space = &p->machine->data;
    int64_t base = -1;
    enum uj_err err = yaml_get_integer(ctx, &base, p->options, key, 0, space->address_mask - size);
    if (err || base < 0)
        return err;
    *w = (struct periph_window){.periph = p, .offset = offset};
    w->region = (struct mem_region){
        .name = p->name, .base = (uint32_t)base, .size = size, .ops = &window_ops, .device = w};
    mem_add(space, &w->region);
    return UJ_OK;
}
