/*
 * What the Thumb cores owe the machine: exact times of exceptions and timers, watches, stack and
 * interrupt accounting, code that changes, waits, semihosting, reports of faults, options.
 */
#include "thumb_rig.h"

#include "sim/event.h"

static const char prologue[] = ".syntax unified\n.thumb\n.section .vectors, \"a\"\n"
                               ".word 0x20008000\n.word start + 1\n"
                               ".rept 30\n.word handler + 1\n.endr\n.text\n.globl start\n";

/* A program whose exceptions all go to `handler`, loaded and reset. */
static struct thumb_rig *program(enum thumb_core_kind kind, const char *name, const char *text,
                                 struct image **image)
{
    struct thumb_rig *rig = rig_new(kind);
    char *source = uj_format("%s%s", prologue, text);
    *image = rig_build(&rig->ctx, rig_cores[kind], name, "s", source,
                       "-Wl,--section-start=.vectors=0 -Wl,-Ttext=0x100 -Wl,-e,start");
    free(source);
    rig_load(rig, *image);
    machine_reset(rig->machine);
    return rig;
}

static void done(struct thumb_rig *rig, struct image *image)
{
    image_free(image);
    rig_free(rig);
}

static void reach(struct thumb_rig *rig, const struct image *image, const char *name)
{
    enum machine_stop stop = rig_run_to(rig, rig_symbol(rig, image, name));
    if (stop != MACHINE_STOPPED)
        fail_msg("%s not reached: %s, %s at %x", name,
                 rig->c->core.fault.reason ? rig->c->core.fault.reason : "no fault",
                 rig->c->core.fault.detail, rig->c->pc);
}

static uint64_t cycles_to(struct thumb_rig *rig, const struct image *image, const char *name)
{
    uint64_t before = rig->c->core.cycle;
    reach(rig, image, name);
    return rig->c->core.cycle - before;
}

/* Two interrupts at once: the second is chained behind the first without a frame of its own. */
static void tail_chaining(void **state)
{
    (void)state;
    static const int entry[] = {15, 12, 12}, chain[] = {9, 6, 6}, back[] = {13, 12, 12};
    static const unsigned bx[] = {2, 3, 2};
    for (unsigned kind = 0; kind < THUMB_CORES; kind++) {
        struct image *image;
        struct thumb_rig *rig =
            program(kind, "chain",
                    "start: ldr r0, =0xe000e100\n movs r1, #3\n str r1, [r0]\n cpsid i\n"
                    " ldr r0, =0xe000e200\n str r1, [r0]\n movs r4, #0\n"
                    "unmask: cpsie i\nbehind: adds r5, #1\nend: b .\n .ltorg\n"
                    ".balign 4\nhandler: bx lr\n",
                    &image);
        reach(rig, image, "unmask");
        uint64_t begin = rig->c->core.cycle;
        reach(rig, image, "handler");
        assert_int_equal(rig->c->ipsr, 16);
        assert_int_equal(rig->c->core.cycle - begin, 1 + entry[kind]);
        uint32_t sp = rig->c->r[13];
        assert_int_equal(sp, 0x20008000 - 32);
        uint64_t first = cycles_to(rig, image, "handler");
        assert_int_equal(rig->c->ipsr, 17);
        assert_int_equal(first, bx[kind] + (unsigned)chain[kind]);
        assert_int_equal(rig->c->r[13], sp);
        assert_int_equal(cycles_to(rig, image, "behind"), bx[kind] + (unsigned)back[kind]);
        assert_int_equal(rig->c->r[13], 0x20008000);
        /* All of it is interrupt time, and no stack of the program's. */
        assert_int_equal(rig->c->core.isr_cycles,
                         (unsigned)(entry[kind] + chain[kind] + back[kind]) + 2 * bx[kind]);
        assert_int_equal(rig->c->core.isr_depth, 0);
        assert_int_equal(rig->c->core.sp_low, 0x20008000);
        done(rig, image);
    }
}

struct raise {
    struct sim_event event;
    struct machine *m;
    int number;
};

