#include "sim/spi.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"

struct sim_spi *machine_add_spi(struct machine *m, const char *name)
{
    struct sim_spi *bus = uj_calloc(1, sizeof *bus);
    bus->name = name;
    bus->next = m->spis;
    m->spis = bus;
    return bus;
}

struct sim_spi *machine_spi(struct machine *m, const char *name)
{
    for (struct sim_spi *bus = m->spis; bus; bus = bus->next)
        if (strcmp(bus->name, name) == 0)
            return bus;
    return NULL;
}

void spi_attach(struct sim_spi *bus, struct spi_slave *slave)
{
    slave->next = bus->slaves;
    bus->slaves = slave;
}

uint8_t spi_exchange(struct sim_spi *bus, uint8_t byte, uint64_t now_ps)
{
    uint8_t answer = 0xff;
    for (struct spi_slave *s = bus->slaves; s; s = s->next)
        if (!net_level(s->select))
            answer &= s->exchange(s->owner, byte, now_ps);
    return answer;
}

void spi_free_all(struct machine *m)
{
    for (struct sim_spi *bus = m->spis, *next; bus; bus = next) {
        next = bus->next;
        free(bus);
    }
    m->spis = NULL;
}
