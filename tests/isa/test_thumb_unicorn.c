/*
 * Random instructions and real programs on our cores and on Unicorn: registers, flags and memory
 * equal afterwards. Unicorn is no judge of what a core lacks, so only what the core has is tried;
 * combinations that the manual calls unpredictable are left out.
 */
#include "thumb_rig.h"

#include <unicorn/unicorn.h>

enum {
    CODE = 0x00010000,
    CODE_BYTES = 0x00200000,
    RAM = 0x20000000,
    RAM_BYTES = 0x10000,
    WINDOW = 0x2000, /* random accesses fall into RAM + WINDOW +- 512 */
    SINGLES = 8000,
    BLOCKS = 1500,
    REGISTERS = 15,
};

struct pair {
    struct thumb_rig *rig;
    uc_engine *uc;
    enum thumb_core_kind kind;
    uint64_t random;
    uint32_t at; /* where the next code goes */
};

static const int uc_registers[REGISTERS] = {
    UC_ARM_REG_R0,  UC_ARM_REG_R1,  UC_ARM_REG_R2,  UC_ARM_REG_R3, UC_ARM_REG_R4,
    UC_ARM_REG_R5,  UC_ARM_REG_R6,  UC_ARM_REG_R7,  UC_ARM_REG_R8, UC_ARM_REG_R9,
    UC_ARM_REG_R10, UC_ARM_REG_R11, UC_ARM_REG_R12, UC_ARM_REG_SP, UC_ARM_REG_LR};

static uint32_t any(struct pair *p)
{
    p->random += 0x9e3779b97f4a7c15;
    uint64_t z = p->random;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (uint32_t)(z >> 32);
}

static void good(uc_err err)
{
    if (err)
        fail_msg("Unicorn: %s", uc_strerror(err));
}

static struct pair *pair_new(enum thumb_core_kind kind)
{
    static const int models[THUMB_CORES] = {UC_CPU_ARM_CORTEX_M0, UC_CPU_ARM_CORTEX_M3,
                                            UC_CPU_ARM_CORTEX_M33};
    struct pair *p = uj_calloc(1, sizeof *p);
    p->kind = kind;
    p->random = 20 + kind;
    p->at = CODE;
    p->rig = rig_new(kind);
    good(uc_open(UC_ARCH_ARM, UC_MODE_THUMB | UC_MODE_MCLASS, &p->uc));
    good(uc_ctl_set_cpu_model(p->uc, models[kind]));
    good(uc_mem_map(p->uc, 0, CODE + CODE_BYTES, UC_PROT_ALL));
    good(uc_mem_map(p->uc, RAM, RAM_BYTES, UC_PROT_ALL));
    uint8_t *noise = uj_calloc(1, RAM_BYTES);
    for (unsigned i = 0; i < RAM_BYTES; i++)
        noise[i] = (uint8_t)any(p);
    good(uc_mem_write(p->uc, RAM, noise, RAM_BYTES));
    assert_true(mem_poke(&p->rig->machine->data, RAM, noise, RAM_BYTES));
    free(noise);
    return p;
}

static void pair_free(struct pair *p)
{
    uc_close(p->uc);
    rig_free(p->rig);
    free(p);
}

static void put_code(struct pair *p, const void *bytes, unsigned count)
{
    good(uc_mem_write(p->uc, p->at, bytes, count));
    assert_true(mem_poke(&p->rig->machine->data, p->at, bytes, count));
    p->at += count;
}

static uint32_t any_value(struct pair *p)
{
    static const uint32_t edges[] = {0,      1,    0x7fffffff, 0x80000000, 0xffffffff, 0x8000,
                                     0x7fff, 0xff, 32,         31,         33,         0x80008000};
    uint32_t value = any(p);
    switch (value & 7) {
    case 0: return edges[any(p) % (sizeof edges / sizeof edges[0])];
    case 1: return any(p) & 0xff;
    default: return any(p);
    }
}

