/* TurboSHAKE128, over the sponge tuned for small machines. */
#ifndef TURBOSHAKE128_FAST_H
#define TURBOSHAKE128_FAST_H

#include "turboshake128_fast_sponge.h"

#include <stddef.h>

struct turboshake128_fast {
    struct turboshake128_fast_sponge sponge;
};

void turboshake128_fast(unsigned char *out, const unsigned char *in, size_t in_bytes,
                        size_t out_bytes);

void turboshake128_fast_init(struct turboshake128_fast *c);
void turboshake128_fast_update(struct turboshake128_fast *c, const unsigned char *in,
                               size_t in_bytes);
void turboshake128_fast_final(struct turboshake128_fast *c, unsigned char *out, size_t out_bytes);

#endif
