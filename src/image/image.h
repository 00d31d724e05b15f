/*
 * A firmware image: the bytes that a chip is programmed with, and what its ELF file says about
 * them.
 *
 * Laws
 * - An image is constant once it is loaded; any number of threads may read it at once.
 * - Addresses are those of the file. On AVR the data space begins at 0x800000, the EEPROM at
 * 0x810000, and fuses, lock bits and signature rows lie behind; image_data_address() gives the
 * chip's own address. A function's address is that of its first instruction (no Thumb bit).
 * - A segment lies at its load address: where its bytes are before the start-up code runs.
 * - Any bytes whatever may be offered as a file: they are read, or refused with one message.
 * - An Intel HEX file has segments and nothing else: no symbols, no places, section sizes unknown
 * (-1).
 */
#ifndef UJ_IMAGE_IMAGE_H
#define UJ_IMAGE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct machine;

enum image_form { IMAGE_ELF, IMAGE_HEX };

struct image_segment {
    uint32_t address; /* load address */
    uint32_t bytes;   /* at least 1 */
    const uint8_t *data;
};

enum image_symbol_kind {
    IMAGE_FUNCTION,
    IMAGE_OBJECT,
    IMAGE_LABEL,    /* a place in a section that the file says no more of */
    IMAGE_CONSTANT, /* a number of the linker's; no address, so image_symbol_at() never gives it */
};

struct image_symbol {
    const char *name;
    uint32_t address;
    uint32_t bytes; /* 0: the file does not say, as for functions in assembly */
    enum image_symbol_kind kind;
    uint32_t end; /* first address behind it; where bytes is 0, of the next symbol or the section's
                     end */
    bool global;
};

enum image_section_kind {
    IMAGE_TEXT,   /* executable, and what the linker put among it */
    IMAGE_RODATA, /* read only */
    IMAGE_DATA,   /* writable, with initial bytes: RAM and ROM */
    IMAGE_BSS,    /* writable, cleared or not initialised: RAM */
};

/* A section of the program's memory; AVR's EEPROM, fuses and the like are none. */
struct image_section {
    const char *name;
    uint32_t address, bytes;
    enum image_section_kind kind;
};

struct image {
    char *path;
    enum image_form form;
    unsigned machine; /* EM_AVR, ...; of a HEX file the one expected */
    uint32_t entry;
    struct image_segment *segments; /* by address, none over another */
    size_t segment_count;
    struct image_symbol *symbols; /* by address, functions first, then name */
    size_t symbol_count;
    struct image_section *sections; /* as in the file */
    size_t section_count;
    int64_t rom_bytes;             /* image_rom_bytes: code, constants and the initial data */
    int64_t data_bytes, bss_bytes; /* image_data_bytes, image_bss_bytes: both in RAM */
    char sha256[65];               /* of the file, hexadecimal */
    uint8_t *file;                 /* the file's own bytes */
    size_t file_bytes;
    uint8_t *decoded; /* the bytes of a HEX file's segments, else NULL */
    size_t *by_name;  /* indices of symbols, by name, a global one first */
    uint32_t *reach;  /* the highest end of a symbol and all before it */
};

/*
 * Reads an ELF or Intel HEX file, told apart by content. `machine` is the EM_ number that the chip
 * executes, `machine_name` its name for the message ("AVR"); EM_NONE (0) takes any machine.
 */
enum uj_err image_load(struct uj_ctx *ctx, struct image **out, const char *path, unsigned machine,
                       const char *machine_name) UJ_CHECK;
/* The same from memory; `path` is its name in messages. The bytes are copied. */
enum uj_err image_read(struct uj_ctx *ctx, struct image **out, const char *path, const void *bytes,
                       size_t count, unsigned machine, const char *machine_name) UJ_CHECK;
void image_free(struct image *image);

/* The symbol of that name (a global one before a local one), or NULL. */
const struct image_symbol *image_symbol_named(const struct image *image, const char *name);
/* The function, else the object or label, that covers the address; NULL: none. */
const struct image_symbol *image_symbol_at(const struct image *image, uint32_t address);
/* The same, with UJ_ERR_USAGE where there is none, offering the nearest name. */
enum uj_err image_need_symbol(struct uj_ctx *ctx, const struct image_symbol **out,
                              const struct image *image, const char *name) UJ_CHECK;

/* The address in the chip's data space of an object's address in the file (AVR: less 0x800000). */
uint32_t image_data_address(const struct image *image, uint32_t address);

/*
 * Where the code at the address comes from: "file.c:12 (function)" by DWARF, else "function+0x10",
 * else "0x1234". Of an address in code; the caller frees.
 */
char *image_place(const struct image *image, uint32_t address);

/*
 * Puts the segments into the machine's memory: on AVR the code space, the data space, or the region
 * named "eeprom"; fuses, lock bits and signatures have no memory and are passed over. Elsewhere the
 * data space. The caller resets the machine afterwards. UJ_ERR_INPUT where a segment does not fit,
 * or the program's data would lie where there is no RAM.
 */
enum uj_err image_into_machine(struct uj_ctx *ctx, const struct image *image,
                               struct machine *m) UJ_CHECK;

/*
 * Writes the image in the form that the suffix names: .elf (the file itself), .hex (Intel HEX),
 * .bin (bytes from the lowest address to the highest, gaps 0xFF), .uf2 (pages of 256 bytes, for a
 * chip of that family; the others ignore it). Of an AVR image .hex and .bin hold the flash alone.
 * The file appears whole or not at all.
 */
enum uj_err image_write(struct uj_ctx *ctx, const struct image *image, const char *path,
                        uint32_t uf2_family) UJ_CHECK;
/* Whether image_write() knows the suffix, else UJ_ERR_USAGE with the suffixes there are; .uf2 asks
 * for a family, 0 is none. */
enum uj_err image_write_check(struct uj_ctx *ctx, const char *path, uint32_t uf2_family) UJ_CHECK;

#endif
