/*
 * The MSP430 table against mspdebug's disassembler: every first word, alone and behind extension
 * words of every kind; and against itself: no two rows share an encoding.
 *
 * Where the two differ, TI's guide decides. mspdebug 0.22's other ways are written down in
 * explain(): each turns our text into what mspdebug then prints, so nothing goes uncompared.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <unistd.h>

#include "msp430_rig.h"

/* mspdebug's simulator has 64 KB; 8 bytes hold the longest instruction. */
enum { SLOT_BYTES = 8, SLOTS = 0x1000, BASE = 0x4000, TEXT = 128 };

struct sheet {
    uint8_t image[SLOTS * SLOT_BYTES];
    char texts[SLOTS][TEXT];
    unsigned bytes[SLOTS];
};

/* One blank between words, none at the end. */
static void squeeze(char *out, const char *text)
{
    size_t used = 0;
    for (const char *p = text; *p && *p != '\n' && used + 1 < TEXT; p++)
        if (*p != ' ' || (used > 0 && out[used - 1] != ' '))
            out[used++] = *p;
    while (used > 0 && out[used - 1] == ' ')
        used--;
    out[used] = '\0';
}

static void oracle(struct sheet *sheet)
{
    char path[] = "/tmp/msp430_dis_XXXXXX", command[200], line[300];
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, sheet->image, sizeof sheet->image), sizeof sheet->image);
    close(fd);
    snprintf(command, sizeof command, "mspdebug -q sim 'load_raw %s 0x%x' 'dis 0x%x 0x%x' 2>&1",
             path, BASE, BASE, SLOTS * SLOT_BYTES);
    memset(sheet->texts, 0, sizeof sheet->texts);
    memset(sheet->bytes, 0, sizeof sheet->bytes);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    while (fgets(line, sizeof line, pipe)) {
        unsigned address, byte;
        int used = 0;
        if (sscanf(line, " %5x:%n", &address, &used) != 1 || used == 0 || line[used] != ' ')
            continue;
        unsigned slot = (address - BASE) / SLOT_BYTES;
        if (address < BASE || address % SLOT_BYTES || slot >= SLOTS)
            continue;
        const char *p = line + used;
        for (; p[1] != ' ' && p[3] == ' ' && sscanf(p, " %2x", &byte) == 1; p += 3)
            sheet->bytes[slot]++;
        squeeze(sheet->texts[slot], p);
    }
    pclose(pipe);
    unlink(path);
}

/* Replaces the first `from` by `to`. */
static void replace(char *text, const char *from, const char *to)
{
    char *at = strstr(text, from), rest[TEXT];
    if (!at)
        return;
    snprintf(rest, sizeof rest, "%s", at + strlen(from));
    snprintf(at, TEXT - (size_t)(at - text), "%s%s", to, rest);
}

static void replace_number(char *text, unsigned from, unsigned to)
{
    char a[16], b[16];
    snprintf(a, sizeof a, "0x%04x", from);
    snprintf(b, sizeof b, "0x%04x", to);
    replace(text, a, b);
}

/* What mspdebug prints for the symbolic operand whose word lies at `from`. */
static void explain_symbolic(char *text, const struct msp430_operand *o,
                             const struct msp430_insn *insn, uint32_t from)
{
    uint32_t index = (o->value - from) & 0xfffff;
    char resolved[16], plain[24];
    if (o->mode != MSP430_MODE_SYM)
        return;
    enum msp430_class class = msp430_rows[insn->row].class;
    snprintf(resolved, sizeof resolved, "0x%04x", (unsigned)o->value);
    if (insn->row == MSP430_ROW_calla_sym) {
        /* Not added to PC. */
        replace_number(text, o->value, index);
    } else if (class == MSP430_CALLA || class == MSP430_ADDR_MOVE) {
        /* Left to the reader. */
        snprintf(plain, sizeof plain, "0x%04x(PC)", (unsigned)(index & 0xffff));
        replace(text, resolved, plain);
    } else {
        /* An only operand counts from behind its word; bits 19:16 get no carry. */
        uint32_t two =
            class == MSP430_SHIFT || class == MSP430_PUSH || class == MSP430_CALL ? 2 : 0;
        uint32_t high = insn->is_extended ? index & 0xf0000 : 0;
        replace_number(text, o->value, high | ((o->value + two) & 0xffff));
    }
}

