/* Hashes its own digest over and over, a fixed number of times, then tells the result and ends by
 * semihosting. The vector table stands first. */
#include <stddef.h>
#include <stdint.h>

#include "sha256_ref.h"

static unsigned char message[64];

static uint32_t semihost(uint32_t operation, const void *block)
{
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = block;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

void *memcpy(void *to, const void *from, size_t count)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    while (count--)
        *t++ = *f++;
    return to;
}

void *memset(void *to, int value, size_t count)
{
    unsigned char *t = to;
    while (count--)
        *t++ = (unsigned char)value;
    return to;
}

void bench_end(void)
{
    static const uint32_t good_end[2] = {0x20026, 0};
    static char text[66];
    for (unsigned i = 0; i < 32; i++) {
        text[2 * i] = "0123456789abcdef"[message[i] >> 4];
        text[2 * i + 1] = "0123456789abcdef"[message[i] & 15];
    }
    text[64] = '\n';
    semihost(0x04, text);
#ifdef __ARM_ARCH_6M__
    semihost(0x18, (const void *)0x20026);
#endif
    semihost(0x20, good_end);
    semihost(0x18, (const void *)0x20026);
    for (;;)
        ;
}

void bench_start(void)
{
    for (unsigned i = 0; i < sizeof message; i++)
        message[i] = (unsigned char)i;
    for (unsigned i = 0; i < HASHES; i++)
        sha256_ref(message + (i & 32), message, sizeof message);
    bench_end();
}

__attribute__((section(".vectors"), used)) static const struct {
    void *stack;
    void (*handlers[15])(void);
} vectors = {(void *)0x20010000, {bench_start, bench_end, bench_end}};
