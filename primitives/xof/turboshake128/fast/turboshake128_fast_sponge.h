/*
 * The sponge over Keccak-p[1600], for TurboSHAKE128 and for all who are made of the same: they
 * differ in rate, number of rounds and domain separation.
 */
#ifndef TURBOSHAKE128_FAST_SPONGE_H
#define TURBOSHAKE128_FAST_SPONGE_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A lane is kept in limbs as wide as the machine computes well: quarters where int has 16 bits,
 * halves elsewhere. Limb i of lane k is limb[25 i + k].
 */
#if UINT_MAX == 0xffff || defined UJ_NARROW
typedef uint16_t turboshake128_fast_limb;
#else
typedef uint32_t turboshake128_fast_limb;
#endif

enum { TURBOSHAKE128_FAST_LIMBS = 8 / sizeof(turboshake128_fast_limb) };

struct turboshake128_fast_sponge {
    turboshake128_fast_limb limb[25 * TURBOSHAKE128_FAST_LIMBS];
    unsigned char rate_bytes;
    unsigned char rounds;
    unsigned char at; /* bytes of the current block absorbed or squeezed */
};

/* rate_bytes: a multiple of 8 below 200; rounds: up to 24, the last so many of Keccak-f. */
void turboshake128_fast_sponge_init(struct turboshake128_fast_sponge *s, unsigned char rate_bytes,
                                    unsigned char rounds);
void turboshake128_fast_sponge_absorb(struct turboshake128_fast_sponge *s, const unsigned char *in,
                                      size_t in_bytes);

/* Ends the message: domain holds the bits to append and the first bit of the padding. */
void turboshake128_fast_sponge_pad(struct turboshake128_fast_sponge *s, unsigned char domain);

/* After the padding, as often as wanted. */
void turboshake128_fast_sponge_squeeze(struct turboshake128_fast_sponge *s, unsigned char *out,
                                       size_t out_bytes);

#endif