/* The same registers and flags on both. */
static void set_state(struct pair *p, const struct thumb_record *r, const struct thumb_row *row)
{
    struct thumb_core *c = p->rig->c;
    for (unsigned i = 0; i < REGISTERS; i++) {
        uint32_t value = any_value(p);
        if (i == 13)
            value = RAM + WINDOW + 4 * (any(p) % 64);
        c->r[i] = value;
    }
    if (row) {
        bool pair_access = row->class == CLASS_LOAD2 || row->class == CLASS_STORE2 ||
                           row->class == CLASS_LDM || row->class == CLASS_STM ||
                           row->class == CLASS_LDMPC || row->class == CLASS_EXCL;
        bool access = pair_access || row->class == CLASS_LOAD || row->class == CLASS_LOADX ||
                      row->class == CLASS_STORE || row->class == CLASS_STORER ||
                      row->class == CLASS_STOREX;
        if (access && r->rn != 15) {
            uint32_t address = RAM + WINDOW + any(p) % 256;
            if (pair_access || p->kind == THUMB_M0PLUS || r->rn == 13)
                address &= ~3u;
            /* Misaligned accesses stay within one kind of bus; large offsets are taken back. */
            if (row->kind == K_IMM || row->kind == K_IMM2 || row->kind == K_IMM4)
                address -= r->imm & (p->kind == THUMB_M0PLUS ? ~3u : ~0u);
            c->r[r->rn] = address;
            if (strchr(row->pattern, 'm'))
                c->r[r->rm] = p->kind == THUMB_M0PLUS ? any(p) & 0x7c : any(p) & 0x7f;
        }
    }
    uint32_t flags = any(p) & 0xf8000000;
    if (p->kind == THUMB_M0PLUS)
        flags &= 0xf0000000;
    c->it = 0;
    thumb_set_apsr(c, flags);
    for (unsigned i = 0; i < REGISTERS; i++)
        good(uc_reg_write(p->uc, uc_registers[i], &c->r[i]));
    uint32_t xpsr = flags | 1u << 24;
    good(uc_reg_write(p->uc, UC_ARM_REG_XPSR, &xpsr));
    /* The GE flags cannot be written from outside: ours become as theirs are. */
    good(uc_reg_read(p->uc, UC_ARM_REG_XPSR, &xpsr));
    c->ge = xpsr >> 16 & 15;
}

static void describe(struct pair *p, uint32_t from, uint32_t to)
{
    while (from < to) {
        uint8_t code[4];
        char text[100] = "?";
        assert_true(mem_peek(&p->rig->machine->data, from, code, 4));
        unsigned n = thumb_disassemble(p->rig->c->core.class, text, sizeof text, code, 4, from);
        print_error("  %x: %02x%02x %02x%02x %s\n", from, code[1], code[0], code[3], code[2], text);
        from += n ? n : 2;
    }
}

/* Executes what lies from `from` to p->at, `steps` instructions, on both, and compares. Unicorn
 * counts IT in its own way, so it goes by the address. */
