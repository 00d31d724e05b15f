#include "build/toolchain.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/process.h"
#include "base/str.h"
#include "base/yaml.h"

extern char **environ;

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* What a GNU compiler consists of beside its driver. */
#define GNU_PARTS                                                               \
    WORDS("-print-prog-name=cc1", "-print-prog-name=as", "-print-prog-name=ld", \
          "-print-prog-name=collect2", "-print-file-name=libc.a", "-print-file-name=libgcc.a")

/*
 * What clang consists of, and the linker. A name without a file is no fault: the version tells it.
 */
#define CLANG_19_PARTS                                                                  \
    WORDS("-print-prog-name=ld.lld-19", "-print-file-name=libLLVM.so.19.1",             \
          "-print-file-name=libclang-cpp.so.19.1", "-print-file-name=include/stdint.h", \
          "-print-file-name=include/stddef.h")

/*
 * -ffunction-sections, -fdata-sections and --gc-sections, so that an image holds what is called and
 * the map says of what; -fstack-usage for the compiler's own stack figures. -gdwarf-4 for avr-gcc,
 * whose default is stabs.
 */
const struct toolchain toolchains[] = {
    {
        .name = "avr-gcc",
        .family = "avr",
        .target = "8-bit AVR",
        .compilers = WORDS("avr-gcc"),
        .packages = "gcc-avr avr-libc binutils-avr",
        .compile_flags =
            WORDS("-gdwarf-4", "-ffunction-sections", "-fdata-sections", "-fstack-usage"),
        .link_flags = WORDS("-Wl,--gc-sections"),
        .path_flags = WORDS("-gno-record-gcc-switches", "-fdebug-prefix-map="),
        .identity = GNU_PARTS,
        .flash_region = "text",
        .ram_region = "data",
        .map_format = MAP_GNU,
    },
    /*
     * clang-19 by its own name: other versions may pass other arguments to the runtime. The linker
     * is called directly, since the driver calls one that does not exist. Its -O0 leaves strings
     * and constants as they are, so that the map says whose they are; --nmagic lays sections
     * without pages. -nostdlibinc: no header of the host's.
     */
    {
        .name = "msp430-clang",
        .family = "msp430",
        .target = "16-bit MSP430",
        .compilers = WORDS("clang-19"),
        .packages = "clang-19 lld-19 llvm-19",
        .compile_flags = WORDS("--target=msp430", "-nostdlibinc", "-gdwarf-4",
                               "-ffunction-sections", "-fdata-sections", "-fstack-usage"),
        .link_flags = WORDS("--gc-sections", "--nmagic", "-O0"),
        .path_flags = WORDS("-fdebug-prefix-map="),
        .identity = CLANG_19_PARTS,
        .flash_region = "flash",
        .ram_region = "ram",
        .map_format = MAP_LLD,
        .linker = "ld.lld-19",
        .script = "uj_msp430.ld",
        .runtime = "runtime",
        .reach = "near flash: the compiler's code model ends at 64 KB",
    },
    {
        .name = "msp430-elf-gcc",
        .family = "msp430",
        .target = "16-bit MSP430",
        .compilers = WORDS("msp430-elf-gcc"),
        .packages = "none; it is TI's MSP430-GCC",
        .compile_flags = WORDS("-msmall", "-gdwarf-4", "-ffunction-sections", "-fdata-sections",
                               "-fstack-usage"),
        .link_flags = WORDS("-msmall", "-nostartfiles", "-Wl,--gc-sections"),
        .path_flags = WORDS("-gno-record-gcc-switches", "-fdebug-prefix-map="),
        .identity = GNU_PARTS,
        .flash_region = "flash",
        .ram_region = "ram",
        .map_format = MAP_GNU,
        .script = "uj_msp430.ld",
        .reach = "near flash: the small code model ends at 64 KB",
    },
    {
        .name = "arm-none-eabi-gcc",
        .family = "arm",
        .target = "Cortex-M",
        .compilers = WORDS("arm-none-eabi-gcc"),
        .packages = "gcc-arm-none-eabi picolibc-arm-none-eabi",
        .compile_flags = WORDS("--specs=picolibc.specs", "-gdwarf-4", "-ffunction-sections",
                               "-fdata-sections", "-fstack-usage"),
        .link_flags = WORDS("--specs=picolibc.specs", "-nostartfiles", "-Wl,--gc-sections",
                            "-Wl,--no-warn-rwx-segments"),
        .path_flags = WORDS("-gno-record-gcc-switches", "-fdebug-prefix-map="),
        .identity = GNU_PARTS,
        .flash_region = "ram", /* images lie where they run */
        .ram_region = "ram",
        .map_format = MAP_GNU,
        .script = "uj_thumb.ld",
    },
    /* Linked as plain rv32imac: for any other name of extensions the library of RV64 is taken. */
    {
        .name = "riscv64-unknown-elf-gcc",
        .family = "riscv",
        .target = "RV32",
        .compilers = WORDS("riscv64-unknown-elf-gcc"),
        .packages = "gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf",
        .compile_flags = WORDS("--specs=picolibc.specs", "-gdwarf-4", "-ffunction-sections",
                               "-fdata-sections", "-fstack-usage"),
        .link_flags = WORDS("-march=rv32imac", "--specs=picolibc.specs", "-nostartfiles",
                            "-Wl,--gc-sections", "-Wl,--no-warn-rwx-segments"),
        .path_flags = WORDS("-gno-record-gcc-switches", "-fdebug-prefix-map="),
        .identity = GNU_PARTS,
        .flash_region = "ram",
        .ram_region = "ram",
        .map_format = MAP_GNU,
        .script = "uj_rv32.ld",
    },
};
const size_t toolchain_count = sizeof toolchains / sizeof *toolchains;

