/*
 * The harness on both AVR boards, asked frame by frame: every kind, every source of input, errors,
 * and the law of its timer: what R reads, less what N reads, is what the operation's own functions
 * took, the timer's interrupts in between included.
 */
#include "firmware_rig.h"

#include "primitive_table.h"

enum { FRAME_MAX = 1400, WATCHED_MAX = 3 };

static const char *const boards[] = {"cw-xmega", "uno"};

/* Time within some functions, from the first instruction to the return. */
struct watched {
    struct window *window;
    struct machine_watch entry, back;
    uint64_t since_cycle;
};
struct window {
    struct watched functions[WATCHED_MAX];
    unsigned calls;
    uint64_t cycles;
    bool inside; /* one that the others call is not counted again */
};

struct harness {
    struct firmware_rig *rig;
    uint8_t answer[FRAME_MAX];
    size_t answer_bytes; /* of the payload */
    char command;
    uint32_t buffer_bytes; /* UJ_MESSAGE_BYTES */
    const struct primitive *primitive;
};

static void returned(void *owner, struct machine *m)
{
    struct watched *w = owner;
    w->window->cycles += m->core->cycle - w->since_cycle;
    w->window->inside = false;
    machine_remove_watch(m, &w->back);
}

static void entered(void *owner, struct machine *m)
{
    struct watched *w = owner;
    if (w->window->inside)
        return;
    w->window->inside = true;
    w->since_cycle = m->core->cycle;
    w->window->calls++;
    w->back = (struct machine_watch){
        .address = m->core->class->return_address(m->core), .hit = returned, .owner = w};
    machine_add_watch(m, &w->back);
}

static void watch(struct harness *h, struct window *w, unsigned index, const char *name)
{
    const struct image_symbol *s = NULL;
    rig_must(h->rig, image_need_symbol(&h->rig->ctx, &s, h->rig->image, name));
    struct watched *f = &w->functions[index];
    *f = (struct watched){.window = w};
    f->entry = (struct machine_watch){.address = s->address, .hit = entered, .owner = f};
    machine_add_watch(h->rig->machine, &f->entry);
}

static void unwatch(struct harness *h, struct window *w)
{
    for (unsigned i = 0; i < WATCHED_MAX; i++)
        machine_remove_watch(h->rig->machine, &w->functions[i].entry);
}

/* An image of the harness; `more` are the sources, kind and prefix of the operation. */
static struct harness *harness_open(const char *board, const char *name, const char *more)
{
    struct harness *h = uj_calloc(1, sizeof *h);
    h->rig = rig_open_board(board);
    const struct yaml_node *map = yaml_get(h->rig->board->board_map, "harness");
    bool xmega = strcmp(board, "cw-xmega") == 0;
    h->buffer_bytes = (uint32_t)strtoul(yaml_get(map, "message_bytes")->text, NULL, 10);
    char *arguments =
        uj_format("-DUJ_MESSAGE_BYTES=%s -DUJ_BAUD=%s -DUJ_CPU_HZ=%s -I%s/firmware/harness "
                  "-I%s/firmware/arch/avr %s/firmware/harness/*.c %s/firmware/arch/avr/*.c "
                  "-ffunction-sections -fdata-sections -Wl,--gc-sections %s",
                  yaml_get(map, "message_bytes")->text, yaml_get(map, "baud")->text,
                  xmega ? "7372800" : "16000000", UJ_SOURCE_DIR, UJ_SOURCE_DIR, UJ_SOURCE_DIR,
                  UJ_SOURCE_DIR, more);
    h->rig->elf = rig_compile(h->rig, name, arguments);
    free(arguments);
    rig_load(h->rig);
    rig_run(h->rig, RIG_MS(20));
    static const char ready[] = "ujoule harness 1 ready\n";
    assert_int_equal(h->rig->sent_count, strlen(ready));
    assert_memory_equal(h->rig->sent, ready, strlen(ready));
    return h;
}

static void harness_close(struct harness *h)
{
    rig_close(h->rig);
    free(h);
}

/* Waits for one answer, and for nothing behind it. */
static void receive(struct harness *h)
{
    struct firmware_rig *r = h->rig;
    size_t bytes = 0;
    for (unsigned i = 0; i < 20000; i++) {
        rig_run(r, RIG_MS(1));
        if (r->sent_count < 4)
            continue;
        bytes = (size_t)(r->sent[2] | r->sent[3] << 8);
        if (r->sent_count >= bytes + 5)
            break;
    }
    rig_run(r, RIG_MS(1));
    assert_int_equal(r->sent_count, bytes + 5);
    assert_int_equal(r->sent[0], 0x6A);
    uint8_t sum = 0;
    for (size_t i = 1; i < r->sent_count; i++)
        sum = (uint8_t)(sum + r->sent[i]);
    assert_int_equal(sum, 0);
    h->command = (char)r->sent[1];
    h->answer_bytes = bytes;
    memcpy(h->answer, r->sent + 4, bytes);
    r->sent_count = 0;
}