/* Does mspdebug print something of its own that says no more than ours is not it? */
static bool is_mistaken(const char *theirs, const struct msp430_insn *insn, uint16_t word)
{
    if (insn->row < 0) {
        /* What TI does not allow, mspdebug prints all the same: byte forms of SWPB, SXT and CALL;
         * shifts of #N; RETI and CALL with more to them; an extension word without a size. */
        return theirs[0] == '\0' || word >> 10 == 4 || insn->is_extended;
    }
    enum msp430_class class = msp430_rows[insn->row].class;
    unsigned high = word >> 8 & 15;
    /* The constant generator in address instructions, and even in bits 19:16 of an address. */
    if ((class == MSP430_ADDR_MOVE || class == MSP430_ADDR_RMW || class == MSP430_ADDR_TEST) &&
        (high == MSP430_SR || high == MSP430_CG))
        return true;
    if (class == MSP430_CALLA && (insn->src.reg == MSP430_SR || insn->src.reg == MSP430_CG) &&
        insn->src.mode != MSP430_MODE_ABS)
        return true;
    /* Repetitions with ZC are nothing to it, but for RRUX. */
    return (insn->repeat & MSP430_REPEAT_ZC) && theirs[0] == '\0';
}

/* Turns our text into mspdebug's by its own ways. */
static void explain(char *ours, const struct msp430_insn *insn, uint32_t address, uint16_t second)
{
    const struct msp430_operand *src = &insn->src, *dst = &insn->dst;
    uint32_t from = address + (insn->is_extended ? 4 : 2);
    static const char *const names[] = {"PC", "SP", "SR", "R3"};
    char text[8];
    switch (msp430_rows[insn->row].class) {
    case MSP430_SHIFT:
    case MSP430_PUSH:
    case MSP430_CALL:
        replace(ours, ".B", "");
        replace(ours, ".A", ".?");
        /* Its immediate is a word. */
        if (insn->bits == 8 && src->mode == MSP430_MODE_IMM)
            replace_number(ours, src->value, second);
        if (insn->bits == 8 && src->is_constant && src->value == 0xff)
            replace_number(ours, 0xff, 0xffff);
        break;
    case MSP430_POPM:
        /* The encoding's register, not the one that TI's syntax names. */
        snprintf(text, sizeof text, "R%u", src->reg);
        snprintf(strstr(ours, ", ") + 2, 8, "%s", src->reg < 4 ? names[src->reg] : text);
        break;
    case MSP430_CALLA: replace(ours, "CALLA", "CALLA.A"); break;
    case MSP430_MOVE:
        /* Of the emulated instructions it knows some with an X only. */
        if (insn->is_extended && strncmp(ours, "POPX", 4) == 0) {
            replace(ours, "POPX", "MOVX");
            replace(ours, " ", " @SP+, ");
        } else if (insn->is_extended && strncmp(ours, "CLRX", 4) == 0) {
            replace(ours, "CLRX", "MOVX");
            replace(ours, " ", " #0x0000, ");
        }
        break;
    case MSP430_RMW: replace(ours, "SBCX", "SECX"); break;
    case MSP430_ADDR_MOVE:
        if (insn->row == MSP430_ROW_mova_inc && src->reg == MSP430_SP && dst->reg != MSP430_PC)
            replace(ours, "MOVA @SP+,", "POPX.A");
        break;
    default: break;
    }
    explain_symbolic(ours, src, insn, from);
    explain_symbolic(ours, dst, insn, address + 2u * insn->words - 2);
}

struct tally {
    unsigned same, explained, unexplained;
};

