/* The table of fields covers the structure; figures go where a check failed; E-RANK as published.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/measurement.h"
#include "base/measurement_fields.h"
#include "base/str.h"

/* A value in every field, each its own. */
static void fill(struct measurement *m)
{
    measurement_init(m);
    for (size_t i = 0; i < measurement_field_count; i++) {
        const struct measurement_field *f = &measurement_fields[i];
        void *member = field_member(m, f);
        if (f->kind == FIELD_TEXT)
            *(char **)member = uj_format("text of %s", f->name);
        else if (f->kind == FIELD_INTEGER)
            *(int64_t *)member = (int64_t)i + 1000;
        else if (f->kind == FIELD_REAL)
            *(double *)member = (double)i + 0.125;
    }
    m->verified = MEASURED_YES;
}

static size_t size_of_kind(enum field_kind kind)
{
    static const size_t sizes[] = {
        [FIELD_TEXT] = sizeof(char *),
        [FIELD_INTEGER] = sizeof(int64_t),
        [FIELD_REAL] = sizeof(double),
        [FIELD_VERIFIED] = sizeof(enum measured_verified),
        [FIELD_UNVERIFIED] = sizeof(enum measured_verified),
    };
    return sizes[kind];
}

/* Every byte of the structure belongs to exactly one row, padding behind the enumeration aside. */
static void every_member_has_its_row(void **state)
{
    (void)state;
    unsigned char owners[sizeof(struct measurement)] = {0};
    for (size_t i = 0; i < measurement_field_count; i++) {
        const struct measurement_field *f = &measurement_fields[i];
        for (size_t k = 0; k < size_of_kind(f->kind) && f->kind != FIELD_UNVERIFIED; k++)
            owners[f->offset + k]++;
        assert_ptr_equal(measurement_field_named(f->name), f);
        assert_true(f->meaning[0] != '\0');
        if (f->prefix_of)
            assert_non_null(measurement_field_named(f->prefix_of));
    }
    size_t padding = offsetof(struct measurement, verified) + sizeof(enum measured_verified);
    for (size_t k = 0; k < sizeof owners; k++) {
        if (k < padding || k >= (padding + 7) / 8 * 8)
            assert_int_equal(owners[k], 1);
    }
    assert_null(measurement_field_named("nonsense"));
}

