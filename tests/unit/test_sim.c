/* The simulator's kernel: clocks that do not drift, events in order, memory with devices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/clock.h"
#include "sim/event.h"
#include "sim/mem.h"
#include "sim/state.h"

/* 7.3728 MHz is no whole number of picoseconds: after 10^12 ticks the time is still exact. */
static void clock_does_not_drift(void **state)
{
    (void)state;
    struct sim_clock c;
    clock_init_root(&c, "external", 7372800, 1);
    assert_int_equal(clock_time(&c, 7372800), PS_PER_SECOND);
    assert_int_equal(clock_time(&c, 7372800ULL * 100000), PS_PER_SECOND * 100000);
    for (uint64_t n = 1; n < 1000000000000; n = n * 3 + 1) {
        assert_int_equal(clock_ticks(&c, clock_time(&c, n)), n);
        assert_int_equal(clock_ticks(&c, clock_time(&c, n) - 1), n - 1);
    }
}

static void count_call(void *owner, uint64_t now_ps)
{
    (void)now_ps;
    ++*(int *)owner;
}

static void clock_change_keeps_count(void **state)
{
    (void)state;
    struct sim_clock root, half;
    int calls = 0;
    struct clock_user user = {.changed = count_call, .owner = &calls};
    clock_init_root(&root, "rc", 2000000, 1);
    clock_init(&half, "cpu", &root, 1, 2);
    clock_use(&half, &user);
    uint64_t second = PS_PER_SECOND;
    assert_int_equal(clock_ticks(&half, second), 1000000);
    clock_set_root(&root, 8000000, 1, second);
    assert_int_equal(calls, 1);
    assert_int_equal(clock_ticks(&half, second), 1000000);
    assert_int_equal(clock_ticks(&half, 2 * second), 5000000);
    clock_set_gate(&half, true, 2 * second);
    assert_int_equal(clock_ticks(&half, 9 * second), 5000000);
    assert_int_equal(clock_time(&half, 5000001), SIM_NEVER);
    clock_set_gate(&half, false, 9 * second);
    assert_int_equal(clock_time(&half, 5000001), 9 * second + 250000);
    clock_set_ratio(&half, 3, 1, 9 * second);
    assert_int_equal(clock_ticks(&half, 10 * second), 29000000);
    assert_int_equal(calls, 4);
}

struct log {
    char text[16];
    int length;
};

struct named_event {
    struct sim_event event;
    struct log *log;
    char name;
};

static void note(void *owner, uint64_t when_ps)
{
    (void)when_ps;
    struct named_event *e = owner;
    e->log->text[e->log->length++] = e->name;
    e->log->text[e->log->length] = '\0';
}

static void events_fire_in_order(void **state)
{
    (void)state;
    struct event_queue q = {0};
    struct log log = {0};
    struct named_event e[4];
    for (int i = 0; i < 4; i++)
        e[i] = (struct named_event){
            .event = {.fire = note, .owner = &e[i]}, .log = &log, .name = "abcd"[i]};
    event_at(&q, &e[2].event, 30);
    event_at(&q, &e[0].event, 10);
    event_at(&q, &e[1].event, 10);
    event_at(&q, &e[3].event, 20);
    event_at(&q, &e[3].event, 40);
    event_fire_due(&q, 30);
    assert_string_equal(log.text, "abc");
    assert_int_equal(event_next_ps(&q), 40);
    event_cancel(&q, &e[3].event);
    assert_int_equal(event_next_ps(&q), SIM_NEVER);
}

static uint32_t device_read(void *device, uint32_t offset, unsigned bytes)
{
    return *(uint32_t *)device + offset * 16 + bytes;
}

static void device_write(void *device, uint32_t offset, uint32_t value, unsigned bytes)
{
    (void)offset;
    (void)bytes;
    *(uint32_t *)device = value;
}

static void code_touched(void *owner, uint32_t address, unsigned bytes)
{
    (void)bytes;
    *(uint32_t *)owner = address;
}

