/*
 * The RV32 table against llvm-objdump: every halfword that begins a 16-bit instruction, and a
 * seeded sample of 32-bit words near every row; and against itself: no two rows share an encoding.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ctype.h>

#include "isa/rv32/rv32_table.h"
#include "rv32_rig.h"

enum { WORDS = 40000, TEXT = 96 };

#define MATTR "+m,+a,+c,+zicsr,+zifencei,+zba,+zbb,+zbs,+zbkb,+zcb,+zcmp"

/* Blanks as one, numbers in decimal, what stands in angle brackets left out. */
static void normalise(char *out, const char *text)
{
    size_t used = 0;
    while (isspace((unsigned char)*text))
        text++;
    if (strncmp(text, "<unknown>", 9) == 0)
        text = "unknown";
    while (*text && *text != '\n' && *text != '<' && used + 14 < TEXT) {
        if (isspace((unsigned char)*text)) {
            if (used && out[used - 1] != ' ')
                out[used++] = ' ';
            text++;
        } else if (text[0] == '0' && text[1] == 'x') {
            char *end;
            used += (size_t)snprintf(out + used, TEXT - used, "%lu", strtoul(text, &end, 16));
            text = end;
        } else {
            out[used++] = *text++;
        }
    }
    while (used && out[used - 1] == ' ')
        used--;
    out[used] = '\0';
}

/* Does the other disassembler write what no RV32 core without supervisor mode has: shifts by 32 and
 * more, and instructions of that mode? */
static bool is_beyond(const char *theirs)
{
    static const char *const modes[] = {"sret", "sfence", "hfence", "mnret", "sinval", "hinval"};
    static const char *const shifts[] = {"c.slli", "c.srli", "c.srai", "slli",  "srli", "srai",
                                         "rori",   "bclri",  "bexti",  "binvi", "bseti"};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (strncmp(theirs, modes[i], strlen(modes[i])) == 0)
            return true;
    const char *by = strrchr(theirs, ' ');
    /* Reserved, and refused by this core: two registers that are one. */
    if (by && strncmp(theirs, "cm.mvsa01 ", 10) == 0 && strncmp(theirs + 10, by + 1, 2) == 0)
        return true;
    /* Reserved, and refused by this core. */
    if (by && strncmp(theirs, "c.lui ", 6) == 0 && atoi(by) == 0)
        return true;
    for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++)
        if (by && strncmp(theirs, shifts[i], strlen(shifts[i])) == 0 && atoi(by) > 31)
            return true;
    return false;
}

/* What the hints of this chip and of others are called differs: one bit pattern, two names. */
static bool is_same(const char *ours, const char *theirs)
{
    char plain[TEXT + 16];
    if (strcmp(ours, theirs) == 0)
        return true;
    /* Both refuse. */
    bool refused = strncmp(ours, ".half", 5) == 0 || strncmp(ours, ".word", 5) == 0;
    if (refused)
        return strcmp(theirs, "unknown") == 0 || strcmp(theirs, "c.unimp") == 0 ||
               is_beyond(theirs);
    /* zext.h is a pack with x0 behind it. */
    if (strncmp(ours, "zext.h ", 7) == 0) {
        snprintf(plain, sizeof plain, "pack %s, zero", ours + 7);
        return strcmp(plain, theirs) == 0;
    }
    /* A hint whose immediate is written with its sign. */
    if (strncmp(ours, "c.lui zero, ", 12) == 0 && strncmp(theirs, "c.lui zero, -", 13) == 0)
        return atoi(ours + 12) - (1 << 20) == atoi(theirs + 12);
    /* Shifts by nothing, hints. */
    const char *slash = strstr(theirs, "64 ");
    if (slash && strncmp(theirs, "c.s", 3) == 0) {
        snprintf(plain, sizeof plain, "%.*s %s, 0", (int)(slash - theirs), theirs, slash + 3);
        return strcmp(ours, plain) == 0;
    }
    /* What fence says besides its sets is ignored. */
    return strncmp(ours, "fence ", 6) == 0 &&
           (strncmp(theirs, "fence", 5) == 0 || strcmp(theirs, "unknown") == 0);
}

