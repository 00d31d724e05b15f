/*
 * The compiler's runtime for the MSP430: every helper, called by the EABI and by what the compiler
 * makes of C, on all three cores against the host's arithmetic; registers, stack and interrupts as
 * the ABI has them; interrupts at every place of a multiplication; cycles as the sources say.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/str.h"
#include "image/image.h"
#include "msp430_multiplier.h"

enum { STOP = 0xFFF0, STACK = 0x3F00, HANDLER = 0x3000, VECTOR = 0xFF80, RANDOM_CASES = 300 };

#define FOLDER UJ_BUILD_DIR "/test_msp430_runtime"

static const char *const cores[] = {"msp430", "msp430x", "msp430xv2"};

static struct image *image;
static struct msp430_rig *rig;
static struct multiplier mpy, mpy_5xx;

static void must(int status, const char *what)
{
    if (status != 0)
        fail_msg("%s", what);
}

/* The runtime and the calls for each kind of multiplier, at 0x4000. */
static int build(void **state)
{
    static const struct {
        const char *name, *flag;
    } kinds[] = {{"none", "none"}, {"hw", "16bit"}, {"hw32", "32bit"}, {"f5", "f5series"}};
    (void)state;
    struct uj_ctx ctx = {0};
    struct str s;
    str_init(&s);
    str_addf(&s,
             "set -e; mkdir -p '%s'; cd '%s'; rm -f *.o;"
             "runtime='%s/firmware/arch/msp430/runtime'; cc='clang-19 --target=msp430 -Os -g "
             "-nostdlibinc -ffunction-sections -Wall -Werror -Wno-invalid-command-line-argument';"
             "for f in \"$runtime\"/*.S; do $cc -mmcu=msp430f1611 -c \"$f\"; done;",
             FOLDER, FOLDER, UJ_SOURCE_DIR);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        str_addf(&s,
                 "$cc -mmcu=msp430f1611 -mhwmult=%s -D'CALL(x)=%s_##x' -I\"$runtime/include\" -c "
                 "-o %s.o '%s/tests/device/firmware/msp430_calls.c';",
                 kinds[k].flag, kinds[k].name, kinds[k].name, UJ_SOURCE_DIR);
    str_addf(&s,
             "echo 'SECTIONS { .text 0x4000 : { *(.text .text.*) *(.rodata .rodata.*) } }' >all.ld;"
             "ld.lld-19 --nmagic -T all.ld -e 0x4000 -o all.elf *.o");
    must(system(s.text), s.text);
    str_free(&s);
    if (image_load(&ctx, &image, FOLDER "/all.elf", 105 /* EM_MSP430 */, "msp430") != UJ_OK)
        fail_msg("%s", ctx.message);
    return 0;
}

static int drop(void **state)
{
    (void)state;
    image_free(image);
    return 0;
}

static void open_core(const char *core)
{
    rig = rig_new(core, NULL);
    multiplier_add(&mpy, rig, 0x130);
    multiplier_add(&mpy_5xx, rig, 0x4C0);
    for (size_t i = 0; i < image->segment_count; i++)
        memcpy(rig->memory + image->segments[i].address, image->segments[i].data,
               image->segments[i].bytes);
    rig->core->class->watch(rig->core, STOP, true);
}

/* Where a function takes and leaves a value: its lowest register, its words; or the stack. */
enum place { R8 = 8, R11 = 11, R12 = 12, R13 = 13, R14 = 14, ON_STACK = 1 };

struct shape {
    unsigned a, a_words, b, b_words, result_words;
};

static uint32_t address_of(const char *name)
{
    struct uj_ctx ctx = {0};
    const struct image_symbol *s;
    if (image_need_symbol(&ctx, &s, image, name) != UJ_OK)
        fail_msg("%s", ctx.message);
    return s->address;
}

static void put_value(unsigned place, unsigned words, uint64_t value)
{
    for (unsigned i = 0; i < words; i++) {
        uint16_t word = (uint16_t)(value >> (16 * i));
        if (place == ON_STACK)
            rig_put(rig, STACK + 2 + 2 * i, &word, 1);
        else
            rig_set(rig, place + i, word);
    }
}

static uint64_t get_value(unsigned words)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < words; i++)
        value |= (uint64_t)(rig_get(rig, R12 + i) & 0xFFFF) << (16 * i);
    return value;
}

