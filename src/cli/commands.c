#include "cli/cli.h"

const struct command *const commands[] = {
    &command_bench,  &command_build, &command_run,  &command_study,
    &command_energy, &command_list,  &command_show,
};
const size_t command_count = sizeof commands / sizeof commands[0];
