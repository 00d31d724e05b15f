/*
 * The command line: `ujoule VERB ...`, a file cmd_VERB.c each.
 *
 * Laws: a verb returns the exit code: 0 good, 1 a measurement failed or regressed or the system
 * refused, 2 wrong use or wrong input. A refusal is one line "ujoule: what and what to do" on
 * standard error (argp's own line where it refuses an option), and then nothing was written to
 * standard output or to a file. Standard output carries results alone.
 */
#ifndef UJ_CLI_CLI_H
#define UJ_CLI_CLI_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "report/table.h"

struct command {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv); /* argv[0] is "ujoule VERB" */
};

/* One line a verb in commands.c, in the order of the help. */
extern const struct command *const commands[];
extern const size_t command_count;

extern const struct command command_bench, command_build, command_run, command_study, command_list,
    command_show, command_energy;

/* The whole program. */
int cli_main(int argc, char **argv);

/* Prints "ujoule: " and the message; returns the exit code of its kind, 0 if there is none. */
int cli_finish(const struct uj_ctx *ctx);

/*
 * argp_parse() for a verb. The parser of `argp` returns cli_refused() of the helpers below, which
 * have recorded their message in the same ctx; argp itself ends the program with 2 on an unknown
 * option.
 */
enum uj_err cli_parse(struct uj_ctx *ctx, const struct argp *argp, int argc, char **argv,
                      void *input) UJ_CHECK;
error_t cli_refused(enum uj_err err);

/* Items of "-d a,b"; a repeated option adds to them. Zero-initialised is empty. */
struct cli_list {
    char **items;
    size_t count;
};
enum uj_err cli_split(struct uj_ctx *ctx, struct cli_list *out, const char *option,
                      const char *text) UJ_CHECK;
void cli_list_free(struct cli_list *l);

/* Numbers of "-n 16,64", each low..high. */
struct cli_integers {
    int64_t *items;
    size_t count;
};
enum uj_err cli_integers_split(struct uj_ctx *ctx, struct cli_integers *out, const char *option,
                               const char *text, int64_t low, int64_t high) UJ_CHECK;
void cli_integers_free(struct cli_integers *l);

/* One whole decimal or 0x number, low..high; `option` names it in the message ("-r"). */
enum uj_err cli_integer(struct uj_ctx *ctx, int64_t *out, const char *option, const char *text,
                        int64_t low, int64_t high) UJ_CHECK;
/* One finite number, low..high. */
enum uj_err cli_real(struct uj_ctx *ctx, double *out, const char *option, const char *text,
                     double low, double high) UJ_CHECK;

/* One of the words, else UJ_ERR_USAGE: `what` "board" gives "no board 'unp'; did you mean 'uno'?".
 */
enum uj_err cli_word(struct uj_ctx *ctx, size_t *index, const char *what, const char *word,
                     const char *const *words, size_t count) UJ_CHECK;

/*
 * The output file. cli_output_check() before long work tells whether `path` can be written;
 * cli_output() writes it whole under another name and renames it, so nothing half-written is ever
 * seen; a path that is a device or pipe is written directly. NULL or "-" is standard output.
 */
enum uj_err cli_output_check(struct uj_ctx *ctx, const char *path) UJ_CHECK;
enum uj_err cli_output(struct uj_ctx *ctx, const char *path, const void *bytes,
                       size_t count) UJ_CHECK;

/* Writes a table in the format to `path` as cli_output() does; colour where a terminal allows it.
 */
enum uj_err cli_output_table(struct uj_ctx *ctx, const char *path,
                             const struct table_format *format, const struct table *t) UJ_CHECK;

/* May escape sequences be written to this descriptor? Not where NO_COLOR is set or it is no
 * terminal. */
bool cli_colour(int descriptor);

#endif
