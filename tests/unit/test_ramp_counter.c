/* The computed counter against one that is stepped, count by count. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "periph/ramp_counter.h"

enum { MAX = 15, TICKS = 300 };

/* The counter as its law says it: one count at a time. */
struct stepped {
    uint32_t value, top;
    bool dual, down, held;
};

/* One count; tells what happened in it: the value left, and whether it wrapped. */
static uint32_t step(struct stepped *s, bool *wrapped, bool *matches)
{
    uint32_t left = s->value;
    *matches = !s->held;
    *wrapped = false;
    bool above = s->value > s->top || (s->held && s->value == s->top && s->top < MAX && !s->dual);
    s->held = false;
    if (above) {
        *wrapped = s->value == MAX;
        s->value = *wrapped ? 0 : s->value + 1;
        s->down = false;
    } else if (!s->dual) {
        *wrapped = s->value == s->top;
        s->value = *wrapped ? 0 : s->value + 1;
    } else if (s->top == 0) {
        *wrapped = true;
    } else {
        if (s->value == s->top)
            s->down = true;
        if (s->value == 0)
            s->down = false;
        s->value = s->down ? s->value - 1 : s->value + 1;
        *wrapped = s->value == 0;
    }
    return left;
}

static void check(uint32_t divider, uint32_t top, bool dual, uint32_t start, uint64_t base,
                  bool written)
{
    struct ramp_counter c = {.divider = divider, .top = top, .max = MAX, .dual = dual};
    struct stepped s = {.value = start, .top = top, .dual = dual, .held = written};
    uint64_t match_tick[MAX + 1], wrap_tick = RAMP_NEVER;
    c.base_tick = base;
    c.value = start;
    if (written)
        ramp_set(&c, base, start);
    for (uint32_t v = 0; v <= MAX; v++)
        match_tick[v] = RAMP_NEVER;
    for (uint64_t tick = base + 1; tick <= base + TICKS; tick++) {
        if (tick % divider == 0) {
            bool wrapped, matches;
            uint32_t left = step(&s, &wrapped, &matches);
            if (matches && match_tick[left] == RAMP_NEVER)
                match_tick[left] = tick;
            if (wrapped && wrap_tick == RAMP_NEVER)
                wrap_tick = tick;
        }
        assert_int_equal(ramp_value(&c, tick), s.value);
    }
    for (uint32_t v = 0; v <= MAX; v++)
        assert_int_equal(ramp_match_tick(&c, v), match_tick[v]);
    assert_int_equal(ramp_wrap_tick(&c), wrap_tick);

    /* Moved on in two pieces it is where it would be in one. */
    for (uint64_t half = base; half < base + 40; half++) {
        struct ramp_counter moved = c;
        ramp_advance(&moved, half);
        assert_int_equal(moved.value, ramp_value(&c, half));
        for (uint64_t tick = half; tick < half + 60; tick++)
            assert_int_equal(ramp_value(&moved, tick), ramp_value(&c, tick));
    }
}

static void all_small_counters(void **state)
{
    static const uint32_t dividers[] = {1, 2, 7};
    (void)state;
    for (unsigned d = 0; d < 3; d++)
        for (uint32_t top = 0; top <= MAX; top++)
            for (uint32_t start = 0; start <= MAX; start++)
                for (unsigned how = 0; how < 4; how++)
                    check(dividers[d], top, how & 1, start, start * 3 + d, how & 2);
}

static void stopped(void **state)
{
    struct ramp_counter c = {.divider = 0, .top = 9, .max = MAX, .value = 4, .base_tick = 100};
    (void)state;
    assert_int_equal(ramp_value(&c, 1000000), 4);
    assert_int_equal(ramp_wrap_tick(&c), RAMP_NEVER);
    assert_int_equal(ramp_match_tick(&c, 4), RAMP_NEVER);
    ramp_advance(&c, 5000);
    assert_int_equal(c.value, 4);
}

/* A base far from 0, where products of ticks would overflow 32 bits. */
static void late(void **state)
{
    struct ramp_counter c = {.divider = 1024, .top = 0xFFFF, .max = 0xFFFF};
    uint64_t base = (UINT64_C(1) << 45) + 5;
    (void)state;
    ramp_set(&c, base, 0xFFFE);
    assert_int_equal(ramp_wrap_tick(&c), (UINT64_C(1) << 45) + 2048);
    assert_int_equal(ramp_value(&c, (UINT64_C(1) << 45) + 2047), 0xFFFF);
    assert_int_equal(ramp_value(&c, (UINT64_C(1) << 45) + 2048), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_small_counters),
        cmocka_unit_test(stopped),
        cmocka_unit_test(late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
