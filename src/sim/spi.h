/*
 * An SPI bus between one master, a block of the chip, and the parts on the board.
 *
 * Laws: the master registers the bus in create() under the block's name; parts come later and name
 * it. A byte is exchanged at its end, with every part whose select net is low; where there is none,
 * the master reads 0xFF, an open line with a pull-up.
 */
#ifndef UJ_SIM_SPI_H
#define UJ_SIM_SPI_H

#include "sim/machine.h"

struct spi_slave {
    void *owner;
    struct sim_net *select; /* low: selected */
    /* Takes the master's byte and gives the one that was shifted out meanwhile. */
    uint8_t (*exchange)(void *owner, uint8_t byte, uint64_t now_ps);
    struct spi_slave *next;
};

struct sim_spi {
    const char *name;
    struct spi_slave *slaves;
    struct sim_spi *next;
};

struct sim_spi *machine_add_spi(struct machine *m, const char *name);
/* NULL: there is none of that name. */
struct sim_spi *machine_spi(struct machine *m, const char *name);
void spi_attach(struct sim_spi *bus, struct spi_slave *slave);
uint8_t spi_exchange(struct sim_spi *bus, uint8_t byte, uint64_t now_ps);
/* machine_free() calls it. */
void spi_free_all(struct machine *m);

#endif
