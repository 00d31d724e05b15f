/*
 * Implementation + board -> firmware image, by the real cross compiler, cached by content.
 *
 * Laws
 * - Any number of threads and processes may build at once, the same image too. No global state, no
 *   change of the working folder.
 * - Sources are read once, staged in a private folder and compiled there by relative names, so an
 * image depends on the bytes of its sources, the flags and the compiler, and on nothing else: the
 * same inputs give the same bytes, wherever they lie.
 * - The key of the cache is the SHA-256 of all of these. An image appears in the cache whole or not
 * at all, and is compared with its recorded hash before it is used; a damaged one is built again.
 * - Implementation and `uses` are compiled with `flags`; the harness with `flags` too (some change
 * the layout of structures) and -Os behind them, so that it is the same at every level of
 * optimisation.
 */
#ifndef UJ_BUILD_BUILD_H
#define UJ_BUILD_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "build/catalog.h"
#include "build/toolchain.h"
#include "sim/board.h"

#define BUILD_DEFAULT_FLAGS "-Os"

struct build_request {
    const struct board *board;
    const struct catalog *catalog;
    const struct implementation *implementation;
    bool baseline;        /* the image without the implementation, whose kind and length it keeps */
    const char *firmware; /* the folder firmware/; NULL: by uj_folder() */
    const char *cc;       /* NULL: the toolchain's first compiler on PATH */
    const char *flags;    /* NULL: BUILD_DEFAULT_FLAGS; separated by blanks */
    int64_t output_bytes; /* of an extendable output, or of a baseline; 0: the algorithm's usual */
    const char *from;     /* memory that code runs from: "sram", "flash"; NULL: the chip's usual */
    const char *cache;    /* the cache folder; NULL: paths_cache() */
    unsigned jobs;        /* compilers at a time; 0: one */
    unsigned timeout_s;   /* of one command; 0: 120 */
};

/* Sizes of the implementation alone, `uses` included, as linked, after garbage collection. */
struct build_sizes {
    int64_t text_bytes;   /* code, and constants that the linker put among it */
    int64_t rodata_bytes; /* constants in flash; none on AVR, where they lie in RAM as data */
    int64_t data_bytes;   /* initialised data in RAM, its initial image in flash too */
    int64_t bss_bytes;
    int64_t rom_bytes;     /* text + rodata + data */
    int64_t runtime_bytes; /* ROM of the compiler's and the C library's routines that it calls */
};

struct build_result {
    char *elf_path; /* in the cache */
    char *cc;       /* the compiler's path */
    char *compiler; /* its name and version, one line */
    char *flags;    /* of the implementation's compilation, without paths */
    char image_sha256[65];
    struct build_sizes sizes;
    int64_t su_bytes;            /* the compiler's stack figures, summed over every function of the
                                    implementation's own sources and those of `uses` that were kept;
                                    -1: the compiler gives none */
    bool su_dynamic;             /* some function's frame has no constant size */
    int64_t output_bytes;        /* of the digest; of a user's own folder by its api.h */
    char *function;              /* the symbol of the one-shot function */
    char *init, *update, *final; /* NULL: there are none */
    unsigned commands;           /* programs that were started; 0: all came from the cache */
    char *log;                   /* all that the compiler wrote where it failed; NULL: nothing */
};

/*
 * UJ_ERR_TOOL: no compiler, it ran out of time, or it refuses the sources: then the message is its
 * first complaint and `log` the whole of it. UJ_ERR_RESULT: "does not fit the flash: N bytes over
 * the M there are". UJ_ERR_INPUT: the chip lacks a block that is needed, api.h contradicts the
 * algorithm. UJ_ERR_USAGE: flags that cannot be given. The result is to be freed also after a
 * failure.
 */
enum uj_err build_image(struct uj_ctx *ctx, struct build_result *out,
                        const struct build_request *in) UJ_CHECK;
void build_result_free(struct build_result *r);

#endif