static void send(struct harness *h, char command, const void *payload, size_t bytes, uint8_t error)
{
    uint8_t frame[FRAME_MAX] = {0x75, (uint8_t)command, (uint8_t)bytes, (uint8_t)(bytes >> 8)};
    uint8_t sum = 0;
    if (bytes)
        memcpy(frame + 4, payload, bytes);
    for (size_t i = 1; i < bytes + 4; i++)
        sum = (uint8_t)(sum + frame[i]);
    frame[bytes + 4] = (uint8_t)(error - sum);
    h->rig->sent_count = 0;
    serial_feed(h->rig->serial, frame, bytes + 5);
    receive(h);
}

static void ask(struct harness *h, char command, const void *payload, size_t bytes)
{
    send(h, command, payload, bytes, 0);
    if (h->command != command)
        fail_msg("'%c' was answered by '%c' %u", command, h->command, h->answer[0]);
}

static void expect_refusal(struct harness *h, char command, const void *payload, size_t bytes,
                           unsigned code)
{
    send(h, command, payload, bytes, 0);
    assert_int_equal(h->command, 'E');
    assert_int_equal(h->answer_bytes, 1);
    assert_int_equal(h->answer[0], code);
}

struct request {
    uint8_t source;
    uint32_t value, in_bytes;
    uint16_t out_bytes, piece;
};

static void put(uint8_t *out, unsigned bytes, uint32_t value)
{
    for (unsigned i = 0; i < bytes; i++)
        out[i] = (uint8_t)(value >> (8 * i));
}

static void pack(uint8_t out[13], const struct request *q)
{
    out[0] = q->source;
    put(out + 1, 4, q->value);
    put(out + 5, 4, q->in_bytes);
    put(out + 9, 2, q->out_bytes);
    put(out + 11, 2, q->piece);
}

static uint32_t ticks_of(const struct harness *h)
{
    return (uint32_t)h->answer[0] | (uint32_t)h->answer[1] << 8 | (uint32_t)h->answer[2] << 16 |
           (uint32_t)h->answer[3] << 24;
}

/* The operation's cycles by the chip's timer. */
static uint32_t run(struct harness *h, const struct request *q)
{
    uint8_t payload[13];
    ask(h, 'N', NULL, 0);
    assert_int_equal(h->answer_bytes, 4);
    uint32_t overhead = ticks_of(h);
    pack(payload, q);
    ask(h, 'R', payload, sizeof payload);
    assert_int_equal(h->answer_bytes, 4 + q->out_bytes);
    return ticks_of(h) - overhead;
}

/* The message of a request, after firmware/README.md; `buffer` is what M has put into the device.
 */
static void make_message(uint8_t *out, const struct request *q, const uint8_t *buffer)
{
    uint32_t x = q->value;
    for (uint32_t i = 0; i < q->in_bytes; i++) {
        x = x * 1664525u + 1013904223u;
        uint32_t byte = q->source == 0 ? buffer[i] : q->source == 1 ? x >> 24 : i % q->value;
        out[i] = (uint8_t)byte;
    }
}

/* One request: the output of the host's own primitive, and the law of the timer. */
static void check(struct harness *h, const struct request *q, const uint8_t *buffer,
                  const char *key, const char *prefix)
{
    struct window w = {.calls = 0};
    uint8_t message[4096], expected[256];
    char name[64];
    static const char *const parts[] = {"_init", "_update", "_final"};
    for (unsigned i = 0; i < (q->piece ? 3u : 1u); i++) {
        snprintf(name, sizeof name, "%s%s", prefix, q->piece ? parts[i] : "");
        watch(h, &w, i, name);
    }
    uint32_t cycles = run(h, q);
    unwatch(h, &w);
    make_message(message, q, buffer);
    h->primitive->once(expected, q->out_bytes, message, q->in_bytes, (const unsigned char *)key,
                       key ? strlen(key) : 0);
    assert_memory_equal(h->answer + 4, expected, q->out_bytes);
    assert_int_equal(w.calls, q->piece ? 2 + (q->in_bytes + q->piece - 1) / q->piece : 1);
    assert_int_equal(cycles, w.cycles);
}

static const char sha256_arguments[] =
    "-DUJ_KIND_HASH -DUJ_PREFIX=sha256_ref -DUJ_HEADER='\"sha256_ref.h\"' -DUJ_OUTPUT_BYTES=32 "
    "-I" UJ_SOURCE_DIR "/primitives/hash/sha256/ref " UJ_SOURCE_DIR
    "/primitives/hash/sha256/ref/*.c";

