/*
 * The cross toolchains: one row each in toolchain.c. A chip's file names one: `toolchain: {name,
 * flags}`.
 *
 * Laws: the rows are constant; nothing is guessed: a compiler that is not on PATH is refused with
 * the package that holds it.
 */
#ifndef UJ_BUILD_TOOLCHAIN_H
#define UJ_BUILD_TOOLCHAIN_H

#include <stddef.h>

#include "base/err.h"
#include "build/map.h"

struct toolchain {
    const char *name;                 /* "avr-gcc" */
    const char *target;               /* what it compiles for, in words */
    const char *const *compilers;     /* tried on PATH in this order; NULL-terminated */
    const char *packages;             /* of Debian, for the message */
    const char *const *compile_flags; /* of every compilation; NULL-terminated */
    const char *const *link_flags;    /* of the link; NULL-terminated */
    const char *const
        *region_symbols; /* linker symbols: bytes of flash, bytes of RAM; NULL: none */
    enum map_format map_format;
};

extern const struct toolchain toolchains[];
extern const size_t toolchain_count;

/* The row of that name, or NULL. */
const struct toolchain *toolchain_named(const char *name);
/* The path of the compiler: `cc` if it is not NULL, else the first candidate there is. Free it. */
enum uj_err toolchain_find(struct uj_ctx *ctx, char **out, const struct toolchain *t,
                           const char *cc) UJ_CHECK;

#endif
