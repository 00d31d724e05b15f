/*
 * Images built by the real cross compiler: the same bytes wherever they are built, from the cache
 * without a program started, sizes against binutils, and every failure by its name.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/process.h"
#include "base/str.h"
#include "build/build.h"
#include "image/image.h"

#define FOLDER UJ_BUILD_DIR "/test_build"
#define CACHE  FOLDER "/cache"

static struct board *xmega, *uno;
static struct catalog *catalog;
static const struct implementation *sha256_ref;

static int load(void **state)
{
    (void)state;
    struct uj_ctx ctx = {0};
    folder_remove(FOLDER);
    if (board_load(&ctx, &xmega, UJ_SOURCE_DIR "/devices", "cw-xmega") != UJ_OK ||
        board_load(&ctx, &uno, UJ_SOURCE_DIR "/devices", "uno") != UJ_OK ||
        catalog_load(&ctx, &catalog, UJ_SOURCE_DIR "/primitives") != UJ_OK)
        fail_msg("%s", ctx.message);
    sha256_ref = catalog_at(catalog, "hash/sha256/ref");
    return 0;
}

static int drop(void **state)
{
    (void)state;
    board_free(xmega);
    board_free(uno);
    catalog_free(catalog);
    return 0;
}

static void write_text(const char *folder, const char *name, const char *text)
{
    struct uj_ctx ctx = {0};
    char *path = path_join(folder, name);
    if (folder_make(&ctx, folder) != UJ_OK || file_write(&ctx, path, text, strlen(text)) != UJ_OK)
        fail_msg("%s", ctx.message);
    free(path);
}

static char *run(char *const *argv)
{
    struct uj_ctx ctx = {0};
    struct process p = {.argv = (char **)argv, .timeout_s = 60};
    if (process_run(&ctx, &p) != UJ_OK || !process_good(&p))
        fail_msg("%s: %s %s", argv[0], ctx.message, p.errors.text);
    char *text = str_take(&p.output);
    process_free(&p);
    return text;
}
#define RUN(...) run((char *const[]){__VA_ARGS__, NULL})

static struct build_request request(const struct implementation *i)
{
    return (struct build_request){
        .board = xmega,
        .catalog = catalog,
        .implementation = i,
        .firmware = UJ_SOURCE_DIR "/firmware",
        .cache = CACHE,
        .jobs = 2,
    };
}

static struct build_result build(const struct build_request *in)
{
    struct uj_ctx ctx = {0};
    struct build_result r;
    if (build_image(&ctx, &r, in) != UJ_OK)
        fail_msg("%s\n%s", ctx.message, r.log ? r.log : "");
    return r;
}

static void assert_fails(const struct build_request *in, enum uj_err code, const char *message)
{
    struct uj_ctx ctx = {0};
    struct build_result r;
    enum uj_err err = build_image(&ctx, &r, in);
    if (err != code || !strstr(ctx.message, message))
        fail_msg("%d '%s' is not %d '%s'", err, ctx.message, code, message);
    assert_null(strchr(ctx.message, '\n'));
    assert_null(r.elf_path);
    build_result_free(&r);
}

/* A user's folder that computes SHA-256 by the implementation of the tree. */
static struct implementation *make_package(const char *folder, const char *hash_c,
                                           const char *api_h)
{
    struct uj_ctx ctx = {0};
    struct implementation *i;
    const struct algorithm *sha256;
    folder_remove(folder);
    write_text(folder, "hash.c", hash_c);
    write_text(folder, "api.h", api_h);
    free(RUN("cp", UJ_SOURCE_DIR "/primitives/hash/sha256/ref/sha256_ref.c",
             UJ_SOURCE_DIR "/primitives/hash/sha256/ref/sha256_ref.h", (char *)folder));
    if (catalog_algorithm(&ctx, &sha256, catalog, "sha256") != UJ_OK ||
        catalog_user_folder(&ctx, &i, catalog, folder, sha256) != UJ_OK)
        fail_msg("%s", ctx.message);
    return i;
}

