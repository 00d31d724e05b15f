/*
 * The AVR table against avr-objdump: every first word, with a second word at random; and against
 * itself: no two rows share an encoding.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ctype.h>
#include <stdlib.h>
#include <unistd.h>

#include "avr_rig.h"

enum { WORDS = 0x10000 };

/* Mnemonic and operands in lower case, without blanks and comments, numbers in decimal. */
static void normalise(char *out, size_t size, const char *text)
{
    size_t used = 0;
    while (*text && *text != ';' && *text != '\n' && used + 12 < size) {
        if (isspace((unsigned char)*text)) {
            if (used && out[used - 1] != ' ' && isalpha((unsigned char)out[0]) &&
                !memchr(out, ' ', used))
                out[used++] = ' ';
            text++;
        } else if (text[0] == '0' && text[1] == 'x') {
            char *end;
            used += (size_t)snprintf(out + used, size - used, "%lu", strtoul(text, &end, 16));
            text = end;
        } else {
            out[used++] = (char)tolower((unsigned char)*text++);
        }
    }
    while (used && out[used - 1] == ' ')
        used--;
    out[used] = '\0';
}

static void write_words(const char *path, uint16_t *seconds, uint64_t seed)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (unsigned word = 0; word < WORDS; word++) {
        /* Alone the second word is an instruction of one word, so that objdump stays in step. */
        seconds[word] = (uint16_t)(0x0c00 | rig_random(&seed) % 0x5400);
        uint8_t bytes[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)seconds[word],
                            (uint8_t)(seconds[word] >> 8)};
        assert_int_equal(fwrite(bytes, 1, 4, file), 4);
    }
    assert_int_equal(fclose(file), 0);
}

static unsigned compare_line(const char *line, const uint16_t *seconds)
{
    char *end, theirs[96], ours[96], raw[96];
    unsigned long address = strtoul(line, &end, 16);
    if (*end != ':' || address % 4 != 0 || address >= 4 * WORDS)
        return 0;
    /* ADDRESS:<tab>BYTES<tab>MNEMONIC<tab>OPERANDS */
    const char *text = strchr(end + 2, '\t');
    if (!text)
        return 0;
    unsigned word = (unsigned)(address / 4);
    uint8_t code[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)seconds[word],
                       (uint8_t)(seconds[word] >> 8)};
    const struct core_class *class = core_class_named("avrxm");
    unsigned bytes = class->disassemble(class, raw, sizeof raw, code, 4, (uint32_t)address);
    normalise(ours, sizeof ours, raw);
    normalise(theirs, sizeof theirs, text + 1);
    unsigned their_bytes = isxdigit((unsigned char)end[2 + 6]) ? 4 : 2;
    if (strcmp(ours, theirs) != 0 || bytes != their_bytes)
        fail_msg("0x%04x 0x%04x: \"%s\" of %u bytes, objdump \"%s\" of %u", word, seconds[word],
                 ours, bytes, theirs, their_bytes);
    return 1;
}

static void test_every_word_as_objdump_reads_it(void **state)
{
    (void)state;
    static uint16_t seconds[WORDS];
    char path[] = "/tmp/ujoule-avr-words-XXXXXX", command[128], line[256];
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    for (uint64_t seed = 1; seed <= 2; seed++) {
        write_words(path, seconds, seed);
        snprintf(command, sizeof command, "avr-objdump -D -b binary -m avr:107 %s", path);
        FILE *pipe = popen(command, "r");
        assert_non_null(pipe);
        unsigned compared = 0;
        while (fgets(line, sizeof line, pipe))
            compared += compare_line(line, seconds);
        assert_int_equal(pclose(pipe), 0);
        assert_int_equal(compared, WORDS);
    }
    unlink(path);
}

static void test_no_rows_overlap(void **state)
{
    (void)state;
    static struct avr_form forms[AVR_ROWS];
    for (int i = 0; i < AVR_ROWS; i++)
        avr_form_of(&forms[i], avr_rows[i].encoding);
    for (unsigned word = 0; word < WORDS; word++) {
        int row = -1, variant = -1;
        for (int i = 0; i < AVR_ROWS; i++) {
            if ((word & forms[i].mask) != forms[i].match)
                continue;
            int *slot = avr_rows[i].variant_of < 0 ? &row : &variant;
            if (*slot >= 0)
                fail_msg("0x%04x is both %s and %s", word, avr_rows[*slot].name, avr_rows[i].name);
            *slot = i;
        }
        if (variant >= 0)
            assert_int_equal(avr_rows[variant].variant_of, row);
    }
}

static void test_encodings_are_whole_words(void **state)
{
    (void)state;
    for (int i = 0; i < AVR_ROWS; i++) {
        unsigned bits = 0;
        for (const char *p = avr_rows[i].encoding; *p; p++)
            bits += *p != ' ';
        assert_true(bits == 16 || bits == 32);
    }
}

static void test_too_few_bytes(void **state)
{
    (void)state;
    const struct core_class *class = core_class_named("avre");
    const uint8_t lds[4] = {0x00, 0x91, 0x00, 0x20};
    char text[32], small[6];
    assert_int_equal(class->disassemble(class, text, sizeof text, lds, 1, 0), 0);
    assert_int_equal(class->disassemble(class, text, sizeof text, lds, 3, 0), 0);
    assert_int_equal(class->disassemble(class, text, sizeof text, lds, 4, 0), 4);
    assert_string_equal(text, "lds r16, 0x2000");
    assert_int_equal(class->disassemble(class, small, sizeof small, lds, 4, 0), 4);
    assert_int_equal(strlen(small), sizeof small - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_word_as_objdump_reads_it),
        cmocka_unit_test(test_no_rows_overlap),
        cmocka_unit_test(test_encodings_are_whole_words),
        cmocka_unit_test(test_too_few_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