/* All is set for the function's first instruction; the return address leads to STOP. */
static void enter(uint32_t address, const struct shape *s, uint64_t a, uint64_t b, uint16_t sr)
{
    static const uint16_t stop = STOP;
    for (unsigned i = 4; i < 16; i++)
        rig_set(rig, i, 0x5A00 + 0x11 * i);
    rig_set(rig, MSP430_SP, STACK);
    rig_put(rig, STACK, &stop, 1);
    put_value(s->a, s->a_words, a);
    put_value(s->b, s->b_words, b);
    rig_set(rig, MSP430_SR, sr);
    rig->core->class->set_pc(rig->core, address);
}

/* Runs to the return; what the ABI promises is as it was. */
static void leave(const char *name, const struct shape *s, uint64_t a, uint64_t b, uint16_t sr)
{
    unsigned faults = mpy.faults + mpy_5xx.faults;
    if (rig_run(rig, 100000) != CORE_WATCH)
        fail_msg("%s: does not return (pc 0x%x)", name, rig->core->class->pc(rig->core));
    for (unsigned i = 4; i <= 10; i++) {
        uint32_t expected = 0x5A00 + 0x11 * i;
        if (s->a == R8 && i >= R8 && i < R8 + s->a_words)
            expected = (uint16_t)(a >> (16 * (i - R8)));
        if (rig_get(rig, i) != expected)
            fail_msg("%s(%llx, %llx): R%u is not kept", name, (unsigned long long)a,
                     (unsigned long long)b, i);
    }
    assert_int_equal(rig_get(rig, MSP430_SP), STACK + 2);
    assert_int_equal(rig_get(rig, MSP430_SR) & MSP430_SR_GIE, sr & MSP430_SR_GIE);
    if (mpy.faults + mpy_5xx.faults != faults)
        fail_msg("%s: uses the multiplier as it must not", name);
}

static uint64_t masked(uint64_t value, unsigned words)
{
    return words >= 4 ? value : value & (((uint64_t)1 << (16 * words)) - 1);
}

static int64_t extended(uint64_t value, unsigned words)
{
    unsigned bits = 64 - 16 * words;
    return (int64_t)(value << bits) >> bits;
}

/* What it computes; words: of the operands. */
typedef uint64_t oracle(uint64_t a, uint64_t b, unsigned words);

static uint64_t product(uint64_t a, uint64_t b, unsigned words)
{
    (void)words;
    return a * b;
}
static uint64_t product_signed(uint64_t a, uint64_t b, unsigned words)
{
    return (uint64_t)extended(a, words) * (uint64_t)extended(b, words);
}
static uint64_t quotient(uint64_t a, uint64_t b, unsigned words)
{
    (void)words;
    return a / b;
}
static uint64_t rest(uint64_t a, uint64_t b, unsigned words)
{
    (void)words;
    return a % b;
}
static uint64_t quotient_signed(uint64_t a, uint64_t b, unsigned words)
{
    int64_t x = extended(a, words), y = extended(b, words);
    return y == -1 ? 0 - (uint64_t)x : (uint64_t)(x / y);
}
static uint64_t rest_signed(uint64_t a, uint64_t b, unsigned words)
{
    int64_t x = extended(a, words), y = extended(b, words);
    return y == -1 ? 0 : (uint64_t)(x % y);
}
static uint64_t left(uint64_t a, uint64_t b, unsigned words)
{
    return b >= 16 * words ? 0 : a << b;
}
static uint64_t right(uint64_t a, uint64_t b, unsigned words)
{
    return b >= 16 * words ? 0 : a >> b;
}
static uint64_t right_signed(uint64_t a, uint64_t b, unsigned words)
{
    return (uint64_t)(extended(a, words) >> (b >= 16 * words ? 63 : b));
}
static uint64_t less(uint64_t a, uint64_t b, unsigned words)
{
    (void)words;
    return a < b;
}
static uint64_t less_signed(uint64_t a, uint64_t b, unsigned words)
{
    return extended(a, words) < extended(b, words);
}
static uint64_t equal(uint64_t a, uint64_t b, unsigned words)
{
    (void)words;
    return a == b;
}

enum second { ANY, NOT_ZERO, COUNT_DEFINED, COUNT_ANY };

struct helper {
    const char *name;
    oracle *oracle;
    enum second second;
    struct shape shape;
};

#define IN_16             \
    {                     \
        R12, 1, R13, 1, 1 \
    }
#define IN_16_OUT_32      \
    {                     \
        R12, 1, R13, 1, 2 \
    }
#define IN_32             \
    {                     \
        R12, 2, R14, 2, 2 \
    }
#define IN_32_OUT_64      \
    {                     \
        R12, 2, R14, 2, 4 \
    }
