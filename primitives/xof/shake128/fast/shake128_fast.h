/* SHAKE128, over the sponge tuned for small machines. */
#ifndef SHAKE128_FAST_H
#define SHAKE128_FAST_H

#include "turboshake128_fast_sponge.h"

#include <stddef.h>

struct shake128_fast {
    struct turboshake128_fast_sponge sponge;
};

void shake128_fast(unsigned char *out, const unsigned char *in, size_t in_bytes, size_t out_bytes);

void shake128_fast_init(struct shake128_fast *c);
void shake128_fast_update(struct shake128_fast *c, const unsigned char *in, size_t in_bytes);
void shake128_fast_final(struct shake128_fast *c, unsigned char *out, size_t out_bytes);

#endif
