#include "cli/run_watch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The first few are told as they come, so that a program that resets for ever says so at once. */
static void tell(struct run_watch *w, const char *what, uint32_t pc)
{
    if (w->resets++ >= RUN_WATCH_RESETS)
        return;
    char *place = image_place(w->image, pc);
    (void)fflush(stdout);
    (void)fprintf(stderr, "ujoule: %s at %s, cycle %" PRIu64 "%s\n", what, place,
                  w->machine->core->cycle,
                  w->resets == RUN_WATCH_RESETS ? "; further ones are not told" : "");
    free(place);
}

static void was_reset(void *owner, const char *cause, uint32_t pc)
{
    struct run_watch *w = owner;
    w->starts = 0;
    tell(w, cause, pc);
}

/* The program has come to its beginning; the second time nobody has reset the chip. */
static void started(void *owner, struct machine *m)
{
    struct run_watch *w = owner;
    if (w->starts++ > 0)
        tell(w, "the program came to its reset entry again, without a reset,",
             m->core->class->pc(m->core));
}

static void unmapped(void *owner, uint32_t address, unsigned bytes, enum mem_access access)
{
    struct run_watch *w = owner;
    struct core *c = w->machine->core;
    uint32_t pc = c->class->pc(c);
    bool is_write = access == MEM_WRITE;
    if (w->is_strict) {
        core_fault(c, "access to an address where nothing is", pc, address, "%s %u bytes at 0x%x",
                   is_write ? "writes" : "reads", bytes, (unsigned)address);
        core_attention(c);
        return;
    }
    for (size_t i = 0; i < w->place_count; i++) {
        struct run_unmapped *p = &w->places[i];
        if (p->address == address && p->pc == pc && p->is_write == is_write) {
            p->count++;
            return;
        }
    }
    if (w->place_count == RUN_WATCH_PLACES) {
        w->other_count++;
        return;
    }
    w->places[w->place_count++] = (struct run_unmapped){address, pc, is_write, 1};
}

void run_watch_begin(struct run_watch *w, struct machine *m, const struct image *image,
                     bool is_strict)
{
    *w = (struct run_watch){.machine = m, .image = image, .is_strict = is_strict};
    m->was_reset = was_reset;
    m->reset_owner = w;
    m->data.unmapped = unmapped;
    m->data.owner = w;
    w->start =
        (struct machine_watch){.address = m->core->class->pc(m->core), .hit = started, .owner = w};
    machine_add_watch(m, &w->start);
}

void run_watch_end(struct run_watch *w)
{
    if (!w->machine)
        return;
    machine_remove_watch(w->machine, &w->start);
    w->machine->was_reset = NULL;
    w->machine->data.unmapped = NULL;
}

void run_watch_print(const struct run_watch *w)
{
    for (size_t i = 0; i < w->place_count; i++) {
        const struct run_unmapped *p = &w->places[i];
        char *place = image_place(w->image, p->pc);
        (void)printf("unmapped %s 0x%04x before %s: %" PRIu64 " times\n",
                     p->is_write ? "write of" : "read of", (unsigned)p->address, place, p->count);
        free(place);
    }
    if (w->other_count)
        (void)printf("unmapped %" PRIu64 " more at other places\n", w->other_count);
}