#define IN_64            \
    {                    \
        R8, 4, R12, 4, 4 \
    }
#define IN_64_STACK            \
    {                          \
        R12, 4, ON_STACK, 4, 4 \
    }
#define IN_64_OUT_16           \
    {                          \
        R12, 4, ON_STACK, 4, 1 \
    }
#define COUNT_OF_16       \
    {                     \
        R12, 1, R13, 1, 1 \
    }
#define COUNT_OF_32       \
    {                     \
        R12, 2, R14, 1, 2 \
    }
#define COUNT_OF_64      \
    {                    \
        R8, 4, R12, 1, 4 \
    }
#define COUNT_ON_STACK         \
    {                          \
        R12, 4, ON_STACK, 1, 4 \
    }

/* By the EABI's own rules; but mpyll with hardware as clang has it, the second factor on the stack.
 */
static const struct helper helpers[] = {
    {"__mspabi_mpyi", product, ANY, IN_16},
    {"__mspabi_mpyi_hw", product, ANY, IN_16},
    {"__mspabi_mpyi_f5hw", product, ANY, IN_16},
    {"__mspabi_mpyul", product, ANY, IN_16_OUT_32},
    {"__mspabi_mpyul_hw", product, ANY, IN_16_OUT_32},
    {"__mspabi_mpyul_f5hw", product, ANY, IN_16_OUT_32},
    {"__mspabi_mpysl", product_signed, ANY, IN_16_OUT_32},
    {"__mspabi_mpysl_hw", product_signed, ANY, IN_16_OUT_32},
    {"__mspabi_mpysl_f5hw", product_signed, ANY, IN_16_OUT_32},
    {"__mspabi_mpyl", product, ANY, IN_32},
    {"__mspabi_mpyl_hw", product, ANY, IN_32},
    {"__mspabi_mpyl_hw32", product, ANY, IN_32},
    {"__mspabi_mpyl_f5hw", product, ANY, IN_32},
    {"__mspabi_mpyull", product, ANY, IN_32_OUT_64},
    {"__mspabi_mpyull_hw", product, ANY, IN_32_OUT_64},
    {"__mspabi_mpyull_hw32", product, ANY, IN_32_OUT_64},
    {"__mspabi_mpyull_f5hw", product, ANY, IN_32_OUT_64},
    {"__mspabi_mpysll", product_signed, ANY, IN_32_OUT_64},
    {"__mspabi_mpysll_hw", product_signed, ANY, IN_32_OUT_64},
    {"__mspabi_mpysll_hw32", product_signed, ANY, IN_32_OUT_64},
    {"__mspabi_mpysll_f5hw", product_signed, ANY, IN_32_OUT_64},
    {"__mspabi_mpyll", product, ANY, IN_64},
    {"__mspabi_mpyll_hw", product, ANY, IN_64_STACK},
    {"__mspabi_mpyll_hw32", product, ANY, IN_64_STACK},
    {"__mspabi_mpyll_f5hw", product, ANY, IN_64_STACK},
    {"__mspabi_divu", quotient, NOT_ZERO, IN_16},
    {"__mspabi_remu", rest, NOT_ZERO, IN_16},
    {"__mspabi_divi", quotient_signed, NOT_ZERO, IN_16},
    {"__mspabi_remi", rest_signed, NOT_ZERO, IN_16},
    {"__mspabi_divul", quotient, NOT_ZERO, IN_32},
    {"__mspabi_remul", rest, NOT_ZERO, IN_32},
    {"__mspabi_divli", quotient_signed, NOT_ZERO, IN_32},
    {"__mspabi_remli", rest_signed, NOT_ZERO, IN_32},
    {"__mspabi_divull", quotient, NOT_ZERO, IN_64},
    {"__mspabi_remull", rest, NOT_ZERO, IN_64},
    {"__mspabi_divlli", quotient_signed, NOT_ZERO, IN_64},
    {"__mspabi_remlli", rest_signed, NOT_ZERO, IN_64},
    {"__mspabi_slli", left, COUNT_ANY, COUNT_OF_16},
    {"__mspabi_srli", right, COUNT_ANY, COUNT_OF_16},
    {"__mspabi_srai", right_signed, COUNT_ANY, COUNT_OF_16},
    {"__mspabi_slll", left, COUNT_ANY, COUNT_OF_32},
    {"__mspabi_srll", right, COUNT_ANY, COUNT_OF_32},
    {"__mspabi_sral", right_signed, COUNT_ANY, COUNT_OF_32},
    {"__mspabi_sllll", left, COUNT_ANY, COUNT_OF_64},
    {"__mspabi_srlll", right, COUNT_ANY, COUNT_OF_64},
    {"__mspabi_srall", right_signed, COUNT_ANY, COUNT_OF_64},
};