static void hash(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct harness *h = harness_open(boards[i], "harness-hash", sha256_arguments);
        h->primitive = primitive_find(PRIMITIVE_HASH, "sha256", "ref");
        ask(h, 'I', NULL, 0);
        uint8_t identity[] = {1, 0, 0, 0, 0, 0, 32, 0};
        put(identity + 2, 4, h->buffer_bytes);
        assert_int_equal(h->answer_bytes, sizeof identity);
        assert_memory_equal(h->answer, identity, sizeof identity);

        /* A literal message that fills the buffer, in two frames. */
        uint8_t frame[2 + 1024], buffer[1024];
        uint32_t rest = 124, first = h->buffer_bytes - rest;
        for (size_t j = 0; j < h->buffer_bytes; j++)
            buffer[j] = (uint8_t)(j * j + 7 * j);
        put(frame, 2, 0);
        memcpy(frame + 2, buffer, first);
        ask(h, 'M', frame, 2 + first);
        assert_int_equal(h->answer[0] | h->answer[1] << 8, 0);
        put(frame, 2, first);
        memcpy(frame + 2, buffer + first, rest);
        ask(h, 'M', frame, 2 + rest);
        assert_int_equal(h->answer[0] | h->answer[1] << 8, first);
        check(h, &(struct request){0, 0, h->buffer_bytes, 32, 0}, buffer, NULL, "sha256_ref");
        check(h, &(struct request){0, 0, h->buffer_bytes - 24, 32, 300}, buffer, NULL,
              "sha256_ref");
        check(h, &(struct request){2, 251, 4000, 32, (uint16_t)h->buffer_bytes}, NULL, NULL,
              "sha256_ref");

        static const struct request requests[] = {
            {1, 1, 0, 32, 0},           {1, 1, 1, 32, 0},
            {1, 0xDEADBEEF, 64, 32, 0}, {1, 0xFFFFFFFF, 119, 32, 0},
            {2, 251, 512, 32, 0},       {2, 256, 400, 32, 0},
            {2, 1, 3, 32, 0},           {1, 5, 3000, 32, 37},
            {1, 9, 0, 32, 16},          {1, 9, 32, 32, 16},
        };
        for (size_t j = 0; j < sizeof requests / sizeof requests[0]; j++)
            check(h, &requests[j], NULL, NULL, "sha256_ref");
        harness_close(h);
    }
}

static void xof(void **state)
{
    (void)state;
    struct harness *h = harness_open(
        "cw-xmega", "harness-xof",
        "-DUJ_KIND_XOF -DUJ_PREFIX=turboshake128_ref -DUJ_HEADER='\"turboshake128_ref.h\"' "
        "-DUJ_OUTPUT_BYTES=200 -I" UJ_SOURCE_DIR "/primitives/xof/turboshake128/ref " UJ_SOURCE_DIR
        "/primitives/xof/turboshake128/ref/*.c");
    h->primitive = primitive_find(PRIMITIVE_XOF, "turboshake128", "ref");
    static const struct request requests[] = {
        {1, 3, 20, 32, 0}, {1, 3, 20, 1, 0}, {2, 250, 400, 200, 0}, {1, 4, 500, 177, 99}};
    for (size_t j = 0; j < sizeof requests / sizeof requests[0]; j++)
        check(h, &requests[j], NULL, NULL, "turboshake128_ref");
    uint8_t payload[13];
    pack(payload, &(struct request){1, 1, 1, 0, 0});
    expect_refusal(h, 'R', payload, 13, 4);
    pack(payload, &(struct request){1, 1, 1, 201, 0});
    expect_refusal(h, 'R', payload, 13, 3);
    ask(h, 'I', NULL, 0);
    assert_int_equal(h->answer[1], 1);
    harness_close(h);
}

static void mac(void **state)
{
    (void)state;
    struct harness *h = harness_open(
        "cw-xmega", "harness-mac",
        "-DUJ_KIND_MAC -DUJ_PREFIX=hmac_sha256_ref -DUJ_HEADER='\"hmac_sha256_ref.h\"' "
        "-DUJ_OUTPUT_BYTES=32 -DUJ_KEY_BYTES=100 -I" UJ_SOURCE_DIR
        "/primitives/hash/sha256/ref -I" UJ_SOURCE_DIR
        "/primitives/mac/hmac-sha256/ref " UJ_SOURCE_DIR
        "/primitives/hash/sha256/ref/*.c " UJ_SOURCE_DIR "/primitives/mac/hmac-sha256/ref/*.c");
    h->primitive = primitive_find(PRIMITIVE_MAC, "hmac-sha256", "ref");
    static const char *const keys[] = {
        "Jefe", "",
        "a key that is longer than one block of the hash and is hashed itself first of all"};
    for (size_t i = 0; i < 3; i++) {
        ask(h, 'C', keys[i], strlen(keys[i]));
        assert_int_equal(h->answer_bytes, 0);
        check(h, &(struct request){1, 77, 50, 32, 0}, NULL, keys[i], "hmac_sha256_ref");
        check(h, &(struct request){1, 77, 150, 32, 64}, NULL, keys[i], "hmac_sha256_ref");
    }
    uint8_t long_key[101] = {0};
    expect_refusal(h, 'C', long_key, sizeof long_key, 3);
    ask(h, 'I', NULL, 0);
    assert_int_equal(h->answer[1], 2);
    harness_close(h);
}