static void raise_irq(void *owner, uint64_t now_ps)
{
    (void)now_ps;
    struct raise *r = owner;
    r->m->irq.set(r->m->irq.owner, r->number, true);
    r->m->irq.set(r->m->irq.owner, r->number, false);
}

/* One that arrives while the frame of another is stacked goes first; one frame serves both. */
static void late_arrival(void **state)
{
    (void)state;
    struct image *image;
    struct thumb_rig *rig =
        program(THUMB_M3, "late",
                "start: ldr r0, =0xe000e100\n movs r1, #3\n str r1, [r0]\n"
                " ldr r0, =0xe000e400\n movw r1, #0x0080\n str r1, [r0]\n" /* irq 0: 80, 1: 0 */
                "ready: nop\n nop\n nop\n nop\n b ready\n .ltorg\n.balign 4\nhandler: bx lr\n",
                &image);
    reach(rig, image, "ready");
    struct machine *m = rig->machine;
    struct raise low = {.event = {.fire = raise_irq, .owner = &low}, .m = m, .number = 0};
    struct raise high = {.event = {.fire = raise_irq, .owner = &high}, .m = m, .number = 1};
    uint64_t now = rig->c->core.cycle;
    machine_at(m, &low.event, clock_time(m->cpu_clock, now + 3));
    machine_at(m, &high.event, clock_time(m->cpu_clock, now + 8)); /* within the 12 of entry */
    reach(rig, image, "handler");
    assert_int_equal(rig->c->ipsr, 17);
    assert_int_equal(rig->c->core.cycle - now, 3 + 12);
    assert_int_equal(rig->c->r[13], 0x20008000 - 32);
    reach(rig, image, "handler");
    assert_int_equal(rig->c->ipsr, 16);
    assert_int_equal(rig->c->r[13], 0x20008000 - 32);
    done(rig, image);
}

/* SysTick wraps to the cycle, whether the core runs or sleeps. */
static void systick_is_exact(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < THUMB_CORES; kind++) {
        struct image *image;
        struct thumb_rig *rig =
            program(kind, "systick",
                    "start: ldr r0, =0xe000e010\n movs r1, #99\n str r1, [r0, #4]\n"
                    " str r1, [r0, #8]\n movs r1, #7\n str r1, [r0]\n"
                    "sleep: wfi\n b sleep\n .ltorg\n.balign 4\nhandler: bx lr\n",
                    &image);
        reach(rig, image, "handler");
        assert_int_equal(rig->c->ipsr, EXC_SYSTICK);
        for (unsigned i = 0; i < 5; i++)
            assert_int_equal(cycles_to(rig, image, "handler"), 100);
        assert_true(rig->machine->cpu_state.count >= 2); /* it did sleep */
        done(rig, image);
    }
}

static void cycle_counter(void **state)
{
    (void)state;
    for (unsigned kind = THUMB_M3; kind < THUMB_CORES; kind++) {
        struct image *image;
        struct thumb_rig *rig =
            program(kind, "cyccnt",
                    "start: ldr r0, =0xe000edfc\n movs r1, #1\n lsls r1, #24\n str r1, [r0]\n"
                    " ldr r0, =0xe0001000\n movs r1, #0\n str r1, [r0, #4]\n movs r1, #1\n"
                    " str r1, [r0]\n nop.w\n nop.w\n ldr.w r2, [r0, #4]\n nop.w\n"
                    " .rept 10\n add.w r5, r5, #1\n .endr\n ldr.w r3, [r0, #4]\n nop.w\n"
                    " str r1, [r0, #4]\n movs r1, #0\n str r1, [r0]\n .rept 5\n nop.w\n .endr\n"
                    " ldr.w r4, [r0, #4]\nend: b .\n .ltorg\nhandler: b handler\n",
                    &image);
        reach(rig, image, "end");
        /* Load, NOP and ten additions. */
        assert_int_equal(rig->c->r[3] - rig->c->r[2], kind == THUMB_M3 ? 13 : 12);
        assert_true(rig->c->r[4] < 6); /* stopped */
        done(rig, image);
    }
}

