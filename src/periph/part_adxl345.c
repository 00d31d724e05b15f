/*
 * Accelerometer ADXL345 on an I2C bus: its registers, and a measurement that stands still. Options:
 * bus (a block of the chip), address, x, y, z (counts). Interrupts and the FIFO are not modelled.
 */
#include <string.h>

#include "sim/i2c.h"
#include "sim/periph.h"

enum {
    DEVID = 0x00,
    BW_RATE = 0x2c,
    INT_SOURCE = 0x30,
    DATAX0 = 0x32,
    FIFO_STATUS = 0x39,
    REGISTERS = 0x40,
    FIRST_WRITABLE = 0x1d
};

struct part_adxl345 {
    struct periph periph;
    struct i2c_slave slave;
    uint8_t value[REGISTERS];
    uint8_t pointer;
    bool has_pointer; /* of this transfer */
};

static void start(void *owner, bool is_read)
{
    struct part_adxl345 *a = owner;
    a->has_pointer = is_read;
}

static bool write_byte(void *owner, uint8_t byte)
{
    struct part_adxl345 *a = owner;
    if (!a->has_pointer) {
        a->pointer = byte & (REGISTERS - 1);
        a->has_pointer = true;
        return true;
    }
    bool is_data = a->pointer >= INT_SOURCE && a->pointer != 0x31 && a->pointer != 0x38;
    if (a->pointer >= FIRST_WRITABLE && !is_data)
        a->value[a->pointer] = byte;
    a->pointer = (a->pointer + 1) & (REGISTERS - 1);
    return true;
}

static uint8_t read_byte(void *owner)
{
    struct part_adxl345 *a = owner;
    uint8_t byte = a->value[a->pointer];
    a->pointer = (a->pointer + 1) & (REGISTERS - 1);
    return byte;
}

static enum uj_err adxl345_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {
        PERIPH_LOADER_KEYS, "bus", "address", "x", "y", "z", "note", "source"};
    static const char *const axes[] = {"x", "y", "z"};
    struct part_adxl345 *a = (struct part_adxl345 *)p;
    const char *bus_name = NULL;
    int64_t address = 0;
    enum uj_err err = yaml_only(ctx, p->options, keys, sizeof keys / sizeof *keys);
    if (err || (err = yaml_need_text(ctx, &bus_name, p->options, "bus")) ||
        (err = yaml_need_integer(ctx, &address, p->options, "address", 0, 127)))
        return err;
    for (unsigned i = 0; i < 3; i++) {
        int64_t counts = 0;
        if ((err = yaml_get_integer(ctx, &counts, p->options, axes[i], -4096, 4095)))
            return err;
        a->value[DATAX0 + 2 * i] = (uint8_t)counts;
        a->value[DATAX0 + 2 * i + 1] = (uint8_t)(counts >> 8);
    }
    a->value[DEVID] = 0xe5;
    a->value[BW_RATE] = 0x0a;
    a->value[INT_SOURCE] = 0x02;
    struct sim_i2c *bus = machine_i2c(p->machine, bus_name);
    if (!bus)
        return yaml_fail(ctx, yaml_get(p->options, "bus"), "no block \"%s\" with an I2C bus",
                         bus_name);
    a->slave = (struct i2c_slave){.owner = a,
                                  .address = (uint8_t)address,
                                  .start = start,
                                  .write = write_byte,
                                  .read = read_byte};
    i2c_attach(bus, &a->slave);
    return UJ_OK;
}

const struct periph_class part_adxl345_class = {
    .name = "part_adxl345",
    .bytes = sizeof(struct part_adxl345),
    .create = adxl345_create,
};
