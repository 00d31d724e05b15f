/*
 * The two inner loops of SHA-256, each in two forms: sha256_fast_narrow.c for machines whose int
 * has 16 bits, which have few registers and shift one bit at a time, sha256_fast_wide.c for the
 * others.
 */
#ifndef SHA256_FAST_ROUNDS_H
#define SHA256_FAST_ROUNDS_H

#include <limits.h>
#include <stdint.h>

#if UINT_MAX == 0xffff || defined(UJ_NARROW)
#define SHA256_FAST_NARROW      1
#define SHA256_FAST_STATE_WORDS (8 + 16)
#else
#define SHA256_FAST_NARROW      0
#define SHA256_FAST_STATE_WORDS 8
#endif

/* Replaces the last 16 words of the message schedule by the next 16. */
void sha256_fast_extend(uint32_t w[16]);

/* Sixteen rounds on the working variables a to h, state[0] to state[7]; what follows is scratch. */
void sha256_fast_rounds(uint32_t state[SHA256_FAST_STATE_WORDS], const uint32_t w[16],
                        const uint32_t k[16]);

#endif