/* A watch stops before its instruction, once for each time that it is executed. */
static void watches(void **state)
{
    (void)state;
    struct image *image;
    struct thumb_rig *rig = program(THUMB_M33, "watch",
                                    "start: movs r0, #0\nloop: adds r0, #1\n cmp r0, #5\n"
                                    "again: bne loop\n push {r0-r3}\n sub sp, #64\n add sp, #80\n"
                                    "end: b .\nhandler: b handler\n",
                                    &image);
    for (unsigned i = 0; i < 5; i++) {
        reach(rig, image, "loop");
        assert_int_equal(rig->c->r[0], i);
    }
    reach(rig, image, "end");
    assert_int_equal(rig->c->r[0], 5);
    assert_int_equal(rig->c->core.sp_low, 0x20008000 - 80);
    assert_int_equal(rig->c->r[13], 0x20008000);
    done(rig, image);
}

/* The time is the same with watches, by steps, and traced; the trace adds up to it. */
static void sum_of_trace(void *owner, const struct core *c, unsigned cycles, unsigned distance)
{
    (void)c;
    uint64_t *sums = owner;
    sums[0] += cycles;
    sums[1] += distance;
    sums[2]++;
}

static void observation_costs_nothing(void **state)
{
    (void)state;
    static const char text[] =
        "start: ldr r4, =0xe000e010\n movs r1, #37\n str r1, [r4, #4]\n str r1, [r4, #8]\n"
        " movs r1, #7\n str r1, [r4]\n ldr r2, =0x20001000\n movs r0, #200\n"
        "loop: ldr r3, [r2]\n adds r3, r3, r0\n str r3, [r2]\n ldr r5, [r2, #4]\n nop\n"
        " subs r0, #1\n bne loop\n bl leaf\nend: b .\n .ltorg\nleaf: push {r4, lr}\n"
        " pop {r4, pc}\n.balign 4\nhandler: ldr r3, =0x20001100\n ldr r2, [r3]\n adds r2, #1\n"
        " str r2, [r3]\n bx lr\n .ltorg\n";
    for (unsigned kind = 0; kind < THUMB_CORES; kind++) {
        uint64_t times[3], sums[3] = {0};
        for (unsigned way = 0; way < 3; way++) {
            struct image *image;
            struct thumb_rig *rig = program(kind, "observe", text, &image);
            if (way == 1) {
                for (unsigned i = 0; i < 150; i++)
                    reach(rig, image, "loop");
            } else if (way == 2) {
                rig->machine->traced = true;
                rig->c->core.trace = sum_of_trace;
                rig->c->core.trace_owner = sums;
            }
            reach(rig, image, "end");
            times[way] = rig->c->core.cycle;
            assert_true(rig->c->core.isr_cycles > 500);
            if (way == 2)
                assert_true(rig->c->core.instructions <= sums[2]);
            done(rig, image);
        }
        assert_int_equal(times[1], times[0]);
        assert_int_equal(times[2], times[0]);
        assert_int_equal(sums[0], times[0]);
        assert_true(sums[1] > 0);
    }
}

/* A store to code just ahead is executed, and its timing is the new instruction's. */
static void code_that_changes(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < THUMB_CORES; kind++) {
        struct image *image;
        struct thumb_rig *rig =
            program(kind, "change",
                    "start: movs r0, #0\n movs r5, #0\n adr r1, place\n ldr r2, =0x3501\n"
                    "loop: nop\n strh r2, [r1]\n nop\n nop\n .balign 4\nplace: adds r0, #1\n nop\n"
                    " adds r3, #1\n cmp r3, #3\n bne loop\nend: b .\n .ltorg\nhandler: b handler\n",
                    &image);
        /* Once as it was, so that it is decoded. */
        uint16_t nop = 0xbf00, was;
        uint32_t store = rig_symbol(rig, image, "loop") + 2;
        assert_true(mem_peek(&rig->machine->data, store, &was, 2));
        assert_true(mem_poke(&rig->machine->data, store, &nop, 2));
        reach(rig, image, "place");
        reach(rig, image, "loop");
        assert_int_equal(rig->c->r[0], 1);
        assert_true(mem_poke(&rig->machine->data, store, &was, 2));
        rig->c->core.class->code_changed(&rig->c->core, store, 2);
        reach(rig, image, "end");
        assert_int_equal(rig->c->r[0], 1);
        assert_int_equal(rig->c->r[5], 2);
        done(rig, image);
    }
}