static void run_both(struct pair *p, uint32_t from, unsigned steps)
{
    struct thumb_core *c = p->rig->c;
    struct core *core = &c->core;
    uint32_t before[REGISTERS], before_flags = thumb_xpsr(c);
    memcpy(before, c->r, sizeof before);
    core->class->set_pc(core, from);
    uint64_t target = core->instructions + steps;
    while (core->instructions < target) {
        core->limit = core->cycle + 1;
        core->deadline = core->limit;
        enum core_stop stop = core->class->run(core);
        if (stop != CORE_DEADLINE) {
            describe(p, from, p->at);
            fail_msg("ours stops: %s %s", core->fault.reason ? core->fault.reason : "?",
                     core->fault.detail);
        }
        if (c->ipsr) {
            describe(p, from, p->at);
            fail_msg("ours takes exception %u: CFSR %x BFAR %x", c->ipsr, c->cfsr, c->bfar);
        }
    }
    good(uc_ctl_remove_cache(p->uc, (uint64_t)from - 64, (uint64_t)p->at + 64));
    uc_err err = uc_emu_start(p->uc, from | 1, steps == 1 ? 0xfffffffe : p->at, 0, steps == 1);
    if (err) {
        describe(p, from, p->at);
        fail_msg("Unicorn: %s", uc_strerror(err));
    }
    uint32_t theirs[REGISTERS], pc, xpsr;
    for (unsigned i = 0; i < REGISTERS; i++)
        good(uc_reg_read(p->uc, uc_registers[i], &theirs[i]));
    good(uc_reg_read(p->uc, UC_ARM_REG_PC, &pc));
    good(uc_reg_read(p->uc, UC_ARM_REG_XPSR, &xpsr));
    uint32_t mask = p->kind == THUMB_M0PLUS ? 0xf0000000
                    : p->kind == THUMB_M3   ? 0xf8000000
                                            : 0xf80f0000;
    bool same = (pc & ~1u) == c->pc && (xpsr & mask) == (thumb_xpsr(c) & mask);
    for (unsigned i = 0; i < REGISTERS; i++)
        same &= theirs[i] == c->r[i];
    uint8_t ours_ram[1024], their_ram[1024];
    assert_true(mem_peek(&p->rig->machine->data, RAM + WINDOW - 512, ours_ram, sizeof ours_ram));
    good(uc_mem_read(p->uc, RAM + WINDOW - 512, their_ram, sizeof their_ram));
    if (same && memcmp(ours_ram, their_ram, sizeof ours_ram) == 0)
        return;
    describe(p, from, p->at);
    for (unsigned i = 0; i < REGISTERS; i++)
        print_error("  %-4s before %08x ours %08x theirs %08x%s\n", c->core.class->register_name(i),
                    before[i], c->r[i], theirs[i], c->r[i] == theirs[i] ? "" : " <<<");
    print_error("  pc %08x %08x xpsr before %08x ours %08x theirs %08x\n", c->pc, pc, before_flags,
                thumb_xpsr(c), xpsr);
    for (unsigned i = 0; i < sizeof ours_ram; i++)
        if (ours_ram[i] != their_ram[i])
            print_error("  [%x] %02x %02x\n", RAM + WINDOW - 512 + i, ours_ram[i], their_ram[i]);
    fail_msg("not the same");
}

/* Has the row effects that this test does not set up, or is the encoding unpredictable? */
static bool is_excluded(const struct pair *p, const struct thumb_row *row,
                        const struct thumb_record *r, uint32_t code, bool in_block)
{
    switch (row->class) {
    case CLASS_TRAP:
    case CLASS_SYS:
    case CLASS_HINT:
    case CLASS_IT:
    case CLASS_BARRIER:
    case CLASS_MOVPC:
    case CLASS_BX:
    case CLASS_BLX:
    case CLASS_LOADPC:
    case CLASS_LDMPC:
    case CLASS_TB:
    case CLASS_EXCL: return true;
    case CLASS_B:
    case CLASS_BCC:
    case CLASS_BL: {
        if (in_block)
            return true;
        return r->imm < CODE + 64 || r->imm > CODE + CODE_BYTES - 64;
    }
    default: break;
    }
    if (row->op == OP_tt)
        return true;
    bool wide = thumb_row_is_wide(row);
    static const char letters[] = "dentuma";
    for (const char *l = letters; *l; l++) {
        bool has;
        uint32_t reg = thumb_field(row, code, *l, &has);
        if (has && (reg == 15 || (reg == 13 && (wide || *l == 'm' || strchr("de", *l)))))
            return true;
    }
    if (row->op == OP_cmp_hi && r->rn < 8 && r->rm < 8)
        return true;
    bool access = row->class == CLASS_LOADX || row->class == CLASS_STOREX;
    if (access && r->rn == r->rd)
        return true;
    if (row->class == CLASS_LOAD2 || row->class == CLASS_STORE2)
        return r->rd == r->ra || r->rd == r->rn || r->ra == r->rn;
    if (row->class == CLASS_LDM || row->class == CLASS_STM)
        return r->ra == 0 || (wide && (r->ra < 2 || (r->imm >> r->rn & 1))) ||
               (row->op == OP_stm && (r->imm >> r->rn & 1)) || (r->imm & 0xa000);
    if (strchr(row->pattern, 'm') && (row->class == CLASS_LOAD || row->class == CLASS_STORER) &&
        r->rm == r->rn)
        return true;
    if (strchr(row->pattern, 'm') && row->class == CLASS_STORER &&
        (r->rm == r->rd || r->rn == r->rd))
        return false;
    if ((row->class == CLASS_MULL || row->class == CLASS_MACL) && r->rd == r->ra)
        return true;
    if (p->kind == THUMB_M0PLUS && row->op == OP_blx)
        return true;
    return false;
}

