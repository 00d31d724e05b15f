/* Input, trigger, timer, call: see uj_timed.h. */
#include "uj_timed.h"

#include "uj_board.h"

#ifndef UJ_BASELINE
#include UJ_HEADER
#endif

#define PASTE2(a, b) a##b
#define PASTE(a, b)  PASTE2(a, b)

__attribute__((aligned(4))) unsigned char uj_message[UJ_MESSAGE_BYTES];
unsigned char uj_output[UJ_OUTPUT_BYTES];
uint16_t uj_output_bytes;
uint32_t uj_timer_ticks;
#if UJ_KEY_BYTES > 0
unsigned char uj_key[UJ_KEY_BYTES];
uint16_t uj_key_bytes;
#endif

#ifdef UJ_BASELINE
/*
 * Stands for every function of the implementation. It is uj_nothing() by another name: by one name,
 * the compiler would see that the timed path is only ever given one function, and fold it in.
 */
void uj_baseline(void) __asm__("uj_nothing");
#endif

/* The bytes of the message, one after another: the source with its state. */
struct input {
    uint8_t source;
    uint32_t value, state;
};

static void make_input(struct input *input, size_t count)
{
    size_t i;

    if (input->source == UJ_SOURCE_BUFFER)
        return;
    for (i = 0; i < count; i++) {
        if (input->source == UJ_SOURCE_SEED) {
            input->state = input->state * UINT32_C(1664525) + UINT32_C(1013904223);
            uj_message[i] = (unsigned char)(input->state >> 24);
        } else {
            uj_message[i] = (unsigned char)input->state;
            if (++input->state == input->value)
                input->state = 0;
        }
    }
}

/*
 * The timed path. Each of these functions exists once and is called for the operation and for
 * uj_nothing() alike, so that what one reads less the other is the operation's own time.
 */
#ifdef __clang__ /* with -Os it makes no copies of functions by itself */
#define TIMED __attribute__((noinline)) static uint32_t
#else
#define TIMED __attribute__((noinline, noclone)) static uint32_t
#endif
#define TIME(call, off)          \
    do {                         \
        uj_trigger(1);           \
        uj_timer_start();        \
        call;                    \
        off;                     \
        ticks = uj_timer_stop(); \
        uj_trigger(0);           \
    } while (0)

#if defined(UJ_KIND_SUPERCOP)

typedef int one_shot(unsigned char *, const unsigned char *, unsigned long long);
#ifdef UJ_BASELINE
#define ONE_SHOT ((one_shot *)uj_baseline)
#else
#define ONE_SHOT crypto_hash
#endif

static int failed;

TIMED time_one_shot(one_shot *function, size_t in_bytes)
{
    register int status UJ_RESULT_REGISTER;
    uint32_t ticks;
    int kept;

    TIME(status = function(uj_output, uj_message, in_bytes), uj_interrupts_off_keeping(status);
         kept = status);
    failed = kept;
    return ticks;
}

#else

#ifdef UJ_BASELINE
#define ONE_SHOT ((one_shot *)uj_baseline)
#define INIT     ((init *)uj_baseline)
#define UPDATE   ((update *)uj_baseline)
#define FINAL    ((final *)uj_baseline)

typedef struct {
    unsigned char nothing;
} context;
#else
#define ONE_SHOT UJ_PREFIX
#define INIT     PASTE(UJ_PREFIX, _init)
#define UPDATE   PASTE(UJ_PREFIX, _update)
#define FINAL    PASTE(UJ_PREFIX, _final)

typedef struct UJ_PREFIX context;
#endif

#if defined(UJ_KIND_XOF)
#define ONE_SHOT_TYPES , size_t
#define ONE_SHOT_MORE  , uj_output_bytes
#define INIT_TYPES
#define INIT_MORE
#define FINAL_TYPES , size_t
#define FINAL_MORE  , uj_output_bytes
#elif defined(UJ_KIND_MAC)
#define ONE_SHOT_TYPES , const unsigned char *, size_t
#define ONE_SHOT_MORE  , uj_key, uj_key_bytes
#define INIT_TYPES     , const unsigned char *, size_t
#define INIT_MORE      , uj_key, uj_key_bytes
#define FINAL_TYPES
#define FINAL_MORE
#elif defined(UJ_KIND_HASH)
#define ONE_SHOT_TYPES
#define ONE_SHOT_MORE
#define INIT_TYPES
#define INIT_MORE
#define FINAL_TYPES
#define FINAL_MORE
#else
#error "define UJ_KIND_HASH, UJ_KIND_XOF, UJ_KIND_MAC or UJ_KIND_SUPERCOP"
#endif

