/* SHA-256 (FIPS 180-4) by the RP2350's SHA-256 block: sixteen words to the block for each look at
 * its ready flag. One message at a time. */
#ifndef SHA256_RP2_BURST_H
#define SHA256_RP2_BURST_H

#include "sha256_rp2.h"

struct sha256_rp2_burst {
    struct sha256_rp2 message;
};

void sha256_rp2_burst(unsigned char *out, const unsigned char *in, size_t in_bytes);
void sha256_rp2_burst_init(struct sha256_rp2_burst *c);
void sha256_rp2_burst_update(struct sha256_rp2_burst *c, const unsigned char *in, size_t in_bytes);
void sha256_rp2_burst_final(struct sha256_rp2_burst *c, unsigned char *out);

#endif
