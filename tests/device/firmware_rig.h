/*
 * A small program of tests/device/firmware/, built by the board's own cross compiler and run on the
 * board's machine; what it sent, what it left in `results`, and when its pins moved.
 */
#ifndef UJ_TESTS_FIRMWARE_RIG_H
#define UJ_TESTS_FIRMWARE_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "image/image.h"
#include "sim/board.h"
#include "sim/machine.h"

#define RIG_MS(n) ((uint64_t)(n) * (PS_PER_SECOND / 1000))

enum { RIG_BYTES = 4096, RIG_EDGES = 512 };

struct rig_edge {
    uint64_t ps;
    bool level;
};

struct rig_pin {
    struct rig_edge edges[RIG_EDGES];
    size_t count;
    struct net_listener listener;
};

struct firmware_rig {
    struct uj_ctx ctx;
    struct board *board;
    struct machine *machine;
    struct image *image;
    struct sim_serial *serial;
    char *elf;
    uint8_t sent[RIG_BYTES];
    uint64_t sent_ps[RIG_BYTES];
    size_t sent_count;
};

static inline void rig_sent(void *owner, uint8_t byte, uint64_t now_ps)
{
    struct firmware_rig *r = owner;
    if (r->sent_count == RIG_BYTES)
        return;
    r->sent_ps[r->sent_count] = now_ps;
    r->sent[r->sent_count++] = byte;
}

#define rig_must(r, call)                     \
    do {                                      \
        if (call)                             \
            fail_msg("%s", (r)->ctx.message); \
    } while (0)

/* Compiles for the board with these arguments, sources among them, to NAME; the caller frees. */
static inline char *rig_compile(struct firmware_rig *r, const char *name, const char *arguments)
{
    const struct yaml_node *toolchain = yaml_get(r->board->mcu_map, "toolchain");
    const struct yaml_node *flags = yaml_get(toolchain, "flags");
    struct str command;
    str_init(&command);
    char *folder = uj_format("%s/device-firmware", UJ_BUILD_DIR);
    char *elf = uj_format("%s/%s-%s.elf", folder, name, r->board->name);
    str_addf(&command, "mkdir -p '%s' && %s", folder, yaml_get(toolchain, "name")->text);
    for (size_t i = 0; flags && i < flags->count; i++)
        str_addf(&command, " %s", flags->items[i].text);
    str_addf(&command, " -Os -std=gnu99 -Wall -Wextra -Werror -g -gdwarf-4 -o '%s' %s", elf,
             arguments);
    if (system(command.text) != 0)
        fail_msg("%s", command.text);
    str_free(&command);
    free(folder);
    return elf;
}

static inline void rig_load(struct firmware_rig *r)
{
    rig_must(r, image_load(&r->ctx, &r->image, r->elf, r->board->core_class->elf_machine,
                           r->board->core_class->isa));
    rig_must(r, board_machine(&r->ctx, &r->machine, r->board));
    rig_must(r, image_into_machine(&r->ctx, r->image, r->machine));
    machine_reset(r->machine);
    r->serial = machine_serial(r->machine, r->board->serial);
    assert_non_null(r->serial);
    r->serial->sent = rig_sent;
    r->serial->owner = r;
}

static inline struct firmware_rig *rig_open_board(const char *board)
{
    struct firmware_rig *r = uj_calloc(1, sizeof *r);
    rig_must(r, board_load(&r->ctx, &r->board, UJ_SOURCE_DIR "/devices", board));
    return r;
}

static inline struct firmware_rig *rig_open(const char *board, const char *name)
{
    struct firmware_rig *r = rig_open_board(board);
    char *source = uj_format("%s/tests/device/firmware/%s.c", UJ_SOURCE_DIR, name);
    r->elf = rig_compile(r, name, source);
    free(source);
    rig_load(r);
    return r;
}

static inline void rig_close(struct firmware_rig *r)
{
    machine_free(r->machine);
    image_free(r->image);
    board_free(r->board);
    free(r->elf);
    free(r);
}

/* Runs on; a fault fails the test. */
static inline void rig_run(struct firmware_rig *r, uint64_t ps)
{
    enum machine_stop stop = machine_run(r->machine, r->machine->now_ps + ps);
    if (stop == MACHINE_FAULT)
        fail_msg("%s: %s, pc 0x%x", r->machine->core->fault.reason, r->machine->core->fault.detail,
                 r->machine->core->fault.pc);
}

static inline uint32_t rig_address(struct firmware_rig *r, const char *symbol)
{
    const struct image_symbol *s = NULL;
    rig_must(r, image_need_symbol(&r->ctx, &s, r->image, symbol));
    return image_data_address(r->image, s->address);
}

/* Element `index` of the program's `results`, an array of 16-bit numbers. */
static inline unsigned rig_result(struct firmware_rig *r, unsigned index)
{
    uint8_t bytes[2];
    assert_true(mem_peek(&r->machine->data, rig_address(r, "results") + 2 * index, bytes, 2));
    return bytes[0] | (unsigned)bytes[1] << 8;
}

/* How many results the program has noted. */
static inline unsigned rig_results(struct firmware_rig *r)
{
    uint8_t count;
    assert_true(mem_peek(&r->machine->data, rig_address(r, "result_count"), &count, 1));
    return count;
}

/* Runs until the program has noted `count` results. */
static inline void rig_run_results(struct firmware_rig *r, unsigned count)
{
    for (unsigned i = 0; i < 2000 && rig_results(r) < count; i++)
        rig_run(r, RIG_MS(1));
    assert_int_equal(rig_results(r), count);
}

/* Compares results from `from` on; shows them all where one differs. */
static inline void rig_expect(struct firmware_rig *r, unsigned from, const unsigned *expected,
                              size_t count)
{
    for (unsigned i = 0; i < count; i++) {
        if (rig_result(r, from + i) == expected[i])
            continue;
        for (unsigned j = 0; j < rig_results(r); j++)
            print_error("%u: %u 0x%x\n", j, rig_result(r, j), rig_result(r, j));
        fail_msg("result %u is not %u 0x%x", from + i, expected[i], expected[i]);
    }
}
#define RIG_EXPECT(r, from, ...)                                                \
    do {                                                                        \
        const unsigned expected_[] = {__VA_ARGS__};                             \
        rig_expect(r, from, expected_, sizeof expected_ / sizeof expected_[0]); \
    } while (0)

static inline void rig_edge(void *owner, bool level, uint64_t now_ps)
{
    struct rig_pin *pin = owner;
    if (pin->count < RIG_EDGES)
        pin->edges[pin->count++] = (struct rig_edge){now_ps, level};
}

static inline void rig_watch_pin(struct firmware_rig *r, struct rig_pin *pin, const char *net)
{
    *pin = (struct rig_pin){.listener = {.changed = rig_edge, .owner = pin}};
    net_listen(machine_net(r->machine, net), &pin->listener);
}

#endif
