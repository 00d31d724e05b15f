/*
 * No hash, but of the form: it takes 4 x (in[0] + 256 in[1]) + in[2] % 4 cycles and some, and gives
 * the sum of the input and its length. Fewer than three bytes are an error.
 */
#include "crypto_hash.h"

#include <stdint.h>

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    uint8_t sum = 0;

    if (inlen < 3)
        return -1;
    uint16_t loops = (uint16_t)(in[0] | in[1] << 8);
    __asm__ volatile("1:\n\t"
                     "sbiw %0, 1\n\t"
                     "brne 1b\n\t"
                     "sbrc %1, 0\n\t" /* skips in 2 cycles, or goes on in 1 with the 2 of RJMP */
                     "rjmp .\n\t"
                     "sbrc %1, 1\n\t"
                     "lpm r0, Z\n\t" /* 3: two more than when it is skipped */
                     : "+w"(loops)
                     : "r"(in[2])
                     : "r0");
    for (uint16_t i = 0; i < inlen; i++)
        sum = (uint8_t)(sum + in[i]);
    out[0] = sum;
    out[1] = (unsigned char)inlen;
    out[2] = (unsigned char)(inlen >> 32);
    return 0;
}
