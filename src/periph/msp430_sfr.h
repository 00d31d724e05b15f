/*
 * What the blocks of MSP430 chips share: the special function registers and interrupt lines, which
 * the chip's msp430_intc block keeps.
 *
 * Laws
 * - The interrupt controller is the first block of the chip's file.
 * - A flag in the special function registers is set and cleared by its block and by the program;
 *   a block that has flags or enables there is told of every write by its listener.
 * - msp430_irq() counts the sources of a vector: blocks may share one.
 */
#ifndef UJ_PERIPH_MSP430_SFR_H
#define UJ_PERIPH_MSP430_SFR_H

#include "periph/unmodelled.h"
#include "sim/periph.h"

struct sfr_listener {
    void (*changed)(void *owner);
    void *owner;
    struct sfr_listener *next;
};

/* Registers by their offset in the window, as IE1, IE2, IFG1, IFG2, ME1, ME2 lie on the 1xx. */
uint8_t sfr_get(struct machine *m, unsigned offset);
void sfr_set(struct machine *m, unsigned offset, uint8_t bits);
void sfr_clear(struct machine *m, unsigned offset, uint8_t bits);
void sfr_listen(struct machine *m, struct sfr_listener *listener);

/* An interrupt output of a block; `is_high` is its last level. */
struct msp430_line {
    bool is_high;
};
void msp430_irq(struct periph *p, unsigned output, struct msp430_line *line, bool level);

/* The clock that an option names; refuses its absence. */
enum uj_err msp430_clock_option(struct uj_ctx *ctx, struct sim_clock **out, struct periph *p,
                                const char *key) UJ_CHECK;

/* Reads and writes of one or two bytes in registers that are bytes. */
#define MSP430_BYTES(bytes) ((bytes) > 2 ? 2u : (bytes))

#endif
