/*
 * Boards and chips as data: `devices/boards/NAME.yaml` and `devices/mcus/NAME.yaml` become a
 * machine. The formats are described in devices/README.md.
 *
 * Laws: a device file is read strictly (unknown keys, units and leftovers are refused with their
 * place); struct board is constant after loading and may be shared by threads, each with machines
 * of its own.
 */
#ifndef UJ_SIM_BOARD_H
#define UJ_SIM_BOARD_H

#include "base/err.h"
#include "base/yaml.h"
#include "sim/machine.h"

struct board {
    char *name;
    char *description;
    struct yaml *board_file, *mcu_file;
    const struct yaml_node *board_map, *mcu_map; /* for readers of their own keys (energy, build) */
    const struct core_class *core_class;
    char *mcu;
    char *serial; /* the UART that stands for the console */
    double supply_v;
    uint32_t flash_bytes, ram_bytes, ram_base, flash_base;
    char hash[65]; /* SHA-256 of both files' text, hexadecimal */
};

/* Reads the board `name` from `devices` (a folder), or the file `name` if it ends in ".yaml". */
enum uj_err board_load(struct uj_ctx *ctx, struct board **out, const char *devices,
                       const char *name) UJ_CHECK;
void board_free(struct board *b);
/* Makes a machine of the board, in its state after power-on, memory erased. */
enum uj_err board_machine(struct uj_ctx *ctx, struct machine **out, const struct board *b) UJ_CHECK;
void machine_free(struct machine *m);
/* Names of all boards in the folder, sorted; free each and the array. */
enum uj_err board_names(struct uj_ctx *ctx, char ***out, size_t *count,
                        const char *devices) UJ_CHECK;

#endif