const struct toolchain *toolchain_named(const char *name)
{
    for (size_t i = 0; i < toolchain_count; i++)
        if (strcmp(toolchains[i].name, name) == 0)
            return &toolchains[i];
    return NULL;
}

static bool has_compiler(const struct toolchain *t, const char *program)
{
    for (size_t i = 0; t->compilers[i]; i++)
        if (strcmp(t->compilers[i], program) == 0)
            return true;
    return false;
}

static bool is_there(const struct toolchain *t)
{
    char *path = NULL;
    for (size_t i = 0; t->compilers[i] && !path; i++)
        path = process_find(t->compilers[i]);
    free(path);
    return path != NULL;
}

const struct toolchain *toolchain_choose(const struct toolchain *named, const char *cc)
{
    const char *program = cc ? path_name(cc) : NULL;
    if (cc ? has_compiler(named, program) : is_there(named))
        return named;
    for (size_t r = 0; r < toolchain_count; r++)
        if (strcmp(toolchains[r].family, named->family) == 0 &&
            (cc ? has_compiler(&toolchains[r], program) : is_there(&toolchains[r])))
            return &toolchains[r];
    return named;
}

enum uj_err toolchain_find(struct uj_ctx *ctx, char **out, const struct toolchain *t,
                           const char *cc)
{
    char *found = cc ? process_find(cc) : NULL;
    *out = NULL;
    if (cc && !found)
        return uj_fail(ctx, UJ_ERR_USAGE, "--cc %s: no such program", cc);
    for (size_t i = 0; t->compilers[i] && !found; i++)
        found = process_find(t->compilers[i]);
    if (!found)
        return uj_fail(ctx, UJ_ERR_TOOL, "no %s on PATH; the Debian packages are %s",
                       t->compilers[0], t->packages);
    /* It will run in another folder. Links stay: a driver may go by the name it is called by. */
    char *here = *found == '/' ? NULL : getcwd(NULL, 0);
    *out = here ? path_join(here, found) : uj_strdup(found);
    free(here);
    free(found);
    return UJ_OK;
}

char **toolchain_environment(char **own, size_t count)
{
    static const char *const dropped[] = {"LANG=",
                                          "LANGUAGE=",
                                          "LC_",
                                          "CPATH=",
                                          "C_INCLUDE_PATH=",
                                          "CPLUS_INCLUDE_PATH=",
                                          "LIBRARY_PATH=",
                                          "COMPILER_PATH=",
                                          "GCC_EXEC_PREFIX=",
                                          "LDEMULATION=",
                                          "DEPENDENCIES_OUTPUT=",
                                          "SUNPRO_DEPENDENCIES=",
                                          "GCC_COLORS=",
                                          "SOURCE_DATE_EPOCH=",
                                          "LD_RUN_PATH=",
                                          "TMPDIR=",
                                          "TMP=",
                                          "TEMP="};
    size_t inherited = 0, used = 0;
    while (environ[inherited])
        inherited++;
    char **out = uj_calloc(inherited + count + 1, sizeof *out);
    for (size_t i = 0; i < inherited; i++) {
        bool keep = true;
        for (size_t d = 0; d < sizeof dropped / sizeof *dropped; d++)
            keep &= !str_starts(environ[i], dropped[d]);
        if (keep)
            out[used++] = environ[i];
    }
    for (size_t i = 0; i < count; i++)
        out[used++] = own[i];
    return out;
}

void compiler_free(struct compiler *c)
{
    free(c->path);
    free(c->version);
    free(c->identity);
    *c = (struct compiler){0};
}

/* "PATH SIZE DATE", the file's mark; "PATH -" where there is none. Free it. */
static char *mark_of(const char *path)
{
    struct stat s;
    if (stat(path, &s) != 0)
        return uj_format("%s -", path);
    return uj_format("%s %lld %lld.%09ld", path, (long long)s.st_size, (long long)s.st_mtim.tv_sec,
                     s.st_mtim.tv_nsec);
}

