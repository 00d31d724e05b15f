/*
 * Thumb cores on a bench: a board bare-m0plus, bare-m3 or bare-m33, and programs made by the cross
 * compiler from text.
 */
#ifndef UJ_TESTS_THUMB_RIG_H
#define UJ_TESTS_THUMB_RIG_H

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "base/process.h"
#include "base/str.h"
#include "image/image.h"
#include "isa/thumb/thumb.h"
#include "sim/board.h"

struct thumb_rig {
    struct uj_ctx ctx;
    struct board *board;
    struct machine *machine;
    struct thumb_core *c;
    char *output; /* by semihosting */
    size_t output_count;
};

static const char *const rig_cores[THUMB_CORES] = {"cortex-m0plus", "cortex-m3", "cortex-m33"};
static const char *const rig_boards[THUMB_CORES] = {"bare-m0plus", "bare-m3", "bare-m33"};

static inline void rig_sent(void *owner, uint8_t byte, uint64_t now_ps)
{
    struct thumb_rig *rig = owner;
    (void)now_ps;
    rig->output = uj_realloc(rig->output, rig->output_count + 2);
    rig->output[rig->output_count++] = (char)byte;
    rig->output[rig->output_count] = '\0';
}

static inline void rig_good(struct thumb_rig *rig, enum uj_err err)
{
    if (err)
        fail_msg("%s", rig->ctx.message);
}

static inline struct thumb_rig *rig_new(enum thumb_core_kind kind)
{
    struct thumb_rig *rig = uj_calloc(1, sizeof *rig);
    rig_good(rig, board_load(&rig->ctx, &rig->board, UJ_SOURCE_DIR "/devices", rig_boards[kind]));
    rig_good(rig, board_machine(&rig->ctx, &rig->machine, rig->board));
    rig->c = (struct thumb_core *)rig->machine->core;
    struct sim_serial *s = machine_serial(rig->machine, "semihosting");
    s->sent = rig_sent;
    s->owner = rig;
    return rig;
}

static inline void rig_free(struct thumb_rig *rig)
{
    machine_free(rig->machine);
    board_free(rig->board);
    free(rig->output);
    free(rig);
}

/* Compiles or assembles `text` (of a file ending in `suffix`) for a core; NULL: no compiler. */
static inline struct image *rig_build(struct uj_ctx *ctx, const char *core, const char *name,
                                      const char *suffix, const char *text, const char *options)
{
    char *folder = uj_format("%s/tests/thumb", UJ_BUILD_DIR);
    (void)mkdir(UJ_BUILD_DIR "/tests", 0777);
    (void)mkdir(folder, 0777);
    char *source = uj_format("%s/%s-%s.%s", folder, name, core, suffix);
    char *elf = uj_format("%s/%s-%s.elf", folder, name, core);
    FILE *stream = fopen(source, "wb");
    assert_non_null(stream);
    assert_int_equal(fputs(text, stream) >= 0, 1);
    assert_int_equal(fclose(stream), 0);
    char *cpu = uj_format("-mcpu=%s", core);
    char *argv[24] = {"arm-none-eabi-gcc", cpu,  "-mthumb", "-nostdlib",
                      "-nostartfiles",     "-g", "-Wl,-N"};
    unsigned count = 7;
    char *copy = uj_strdup(options);
    for (char *p = copy, *word; (word = strsep(&p, " "));)
        if (*word)
            argv[count++] = word;
    argv[count++] = source;
    argv[count++] = "-o";
    argv[count++] = elf;
    argv[count++] = "-lgcc";
    struct process p = {.argv = argv};
    enum uj_err err = process_run(ctx, &p);
    if (!err && !process_good(&p))
        fail_msg("%s: %s", source, p.errors.text ? p.errors.text : "the compiler failed");
    process_free(&p);
    struct image *image = NULL;
    if (!err)
        err = image_load(ctx, &image, elf, EM_ARM, "Arm");
    if (err)
        fail_msg("%s", ctx->message);
    free(copy);
    free(cpu);
    free(source);
    free(elf);
    free(folder);
    return image;
}

static inline void rig_load(struct thumb_rig *rig, const struct image *image)
{
    for (size_t i = 0; i < image->segment_count; i++)
        assert_true(mem_poke(&rig->machine->data, image->segments[i].address,
                             image->segments[i].data, image->segments[i].bytes));
    for (size_t i = 0; i < image->segment_count; i++)
        rig->c->core.class->code_changed(&rig->c->core, image->segments[i].address,
                                         image->segments[i].bytes);
}

static inline uint32_t rig_symbol(struct thumb_rig *rig, const struct image *image,
                                  const char *name)
{
    const struct image_symbol *symbol = NULL;
    rig_good(rig, image_need_symbol(&rig->ctx, &symbol, image, name));
    return symbol->address & ~1u;
}

static inline void rig_stop(void *owner, struct machine *m)
{
    (void)owner;
    machine_stop(m);
}

/* Runs to an address, at most 10 s of the machine's time. */
static inline enum machine_stop rig_run_to(struct thumb_rig *rig, uint32_t address)
{
    struct machine_watch watch = {.address = address, .hit = rig_stop};
    machine_add_watch(rig->machine, &watch);
    enum machine_stop stop = machine_run(rig->machine, rig->machine->now_ps + 10 * PS_PER_SECOND);
    machine_remove_watch(rig->machine, &watch);
    return stop;
}

#endif