#define GOOD_API "#define CRYPTO_BYTES (256 / 8)\n"
#define GOOD_HASH                                                                              \
    "#include \"crypto_hash.h\"\n"                                                             \
    "#include \"sha256_ref.h\"\n"                                                              \
    "int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)\n" \
    "{\n"                                                                                      \
    "    sha256_ref(out, in, (size_t)inlen);\n"                                                \
    "    return 0;\n"                                                                          \
    "}\n"

static void the_second_time_nothing_is_started(void **state)
{
    (void)state;
    struct build_request in = request(sha256_ref);
    struct build_result first = build(&in), second = build(&in);
    assert_true(first.commands > 3);
    assert_int_equal(second.commands, 0);
    assert_string_equal(first.elf_path, second.elf_path);
    assert_string_equal(first.image_sha256, second.image_sha256);
    assert_memory_equal(&first.sizes, &second.sizes, sizeof first.sizes);
    assert_int_equal(first.su_bytes, second.su_bytes);
    assert_int_equal(second.output_bytes, 32);
    assert_string_equal(second.function, "sha256_ref");
    assert_string_equal(second.init, "sha256_ref_init");
    assert_string_equal(second.update, "sha256_ref_update");
    assert_string_equal(second.final, "sha256_ref_final");
    assert_non_null(strstr(second.compiler, "avr-gcc"));
    assert_non_null(strstr(second.flags, "-mmcu=atxmega128d4"));
    assert_non_null(strstr(second.flags, "-Os"));
    char *digest = RUN("sha256sum", second.elf_path);
    assert_memory_equal(digest, second.image_sha256, 64);
    free(digest);

    /* Other flags, another board, another source: other images, each built. */
    struct build_request others[] = {in, in, in};
    others[0].flags = "-O3";
    others[1].board = uno;
    others[2].implementation = catalog_at(catalog, "hash/sha256/fast");
    for (size_t i = 0; i < 3; i++) {
        struct build_result other = build(&others[i]);
        assert_true(other.commands > 3);
        assert_string_not_equal(other.image_sha256, first.image_sha256);
        build_result_free(&other);
    }
    build_result_free(&first);
    build_result_free(&second);
}

static void the_same_inputs_give_the_same_bytes(void **state)
{
    (void)state;
    struct build_request in = request(sha256_ref), elsewhere = in;
    elsewhere.cache = FOLDER "/another/place for the cache";
    elsewhere.firmware = FOLDER "/copied/firmware";
    free(RUN("mkdir", "-p", FOLDER "/copied"));
    free(RUN("cp", "-r", UJ_SOURCE_DIR "/primitives", UJ_SOURCE_DIR "/firmware", FOLDER "/copied"));
    struct uj_ctx ctx = {0};
    struct catalog *copied;
    assert_int_equal(catalog_load(&ctx, &copied, FOLDER "/copied/primitives"), UJ_OK);
    elsewhere.catalog = copied;
    elsewhere.implementation = catalog_at(copied, "hash/sha256/ref");
    struct build_result first = build(&in), second = build(&elsewhere);
    assert_true(second.commands > 3);
    assert_string_equal(first.image_sha256, second.image_sha256);
    /* No path of this machine's is in the image. */
    char *strings = RUN("strings", second.elf_path);
    assert_null(strstr(strings, UJ_BUILD_DIR));
    free(strings);
    build_result_free(&first);

    /* One comment more in a header of the harness: built again. */
    write_text(FOLDER "/copied/firmware/harness", "more.h", "/* not included */\n");
    first = build(&elsewhere);
    assert_true(first.commands > 3);
    build_result_free(&first);
    build_result_free(&second);
    catalog_free(copied);
}

