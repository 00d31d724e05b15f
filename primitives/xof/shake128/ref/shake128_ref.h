/* SHAKE128, plain C after FIPS 202. */
#ifndef SHAKE128_REF_H
#define SHAKE128_REF_H

#include "turboshake128_ref_sponge.h"

#include <stddef.h>

struct shake128_ref {
    struct turboshake128_ref_sponge sponge;
};

void shake128_ref(unsigned char *out, const unsigned char *in, size_t in_bytes, size_t out_bytes);

void shake128_ref_init(struct shake128_ref *c);
void shake128_ref_update(struct shake128_ref *c, const unsigned char *in, size_t in_bytes);
void shake128_ref_final(struct shake128_ref *c, unsigned char *out, size_t out_bytes);

#endif
