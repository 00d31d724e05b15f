/*
 * Hashes its own digest over and over, a fixed number of times, without a runtime library; then
 * leaves four words of the digest in a2 to a5 and ends: by semihosting, or where the symbol
 * `finished` is.
 */
#include "sha256_ref.h"

static unsigned char message[64];

void *memcpy(void *out, const void *in, __SIZE_TYPE__ bytes)
{
    unsigned char *to = out;
    const unsigned char *from = in;
    while (bytes--)
        *to++ = *from++;
    return out;
}

void *memset(void *out, int value, __SIZE_TYPE__ bytes)
{
    unsigned char *to = out;
    while (bytes--)
        *to++ = (unsigned char)value;
    return out;
}

__attribute__((used)) static void hash_all(void)
{
    for (unsigned i = 0; i < sizeof message; i++)
        message[i] = (unsigned char)i;
    for (unsigned i = 0; i < HASHES; i++)
        sha256_ref(message + (i & 32), message, sizeof message);
}

__asm__(".section .init,\"ax\"\n"
        ".globl _start\n"
        "_start:\n"
        "    la sp, 0x80080000\n"
        "    call hash_all\n"
        "    la a0, message\n"
        "    lw a2, 0(a0)\n"
        "    lw a3, 4(a0)\n"
        "    lw a4, 8(a0)\n"
        "    lw a5, 12(a0)\n"
        ".globl finished\n"
        "finished:\n"
        "    li a0, 0x18\n"
        "    li a1, 0x20026\n"
        "    .option push\n"
        "    .option norvc\n"
        "    .p2align 4\n"
        "    slli x0, x0, 31\n"
        "    ebreak\n"
        "    srai x0, x0, 7\n"
        "    .option pop\n"
        "1:  j 1b\n"
        ".previous\n");