static void a_damaged_entry_is_built_again(void **state)
{
    (void)state;
    struct build_request in = request(sha256_ref);
    struct build_result first = build(&in);
    const char *const damages[] = {
        "truncate -s 100 \"$0\"", "printf X | dd of=\"$0\" bs=1 seek=70 conv=notrunc", "rm \"$0\"",
        "echo >\"${0%/*}/result.yaml\"", "sed -i s/text_bytes/text/ \"${0%/*}/result.yaml\""};
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        free(RUN("sh", "-c", (char *)damages[i], first.elf_path));
        struct build_result again = build(&in);
        assert_true(again.commands > 3);
        assert_string_equal(again.image_sha256, first.image_sha256);
        char *digest = RUN("sha256sum", again.elf_path);
        assert_memory_equal(digest, first.image_sha256, 64);
        free(digest);
        build_result_free(&again);
    }
    build_result_free(&first);
}

static void *build_in_thread(void *request_of)
{
    struct build_result *r = calloc(1, sizeof *r);
    struct uj_ctx ctx = {0};
    if (build_image(&ctx, r, request_of) != UJ_OK)
        (void)fprintf(stderr, "%s\n", ctx.message);
    return r;
}

static void threads_and_killed_processes_do_no_harm(void **state)
{
    (void)state;
    struct build_request in = request(sha256_ref);
    in.cache = FOLDER "/busy";
    in.flags = "-O1";
    pthread_t threads[4];
    unsigned builders = 0;
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, build_in_thread, &in), 0);
    char digest[65] = "";
    for (size_t i = 0; i < 4; i++) {
        void *result;
        assert_int_equal(pthread_join(threads[i], &result), 0);
        struct build_result *r = result;
        assert_non_null(r->elf_path);
        /* One built; the others may have asked the compiler who it is, no more. */
        builders += r->commands > 7;
        assert_true(!*digest || strcmp(digest, r->image_sha256) == 0);
        memcpy(digest, r->image_sha256, sizeof digest);
        build_result_free(r);
        free(r);
    }
    assert_int_equal(builders, 1);

    /* Killed at several moments of the build: the next one gives the same bytes. */
    for (useconds_t delay = 20000; delay < 400000; delay += 60000) {
        free(RUN("rm", "-rf", FOLDER "/busy/images"));
        pid_t child = fork();
        if (child == 0) {
            free(build_in_thread(&in));
            _exit(0);
        }
        (void)usleep(delay);
        (void)kill(child, SIGKILL);
        (void)waitpid(child, NULL, 0);
        struct build_result r = build(&in);
        assert_string_equal(r.image_sha256, digest);
        build_result_free(&r);
    }
    /* What the killed ones left is swept away by the next build, whatever it builds. */
    in.flags = "-O2";
    struct build_result last = build(&in);
    build_result_free(&last);
    char *left = RUN("find", FOLDER "/busy/work", "-mindepth", "1");
    assert_string_equal(left, "");
    free(left);
}

/* Bytes of the symbols of that kind of section, by nm. */
static int64_t nm_bytes(const char *elf, const char *kinds, const char *prefix)
{
    char *text = RUN("avr-nm", "-S", (char *)elf), *save = NULL;
    int64_t bytes = 0;
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        unsigned address;
        char size[9], kind, name[128];
        if (sscanf(line, "%8x %8[0-9a-f] %c %127s", &address, size, &kind, name) == 4 &&
            strlen(size) == 8 && strchr(kinds, kind) && strncmp(name, prefix, strlen(prefix)) == 0)
            bytes += (int64_t)strtoul(size, NULL, 16);
    }
    free(text);
    return bytes;
}

