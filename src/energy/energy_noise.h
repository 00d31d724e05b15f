/*
 * Gaussian noise from a seed: xoshiro256++ through the polar method of Marsaglia.
 *
 * Law: the same seed and stream give the same numbers; streams of one seed are independent of each
 * other.
 */
#ifndef UJ_ENERGY_ENERGY_NOISE_H
#define UJ_ENERGY_ENERGY_NOISE_H

#include <stdbool.h>
#include <stdint.h>

struct energy_noise {
    uint64_t state[4];
    double spare; /* the second number of a pair */
    bool has_spare;
};

void energy_noise_init(struct energy_noise *n, uint64_t seed, uint64_t stream);
/* Mean 0, standard deviation 1. */
double energy_noise_next(struct energy_noise *n);

#endif
