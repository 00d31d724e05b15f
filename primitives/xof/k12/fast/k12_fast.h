/* KangarooTwelve (KT128), over the sponge tuned for small machines. */
#ifndef K12_FAST_H
#define K12_FAST_H

#include "turboshake128_fast_sponge.h"

#include <stddef.h>
#include <stdint.h>

struct k12_fast {
    struct turboshake128_fast_sponge final_node;
    struct turboshake128_fast_sponge leaf;
    uint32_t leaves;            /* begun so far; at most 2^32 - 1, so 32 TiB of message */
    unsigned short chunk_bytes; /* of the current chunk */
};

/* These take the empty customization string. */
void k12_fast(unsigned char *out, const unsigned char *in, size_t in_bytes, size_t out_bytes);

void k12_fast_init(struct k12_fast *c);
void k12_fast_update(struct k12_fast *c, const unsigned char *in, size_t in_bytes);
void k12_fast_final(struct k12_fast *c, unsigned char *out, size_t out_bytes);

void k12_fast_custom(unsigned char *out, const unsigned char *in, size_t in_bytes,
                     const unsigned char *custom, size_t custom_bytes, size_t out_bytes);
void k12_fast_final_custom(struct k12_fast *c, unsigned char *out, const unsigned char *custom,
                           size_t custom_bytes, size_t out_bytes);

#endif