/* A random instruction of a random row; its record is of where it will lie. */
static const struct thumb_row *make_random(struct pair *p, struct thumb_record *r, uint8_t bytes[4],
                                           unsigned *count, bool in_block)
{
    for (;;) {
        const struct thumb_row *row = &thumb_rows[any(p) % thumb_row_count];
        bool wide = thumb_row_is_wide(row);
        uint32_t code = wide ? any(p) : any(p) & 0xffff;
        unsigned bit = wide ? 32 : 16;
        for (const char *q = row->pattern; *q; q++) {
            if (*q == ' ')
                continue;
            bit--;
            if (*q == '0' || *q == '1')
                code = (code & ~(1u << bit)) | (uint32_t)(*q - '0') << bit;
        }
        *r = (struct thumb_record){0};
        if (!thumb_core_has(p->kind, row->arch) || !thumb_row_matches(row, code, wide) ||
            !thumb_decode_row(r, row, code, p->at) || is_excluded(p, row, r, code, in_block))
            continue;
        uint16_t half[2] = {(uint16_t)(wide ? code >> 16 : code), (uint16_t)code};
        memcpy(bytes, half, 4);
        *count = wide ? 4 : 2;
        return row;
    }
}

static void single_instructions(enum thumb_core_kind kind)
{
    struct pair *p = pair_new(kind);
    for (unsigned i = 0; i < SINGLES; i++) {
        uint8_t bytes[4];
        unsigned count;
        struct thumb_record r;
        const struct thumb_row *row = make_random(p, &r, bytes, &count, false);
        set_state(p, &r, row);
        uint32_t from = p->at;
        put_code(p, bytes, count);
        run_both(p, from, 1);
    }
    pair_free(p);
}

static bool is_arithmetic(const struct thumb_row *row)
{
    return row->class <= CLASS_DIV && row->kind != K_SPSP4;
}

/* Blocks of arithmetic, some of it conditional. */
static void blocks(enum thumb_core_kind kind)
{
    struct pair *p = pair_new(kind);
    for (unsigned i = 0; i < BLOCKS; i++) {
        set_state(p, NULL, NULL);
        uint32_t from = p->at;
        unsigned steps = 0, conditional = 0;
        while (steps < 12) {
            uint8_t bytes[4];
            unsigned count;
            struct thumb_record r;
            if (kind != THUMB_M0PLUS && conditional == 0 && any(p) % 4 == 0 && steps < 8) {
                uint32_t condition = any(p) % 14, length = 1 + any(p) % 4, mask = any(p) & 15;
                mask = ((mask | 1) << (4 - length)) & 15;
                if (length == 1)
                    mask = 8;
                mask = (mask & ~(1u << (4 - length))) & ~((1u << (4 - length)) - 1);
                mask |= 1u << (4 - length);
                uint16_t it = (uint16_t)(0xbf00 | condition << 4 | mask);
                put_code(p, &it, 2);
                conditional = length;
                steps++;
            }
            const struct thumb_row *row;
            do
                row = make_random(p, &r, bytes, &count, true);
            while (!is_arithmetic(row));
            put_code(p, bytes, count);
            steps++;
            if (conditional)
                conditional--;
        }
        while (conditional--) {
            uint16_t mov = 0x4618;
            put_code(p, &mov, 2);
            steps++;
        }
        run_both(p, from, steps);
    }
    pair_free(p);
}

