/* The blocks of the ATxmega128D4, asked by programs that run on the board cw-xmega. */
#include "firmware_rig.h"

/* The chip starts on its 2 MHz oscillator. */
enum { CYCLE_PS = 500000 };

static void timer(void **state)
{
    struct firmware_rig *r = rig_open("cw-xmega", "xmega_timer");
    (void)state;
    rig_run_results(r, 34);
    RIG_EXPECT(r, 0, 1000, 500, 250, 1000, 1000, 1000, 1000, 5);
    RIG_EXPECT(r, 8, 0x00, 0x01, 0x34, 0x1234, 0xABCD, 0xAB);
    RIG_EXPECT(r, 14, 0x80, 0x90, 0x90, 0xB1, 0x90);
    RIG_EXPECT(r, 19, 1, 7, 49, 0, 30, 19, 3, 70, 4, 0xFFFF, 0, 0xFFFF);
    RIG_EXPECT(r, 31, 100, 100, 0x20);
    rig_close(r);
}

static void drive(struct firmware_rig *r, const char *net, bool level)
{
    net_drive(r->machine, machine_net(r->machine, net), level);
    rig_run(r, 200 * (uint64_t)CYCLE_PS);
}

static void port(void **state)
{
    struct firmware_rig *r = rig_open("cw-xmega", "xmega_port");
    struct rig_pin pc0, pc1;
    (void)state;
    rig_watch_pin(r, &pc0, "portc.0");
    rig_watch_pin(r, &pc1, "portc.1");
    rig_run_results(r, 10);
    RIG_EXPECT(r, 0, 0x00, 0x02, 0x03, 0x03, 0x03, 0x03, 0x00, 0x10, 0x00, 0x1111);

    static const struct {
        unsigned cycles;
        bool level;
    } expected[] = {{0, true}, {2, false}, {14, true}, {116, false}};
    assert_int_equal(pc0.count, 5); /* the fifth by the virtual port */
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(pc0.edges[i].level, expected[i].level);
        assert_int_equal(pc0.edges[i].ps - pc0.edges[0].ps, expected[i].cycles * CYCLE_PS);
    }
    assert_int_equal(pc1.count, 2);

    /* Two rise and one falls; then two fall and one rises. */
    drive(r, "portb.0", true);
    drive(r, "portb.0", false);
    drive(r, "portb.0", true);
    drive(r, "portb.7", true);
    rig_run_results(r, 12);
    RIG_EXPECT(r, 10, 2, 0x2222);
    drive(r, "portb.0", false);
    drive(r, "portb.0", true);
    drive(r, "portb.0", false);
    drive(r, "portb.1", true);
    drive(r, "portb.7", false);
    rig_run_results(r, 14);
    RIG_EXPECT(r, 12, 5, 0x3333);
    drive(r, "portb.1", false);
    drive(r, "portb.7", true);
    rig_run_results(r, 16);
    RIG_EXPECT(r, 14, 1, 0x02); /* the level still asks, unheard */
    rig_close(r);
}

/* Bytes sent and the cycles between their ends. */
static void expect_sent(struct firmware_rig *r, size_t from, const char *text,
                        const unsigned *cycles)
{
    assert_true(r->sent_count >= from + strlen(text));
    assert_memory_equal(r->sent + from, text, strlen(text));
    for (size_t i = from ? from : 1; cycles && i < from + strlen(text); i++)
        assert_int_equal(r->sent_ps[i] - r->sent_ps[i - 1], cycles[i - from] * CYCLE_PS);
}

static void usart(void **state)
{
    struct firmware_rig *r = rig_open("cw-xmega", "xmega_usart");
    struct rig_pin pa0;
    (void)state;
    rig_watch_pin(r, &pa0, "porta.0");
    rig_run_results(r, 5);
    RIG_EXPECT(r, 0, 0x20, 0x20, 0x00, 0x20, 0x1111);

    /* Ten bits of 208 cycles from the store behind the pin's, and without a gap. */
    assert_int_equal(pa0.count, 1);
    assert_int_equal(r->sent_ps[0] - pa0.edges[0].ps, (2 + 2080) * CYCLE_PS);
    const unsigned whole[] = {0, 2080, 2080};
    expect_sent(r, 0, "abc", whole);
    /* Twelve bits of 104; nine; ten of 16 x 139/128, so 173 cycles and three quarters. */
    assert_memory_equal(r->sent + 3, "defghij", 7);
    assert_int_equal(r->sent_ps[4] - r->sent_ps[3], 12 * 104 * CYCLE_PS);
    assert_int_equal(r->sent_ps[7] - r->sent_ps[6], 173 * CYCLE_PS);
    assert_int_equal(r->sent_ps[9] - r->sent_ps[8], 10 * 256 * CYCLE_PS);

    /* A byte is there after its ten bits; the loop that asks for it takes less than 12 cycles. */
    uint64_t fed_ps = r->machine->now_ps;
    serial_feed(r->serial, "x", 1);
    rig_run_results(r, 8);
    RIG_EXPECT(r, 5, 'x', 0x20, 0x2222);
    assert_int_equal(pa0.count, 2);
    assert_in_range((pa0.edges[1].ps - fed_ps) / CYCLE_PS, 2080, 2080 + 12);

    /* Two bytes in the buffer and one behind it; the others are lost. */
    serial_feed(r->serial, "12345", 5);
    rig_run_results(r, 15);
    RIG_EXPECT(r, 8, 0xA8, '1', 0xA0, '2', '3', 0xEEEE, 0x3333);

    serial_feed(r->serial, "Echo", 4);
    rig_run_results(r, 16);
    RIG_EXPECT(r, 15, 0x7C7C);
    expect_sent(r, 10, "eCHODRE", NULL);
    rig_close(r);
}