/* As C calls them; the name behind the multiplier's. */
static const struct helper calls[] = {
    {"mul16", product, ANY, IN_16},
    {"mul16_32", product, ANY, IN_16_OUT_32},
    {"mul16_32s", product_signed, ANY, IN_16_OUT_32},
    {"mul32", product, ANY, IN_32},
    {"mul32_64", product, ANY, IN_32_OUT_64},
    {"mul32_64s", product_signed, ANY, IN_32_OUT_64},
    {"mul64", product, ANY, IN_64_STACK},
    {"div16", quotient, NOT_ZERO, IN_16},
    {"rem16", rest, NOT_ZERO, IN_16},
    {"div16s", quotient_signed, NOT_ZERO, IN_16},
    {"rem16s", rest_signed, NOT_ZERO, IN_16},
    {"div32", quotient, NOT_ZERO, IN_32},
    {"rem32", rest, NOT_ZERO, IN_32},
    {"div32s", quotient_signed, NOT_ZERO, IN_32},
    {"rem32s", rest_signed, NOT_ZERO, IN_32},
    {"div64", quotient, NOT_ZERO, IN_64_STACK},
    {"rem64", rest, NOT_ZERO, IN_64_STACK},
    {"div64s", quotient_signed, NOT_ZERO, IN_64_STACK},
    {"rem64s", rest_signed, NOT_ZERO, IN_64_STACK},
    {"shl16", left, COUNT_DEFINED, COUNT_OF_16},
    {"shr16", right, COUNT_DEFINED, COUNT_OF_16},
    {"sar16", right_signed, COUNT_DEFINED, COUNT_OF_16},
    {"shl32", left, COUNT_DEFINED, COUNT_OF_32},
    {"shr32", right, COUNT_DEFINED, COUNT_OF_32},
    {"sar32", right_signed, COUNT_DEFINED, COUNT_OF_32},
    {"shl64", left, COUNT_DEFINED, COUNT_ON_STACK},
    {"shr64", right, COUNT_DEFINED, COUNT_ON_STACK},
    {"sar64", right_signed, COUNT_DEFINED, COUNT_ON_STACK},
    {"less64", less, ANY, IN_64_OUT_16},
    {"less64s", less_signed, ANY, IN_64_OUT_16},
    {"equal64", equal, ANY, IN_64_OUT_16},
};

static const uint64_t edges[] = {
    0,
    1,
    2,
    3,
    9,
    10,
    15,
    16,
    17,
    255,
    256,
    257,
    0x7FFE,
    0x7FFF,
    0x8000,
    0x8001,
    0xFFFE,
    0xFFFF,
    0x10000,
    0x10001,
    0x12345,
    0x7FFFFFFF,
    0x80000000,
    0x80000001,
    0xFFFF0000,
    0xFFFF8000,
    0xFFFFFFFE,
    0xFFFFFFFF,
    0x100000000,
    0x8000FFFF0001,
    0x0001FFFFFFFFFFFF,
    0x7FFFFFFFFFFFFFFF,
    0x8000000000000000,
    0x8000000000000001,
    0xFFFF00000000FFFF,
    0xFFFFFFFFFFFF8000,
    0xFFFFFFFFFFFFFFFE,
    0xFFFFFFFFFFFFFFFF,
};
enum { EDGES = sizeof edges / sizeof *edges };

static void check(const char *name, uint32_t address, const struct helper *h, uint64_t a,
                  uint64_t b, uint16_t sr)
{
    const struct shape *s = &h->shape;
    a = masked(a, s->a_words);
    b = masked(b, s->b_words);
    if (h->second == COUNT_DEFINED)
        b %= 16 * s->a_words;
    if (h->second == NOT_ZERO && b == 0)
        return;
    uint64_t expected = masked(h->oracle(a, b, s->a_words), s->result_words);
    enter(address, s, a, b, sr);
    leave(name, s, a, b, sr);
    uint64_t got = get_value(s->result_words);
    if (got != expected)
        fail_msg("%s(0x%llx, 0x%llx) is 0x%llx, not 0x%llx", name, (unsigned long long)a,
                 (unsigned long long)b, (unsigned long long)got, (unsigned long long)expected);
}

