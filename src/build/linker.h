/*
 * What a linker script of the project's own is told of the chip, and what a linker says that found
 * no room.
 */
#ifndef UJ_BUILD_LINKER_H
#define UJ_BUILD_LINKER_H

#include <stdint.h>

#include "base/err.h"
#include "base/yaml.h"

/*
 * The text of memory.ld by `memory: {NAME: {base, size}, ...}` of a chip's `toolchain`: one region
 * each, in the file's order, and behind them the name `code` for the region that code lies in:
 * `from`, else the one that `code:` names, else flash. NULL where the chip's file has none; free
 * it. UJ_ERR_USAGE where `from` is no region of the chip.
 */
enum uj_err linker_memory(struct uj_ctx *ctx, char **out, const struct yaml_node *toolchain,
                          const char *from) UJ_CHECK;

/*
 * The most bytes by which a section is said not to fit the region, in the words of ld or of lld; 0:
 * it is not said. `bytes` becomes the region's size by memory.ld, 0 where that does not name it.
 */
uint64_t linker_overflow(uint64_t *bytes, const char *log, const char *region,
                         const char *memory_script);

#endif