typedef void one_shot(unsigned char *, const unsigned char *, size_t ONE_SHOT_TYPES);
typedef void init(context *INIT_TYPES);
typedef void update(context *, const unsigned char *, size_t);
typedef void final(context *, unsigned char *FINAL_TYPES);

TIMED time_one_shot(one_shot *function, size_t in_bytes)
{
    uint32_t ticks;

    TIME(function(uj_output, uj_message, in_bytes ONE_SHOT_MORE), uj_interrupts_off());
    return ticks;
}

TIMED time_init(init *function, context *c)
{
    uint32_t ticks;

    TIME(function(c INIT_MORE), uj_interrupts_off());
    return ticks;
}

TIMED time_update(update *function, context *c, const unsigned char *in, size_t in_bytes)
{
    uint32_t ticks;

    TIME(function(c, in, in_bytes), uj_interrupts_off());
    return ticks;
}

TIMED time_final(final *function, context *c)
{
    uint32_t ticks;

    TIME(function(c, uj_output FINAL_MORE), uj_interrupts_off());
    return ticks;
}

/*
 * The operation's own time in pieces: of each part, what it took less the path around it. In a
 * function of its own, so that the context lies on the stack only while it is used.
 */
__attribute__((noinline)) static uint32_t run_pieces(const struct uj_request *r,
                                                     struct input *input)
{
    context c;
    uint32_t ticks, done = 0, left = r->in_bytes;

    ticks = time_init(INIT, &c) - time_init((init *)uj_nothing, &c) + UJ_NOTHING_CYCLES;
    while (left > 0) {
        size_t count = left < r->piece ? (size_t)left : r->piece;
        const unsigned char *in = uj_message;

        if (r->source == UJ_SOURCE_BUFFER)
            in += done;
        make_input(input, count);
        ticks += time_update(UPDATE, &c, in, count);
        ticks -= time_update((update *)uj_nothing, &c, in, count) - UJ_NOTHING_CYCLES;
        done += count;
        left -= count;
    }
    ticks += time_final(FINAL, &c);
    ticks -= time_final((final *)uj_nothing, &c) - UJ_NOTHING_CYCLES;
    return ticks;
}

#endif

uint32_t uj_overhead(void)
{
    return time_one_shot((one_shot *)uj_nothing, 0) - UJ_NOTHING_CYCLES;
}

enum uj_error uj_run(const struct uj_request *r)
{
    struct input input;
    uint16_t i;

    if (r->source > UJ_SOURCE_COUNT || (r->source == UJ_SOURCE_COUNT && r->value == 0))
        return UJ_ERROR_ARGUMENT;
    if (r->piece > UJ_MESSAGE_BYTES || r->out_bytes > UJ_OUTPUT_BYTES)
        return UJ_ERROR_LENGTH;
    if ((r->piece == 0 || r->source == UJ_SOURCE_BUFFER) && r->in_bytes > UJ_MESSAGE_BYTES)
        return UJ_ERROR_LENGTH;
#if defined(UJ_KIND_XOF)
    if (r->out_bytes == 0)
        return UJ_ERROR_ARGUMENT;
#else
    if (r->out_bytes != UJ_OUTPUT_BYTES)
        return UJ_ERROR_ARGUMENT;
#endif

    /* An operation that writes nothing must not be taken for one that repeats the last result. */
    for (i = 0; i < UJ_OUTPUT_BYTES; i++)
        uj_output[i] = 0;
    uj_output_bytes = r->out_bytes;
    input.source = r->source;
    input.value = r->value;
    input.state = r->source == UJ_SOURCE_SEED ? r->value : 0;

    if (r->piece != 0) {
#if defined(UJ_KIND_SUPERCOP)
        return UJ_ERROR_ARGUMENT;
#else
        uj_timer_ticks = run_pieces(r, &input) + uj_overhead();
        return UJ_ERROR_NONE;
#endif
    }
    make_input(&input, (size_t)r->in_bytes);
    uj_timer_ticks = time_one_shot(ONE_SHOT, (size_t)r->in_bytes);
#if defined(UJ_KIND_SUPERCOP)
    if (failed != 0)
        return UJ_ERROR_OPERATION;
#endif
    return UJ_ERROR_NONE;
}
