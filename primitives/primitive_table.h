/*
 * Every implementation in this folder that the host can run, under one signature. The table is
 * generated when CMake configures: one row for each folder <kind>/<algorithm>/<implementation>,
 * ordered by kind, algorithm and implementation, without those that need a block of some chip or
 * are written in assembly.
 *
 * Laws. A context is ctx_bytes of storage, aligned as malloc aligns; init makes it ready whatever
 * it held, final ends it, and only init may follow. A piece may be empty, its address then
 * anything. out never overlaps in. Nothing here can fail, allocate or keep anything between calls.
 *
 * Lengths are in bytes. out_bytes: a hash and a mac write exactly output_bytes, whatever they are
 * told; a xof writes what it is told. key and key_bytes: only a mac looks at them.
 */
#ifndef PRIMITIVE_TABLE_H
#define PRIMITIVE_TABLE_H

#include <stddef.h>

enum primitive_kind { PRIMITIVE_HASH, PRIMITIVE_XOF, PRIMITIVE_MAC };

struct primitive {
    enum primitive_kind kind;
    const char *algorithm;      /* "ascon-hash256" */
    const char *implementation; /* "ref" */
    size_t output_bytes;        /* of a xof: the usual length */
    size_t ctx_bytes;
    void (*once)(unsigned char *out, size_t out_bytes, const unsigned char *in, size_t in_bytes,
                 const unsigned char *key, size_t key_bytes);
    void (*init)(void *ctx, const unsigned char *key, size_t key_bytes);
    void (*update)(void *ctx, const unsigned char *in, size_t in_bytes);
    void (*final)(void *ctx, unsigned char *out, size_t out_bytes);
};

extern const struct primitive primitive_table[];
extern const size_t primitive_count;

/* The row of that name, NULL if there is none. */
const struct primitive *primitive_find(enum primitive_kind kind, const char *algorithm,
                                       const char *implementation);

#endif
