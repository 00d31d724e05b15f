/*
 * The message that an operation works on: made by the harness's generator from a seed, a pattern,
 * or literal bytes. firmware/README.md gives the rule; this is its host side, byte for byte.
 */
#ifndef UJ_MEASURE_MESSAGE_H
#define UJ_MEASURE_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

/* The numbers are the harness protocol's. */
enum message_source {
    MESSAGE_LITERAL = 0,
    MESSAGE_SEEDED =
        1, /* x = x * 1664525 + 1013904223 mod 2^32, byte = x >> 24, x begins as the seed */
    MESSAGE_PATTERN = 2, /* byte j = j mod value */
};

struct message {
    enum message_source source;
    uint32_t value; /* the seed, or the modulus */
    size_t bytes;
    uint8_t *content; /* the bytes, whatever the source; owned */
};

void message_seeded(struct message *m, uint32_t seed, size_t bytes);
void message_pattern(struct message *m, uint32_t modulus, size_t bytes);
void message_literal(struct message *m, const uint8_t *content, size_t bytes);
void message_free(struct message *m);

#endif