/* Runs `path option` and gives the first line of its answer. */
static enum uj_err ask(struct uj_ctx *ctx, char **out, const char *path, const char *option,
                       unsigned *started)
{
    char language[] = "LC_ALL=C";
    char **environment = toolchain_environment((char *[]){language}, 1);
    struct process p = {.argv = (char *[]){(char *)path, (char *)option, NULL},
                        .environment = environment,
                        .timeout_s = 30};
    *out = NULL;
    enum uj_err err = process_run_all(ctx, &p, 1, 1, started);
    if (!err && (!process_good(&p) || p.output.length == 0))
        err = uj_fail(ctx, UJ_ERR_TOOL, "%s %s: gives no answer; is it a compiler?", path, option);
    if (!err)
        *out = uj_strndup(p.output.text, strcspn(p.output.text, "\n"));
    process_free(&p);
    free(environment);
    return err;
}

/* What the cache has kept of this compiler, if all of it is as it was. */
static bool recall(struct compiler *out, const char *path, const char *kept)
{
    struct uj_ctx unread = {0};
    struct yaml *file = NULL;
    const char *version = NULL;
    bool good = file_exists(kept) && yaml_load(&unread, &file, kept) == UJ_OK;
    const struct yaml_node *root = good ? yaml_root(file) : NULL;
    const struct yaml_node *marks = good && root->kind == YAML_MAP ? yaml_get(root, "files") : NULL;
    good = marks && marks->kind == YAML_LIST && marks->count > 0 &&
           yaml_need_text(&unread, &version, root, "version") == UJ_OK;
    struct str identity;
    str_init(&identity);
    for (size_t i = 0; good && i < marks->count; i++) {
        const char *mark = NULL;
        good = yaml_text(&unread, &mark, &marks->items[i]) == UJ_OK;
        const char *end = good ? strrchr(mark, ' ') : NULL;
        /* Behind the path come two words, or "-". */
        if (end && strcmp(end, " -") != 0)
            for (end--; end > mark && *end != ' ';)
                end--;
        char *file_path = end ? uj_strndup(mark, (size_t)(end - mark)) : NULL;
        char *now = file_path ? mark_of(file_path) : NULL;
        good = now && strcmp(now, mark) == 0;
        if (good)
            str_addf(&identity, "%s\n", mark);
        free(file_path);
        free(now);
    }
    if (good) {
        str_add(&identity, version);
        *out = (struct compiler){uj_strdup(path), uj_strdup(version), str_take(&identity)};
    }
    str_free(&identity);
    yaml_close(file);
    return good;
}

static void add_quoted(struct str *s, const char *text)
{
    str_add(s, "'");
    for (; *text; text++)
        str_add_bytes(s, *text == '\'' ? "''" : text, *text == '\'' ? 2 : 1);
    str_add(s, "'");
}

enum uj_err toolchain_identify(struct uj_ctx *ctx, struct compiler *out, const struct toolchain *t,
                               const char *path, const char *cache, unsigned *started)
{
    char name[HASH_TEXT];
    hash_of(name, path, strlen(path));
    char *folder = path_join(cache, "compilers");
    char *kept = uj_format("%s/%s.yaml", folder, name);
    struct str record, identity;
    str_init(&record);
    str_init(&identity);
    char *version = NULL;
    enum uj_err err = UJ_OK;
    *out = (struct compiler){0};
    if (recall(out, path, kept))
        goto out;

    err = ask(ctx, &version, path, "--version", started);
    if (err)
        goto out;
    str_add(&record, "version: ");
    add_quoted(&record, version);
    str_add(&record, "\nfiles:\n");
    for (size_t i = 0; i == 0 || t->identity[i - 1]; i++) {
        /* The driver first, found where PATH leads; then what it says it consists of. */
        char *part = NULL;
        if (i == 0)
            part = uj_strdup(path);
        else if ((err = ask(ctx, &part, path, t->identity[i - 1], started)) != UJ_OK)
            goto out;
        char *mark = mark_of(part);
        free(part);
        str_add(&record, "  - ");
        add_quoted(&record, mark);
        str_add(&record, "\n");
        str_addf(&identity, "%s\n", mark);
        free(mark);
    }
    str_add(&identity, version);
    err = folder_make(ctx, folder);
    if (!err)
        err = file_write(ctx, kept, record.text, record.length);
    if (!err)
        *out = (struct compiler){uj_strdup(path), uj_strdup(version), str_take(&identity)};
out:
    free(version);
    free(folder);
    free(kept);
    str_free(&record);
    str_free(&identity);
    return err;
}