static void bit_banding(void **state)
{
    (void)state;
    struct image *image;
    struct thumb_rig *rig =
        program(THUMB_M3, "bits",
                "start: ldr r0, =0x20000100\n movs r1, #0x55\n str r1, [r0]\n"
                " ldr r2, =0x22002000\n ldr r3, [r2, #16]\n ldr r4, [r2, #20]\n movs r5, #1\n"
                " str r5, [r2, #36]\n movs r5, #0\n str r5, [r2]\n ldr r6, [r0]\nend: b .\n"
                " .ltorg\nhandler: b handler\n",
                &image);
    reach(rig, image, "end");
    assert_int_equal(rig->c->r[3], 1);
    assert_int_equal(rig->c->r[4], 0);
    assert_int_equal(rig->c->r[6], 0x254);
    done(rig, image);
}

static uint32_t device_read(void *device, uint32_t offset, unsigned bytes)
{
    (void)bytes;
    return *(uint32_t *)device + offset;
}

static void device_write(void *device, uint32_t offset, uint32_t value, unsigned bytes)
{
    (void)offset;
    (void)bytes;
    *(uint32_t *)device = value;
}

/* Waits of a region are added; the single-cycle port of the M0+ takes 1. */
static void waits(void **state)
{
    (void)state;
    static const struct mem_ops ops = {.read = device_read, .write = device_write};
    static const unsigned load[] = {2, 2, 1}, store[] = {2, 1, 1};
    for (unsigned kind = 0; kind < THUMB_CORES; kind++)
        for (unsigned way = 0; way < 3; way++) {
            struct image *image;
            struct thumb_rig *rig =
                program(kind, "waits",
                        "start: ldr r0, =0x40000000\n movs r1, #7\n movs r4, #0\n"
                        "store: str r1, [r0]\nbetween: adds r4, #1\nload: ldr r2, [r0, #4]\n"
                        "behind: adds r4, #1\nend: b .\n .ltorg\nhandler: b handler\n",
                        &image);
            uint32_t device = 0;
            struct mem_region region = {.name = "device",
                                        .base = 0x40000000,
                                        .size = 0x1000,
                                        .ops = &ops,
                                        .device = &device,
                                        .wait_read = way == 1 ? 3 : 0,
                                        .wait_write = way == 1 ? 4 : 0,
                                        .single_cycle = way == 2};
            mem_add(&rig->machine->data, &region);
            reach(rig, image, "store");
            unsigned less = way == 2 && kind == THUMB_M0PLUS;
            assert_int_equal(cycles_to(rig, image, "between"), store[kind] + (way == 1) * 4 - less);
            reach(rig, image, "load");
            assert_int_equal(cycles_to(rig, image, "behind"), load[kind] + (way == 1) * 3 - less);
            assert_int_equal(rig->c->r[2], 11);
            done(rig, image);
        }
}

