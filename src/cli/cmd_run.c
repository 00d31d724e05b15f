/* ujoule run: any firmware image on a board; its serial output, then what the run cost. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/folder.h"
#include "base/quantity.h"
#include "cli/cli.h"
#include "cli/run_watch.h"
#include "energy/energy_state.h"
#include "image/image.h"
#include "measure/window.h"
#include "sim/board.h"

enum option_key {
    KEY_SECONDS = 256,
    KEY_CYCLES,
    KEY_FUNCTION,
    KEY_CURRENTS,
    KEY_TIMESTAMPS,
    KEY_STRICT
};

static const double default_seconds = 1;

struct arguments {
    struct uj_ctx ctx;
    const char *image, *board, *currents;
    struct cli_list functions;
    double seconds;
    int64_t cycles;
    bool timestamps, strict;
};

static const struct argp_option options[] = {
    {"device", 'd', "BOARD", 0, "the board it runs on", 0},
    {"seconds", KEY_SECONDS, "S", 0, "simulated time to run (1)", 0},
    {"cycles", KEY_CYCLES, "N", 0, "or cycles of the core", 0},
    {"function", KEY_FUNCTION, "SYMBOL,..", 0, "report each call: cycles and stack", 0},
    {"currents", KEY_CURRENTS, "SET", 0, "a set of the device file's currents", 0},
    {"timestamps", KEY_TIMESTAMPS, NULL, 0, "begin each line of serial output with its time", 0},
    {"strict", KEY_STRICT, NULL, 0, "an access to an address where nothing is ends the run", 0},
    {0},
};

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct arguments *a = state->input;
    switch (key) {
    case 'd': a->board = value; return 0;
    case KEY_CURRENTS: a->currents = value; return 0;
    case KEY_TIMESTAMPS: a->timestamps = true; return 0;
    case KEY_STRICT: a->strict = true; return 0;
    case KEY_SECONDS:
        return cli_refused(cli_real(&a->ctx, &a->seconds, "--seconds", value, 1e-9, 1e6));
    case KEY_CYCLES:
        return cli_refused(
            cli_integer(&a->ctx, &a->cycles, "--cycles", value, 1, INT64_C(1) << 50));
    case KEY_FUNCTION: return cli_refused(cli_split(&a->ctx, &a->functions, "--function", value));
    case ARGP_KEY_ARG:
        if (a->image)
            return cli_refused(
                uj_fail(&a->ctx, UJ_ERR_USAGE, "%s: one image at a time; remove it", value));
        a->image = value;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options, parse, "IMAGE", "Runs an ELF or Intel HEX image on a board.", NULL, NULL, NULL};

struct console {
    bool timestamps, in_line;
};

static void show_byte(void *owner, uint8_t byte, uint64_t now_ps)
{
    struct console *c = owner;
    if (c->timestamps && !c->in_line)
        (void)printf("[%12.6f s] ", (double)now_ps * 1e-12);
    c->in_line = byte != '\n';
    (void)putchar(byte);
}

struct call_report {
    const struct image *image;
    uint64_t calls;
};

static void show_call(void *owner, uint32_t function, const struct window_counts *call)
{
    struct call_report *r = owner;
    const struct image_symbol *symbol = image_symbol_at(r->image, function);
    (void)printf("call %" PRIu64 " of %s: %" PRIu64 " cycles, %" PRIu64 " bytes of stack",
                 ++r->calls, symbol ? symbol->name : "?", call->cycles, call->stack_bytes);
    if (call->isr_cycles)
        (void)printf(", %" PRIu64 " cycles of interrupts beside", call->isr_cycles);
    (void)putchar('\n');
}

static enum uj_err watch_functions(struct arguments *a, struct window_set *windows,
                                   struct machine *m, const struct image *image)
{
    uint32_t addresses[WINDOW_FUNCTIONS_MAX];
    if (a->functions.count > WINDOW_FUNCTIONS_MAX)
        return uj_fail(&a->ctx, UJ_ERR_USAGE, "--function: at most %d of them",
                       WINDOW_FUNCTIONS_MAX);
    for (size_t i = 0; i < a->functions.count; i++) {
        const struct image_symbol *symbol;
        enum uj_err err = image_need_symbol(&a->ctx, &symbol, image, a->functions.items[i]);
        if (err)
            return err;
        addresses[i] = symbol->address;
    }
    window_set_open(windows, m, addresses, (unsigned)a->functions.count, NULL);
    return UJ_OK;
}

static void show_energy(const struct energy_result *energy)
{
    char text[32], spread[32];
    if (isnan(energy->nj))
        (void)printf("energy   unknown: %s\n", energy->reason);
    else
        (void)printf(
            "energy   %s +- %s (%s)\n", quantity_format(text, sizeof text, energy->nj * 1e-9, "J"),
            quantity_format(spread, sizeof spread, energy->spread_nj * 1e-9, "J"), energy->method);
}

static void show_summary(struct machine *m, const struct energy_model *model)
{
    char text[32];
    const struct core *c = m->core;
    (void)printf("cycles   %" PRIu64 "\n", c->cycle);
    (void)printf("instructions %" PRIu64 "\n", c->instructions);
    (void)printf("time     %s\n",
                 quantity_format(text, sizeof text, (double)m->now_ps * 1e-12, "s"));
    for (struct state_track *t = m->states; t; t = t->next) {
        state_settle(t, m->now_ps);
        for (size_t i = 0; i < t->count; i++) {
            char hz[32];
            if (t->totals[i].ps == 0)
                continue;
            (void)printf("state    %s %s at %s: %s, entered %" PRIu64 " times\n", t->component,
                         t->totals[i].state, quantity_format(hz, sizeof hz, t->totals[i].hz, "Hz"),
                         quantity_format(text, sizeof text, (double)t->totals[i].ps * 1e-12, "s"),
                         t->totals[i].entries);
        }
    }
    struct energy_result energy;
    energy_of_tracks(model, &energy, m->states);
    show_energy(&energy);
    if (m->data.unmapped_count)
        (void)printf("unmapped %" PRIu64 " accesses to addresses where nothing is\n",
                     m->data.unmapped_count);
}

/* How the run ended; a fault of the program is exit code 1. */
static enum uj_err show_end(struct arguments *a, enum machine_stop stop, const struct machine *m,
                            const struct image *image)
{
    const struct core *c = m->core;
    if (stop == MACHINE_FAULT) {
        char *place = image_place(image, c->fault.pc);
        enum uj_err err = uj_fail(&a->ctx, UJ_ERR_RESULT, "%s: %s at %s, cycle %" PRIu64 "%s%s",
                                  a->image, c->fault.reason, place, c->fault.cycle,
                                  c->fault.detail[0] ? ": " : "", c->fault.detail);
        free(place);
        return err;
    }
    if (m->note.reason) {
        char *place = image_place(image, m->note.pc);
        enum uj_err err =
            uj_fail(&a->ctx, UJ_ERR_RESULT, "%s: %s (0x%x) at %s, cycle %" PRIu64 "%s%s", a->image,
                    m->note.reason, m->note.address, place, m->note.cycle,
                    m->note.detail[0] ? ": " : "", m->note.detail);
        free(place);
        return err;
    }
    if (stop == MACHINE_EXIT && c->exit_code != 0)
        return uj_fail(&a->ctx, UJ_ERR_RESULT, "%s: the program ended with %d", a->image,
                       c->exit_code);
    if (stop == MACHINE_IDLE)
        (void)printf("asleep, and nothing would wake it\n");
    return UJ_OK;
}

