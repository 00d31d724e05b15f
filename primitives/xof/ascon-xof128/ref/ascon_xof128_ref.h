/* Ascon-XOF128, plain C after NIST SP 800-232. */
#ifndef ASCON_XOF128_REF_H
#define ASCON_XOF128_REF_H

#include "ascon_hash256_ref.h"

#include <stddef.h>
#include <stdint.h>

struct ascon_xof128_ref {
    uint64_t state[5];
    unsigned char block[8];
    unsigned char held; /* bytes that wait in block, fewer than 8 */
};

void ascon_xof128_ref(unsigned char *out, const unsigned char *in, size_t in_bytes,
                      size_t out_bytes);

void ascon_xof128_ref_init(struct ascon_xof128_ref *c);
void ascon_xof128_ref_update(struct ascon_xof128_ref *c, const unsigned char *in, size_t in_bytes);
void ascon_xof128_ref_final(struct ascon_xof128_ref *c, unsigned char *out, size_t out_bytes);

#endif
