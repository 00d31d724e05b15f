/*
 * One program on hazard3 and on qemu-system-riscv32: every instruction of Zba, Zbb, Zbs and Zbkb
 * (and of M) on random and on edge operands, one checksum an instruction; traps: what mcause, mepc
 * and the way back are for ecall, ebreak, an illegal instruction and a vectored software trap. Both
 * print by semihosting, and print the same.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "isa/rv32/rv32_table.h"
#include "rv32_rig.h"

enum { PAIRS = 64, QEMU_BASE = 0x80000000 };

static bool is_compared(int row)
{
    return rv32_rows[row].class == RV32_ALU || rv32_rows[row].class == RV32_SDIV ||
           rv32_rows[row].class == RV32_UDIV;
}

static void put_operands(FILE *out, uint64_t seed)
{
    static const uint32_t edges[] = {0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 31, 32, 0x00ff00ff};
    fputs("\t.p2align 4\noperands:\n", out);
    for (unsigned i = 0; i < PAIRS; i++) {
        uint32_t a = i < 32 ? edges[i / 4] : rig_random(&seed);
        uint32_t b = i < 32 ? edges[(i * 3 + i / 8) % 8] : rig_random(&seed);
        fprintf(out, "\t.word 0x%08x, 0x%08x\n", a, b);
    }
}

/* The instruction's word, d = a2, s = a0, t = a1, with any immediate. */
static uint32_t word_of(int row, uint32_t random)
{
    const char *encoding = rv32_rows[row].encoding;
    uint32_t word = 0;
    for (const char *p = encoding, *d = NULL; *p; p++) {
        static const char *const fields = "dst";
        static const uint32_t values[] = {12, 10, 11};
        if (*p == ' ') {
            d = NULL;
            continue;
        }
        uint32_t bit = *p == '1';
        const char *field = strchr(fields, *p);
        if (field) {
            if (!d)
                d = p;
            bit = values[field - fields] >> (4 - (p - d)) & 1;
        } else if (*p >= 'A' && *p <= 'Z') {
            bit = random & 1;
            random >>= 1;
        }
        word = word << 1 | bit;
    }
    return word;
}

static void put_program(FILE *out, uint32_t stack)
{
    fprintf(out, "\t.globl _start\n_start:\n\tli sp, 0x%x\n\tla t0, handler\n\tcsrw mtvec, t0\n",
            stack);
    uint64_t seed = 77;
    for (int row = 0; row < RV32_ROWS; row++) {
        struct rv32_form form;
        rv32_form_of(&form, rv32_rows[row].encoding);
        if (!is_compared(row) || row == RV32_ROW_auipc)
            continue;
        for (int variety = 0; variety < 3; variety++) {
            fprintf(
                out,
                "\tla s0, operands\n\tli s1, %d\n\tli s2, 0\n1:\tlw a0, 0(s0)\n\tlw a1, 4(s0)\n"
                "\t.word 0x%08x\n\tslli t0, s2, 5\n\tsub s2, t0, s2\n\txor s2, s2, a2\n"
                "\taddi s0, s0, 8\n\taddi s1, s1, -1\n\tbnez s1, 1b\n\tmv a0, s2\n\tcall print\n",
                PAIRS, word_of(row, rig_random(&seed)));
        }
    }
    /* Traps: each prints cause and the distance of mepc, and goes on behind. */
    fputs(
        "\tla s4, 2f\n2:\tecall\n\tla s4, 2f\n2:\t.word 0x00000000\n"
        "\tla s4, 2f\n2:\t.word 0xffffffff\n\tla s4, 2f\n2:\t.word 0x0000200b\n"
        "\tli t1, 0x1880\n\tcsrw mstatus, t1\n\tcsrr a0, mstatus\n\tli t1, 0x1888\n\tand a0, a0, "
        "t1\n"
        "\tcall print\n\tla t0, 3f\n\tcsrw mepc, t0\n\tmret\n\tnop\n"
        "3:\tcsrr a0, mstatus\n\tli t1, 0x88\n\tand a0, a0, t1\n\tcall print\n"
        "\tli a0, 0x18\n\tli a1, 0x20026\n\tcall host\n"
        "\t.p2align 2\nhandler:\n\tcsrr a0, mcause\n\tcall print\n\tcsrr a0, mepc\n\tsub a0, a0, "
        "s4\n"
        "\tcall print\n\tcsrr t0, mepc\n\taddi t0, t0, 4\n\tcsrw mepc, t0\n\tmret\n"
        /* Prints a0 in hexadecimal. */
        "print:\taddi sp, sp, -32\n\tsw ra, 28(sp)\n\tsw a1, 24(sp)\n\tli t3, 8\n\tmv t4, sp\n"
        "4:\tsrli t5, a0, 28\n\tslli a0, a0, 4\n\taddi t5, t5, 48\n\tli t6, 58\n\tblt t5, t6, 5f\n"
        "\taddi t5, t5, 39\n5:\tsb t5, (t4)\n\taddi t4, t4, 1\n\taddi t3, t3, -1\n\tbnez t3, 4b\n"
        "\tli t5, 10\n\tsb t5, (t4)\n\tsb zero, 1(t4)\n\tli a0, 4\n\tmv a1, sp\n\tcall host\n"
        "\tlw ra, 28(sp)\n\tlw a1, 24(sp)\n\taddi sp, sp, 32\n\tret\n"
        "\t.option push\n\t.option norvc\n\t.p2align 4\nhost:\tslli x0, x0, 31\n\tebreak\n"
        "\tsrai x0, x0, 7\n\tret\n\t.option pop\n",
        out);
    put_operands(out, 4711);
}