/* Until the simulated time, or the core's cycle count, that was asked for. */
static enum machine_stop run_until(const struct arguments *a, struct machine *m)
{
    if (!a->cycles)
        return machine_run(m, (uint64_t)(a->seconds * (double)PS_PER_SECOND));
    for (;;) {
        /* The clock may change on the way: look again where the count must be reached. */
        uint64_t until = clock_time(m->cpu_clock, (uint64_t)a->cycles);
        enum machine_stop stop = machine_run(m, until);
        if (stop != MACHINE_TIME || m->core->cycle >= (uint64_t)a->cycles)
            return stop;
    }
}

static enum uj_err run(struct arguments *a)
{
    struct uj_ctx *ctx = &a->ctx;
    if (!a->image)
        return uj_fail(ctx, UJ_ERR_USAGE, "which image? ujoule run IMAGE -d BOARD");
    if (!a->board)
        return uj_fail(ctx, UJ_ERR_USAGE, "on which board? -d BOARD; see: ujoule list boards");
    char *devices = NULL;
    struct board *board = NULL;
    struct energy_model *model = NULL;
    struct image *image = NULL;
    struct machine *m = NULL;
    enum uj_err err = uj_folder(ctx, &devices, "devices");
    if (err || (err = board_load(ctx, &board, devices, a->board)) ||
        (err = energy_model_load(ctx, &model, board, a->currents)) ||
        (err = image_load(ctx, &image, a->image, board->core_class->elf_machine,
                          board->core_class->isa)) ||
        (err = board_machine(ctx, &m, board)) || (err = image_into_machine(ctx, image, m)))
        goto out;
    machine_reset(m);
    struct sim_serial *serial = board->serial ? machine_serial(m, board->serial) : NULL;
    struct console console = {.timestamps = a->timestamps};
    if (serial) {
        serial->owner = &console;
        serial->sent = show_byte;
    }
    struct window_set windows;
    struct call_report calls = {.image = image};
    if ((err = watch_functions(a, &windows, m, image)))
        goto out;
    windows.returned = show_call;
    windows.owner = &calls;
    struct run_watch watch;
    run_watch_begin(&watch, m, image, a->strict);
    enum machine_stop stop = run_until(a, m);
    if (console.in_line)
        (void)putchar('\n');
    show_summary(m, model);
    run_watch_print(&watch);
    run_watch_end(&watch);
    err = show_end(a, stop, m, image);
    window_set_close(&windows);
out:
    machine_free(m);
    image_free(image);
    energy_model_free(model);
    board_free(board);
    free(devices);
    return err;
}

static int cmd_run(int argc, char **argv)
{
    struct arguments a = {.seconds = default_seconds};
    if (cli_parse(&a.ctx, &argp, argc, argv, &a) == UJ_OK)
        (void)!run(&a);
    cli_list_free(&a.functions);
    return cli_finish(&a.ctx);
}

const struct command command_run = {"run", "run any firmware image on a board", cmd_run};
