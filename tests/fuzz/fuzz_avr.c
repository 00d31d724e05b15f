/*
 * Any bytes as a program, on each AVR core: no access outside what is ours, no hang, and the plain
 * loop in one go, the plain loop in small pieces and the traced loop agree on everything.
 */
#include "../avr_rig.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CYCLES = 3000 };

enum { KINDS = 9, WAYS = 3, FLASH_BYTES = 0x1000, RAM_BYTES = 0x800 };

/* The rigs are kept from input to input: making them is most of the work. */
static struct avr_rig *load(int way, const uint8_t *data, size_t size)
{
    static const char *const cores[] = {"avre", "avrxm", "avrxt"};
    static const char *const options[][3] = {
        {NULL, "{pc_bits: 22}", "{rampz: true}"},
        {"{des: true, rmw: true}", "{pc_bits: 22}", "{pc_bits: 22, data_bits: 24}"},
        {NULL, "{pc_bits: 22}", "{vector_bytes: 4}"},
    };
    static struct avr_rig *rigs[KINDS][WAYS];
    unsigned kind = data[0] % KINDS;
    struct avr_rig **rig = &rigs[kind][way];
    if (!*rig)
        *rig = rig_new(cores[kind / 3], FLASH_BYTES, 0x100, RAM_BYTES, options[kind / 3][kind % 3]);
    struct core *core = (*rig)->core;
    memset((*rig)->flash, 0xff, FLASH_BYTES);
    memcpy((*rig)->flash, data + 1, size - 1 < FLASH_BYTES ? size - 1 : FLASH_BYTES);
    memset((*rig)->ram, 0, RAM_BYTES);
    memset((*rig)->io, 0, 0x100);
    core->class->reset(core);
    core->class->code_changed(core, 0, FLASH_BYTES);
    core->irq_pending = false;
    core->cycle = core->isr_cycles = 0;
    rig_forget(*rig);
    return *rig;
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
        a->access_count != b->access_count || memcmp(a->ram, b->ram, RAM_BYTES) != 0 ||
        memcmp(a->io, b->io, 0x100) != 0 || memcmp(a->flash, b->flash, FLASH_BYTES) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 3)
        return 0;
    struct avr_rig *whole = load(0, data, size), *pieces = load(1, data, size),
                   *traced = load(2, data, size);
    run(whole, CYCLES, false);
    run(pieces, 1 + data[1] % 16, false);
    run(traced, CYCLES, true);
    same(whole, pieces);
    same(whole, traced);
    char text[64];
    whole->core->class->disassemble(whole->core->class, text, 1 + data[1] % 64, data + 1, size - 1,
                                    0);
    return 0;
}