/* Disassembles the file by both; calls fail for each that differs. */
static void compare(const char *name, const uint32_t *codes, size_t count, bool is_short)
{
    char command[512], line[256];
    static char theirs[0x10000][TEXT];
    snprintf(command, sizeof command, "%s.S", name);
    FILE *file = fopen(command, "w");
    assert_non_null(file);
    fputs("\t.option norelax\n", file);
    for (size_t i = 0; i < count; i++)
        fprintf(file, is_short ? "\t.half 0x%04x\n" : "\t.word 0x%08x\n", codes[i]);
    fclose(file);
    snprintf(command, sizeof command,
             "clang-19 --target=riscv32 -march=rv32imac -c -o %s.o %s.S && "
             "llvm-objdump-19 -d -M no-aliases --mattr=" MATTR " --no-show-raw-insn %s.o",
             name, name, name);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    memset(theirs, 0, sizeof theirs);
    unsigned step = is_short ? 2 : 4;
    while (fgets(line, sizeof line, pipe)) {
        char *end;
        unsigned long address = strtoul(line, &end, 16);
        if (*end == ':' && address / step < count && end[1] && end != line)
            normalise(theirs[address / step], end + 1);
    }
    if (strstr(theirs[0], "file format"))
        theirs[0][0] = '\0';
    assert_int_equal(pclose(pipe), 0);
    const struct core_class *class = core_class_named("hazard3");
    unsigned wrong = 0, compared = 0;
    for (size_t i = 0; i < count; i++) {
        uint8_t code[4] = {(uint8_t)codes[i], (uint8_t)(codes[i] >> 8), (uint8_t)(codes[i] >> 16),
                           (uint8_t)(codes[i] >> 24)};
        char raw[TEXT], ours[TEXT], decimal[TEXT];
        /* A clipped negative immediate reads as a whole number of 20 bits there too. */
        class->disassemble(class, raw, sizeof raw, code, 4, (uint32_t)(i * step));
        normalise(ours, raw);
        normalise(decimal, theirs[i]);
        compared += decimal[0] != '\0';
        char *comment = strstr(decimal, "<");
        if (comment)
            *comment = '\0';
        if (!is_same(ours, decimal) && wrong++ < 25)
            fprintf(stderr, "0x%08x: \"%s\", llvm-objdump \"%s\"\n", codes[i], ours, decimal);
    }
    assert_int_equal(compared, count);
    assert_int_equal(wrong, 0);
}

static void test_short(void **state)
{
    (void)state;
    static uint32_t codes[0x10000];
    size_t count = 0;
    for (uint32_t code = 0; code < 0x10000; code++) {
        /* Compressed floating point is not compared: this core has none, and refuses it. */
        if ((code & 3) != 3)
            codes[count++] = code;
    }
    compare(UJ_BUILD_DIR "/rv32_short", codes, count, true);
}

static void test_long(void **state)
{
    (void)state;
    static uint32_t codes[WORDS];
    uint64_t seed = 20260801;
    for (size_t i = 0; i < WORDS; i++) {
        uint32_t random = rig_random(&seed);
        struct rv32_form form;
        int row;
        do {
            row = (int)(rig_random(&seed) % RV32_ROWS);
            rv32_form_of(&form, rv32_rows[row].encoding);
        } while (form.bytes != 4);
        /* Three of four are an instruction, the rest one bit beside it. */
        codes[i] = (random & ~form.mask) | form.match;
        if (i % 4 == 0)
            codes[i] ^= 1u << (5 + rig_random(&seed) % 27); /* not its length */
        /* Names of control and status registers: only a few. */
        static const uint16_t csrs[] = {0x300, 0x305, 0x340, 0x341, 0x342, 0xb00, 0xb02, 0xbe0};
        if ((codes[i] & 0x7f) == 0x73 && (codes[i] >> 12 & 3) != 0)
            codes[i] = (codes[i] & 0xfffff) | (uint32_t)csrs[random % 8] << 20;
    }
    compare(UJ_BUILD_DIR "/rv32_long", codes, WORDS, false);
}

/* Every pair of rows differs in a bit that both fix, but for variants and the row they are a case
 * of. */
static void test_no_overlap(void **state)
{
    (void)state;
    for (int i = 0; i < RV32_ROWS; i++)
        for (int j = 0; j < i; j++) {
            struct rv32_form a, b;
            rv32_form_of(&a, rv32_rows[i].encoding);
            rv32_form_of(&b, rv32_rows[j].encoding);
            if (a.bytes != b.bytes || rv32_rows[i].variant_of == j || rv32_rows[j].variant_of == i)
                continue;
            if (((a.match ^ b.match) & a.mask & b.mask) == 0)
                fail_msg("%s and %s overlap", rv32_rows[i].name, rv32_rows[j].name);
        }
    for (uint32_t code = 0; code < 0x10000; code++) {
        unsigned takers = 0;
        if ((code & 3) == 3)
            continue;
        for (int i = 0; i < RV32_SHORTS; i++) {
            struct rv32_form form;
            rv32_form_of(&form, rv32_shorts[i].encoding);
            takers += (code & form.mask) == form.match && rv32_short_takes(&rv32_shorts[i], code);
        }
        for (int i = 0; i < RV32_ROWS; i++) {
            struct rv32_form form;
            rv32_form_of(&form, rv32_rows[i].encoding);
            takers += form.bytes == 2 && (code & form.mask) == form.match &&
                      rv32_row_takes((enum rv32_row_id)i, code);
        }
        if (takers > 1)
            fail_msg("0x%04x is in %u rows", code, takers);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short),
        cmocka_unit_test(test_long),
        cmocka_unit_test(test_no_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
