/* KangarooTwelve (KT128), plain C after RFC 9861. */
#ifndef K12_REF_H
#define K12_REF_H

#include "turboshake128_ref_sponge.h"

#include <stddef.h>
#include <stdint.h>

struct k12_ref {
    struct turboshake128_ref_sponge final_node;
    struct turboshake128_ref_sponge leaf;
    uint32_t leaves;            /* begun so far; at most 2^32 - 1, so 32 TiB of message */
    unsigned short chunk_bytes; /* of the current chunk */
};

/* These take the empty customization string. */
void k12_ref(unsigned char *out, const unsigned char *in, size_t in_bytes, size_t out_bytes);

void k12_ref_init(struct k12_ref *c);
void k12_ref_update(struct k12_ref *c, const unsigned char *in, size_t in_bytes);
void k12_ref_final(struct k12_ref *c, unsigned char *out, size_t out_bytes);

void k12_ref_custom(unsigned char *out, const unsigned char *in, size_t in_bytes,
                    const unsigned char *custom, size_t custom_bytes, size_t out_bytes);
void k12_ref_final_custom(struct k12_ref *c, unsigned char *out, const unsigned char *custom,
                          size_t custom_bytes, size_t out_bytes);

#endif
