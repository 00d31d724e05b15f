#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *argp_program_version = "ujoule " UJ_VERSION; /* argp's --version of every verb */

enum { WRONG_USE = 2 };

static void print_help(FILE *stream)
{
    (void)fputs("Usage: ujoule VERB [OPTION...]\n"
                "What a cryptographic operation costs on a constrained device.\n\n",
                stream);
    for (size_t i = 0; i < command_count; i++)
        (void)fprintf(stream, "  %-8s %s\n", commands[i]->name, commands[i]->summary);
    (void)fputs("\n'ujoule VERB --help' tells the options of one; 'ujoule --version' the version.\n"
                "Exit status: 0 good, 1 a measurement failed, 2 wrong use or input.\n",
                stream);
}

static const struct command *command_named(struct uj_ctx *ctx, const char *name)
{
    const char **names = uj_calloc(command_count, sizeof *names);
    for (size_t i = 0; i < command_count; i++)
        names[i] = commands[i]->name;
    size_t index = 0;
    enum uj_err err = cli_word(ctx, &index, "verb", name, names, command_count);
    free(names);
    return err == UJ_OK ? commands[index] : NULL;
}

static int run_command(const char *name, int argc, char **argv)
{
    struct uj_ctx ctx = {0};
    const struct command *command = command_named(&ctx, name);
    if (!command)
        return cli_finish(&ctx);
    char *whole = uj_format("ujoule %s", command->name);
    char *first = argv[0];
    argv[0] = whole; /* as argp names the program */
    int code = command->run(argc, argv);
    argv[0] = first;
    free(whole);
    return code;
}

/* "ujoule help VERB" */
static int help_on(const char *verb)
{
    char help[] = "--help", name[] = "";
    char *arguments[] = {name, help, NULL};
    return run_command(verb, 2, arguments);
}

static int dispatch(int argc, char **argv)
{
    const char *first = argc > 1 ? argv[1] : NULL;
    if (!first) {
        print_help(stderr);
        return WRONG_USE;
    }
    if (strcmp(first, "help") == 0 && argc > 2)
        return help_on(argv[2]);
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0 || strcmp(first, "help") == 0) {
        print_help(stdout);
        return 0;
    }
    if (strcmp(first, "--version") == 0 || strcmp(first, "-V") == 0) {
        (void)puts(argp_program_version);
        return 0;
    }
    if (first[0] == '-') {
        (void)fprintf(
            stderr, "ujoule: no option '%s' before the verb; 'ujoule --help' tells more\n", first);
        return WRONG_USE;
    }
    return run_command(first, argc - 1, argv + 1);
}

int cli_main(int argc, char **argv)
{
    argp_err_exit_status = WRONG_USE;
    int code = dispatch(argc, argv);
    /* A full disk shows at the last write alone. */
    if (code == 0 && (fflush(stdout) != 0 || ferror(stdout))) {
        (void)fprintf(stderr, "ujoule: cannot write standard output: %s\n", strerror(errno));
        return 1;
    }
    return code;
}

int cli_finish(const struct uj_ctx *ctx)
{
    if (ctx->code != UJ_OK)
        (void)fprintf(stderr, "ujoule: %s\n", ctx->message);
    return uj_exit_code(ctx->code);
}

error_t cli_refused(enum uj_err err)
{
    return err == UJ_OK ? 0 : EINVAL;
}

enum uj_err cli_parse(struct uj_ctx *ctx, const struct argp *argp, int argc, char **argv,
                      void *input)
{
    error_t refused = argp_parse(argp, argc, argv, 0, NULL, input);
    if (refused == 0 || ctx->code != UJ_OK)
        return ctx->code;
    return uj_fail(ctx, UJ_ERR_USAGE, "%s: %s", argv[0], strerror(refused));
}