/* Random numbers of every length, so that short ones come as often as long ones. */
static uint64_t any_number(uint64_t *random)
{
    uint64_t value = (uint64_t)rig_random(random) << 32 | rig_random(random);
    return value >> rig_random(random) % 64;
}

static void check_helper(const char *name, const struct helper *h)
{
    uint32_t address = address_of(name);
    uint64_t random = 430;
    for (unsigned i = 0; i < EDGES; i++)
        for (unsigned j = 0; j < EDGES; j++)
            check(name, address, h, edges[i], edges[j], (i + j) & 1 ? MSP430_SR_GIE : 0);
    if (h->second == COUNT_ANY || h->second == COUNT_DEFINED)
        for (unsigned n = 0; n < 70; n++)
            for (unsigned i = 0; i < 4; i++)
                check(name, address, h, any_number(&random) | (uint64_t)i << 62, n, 0);
    for (unsigned n = 0; n < RANDOM_CASES; n++)
        check(name, address, h, any_number(&random), any_number(&random), 0);
}

static void helpers_by_the_eabi(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof cores / sizeof *cores; c++) {
        open_core(cores[c]);
        for (size_t i = 0; i < sizeof helpers / sizeof *helpers; i++)
            check_helper(helpers[i].name, &helpers[i]);
        assert_true(mpy.accesses > 1000 && mpy_5xx.accesses > 1000);
        rig_free(rig);
    }
}

static void helpers_called_by_c(void **state)
{
    static const char *const kinds[] = {"none", "hw", "hw32", "f5"};
    (void)state;
    for (size_t c = 0; c < sizeof cores / sizeof *cores; c++) {
        open_core(cores[c]);
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
                /* What is no product is the same for all kinds of multiplier. */
                if (k > 0 && strncmp(calls[i].name, "mul", 3) != 0)
                    continue;
                char *name = uj_format("%s_%s", kinds[k], calls[i].name);
                check_helper(name, &calls[i]);
                free(name);
            }
        }
        rig_free(rig);
    }
}

static void shifts_by_constants(void **state)
{
    static const struct {
        const char *name;
        oracle *oracle;
        unsigned words;
    } shifts[] = {
        {"slli", left, 1}, {"srli", right, 1}, {"srai", right_signed, 1},
        {"slll", left, 2}, {"srll", right, 2}, {"sral", right_signed, 2},
    };
    (void)state;
    open_core("msp430");
    for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++) {
        for (unsigned n = 1; n <= 15; n++) {
            char *name = uj_format("__mspabi_%s_%u", shifts[i].name, n);
            uint32_t address = address_of(name);
            const struct shape s = {R12, shifts[i].words, R14, 0, shifts[i].words};
            for (unsigned e = 0; e < EDGES; e++) {
                uint64_t a = masked(edges[e], s.a_words);
                enter(address, &s, a, 0, 0);
                leave(name, &s, a, 0, 0);
                assert_int_equal(get_value(s.result_words),
                                 masked(shifts[i].oracle(a, n, s.a_words), s.result_words));
            }
            free(name);
        }
    }
    rig_free(rig);
}

/* A division by zero may give anything, but it returns and keeps what must be kept. */
static void division_by_zero_ends(void **state)
{
    (void)state;
    open_core("msp430");
    for (size_t i = 0; i < sizeof helpers / sizeof *helpers; i++) {
        const struct helper *h = &helpers[i];
        for (unsigned e = 0; e < EDGES && h->second == NOT_ZERO; e++) {
            uint64_t a = masked(edges[e], h->shape.a_words);
            enter(address_of(h->name), &h->shape, a, 0, 0);
            leave(h->name, &h->shape, a, 0, 0);
        }
    }
    rig_free(rig);
}

/* What follows DINT can still be interrupted on the chip: the multiplier is not touched there. */
static void no_access_behind_dint(const struct helper *h, uint64_t a, uint64_t b)
{
    bool on_before = true, ended = false;
    enter(address_of(h->name), &h->shape, a, b, MSP430_SR_GIE);
    while (!ended) {
        bool on = (rig_get(rig, MSP430_SR) & MSP430_SR_GIE) != 0;
        unsigned accesses = mpy.accesses + mpy_5xx.accesses;
        ended = rig_run(rig, 1) == CORE_WATCH;
        if (mpy.accesses + mpy_5xx.accesses != accesses && on_before)
            fail_msg("%s: uses the multiplier right behind DINT", h->name);
        on_before = on;
    }
}