static void memory_and_devices(void **state)
{
    (void)state;
    static const struct mem_ops ops = {.read = device_read, .write = device_write};
    uint8_t ram[512] = {0}, flash[256];
    uint32_t device = 0x1000, touched = 0;
    struct mem_region ram_region = {.name = "ram", .base = 0x200, .size = 512, .host = ram};
    struct mem_region flash_region = {
        .name = "flash", .base = 0x400, .size = 256, .host = flash, .read_only = true};
    struct mem_region io_region = {
        .name = "io", .base = 0x210, .size = 8, .ops = &ops, .device = &device};
    struct mem_space s;
    mem_init(&s, "data", 16, 8);
    memset(flash, 0xff, sizeof flash);
    mem_add(&s, &ram_region);
    mem_add(&s, &flash_region);
    mem_add(&s, &io_region);
    s.code_owner = &touched;
    s.code_written = code_touched;

    mem_write32(&s, 0x2fe, 0x11223344); /* across two pages */
    assert_int_equal(mem_read32(&s, 0x2fe), 0x11223344);
    assert_int_equal(mem_read16(&s, 0x300), 0x1122);
    assert_int_equal(mem_read8(&s, 0x212), 0x1000 + 2 * 16 + 1); /* the device lies over the RAM */
    mem_write16(&s, 0x210, 0xabcd);
    assert_int_equal(device, 0xabcd);
    mem_write8(&s, 0x400, 0);
    assert_int_equal(mem_read8(&s, 0x400), 0xff); /* stores do not change flash */
    assert_int_equal(s.unmapped_count, 0);
    assert_int_equal(mem_read16(&s, 0x8000), 0);
    assert_int_equal(s.unmapped_count, 1);

    touched = 0; /* the store across two pages went the slow way, and told */
    mem_write8(&s, 0x305, 1);
    assert_int_equal(touched, 0);
    mem_mark_code(&s, 0x300, 4);
    mem_write8(&s, 0x305, 2);
    assert_int_equal(touched, 0x305);
    assert_int_equal(mem_read8(&s, 0x305), 2);
    mem_unmark_code(&s, 0x300);
    touched = 0;
    mem_write8(&s, 0x305, 3);
    assert_int_equal(touched, 0);
    mem_free(&s);
}

static void state_times_add_up(void **state)
{
    (void)state;
    struct state_track t;
    state_init(&t, "cpu", "active", 1e6);
    state_enter(&t, "idle", 1e6, 100);
    state_enter(&t, "active", 1e6, 300);
    state_enter(&t, "active", 8e6, 350);
    state_settle(&t, 400);
    assert_int_equal(t.count, 3);
    assert_int_equal(t.totals[0].ps, 150);
    assert_int_equal(t.totals[0].entries, 2);
    assert_int_equal(t.totals[1].ps, 200);
    assert_int_equal(t.totals[2].ps, 50);
}

/* More frequencies than places: what is linear in time and frequency stays exact, and a shadow sees
 * only what comes after it. */
static void states_beyond_the_places_merge(void **state)
{
    (void)state;
    struct state_track t, shadow;
    state_init(&t, "cpu", "active", 1e6);
    for (unsigned i = 1; i < 200; i++)
        state_enter(&t, i % 5 ? "active" : "idle", 1e6 + 1e4 * i, 1000 * i);
    state_shadow(&t, &shadow, 199500);
    state_enter(&t, "active", 8e6, 200000);
    state_settle(&t, 201000);
    double ticks = 0, expected = 0;
    uint64_t active = 0, idle = 0;
    for (size_t i = 0; i < t.count; i++) {
        ticks += t.totals[i].hz * (double)t.totals[i].ps;
        *(t.totals[i].state[0] == 'a' ? &active : &idle) += t.totals[i].ps;
    }
    for (unsigned i = 0; i < 200; i++)
        expected += (1e6 + 1e4 * i) * 1000;
    expected += 8e6 * 1000;
    assert_int_equal(t.count, STATE_TOTALS_MAX);
    assert_int_equal(active, 161000 + 1000);
    assert_int_equal(idle, 39 * 1000);
    assert_true(ticks > expected * (1 - 1e-9) && ticks < expected * (1 + 1e-9));
    assert_int_equal(shadow.count, 2);
    assert_int_equal(shadow.totals[0].ps, 500);
    assert_int_equal(shadow.totals[1].ps, 1000);
    state_unshadow(&t, &shadow);
    state_settle(&t, 300000);
    assert_int_equal(shadow.totals[1].ps, 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clock_does_not_drift), cmocka_unit_test(clock_change_keeps_count),
        cmocka_unit_test(events_fire_in_order), cmocka_unit_test(memory_and_devices),
        cmocka_unit_test(state_times_add_up),   cmocka_unit_test(states_beyond_the_places_merge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
