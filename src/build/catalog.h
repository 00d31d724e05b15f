/*
 * What can be built: the algorithms and implementations that lie under primitives/, found by their
 * folders, and a user's own folder. Formats: primitives/README.md.
 *
 * Laws: the catalogue is constant once loaded and may be shared by threads; lists are sorted by
 * kind, algorithm and name; impl.yaml and algorithm.yaml are read strictly; an unknown name is
 * refused with UJ_ERR_USAGE, offering the nearest.
 */
#ifndef UJ_BUILD_CATALOG_H
#define UJ_BUILD_CATALOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct algorithm {
    char *kind;         /* "hash", "xof", "mac" */
    char *name;         /* "ascon-hash256" */
    char *display_name; /* "Ascon-Hash256" */
    char *standard;
    int64_t output_bytes;
    int64_t security_bits, rate_bytes, state_bytes, rounds; /* -1: the file does not say */
    char *note, *advice;                                    /* NULL: none */
    char *folder;
};

enum implementation_form {
    IMPLEMENTATION_CONTRACT, /* primitives/README.md: PREFIX.h, one-shot and init/update/final */
    IMPLEMENTATION_SUPERCOP, /* api.h and crypto_hash(), one-shot alone */
};

struct implementation {
    enum implementation_form form;
    char *kind;
    char *algorithm;
    char *name;
    char *description; /* NULL: none */
    char *folder;
    char *prefix; /* "ascon_hash256_ref"; "crypto_hash" of the form SUPERCOP */
    char **uses;  /* "hash/sha256/ref" */
    size_t uses_count;
    char **needs; /* blocks that the chip must have */
    size_t needs_count;
    bool outside; /* a user's own folder */
};

struct catalog {
    char *root; /* primitives/ */
    struct algorithm *algorithms;
    size_t algorithm_count;
    struct implementation *implementations;
    size_t implementation_count;
};

enum uj_err catalog_load(struct uj_ctx *ctx, struct catalog **out,
                         const char *primitives_root) UJ_CHECK;
void catalog_free(struct catalog *c);

/* The algorithm of that name. */
enum uj_err catalog_algorithm(struct uj_ctx *ctx, const struct algorithm **out,
                              const struct catalog *c, const char *name) UJ_CHECK;
/* The algorithm's implementation of that name. */
enum uj_err catalog_implementation(struct uj_ctx *ctx, const struct implementation **out,
                                   const struct catalog *c, const struct algorithm *algorithm,
                                   const char *name) UJ_CHECK;
/* The implementation at "kind/algorithm/name", as `uses:` names it; NULL: none. */
const struct implementation *catalog_at(const struct catalog *c, const char *path);

/* Whether the word is a folder rather than a name: it holds a slash, or is "." or "..". */
bool catalog_is_folder(const char *word);

/*
 * A user's own folder: with an impl.yaml one that follows the contract, else a SUPERCOP / NIST LWC
 * folder with api.h and crypto_hash(). `algorithm` is what it must compute; NULL: unknown, then it
 * is a hash whose name is "unknown". Its name is the folder's. Free with implementation_free().
 */
enum uj_err catalog_user_folder(struct uj_ctx *ctx, struct implementation **out,
                                const struct catalog *c, const char *folder,
                                const struct algorithm *algorithm) UJ_CHECK;
void implementation_free(struct implementation *i);

#endif