static void semihosting(void **state)
{
    (void)state;
    static const char text[] =
        "start: movs r0, #4\n adr r1, hello\n bkpt 0xab\n"
        " movs r0, #3\n adr r1, hello\n bkpt 0xab\n"
        " movs r0, #1\n adr r1, open\n bkpt 0xab\n mov r4, r0\n"
        " movs r0, #5\n adr r1, write\n bkpt 0xab\n mov r5, r0\n"
        " movs r0, #0x31\n bkpt 0xab\n mov r6, r0\n"
        " movs r0, #0x30\n ldr r1, =0x20001000\n bkpt 0xab\n mov r7, r0\n"
        " movs r0, #0x63\n bkpt 0xab\n mov r8, r0\n movs r0, #0x13\n bkpt 0xab\n mov r9, r0\n"
        " movs r0, #0x20\n adr r1, end\n bkpt 0xab\nnever: b .\n .ltorg\n"
        ".balign 4\nhello: .asciz \"hello\"\n.balign 4\nopen: .word name, 4, 3\n"
        "write: .word 1, more, 3\nend: .word 0x20026, 7\nname: .asciz \":tt\"\n"
        "more: .ascii \"abcd\"\n.balign 4\nhandler: b handler\n";
    for (unsigned kind = 0; kind < THUMB_CORES; kind++) {
        struct image *image;
        struct thumb_rig *rig = program(kind, "semihost", text, &image);
        assert_int_equal(machine_run(rig->machine, PS_PER_SECOND), MACHINE_EXIT);
        assert_string_equal(rig->output, "hellohabc");
        assert_int_equal(rig->c->core.exit_code, 7);
        assert_int_equal(rig->c->r[4], 1);
        assert_int_equal(rig->c->r[5], 0);
        assert_int_equal(rig->c->r[6], 100000000);
        uint64_t elapsed = 0;
        assert_true(mem_peek(&rig->machine->data, 0x20001000, &elapsed, 8));
        assert_true(elapsed > 10 && elapsed < rig->c->core.cycle);
        assert_int_equal(rig->c->r[7], 0);
        assert_int_equal(rig->c->r[8], UINT32_MAX); /* no such operation */
        assert_int_equal(rig->c->r[9], 38);
        done(rig, image);
    }
}

/* A fault that the image does not handle ends the run and says where and why. */
static void unhandled_faults(void **state)
{
    (void)state;
    static const struct {
        const char *code, *reason;
        bool mainline;
    } list[] = {
        {"udf #3", "undefined instruction", false},
        {"ldr r0, [r1]", "load where nothing is", false},
        {"str r0, [r1, #8]", "store where nothing is", false},
        {"bx r2", "branch to an address without the Thumb bit", false},
        {"ldr.w r0, [r1]", "load where nothing is", true},
        {"vmov.f32 s0, s1", "coprocessor or floating-point instruction", true},
        {"ldrd r0, r3, [r2, #2]", "", true},
        {"bkpt #1", "breakpoint", false},
    };
    for (unsigned kind = 0; kind < THUMB_CORES; kind++)
        for (unsigned i = 0; i < sizeof list / sizeof list[0]; i++) {
            if ((list[i].mainline && kind == THUMB_M0PLUS) || !*list[i].reason)
                continue;
            char *text = uj_format(".fpu fpv5-sp-d16\nstart: ldr r1, =0x90000000\n ldr r2, =0x200\n"
                                   "fails: %s\n nop\nend: b .\n .ltorg\n.balign 4\nhandler: b .\n",
                                   list[i].code);
            char *name = uj_format("fault%u", i);
            struct image *image;
            struct thumb_rig *rig = program(kind, name, text, &image);
            assert_int_equal(machine_run(rig->machine, PS_PER_SECOND), MACHINE_FAULT);
            assert_string_equal(rig->c->core.fault.reason, list[i].reason);
            uint32_t at = rig_symbol(rig, image, "fails");
            if (list[i].code[0] == 'b' && list[i].code[1] == 'x')
                at = 0x200; /* where it led */
            assert_int_equal(rig->c->core.fault.pc, at);
            if (strstr(list[i].reason, "where nothing is"))
                assert_int_equal(rig->c->core.fault.address & ~8u, 0x90000000);
            assert_non_null(strstr(rig->c->core.fault.detail, "unhandled HardFault"));
            done(rig, image);
            free(text);
            free(name);
        }
}

/* A fault within the handler of a fault. */
static void lockup(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < THUMB_CORES; kind++) {
        struct image *image;
        struct thumb_rig *rig =
            program(kind, "lockup", "start: nop\n udf #1\n nop\n.balign 4\nhandler: nop\n udf #2\n",
                    &image);
        assert_int_equal(machine_run(rig->machine, PS_PER_SECOND), MACHINE_FAULT);
        assert_non_null(strstr(rig->c->core.fault.detail, "lockup"));
        assert_int_equal(rig->c->core.fault.pc, rig_symbol(rig, image, "start") + 2);
        done(rig, image);
    }
}

