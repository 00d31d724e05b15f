/*
 * The blocks of the ATmega328P, asked by programs that run on the board uno; what they print is
 * also compared with libsimavr's, but for the points where that one is known to differ from the
 * chip.
 */
#include "firmware_rig.h"

#include <avr_uart.h>
#include <sim_avr.h>
#include <sim_elf.h>
#include <sim_io.h>

/* 16 MHz. */
enum { CYCLE_PS = 62500 };

/* What libsimavr keeps when it is done is not ours to free. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libsimavr\n";
}

struct printed {
    char text[2048];
    size_t count;
};

static void simavr_sent(struct avr_irq_t *irq, uint32_t value, void *owner)
{
    struct printed *p = owner;
    (void)irq;
    if (p->count < sizeof p->text - 1)
        p->text[p->count++] = (char)value;
}

/* It would wait in real time. */
static void simavr_sleep(struct avr_t *avr, avr_cycle_count_t cycles)
{
    (void)avr, (void)cycles;
}

/* What libsimavr prints up to the full stop. */
static void run_simavr(struct printed *out, const char *elf)
{
    elf_firmware_t firmware = {0};
    *out = (struct printed){.count = 0};
    assert_int_equal(elf_read_firmware(elf, &firmware), 0);
    avr_t *avr = avr_make_mcu_by_name("atmega328p");
    assert_non_null(avr);
    avr_init(avr);
    avr->log = LOG_ERROR;
    avr->frequency = 16000000;
    avr_load_firmware(avr, &firmware);
    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
    flags &= (uint32_t) ~(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POOL_SLEEP);
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT),
                            simavr_sent, out);
    avr->sleep = simavr_sleep;
    while (avr->cycle < 2 * avr->frequency) {
        int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed)
            break;
        if (out->count && out->text[out->count - 1] == '.')
            break;
    }
    avr_terminate(avr);
    free(avr);
}

static void run_to_the_stop(struct firmware_rig *r)
{
    for (unsigned i = 0; i < 2000; i++) {
        rig_run(r, RIG_MS(1));
        if (r->sent_count && r->sent[r->sent_count - 1] == '.')
            return;
    }
    fail_msg("the program does not end");
}

static void timers(void **state)
{
    struct firmware_rig *r = rig_open("uno", "mega_timer");
    (void)state;
    run_to_the_stop(r);
    RIG_EXPECT(r, 0, 1000, 1000, 1000, 1000, 1000, 5);
    RIG_EXPECT(r, 6, 250, 200, 200, 200, 200, 200, 200);
    RIG_EXPECT(r, 13, 0x00, 0x01, 0x1234, 0x0000, 0x1256);
    RIG_EXPECT(r, 18, 0x00, 0x04, 0x04, 0x06, 0x04, 0x00, 0x02, 2, 0x01);
    RIG_EXPECT(r, 27, 50, 44, 70, 3, 0x00, 0x27);
    RIG_EXPECT(r, 33, 50, 0x20, 0x24, 0x00);
    RIG_EXPECT(r, 37, 9, 10, 10, 0);
    rig_close(r);
}

static void io(void **state)
{
    struct firmware_rig *r = rig_open("uno", "mega_io");
    struct rig_pin pc0, pd2;
    (void)state;
    rig_watch_pin(r, &pc0, "portc.0");
    rig_watch_pin(r, &pd2, "portd.2");
    run_to_the_stop(r);
    rig_run_results(r, 14);
    RIG_EXPECT(r, 0, 0x01, 0x00, 0x03, 0x03);
    /*
     * From sleep 4 cycles, the response 4, JMP 3, PUSH 2, and LDS reads in its second: 14. While
     * NOPs run: without the first 4.
     */
    RIG_EXPECT(r, 4, 14, 10);
    RIG_EXPECT(r, 6, 7, 11, 16, 0);
    RIG_EXPECT(r, 10, 0, 0, 3, 0x5EE9);

    static const unsigned cycles[] = {0, 2, 14, 114};
    assert_int_equal(pc0.count, 5);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pc0.edges[i].ps - pc0.edges[0].ps, cycles[i] * CYCLE_PS);
    static const unsigned divided[] = {1, 8, 1};
    assert_int_equal(pd2.count, 6);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(pd2.edges[2 * i + 1].ps - pd2.edges[2 * i].ps,
                         100 * divided[i] * CYCLE_PS);
    rig_close(r);
}

static void usart(void **state)
{
    struct firmware_rig *r = rig_open("uno", "mega_usart");
    struct rig_pin pb0;
    (void)state;
    rig_watch_pin(r, &pb0, "portb.0");
    rig_run_results(r, 6);
    RIG_EXPECT(r, 0, 0x20, 0x06, 0x20, 0x00, 0x20, 0x1111);
    assert_memory_equal(r->sent, "abcdef", 6);
    /* Ten bits of 16 x 104 cycles, then twelve of half of them. */
    assert_int_equal(r->sent_ps[0] - pb0.edges[0].ps, (2 + 16640) * CYCLE_PS);
    assert_int_equal(r->sent_ps[1] - r->sent_ps[0], 16640 * CYCLE_PS);
    assert_int_equal(r->sent_ps[2] - r->sent_ps[1], 16640 * CYCLE_PS);
    assert_int_equal(r->sent_ps[4] - r->sent_ps[3], 12 * 832 * CYCLE_PS);

    serial_feed(r->serial, "x", 1);
    rig_run_results(r, 8);
    RIG_EXPECT(r, 6, 'x', 0x2222);
    serial_feed(r->serial, "12345", 5);
    rig_run_results(r, 15);
    RIG_EXPECT(r, 8, 0xAA, '1', 0xA2, '2', '3', 0xEEEE, 0x3333);
    serial_feed(r->serial, "Echo", 4);
    rig_run_results(r, 16);
    RIG_EXPECT(r, 15, 0x7C7C);
    assert_int_equal(r->sent_count, 6 + 8);
    assert_memory_equal(r->sent + 6, "eCHOUDRE", 8);
    rig_close(r);
}

/* The same program there and here. libsimavr does not know stopped counters, shared TEMP, held
 * matches and the like, so this program keeps to what it does know. */
static void oracle(void **state)
{
    struct firmware_rig *r = rig_open("uno", "mega_oracle");
    struct printed theirs;
    (void)state;
    run_to_the_stop(r);
    run_simavr(&theirs, r->elf);
    r->sent[r->sent_count] = 0;
    assert_string_equal((const char *)r->sent, theirs.text);
    assert_int_equal(r->sent_count, 5 * rig_results(r) + 1);
    rig_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(timers),
        cmocka_unit_test(io),
        cmocka_unit_test(usart),
        cmocka_unit_test(oracle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
