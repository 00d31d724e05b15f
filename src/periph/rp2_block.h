/*
 * What the register blocks of RP2040 and RP2350 have in common. A window of 0x4000 bytes holds the
 * registers four times: plain, and at +0x1000, +0x2000 and +0x3000 where a write flips, sets or
 * clears bits. A narrow write repeats its value over the word, and the whole register takes it.
 *
 * A block on the peripheral bus answers after 3 cycles and takes a write in 4; the bus serves one
 * access after the other, whoever makes it (RP2350 data sheet, 2.1.4). Its options beside its own:
 * `resets`: the bit of RESETS that holds it (it then reads zero and ignores writes).
 *
 * Laws: get() has no side effects except where it is handed to rp2_block_read() alone; set() gets
 * the register's whole new value.
 */
#ifndef UJ_PERIPH_RP2_BLOCK_H
#define UJ_PERIPH_RP2_BLOCK_H

#include "sim/periph.h"

enum { RP2_WINDOW = 0x4000, RP2_READ_CYCLES = 3, RP2_WRITE_CYCLES = 4 };
enum rp2_alias { RP2_PLAIN, RP2_XOR, RP2_SET, RP2_CLEAR };

struct rp2_block {
    struct periph periph;
    bool held; /* in reset */
    struct net_listener hold;
};

#define RP2_BLOCK_KEYS PERIPH_LOADER_KEYS, "resets", "note"

enum uj_err rp2_block_create(struct uj_ctx *ctx, struct periph *p) UJ_CHECK;

typedef uint32_t rp2_get_fn(struct periph *p, uint32_t at);
typedef void rp2_set_fn(struct periph *p, uint32_t at, uint32_t value);

uint32_t rp2_block_read(struct periph *p, uint32_t offset, unsigned bytes, rp2_get_fn *get);
void rp2_block_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes,
                     rp2_get_fn *get, rp2_set_fn *set);

/* Of writes that repeat what is narrow: the whole word; and what an alias makes of it. */
uint32_t rp2_widen(uint32_t value, unsigned bytes);
uint32_t rp2_alias(uint32_t old, uint32_t value, enum rp2_alias alias);
/* The part of a word that a narrow read gets. */
uint32_t rp2_lane(uint32_t word, uint32_t offset, unsigned bytes);

/* The system clock's count at the access under way. */
uint64_t rp2_tick(struct machine *m);
/* Does the peripheral bus serve this address? */
bool rp2_on_bus(uint32_t address);
/* Takes the peripheral bus for an access of `cycles` from `tick` on: when it begins. */
uint64_t rp2_bus_take(struct machine *m, uint64_t tick, unsigned cycles);

/* Is the access the core's own, not another master's? */
static inline bool rp2_by_core(const struct machine *m)
{
    return m->in_core && !m->acting_ps;
}

/* A net that stands for one signal of the chip, "NAME.NUMBER". */
struct sim_net *rp2_net(struct machine *m, const char *name, unsigned number);

#endif