/* What the M0+ lacks faults, also where Unicorn and QEMU execute it. */
static void what_m0plus_lacks(void **state)
{
    (void)state;
    static const char *const codes[] = {"0xb100",         "0xbf08",         "0xf04f, 0x0001",
                                        "0xfb91, 0xf2f0", "0xe8d1, 0x0f4f", "0xf3af, 0x8000",
                                        "0x4774"};
    for (unsigned i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        char *text = uj_format("start: nop\nfails: .hword %s\n nop\n nop\nend: b .\n"
                               ".balign 4\nhandler: b .\n",
                               codes[i]);
        char *name = uj_format("lacks%u", i);
        struct image *image;
        struct thumb_rig *rig = program(THUMB_M0PLUS, name, text, &image);
        assert_int_equal(machine_run(rig->machine, PS_PER_SECOND), MACHINE_FAULT);
        assert_string_equal(rig->c->core.fault.reason, "undefined instruction");
        assert_int_equal(rig->c->core.fault.pc, rig_symbol(rig, image, "fails"));
        done(rig, image);
        free(text);
        free(name);
    }
}

/* A stall that was laid on the next instruction is given back where an interrupt comes between. */
static void stalls_are_given_back(void **state)
{
    (void)state;
    struct image *image;
    struct thumb_rig *rig =
        program(THUMB_M33, "stall",
                "start: ldr r0, =0xe000e100\n movs r1, #1\n str r1, [r0]\n ldr r2, =0x20001000\n"
                " ldr r0, =0xe000e200\n nop.w\nload: ldr.w r3, [r2]\n adds r4, r3, r1\n"
                "end: b .\n .ltorg\n.balign 4\nhandler: bx lr\n",
                &image);
    reach(rig, image, "load");
    struct raise irq = {.event = {.fire = raise_irq, .owner = &irq}, .m = rig->machine};
    uint64_t now = rig->c->core.cycle;
    machine_at(rig->machine, &irq.event, clock_time(rig->machine->cpu_clock, now + 1));
    reach(rig, image, "handler");
    assert_int_equal(rig->c->core.cycle - now, 1 + 12);
    reach(rig, image, "end");
    assert_int_equal(rig->c->core.cycle - now, 1 + 12 + 2 + 12 + 1);
    done(rig, image);
}

static void options(void **state)
{
    (void)state;
    static const struct {
        const char *core, *message;
    } list[] = {
        {"{class: cortex-m3, exception_entri: 5}", "exception_entry"},
        {"{class: cortex-m3, exception_entry: 5000}", "exception_entry"},
        {"{class: cortex-m3, exception_entry: 1.5}", "exception_entry"},
    };
    for (unsigned i = 0; i < sizeof list / sizeof list[0]; i++) {
        struct uj_ctx ctx = {0};
        struct yaml *file;
        assert_int_equal(yaml_parse(&ctx, &file, "test", list[i].core, strlen(list[i].core)), 0);
        struct mem_space space;
        mem_init(&space, "data", 32, THUMB_PAGE_BITS);
        struct thumb_core *c = uj_calloc(1, sizeof *c);
        c->core.class = &thumb_cortex_m3;
        c->core.data = c->core.code = &space;
        assert_int_equal(thumb_cortex_m3.create(&ctx, &c->core, yaml_root(file)), UJ_ERR_INPUT);
        assert_non_null(strstr(ctx.message, list[i].message));
        thumb_cortex_m3.destroy(&c->core);
        free(c);
        mem_free(&space);
        yaml_close(file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tail_chaining),
        cmocka_unit_test(late_arrival),
        cmocka_unit_test(systick_is_exact),
        cmocka_unit_test(cycle_counter),
        cmocka_unit_test(watches),
        cmocka_unit_test(observation_costs_nothing),
        cmocka_unit_test(code_that_changes),
        cmocka_unit_test(bit_banding),
        cmocka_unit_test(waits),
        cmocka_unit_test(semihosting),
        cmocka_unit_test(unhandled_faults),
        cmocka_unit_test(lockup),
        cmocka_unit_test(what_m0plus_lacks),
        cmocka_unit_test(stalls_are_given_back),
        cmocka_unit_test(options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
