/* All modes over 16 and 64 blocks; the test watches the functions. */
#include "sha.h"

static uint32_t data[64 * 16];

__attribute__((noinline)) void polled(unsigned n)
{
    feed_polled(data, n);
}
__attribute__((noinline)) void burst(unsigned n)
{
    feed_burst(data, n);
}
__attribute__((noinline)) void dma8(unsigned n)
{
    feed_dma(data, n, 0);
}
__attribute__((noinline)) void dma16(unsigned n)
{
    feed_dma(data, n, 1);
}
__attribute__((noinline)) void dma32(unsigned n)
{
    feed_dma(data, n, 2);
}

__attribute__((noinline)) void bytes(unsigned n)
{
    feed_bytes((const uint8_t *)data, n);
}

int main(void)
{
    static void (*const modes[6])(unsigned) = {polled, burst, dma8, dma16, dma32, bytes};
    static const uint8_t sizes[6] = {2, 2, 0, 1, 2, 0};
    set_up();
    uint32_t x = 1;
    for (unsigned i = 0; i < sizeof data / sizeof data[0]; i++)
        data[i] = x = x * 1664525 + 1013904223;
    for (unsigned i = 0; i < 6; i++)
        for (unsigned n = 16; n <= 64; n += 48) {
            begin(sizes[i]);
            modes[i](n);
            digest();
        }
    for (;;)
        ;
}
