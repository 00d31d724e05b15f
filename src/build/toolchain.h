/*
 * The cross toolchains: one row each in toolchain.c. A chip's file names one: `toolchain: {name,
 * flags}`.
 *
 * Laws: the rows are constant; nothing is guessed: a compiler that is not on PATH is refused with
 * the packages that hold it.
 */
#ifndef UJ_BUILD_TOOLCHAIN_H
#define UJ_BUILD_TOOLCHAIN_H

#include <stddef.h>

#include "base/err.h"
#include "build/map.h"

struct toolchain {
    const char *name;                 /* "avr-gcc" */
    const char *family;               /* rows of one family take the same flags of a chip */
    const char *target;               /* what it compiles for, in words */
    const char *const *compilers;     /* tried on PATH in this order; NULL-terminated */
    const char *packages;             /* of Debian, for the message */
    const char *const *compile_flags; /* of every compilation; NULL-terminated */
    const char *const *link_flags;    /* of the link; NULL-terminated */
    /* Of every compilation too, but not worth telling: they keep the staging folder's path out. The
     * last wants that path and "=." behind it. */
    const char *const *path_flags;
    const char *const *identity; /* questions whose answers name the files it consists of */
    const char *flash_region, *ram_region; /* names in its linker scripts */
    enum map_format map_format;
    const char *linker;  /* a program of its own; NULL: the compiler calls the linker */
    const char *script;  /* the linker script, in the folder of the architecture; NULL: its own */
    const char *runtime; /* folder there whose sources are the compiler's runtime, and in it
                            include/, the C library's headers; NULL: its own */
    const char *reach;   /* why a flash it reports as full may be larger; NULL: it is not */
};

extern const struct toolchain toolchains[];
extern const size_t toolchain_count;

/* The row of that name, or NULL. */
const struct toolchain *toolchain_named(const char *name);
/*
 * The row to build with, where a chip's file names `named`: another of its family where `cc` has
 * the name of one of that row's compilers, or where of the family only that row's are on PATH.
 */
const struct toolchain *toolchain_choose(const struct toolchain *named, const char *cc);
/* The path of the compiler: `cc` if it is not NULL, else the first candidate there is. Free it. */
enum uj_err toolchain_find(struct uj_ctx *ctx, char **out, const struct toolchain *t,
                           const char *cc) UJ_CHECK;

/* A compiler, as far as its images depend on it. */
struct compiler {
    char *path;
    char *version;  /* the first line of what --version says */
    char *identity; /* path, version, and size and date of each file it consists of */
};

/*
 * Identifies the compiler. The answers are kept in the cache folder and hold as long as the files
 * they name have the same sizes and dates, so that nothing need be started; adds to *started what
 * was.
 */
enum uj_err toolchain_identify(struct uj_ctx *ctx, struct compiler *out, const struct toolchain *t,
                               const char *path, const char *cache, unsigned *started) UJ_CHECK;
void compiler_free(struct compiler *c);

/* The environment for compilers: messages in English, and none of the variables by which they would
 * read other headers, libraries or parts of themselves. Free the array alone. */
char **toolchain_environment(char **own, size_t count);

#endif
