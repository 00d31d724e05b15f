#include "measure/message.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"

static void begin(struct message *m, enum message_source source, uint32_t value, size_t bytes)
{
    *m = (struct message){
        .source = source, .value = value, .bytes = bytes, .content = uj_malloc(bytes)};
}

void message_seeded(struct message *m, uint32_t seed, size_t bytes)
{
    begin(m, MESSAGE_SEEDED, seed, bytes);
    uint32_t x = seed;
    for (size_t i = 0; i < bytes; i++) {
        x = x * 1664525u + 1013904223u;
        m->content[i] = (uint8_t)(x >> 24);
    }
}

void message_pattern(struct message *m, uint32_t modulus, size_t bytes)
{
    begin(m, MESSAGE_PATTERN, modulus, bytes);
    for (size_t i = 0; i < bytes; i++)
        m->content[i] = (uint8_t)(i % modulus);
}

void message_literal(struct message *m, const uint8_t *content, size_t bytes)
{
    begin(m, MESSAGE_LITERAL, 0, bytes);
    memcpy(m->content, content, bytes);
}

void message_free(struct message *m)
{
    free(m->content);
    *m = (struct message){0};
}
