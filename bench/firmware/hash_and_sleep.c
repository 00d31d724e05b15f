/* Hashes its own digest over and over, a fixed number of times, then sleeps for good. */
#include <avr/interrupt.h>
#include <avr/sleep.h>

#include "sha256_ref.h"

static unsigned char message[64];

int main(void)
{
    for (unsigned i = 0; i < sizeof message; i++)
        message[i] = (unsigned char)i;
    for (unsigned i = 0; i < HASHES; i++)
        sha256_ref(message + (i & 32), message, sizeof message);
    /* The digest into registers, where the bench compares it. */
    __asm__ volatile("ld r2, X+\n ld r3, X+\n ld r4, X+\n ld r5, X+\n" ::"x"(message)
                     : "r2", "r3", "r4", "r5");
    cli();
    set_sleep_mode(SLEEP_MODE_PWR_DOWN);
    sleep_enable();
    sleep_cpu();
    for (;;)
        ;
}
