#include "energy/energy_noise.h"

#include <math.h>

static uint64_t splitmix(uint64_t *x)
{
    *x += 0x9e3779b97f4a7c15;
    uint64_t z = *x;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

void energy_noise_init(struct energy_noise *n, uint64_t seed, uint64_t stream)
{
    uint64_t x = seed;
    x = splitmix(&x) ^ stream;
    for (int i = 0; i < 4; i++)
        n->state[i] = splitmix(&x);
    n->has_spare = false;
}

static uint64_t rotate(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

static uint64_t next(uint64_t s[4])
{
    uint64_t result = rotate(s[0] + s[3], 23) + s[0];
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

/* -1 .. 1 of 53 bits. */
static double uniform(uint64_t s[4])
{
    return (double)(next(s) >> 11) * 0x1p-52 - 1;
}

double energy_noise_next(struct energy_noise *n)
{
    if (n->has_spare) {
        n->has_spare = false;
        return n->spare;
    }
    double x, y, square;
    do {
        x = uniform(n->state);
        y = uniform(n->state);
        square = x * x + y * y;
    } while (square >= 1 || square == 0);
    double factor = sqrt(-2 * log(square) / square);
    n->spare = y * factor;
    n->has_spare = true;
    return x * factor;
}