/* Real code: hashes of a message, compiled for the core, run to the end on both. */
static void real_programs(enum thumb_core_kind kind)
{
    static const char *const levels[] = {"-Os", "-O2", "-O3 -funroll-loops"};
    for (unsigned i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        struct pair *p = pair_new(kind);
        char *options = uj_format("-std=gnu99 %s -ffreestanding -I" UJ_SOURCE_DIR
                                  "/primitives/hash/sha256/ref -I" UJ_SOURCE_DIR
                                  "/primitives/hash/esch256/ref -I" UJ_SOURCE_DIR
                                  "/primitives/hash/ascon-hash256/ref -Wl,-Ttext=0x10000 "
                                  "-Wl,-Tdata=0x20001000 -fno-builtin",
                                  levels[i]);
        char *name = uj_format("hashes%u", i);
        struct image *image = rig_build(
            &p->rig->ctx, rig_cores[kind], name, "c",
            "#include <stddef.h>\n"
            "void *memcpy(void *d, const void *s, size_t n)\n"
            "{char *a = d; const char *b = s; while (n--) *a++ = *b++; return d;}\n"
            "void *memset(void *d, int v, size_t n)\n"
            "{char *a = d; while (n--) *a++ = (char)v; return d;}\n"
            "#include \"sha256_ref.c\"\n"
            "#define BLOCK_BYTES ESCH_BLOCK_BYTES\n"
            "#include \"esch256_ref_sparkle.c\"\n"
            "#include \"esch256_ref.c\"\n"
            "unsigned char in[500], out[3][32]; int table[40]; unsigned long long sums[4];\n"
            "void _start(void) {\n"
            "  for (unsigned i = 0; i < sizeof in; i++) in[i] = (unsigned char)(i * i + 7);\n"
            "  sha256_ref(out[0], in, sizeof in);\n"
            "  esch256_ref(out[1], in, sizeof in);\n"
            "  for (int i = 0; i < 40; i++) table[i] = (i * 7919) % 101 - 50;\n"
            "  for (int i = 1; i < 40; i++) { int x = table[i], j = i;\n"
            "    for (; j > 0 && table[j - 1] > x; j--) table[j] = table[j - 1]; table[j] = x; }\n"
            "  for (int i = 0; i < 40; i++) { sums[i & 3] += (unsigned long long)table[i] * "
            "table[39 - i];\n"
            "    switch (table[i] & 15) { case 1: sums[0]++; break; case 2: sums[1] ^= 5; break; "
            "case 3: sums[2] /= 3; break;\n"
            "      case 5: sums[3] <<= 1; break; case 6: sums[0] -= 9; break; case 9: sums[1] %= "
            "1000; break; default: sums[2] += 2; } }\n"
            "  __asm__ volatile (\".globl finished\\nfinished: b .\\n\");\n"
            "}\n",
            options);
        rig_load(p->rig, image);
        for (size_t s = 0; s < image->segment_count; s++)
            good(uc_mem_write(p->uc, image->segments[s].address, image->segments[s].data,
                              image->segments[s].bytes));
        uint32_t start = rig_symbol(p->rig, image, "_start");
        uint32_t end = rig_symbol(p->rig, image, "finished");
        set_state(p, NULL, NULL);
        uint32_t sp = RAM + 0xf000;
        p->rig->c->r[13] = sp;
        good(uc_reg_write(p->uc, UC_ARM_REG_SP, &sp));
        p->rig->c->core.class->set_pc(&p->rig->c->core, start);
        if (rig_run_to(p->rig, end) != MACHINE_STOPPED)
            fail_msg("%s", p->rig->c->core.fault.reason);
        good(uc_emu_start(p->uc, start | 1, end, 0, 0));
        for (unsigned reg = 0; reg < REGISTERS; reg++) {
            uint32_t theirs;
            good(uc_reg_read(p->uc, uc_registers[reg], &theirs));
            assert_int_equal(p->rig->c->r[reg], theirs);
        }
        uint8_t *ours = uj_malloc(RAM_BYTES), *theirs = uj_malloc(RAM_BYTES);
        assert_true(mem_peek(&p->rig->machine->data, RAM, ours, RAM_BYTES));
        good(uc_mem_read(p->uc, RAM, theirs, RAM_BYTES));
        assert_memory_equal(ours, theirs, RAM_BYTES);
        free(ours);
        free(theirs);
        free(options);
        free(name);
        image_free(image);
        pair_free(p);
    }
}

static void singles_m0plus(void **state)
{
    (void)state;
    single_instructions(THUMB_M0PLUS);
}

static void singles_m3(void **state)
{
    (void)state;
    single_instructions(THUMB_M3);
}

static void singles_m33(void **state)
{
    (void)state;
    single_instructions(THUMB_M33);
}

static void blocks_of_all(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < THUMB_CORES; kind++)
        blocks(kind);
}

static void programs_of_all(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < THUMB_CORES; kind++)
        real_programs(kind);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(singles_m0plus),  cmocka_unit_test(singles_m3),
        cmocka_unit_test(singles_m33),     cmocka_unit_test(blocks_of_all),
        cmocka_unit_test(programs_of_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