/* The keys that the JSON begins with, in their order. */
static void released_names_keep_their_places(void **state)
{
    (void)state;
    static const char *const names[] = {
        "board",
        "core",
        "algorithm",
        "implementation",
        "operation",
        "message_bytes",
        "seed",
        "input",
        "output",
        "verified",
        "cycles",
        "cycles_per_byte",
        "timer_cycles",
        "isr_cycles",
        "time_ns",
        "energy_nj",
        "energy_method",
        "rom_bytes",
        "ram_bytes",
        "data_bytes",
        "bss_bytes",
        "stack_bytes",
        "su_bytes",
        "image_rom_bytes",
        "image_data_bytes",
        "image_bss_bytes",
        "e_rank",
        "compiler",
        "flags",
        "image_sha256",
        "error",
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_string_equal(measurement_fields[i].name, names[i]);
}

static void all_is_absent_at_first(void **state)
{
    (void)state;
    struct measurement m;
    memset(&m, 0x5a, sizeof m);
    measurement_init(&m);
    assert_int_equal(m.cycles, -1);
    assert_int_equal(m.seed, -1);
    assert_int_equal(m.message_bytes, -1);
    assert_int_equal(m.output_bytes, -1);
    assert_true(isnan(m.energy_nj) && isnan(m.e_rank) && isnan(m.energy_spread_nj));
    assert_null(m.board);
    assert_null(m.error);
    assert_int_equal(m.verified, MEASURED_NO);
    measurement_free(&m);
}

/* After a failed check the identity stands and no figure does. */
static void a_void_one_has_no_figure(void **state)
{
    (void)state;
    struct measurement m;
    fill(&m);
    measurement_void(&m);
    static const char *const stay[] = {
        "board",    "core",  "algorithm", "implementation", "operation",     "input",   "output",
        "compiler", "flags", "options",   "image_sha256",   "device_sha256", "version", "error"};
    for (size_t i = 0; i < sizeof stay / sizeof stay[0]; i++)
        assert_non_null(*(char *const *)field_value(&m, measurement_field_named(stay[i])));
    assert_true(m.message_bytes >= 1000 && m.seed >= 1000 && m.output_bytes >= 1000);

    const int64_t integers[] = {
        m.cycles,          m.timer_cycles,     m.isr_cycles,     m.time_ns,     m.rom_bytes,
        m.ram_bytes,       m.data_bytes,       m.bss_bytes,      m.stack_bytes, m.su_bytes,
        m.image_rom_bytes, m.image_data_bytes, m.image_bss_bytes};
    for (size_t i = 0; i < sizeof integers / sizeof integers[0]; i++)
        assert_int_equal(integers[i], -1);
    assert_true(isnan(m.cycles_per_byte) && isnan(m.energy_nj) && isnan(m.energy_spread_nj));
    assert_true(isnan(m.e_rank));
    assert_null(m.energy_method);
    assert_null(m.energy_reason);
    measurement_free(&m);
}

static void a_copy_is_equal_and_its_own(void **state)
{
    (void)state;
    struct measurement m, copy;
    fill(&m);
    free(m.error);
    m.error = NULL;
    m.verified = MEASURED_UNVERIFIED;
    measurement_copy(&copy, &m);
    for (size_t i = 0; i < measurement_field_count; i++) {
        const struct measurement_field *f = &measurement_fields[i];
        const void *a = field_value(&m, f), *b = field_value(&copy, f);
        if (f->kind != FIELD_TEXT) {
            assert_memory_equal(a, b, size_of_kind(f->kind));
        } else if (strcmp(f->name, "error") == 0) {
            assert_null(*(char *const *)b);
        } else {
            assert_string_equal(*(char *const *)a, *(char *const *)b);
            assert_ptr_not_equal(*(char *const *)a, *(char *const *)b);
        }
    }
    measurement_free(&m);
    measurement_free(&copy);
}

/*
 * The published evaluation of five hashes on an ATxmega128D4 (16-byte message): CPB, RAM, ROM and
 * energy, and the E-RANK that its own formula gives, to the two digits that it prints.
 */
static void published_e_rank_is_recomputed(void **state)
{
    (void)state;
    static const struct {
        const char *algorithm, *printed;
        int64_t cycles_per_byte, ram_bytes, rom_bytes;
        double energy_nj;
        int digits;
    } published[] = {
        {"ascon", "0.12", 2531, 153, 2648, 1099.3, 2},
        {"photon-beetle", "0.2", 2158, 263, 1936, 950.55, 1},
        {"xoodyak", "0.11", 2450, 390, 2804, 1058.72, 2},
        {"esch256", "0.18", 1633, 396, 3990, 719.05, 2},
        {"isap", "0.032", 3953, 250, 4040, 1714.84, 2},
    };
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
        struct measurement m;
        measurement_init(&m);
        m.message_bytes = 16;
        m.cycles = 16 * published[i].cycles_per_byte;
        m.ram_bytes = published[i].ram_bytes;
        m.rom_bytes = published[i].rom_bytes;
        m.energy_nj = published[i].energy_nj;
        measurement_derive(&m);
        assert_true(m.cycles_per_byte == (double)published[i].cycles_per_byte);
        char text[32];
        (void)snprintf(text, sizeof text, "%.*g", published[i].digits, m.e_rank);
        assert_string_equal(text, published[i].printed);
        if (i == 0)
            assert_true(fabs(m.e_rank - 0.1217) < 0.00005);
        measurement_free(&m);
    }
}

static void what_lacks_an_input_is_not_derived(void **state)
{
    (void)state;
    struct measurement whole, m;
    measurement_init(&whole);
    whole.message_bytes = 16;
    whole.cycles = 1600;
    whole.rom_bytes = 100;
    whole.ram_bytes = 50;
    whole.energy_nj = 500;

    m = whole;
    measurement_derive(&m);
    assert_true(m.cycles_per_byte == 100);
    assert_true(fabs(m.e_rank - 1e4 / (200 * 0.5)) < 1e-9);

    m = whole;
    m.message_bytes = 0; /* cycles per byte of nothing */
    measurement_derive(&m);
    assert_true(isnan(m.cycles_per_byte) && isnan(m.e_rank));

    m = whole;
    m.cycles = -1;
    measurement_derive(&m);
    assert_true(isnan(m.cycles_per_byte) && isnan(m.e_rank));

    m = whole;
    m.energy_nj = NAN;
    measurement_derive(&m);
    assert_true(m.cycles_per_byte == 100 && isnan(m.e_rank));

    m = whole;
    m.energy_nj = 0; /* a rank without bound is none */
    measurement_derive(&m);
    assert_true(isnan(m.e_rank));

    m = whole;
    m.rom_bytes = -1;
    measurement_derive(&m);
    assert_true(isnan(m.e_rank));

    m = whole;
    m.ram_bytes = -1;
    measurement_derive(&m);
    assert_true(isnan(m.e_rank));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_member_has_its_row),
        cmocka_unit_test(released_names_keep_their_places),
        cmocka_unit_test(all_is_absent_at_first),
        cmocka_unit_test(a_void_one_has_no_figure),
        cmocka_unit_test(a_copy_is_equal_and_its_own),
        cmocka_unit_test(published_e_rank_is_recomputed),
        cmocka_unit_test(what_lacks_an_input_is_not_derived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