/* An interrupt behind each instruction, whose handler multiplies as well. */
static void interrupts_do_no_harm(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof cores / sizeof *cores; c++) {
        open_core(cores[c]);
        RIG_PUT(rig, VECTOR, HANDLER);
        RIG_PUT(rig, HANDLER, 0x40B2, 0x1234, 0x0130, /* mov #0x1234, &MPY */
                0x40B2, 0x5678, 0x0138,               /* mov #0x5678, &OP2 */
                0x40B2, 0x4321, 0x04D0,               /* mov #0x4321, &MPY32L of the 5xx */
                0x40B2, 0x8765, 0x04E0,               /* mov #0x8765, &OP2L */
                0x40B2, 0x1111, 0x04E2,               /* mov #0x1111, &OP2H */
                0x4303, 0x4303, 0x4303, 0x4303, 0x4303, 0x4303, 0x1300);
        for (size_t i = 0; i < sizeof helpers / sizeof *helpers; i++) {
            const struct helper *h = &helpers[i];
            uint64_t a = masked(0xFEDCBA9876543210, h->shape.a_words),
                     b = masked(0x8899AABBCCDDEEFF, h->shape.b_words);
            uint64_t expected = masked(h->oracle(a, b, h->shape.a_words), h->shape.result_words);
            unsigned taken = 0, steps = 0;
            if (!strstr(h->name, "mpy") || !strstr(h->name, "hw"))
                continue;
            no_access_behind_dint(h, a, b);
            for (bool ended = false; !ended; steps++) {
                enter(address_of(h->name), &h->shape, a, b, MSP430_SR_GIE);
                for (unsigned n = 0; n < steps && !ended; n++)
                    ended = rig_run(rig, 1) == CORE_WATCH;
                if (ended)
                    break;
                rig->irq_vector = VECTOR;
                rig->core->irq_pending = true;
                unsigned before = rig->irq_taken;
                leave(h->name, &h->shape, a, b, MSP430_SR_GIE);
                taken += rig->irq_taken - before;
                rig->core->irq_pending = false;
                if (get_value(h->shape.result_words) != expected)
                    fail_msg("%s: wrong with an interrupt behind %u instructions", h->name, steps);
            }
            assert_true(steps > 7 && taken > 3);
        }
        rig_free(rig);
    }
}

/* On the first MSP430, RET included, which is 3: what rt_*.S say, and no slip in the quick paths.
 */
static void cycles_are_as_the_sources_say(void **state)
{
    static const struct {
        const char *name;
        uint64_t a, b;
        unsigned cycles;
    } rows[] = {
        {"__mspabi_mpyi_hw", 3, 5, 15 + 3},
        {"__mspabi_mpyl_hw", 3, 5, 36 + 3},
        {"__mspabi_mpyll_hw", 3, 5, 132 + 3},
        {"__mspabi_slll", 1, 0, 11},
        {"__mspabi_slll", 1, 7, 11 + 14},
        {"__mspabi_slll", 1, 8, 11 + 6},
        {"__mspabi_slll", 1, 15, 11 + 6 + 14},
        {"__mspabi_slll", 1, 16, 11 + 2},
        {"__mspabi_slll", 1, 31, 11 + 7 + 3},
        {"__mspabi_srll", 1, 9, 22},
        {"__mspabi_divu", 0xFFFF, 1, 124},
        {"__mspabi_divu", 0xFFFF, 0x7FFF, 109},
        {"__mspabi_divu", 255, 10, 67},
        {"__mspabi_divul", 100000, 10, 120},
        {"__mspabi_divul", 0x12345678, 0x12345, 176},
    };
    (void)state;
    open_core("msp430");
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        for (size_t i = 0; i < sizeof helpers / sizeof *helpers; i++) {
            if (strcmp(helpers[i].name, rows[r].name) != 0)
                continue;
            const struct shape *s = &helpers[i].shape;
            enter(address_of(rows[r].name), s, rows[r].a, rows[r].b, 0);
            uint64_t before = rig->core->cycle;
            leave(rows[r].name, s, rows[r].a, rows[r].b, 0);
            if (rig->core->cycle - before != rows[r].cycles)
                fail_msg("%s(%u, %u): %u cycles, not %u", rows[r].name, (unsigned)rows[r].a,
                         (unsigned)rows[r].b, (unsigned)(rig->core->cycle - before),
                         rows[r].cycles);
        }
    }
    rig_free(rig);
}

enum { AREA = 0x8000, OTHER = 0x8400, AREA_BYTES = 0x200 };

static void fill(uint8_t *bytes, uint64_t *random)
{
    for (unsigned i = 0; i < AREA_BYTES; i++)
        bytes[i] = (uint8_t)rig_random(random);
}

