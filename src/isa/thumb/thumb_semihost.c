/* Semihosting: what images ask of the host through BKPT 0xAB; r0 is the operation, r1 its block. */
#include <string.h>

#include "isa/thumb/thumb.h"

enum {
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
    SYS_GET_CMDLINE = 0x15,
    SYS_HEAPINFO = 0x16,
    SYS_EXIT = 0x18,
    SYS_EXIT_EXTENDED = 0x20,
    SYS_ELAPSED = 0x30,
    SYS_TICKFREQ = 0x31,
};

enum { STOPPED_APPLICATION_EXIT = 0x20026, TERMINAL = 1, ERROR = -1, NOT_SUPPORTED = 38 };

static uint32_t word(struct thumb_core *c, unsigned index)
{
    uint32_t value = 0;
    (void)mem_peek(c->core.data, c->r[1] + 4 * index, &value, sizeof value);
    return value;
}

static void send(struct thumb_core *c, const uint8_t *bytes, size_t count)
{
    const struct core_port *port = &c->core.port;
    if (port->semihost_write)
        port->semihost_write(port->semihost_owner, bytes, count);
}

/* Sends `count` bytes from the address, or a string where count is UINT32_MAX; how many. */
static uint32_t send_memory(struct thumb_core *c, uint32_t address, uint32_t count)
{
    uint32_t sent = 0;
    for (; sent < count; sent++) {
        uint8_t byte;
        if (!mem_peek(c->core.data, address + sent, &byte, 1) || (count == UINT32_MAX && byte == 0))
            break;
        send(c, &byte, 1);
    }
    return sent;
}

static uint32_t open_file(struct thumb_core *c)
{
    char name[4] = "";
    uint32_t length = word(c, 2);
    if (length == 3 && mem_peek(c->core.data, word(c, 0), name, 3) && strcmp(name, ":tt") == 0)
        return TERMINAL;
    c->semihost_errno = NOT_SUPPORTED;
    return (uint32_t)ERROR;
}

static void stop(struct thumb_core *c, uint32_t reason, uint32_t code)
{
    c->exit_requested = true;
    c->core.exit_code = reason == STOPPED_APPLICATION_EXIT ? (int)code : 1;
}

static uint32_t elapsed(struct thumb_core *c)
{
    uint64_t cycle = c->core.cycle;
    return mem_poke(c->core.data, c->r[1], &cycle, sizeof cycle) ? 0 : (uint32_t)ERROR;
}

static uint64_t frequency(const struct thumb_core *c)
{
    const struct core_port *port = &c->core.port;
    return port->frequency ? port->frequency(port->semihost_owner) : 0;
}

static uint64_t hundredths(const struct thumb_core *c)
{
    uint64_t hz = frequency(c);
    return hz >= 100 ? c->core.cycle / (hz / 100) : 0;
}

void thumb_semihost(struct thumb_core *c)
{
    uint32_t *r0 = &c->r[0];
    switch (*r0) {
    case SYS_OPEN: *r0 = open_file(c); break;
    case SYS_CLOSE: *r0 = 0; break;
    case SYS_WRITEC: (void)send_memory(c, c->r[1], 1); break;
    case SYS_WRITE0: (void)send_memory(c, c->r[1], UINT32_MAX); break;
    case SYS_WRITE: *r0 = word(c, 2) - send_memory(c, word(c, 1), word(c, 2)); break;
    case SYS_READ: *r0 = word(c, 2); break; /* end of file */
    case SYS_READC: *r0 = (uint32_t)ERROR; break;
    case SYS_ISERROR: *r0 = word(c, 0) >> 31; break;
    case SYS_ISTTY: *r0 = 1; break;
    case SYS_FLEN: *r0 = 0; break;
    case SYS_CLOCK: /* hundredths of a second */ *r0 = (uint32_t)hundredths(c); break;
    case SYS_TIME: *r0 = 0; break; /* the same in every run */
    case SYS_ERRNO: *r0 = (uint32_t)c->semihost_errno; break;
    case SYS_EXIT: stop(c, c->r[1], 0); break;
    case SYS_EXIT_EXTENDED: stop(c, word(c, 0), word(c, 1)); break;
    case SYS_ELAPSED: *r0 = elapsed(c); break;
    case SYS_TICKFREQ: *r0 = (uint32_t)frequency(c); break;
    default:
        c->semihost_errno = NOT_SUPPORTED;
        *r0 = (uint32_t)ERROR;
        break;
    }
}