static void clocks(void **state)
{
    struct firmware_rig *r = rig_open("cw-xmega", "xmega_clock");
    struct rig_pin pa0;
    (void)state;
    rig_watch_pin(r, &pa0, "porta.0");
    rig_run_results(r, 12);
    RIG_EXPECT(r, 0, 0x01, 0x01, 0x01, 0x00, 0x47, 0x09, 0, 0, 0, 3, 0x03, 4);

    static const double hz[] = {2e6, 7372800, 7372800 / 4.0, 7372800 / 4.0, 32e6, 16e6};
    assert_int_equal(pa0.count, 4 * 6 + 2);
    /* The fifth edge to the sixth: the crystal's start, seen by a loop of less than 12 cycles. */
    double start_ps = (double)(pa0.edges[5].ps - pa0.edges[4].ps);
    assert_true(start_ps > 16384 / 7372800.0 * 1e12);
    assert_true(start_ps < 16384 / 7372800.0 * 1e12 + 16 * CYCLE_PS);
    for (size_t i = 0; i < 6; i++) {
        const struct rig_edge *edge = &pa0.edges[4 * i + (i > 0 ? 2 : 0)];
        uint64_t high_ps = edge[1].ps - edge[0].ps;
        double expected = 100 / hz[i] * 1e12;
        assert_true(high_ps > expected - 2 && high_ps < expected + 2);
    }
    rig_close(r);
}

static uint64_t state_ps(struct firmware_rig *r, const char *state)
{
    struct state_track *t = &r->machine->cpu_state;
    uint64_t ps = 0;
    state_settle(t, r->machine->now_ps);
    for (size_t i = 0; i < t->count; i++)
        if (strcmp(t->totals[i].state, state) == 0)
            ps += t->totals[i].ps;
    return ps;
}

static void interrupts(void **state)
{
    struct firmware_rig *r = rig_open("cw-xmega", "xmega_interrupts");
    (void)state;
    rig_run_results(r, 21);
    /*
     * From sleep 5 cycles, the program counter's three bytes 3, JMP 3, PUSH 1, and LDS reads in its
     * second: 13. While NOPs run: without the 5.
     */
    RIG_EXPECT(r, 0, 13, 1, 8, 0x5EE9, 0xF0);
    /* In the low level A before C, but the medium D first; the high B in the middle of A. */
    RIG_EXPECT(r, 5, 0x01, 0x05);
    RIG_EXPECT(r, 7, 0x40, 0x10, 0x20, 0x11, 0x30, 0x00, 0x00);
    /* With round-robin C comes before A. */
    RIG_EXPECT(r, 14, 0x01, 0x05, 0x30, 0x10, 0x20, 0x11, 0x1111);

    rig_run(r, RIG_MS(1));
    assert_true(r->machine->core->asleep);
    assert_string_equal(r->machine->cpu_state.state, "power-down");
    uint64_t slept_ps = state_ps(r, "power-down");
    assert_in_range(slept_ps, RIG_MS(1) / 2, RIG_MS(2));
    rig_run(r, RIG_MS(5));
    assert_int_equal(state_ps(r, "power-down"), slept_ps + RIG_MS(5));
    net_drive(r->machine, machine_net(r->machine, "portd.2"), true);
    rig_run_results(r, 23);
    /*
     * Awake after six cycles of the source. The counter ran two cycles before, and then 5 + 3 + 3
     * to the handler, 11 in it, 1 to the store's second cycle.
     */
    assert_int_equal(state_ps(r, "power-down"), slept_ps + RIG_MS(5) + 6 * CYCLE_PS);
    RIG_EXPECT(r, 21, 1, 25);
    rig_close(r);
}

/* What the model lacks ends the run with its reason. */
static void unmodelled(void **state)
{
    static const struct {
        uint32_t address;
        uint8_t value;
        const char *detail;
    } cases[] = {
        {0x079, 0x01, "rst: 0x01 written at 0x79"},
        {0x1CB, 0x01, "nvm: 0x01 written at 0x1CB"},
        {0x800, 0x08, "tcc0: clocked by an event channel"},
        {0x801, 0x05, "tcc0: dual slope with an overflow at the top"},
        {0x803, 0x28, "tcc0: event action"},
        {0x804, 0x01, "tcc0: byte mode"},
        {0x809, 0x01, "tcc0: counting down"},
        {0x8A5, 0x43, "usartc0: another mode than asynchronous"},
        {0x078, 0x01, NULL},
        {0x800, 0x07, NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct firmware_rig *r = rig_open_board("cw-xmega");
        rig_must(r, board_machine(&r->ctx, &r->machine, r->board));
        mem_write8(&r->machine->data, cases[i].address, cases[i].value);
        if (!cases[i].detail) {
            assert_null(r->machine->core->fault.reason);
        } else {
            assert_string_equal(r->machine->core->fault.reason, "hardware that is not modelled");
            assert_string_equal(r->machine->core->fault.detail, cases[i].detail);
            assert_int_equal(machine_run(r->machine, RIG_MS(1)), MACHINE_FAULT);
        }
        rig_close(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(timer),  cmocka_unit_test(port),       cmocka_unit_test(usart),
        cmocka_unit_test(clocks), cmocka_unit_test(interrupts), cmocka_unit_test(unmodelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
