/* Ascon-Hash, plain C after the Ascon v1.2 specification. */
#ifndef ASCON_HASH_REF_H
#define ASCON_HASH_REF_H

#include <stddef.h>
#include <stdint.h>

struct ascon_hash_ref {
    uint64_t state[5];
    unsigned char block[8];
    unsigned int held; /* bytes that wait in block, fewer than 8 */
};

void ascon_hash_ref(unsigned char *out, const unsigned char *in, size_t in_bytes);
void ascon_hash_ref_init(struct ascon_hash_ref *c);
void ascon_hash_ref_update(struct ascon_hash_ref *c, const unsigned char *in, size_t in_bytes);
void ascon_hash_ref_final(struct ascon_hash_ref *c, unsigned char *out);

#endif