/* Every length to 70 and a few longer, at every alignment, moves over each other both ways. */
static void memory_functions(void **state)
{
    static const unsigned longer[] = {127, 128, 129, 255};
    static const struct shape pointer = {R12, 1, R13, 1, 1};
    (void)state;
    open_core("msp430");
    uint64_t random = 7;
    uint8_t host[2 * AREA_BYTES];
    uint8_t *area = rig->memory + AREA, *other = rig->memory + OTHER;
    for (unsigned n = 0; n < 74; n++) {
        unsigned count = n < 70 ? n : longer[n - 70];
        for (unsigned to = 0; to < 2; to++) {
            for (unsigned from = 0; from < 2; from++) {
                static const struct {
                    const char *name;
                    int distance; /* of source and destination; 0: in different places */
                } moves[] = {{"memcpy", 0},  {"memmove", 0},  {"memmove", 1}, {"memmove", -1},
                             {"memmove", 2}, {"memmove", -2}, {"memmove", 7}, {"memmove", -20}};
                for (size_t m = 0; m < sizeof moves / sizeof *moves; m++) {
                    fill(area, &random);
                    fill(other, &random);
                    memcpy(host, area, AREA_BYTES);
                    unsigned source = moves[m].distance
                                          ? AREA + 100 + to + (unsigned)moves[m].distance
                                          : OTHER + 100 + from;
                    memmove(host + 100 + to, rig->memory + source, count);
                    enter(address_of(moves[m].name), &pointer, AREA + 100 + to, source, 0);
                    rig_set(rig, R14, count);
                    leave(moves[m].name, &pointer, 0, 0, 0);
                    assert_int_equal(rig_get(rig, R12), AREA + 100 + to);
                    if (memcmp(area, host, AREA_BYTES) != 0)
                        fail_msg("%s of %u bytes, +%u, distance %d", moves[m].name, count, to,
                                 moves[m].distance);
                }
                fill(area, &random);
                memcpy(host, area, AREA_BYTES);
                memset(host + 100 + to, 0xA5, count);
                enter(address_of("memset"), &pointer, AREA + 100 + to, 0x37A5, 0);
                rig_set(rig, R14, count);
                leave("memset", &pointer, 0, 0, 0);
                assert_int_equal(rig_get(rig, R12), AREA + 100 + to);
                assert_memory_equal(area, host, AREA_BYTES);

                enter(address_of("memcmp"), &pointer, AREA + to, OTHER + from, 0);
                rig_set(rig, R14, 0);
                leave("memcmp", &pointer, 0, 0, 0);
                assert_int_equal(rig_get(rig, R12), 0);
                memcpy(other + from, area + to, count);
                for (int change = -1; change <= 1 && count; change++) {
                    unsigned at = rig_random(&random) % count;
                    other[from + at] = (uint8_t)(area[to + at] + change);
                    enter(address_of("memcmp"), &pointer, AREA + to, OTHER + from, 0);
                    rig_set(rig, R14, count);
                    leave("memcmp", &pointer, 0, 0, 0);
                    int got = (int16_t)rig_get(rig, R12);
                    int expected = memcmp(area + to, other + from, count);
                    assert_int_equal((got > 0) - (got < 0), (expected > 0) - (expected < 0));
                    other[from + at] = area[to + at];
                }
            }
        }
    }
    rig_free(rig);
}

/* Address of the word, and the word. */
static uint16_t word_of(const struct image *program, const char *symbol, unsigned index)
{
    struct uj_ctx ctx = {0};
    const struct image_symbol *s;
    if (image_need_symbol(&ctx, &s, program, symbol) != UJ_OK)
        fail_msg("%s", ctx.message);
    return (uint16_t)rig_word(rig, s->address + 2 * index);
}

