#include "sim/semihost.h"

#include <string.h>

#include "sim/core.h"

enum operation {
    SYS_OPEN = 0x01,
    SYS_CLOSE = 0x02,
    SYS_WRITEC = 0x03,
    SYS_WRITE0 = 0x04,
    SYS_WRITE = 0x05,
    SYS_READ = 0x06,
    SYS_READC = 0x07,
    SYS_ISERROR = 0x08,
    SYS_ISTTY = 0x09,
    SYS_SEEK = 0x0a,
    SYS_FLEN = 0x0c,
    SYS_CLOCK = 0x10,
    SYS_TIME = 0x11,
    SYS_ERRNO = 0x13,
    SYS_EXIT = 0x18,
    SYS_EXIT_EXTENDED = 0x20,
    SYS_ELAPSED = 0x30,
    SYS_TICKFREQ = 0x31,
};

enum { APPLICATION_EXIT = 0x20026, TERMINAL = 1, NOT_SUPPORTED = 38 };
#define FAILED UINT32_MAX

static uint32_t word(struct core *c, uint32_t block, unsigned index)
{
    uint32_t value = 0;
    (void)mem_peek(c->data, block + 4 * index, &value, sizeof value);
    return value;
}

/* Sends bytes from memory: `count` of them, or up to a zero where it is UINT32_MAX; how many. */
static uint32_t send(struct core *c, uint32_t address, uint32_t count)
{
    uint32_t sent = 0;
    for (; sent < count; sent++) {
        uint8_t byte;
        if (!mem_peek(c->data, address + sent, &byte, 1) || (count == UINT32_MAX && byte == 0))
            break;
        if (c->port.semihost_write)
            c->port.semihost_write(c->port.semihost_owner, &byte, 1);
    }
    return sent;
}

static uint32_t open_file(struct semihost *s, struct core *c, uint32_t block)
{
    char name[3];
    if (word(c, block, 2) == sizeof name &&
        mem_peek(c->data, word(c, block, 0), name, sizeof name) && memcmp(name, ":tt", 3) == 0)
        return TERMINAL;
    s->last_errno = NOT_SUPPORTED;
    return FAILED;
}

static uint32_t leave(struct semihost *s, struct core *c, uint32_t reason, uint32_t code)
{
    s->exited = true;
    c->exit_code = reason == APPLICATION_EXIT ? (int)code : 1;
    return 0;
}

static uint64_t frequency(const struct core *c)
{
    return c->port.frequency ? c->port.frequency(c->port.semihost_owner) : 0;
}

static uint32_t elapsed(struct core *c, uint32_t block)
{
    uint64_t cycle = c->cycle;
    return mem_poke(c->data, block, &cycle, sizeof cycle) ? 0 : FAILED;
}

uint32_t semihost_call(struct semihost *s, struct core *c, uint32_t operation, uint32_t block)
{
    switch (operation) {
    case SYS_OPEN: return open_file(s, c, block);
    case SYS_CLOSE: return 0;
    case SYS_WRITEC: (void)send(c, block, 1); return 0;
    case SYS_WRITE0: (void)send(c, block, UINT32_MAX); return 0;
    case SYS_WRITE: return word(c, block, 2) - send(c, word(c, block, 1), word(c, block, 2));
    case SYS_READ: return word(c, block, 2); /* the end of the file */
    case SYS_READC: return FAILED;
    case SYS_ISERROR: return word(c, block, 0) >> 31;
    case SYS_ISTTY: return 1;
    case SYS_FLEN: return 0;
    case SYS_CLOCK: return frequency(c) < 100 ? 0 : (uint32_t)(c->cycle / (frequency(c) / 100));
    case SYS_TIME: return 0;
    case SYS_ERRNO: return s->last_errno;
    case SYS_EXIT: return leave(s, c, block, 0);
    case SYS_EXIT_EXTENDED: return leave(s, c, word(c, block, 0), word(c, block, 1));
    case SYS_ELAPSED: return elapsed(c, block);
    case SYS_TICKFREQ: return (uint32_t)frequency(c);
    default: s->last_errno = NOT_SUPPORTED; return FAILED;
    }
}
