/* TurboSHAKE128, plain C after RFC 9861. */
#ifndef TURBOSHAKE128_REF_H
#define TURBOSHAKE128_REF_H

#include "turboshake128_ref_sponge.h"

#include <stddef.h>

struct turboshake128_ref {
    struct turboshake128_ref_sponge sponge;
};

void turboshake128_ref(unsigned char *out, const unsigned char *in, size_t in_bytes,
                       size_t out_bytes);

void turboshake128_ref_init(struct turboshake128_ref *c);
void turboshake128_ref_update(struct turboshake128_ref *c, const unsigned char *in,
                              size_t in_bytes);
void turboshake128_ref_final(struct turboshake128_ref *c, unsigned char *out, size_t out_bytes);

#endif
