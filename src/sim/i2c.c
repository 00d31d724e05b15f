#include "sim/i2c.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"

struct sim_i2c *machine_add_i2c(struct machine *m, const char *name)
{
    struct sim_i2c *bus = uj_calloc(1, sizeof *bus);
    bus->name = name;
    bus->next = m->i2cs;
    m->i2cs = bus;
    return bus;
}

struct sim_i2c *machine_i2c(struct machine *m, const char *name)
{
    for (struct sim_i2c *bus = m->i2cs; bus; bus = bus->next)
        if (strcmp(bus->name, name) == 0)
            return bus;
    return NULL;
}

void i2c_attach(struct sim_i2c *bus, struct i2c_slave *slave)
{
    slave->next = bus->slaves;
    bus->slaves = slave;
}

bool i2c_start(struct sim_i2c *bus, uint8_t address, bool is_read)
{
    bus->current = NULL;
    for (struct i2c_slave *s = bus->slaves; s && !bus->current; s = s->next)
        if (s->address == address)
            bus->current = s;
    if (bus->current)
        bus->current->start(bus->current->owner, is_read);
    return bus->current != NULL;
}

bool i2c_write(struct sim_i2c *bus, uint8_t byte)
{
    return bus->current && bus->current->write(bus->current->owner, byte);
}

uint8_t i2c_read(struct sim_i2c *bus)
{
    return bus->current ? bus->current->read(bus->current->owner) : 0xff;
}

void i2c_stop(struct sim_i2c *bus)
{
    if (bus->current && bus->current->stop)
        bus->current->stop(bus->current->owner);
    bus->current = NULL;
}

void i2c_free_all(struct machine *m)
{
    for (struct sim_i2c *bus = m->i2cs, *next; bus; bus = next) {
        next = bus->next;
        free(bus);
    }
    m->i2cs = NULL;
}
