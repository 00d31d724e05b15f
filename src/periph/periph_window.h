/*
 * A further window of a block whose registers do not lie together. Accesses reach the block's own
 * read() and write() with offsets from `offset` on, under the same laws as those of its main
 * window.
 */
#ifndef UJ_PERIPH_WINDOW_H
#define UJ_PERIPH_WINDOW_H

#include "sim/periph.h"

struct periph_window {
    struct periph *periph;
    uint32_t offset;
    struct mem_region region;
};

/* Places the window at the address that the block's option `key` gives; without the option,
 * nowhere. */
enum uj_err periph_window_option(struct uj_ctx *ctx, struct periph_window *w, struct periph *p,
                                 const char *key, uint32_t size, uint32_t offset) UJ_CHECK;

#endif
