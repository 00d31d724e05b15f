/*
 * An I2C bus between one master, a block of the chip, and the parts on the board.
 *
 * Laws: the master registers the bus in create() under the block's name; parts come later and name
 * it. A transfer is start (again for a repeated one), bytes, stop; each call comes at the end of
 * its byte.
 */
#ifndef UJ_SIM_I2C_H
#define UJ_SIM_I2C_H

#include "sim/machine.h"

struct i2c_slave {
    void *owner;
    uint8_t address; /* of seven bits */
    void (*start)(void *owner, bool is_read);
    bool (*write)(void *owner, uint8_t byte); /* false: not acknowledged */
    uint8_t (*read)(void *owner);
    void (*stop)(void *owner); /* may be NULL */
    struct i2c_slave *next;
};

struct sim_i2c {
    const char *name;
    struct i2c_slave *slaves;
    struct i2c_slave *current; /* the one that has acknowledged its address */
    struct sim_i2c *next;
};

struct sim_i2c *machine_add_i2c(struct machine *m, const char *name);
/* NULL: there is none of that name. */
struct sim_i2c *machine_i2c(struct machine *m, const char *name);
void i2c_attach(struct sim_i2c *bus, struct i2c_slave *slave);
/* Address and direction; false: nobody acknowledges. */
bool i2c_start(struct sim_i2c *bus, uint8_t address, bool is_read);
bool i2c_write(struct sim_i2c *bus, uint8_t byte);
uint8_t i2c_read(struct sim_i2c *bus);
void i2c_stop(struct sim_i2c *bus);
/* machine_free() calls it. */
void i2c_free_all(struct machine *m);

#endif