static void sizes_are_those_of_binutils(void **state)
{
    (void)state;
    /* Everything of a known size: functions, constants, data, and two routines of the runtime. */
    static const char hash[] =
        "#include <string.h>\n"
        "#include <avr/pgmspace.h>\n"
        "#include \"crypto_hash.h\"\n"
        "const unsigned char own_flash[40] PROGMEM = {1};\n"
        "const unsigned char own_constant[50] = {2};\n"
        "unsigned char own_data[60] = {3};\n"
        "unsigned char own_bss[70];\n"
        "__attribute__((noinline)) unsigned long own_divide(unsigned long a, unsigned long b)\n"
        "{\n"
        "    return a / b;\n"
        "}\n"
        "unsigned long own_unused(unsigned long a)\n"
        "{\n"
        "    return a % 7 + own_divide(a, 3);\n"
        "}\n"
        "int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)\n"
        "{\n"
        "    unsigned char volatile x[100];\n"
        "    x[inlen % 100] = in[0];\n"
        "    memcpy(own_bss, own_data, inlen);\n"
        "    out[0] = own_bss[in[0]] + own_constant[in[1]] + own_data[in[2]] + x[in[4]] +\n"
        "             pgm_read_byte(&own_flash[in[3]]) + own_divide(inlen, in[5]);\n"
        "    return 0;\n"
        "}\n";
    struct implementation *i = make_package(FOLDER "/sizes", hash, GOOD_API);
    struct build_request in = request(i);
    struct build_result r = build(&in);
    int64_t crypto_hash = nm_bytes(r.elf_path, "T", "crypto_hash"),
            divide = nm_bytes(r.elf_path, "T", "own_div");
    assert_true(crypto_hash > 50 && divide > 5);
    assert_int_equal(r.sizes.text_bytes, crypto_hash + divide + 40);
    assert_int_equal(r.sizes.rodata_bytes, 0);
    assert_int_equal(r.sizes.data_bytes, 50 + 60);
    assert_int_equal(r.sizes.bss_bytes, 70);
    assert_int_equal(r.sizes.rom_bytes, r.sizes.text_bytes + 110);
    /* 64-bit modulo, 32-bit division and memcpy, with what they call; neither the harness's
     * multiplication nor the start-up code, though the objects name it. */
    int64_t runtime = nm_bytes(r.elf_path, "T", "memcpy") + nm_bytes(r.elf_path, "T", "__udivmod") +
                      nm_bytes(r.elf_path, "T", "__udivdi3") +
                      nm_bytes(r.elf_path, "T", "__umoddi3");
    assert_true(nm_bytes(r.elf_path, "T", "__mulsi3") > 0);
    assert_true(runtime > 200);
    assert_int_equal(r.sizes.runtime_bytes, runtime);
    assert_int_equal(r.output_bytes, 32);
    assert_null(r.init);
    assert_string_equal(r.function, "crypto_hash");

    /* The sum of the .su lines: crypto_hash (100 bytes and more), two small ones, and of
     * sha256_ref.c all. */
    assert_in_range(r.su_bytes, 100 + 509, 100 + 509 + 60);
    assert_false(r.su_dynamic);
    build_result_free(&r);
    implementation_free(i);
}

/* What `uses` brings counts as far as it was kept. */
static void used_sources_count_as_the_implementations_own(void **state)
{
    (void)state;
    struct build_request own = request(catalog_at(catalog, "hash/esch256/ref"));
    struct build_request using = request(catalog_at(catalog, "hash/esch384/ref"));
    struct build_result a = build(&own), b = build(&using);
    int64_t text =
        nm_bytes(b.elf_path, "Tt", "esch384_ref") + nm_bytes(b.elf_path, "Tt", "esch256_ref");
    assert_int_equal(nm_bytes(b.elf_path, "Tt", "esch256_ref_init"), 0);
    assert_int_equal(b.sizes.text_bytes, text);
    assert_int_equal(b.sizes.data_bytes, a.sizes.data_bytes);
    assert_true(a.sizes.text_bytes > 1000);
    build_result_free(&a);
    build_result_free(&b);
}

