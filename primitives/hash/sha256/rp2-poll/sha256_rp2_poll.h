/* SHA-256 (FIPS 180-4) by the RP2350's SHA-256 block: one word to the block for each look at its
 * ready flag. One message at a time. */
#ifndef SHA256_RP2_POLL_H
#define SHA256_RP2_POLL_H

#include "sha256_rp2.h"

struct sha256_rp2_poll {
    struct sha256_rp2 message;
};

void sha256_rp2_poll(unsigned char *out, const unsigned char *in, size_t in_bytes);
void sha256_rp2_poll_init(struct sha256_rp2_poll *c);
void sha256_rp2_poll_update(struct sha256_rp2_poll *c, const unsigned char *in, size_t in_bytes);
void sha256_rp2_poll_final(struct sha256_rp2_poll *c, unsigned char *out);

#endif