static void write_program(const char *path, uint32_t stack)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    put_program(out, stack);
    fclose(out);
}

static void test_same_output(void **state)
{
    (void)state;
    static char theirs[1 << 16];
    const char *name = UJ_BUILD_DIR "/rv32_qemu";
    struct rv32_rig *rig = rig_new();
    write_program(UJ_BUILD_DIR "/rv32_qemu.S", RIG_RAM + 0x80000);
    assert_true(rig_assemble(rig, name));
    enum core_stop stop = rig_run(rig, 10000000);
    if (stop != CORE_EXIT)
        fail_msg("stopped: %s %s", rig->core->fault.reason ? rig->core->fault.reason : "?",
                 rig->core->fault.detail);
    write_program(UJ_BUILD_DIR "/rv32_qemu.S", QEMU_BASE + 0x80000);
    char command[1024];
    snprintf(
        command, sizeof command,
        "riscv64-unknown-elf-gcc -march=" RIG_MARCH " -mabi=ilp32 -nostdlib -nostartfiles "
        "-Wl,-melf32lriscv,--no-relax,-Ttext=0x%x -o %s.elf %s.S && timeout 60 "
        "qemu-system-riscv32 -M virt -cpu rv32,zba=true,zbb=true,zbs=true,zbkb=true -bios none "
        "-display none -monitor none -serial none -chardev file,id=out,path=%s.out "
        "-semihosting-config enable=on,target=native,chardev=out -kernel %s.elf",
        (unsigned)QEMU_BASE, name, name, name, name);
    assert_int_equal(system(command), 0);
    FILE *file = fopen(UJ_BUILD_DIR "/rv32_qemu.out", "r");
    assert_non_null(file);
    size_t bytes = fread(theirs, 1, sizeof theirs - 1, file);
    fclose(file);
    assert_true(bytes > 9 * 190);
    if (bytes != rig->output_bytes || memcmp(theirs, rig->output, bytes) != 0) {
        size_t at = 0;
        while (at < bytes && theirs[at] == rig->output[at])
            at++;
        fail_msg("%zu and %zu bytes; line %zu: %.8s, qemu %.8s", rig->output_bytes, bytes, at / 9,
                 rig->output + at / 9 * 9, theirs + at / 9 * 9);
    }
    rig_free(rig);
}

/*
 * Zcb and Zcmp, as LLVM assembles them: the instruction and its expansion into base instructions
 * leave the same registers and memory.
 */