static void compare(struct tally *tally, const struct core_class *class, const struct sheet *sheet,
                    unsigned slot, uint16_t word)
{
    char ours[TEXT], plain[TEXT];
    const uint8_t *code = sheet->image + slot * SLOT_BYTES;
    uint32_t address = BASE + slot * SLOT_BYTES;
    unsigned bytes = class->disassemble(class, ours, sizeof ours, code, SLOT_BYTES, address);
    if (strcmp(ours, sheet->texts[slot]) == 0 && bytes == sheet->bytes[slot]) {
        tally->same++;
        return;
    }
    uint16_t words[MSP430_WORDS_MAX];
    struct msp430_insn insn;
    for (unsigned i = 0; i < MSP430_WORDS_MAX; i++)
        words[i] = (uint16_t)(code[2 * i] | code[2 * i + 1] << 8);
    msp430_insn_decode(&insn, words, address, true);
    snprintf(plain, sizeof plain, "%s", ours);
    bool is_known = is_mistaken(sheet->texts[slot], &insn, word);
    if (!is_known && insn.row >= 0) {
        explain(ours, &insn, address, words[insn.is_extended ? 2 : 1]);
        is_known = strcmp(ours, sheet->texts[slot]) == 0 && bytes == sheet->bytes[slot];
    }
    if (is_known) {
        tally->explained++;
        return;
    }
    tally->unexplained++;
    print_error("%04x: %u %s, mspdebug %u %s\n", word, bytes, plain, sheet->bytes[slot],
                sheet->texts[slot]);
}

static void put16(uint8_t *at, unsigned value)
{
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
}

/* All words, alone (extension 0) or behind an extension word. */
static struct tally all_words(uint16_t extension, uint16_t second, uint16_t third)
{
    static struct sheet sheet;
    const struct core_class *class = core_class_named("msp430xv2");
    struct tally tally = {0};
    for (unsigned first = 0; first < 0x10000; first += SLOTS) {
        for (unsigned i = 0; i < SLOTS; i++) {
            uint8_t *at = sheet.image + i * SLOT_BYTES, *end = at + SLOT_BYTES;
            if (extension) {
                put16(at, extension);
                at += 2;
            }
            put16(at, first + i);
            put16(at + 2, second);
            put16(at + 4, third);
            if (at + 6 < end)
                put16(at + 6, 0x4303);
        }
        oracle(&sheet);
        for (unsigned i = 0; i < SLOTS; i++)
            compare(&tally, class, &sheet, i, (uint16_t)(first + i));
    }
    return tally;
}

static void every_word_disassembles_as_in_mspdebug(void **state)
{
    (void)state;
    struct tally tally = all_words(0, 0x1234, 0x5678);
    print_message("%u same, %u explained\n", tally.same, tally.explained);
    assert_int_equal(tally.unexplained, 0);
}

static void every_word_behind_extension_words_too(void **state)
{
    static const uint16_t extensions[] = {0x1840, 0x1800, 0x1849, 0x1d46, 0x18c5};
    (void)state;
    for (unsigned i = 0; i < sizeof extensions / sizeof *extensions; i++) {
        struct tally tally = all_words(extensions[i], 0x1234, 0x5678);
        print_message("%04x: %u same, %u explained\n", extensions[i], tally.same, tally.explained);
        assert_int_equal(tally.unexplained, 0);
    }
}

static void no_two_rows_share_an_encoding(void **state)
{
    (void)state;
    for (unsigned word = 0; word < 0x10000; word++) {
        int owner = -1;
        for (int i = 0; i < MSP430_ROWS; i++) {
            struct msp430_form form = msp430_form_of(msp430_rows[i].encoding);
            if ((word & form.mask) != form.match)
                continue;
            if (owner >= 0)
                fail_msg("0x%04x belongs to %s and %s", word, msp430_rows[owner].name,
                         msp430_rows[i].name);
            owner = i;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_two_rows_share_an_encoding),
        cmocka_unit_test(every_word_disassembles_as_in_mspdebug),
        cmocka_unit_test(every_word_behind_extension_words_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
