/*
 * Any bytes as a program, on each AVR core: no access outside what is ours, no hang, and the plain
 * loop in one go, the plain loop in small pieces and the traced loop agree on everything.
 */
#include "../avr_rig.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CYCLES = 3000 };

static struct avr_rig *load(const uint8_t *data, size_t size)
{
    static const char *const cores[] = {"avre", "avrxm", "avrxt"};
    static const char *const options[] = {NULL, "{pc_bits: 22}", "{des: true, rmw: true}"};
    const char *core = cores[data[0] % 3];
    const char *option = options[data[0] / 3 % 3];
    if (data[0] / 9 % 2 && data[0] % 3 == 1)
        option = "{pc_bits: 22, data_bits: 24}";
    struct avr_rig *rig = rig_new(core, 0x1000, 0x100, 0x800, option);
    memcpy(rig->flash, data + 1, size - 1 < 0x1000 ? size - 1 : 0x1000);
    return rig;
}

/* Interrupts come at fixed cycles, so that every way of running sees them alike. */
static void run(struct avr_rig *rig, unsigned piece, bool traced)
{
    struct core *core = rig->core;
    uint64_t next_irq = 500;
    while (core->cycle < CYCLES && !core->fault.reason) {
        if (core->cycle >= next_irq) {
            next_irq += 500;
            rig->irq_number = 3;
            core->irq_pending = true;
            core->woken = core->asleep;
            core->asleep = false;
        }
        if (core->asleep) {
            core->cycle = next_irq;
            continue;
        }
        uint64_t limit = core->cycle + piece;
        core->limit = limit < next_irq ? limit : next_irq;
        core->deadline = core->irq_pending ? 0 : core->limit;
        if (traced)
            core->class->run_traced(core);
        else
            core->class->run(core);
    }
}

static void same(struct avr_rig *a, struct avr_rig *b)
{
    const struct core_class *class = a->core->class;
    for (unsigned i = 0; i < class->registers; i++)
        if (class->get_register(a->core, i) != class->get_register(b->core, i))
            abort();
    if (a->core->cycle != b->core->cycle || a->core->instructions != b->core->instructions ||
        a->core->sp_low != b->core->sp_low || a->core->isr_cycles != b->core->isr_cycles ||
        a->access_count != b->access_count || memcmp(a->ram, b->ram, sizeof a->ram) != 0 ||
        memcmp(a->io, b->io, sizeof a->io) != 0 || memcmp(a->flash, b->flash, 0x1000) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 3)
        return 0;
    struct avr_rig *whole = load(data, size), *pieces = load(data, size),
                   *traced = load(data, size);
    run(whole, CYCLES, false);
    run(pieces, 1 + data[1] % 16, false);
    run(traced, CYCLES, true);
    same(whole, pieces);
    same(whole, traced);
    char text[64];
    whole->core->class->disassemble(whole->core->class, text, 1 + data[1] % 64, data + 1, size - 1,
                                    0);
    rig_free(whole);
    rig_free(pieces);
    rig_free(traced);
    return 0;
}