struct expansion {
    const char *text, *base;
};
static const struct expansion expansions[] = {
    {"c.lbu a0, 0(a2)", "lbu a0, 0(a2)"},
    {"c.lbu a0, 1(a2)", "lbu a0, 1(a2)"},
    {"c.lbu a0, 2(a2)", "lbu a0, 2(a2)"},
    {"c.lhu a0, 2(a2)", "lhu a0, 2(a2)"},
    {"c.lh a0, 0(a2)", "lh a0, 0(a2)"},
    {"c.lh a0, 2(a2)", "lh a0, 2(a2)"},
    {"c.sb a0, 1(a2)", "sb a0, 1(a2)"},
    {"c.sb a0, 2(a2)", "sb a0, 2(a2)"},
    {"c.sh a0, 2(a2)", "sh a0, 2(a2)"},
    {"c.zext.b a0", "andi a0, a0, 255"},
    {"c.sext.b a0", "slli a0, a0, 24; srai a0, a0, 24"},
    {"c.zext.h a0", "slli a0, a0, 16; srli a0, a0, 16"},
    {"c.sext.h a0", "slli a0, a0, 16; srai a0, a0, 16"},
    {"c.not a0", "xori a0, a0, -1"},
    {"c.mul a0, a1", "mul a0, a0, a1"},
    {"cm.mva01s s0, s1", "mv a0, s0; mv a1, s1"},
    {"cm.mva01s s7, s7", "mv a0, s7; mv a1, s7"},
    {"cm.mvsa01 s1, s2", "mv s1, a0; mv s2, a1"},
    {"cm.push {ra}, -16", "sw ra, -4(sp); addi sp, sp, -16"},
    {"cm.push {ra, s0}, -32", "sw s0, -4(sp); sw ra, -8(sp); addi sp, sp, -32"},
    {"cm.push {ra, s0-s2}, -16",
     "sw s2, -4(sp); sw s1, -8(sp); sw s0, -12(sp); sw ra, -16(sp); addi sp, sp, -16"},
    {"cm.push {ra, s0-s11}, -112",
     "sw s11, -4(sp); sw s10, -8(sp); sw s9, -12(sp); sw s8, -16(sp); sw s7, -20(sp); "
     "sw s6, -24(sp); sw s5, -28(sp); sw s4, -32(sp); sw s3, -36(sp); sw s2, -40(sp); "
     "sw s1, -44(sp); sw s0, -48(sp); sw ra, -52(sp); addi sp, sp, -112"},
    {"cm.pop {ra, s0-s2}, 16",
     "lw s2, 12(sp); lw s1, 8(sp); lw s0, 4(sp); lw ra, 0(sp); addi sp, sp, 16"},
    {"cm.pop {ra, s0}, 32", "lw s0, 28(sp); lw ra, 24(sp); addi sp, sp, 32"},
    {"la t0, end; sw t0, 0(sp); cm.popret {ra, s0-s2}, 16; .word 0",
     "la t0, end; sw t0, 0(sp); lw s2, 12(sp); lw s1, 8(sp); lw s0, 4(sp); lw ra, 0(sp); "
     "addi sp, sp, 16; ret; .word 0"},
    {"la t0, end; sw t0, 12(sp); cm.popretz {ra}, 16; .word 0",
     "la t0, end; sw t0, 12(sp); lw ra, 12(sp); li a0, 0; addi sp, sp, 16; ret; .word 0"},
};

enum { EXPANSION_DATA = RIG_RAM + 0x1000 };

static void run_form(struct rv32_rig *rig, const char *text, unsigned seed)
{
    const char *name = UJ_BUILD_DIR "/rv32_form";
    char command[1024];
    static uint8_t code[256];
    FILE *out = fopen(UJ_BUILD_DIR "/rv32_form.S", "w");
    assert_non_null(out);
    fprintf(out, "\t.globl _start\n\t.option norelax\n_start:\n");
    for (; *text; text++)
        fputc(*text == ';' ? '\n' : *text, out);
    /* The same place and the same end in both. */
    fputs("\n\tj end\n\t.org 0x80\nend:\tj end\n", out);
    fclose(out);
    snprintf(command, sizeof command,
             "clang-19 --target=riscv32 -march=rv32imac_zbb_zcb_zcmp -nostdlib -c -o %s.o %s.S && "
             "riscv64-unknown-elf-ld -melf32lriscv --no-relax -Ttext=0x%x -o %s.elf %s.o && "
             "riscv64-unknown-elf-objcopy -O binary %s.elf %s.bin",
             name, name, RIG_RAM, name, name, name, name);
    assert_int_equal(system(command), 0);
    FILE *in = fopen(UJ_BUILD_DIR "/rv32_form.bin", "rb");
    assert_non_null(in);
    size_t bytes = fread(code, 1, sizeof code, in);
    fclose(in);
    rig_poke(rig, RIG_RAM, code, bytes);
    uint64_t random = seed;
    for (unsigned i = 1; i < 32; i++)
        rig->core->class->set_register(rig->core, i, rig_random(&random));
    rig->core->class->set_register(rig->core, 2, EXPANSION_DATA + 0x100);
    rig->core->class->set_register(rig->core, 12, EXPANSION_DATA + 0x80);
    for (unsigned i = 0; i < 0x200; i += 4) {
        uint32_t word = rig_random(&random);
        rig_poke(rig, EXPANSION_DATA + i, &word, 4);
    }
    rig_run(rig, 100);
}

static void test_expansions(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof expansions / sizeof *expansions; i++) {
        struct rv32_rig *one = rig_new(), *other = rig_new();
        run_form(one, expansions[i].text, 5 + (unsigned)i);
        run_form(other, expansions[i].base, 5 + (unsigned)i);
        for (unsigned r = 1; r < 32; r++)
            if (one->core->class->get_register(one->core, r) !=
                other->core->class->get_register(other->core, r))
                fail_msg("%s and %s: x%u is 0x%08x and 0x%08x", expansions[i].text,
                         expansions[i].base, r, one->core->class->get_register(one->core, r),
                         other->core->class->get_register(other->core, r));
        assert_memory_equal(one->ram + 0x1000, other->ram + 0x1000, 0x200);
        rig_free(one);
        rig_free(other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_output),
        cmocka_unit_test(test_expansions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
