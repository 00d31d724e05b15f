/*
 * Disassembly against GNU objdump: all 16-bit encodings and a seeded sample of the 32-bit ones.
 * What the table does not have objdump must not have either, but for coprocessors, floating point,
 * other profiles' instructions, and what it calls unpredictable. And: no two rows overlap.
 */
#include "thumb_rig.h"

enum { SAMPLE = 120000, LINE = 200 };

static uint64_t next_random(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15;
    uint64_t z = *state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* Comments and spacing away; nothing of the meaning. */
static void normalise(char *out, const char *text)
{
    size_t n = 0;
    bool space = false;
    for (; *text && *text != ';' && *text != '@' && *text != '\n' && n + 2 < LINE; text++) {
        if (*text == ' ' || *text == '\t') {
            space = n > 0;
            continue;
        }
        if (space)
            out[n++] = ' ';
        space = false;
        out[n++] = *text;
    }
    out[n] = '\0';
}

static FILE *objdump(const uint8_t *bytes, size_t count)
{
    (void)mkdir(UJ_BUILD_DIR "/tests", 0777);
    FILE *stream = fopen(UJ_BUILD_DIR "/tests/thumb-disasm.bin", "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, count, stream), count);
    assert_int_equal(fclose(stream), 0);
    char *argv[] = {
        "sh", "-c",
        "arm-none-eabi-objdump -D -b binary -m armv8-m.main -M force-thumb --no-show-raw-insn "
        "'" UJ_BUILD_DIR "/tests/thumb-disasm.bin' >'" UJ_BUILD_DIR "/tests/thumb-disasm.txt'",
        NULL};
    struct process p = {.argv = argv};
    struct uj_ctx ctx = {0};
    assert_int_equal(process_run(&ctx, &p), UJ_OK);
    assert_true(process_good(&p));
    process_free(&p);
    stream = fopen(UJ_BUILD_DIR "/tests/thumb-disasm.txt", "rb");
    assert_non_null(stream);
    return stream;
}

/* The text of the next line of objdump's that lies at an address; false at the end. */
static bool next_line(FILE *stream, uint32_t *address, char text[LINE])
{
    char line[512];
    while (fgets(line, sizeof line, stream)) {
        char *end;
        unsigned long at = strtoul(line, &end, 16);
        if (end == line || *end != ':')
            continue;
        *address = (uint32_t)at;
        (void)snprintf(text, LINE, "%s", end + 1);
        return true;
    }
    return false;
}

static bool foreign(const char *theirs, uint32_t code)
{
    static const char *const words[] = {
        "v",       "mrc",     "mcr",    "cdp",   "ldc",   "stc",    "mcrr",   "mrrc",   "crc32",
        "sb",      "lctp",    "dls",    "wls",   "le",    "bf",     "cset",   "csel",   "cinc",
        "cinv",    "cneg",    "csinc",  "csinv", "csneg", "sqrshr", "uqrshl", "lsll",   "asrl",
        "lsrl",    "sqshl",   "uqshl",  "srshr", "urshr", "cx",     "aut",    "pac",    "bti",
        "pssbb",   "ssbb",    "clrm",   "esb",   "tsb",   "csdb",   "dcps",   "smc",    "hvc",
        "eret",    "srs",     "rfe",    "bxj",   "sdot",  "strexd", "ldrexd", "ldaexd", "stlexd",
        "uqrshll", "sqrshrl", "blx 0x", "ldr??", "str??", "setpan", "setend", "hlt",    "cpsie a",
        "cpsid a", "sevl"};
    if ((code >> 16 & 0xec00) == 0xec00)
        return true;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (str_starts(theirs, words[i]))
            return true;
    return false;
}

/* Would a row match but for its limits, for bits that should be zero, or for an operand that is a
 * combination without meaning? objdump shows such encodings all the same. */
static bool breaks_limit(uint32_t code, bool wide)
{
    if (!wide && code >> 8 == 0x47) /* BX, BLX: bits that should be zero */
        return true;
    /* A register offset with more than a shift of 0-3. */
    if (wide && (code >> 25) == 0x7c && !(code & 0x800000) && !(code & 0x800) && (code & 0x7c0))
        return true;
    if (wide && (code & 0xff1f0000) == 0xf80f0000) /* a store to a literal */
        return true;
    bool many = wide && (code & 0xfe400000) == 0xe8000000; /* a list with the stack pointer */
    for (unsigned i = 0; i < thumb_row_count; i++) {
        struct thumb_row row = thumb_rows[i];
        row.limits = "";
        if (thumb_row_matches(&row, code, wide) ||
            (many && thumb_row_matches(&row, code & ~0xa000u, wide)))
            return true;
    }
    return false;
}

struct tally {
    unsigned equal, both_undefined, unpredictable, foreign, wrong;
};

static void compare(struct tally *tally, uint32_t address, const uint8_t *bytes, const char *raw)
{
    char ours[LINE] = "", own[LINE], theirs[LINE];
    uint16_t half[2];
    memcpy(half, bytes, sizeof half);
    bool wide = thumb_is_wide(half[0]);
    uint32_t code = wide ? (uint32_t)half[0] << 16 | half[1] : half[0];
    unsigned length = thumb_disassemble(&thumb_cortex_m33, own, sizeof own, bytes, 4, address);
    if (length)
        normalise(ours, own);
    normalise(theirs, raw);
    bool unpredictable = strstr(raw, "UNPREDICTABLE") != NULL;
    bool undefined = strstr(raw, "UNDEFINED") || strstr(raw, "undefined") || theirs[0] == '\0';
    if (length && strcmp(ours, theirs) == 0)
        tally->equal++;
    else if (!length && undefined)
        tally->both_undefined++;
    else if (unpredictable || (strstr(ours, "nop") == ours && foreign(theirs, code)) ||
             strstr(ours, "special:") ||
             /* literals that objdump takes for unprivileged or indexed accesses */
             (wide && (code & 0xfe1f0000) == 0xf81f0000 && strstr(ours, "[pc")))
        tally->unpredictable++;
    else if (!length && foreign(theirs, code))
        tally->foreign++;
    else if (!length && breaks_limit(code, wide))
        tally->unpredictable++;
    else if (tally->wrong++ < 40)
        print_error("%0*x at %x: \"%s\", not \"%s\"\n", wide ? 8 : 4, code, address, ours, theirs);
}

static void all_narrow(void **state)
{
    (void)state;
    enum { ALL = 0xe800, NOPS = 4 };
    uint8_t *bytes = uj_calloc(ALL, 2 * (1 + NOPS) + 2);
    uint32_t *where = uj_calloc(ALL, sizeof *where);
    size_t count = 0;
    static const uint8_t nop[2] = {0x00, 0xbf};
    for (unsigned code = 0; code < ALL; code++) {
        where[code] = (uint32_t)count;
        bytes[count++] = (uint8_t)code;
        bytes[count++] = (uint8_t)(code >> 8);
        /* IT changes how objdump shows what follows. */
        if (code >> 8 == 0xbf && code & 15)
            for (unsigned i = 0; i < NOPS; i++, count += 2)
                memcpy(bytes + count, nop, 2);
    }
    FILE *stream = objdump(bytes, count);
    struct tally tally = {0};
    uint32_t address;
    char text[LINE];
    unsigned code = 0;
    while (next_line(stream, &address, text)) {
        if (code < ALL && address == where[code]) {
            compare(&tally, address, bytes + address, text);
            code++;
        }
    }
    (void)fclose(stream);
    free(bytes);
    free(where);
    print_message("16 bits: %u equal, %u undefined, %u unpredictable, %u of other cores\n",
                  tally.equal, tally.both_undefined, tally.unpredictable, tally.foreign);
    assert_int_equal(code, ALL);
    assert_int_equal(tally.wrong, 0);
    assert_true(tally.equal > 57000);
}

/* Half of the sample is made from the table's patterns with random fields, half is random. */
static void sampled_wide(void **state)
{
    (void)state;
    uint8_t *bytes = uj_calloc(SAMPLE + 1, 4);
    uint64_t random = 1;
    for (unsigned i = 0; i < SAMPLE; i++) {
        uint32_t code = 0xe8000000 + (uint32_t)(next_random(&random) % 0x18000000);
        if (i % 2) {
            const struct thumb_row *row;
            do
                row = &thumb_rows[next_random(&random) % thumb_row_count];
            while (!thumb_row_is_wide(row));
            unsigned bit = 32;
            for (const char *p = row->pattern; *p; p++) {
                if (*p == ' ')
                    continue;
                bit--;
                if (*p == '0' || *p == '1')
                    code = (code & ~(1u << bit)) | (uint32_t)(*p - '0') << bit;
            }
        }
        uint16_t half[2] = {(uint16_t)(code >> 16), (uint16_t)code};
        memcpy(bytes + 4 * i, half, sizeof half);
    }
    FILE *stream = objdump(bytes, 4 * SAMPLE);
    struct tally tally = {0};
    uint32_t address;
    char text[LINE];
    unsigned seen = 0;
    while (next_line(stream, &address, text)) {
        if (address % 4 == 0) {
            compare(&tally, address, bytes + address, text);
            seen++;
        }
    }
    (void)fclose(stream);
    free(bytes);
    print_message("32 bits: %u equal, %u undefined, %u unpredictable, %u of other cores\n",
                  tally.equal, tally.both_undefined, tally.unpredictable, tally.foreign);
    assert_int_equal(seen, SAMPLE);
    assert_int_equal(tally.wrong, 0);
    assert_true(tally.equal > SAMPLE / 3);
}

/* Two rows that agree in all fixed bits must be told apart by their limits: every value of the
 * limited fields is tried. */
static bool rows_overlap(const struct thumb_row *a, const struct thumb_row *b)
{
    if (thumb_row_is_wide(a) != thumb_row_is_wide(b))
        return false;
    bool wide = thumb_row_is_wide(a);
    uint32_t value = 0, open = 0;
    unsigned bit = wide ? 32 : 16;
    const char *p = a->pattern, *q = b->pattern;
    while (*p && *q) {
        while (*p == ' ')
            p++;
        while (*q == ' ')
            q++;
        bit--;
        bool fixed_p = *p == '0' || *p == '1', fixed_q = *q == '0' || *q == '1';
        if (fixed_p && fixed_q && *p != *q)
            return false;
        if (fixed_p || fixed_q)
            value |= (uint32_t)((fixed_p ? *p : *q) - '0') << bit;
        else if (strchr(a->limits, *p) || strchr(b->limits, *q))
            open |= 1u << bit;
        p++;
        q++;
    }
    uint32_t subset = 0;
    do {
        uint32_t code = value | subset;
        if (thumb_row_matches(a, code, wide) && thumb_row_matches(b, code, wide))
            return true;
        subset = (subset - open) & open;
    } while (subset);
    return false;
}

static void rows_do_not_overlap(void **state)
{
    (void)state;
    for (unsigned i = 0; i < thumb_row_count; i++) {
        size_t bits = 0;
        for (const char *p = thumb_rows[i].pattern; *p; p++)
            bits += *p != ' ';
        assert_int_equal(bits, thumb_row_is_wide(&thumb_rows[i]) ? 32 : 16);
        for (unsigned k = i + 1; k < thumb_row_count; k++)
            if (rows_overlap(&thumb_rows[i], &thumb_rows[k]))
                fail_msg("%s and %s overlap", thumb_rows[i].name, thumb_rows[k].name);
    }
}

/* What a core lacks is not disassembled for it. */
static void cores_differ(void **state)
{
    (void)state;
    static const uint8_t sdiv[4] = {0x91, 0xfb, 0xf2, 0xf0}, qadd8[4] = {0x81, 0xfa, 0x12, 0xf0},
                         cbz[2] = {0x00, 0xb1}, bl[4] = {0x00, 0xf0, 0x00, 0xf8};
    char text[LINE];
    assert_int_equal(thumb_disassemble(&thumb_cortex_m0plus, text, LINE, sdiv, 4, 0), 0);
    assert_int_equal(thumb_disassemble(&thumb_cortex_m3, text, LINE, sdiv, 4, 0), 4);
    assert_int_equal(thumb_disassemble(&thumb_cortex_m3, text, LINE, qadd8, 4, 0), 0);
    assert_int_equal(thumb_disassemble(&thumb_cortex_m33, text, LINE, qadd8, 4, 0), 4);
    assert_int_equal(thumb_disassemble(&thumb_cortex_m0plus, text, LINE, cbz, 2, 0), 0);
    assert_int_equal(thumb_disassemble(&thumb_cortex_m3, text, LINE, cbz, 2, 0), 2);
    assert_int_equal(thumb_disassemble(&thumb_cortex_m0plus, text, LINE, bl, 4, 0), 4);
    assert_int_equal(thumb_disassemble(&thumb_cortex_m33, text, LINE, bl, 2, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_do_not_overlap),
        cmocka_unit_test(all_narrow),
        cmocka_unit_test(sampled_wide),
        cmocka_unit_test(cores_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
