/*
 * Semihosting: what images ask of the host through their debugger, the same calls on Arm and
 * RISC-V.
 *
 * Laws: the only file is the terminal ":tt", whose bytes go to core_port.semihost_write; nothing
 * can be read; the time of day is 0, so that every run is the same. SYS_EXIT sets exit_code and
 * `exited`.
 */
#ifndef UJ_SIM_SEMIHOST_H
#define UJ_SIM_SEMIHOST_H

#include <stdbool.h>
#include <stdint.h>

struct core;

struct semihost {
    uint32_t last_errno;
    bool exited;
};

/* Does the call; `block` is its parameter. The value it returns. */
uint32_t semihost_call(struct semihost *s, struct core *c, uint32_t operation, uint32_t block);

#endif