static void start_up_prepares_memory(void **state)
{
    static const struct {
        const char *mcu, *core;
        unsigned flash, ram, ram_end, vectors, watchdog, timer_vector, timer;
    } chips[] = {
        {"msp430f1611", "msp430", 0x4000, 0x1100, 0x3900, 0xFFE0, 0x120, 0xFFEA, 0x160},
        {"msp430f2617", "msp430x", 0x3100, 0x1100, 0x3100, 0xFFC0, 0x120, 0xFFF0, 0x160},
        {"msp430f5437", "msp430xv2", 0x5C00, 0x1C00, 0x5C00, 0xFF80, 0x15C, 0xFFE0, 0x380},
    };
    (void)state;
    for (size_t c = 0; c < sizeof chips / sizeof *chips; c++) {
        struct uj_ctx ctx = {0};
        struct image *program;
        char *command = uj_format(
            "set -e; cd '%s'; arch='%s/firmware/arch/msp430';"
            "echo 'MEMORY { flash : ORIGIN = %u, LENGTH = 0x1000 ram : ORIGIN = %u, LENGTH = %u "
            "vectors : ORIGIN = %u, LENGTH = %u }' > memory.ld;"
            "for f in \"$arch/uj_msp430_start.S\" '%s/tests/device/firmware/msp430_startup.c'; do "
            "clang-19 --target=msp430 -mmcu=%s -Os -Wall -Werror -nostdlibinc -I\"$arch\" -c "
            "\"$f\" "
            "-o \"$(basename $f).startup\"; done;"
            "ld.lld-19 --nmagic --gc-sections -T \"$arch/uj_msp430.ld\" -o startup.elf *.startup",
            FOLDER, UJ_SOURCE_DIR, chips[c].flash, chips[c].ram, chips[c].ram_end - chips[c].ram,
            chips[c].vectors, 0x10000 - chips[c].vectors, UJ_SOURCE_DIR, chips[c].mcu);
        must(system(command), command);
        free(command);
        if (image_load(&ctx, &program, FOLDER "/startup.elf", 105, "msp430") != UJ_OK)
            fail_msg("%s", ctx.message);
        rig = rig_new(chips[c].core, NULL);
        memset(rig->memory, 0xA5, rig->memory_bytes);
        for (size_t i = 0; i < program->segment_count; i++)
            memcpy(rig->memory + program->segments[i].address, program->segments[i].data,
                   program->segments[i].bytes);
        rig_forget(rig);
        rig->core->class->reset(rig->core);
        (void)rig_run(rig, 2000);

        assert_int_equal(word_of(program, "filled", 0), 0x1234);
        assert_int_equal(word_of(program, "filled", 1), 0xABCD);
        assert_true(word_of(program, "filled", 2) > 0x5678);
        assert_int_equal(word_of(program, "odd_bytes", 0), 0x0201);
        assert_int_equal(word_of(program, "cleared", 0), 1);
        for (unsigned i = 1; i < 5; i++)
            assert_int_equal(word_of(program, "cleared", i), 0);
        assert_memory_equal(rig->memory + word_of(program, "text", 0), "in flash", 9);
        /* The watchdog is the first thing that is written. */
        assert_int_equal(rig->accesses[0].offset, chips[c].watchdog - RIG_DEVICE);
        assert_int_equal(rig->accesses[0].value, 0x5A80);
        assert_true(rig->accesses[0].write);
        /* main()'s return address is all that lies on the stack. */
        assert_int_equal(rig_get(rig, MSP430_SP), chips[c].ram_end - 2);

        /* Each vector but two leads to the endless loop, and that of the timer counts. */
        unsigned stop = rig_word(rig, chips[c].vectors);
        assert_int_equal(rig_word(rig, stop), 0x3FFF);
        for (unsigned v = chips[c].vectors; v < 0xFFFE; v += 2)
            if (v != chips[c].timer_vector)
                assert_int_equal(rig_word(rig, v), stop);
        static const uint16_t flags = 0x0223;
        if (chips[c].timer < 0x200)
            memcpy(rig->device + chips[c].timer - RIG_DEVICE, &flags, 2);
        else
            memcpy(rig->memory + chips[c].timer, &flags, 2);
        rig->irq_vector = (int)chips[c].timer_vector;
        rig->core->irq_pending = true;
        (void)rig_run(rig, 100);
        assert_int_equal(rig->irq_returned, 1);
        assert_int_equal(word_of(program, "uj_timer_overflows", 0), 1);
        uint16_t left;
        memcpy(&left,
               chips[c].timer < 0x200 ? rig->device + chips[c].timer - RIG_DEVICE
                                      : rig->memory + chips[c].timer,
               2);
        assert_int_equal(left, 0x0222);
        rig_free(rig);
        image_free(program);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(helpers_by_the_eabi),   cmocka_unit_test(helpers_called_by_c),
        cmocka_unit_test(shifts_by_constants),   cmocka_unit_test(division_by_zero_ends),
        cmocka_unit_test(interrupts_do_no_harm), cmocka_unit_test(cycles_are_as_the_sources_say),
        cmocka_unit_test(memory_functions),      cmocka_unit_test(start_up_prepares_memory),
    };
    return cmocka_run_group_tests(tests, build, drop);
}