static const char supercop_arguments[] =
    "-DUJ_KIND_SUPERCOP -DUJ_HEADER='\"crypto_hash.h\"' -DUJ_OUTPUT_BYTES=3 -I" UJ_SOURCE_DIR
    "/tests/device/firmware/supercop " UJ_SOURCE_DIR
    "/tests/device/firmware/supercop/crypto_hash.c";

/* Around the timer's wrap an interrupt comes in every cycle of the operation's end and of the path.
 */
static void supercop_and_wrap(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct harness *h = harness_open(boards[i], "harness-supercop", supercop_arguments);
        uint8_t message[5] = {0, 0, 0, 0, 0};
        unsigned wrapped = 0;
        for (unsigned delay = 64950; delay < 64950 + 240; delay++) {
            put(message + 2, 2, delay / 4);
            message[4] = (uint8_t)(delay % 4);
            ask(h, 'M', message, 5);
            struct window w = {.calls = 0};
            watch(h, &w, 0, "crypto_hash");
            uint64_t isr_before = h->rig->machine->core->isr_cycles;
            uint32_t cycles = run(h, &(struct request){0, 0, 3, 3, 0});
            unwatch(h, &w);
            assert_int_equal(w.calls, 1);
            if (cycles != w.cycles)
                fail_msg("delay %u: timer %u, window %llu", delay, cycles,
                         (unsigned long long)w.cycles);
            wrapped += h->rig->machine->core->isr_cycles != isr_before;
            assert_int_equal(h->answer[4], (message[2] + message[3] + message[4]) & 0xFF);
            assert_int_equal(h->answer[5], 3);
            assert_int_equal(h->answer[6], 0);
        }
        assert_in_range(wrapped, 20, 220); /* the sweep has both sides */

        uint8_t payload[13];
        pack(payload, &(struct request){1, 1, 2, 3, 0});
        expect_refusal(h, 'R', payload, 13, 5);
        pack(payload, &(struct request){1, 1, 20, 3, 4});
        expect_refusal(h, 'R', payload, 13, 4);
        harness_close(h);
    }
}

static void refusals(void **state)
{
    (void)state;
    struct harness *h = harness_open("cw-xmega", "harness-hash", sha256_arguments);
    uint8_t payload[1200] = {0};

    send(h, 'I', NULL, 0, 1);
    assert_int_equal(h->command, 'E');
    assert_int_equal(h->answer[0], 1);
    expect_refusal(h, 'Z', payload, 40, 2);
    expect_refusal(h, 'C', payload, 4, 2); /* a hash has no key */
    expect_refusal(h, 'I', payload, 1, 4);
    expect_refusal(h, 'N', payload, 3, 4);
    expect_refusal(h, 'M', payload, 1, 4);
    put(payload, 2, 1000);
    expect_refusal(h, 'M', payload, 2 + 25, 3);
    put(payload, 2, 0xFFFF);
    expect_refusal(h, 'M', payload, 2 + 1, 3);
    put(payload, 2, 1000);
    ask(h, 'M', payload, 2 + 24);
    put(payload, 2, 1024);
    ask(h, 'M', payload, 2);
    static const struct {
        struct request request;
        unsigned code;
    } bad[] = {
        {{3, 1, 1, 32, 0}, 4},     {{2, 0, 1, 32, 0}, 4},       {{1, 1, 1025, 32, 0}, 3},
        {{0, 0, 1025, 32, 16}, 3}, {{1, 1, 10, 32, 1025}, 3},   {{1, 1, 10, 31, 0}, 4},
        {{1, 1, 10, 33, 0}, 3},    {{1, 1, 0x10010, 32, 0}, 3},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        pack(payload, &bad[i].request);
        expect_refusal(h, 'R', payload, 13, bad[i].code);
    }
    pack(payload, &bad[0].request);
    expect_refusal(h, 'R', payload, 12, 4);

    /* Noise before a frame is passed over. */
    static const uint8_t noise[] = {0x00, 0x6A, 0xFF};
    serial_feed(h->rig->serial, noise, sizeof noise);
    ask(h, 'I', NULL, 0);
    harness_close(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hash),     cmocka_unit_test(xof),
        cmocka_unit_test(mac),      cmocka_unit_test(supercop_and_wrap),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
