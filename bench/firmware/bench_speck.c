/*
 * Work for a 16-bit core without any library: Speck32/64 in counter mode over a buffer, its CRC,
 * and a sorted copy now and then. Starts at the image's first byte; over when it comes to
 * bench_done, ten bytes behind it.
 */
#include <stdint.h>

enum { WORDS = 128 };

static uint16_t buffer[WORDS], sorted[WORDS], round_keys[22];
volatile uint16_t bench_result;

void bench_main(void);

__attribute__((naked, section(".start"))) void bench_start(void);
void bench_start(void)
{
    __asm__("mov #0x3ffe, r1\n\tcall #bench_main\n\tnop\n\t.global bench_done\nbench_done:\n\tjmp "
            "bench_done");
}

static uint16_t ror(uint16_t x, unsigned n)
{
    return (uint16_t)(x >> n | x << (16 - n));
}

static void expand(uint16_t k, uint16_t l0, uint16_t l1, uint16_t l2)
{
    uint16_t l[3] = {l0, l1, l2};
    uint8_t at = 0;
    for (uint16_t i = 0; i < 22; i++) {
        round_keys[i] = k;
        l[at] = (uint16_t)((ror(l[at], 7) + k) ^ i);
        k = (uint16_t)(ror(k, 14) ^ l[at]);
        at = at == 2 ? 0 : (uint8_t)(at + 1);
    }
}

static void encrypt(uint16_t *y, uint16_t *x)
{
    uint16_t a = *x, b = *y;
    for (uint16_t i = 0; i < 22; i++) {
        a = (uint16_t)((ror(a, 7) + b) ^ round_keys[i]);
        b = (uint16_t)(ror(b, 14) ^ a);
    }
    *x = a;
    *y = b;
}

static uint16_t crc(uint16_t value, uint8_t byte)
{
    value ^= (uint16_t)((uint16_t)byte << 8);
    for (uint8_t i = 0; i < 8; i++)
        value = (uint16_t)(value & 0x8000 ? value << 1 ^ 0x1021 : value << 1);
    return value;
}

static void sort(void)
{
    for (uint8_t i = 0; i < WORDS; i++) {
        uint8_t at = i;
        uint16_t value = buffer[i];
        while (at > 0 && sorted[at - 1] > value) {
            sorted[at] = sorted[at - 1];
            at--;
        }
        sorted[at] = value;
    }
}

void bench_main(void)
{
    uint16_t counter = 0, sum = 0xffff;
    expand(0x0100, 0x0908, 0x1110, 0x1918);
    for (uint16_t n = 0; n < BENCH_ROUNDS; n++) {
        for (uint8_t i = 0; i < WORDS; i += 2) {
            buffer[i] = counter++;
            buffer[i + 1] = sum;
            encrypt(&buffer[i], &buffer[i + 1]);
        }
        for (uint8_t i = 0; i < WORDS; i++) {
            sum = crc(sum, (uint8_t)buffer[i]);
            sum = crc(sum, (uint8_t)(buffer[i] >> 8));
        }
        sort();
        sum ^= sorted[WORDS / 2];
    }
    bench_result = sum;
}
