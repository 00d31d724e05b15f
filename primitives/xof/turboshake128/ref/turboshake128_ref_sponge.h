/*
 * The sponge over Keccak-p[1600], for TurboSHAKE128 and for all who are made of the same: they
 * differ in rate, number of rounds and domain separation.
 */
#ifndef TURBOSHAKE128_REF_SPONGE_H
#define TURBOSHAKE128_REF_SPONGE_H

#include <stddef.h>
#include <stdint.h>

struct turboshake128_ref_sponge {
    uint64_t lane[25];
    unsigned char rate_bytes;
    unsigned char rounds;
    unsigned char at; /* bytes of the current block absorbed or squeezed */
};

/* rate_bytes: a multiple of 8 below 200; rounds: up to 24, the last so many of Keccak-f. */
void turboshake128_ref_sponge_init(struct turboshake128_ref_sponge *s, unsigned char rate_bytes,
                                   unsigned char rounds);
void turboshake128_ref_sponge_absorb(struct turboshake128_ref_sponge *s, const unsigned char *in,
                                     size_t in_bytes);

/* Ends the message: domain holds the bits to append and the first bit of the padding. */
void turboshake128_ref_sponge_pad(struct turboshake128_ref_sponge *s, unsigned char domain);

/* After the padding, as often as wanted. */
void turboshake128_ref_sponge_squeeze(struct turboshake128_ref_sponge *s, unsigned char *out,
                                      size_t out_bytes);

#endif
