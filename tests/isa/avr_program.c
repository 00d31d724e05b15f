/* For test_avr_programs: hashes a message with interrupts off, and sleeps for good. */
#include <avr/interrupt.h>
#include <avr/sleep.h>
#include <stddef.h>

#define HASH_(prefix) prefix(digest, message, sizeof message)
#define HASH(prefix)  HASH_(prefix)

void PREFIX(unsigned char *out, const unsigned char *in, size_t in_bytes);

unsigned char digest[64];
static unsigned char message[40];

int main(void)
{
    for (unsigned i = 0; i < sizeof message; i++)
        message[i] = (unsigned char)(7 * i);
    HASH(PREFIX);
    cli();
    set_sleep_mode(SLEEP_MODE_PWR_DOWN);
    sleep_enable();
    sleep_cpu();
    for (;;)
        ;
}