static void a_package_is_built_as_it_comes(void **state)
{
    (void)state;
    struct implementation *i = make_package(FOLDER "/pack age", GOOD_HASH, GOOD_API);
    /* A test driver with a main(), one that cannot even be compiled, a header below, assembly. */
    write_text(FOLDER "/pack age", "genkat.c",
               "#include <fcntl.h>\nint main(void) { return open(\"x\", 0); }\n");
    write_text(FOLDER "/pack age", "driver.c", "int main(void) { for (;;); }\n");
    write_text(FOLDER "/pack age", "extra.S",
               "#include \"sub/extra.h\"\n.global extra\nextra: EXTRA\n");
    write_text(FOLDER "/pack age/sub", "extra.h", "#define EXTRA ret\n");
    write_text(FOLDER "/pack age/sub", "broken.c", "this is not compiled\n");
    struct build_request in = request(i);
    struct build_result r = build(&in);
    assert_int_equal(r.output_bytes, 32);
    assert_true(r.sizes.text_bytes > 2000);
    build_result_free(&r);
    in.board = uno;
    r = build(&in);
    build_result_free(&r);
    implementation_free(i);
}

static struct image *load_image(const struct build_result *r)
{
    struct uj_ctx ctx = {0};
    struct image *image;
    if (image_load(&ctx, &image, r->elf_path, xmega->core_class->elf_machine,
                   xmega->core_class->isa) != UJ_OK)
        fail_msg("%s", ctx.message);
    return image;
}

/*
 * The firmware without the implementation: it is the same for all of a kind and length, none of the
 * implementation is in it, and the image is larger than it by the implementation and what that
 * calls, but for the start-up's copying of its data and the harness's stack frame for its context.
 */
static void a_baseline_is_the_image_without_the_implementation(void **state)
{
    (void)state;
    struct build_request in = request(sha256_ref);
    struct build_result with = build(&in);
    in.baseline = true;
    struct build_result without = build(&in);
    assert_int_equal(without.sizes.rom_bytes, 0);
    assert_int_equal(without.output_bytes, 32);
    in.implementation = catalog_at(catalog, "hash/sha256/fast");
    struct build_result again = build(&in);
    assert_int_equal(again.commands, 0);
    assert_string_equal(again.image_sha256, without.image_sha256);

    struct image *image = load_image(&with), *baseline = load_image(&without);
    assert_int_equal(image->data_bytes - baseline->data_bytes, with.sizes.data_bytes);
    /* The buffers' alignment behind data of another length: up to three bytes. */
    int64_t bss = image->bss_bytes - baseline->bss_bytes - with.sizes.bss_bytes;
    assert_true(bss >= -3 && bss <= 3);
    int64_t more = image->rom_bytes - baseline->rom_bytes - with.sizes.rom_bytes;
    assert_true(more >= 0 && more <= with.sizes.runtime_bytes + 128);
    image_free(image);
    image_free(baseline);

    const struct implementation *others[] = {catalog_at(catalog, "xof/shake128/ref"),
                                             catalog_at(catalog, "mac/hmac-sha256/ref")};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (!others[i])
            fail_msg("no other kind");
        in.implementation = others[i];
        struct build_result other = build(&in);
        assert_string_not_equal(other.image_sha256, without.image_sha256);
        build_result_free(&other);
    }
    build_result_free(&with);
    build_result_free(&without);
    build_result_free(&again);
}

