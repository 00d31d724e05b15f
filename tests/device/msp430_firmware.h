/* Programs for the MSP430 motes, built by clang and lld with a script from the chip's file. */
#ifndef UJ_TESTS_MSP430_FIRMWARE_H
#define UJ_TESTS_MSP430_FIRMWARE_H

#include "firmware_rig.h"

static inline void msp430_script(const char *path, const struct yaml_node *memory)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    (void)fputs("MEMORY {\n", f);
    for (size_t i = 0; i < memory->count; i++)
        (void)fprintf(f, "%s : ORIGIN = %s, LENGTH = %s\n", memory->items[i].key,
                      yaml_get(&memory->items[i], "base")->text,
                      yaml_get(&memory->items[i], "size")->text);
    (void)fputs("}\nENTRY(start)\nSECTIONS {\n"
                ".text : { *(.text.start) *(.text .text.* .rodata .rodata.*) } > flash\n"
                ".bss (NOLOAD) : { *(.data .data.* .bss .bss.* COMMON) } > ram\n"
                ".vectors : { KEEP(*(.vectors)) } > vectors\n"
                "/DISCARD/ : { *(__interrupt_vector_*) }\n}\n",
                f);
    (void)fclose(f);
}

/* Builds tests/device/firmware/NAME.c for the board; the caller frees the path of the ELF. */
static inline char *msp430_build(struct firmware_rig *r, const char *name)
{
    const struct yaml_node *toolchain = yaml_get(r->board->mcu_map, "toolchain");
    const struct yaml_node *flags = yaml_get(toolchain, "flags");
    char *folder = uj_format("%s/device-firmware", UJ_BUILD_DIR);
    char *base = uj_format("%s/%s-%s", folder, name, r->board->name);
    struct str command;
    str_init(&command);
    str_addf(&command, "mkdir -p '%s'", folder);
    assert_int_equal(system(command.text), 0);
    str_free(&command);
    char *script = uj_format("%s.ld", base);
    msp430_script(script, yaml_get(toolchain, "memory"));
    str_init(&command);
    str_add(&command, "clang-19 --target=msp430 -nostdlibinc -ffreestanding");
    for (size_t i = 0; i < flags->count; i++)
        str_addf(&command, " %s", flags->items[i].text);
    str_addf(&command,
             " -Os -std=gnu99 -Wall -Wextra -Werror -g -gdwarf-4 -c -o '%s.o' "
             "'%s/tests/device/firmware/%s.c' && ld.lld-19 --nmagic -T '%s' -o '%s.elf' '%s.o'",
             base, UJ_SOURCE_DIR, name, script, base, base);
    if (system(command.text) != 0)
        fail_msg("%s", command.text);
    str_free(&command);
    char *elf = uj_format("%s.elf", base);
    free(folder);
    free(base);
    free(script);
    return elf;
}

static inline struct firmware_rig *msp430_open(const char *board, const char *name)
{
    struct firmware_rig *r = rig_open_board(board);
    r->elf = msp430_build(r, name);
    rig_load(r);
    return r;
}

#endif
