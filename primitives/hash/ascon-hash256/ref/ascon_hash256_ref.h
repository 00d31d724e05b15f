/* Ascon-Hash256, plain C after NIST SP 800-232. */
#ifndef ASCON_HASH256_REF_H
#define ASCON_HASH256_REF_H

#include <stddef.h>
#include <stdint.h>

struct ascon_hash256_ref {
    uint64_t state[5];
    unsigned char block[8];
    unsigned int held; /* bytes that wait in block, fewer than 8 */
};

void ascon_hash256_ref(unsigned char *out, const unsigned char *in, size_t in_bytes);
void ascon_hash256_ref_init(struct ascon_hash256_ref *c);
void ascon_hash256_ref_update(struct ascon_hash256_ref *c, const unsigned char *in,
                              size_t in_bytes);
void ascon_hash256_ref_final(struct ascon_hash256_ref *c, unsigned char *out);

/* The permutation Ascon-p[12], section 3; Ascon-Hash v1.2 is made of the same. */
void ascon_hash256_ref_p12(uint64_t state[5]);

#endif