static void failures_have_names(void **state)
{
    (void)state;
    static const struct {
        const char *hash, *api;
        enum uj_err code;
        const char *message;
    } cases[] = {
        {"int crypto_hash(void)\n{\n    return undeclared;\n}\n", GOOD_API, UJ_ERR_TOOL,
         FOLDER "/bad/hash.c:3:12: error: 'undeclared' undeclared"},
        {"#include \"nowhere.h\"\nint crypto_hash;\n", GOOD_API, UJ_ERR_TOOL,
         FOLDER "/bad/hash.c:1:21: fatal error: nowhere.h: No such file"},
        {GOOD_HASH, "#define CRYPTO_BYTES 64\n", UJ_ERR_INPUT,
         "bad/api.h: CRYPTO_BYTES is 64; sha256 gives 32 bytes"},
        {GOOD_HASH, "#define CRYPTO_BYTES_ 32 /**/\n#define X CRYPTO_BYTES\n", UJ_ERR_INPUT,
         "bad/api.h: CRYPTO_BYTES is no length of a digest"},
        {GOOD_HASH, "#define CRYPTO_BYTES 0\n", UJ_ERR_INPUT,
         "bad/api.h: CRYPTO_BYTES is no length"},
        {"extern int crypto_hash(void); int x;\n", GOOD_API, UJ_ERR_INPUT,
         "bad: no function crypto_hash() in its sources"},
        {"extern void missing(void); int crypto_hash(void) { missing(); return 0; }\n", GOOD_API,
         UJ_ERR_TOOL, "undefined reference to `missing'"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct implementation *i = make_package(FOLDER "/bad", cases[c].hash, cases[c].api);
        struct build_request in = request(i);
        assert_fails(&in, cases[c].code, cases[c].message);
        implementation_free(i);
    }
    static const struct {
        const char *flags, *message;
    } flags[] = {
        {"-O2 -flto", "--flags: -flto cannot be given: it melts"},
        {"-I/usr/include", "--flags: -I/usr/include cannot be given: it reads files"},
        {"-mmcu=atmega328p", "--flags: -mmcu=atmega328p cannot be given: the chip's file says it"},
        {"O2", "--flags: 'O2' is no flag"},
        {"-Os -E", "--flags: -E cannot be given"},
        {"-fnone-such", "avr-gcc: error: unrecognized command line option"},
    };
    for (size_t f = 0; f < sizeof flags / sizeof *flags; f++) {
        struct build_request in = request(sha256_ref);
        in.flags = flags[f].flags;
        assert_fails(&in, f == 5 ? UJ_ERR_TOOL : UJ_ERR_USAGE, flags[f].message);
    }
}

static void what_does_not_fit_is_said_to_the_byte(void **state)
{
    (void)state;
    static const char hash[] = "#include <avr/pgmspace.h>\n"
                               "%s\n"
                               "int crypto_hash(unsigned char *out, const unsigned char *in,\n"
                               "                unsigned long long inlen)\n"
                               "{\n"
                               "    out[0] = %s;\n"
                               "    return 0;\n"
                               "}\n";
    static const struct {
        const char *fits, *over, *use, *memory;
        unsigned there;
    } cases[] = {
        {"const unsigned char big[20000] PROGMEM = {1};",
         "const unsigned char big[32000] PROGMEM = {1};", "pgm_read_byte(&big[inlen])", "flash",
         32768},
        {"unsigned char big[100];", "unsigned char big[12100];", "big[inlen]++", "RAM", 2048},
    };
    for (size_t c = 0; c < 2; c++) {
        char *fits = uj_format(hash, cases[c].fits, cases[c].use);
        char *over = uj_format(hash, cases[c].over, cases[c].use);
        struct implementation *i = make_package(FOLDER "/large", fits, GOOD_API);
        struct build_request in = request(i);
        in.board = uno;
        struct build_result r = build(&in);
        char *sizes = RUN("avr-size", "-B", r.elf_path);
        unsigned text, data, bss;
        assert_int_equal(sscanf(strchr(sizes, '\n'), "%u %u %u", &text, &data, &bss), 3);
        unsigned used = (c == 0 ? text : bss) + data + 12000;
        char *message = uj_format("does not fit the %s: %u bytes over the %u there are",
                                  cases[c].memory, used - cases[c].there, cases[c].there);
        free(RUN("rm", "-rf", FOLDER "/large"));
        implementation_free(i);
        i = make_package(FOLDER "/large", over, GOOD_API);
        in.implementation = i;
        assert_fails(&in, UJ_ERR_RESULT, message);
        implementation_free(i);
        build_result_free(&r);
        free(sizes);
        free(message);
        free(fits);
        free(over);
    }
}

static void make_program(const char *path, const char *text)
{
    write_text(FOLDER, path, text);
    char *full = path_join(FOLDER, path);
    assert_int_equal(chmod(full, 0755), 0);
    free(full);
}

static void compilers_that_are_none(void **state)
{
    (void)state;
    struct build_request in = request(sha256_ref);
    in.cc = "no-such-gcc";
    assert_fails(&in, UJ_ERR_USAGE, "--cc no-such-gcc: no such program");
    make_program("silent", "#!/bin/sh\nexit 0\n");
    in.cc = FOLDER "/silent";
    assert_fails(&in, UJ_ERR_TOOL, "silent --version: gives no answer; is it a compiler?");

    /* One that answers and then hangs, together with what it started. */
    make_program("hangs", "#!/bin/sh\ncase $1 in --version|-print*) echo \"hangs 1\";; *) sleep "
                          "100 & sleep 100;; esac\n");
    in.cc = FOLDER "/hangs";
    in.timeout_s = 1;
    assert_fails(&in, UJ_ERR_TOOL, "hangs: ended after 1 s without a result");
    in.timeout_s = 0;
    make_program(
        "crashes",
        "#!/bin/sh\ncase $1 in --version|-print*) echo \"crashes 1\";; *) kill -SEGV $$;; esac\n");
    in.cc = FOLDER "/crashes";
    assert_fails(&in, UJ_ERR_TOOL, "crashes: ended by signal 11");
    make_program("lies", "#!/bin/sh\ncase $1 in --version|-print*) echo \"lies 1\";; esac\n");
    in.cc = FOLDER "/lies";
    assert_fails(&in, UJ_ERR_INPUT, "image.map: No such file");

    /* The same compiler by another path is another identity; a new date of it is too. */
    make_program("wrapped", "#!/bin/sh\nexec avr-gcc \"$@\"\n");
    in.cc = FOLDER "/wrapped";
    struct build_result first = build(&in), second = build(&in);
    assert_int_equal(second.commands, 0);
    make_program("wrapped", "#!/bin/sh\n# changed\nexec avr-gcc \"$@\"\n");
    struct build_result third = build(&in);
    assert_true(third.commands > 3);
    assert_string_equal(first.image_sha256, third.image_sha256);
    assert_string_equal(first.cc, FOLDER "/wrapped");
    build_result_free(&first);
    build_result_free(&second);
    build_result_free(&third);

    char *old = uj_strdup(getenv("PATH"));
    in.cc = NULL;
    assert_int_equal(setenv("PATH", "/nowhere", 1), 0);
    assert_fails(&in, UJ_ERR_TOOL,
                 "no avr-gcc on PATH; the Debian packages are gcc-avr avr-libc binutils-avr");
    assert_int_equal(setenv("PATH", old, 1), 0);
    free(old);
}

static void every_implementation_builds_for_every_board(void **state)
{
    (void)state;
    struct board *const boards[] = {xmega, uno};
    for (size_t b = 0; b < 2; b++) {
        for (size_t i = 0; i < catalog->implementation_count; i++) {
            struct build_request in = request(&catalog->implementations[i]);
            in.board = boards[b];
            if (in.implementation->needs_count) {
                assert_fails(&in, UJ_ERR_INPUT, "needs a block");
                continue;
            }
            struct build_result r = build(&in);
            assert_true(r.sizes.text_bytes > 100 && r.su_bytes > 0);
            build_result_free(&r);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_second_time_nothing_is_started),
        cmocka_unit_test(the_same_inputs_give_the_same_bytes),
        cmocka_unit_test(a_damaged_entry_is_built_again),
        cmocka_unit_test(threads_and_killed_processes_do_no_harm),
        cmocka_unit_test(sizes_are_those_of_binutils),
        cmocka_unit_test(used_sources_count_as_the_implementations_own),
        cmocka_unit_test(a_package_is_built_as_it_comes),
        cmocka_unit_test(a_baseline_is_the_image_without_the_implementation),
        cmocka_unit_test(failures_have_names),
        cmocka_unit_test(what_does_not_fit_is_said_to_the_byte),
        cmocka_unit_test(compilers_that_are_none),
        cmocka_unit_test(every_implementation_builds_for_every_board),
    };
    return cmocka_run_group_tests(tests, load, drop);
}
